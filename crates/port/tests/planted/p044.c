#include <pthread.h>
extern int PLANT_owner;
/* in a function */
PLANT_owner = (int)pthread_self(); /* here */
