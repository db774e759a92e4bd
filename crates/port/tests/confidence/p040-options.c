/* Without a header that has only options, by its name, it is one step less sure where all names are known; where not, nothing is. */
#include "nowhere/config.h"
#include <stdlib.h>
char **names(int count) { return malloc(count * 4); } /* probable */
char **unknown(int count) { count += MAXIMUM; return malloc(count * 4); } /* possible */
