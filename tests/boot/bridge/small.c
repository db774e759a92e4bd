#include "small.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long long sum(const struct item *items, int count)
{
	long long all = 0;
	for (int i = 0; i < count; i++)
		all += items[i].value * items[i].kind + (long long)strlen(items[i].name);
	return all;
}

long each(const struct item *items, int count, visit_t visit, void *user)
{
	long all = 0;
	for (int i = 0; i < count; i++)
		all += visit(&items[i], user);
	return all;
}

char *describe(long value)
{
	char *text = malloc(100);
	snprintf(text, 100, "<%ld>", value);
	return text;
}

void describe_free(char *text)
{
	free(text);
}

int fail_with(int number)
{
	errno = number;
	return -1;
}

int add(int a, int b)
{
	return a + b;
}

int crash(int how)
{
	return *(volatile int *)(long)how;
}
