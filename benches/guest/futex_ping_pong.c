/* Two threads that wake each other through one futex, both on one processor. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

enum { MINE, THEIRS, END };

static uint32_t turn;

static void wait_while(uint32_t value)
{
	while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == value)
		syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void pass(uint32_t value)
{
	__atomic_store_n(&turn, value, __ATOMIC_RELEASE);
	syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *other(void *unused)
{
	for (;;) {
		wait_while(MINE);
		if (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == END)
			return unused;
		pass(MINE);
	}
}

static void batch(unsigned count)
{
	while (count-- != 0) {
		pass(THEIRS);
		wait_while(THEIRS);
	}
}

int main(void)
{
	cpu_set_t one;
	pthread_t thread;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0)
		fail("sched_setaffinity");
	errno = pthread_create(&thread, NULL, other, NULL);
	if (errno != 0)
		fail("pthread_create");
	measure(batch);
	pass(END);
	return pthread_join(thread, NULL);
}
