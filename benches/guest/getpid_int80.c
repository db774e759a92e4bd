/* getpid through `int $0x80`: what glibc 2.41 does for every cancellable call, musl at cancellation points, Go always. */
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

/* A function of its own, with the number loaded in front of the trap and a return behind it: the shape of a call in libc. Inlined
 * into a loop, the compiler would hoist the load, and there would be a site for each copy of the loop. */
static __attribute__((noinline, noclone)) long enter(void)
{
	long result;

	__asm__ volatile("movl %1, %%eax\n\tint $0x80" : "=&a"(result) : "i"(SYS_getpid) : "memory");
	return result;
}

static void batch(unsigned count)
{
	while (count-- != 0)
		enter();
}

int main(void)
{
	if (enter() != getpid())
		fail("getpid");
	measure(batch);
	return 0;
}
