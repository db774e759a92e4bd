typedef unsigned int PLANT_address;
struct PLANT_slot { PLANT_address where; int used; };
#define PLANT_ADDRESS(of) ((PLANT_address)(of))
extern struct PLANT_slot PLANT_slots[8];
extern struct PLANT_slot *PLANT_object;
/* in a function */
PLANT_slots[2].where = PLANT_ADDRESS(PLANT_object); /* here */
