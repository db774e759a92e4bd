#include <pthread.h>
#include <stdlib.h>
static int work(void *with) { return with != 0; }
void *(*kept)(void *);
int own_thread_create(pthread_t *t, void *(*work)(void *));
int call(void *(*work)(void *));
int run(pthread_t *t)
{
    pthread_create(t, 0, (void *(*)(void *))work, 0); /* possible */
    own_thread_create(t, (void *(*)(void *))work); /* possible */
    call((void *(*)(void *))work); /* possible */
    kept = (void *(*)(void *))work; /* possible */
    return pthread_join(*t, NULL);
}

/* A number that is given in a register for a larger one is that, and no pointer. */
static long takes_long(long n) { return n; }
static long takes_pointer(char *p) { return *p; }
typedef long (*by_number)(int);
long calls_by(by_number called, int n);
long both(int n)
{
    return calls_by((by_number)takes_long, n) /* possible */
        + calls_by((by_number)takes_pointer, n); /* possible */
}

/* The upper half of a number that is returned in a register is mostly 0; that of an address is not. */
static int small(void) { return 4; }
static char *name(void) { return "4"; }
typedef long (*returns_long)(void);
typedef char *(*returns_name)(void);
typedef int (*returns_int)(void);
long results(void)
{
    long all = ((returns_long)small)(); /* possible */
    all += *((returns_name)small)(); /* possible */
    return all + ((returns_int)name)(); /* possible */
}
