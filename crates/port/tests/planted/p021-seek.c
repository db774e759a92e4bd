#include <stdio.h>
#define PLANT_BLOCK 1024
struct PLANT_table { FILE *file; int current; };
extern struct PLANT_table *PLANT_data;
/* in a function */
fseek(PLANT_data->file, PLANT_data->current * PLANT_BLOCK, SEEK_SET); /* here */
