#if defined(__i386__) /* here */
#define PLANT_order 1
#elif defined(__sparc__)
#define PLANT_order 2
#endif
/* in a function */
