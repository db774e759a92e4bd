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

int foo_samples(struct foo_sample *samples, size_t count)
{
	for (size_t i = 0; i < count; i++)
		samples[i] = (struct foo_sample){(1LL << 40) + (long long)i, {'n', (char)('0' + i)}};
	return (int)count;
}

int foo_visit(foo_each each, void *user_data)
{
	struct foo_sample samples[2];
	int total = 0;
	foo_samples(samples, 2);
	for (int i = 0; i < 2; i++)
		total += each(user_data, &samples[i]);
	return total;
}

char *foo_title(int which)
{
	static char title[] = "a title";
	return which ? title : 0;
}
