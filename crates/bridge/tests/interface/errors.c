/* What goes wrong, case by case. */
#include "things.h"
#include "things-client.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handler(int error, const char *text)
{
	printf("%s: %s\n", strerrorname_np(error), text);
}

int main(int count, char **arguments)
{
	const char *what = count > 2 ? arguments[2] : "";
	things_connect(arguments[1]);
	if (strcmp(what, "abort"))
		things_on_error(handler);
	setvbuf(stdout, NULL, _IONBF, 0);
	if (!strcmp(what, "fits")) {
		/* 64 bits to a server with 32. */
		unsigned long value = big((unsigned long)5000000000ll);
		printf("%lu %d\n", value, errno == EOVERFLOW);
		struct wide wide = {.l = (long)-3000000000ll};
		wide = doubled(wide);
		printf("%ld\n", wide.l);
		long numbers[3] = {1, (long)0x7fffffffffll, 3};
		printf("%ld\n", sum_of(numbers, 3));
		printf("%ld\n", add(1, 2, 3, 4, 5));
	} else if (!strcmp(what, "result")) {
		/* A result of a server with 64 bits to a client with 32. */
		struct list list = {2147483647, "ab", NULL};
		printf("%ld\n", list_sum(&list));
	} else if (!strcmp(what, "handle")) {
		struct thing *thing = thing_new("it", 5);
		printf("%ld\n", thing_value(thing));
		thing_free(thing);
		printf("%ld\n", thing_value(thing));
		printf("%ld\n", thing_value((struct thing *)0x7777));
		printf("%d\n", made(NULL) == NULL);
	} else if (!strcmp(what, "loop")) {
		struct list list = {1, "a", &list};
		printf("%ld\n", list_sum(&list));
	} else if (!strcmp(what, "size")) {
		printf("%u\n", checksum(arguments, (size_t)300 << 20));
		long none;
		twice(&none, -1);
		printf("%u\n", checksum("abc", 3));
	} else if (!strcmp(what, "ends")) {
		ends();
		printf("%ld\n", add(1, 2, 3, 4, 5));
	} else if (!strcmp(what, "idle") || !strcmp(what, "abort")) {
		printf("%ld\n", add(1, 2, 3, 4, 5));
		getchar();
		printf("%ld\n", add(1, 2, 3, 4, 5));
		printf("%ld\n", add(1, 2, 3, 4, 5));
	} else if (!strcmp(what, "waits")) {
		puts("waiting");
		waits(1000000);
		puts("woken");
	} else if (!strcmp(what, "bits")) {
		printf("%d\n", client_bits());
	} else if (!strcmp(what, "nobody")) {
		printf("%ld\n", add(1, 2, 3, 4, 5));
	} else if (!strcmp(what, "left-out")) {
		left_out(NULL);
	}
	return 0;
}
