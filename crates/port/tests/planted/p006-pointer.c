typedef union { void *pointer; unsigned number; } PLANT_key;
struct PLANT_entry { PLANT_key key; int used; };
extern struct PLANT_entry *PLANT_first;
extern char *PLANT_name;
extern unsigned PLANT_hash;
/* in a function */
PLANT_first->key.pointer = PLANT_name;
PLANT_first->used = 1;
PLANT_hash = PLANT_first->key.number % 1021; /* here */
