#include <unistd.h>
struct PLANT_index { unsigned first, last; };
extern struct PLANT_index PLANT_entry;
extern int PLANT_descriptor;
/* in a function */
PLANT_entry.first = lseek(PLANT_descriptor, 0, SEEK_CUR); /* here */
lseek(PLANT_descriptor, PLANT_entry.first, SEEK_SET);
