extern const unsigned char *PLANT_bytes;
extern int PLANT_failed;
/* in a function */
long PLANT_length = (long)PLANT_bytes[0] << 24 | (long)PLANT_bytes[1] << 16 | PLANT_bytes[2];
if (PLANT_length < 0) /* here */
    PLANT_failed = 1;
