#include <pthread.h>
#include <stdlib.h>
static int work(void *with) { return with != 0; }
void *(*kept)(void *);
int run(pthread_t *t)
{
    pthread_create(t, 0, (void *(*)(void *))work, 0); /* possible */
    kept = (void *(*)(void *))work; /* probable */
    return pthread_join(*t, NULL);
}
