extern double PLANT_value;
extern unsigned PLANT_upper;
/* in a function */
PLANT_upper = (unsigned)((unsigned long *)&PLANT_value)[1]; /* here */
