#include <stdio.h>
extern FILE *PLANT_file;
extern int PLANT_at;
/* in a function */
PLANT_at = ftell(PLANT_file); /* here */
