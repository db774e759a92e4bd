extern char *PLANT_kept;
/* in a function */
PLANT_kept = tgetstr("cm", 0); /* here */
