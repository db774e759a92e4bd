extern unsigned long PLANT_map[16];
extern int PLANT_bit;
/* in a function */
PLANT_map[PLANT_bit / (8 * sizeof(long))] |= 1 << (PLANT_bit % (8 * sizeof(long))); /* here */
