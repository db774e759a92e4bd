#include <pthread.h>
struct PLANT_lock { unsigned holder; };
extern struct PLANT_lock *PLANT_global;
/* in a function */
pthread_t PLANT_self = pthread_self();
PLANT_global->holder = PLANT_self; /* here */
