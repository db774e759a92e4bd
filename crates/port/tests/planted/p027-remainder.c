extern const char *PLANT_name;
extern int PLANT_buckets[211];
/* in a function */
    unsigned long PLANT_h = 0, PLANT_g;
    for (const char *PLANT_p = PLANT_name; *PLANT_p; PLANT_p++) {
        PLANT_h = (PLANT_h << 4) + *PLANT_p; /* here */
        if ((PLANT_g = PLANT_h & 0xf0000000) != 0)
            PLANT_h = PLANT_h ^ (PLANT_g >> 24) ^ PLANT_g;
    }
    PLANT_buckets[PLANT_h % 211]++;
