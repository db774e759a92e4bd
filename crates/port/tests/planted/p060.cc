#include <stddef.h>
void PLANT_put(unsigned int value);
void PLANT_put(unsigned long value);
void PLANT_all(size_t size) { PLANT_put(size); } /* here */
/* in a function */
