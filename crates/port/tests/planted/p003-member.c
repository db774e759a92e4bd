struct PLANT_user { const char *name; };
extern struct PLANT_user PLANT_me;
/* in a function */
PLANT_me.name = getlogin(); /* here */
