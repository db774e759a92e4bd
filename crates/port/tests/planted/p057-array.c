struct PLANT_header { char *name; long size; int mode; };
typedef struct PLANT_header *PLANT_pointer;
extern PLANT_pointer PLANT_file;
extern int PLANT_mode;
/* in a function */
PLANT_mode = ((int *)PLANT_file)[2]; /* here */
