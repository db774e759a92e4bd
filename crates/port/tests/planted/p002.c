extern int PLANT_handle(void);
extern char *PLANT_kept;
/* in a function */
int PLANT_number = PLANT_handle();
PLANT_kept = (char *)PLANT_number; /* here */
