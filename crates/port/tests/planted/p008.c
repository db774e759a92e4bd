#include <sys/ioctl.h>
extern int PLANT_descriptor;
extern long PLANT_count;
/* in a function */
long PLANT_waiting;
ioctl(PLANT_descriptor, FIONREAD, &PLANT_waiting); /* here */
PLANT_count = PLANT_waiting;
