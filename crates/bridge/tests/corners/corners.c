#include "corners.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long long hole_sum(const struct hole *hole) { return hole ? hole->first + hole->second + hole->third : -1; }
void hole_swap(struct hole *hole) { int32_t first = hole->first; hole->first = hole->third; hole->third = first; hole->second = -hole->second; }
int tail_sum(const struct tail *tails, size_t count)
{
	int sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += (int)tails[i].value * tails[i].after;
	return sum;
}
void tail_fill(struct tail *tails, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tails[i] = (struct tail){(int64_t)i << 40, -(int)i};
}
void flags_turn(struct flags *flags) { flags->a = 7 - flags->a; flags->b = -flags->b; flags->c ^= 0xfffff; flags->d = -flags->d; flags->e = !flags->e; }
void mixed_double(struct mixed *mixed)
{
	mixed->c *= 2; mixed->d *= 2; mixed->l *= 2; mixed->f *= 2; mixed->ld *= 2;
	mixed->inside.value *= 2; mixed->inside.after *= 2;
	for (int i = 0; i < 3; i++)
		hole_swap(&mixed->several[i]);
}
void same_mirror(struct same *same)
{
	int x = same->x;
	same->x = same->y;
	same->y = x;
	strcat(same->name, "!");
}
struct hole hole_make(int first, long long second, int third) { return (struct hole){first, second, third}; }
struct small small_make(char a, char b) { return (struct small){a, b}; }
long hole_by_value(char before, struct hole hole, struct small small, short after) { return before + hole.first + (long)hole.second + hole.third + small.a * small.b + after; }
struct scale scale_of(float by) { return (struct scale){by * 2}; }
struct pair pair_of(struct pair pair, double by) { return (struct pair){{pair.one[1] * (float)by, pair.one[0] + (float)by}}; }
struct word word_next(struct word word) { return (struct word){(short)(word.value + 1)}; }
double distance(float a, struct point from, float b, struct point to, struct scale scale, double more, double most, double last, float after, int number, double lost)
{
	return a + 2 * from.x + 4 * from.y + 8 * b + 16 * to.x + 32 * to.y + 64 * scale.by + 128 * more + 256 * most + 512 * last + 1024 * after + 2048 * number + 4096 * lost;
}
long split(int a, int b, struct triple triple, long c, long long d, struct small e)
{
	return a + 3 * b + 9 * triple.first + 27 * triple.second + 81 * triple.third + 243 * c + 729 * (long)d + e.a - e.b;
}
int after_long_long(int a, long long b, int c, struct point point, long long d) { return a - (int)b + 10 * c + (int)(100 * point.x + 1000 * point.y) + 10000 * (int)d; }
double mix(mix_t mix, int times)
{
	double sum = 0;
	for (int i = 1; i <= times; i++)
		sum += mix(i, i / 2.0f, (struct triple){i, 2 * i, 3 * i}, i / 4.0, (long long)i << 33, (struct point){i, -2.5 * i}, i * 8.0f);
	return sum;
}
struct mixed mixed_by_value(struct mixed mixed) { mixed_double(&mixed); return mixed; }
long add_long(long a, long b) { return a + b; }
unsigned long add_unsigned_long(unsigned long a, unsigned long b) { return a + b; }
long long add_long_long(int a, long long b, int c) { return a + b + c; }
unsigned char add_char(unsigned char a, signed char b, short c, unsigned short d) { return (unsigned char)(a + b + c + d); }
signed char negate(signed char value) { return (signed char)-value; }
float half(float value) { return value / 2; }
double mean(float a, double b, long double c) { return (double)((a + b + c) / 3); }
long double third(long double value) { return value / 3; }
_Bool is_odd(long value) { return value & 1; }
enum colour next_colour(enum colour colour) { return colour == BLUE ? RED : colour + 1; }
int divide(long a, long b, long *quotient, long *remainder)
{
	if (!b)
		return -1;
	*quotient = a / b;
	if (remainder)
		*remainder = a % b;
	return 0;
}
void squares(long *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		values[i] *= values[i];
}
size_t strings_length(const char *const *strings)
{
	size_t length = 0;
	for (; *strings; strings++)
		length += strlen(*strings);
	return length;
}
char *describe(const struct mixed *mixed)
{
	char *text = malloc(100);
	snprintf(text, 100, "%c %g %ld %g %Lg %lld %d", mixed->c, mixed->d, mixed->l, mixed->f, mixed->ld, (long long)mixed->inside.value, mixed->several[2].third);
	return text;
}
void describe_free(char *description) { free(description); }
int write_name(char *name, size_t *size)
{
	if (*size < 7)
		return -1;
	memcpy(name, "corners", 7);
	*size = 7;
	return 0;
}
int read_bytes(void *to, size_t size)
{
	/* One byte is left as it was. */
	for (size_t i = 0; i + 1 < size; i++)
		((unsigned char *)to)[i] = (unsigned char)i;
	return (int)size - 1;
}
double tagged_value(const struct tagged *tagged)
{
	switch (tagged->kind) {
	case TAG_INTEGER: return tagged->value.integer + tagged->plain.low;
	case TAG_REAL: return tagged->value.real + tagged->plain.i;
	default: return strtod(tagged->value.text, NULL) + tagged->plain.bytes[1];
	}
}
void tagged_next(struct tagged *tagged)
{
	tagged->kind++;
	if (tagged->kind == TAG_REAL)
		tagged->value.real = 2.5;
	else if (tagged->kind == TAG_TEXT)
		tagged->value.text = "three";
}
long ring_sum(const struct node *ring)
{
	long sum = 0;
	const struct node *node = ring;
	do {
		sum += node->value;
		if (node->next->before != node)
			return -1;
		node = node->next;
	} while (node != ring);
	return sum;
}
void ring_double(struct node *ring)
{
	struct node *node = ring;
	do {
		node->value *= 2;
		struct node *other = node->next;
		node->next = node->before;
		node->before = other;
		node = other;
	} while (node != ring);
}
int largest(const long *values, size_t count, compare_t compare, void *user)
{
	size_t best = 0;
	for (size_t i = 1; i < count; i++)
		if (compare(&values[i], &values[best], user) > 0)
			best = i;
	return (int)best;
}
long visit_all(visit_t visit, void *user, int depth)
{
	static const char *const names[] = {"one", "two", "three"};
	long sum = 0;
	for (int i = 0; i < 3; i++) {
		struct hole hole = {depth, (int64_t)i << 33, -i};
		sum = sum * 3 + visit(&hole, names[i], user);
	}
	return sum;
}
void change_all(struct tail *tails, size_t count, change_t change)
{
	for (size_t i = 0; i < count; i++) {
		struct tail *copy = malloc(sizeof *copy);
		*copy = tails[i];
		change(copy, (long)i);
		change(&tails[i], -1);
		tails[i].after += copy->after;
		free(copy);
	}
}
long apply_all(const struct operations *operations, size_t count, long value)
{
	for (size_t i = 0; i < count; i++)
		value = operations[i].apply(value, operations[i].user) + (long)strlen(operations[i].name);
	return value;
}
static double twice(double value) { return 2 * value; }
unary_t find_unary(const char *name) { return !strcmp(name, "twice") ? twice : !strcmp(name, "sqrt") ? (unary_t)sqrt : NULL; }
double apply_unary(unary_t unary, double value) { return unary ? unary(value) : value; }
struct counter { struct hole state; };
struct counter *counter_new(long start)
{
	struct counter *counter = calloc(1, sizeof *counter);
	counter->state.first = (int)start;
	return counter;
}
int counter_open(struct counter **counter, long start) { *counter = start < 0 ? NULL : counter_new(start); return *counter ? 0 : -1; }
long counter_next(struct counter *counter) { counter->state.second += 1; return counter->state.first++; }
void counter_free(struct counter *counter) { free(counter); }
const struct hole *counter_state(struct counter *counter) { return &counter->state; }

