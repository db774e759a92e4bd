#include <stdarg.h>
#include <stdio.h>
/* in a function */
va_list PLANT_list;
vprintf("", PLANT_list);
vprintf("", PLANT_list); /* here */
