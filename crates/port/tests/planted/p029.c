extern unsigned PLANT_n;
extern int PLANT_small;
#include <limits.h>
/* in a function */
PLANT_small = PLANT_n < ULONG_MAX; /* here */
