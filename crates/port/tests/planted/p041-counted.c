typedef const char *PLANT_text;
static PLANT_text PLANT_names[] = {"one", "two", "three"};
#define PLANT_COUNT (sizeof PLANT_names / sizeof(int))
extern unsigned PLANT_number;
/* in a function */
PLANT_number = PLANT_COUNT + (PLANT_names[0] != 0); /* here */
