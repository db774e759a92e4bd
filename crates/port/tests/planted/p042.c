#include <stdint.h>
#include <string.h>
extern uint32_t PLANT_word;
extern long PLANT_number;
/* in a function */
memcpy(&PLANT_word, &PLANT_number, sizeof PLANT_number); /* here */
