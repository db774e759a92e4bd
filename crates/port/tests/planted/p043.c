#include <pthread.h>
static int PLANT_work(void *with)
{
    return with != 0;
}
extern pthread_t PLANT_thread;
/* in a function */
pthread_create(&PLANT_thread, 0, (void *(*)(void *))PLANT_work, 0); /* here */
