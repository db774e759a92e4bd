typedef unsigned long PLANT_word;
#define PLANT_ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
struct PLANT_digest { PLANT_word state[4]; };
extern struct PLANT_digest *PLANT_md;
/* in a function */
PLANT_md->state[1] += PLANT_ROTATE(PLANT_md->state[0], 7); /* here */
