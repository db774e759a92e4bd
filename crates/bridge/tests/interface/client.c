/* Prints the same, whatever the word sizes of client and server. */
#include "things.h"
#ifdef REMOTE
#include "things-client.h"
#endif
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_wide(const char *what, struct wide of)
{
	printf("%s: %d %ld %lu %lld %g %p\n", what, of.c, of.l, of.u, of.ll, of.d, of.cookie);
}

static void *one_thread(void *argument)
{
	long number = (long)(intptr_t)argument, wrong = 0;
	char text[32];
	for (int i = 0; i < 2000; i++) {
		wrong += add(1, 2, 3, number, i) != 6 + number + i;
		snprintf(text, sizeof text, "thread %ld", number);
		wrong += length_of(text) != strlen(text);
	}
	return (void *)(intptr_t)wrong;
}

int main(int count, char **arguments)
{
	(void)count;
	(void)arguments;
#ifdef REMOTE
	if (count > 1 && things_connect(arguments[1]))
		return 2;
#endif
	printf("add %ld %ld\n", add(-100, 60000, -5, -2000000000L, 1000000000LL), add(1, 2, 3, 4, -10));
	printf("ones %lu\n", ones(255, 4000000000u, 1, 2, 3));
	printf("sum %g, half %Lg\n", sum(0.5f, -1.25, 1e30L), half(-3.5L));
	printf("half %Lg %Lg %Lg %d\n", half(1e-30L), half(-1.0L / 0.0L), half(0), half(__builtin_nanl("")) != half(1));
	printf("not %d %d\n", not(true), not(false));
	printf("colours %d %d %d\n", next_colour(RED), next_colour(GREEN), next_colour(BLUE));
	struct plain plain = turned((struct plain){2000000000, -3, "abcdefghi"});
	printf("plain %d %d %.9s\n", plain.a, plain.b, plain.c + 1);
	struct wide wide = {'x', -1000000, 2000000000ul, 1ll << 40, 0.125, (void *)0x1234};
	print_wide("doubled", doubled(wide));
	struct nested nested = {{wide, {'a', 5, 6, 7, 8, NULL}}, {1, 2, "tuvwxyz"}, 1000000000, GREEN, true}, nest_of = nest(&nested);
	print_wide("nested", nest_of.inner[0]);
	print_wide("nested", nest_of.inner[1]);
	printf("nested %d %d %ld %d %d\n", nest_of.plain.a, nest_of.plain.c[9], (long)nest_of.when, nest_of.colour, nest_of.yes);
	struct bits bits = {5, -16, -7, 0x7fffffff};
	printf("bits %ld", bits_of(&bits));
	printf(" %u %d %ld %u\n", bits.a, bits.b, bits.c, bits.d);
	for (int kind = 0; kind < 4; kind++) {
		struct variant variant = {.kind = kind, .after = -1};
		if (kind == 0)
			variant.of.number = 77;
		else if (kind == 1)
			variant.of.real = 10;
		else if (kind == 2)
			variant.of.wide = wide;
		else
			strcpy(variant.of.text, "hello");
		printf("vary %d", vary(&variant));
		printf(" %ld %ld\n", variant.after, kind == 0 ? variant.of.number : kind == 1 ? (long)(variant.of.real * 10) : kind == 2 ? variant.of.wide.l : variant.of.text[0]);
	}
	printf("call %d", call(1, 2, 3, 4));
	long three_of[3] = {1, -2, 30}, pair[2] = {77, 0};
	char rows[2][4] = {"abc", "def"};
	printf(" %d", interface(three_of, rows, &pair));
	printf(" %.4s %ld\n", rows[1], pair[1]);
	int many = 0;
	const char *const *several_of = several(&many);
	printf("several %d %s %s %d %s\n", many, several_of[0], several_of[1], several_of[2] == NULL, several_of[3]);
	long numbers[100];
	for (int i = 0; i < 100; i++)
		numbers[i] = i * (i % 2 ? -1 : 1000);
	printf("sum of %ld %ld %ld\n", sum_of(numbers, 100), sum_of(numbers, 0), sum_of(NULL, 5));
	printf("squares %zd", squares(numbers, 100, 10));
	printf(" %ld %ld\n", numbers[9], numbers[10]);
	errno = 0;
	printf("squares %zd", squares(numbers, 100, 101));
	printf(" %d %ld\n", errno == ERANGE, numbers[1]);
	twice(numbers, 5);
	printf("twice %ld %ld\n", numbers[4], numbers[5]);
	printf("lengths %zu %zu %zu\n", length_of("hello"), length_of(""), length_of(NULL));
	char text[] = "Hello, World\0of two";
	printf("upper %zu", upper(text, sizeof text));
	printf(" %s %s\n", text, text + 13);
	printf("words %d\n", words((const char *const[]){"a", "", "three", NULL}));
	for (size_t size = 0; size < 20000000; size = size * 7 + 1) {
		unsigned char *data = malloc(size + 1);
		fill(data, size, (int)size & 0xff);
		data[size] = 0;
		if (size)
			data[size / 2] ^= 0x55;
		printf("checksum of %zu: %u\n", size, checksum(data, size));
		free(data);
	}
	struct list third = {30, "three", NULL}, second = {20, NULL, &third}, first = {-10, "", &second};
	printf("list %ld", list_sum(&first));
	list_double(&first);
	printf(" %ld %ld %ld %ld\n", first.value, second.value, third.value, list_sum(NULL));
	printf("names %s", name_of(1));
	printf(" %s", name_of(2)[0] ? "wrong" : "empty");
	printf(" %d\n", name_of(3) == NULL);
	printf("made %s\n", made("it"));
	for (const struct list *at = three(); at; at = at->next)
		printf("three %ld %s\n", at->value, at->name ? at->name : "-");
	struct table table;
	printf("table %d", table_of(&table, 100));
	printf(" %zu %ld %s\n", table.count, table.rows[99], table.names[99]);
	printf("table %d", table_of(&table, 0));
	printf(" %zu\n", table.count);
	struct thing *one = thing_new("one", 11), *two = thing_new("two", -22), *found = NULL;
	printf("things %ld %ld %ld", thing_value(one), thing_value(two), thing_value(NULL));
	printf(" %d", thing_find("one", &found));
	printf(" %d", found == one);
	printf(" %d", thing_find("three", &found));
	printf(" %d\n", found == NULL);
	thing_free(one);
	printf("pointer %p\n", echo_pointer((void *)0xabcdef));
	errno = 0;
	printf("fails %d", fails(ENOSPC));
	printf(" %d\n", errno == ENOSPC);
	printf("big %lu\n", big(4294967295ul));
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		printf("child %zu %ld\n", length_of("child"), thing_value(two));
		fflush(stdout);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	printf("parent %d %ld\n", status, thing_value(two));
	pthread_t threads[8];
	long wrong = 0;
	for (long i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, one_thread, (void *)(intptr_t)i);
	for (int i = 0; i < 8; i++) {
		void *result;
		pthread_join(threads[i], &result);
		wrong += (long)(intptr_t)result;
	}
	printf("threads: %ld wrong\n", wrong);
	thing_free(two);
	return 0;
}
