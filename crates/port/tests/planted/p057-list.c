struct PLANT_item { struct PLANT_item *next; int value; };
extern char *PLANT_at;
extern int PLANT_sum;
/* in a function */
PLANT_sum += ((struct PLANT_item *)PLANT_at)->value;
PLANT_at += 8; /* here */
