#include <stddef.h>
extern void PLANT_measure(size_t *length);
extern unsigned PLANT_length;
/* in a function */
PLANT_measure((size_t *)&PLANT_length); /* here */
