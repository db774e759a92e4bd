/* FUTEX_WAKE with nobody waiting: the shortest call that takes an address. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

static uint32_t word;

static void batch(unsigned count)
{
	while (count-- != 0)
		if (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0) != 0)
			fail("futex");
}

int main(void)
{
	measure(batch);
	return 0;
}
