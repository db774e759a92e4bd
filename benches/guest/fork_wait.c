/* fork and wait, without exec. */
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static void batch(unsigned count)
{
	while (count-- != 0) {
		int status;
		pid_t child = fork();

		if (child == 0)
			_exit(0);
		if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
			fail("fork");
	}
}

int main(void)
{
	measure(batch);
	return 0;
}
