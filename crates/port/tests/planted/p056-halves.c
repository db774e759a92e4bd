typedef union { double value; unsigned long halves[2]; } PLANT_ieee; /* here */
extern PLANT_ieee PLANT_number;
extern unsigned long PLANT_sign;
/* in a function */
PLANT_sign = PLANT_number.halves[1] >> 31;
