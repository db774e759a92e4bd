#include <stddef.h>
#include <stdint.h>

enum { FOO_VERSION = 3 };

struct foo_point {
	int x;
	long y;
};

const char *foo_name(void);
long foo_add(long a, long b);
uint64_t foo_sum(const struct foo_point *point);
/* Doubles each of them, in place. */
void foo_double(double *values, size_t count);
int foo_crash(int confirm);

struct foo_sample {
	long long when;
	char label[6];
};
typedef int (*foo_each)(void *user_data, const struct foo_sample *sample);
int foo_samples(struct foo_sample *samples, size_t count);
/* NULL if there is none. */
char *foo_title(int which);
int foo_visit(foo_each each, void *user_data);
