/* Calls all of corners.h, and prints what comes back: the same with the library for 64 bits and with a bridge to that for 32. */
#include "corners.h"
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *what, const struct hole *hole) { printf("%s: %d %lld %d\n", what, hole->first, (long long)hole->second, hole->third); }
static int by_last_digit(const long *a, const long *b, void *user) { ++*(int *)user; return (int)(*a % 10 - *b % 10); }
static long visit(const struct hole *hole, const char *name, void *user)
{
	long *sum = user;
	*sum += hole->first + (long)(hole->second >> 30) + (long)strlen(name);
	/* The library calls the program, which calls the library. */
	return hole->first > 0 ? visit_all(visit, user, hole->first - 1) % 100000 : *sum % 1000;
}
static void change(struct tail *tail, long by) { tail->value += by; tail->after *= 3; }
static long times(long value, void *user) { return value * *(int *)user; }
static long plus(long value, void *user) { return value + *(int *)user; }
static double minus(double value) { return -value; }

static const char *read_some(void *user, size_t *size)
{
	static char buffer[3000], other[8] = "abbbba";
	int *left = user;
	if (--*left < 0)
		return NULL;
	*size = *left % 2 ? (size_t)*left * 100 : sizeof other;
	return *left % 2 ? memset(buffer, 'a' + *left % 3, sizeof buffer) : other;
}
static void read_values(void *user, long *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		*(long *)user += values[i];
}
static void write_values(void *user, long *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] = *(long *)user + (long)i;
}
static long chosen(const char *name, void *user) { return (long)strlen(name) + *(long *)user; }
static int plus_one(int value) { return value + 1; }
static void raise_it(const struct hole *hole, void *user) { raise_error(*(int *)user + hole->first); }
/* The library calls this, which calls the library, some levels with a guard and some without, until an error leaves several of them. */
static void nest(const struct hole *hole, void *user)
{
	int *left = user;
	if (--*left == 0)
		raise_error((int)(hole->second >> 35));
	if (*left % 3 != 0)
		plainly(nest, user);
	else
		raise_error(guarded(nest, user) + 1);
}
static jmp_buf out;
static void jump(const struct hole *hole, void *user)
{
	++*(int *)user;
	longjmp(out, hole->first);
}
static void jump_from_inside(const struct hole *hole, void *user)
{
	(void)hole;
	plainly(jump, user);
}
static void *call_elsewhere(void *unused)
{
	(void)unused;
	return (void *)guarded_often(raise_it, &(int){4}, 3);
}

static double mix_up(int a, float b, struct triple triple, double c, long long d, struct point e, float f)
{
	return a + b * 10 + triple.first * 100 + triple.second * 1e3 + triple.third * 1e4 + c * 1e5 + (double)(d >> 30) * 1e6 + e.x * 1e7 + e.y * 1e8 + f * 1e9;
}

