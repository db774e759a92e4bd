extern int PLANT_table[64];
extern char *PLANT_name;
/* in a function */
int PLANT_key = (int)PLANT_name; /* here */
PLANT_table[PLANT_key & 63]++;
