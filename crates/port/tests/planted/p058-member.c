typedef struct { char *name; long state; short kind; } PLANT_base;
typedef struct { char *name; int state; short kind; char more[8]; } PLANT_derived;
struct PLANT_tree { PLANT_base *root; };
extern struct PLANT_tree PLANT_all;
extern PLANT_derived *PLANT_leaf;
/* in a function */
PLANT_all.root = (PLANT_base *)PLANT_leaf; /* here */
