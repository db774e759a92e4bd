#define PLANT_NOWHERE 0xffffffffu
struct PLANT_chain { long next; };
extern struct PLANT_chain *PLANT_first;
extern int PLANT_length;
/* in a function */
PLANT_first->next = -1;
while (PLANT_first->next != PLANT_NOWHERE) /* here */
    PLANT_length++;
