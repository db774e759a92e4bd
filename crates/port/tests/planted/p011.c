#include <sys/stat.h>
extern struct stat PLANT_all[8];
extern int PLANT_total;
/* in a function */
int PLANT_sum = 0;
for (int PLANT_i = 0; PLANT_i < 8; PLANT_i++)
    PLANT_sum += PLANT_all[PLANT_i].st_size; /* here */
PLANT_total = PLANT_sum;
