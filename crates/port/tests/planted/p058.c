struct PLANT_any { int kind; long size; int flags; };
struct PLANT_text { int kind; int size; int flags; };
extern struct PLANT_text *PLANT_first;
extern int PLANT_flags;
/* in a function */
PLANT_flags = ((struct PLANT_any *)PLANT_first)->flags; /* here */
