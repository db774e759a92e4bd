#include <stddef.h>
#define PLANT_NONE ((unsigned)-1)
struct PLANT_span { size_t from, to; };
extern struct PLANT_span PLANT_whole;
/* in a function */
PLANT_whole.to = PLANT_NONE; /* here */
