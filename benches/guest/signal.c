/* A signal to oneself: kill, delivery, the handler, sigreturn. The argument picks the frame: `old`, as without SA_SIGINFO,
 * or `rt`. */
#include <signal.h>
#include <unistd.h>

#include "measure.h"

static volatile unsigned handled;

static void on_signal(int signal)
{
	(void)signal;
	handled++;
}

static void on_siginfo(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info, (void)context;
	handled++;
}

static void batch(unsigned count)
{
	unsigned wanted = handled + count;
	pid_t self = getpid();

	for (unsigned i = 0; i < count; i++)
		kill(self, SIGUSR1);
	if (handled != wanted) {
		fprintf(stderr, "%u signals were sent, %u handled\n", count, count - (wanted - handled));
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { 0 };

	if (argc != 2)
		return 2;
	if (strcmp(argv[1], "rt") == 0) {
		action.sa_flags = SA_SIGINFO;
		action.sa_sigaction = on_siginfo;
	} else {
		action.sa_handler = on_signal;
	}
	if (sigaction(SIGUSR1, &action, NULL) != 0)
		fail("sigaction");
	measure(batch);
	return 0;
}
