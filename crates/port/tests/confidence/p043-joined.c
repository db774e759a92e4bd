/* Who joins a thread may ask what it says, and mostly takes the number that it was. */
#include <pthread.h>
static int work(void *with) { return with != 0; }
int run(pthread_t *t, void **result)
{
    pthread_create(t, 0, (void *(*)(void *))work, 0); /* possible */
    return pthread_join(*t, result);
}
