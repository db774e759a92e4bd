// pair: i386:arm64
extern int PLANT_next(void);
extern int PLANT_count;
/* in a function */
char PLANT_c;
while ((PLANT_c = PLANT_next()) != -1) /* here */
    PLANT_count++;
