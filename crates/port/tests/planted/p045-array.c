typedef unsigned long PLANT_DWORD, PLANT_uint32_t;
extern PLANT_uint32_t PLANT_kept;
/* in a function */
char PLANT_row[16];
const PLANT_uint32_t *PLANT_words = (const PLANT_uint32_t *)PLANT_row; /* here */
PLANT_kept = PLANT_words[0];
