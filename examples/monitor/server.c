/* The monitor. Nothing here knows that it is a server, but for main(). */
#include "monitor.h"
#include "monitor-server.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 256

struct owner {
	char name[32];
	long priority;
};

static struct owner *owners[PAGES];
static unsigned long used;

struct owner *monitor_register(const char *name, long priority)
{
	struct owner *owner = calloc(1, sizeof *owner);
	if (owner) {
		snprintf(owner->name, sizeof owner->name, "%s", name);
		owner->priority = priority;
	}
	struct monitor_peer peer;
	if (!monitor_peer(&peer))
		fprintf(stderr, "%s: process %d, %d bits\n", name, (int)peer.pid, peer.bits);
	return owner;
}

static int is_free(unsigned long base, unsigned long size)
{
	if (base > PAGES || size > PAGES - base)
		return 0;
	for (unsigned long page = base; page < base + size; page++)
		if (owners[page])
			return 0;
	return 1;
}

int monitor_request(struct owner *owner, const struct range *wanted, size_t count, struct range *given)
{
	int number = 0;
	for (size_t i = 0; i < count; i++) {
		if (!is_free(wanted[i].base, wanted[i].size))
			continue;
		for (unsigned long page = wanted[i].base; page < wanted[i].base + wanted[i].size; page++)
			owners[page] = owner;
		used += wanted[i].size;
		given[number] = wanted[i];
		given[number++].priority += (int)owner->priority;
	}
	if (!number)
		errno = ENOSPC;
	return number ? number : -1;
}

int monitor_release(struct owner *owner, unsigned long base)
{
	int released = 0;
	for (unsigned long page = base; page < PAGES && owners[page] == owner; page++) {
		owners[page] = NULL;
		released++;
	}
	used -= (unsigned long)released;
	return released;
}

unsigned long monitor_used(void)
{
	return used;
}

const char *monitor_owner_of(unsigned long base)
{
	return base < PAGES && owners[base] ? owners[base]->name : NULL;
}

void monitor_unregister(struct owner *owner)
{
	for (unsigned long page = 0; page < PAGES; page++)
		if (owners[page] == owner)
			monitor_release(owner, page);
	free(owner);
}

int main(int count, char **arguments)
{
	if (monitor_serve(count > 1 ? arguments[1] : NULL)) {
		perror("monitor");
		return 1;
	}
	return 0;
}
