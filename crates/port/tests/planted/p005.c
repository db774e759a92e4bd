#include <time.h>
extern int PLANT_now;
/* in a function */
int PLANT_when;
time((time_t *)&PLANT_when); /* here */
PLANT_now = PLANT_when;
