/* `ping-client WORDS SERVER`: starts SERVER, which serves the interface of ping.h and may be of another width, and prints the nanoseconds of a call that
 * carries so many words each way. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/measure.h"
#include "ping-client.h"
#include "ping.h"

static uint32_t words[64];
static unsigned count;

static void batch(unsigned times)
{
	while (times-- != 0)
		ping(words, count);
}

int main(int arguments, char **argument)
{
	if (arguments != 3)
		return 2;
	count = (unsigned)atoi(argument[1]);
	/* It listens before anybody can ask. */
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "biarch-bench-%d", getpid());
	int listening = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listening, (struct sockaddr *)&address, (socklen_t)(sizeof address.sun_family + 1 + (unsigned)length)) != 0 || listen(listening, 1) != 0)
		fail("listen");
	pid_t server = fork();
	if (server == 0) {
		char text[12];
		snprintf(text, sizeof text, "%d", listening);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == 1)
			_exit(1);
		execl(argument[2], argument[2], text, NULL);
		fail(argument[2]);
	}
	address.sun_path[0] = '@';
	if (ping_connect(address.sun_path) != 0)
		fail("ping_connect");
	measure(batch);
	kill(server, SIGKILL);
	return waitpid(server, NULL, 0) != server;
}
