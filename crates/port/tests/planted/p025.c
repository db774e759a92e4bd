extern const unsigned char *PLANT_bytes;
extern unsigned long PLANT_word;
/* in a function */
PLANT_word = PLANT_bytes[0] | PLANT_bytes[1] << 8 | PLANT_bytes[2] << 16 | PLANT_bytes[3] << 24; /* here */
