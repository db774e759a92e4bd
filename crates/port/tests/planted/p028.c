#include <stdio.h>
extern FILE *PLANT_file;
extern unsigned PLANT_length;
/* in a function */
fseek(PLANT_file, -PLANT_length, SEEK_CUR); /* here */
