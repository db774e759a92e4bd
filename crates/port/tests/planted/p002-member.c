typedef struct PLANT_node { unsigned next; int value; } PLANT_node;
extern PLANT_node PLANT_first;
extern PLANT_node *PLANT_second;
/* in a function */
PLANT_second = (PLANT_node *)PLANT_first.next; /* here */
