extern unsigned long PLANT_flags;
/* in a function */
PLANT_flags |= 1 << (sizeof(PLANT_flags) * 8 - 1); /* here */
