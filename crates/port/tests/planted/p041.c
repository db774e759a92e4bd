#include <stdlib.h>
extern long *PLANT_numbers;
extern int PLANT_count;
/* in a function */
PLANT_numbers = (long *)malloc(PLANT_count * sizeof(int)); /* here */
