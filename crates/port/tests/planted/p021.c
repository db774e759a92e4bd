#include <stdlib.h>
extern char *PLANT_pixels;
extern int PLANT_rows, PLANT_columns;
/* in a function */
PLANT_pixels = malloc(PLANT_rows * PLANT_columns); /* here */
