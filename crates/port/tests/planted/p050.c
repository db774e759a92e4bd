#include <stdio.h>
struct PLANT_header { char kind; long length; short flags; };
static int PLANT_put(FILE *file, const void *what, size_t size)
{
    return fwrite(what, size, 1, file) == 1; /* here */
}
extern FILE *PLANT_file;
extern struct PLANT_header PLANT_first;
/* in a function */
PLANT_put(PLANT_file, &PLANT_first, sizeof PLANT_first); /* here */
