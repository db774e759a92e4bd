#include <sys/ioctl.h>
struct PLANT_state { unsigned long base; int count; };
extern int PLANT_descriptor;
extern struct PLANT_state PLANT_now;
#define PLANT_GET _IOR('x', 1, struct PLANT_state)
/* in a function */
ioctl(PLANT_descriptor, PLANT_GET, &PLANT_now); /* here */
