#include <stddef.h>
#define PLANT_ALIGN 16U
#define PLANT_ROUND(size) (((size) + PLANT_ALIGN - 1) & ~(PLANT_ALIGN - 1))
extern size_t PLANT_wanted;
/* in a function */
PLANT_wanted = PLANT_ROUND(PLANT_wanted); /* here */
