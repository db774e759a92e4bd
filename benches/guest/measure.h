/* How every guest measures: batches of one operation, the median of the batches, one number on stdout.
 *
 * The median over short batches, and not one long loop, because a machine that is shared takes the processor away now and
 * then: a batch that was interrupted is far off, and the median does not see it. */
#ifndef MEASURE_H
#define MEASURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Enough for a stable median, few enough that one measurement takes about a tenth of a second. */
#define BATCHES 51
/* Well above the cost of reading the clock, well below a scheduler's time slice. */
#define BATCH_NS 1000000.0

static __attribute__((noreturn, unused)) void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static double now_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
		fail("clock_gettime");
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double batch_ns(void (*batch)(unsigned count), unsigned count)
{
	double start = now_ns();

	batch(count);
	return now_ns() - start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Prints the nanoseconds of one operation; `batch` performs `count` of them. */
static void measure(void (*batch)(unsigned count))
{
	double per_operation[BATCHES];
	unsigned count = 1;

	batch(1); /* what is done once (page faults, patching of a call site) is not what is measured */
	while (count < (1u << 24) && batch_ns(batch, count) < BATCH_NS)
		count *= 2;
	for (int i = 0; i < BATCHES; i++)
		per_operation[i] = batch_ns(batch, count) / count;
	qsort(per_operation, BATCHES, sizeof per_operation[0], ascending);
	printf("%.3f\n", per_operation[BATCHES / 2]);
}

#endif
