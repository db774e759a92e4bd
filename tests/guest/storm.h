// A storm of SIGALRM in which each signal has the next one sent, so that a slow machine does something between two.
#include <sys/time.h>
#include "expect.h"

static void after(int microseconds) { setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, microseconds}}, 0); }
