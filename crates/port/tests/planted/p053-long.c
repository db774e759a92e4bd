#include <sys/ioctl.h>
extern int PLANT_descriptor;
#define PLANT_SET _IOW('x', 2, long)
/* in a function */
long PLANT_rate = 1;
ioctl(PLANT_descriptor, PLANT_SET, &PLANT_rate); /* here */
