/* One byte to another process and back, both on one processor, so that every hop is a context switch. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static int there[2], back[2];

static void batch(unsigned count)
{
	char byte = 0;

	while (count-- != 0)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			fail("pipe");
}

int main(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one) != 0)
		fail("sched_setaffinity");
	if (pipe(there) != 0 || pipe(back) != 0)
		fail("pipe");
	pid_t child = fork();

	if (child < 0)
		fail("fork");
	if (child == 0) {
		char byte;

		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	measure(batch);
	fflush(stdout);
	close(there[1]);
	int status;

	return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}