int main(void)
{
	struct hole hole = {1, 1LL << 40, -3};
	show("made", &hole);
	printf("%lld %lld\n", hole_sum(&hole), hole_sum(NULL));
	hole_swap(&hole);
	show("swapped", &hole);
	struct tail tails[4];
	tail_fill(tails, 4);
	for (int i = 0; i < 4; i++)
		printf("tail %lld %d\n", (long long)tails[i].value, tails[i].after), tails[i].value = i + 1;
	printf("%d %d\n", tail_sum(tails, 4), tail_sum(NULL, 0));
	struct flags flags = {.a = 5, .b = -7, .c = 0x12345, .d = -(1LL << 31), .e = 1};
	flags_turn(&flags);
	printf("flags %u %d %x %lld %u\n", flags.a, flags.b, (unsigned)flags.c, (long long)flags.d, flags.e);
	struct mixed mixed = {25, 1.25, -70000, 0.5f, 1e300L, {1LL << 35, -1}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
	mixed_double(&mixed);
	char *text = describe(&mixed);
	puts(text);
	describe_free(text);
	mixed = mixed_by_value(mixed);
	text = describe(&mixed);
	puts(text);
	describe_free(text);
	struct same same = {1, 2, "same"};
	same_mirror(&same);
	printf("%d %d %s\n", same.x, same.y, same.name);

	hole = hole_make(-5, 1LL << 50, 6);
	show("returned", &hole);
	struct small small = small_make('a', -3);
	printf("small %c %d\n", small.a, small.b);
	hole.second = 1000;
	printf("%g %d", (double)scale_of(1.25f).by, word_next((struct word){-5}).value);
	struct pair pair = pair_of((struct pair){{1.5f, 2.5f}}, 4);
	printf(" %g %g\n", (double)pair.one[0], (double)pair.one[1]);
	printf("%g", distance(1, (struct point){2, 3}, 4, (struct point){5, 6}, (struct scale){7}, 8, 9, 10, 11, 12, 13));
	printf(" %ld", split(1, 2, (struct triple){3, 4, 5}, -6, 7, (struct small){8, 9}));
	printf(" %d\n", after_long_long(1, 2, 3, (struct point){4, 5}, 6));
	printf("%.17g\n", mix(mix_up, 9));
	printf("%ld\n", hole_by_value('x', hole, small, -32768));

	printf("%ld %ld %lu\n", add_long(-1, -2), add_long(2147483647, -5), add_unsigned_long(4000000000u, 5));
	printf("%lld %d %d %d\n", add_long_long(-1, 1LL << 60, 3), add_char(200, -100, -3, 65535), negate(-128), negate(5));
	printf("%g %.17g %.20Lg %d %d\n", half(3), mean(1, 2, 1e10L), third(1), is_odd(-3), is_odd(4));
	printf("%d %d\n", next_colour(BLUE), next_colour(RED));

	long quotient = 1L << 40, remainder = 1L << 50;
	int divided = divide(-17, 5, &quotient, &remainder);
	printf("%d %ld %ld %d\n", divided, quotient, remainder, divide(1, 1, &quotient, NULL));
	long values[] = {-3, 40000, 27, 188};
	printf("%d", largest(values, 4, by_last_digit, &(int){0}));
	int calls = 0;
	largest(values, 4, by_last_digit, &calls);
	printf(" %d\n", calls);
	squares(values, 4);
	printf("%ld %ld %ld %ld\n", values[0], values[1], values[2], values[3]);
	printf("%zu\n", strings_length((const char *const[]){"a", "bc", "", "def", NULL}));
	char name[20] = "....................";
	size_t size = 3;
	int too_small = write_name(name, &size);
	size = sizeof name;
	int written = write_name(name, &size);
	printf("%d %d %zu %.20s\n", too_small, written, size, name);
	unsigned char bytes[5] = {9, 9, 9, 9, 9};
	int count = read_bytes(bytes, 5);
	printf("%d %d %d %d\n", count, bytes[0], bytes[3], bytes[4]);

	struct tagged tagged = {TAG_INTEGER, {.integer = -7}, {3, {.i = 0x200}}};
	for (int i = 0; i < 2; i++, tagged_next(&tagged))
		printf("tagged %g\n", tagged_value(&tagged));
	printf("tagged %d %s\n", tagged.kind, tagged.value.text);
	tagged.kind = TAG_TEXT;
	tagged.value.text = "12.5";
	printf("tagged %g\n", tagged_value(&tagged));

	struct node ring[3] = {{1, &ring[1], &ring[2]}, {20, &ring[2], &ring[0]}, {300, &ring[0], &ring[1]}};
	printf("%ld", ring_sum(ring));
	ring_double(ring);
	printf(" %ld %d %d\n", ring_sum(ring), ring[0].next == &ring[2], ring[1].before == &ring[2]);

	long sum_of_visits = 0;
	long visits = visit_all(visit, &sum_of_visits, 3);
	printf("%ld %ld\n", visits, sum_of_visits);
	change_all(tails, 4, change);
	for (int i = 0; i < 4; i++)
		printf("tail %lld %d\n", (long long)tails[i].value, tails[i].after);
	int three = 3, seven = 7;
	struct operations operations[] = {{times, "times", &three}, {plus, "p", &seven}};
	printf("%ld\n", apply_all(operations, 2, 100));
	unary_t twice = find_unary("twice"), root = find_unary("sqrt");
	printf("%g %g %g %g", twice(4), root(16), apply_unary(root, 81), apply_unary(minus, 3));
	printf(" %g %d %d\n", apply_unary(NULL, 7), find_unary("twice") == twice, find_unary("none") == NULL);

	struct counter *counter = counter_new(40), *other = counter;
	counter_next(counter);
	printf("%ld", counter_next(counter));
	show(" state", counter_state(counter));
	counter_next(counter);
	show("state", counter_state(counter));
	counter_free(counter);
	printf("%d %d", counter_open(&other, -1), other == NULL);
	printf(" %d", counter_open(&other, 8));
	printf(" %ld\n", counter_next(other));
	counter_free(other);

	/* No memory is there, before it starts and when it ends. */
	const unsigned char *const nowhere = (const unsigned char *)0x123456789000;
	struct stream stream = {.next = nowhere, .left = 1000};
	stream_start(&stream);
	stream.next = (const unsigned char *)"abc";
	stream.left = 3;
	printf("%d", stream_read(&stream));
	printf(" %lu %lu %c %s", stream.left, stream.total, *stream.next, stream.message);
	stream.next = bytes;
	stream.left = 4;
	printf(" %d", stream_read(&stream));
	printf(" %ld %lu", (long)(stream.next - bytes), stream.total);
	struct stream copy;
	stream.next = nowhere + 1;
	stream_copy(&copy, &stream);
	printf(" %ld %lu", (long)(copy.next - nowhere), copy.total);
	printf(" %d\n", stream_end(&stream));

	char line[100];
	int length = format(line, sizeof line, "%d %5.2f|%-6s|%ld %lld %c %zu %% %.*s %Lg %x %s", -1, 3.14159, "ab", -5L, 1LL << 45, 'x', (size_t)77, 2, "xyz", 0.5L, 255u, NULL ? "" : "end");
	printf("%d %s\n", length, line);
	printf("%ld\n", sum(10, 1L, -2L, 3L));
	printf("%g %g %g %g\n", option(TAG_INTEGER, 1LL << 40, 5UL), option(TAG_REAL, 2.75), option(TAG_TEXT, "four"), option(9));
	long table[1][2] = {{40, -2}};
	turn_table(table, plus_one);
	printf("%ld %ld %ld\n", table[0][0], table[0][1], sum_of_three((long[]){1, 20, -300}));
	int left = 8;
	long total = 10, moved = move_values(read_values, write_values, &total);
	printf("%ld %ld %ld\n", read_all(read_some, &left), moved, total);
	int five = 5, levels = 11, jumps = 0;
	printf("%d %d", guarded(raise_it, &five), guarded(nest, &levels));
	printf(" %ld", guarded_often(raise_it, &five, 50000));
	levels = 4;
	printf(" %ld", guarded_often(nest, &levels, 1));
	for (volatile int i = 0; i < 5000; i++)
		if (setjmp(out) == 0)
			plainly(jump_from_inside, &jumps);
	printf(" %d %d %ld", jumps, guarded(raise_it, &five), add_long(3, 4));
	pthread_t thread;
	void *sum;
	pthread_create(&thread, NULL, call_elsewhere, NULL);
	pthread_join(thread, &sum);
	printf(" %ld\n", (long)sum);
	long hundred = 100;
	printf("%g\n", option(TAG_FUNCTION, chosen, &hundred));
	long reported = 1;
	double share = 1;
	const char *words = NULL;
	struct counter *own = NULL, *again = NULL;
	struct tail added = {1LL << 40, 0};
	unsigned long by = 5;
	printf("%d %d %d %d %d %d %d", report(0, &reported), report(1, &share), report(2, &words), report(3, &own), report(3, &again), report(4, &added, &by), report(5));
	printf(" %ld %g %s %ld %d %lld %d %lu\n", reported, share, words, counter_next(own), own == again, (long long)added.value, added.after, by);
	errno = 0;
	int failed = fail_with(ENOTTY);
	printf("%d %d\n", failed, errno);
	return 0;
}
