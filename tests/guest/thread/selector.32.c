// The selector of the thread-local area: one of the GDT, the same in every thread.
//# link: -lpthread
//# gap: a 64-bit task has no thread-local GDT entries, so it is one of the LDT, and each thread's own
#include <pthread.h>
#include "expect.h"

static int selector(void) {
    int gs;
    asm volatile("mov %%gs, %0" : "=r"(gs));
    return gs & 0xffff;
}
static void *in_thread(void *gs) {
    *(int *)gs = selector();
    return 0;
}

int main(void) {
    pthread_t t;
    int gs;
    check("of the GDT, privilege 3", (selector() & 7) == 3);
    pthread_create(&t, 0, in_thread, &gs);
    pthread_join(t, 0);
    equal("in another thread", gs, selector());
    return finish();
}
