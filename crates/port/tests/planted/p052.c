#include <time.h>
#include <unistd.h>
struct PLANT_entry { int who; time_t when; };
extern int PLANT_descriptor;
/* in a function */
struct PLANT_entry PLANT_now = {1, time(0)};
write(PLANT_descriptor, &PLANT_now, sizeof PLANT_now); /* here */
