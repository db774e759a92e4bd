extern unsigned long PLANT_mask;
extern long PLANT_error;
/* in a function */
PLANT_mask = ~0U; /* here */
PLANT_error = 0xffffffff; /* here */
