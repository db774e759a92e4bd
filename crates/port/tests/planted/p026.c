extern unsigned long PLANT_word;
extern int PLANT_by;
/* in a function */
PLANT_word = PLANT_word << PLANT_by | PLANT_word >> (32 - PLANT_by); /* here */