static struct stream *started;
int stream_start(struct stream *stream) { started = stream; stream->state = counter_new(5); stream->total = 0; stream->message = NULL; return 0; }
int stream_read(struct stream *stream)
{
	int sum = 0;
	if (started != stream)
		return -1;
	for (; stream->left > 1; stream->left--, stream->total++)
		sum += *stream->next++;
	stream->message = "one is left";
	return sum + (int)counter_next(stream->state);
}
void stream_copy(struct stream *to, const struct stream *from) { *to = *from; }
int stream_end(struct stream *stream)
{
	if (started != stream)
		return -1;
	counter_free(stream->state);
	stream->state = NULL;
	started = NULL;
	return 0;
}
int format(char *to, size_t size, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int length = vsnprintf(to, size, format, list);
	va_end(list);
	return length;
}
long sum(int count, ...)
{
	va_list list;
	long sum = 0;
	va_start(list, count);
	for (int i = 0; i < 3; i++)
		sum += va_arg(list, long);
	va_end(list);
	return sum + count;
}
/* Writes through what follows, as curl_easy_getinfo() does. */
int report(int which, ...)
{
	static struct counter *kept;
	va_list list;
	va_start(list, which);
	if (which == 0)
		*va_arg(list, long *) = -12345;
	else if (which == 1)
		*va_arg(list, double *) = 0.125;
	else if (which == 2)
		*va_arg(list, const char **) = "a report";
	else if (which == 3)
		*va_arg(list, struct counter **) = kept = kept ? kept : counter_new(70);
	else if (which == 4) {
		struct tail *tail = va_arg(list, struct tail *);
		unsigned long *by = va_arg(list, unsigned long *);
		tail->value += *by;
		tail->after = 9;
		*by = 4000000000u;
	} else
		which = -1;
	va_end(list);
	return which;
}

