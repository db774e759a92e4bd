#include <stddef.h>
extern size_t PLANT_total;
#define PLANT_ADD(sum, by) __asm__ volatile("addl %[more], %[all]\n\tadcl $0, %[all]" : [all] "+m"(sum) : [more] "ri"(by) : "cc")
/* in a function */
PLANT_ADD(PLANT_total, 7); /* here */
