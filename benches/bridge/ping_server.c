/* `ping-server DESCRIPTOR`: serves the interface of ping.h on a socket that listens. */
#include <stdlib.h>

#include "ping-server.h"
#include "ping.h"

void ping(uint32_t *words, unsigned count)
{
	(void)words;
	(void)count;
}

int main(int arguments, char **argument) { return arguments == 2 ? ping_serve_socket(atoi(argument[1])) : 2; }
