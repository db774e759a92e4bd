struct PLANT_user { const char *name; };
extern struct PLANT_user PLANT_me;
/* in a function */
PLANT_me.name = nl_langinfo(14); /* here */
