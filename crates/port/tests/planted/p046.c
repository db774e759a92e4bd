#include <stdarg.h>
#include <stdio.h>
/* in a function */
extern va_list PLANT_list;
vprintf("%d", PLANT_list);
vprintf("%d", PLANT_list); /* here */
