#include <dlfcn.h>
char *PLANT_name(int of)
{
    return of ? "a" : "b";
}
extern int PLANT_result;
/* in a function */
int (*PLANT_get)(int);
*(void **)&PLANT_get = dlsym(0, "PLANT_name"); /* here */
PLANT_result = PLANT_get(1);
