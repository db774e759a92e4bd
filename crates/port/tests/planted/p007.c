static void PLANT_put(where, name)
    long where;
    char *name;
{
    *name = (char)(where >> 3);
}
extern char PLANT_name[8];
/* in a function */
PLANT_put(-1, PLANT_name); /* here */
