#include <stdio.h>
#include <string.h>
extern const char *PLANT_name;
/* in a function */
printf("%u\n", strlen(PLANT_name)); /* here */
