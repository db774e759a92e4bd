#include <string.h>
typedef struct PLANT_item *PLANT_item;
struct PLANT_list { PLANT_item *items; unsigned count; };
extern struct PLANT_list *PLANT_old, *PLANT_new;
/* in a function */
memcpy(PLANT_new->items, PLANT_old->items, PLANT_old->count << 2); /* here */
