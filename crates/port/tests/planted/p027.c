extern const unsigned long PLANT_table[256];
extern const unsigned char *PLANT_bytes;
extern unsigned long PLANT_sum;
/* in a function */
unsigned long PLANT_crc = 0;
for (int PLANT_n = 0; PLANT_n < 100; PLANT_n++)
    PLANT_crc = (PLANT_crc << 8) ^ PLANT_table[(PLANT_crc >> 24) ^ *PLANT_bytes++]; /* here */
PLANT_sum = PLANT_crc;
