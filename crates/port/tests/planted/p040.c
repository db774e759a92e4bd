#include <stdlib.h>
extern char **PLANT_names;
extern int PLANT_count;
/* in a function */
PLANT_names = malloc(PLANT_count * 4); /* here */
