typedef unsigned long PLANT_u32;
extern unsigned char *PLANT_bytes;
/* in a function */
*(PLANT_u32 *)PLANT_bytes = 1; /* here */
