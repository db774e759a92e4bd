extern long PLANT_value;
extern int PLANT_low;
/* in a function */
__asm__("movl %1, %0" : "=r"(PLANT_low) : "r"(PLANT_value)); /* here */
