#include <stdio.h>
extern FILE *PLANT_file;
extern unsigned long PLANT_count;
/* in a function */
fwrite(&PLANT_count, sizeof PLANT_count, 1, PLANT_file); /* here */
