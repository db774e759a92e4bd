#include <dlfcn.h>
#include <string.h>
extern void *PLANT_library;
extern int PLANT_length;
/* in a function */
int (*PLANT_measure)(const char *) = (int (*)(const char *))dlsym(PLANT_library, "strlen"); /* here */
PLANT_length = PLANT_measure("a");
