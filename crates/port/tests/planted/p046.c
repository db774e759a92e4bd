#include <stdarg.h>
#include <stdio.h>
/* in a function */
extern va_list PLANT_list;
vprintf("", PLANT_list);
vprintf("", PLANT_list); /* here */
