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
    call((void *(*)(void *))work); /* probable */
    kept = (void *(*)(void *))work; /* probable */
    return pthread_join(*t, NULL);
}

/* What nobody calls is there for the compiler to say whether it is of this type. */
static void *(*checked)(void *) = (void *(*)(void *))work; /* possible */
static void *(*called)(void *) = (void *(*)(void *))work; /* probable */
void *calls(void *with) { return called(with); }

/* Nothing is made of the pointer that a handler returns, where a number is wanted. */
typedef int (*handler)(void *);
void set_handler(handler);
static void *wide(void *with) { return with; }
void sets_handler(void) { set_handler((handler)wide); } /* possible */

/* A pointer to any function says nothing of the one that it leads to. */
typedef int (*any)();
static int nothing() { return 0; }
void *calls_any(any given)
{
    void *of = ((void *(*)(int))given)(1); /* possible */
    return ((void *(*)(int))nothing)(2) != of ? of : 0; /* probable */
}

typedef int (*any_too)(void);
void *calls_any_too(any_too given, struct row { any_too of; } *row)
{
    void *of = ((void *(*)(int))row->of)(1); /* possible */
    void *next = ((void *(*)(int))given)(2); /* possible */
    return ((void *(*)(void *))&work)(next) != of ? of : 0; /* probable */
}

/* A number that is given in a register for a larger one is that, and no pointer. */
static long takes_long(long n) { return n; }
static long takes_pointer(char *p) { return *p; }
typedef long (*by_number)(int);
long calls_by(by_number called, int n);
long both(int n)
{
    return calls_by((by_number)takes_long, n) /* possible */
        + calls_by((by_number)takes_pointer, n); /* probable */
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
    all += *((returns_name)small)(); /* probable */
    return all + ((returns_int)name)(); /* possible */
}
