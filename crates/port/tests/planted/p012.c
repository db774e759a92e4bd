#include <time.h>
struct PLANT_entry { int when; };
extern struct PLANT_entry PLANT_last;
/* in a function */
PLANT_last.when = time(0); /* here */
