#include "foo.h"

const char *foo_name(void)
{
	return sizeof(void *) == 4 ? "a 32-bit library" : "no 32-bit library";
}

long foo_add(long a, long b)
{
	return a + b;
}

uint64_t foo_sum(const struct foo_point *point)
{
	return (uint64_t)point->x + (uint64_t)point->y;
}

void foo_double(double *values, size_t count)
{
	while (count-- > 0)
		*values++ *= 2;
}

int foo_crash(int confirm)
{
	if (confirm)
		*(volatile int *)8 = 1;
	return 0;
}
