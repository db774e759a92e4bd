#include <stdarg.h>
static long PLANT_total(int count, ...)
{
    va_list list;
    long total = 0;
    va_start(list, count);
    while (count--)
        total += va_arg(list, long);
    va_end(list);
    return total;
}
extern int PLANT_one;
extern long PLANT_sum;
/* in a function */
PLANT_sum = PLANT_total(1, PLANT_one); /* here */
