/* The system call stat64, whose structure has another layout on i386. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

static void batch(unsigned count)
{
	char buffer[128]; /* struct stat64 of i386 is 96 bytes */

	while (count-- != 0)
		if (syscall(SYS_stat64, "/etc/passwd", buffer) != 0)
			fail("stat64");
}

int main(void)
{
	measure(batch);
	return 0;
}