double option(int which, ...)
{
	va_list list;
	double result = -1;
	va_start(list, which);
	if (which == TAG_INTEGER)
		result = (double)va_arg(list, long long) + va_arg(list, unsigned long);
	else if (which == TAG_REAL)
		result = va_arg(list, double);
	else if (which == TAG_TEXT)
		result = (double)strlen(va_arg(list, const char *));
	else if (which == TAG_FUNCTION) {
		chosen_t chosen = va_arg(list, chosen_t);
		result = (double)chosen("chosen", va_arg(list, void *));
	}
	va_end(list);
	return result;
}
long sum_of_three(const long values[3]) { return values[0] + values[1] + values[2]; }
void turn_table(long table[][2], int by(int))
{
	long first = table[0][0];
	table[0][0] = table[0][1];
	table[0][1] = by((int)first);
}
long read_all(read_t read, void *user)
{
	long sum = 0;
	const char *last = "", *now;
	size_t last_size = 0, size;
	while ((now = read(user, &size))) {
		for (size_t i = 0; i < size; i++)
			sum = sum * 31 % 1000003 + now[i];
		/* The last one is still there. */
		for (size_t i = 0; i < last_size; i++)
			sum += last[i] == 'b';
		last = now;
		last_size = size;
	}
	return sum;
}
long move_values(move_t reads, move_t writes, void *user)
{
	static const long constant[] = {3, 4, 5};
	long values[3] = {1, 1, 1};
	reads(user, (long *)constant, 3);
	writes(user, values, 3);
	return values[0] * 100 + values[1] * 10 + values[2];
}
static __thread struct guard { jmp_buf jump; struct guard *outer; } *guard;
void plainly(run_t run, void *user)
{
	struct hole hole = {1, 1LL << 40, 3};
	run(&hole, user);
}
int guarded(run_t run, void *user)
{
	struct guard own = {.outer = guard};
	guard = &own;
	int code = setjmp(own.jump);
	if (code == 0)
		plainly(run, user);
	guard = own.outer;
	return code;
}
long guarded_often(run_t run, void *user, int times)
{
	long sum = 0;
	while (times-- > 0)
		sum += guarded(run, user);
	return sum;
}
void raise_error(int code) { longjmp(guard->jump, code); }
int fail_with(int number) { errno = number; return -1; }
