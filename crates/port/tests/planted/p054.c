struct PLANT_header { unsigned char type; unsigned long length; } __attribute__((packed)); /* here */
extern struct PLANT_header *PLANT_first;
extern unsigned long PLANT_length;
/* in a function */
PLANT_length = PLANT_first->length; /* here */
