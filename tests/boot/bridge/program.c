/* Calls the library in every way that needs the kernel or the processor: prints the same with the 64-bit library. With an argument, crashes it. */
#include "small.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long visit(const struct item *item, void *user)
{
	char *text = describe(item->kind + *(long *)user);
	long length = (long)strlen(text);
	describe_free(text);
	return length * 100 + item->name[0];
}

static void *add_often(void *start)
{
	long wrong = 0;
	for (int i = 0; i < 1000; i++)
		wrong += add(i, *(int *)start) != i + *(int *)start;
	return (void *)wrong;
}

int main(int count, char **words)
{
	if (count > 1) {
		crash(atoi(words[1]));
		puts("it went on");
		return 1;
	}
	struct item items[] = {{1, 1LL << 40, "one"}, {2, -5, "two"}, {3, 7, "three"}};
	long user = 1000;
	printf("%lld %ld\n", sum(items, 3), each(items, 3, visit, &user));
	printf("%d", fail_with(ENOTTY));
	printf(" %d\n", errno == ENOTTY);
	pthread_t threads[4];
	int starts[4] = {1, 20, 300, 4000};
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, add_often, &starts[i]);
	for (int i = 0; i < 4; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		printf("%ld ", (long)wrong);
	}
	printf("%d\n", add(1, 2));
	return 0;
}
