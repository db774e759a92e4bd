/* Without the header of a library only what that has is not known. */
#include <Xm/nowhere.h>
#include <stdlib.h>
char **names(int count) { return malloc(count * 4); } /* certain */
