union PLANT_both { double real; unsigned long word[2]; };
extern unsigned long PLANT_high;
extern double PLANT_real;
/* in a function */
union PLANT_both PLANT_number;
PLANT_number.real = PLANT_real;
PLANT_high = PLANT_number.word[1]; /* here */
