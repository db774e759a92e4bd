#include <stddef.h>
struct PLANT_statistics { unsigned bytes; int files; };
extern struct PLANT_statistics *PLANT_all;
extern size_t PLANT_size(const char *name);
/* in a function */
PLANT_all->bytes += PLANT_size("a"); /* here */
