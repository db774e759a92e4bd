#include <stdio.h>
#include <stddef.h>
struct PLANT_index { size_t offsets[16]; };
extern struct PLANT_index *PLANT_own;
/* in a function */
FILE *PLANT_file = fopen("index", "rb");
fread(PLANT_own->offsets, sizeof *PLANT_own->offsets, 16, PLANT_file); /* here */
