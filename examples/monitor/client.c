/* A program that was written for a monitor of its own word size. */
#include "monitor.h"
#include "monitor-client.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print(const char *what, const struct range *ranges, int count)
{
	printf("%s:", what);
	for (int i = 0; i < count; i++)
		printf(" %lu+%lu (%d)", ranges[i].base, ranges[i].size, ranges[i].priority);
	printf("\n");
}

int main(int count, char **arguments)
{
	if (count > 1)
		monitor_connect(arguments[1]);
	struct owner *guest = monitor_register("guest", -3), *driver = monitor_register("driver", 7);
	struct range wanted[] = {{0, 16, 1}, {8, 16, 1}, {100, 1, 5}}, given[3];
	print("guest has", given, monitor_request(guest, wanted, 3, given));
	errno = 0;
	print("driver has", given, monitor_request(driver, wanted + 1, 2, given));
	printf("none is left: %s\n", strerror(errno));
	int released = monitor_release(guest, 100);
	printf("released %d, %lu used\n", released, monitor_used());
	print("driver has", given, monitor_request(driver, wanted + 1, 2, given));
	/* What a call returns is there until the next one. */
	printf("0 is of %s", monitor_owner_of(0));
	printf(", 100 of %s\n", monitor_owner_of(100));
	monitor_unregister(guest);
	monitor_unregister(driver);
	printf("%lu used\n", monitor_used());
	return 0;
}
