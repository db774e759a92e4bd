extern unsigned long PLANT_page;
extern char *PLANT_address;
/* in a function */
PLANT_page = (unsigned long)PLANT_address & ~0xfffU; /* here */
