/* fork, exec, wait. The arguments are the command: a translator must be named there, because it hands the exec of its own
 * guest to the kernel. */
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

static char **command;

static void batch(unsigned count)
{
	while (count-- != 0) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			execv(command[0], command);
			_exit(127);
		}
		if (child < 0 || waitpid(child, &status, 0) != child)
			fail("fork");
		if (status != 0) {
			fprintf(stderr, "%s: wait status 0x%x\n", command[0], status);
			exit(1);
		}
	}
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	command = argv + 1;
	measure(batch);
	return 0;
}
