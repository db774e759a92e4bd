extern unsigned int PLANT_address(const char *name);
extern int PLANT_failed;
/* in a function */
unsigned long PLANT_to = PLANT_address("localhost");
if (PLANT_to == -1) /* here */
    PLANT_failed = 1;
