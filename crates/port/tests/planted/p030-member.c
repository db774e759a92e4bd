#include <stdio.h>
#include <sys/stat.h>
struct PLANT_file { struct stat status; char shown[40]; };
extern struct PLANT_file *PLANT_one;
/* in a function */
snprintf(PLANT_one->shown, sizeof PLANT_one->shown, "%9d", PLANT_one->status.st_size); /* here */
