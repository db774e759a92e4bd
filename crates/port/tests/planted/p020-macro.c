typedef unsigned long PLANT_set;
#define PLANT_BIT(n) (1 << (n))
struct PLANT_state { PLANT_set pending; };
extern struct PLANT_state PLANT_now;
extern unsigned PLANT_number;
/* in a function */
PLANT_now.pending |= PLANT_BIT(PLANT_number); /* here */
