#include <stdio.h>
extern char *PLANT_next;
extern void PLANT_show(const char *);
/* in a function */
char PLANT_shown[11];
sprintf(PLANT_shown, "%p", PLANT_next); /* here */
PLANT_show(PLANT_shown);
