union PLANT_value { long number; unsigned char bytes[4]; }; /* here */
extern union PLANT_value PLANT_word;
extern int PLANT_first;
/* in a function */
PLANT_first = PLANT_word.bytes[0]; /* here */
