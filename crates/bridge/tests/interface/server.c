#include "things.h"
#include "things-server.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>

int client_bits(void)
{
	struct things_peer peer;
	return things_peer(&peer) ? -1 : peer.bits;
}

static void stop(int number)
{
	(void)number;
	things_stop();
}

int main(int count, char **arguments)
{
	signal(SIGTERM, stop);
	if (things_serve(count > 1 ? arguments[1] : NULL)) {
		perror("server");
		return 1;
	}
	puts("served");
	return 0;
}
