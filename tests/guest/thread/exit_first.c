// The first thread ends and the others go on; the status is that of the last.
//# libc: static musl
//# link: -lpthread
//# exit: 0
#include <pthread.h>
#include "expect.h"

static void *goes_on(void *argument) {
    pause_for(30);
    say("still here");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, goes_on, 0);
    pthread_exit(0);
}
