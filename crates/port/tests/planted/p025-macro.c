#include <stddef.h>
#define PLANT_GET(p) ((p)[3] | ((p)[2] << 8) | ((p)[1] << 16) | ((p)[0] << 24))
struct PLANT_chunk { size_t length; };
extern struct PLANT_chunk PLANT_first;
extern unsigned char PLANT_header[8];
/* in a function */
PLANT_first.length = PLANT_GET(PLANT_header); /* here */
