extern unsigned PLANT_limit;
extern int PLANT_failed;
/* in a function */
long PLANT_best = -1;
if (PLANT_best < PLANT_limit) /* here */
    PLANT_failed = 1;
