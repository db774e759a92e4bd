/* Without one of the project's own nothing is. */
#include "nowhere.h"
#include <stdlib.h>
char **names(int count) { return malloc(count * 4); } /* possible */
