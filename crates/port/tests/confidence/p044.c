#include <pthread.h>
extern int kept;
int use(int of);
int show(const char *format, ...);

int cuts(pthread_t t, pthread_t u, unsigned long n)
{
    kept = t; /* certain */
    kept = (int)t; /* certain */
    if ((int)t == (int)u) /* probable */
        use((int)t); /* possible */
    show("%d", (int)t); /* possible */
    use((int)t % 4); /* possible */
    kept = (int)n;
    return (int)t; /* certain */
}

/* For a person half a thread is as good. */
int logs(void)
{
    int id = pthread_self(), other; /* possible */
    other = pthread_self(); /* certain */
    show("[%04x] %d", id, other);
    int unused = pthread_self(); /* certain */
    return other;
}
