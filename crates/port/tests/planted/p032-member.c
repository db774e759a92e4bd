#include <stdio.h>
struct PLANT_entry { char key[9]; struct PLANT_entry *next; };
extern struct PLANT_entry *PLANT_first;
#define PLANT_KEY "%08lx"
/* in a function */
sprintf(PLANT_first->key, PLANT_KEY, (unsigned long)PLANT_first->next); /* here */
