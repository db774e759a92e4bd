struct PLANT_node { struct PLANT_node *next; int value; };
extern struct PLANT_node *PLANT_list;
extern int PLANT_value;
/* in a function */
PLANT_value = *(int *)((char *)PLANT_list + 4); /* here */
