extern float PLANT_value;
extern long PLANT_bits;
/* in a function */
PLANT_bits = *(long *)&PLANT_value; /* here */
