extern long PLANT_result(void);
extern int PLANT_failed;
/* in a function */
if (PLANT_result() == 0xffffffff) /* here */
    PLANT_failed = 1;
