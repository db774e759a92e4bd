#include <string.h>
struct PLANT_record { unsigned size; char name[12]; };
extern struct PLANT_record *PLANT_last;
extern long PLANT_size;
/* in a function */
memmove(&PLANT_last->size, &PLANT_size, sizeof(long)); /* here */
