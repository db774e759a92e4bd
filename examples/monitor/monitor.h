/* A resource monitor: it hands out ranges of something, as memory or channels of a device, and knows who has what. */
#ifndef MONITOR_H
#define MONITOR_H
#include <stddef.h>

struct range {
	unsigned long base;
	unsigned long size;
	int priority;
};

/* Who has registered; programs only have its address. */
struct owner;

struct owner *monitor_register(const char *name, long priority);
/* The ranges that were given, of those that were wanted: how many, or -1 with ENOSPC. */
int monitor_request(struct owner *owner, const struct range *wanted, size_t count, struct range *given);
int monitor_release(struct owner *owner, unsigned long base);
/* All that is in use. */
unsigned long monitor_used(void);
const char *monitor_owner_of(unsigned long base);
void monitor_unregister(struct owner *owner);

#endif
