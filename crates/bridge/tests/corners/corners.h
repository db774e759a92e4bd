/* Whatever lies differently in memory for 32 and for 64 bits, or is passed differently. */
#ifndef CORNERS_H
#define CORNERS_H

#include <stddef.h>
#include <stdint.h>

/* What is a constant is in the modules for Python and Rust; the others do no harm. */
#define CORNERS_MASK (1u << 31)
#define CORNERS_AGAIN CORNERS_MASK
#define CORNERS_BITS (8 * (int)sizeof(long))
#define CORNERS_NEGATIVE -7LL
#define CORNERS_NAME "a \"name\"" ", \303\251"
#define CORNERS_THIRD (1 / 4.0)
#define CORNERS_SQUARE(x) ((x) * (x))
#define CORNERS_NINE CORNERS_SQUARE(3)
#define CORNERS_BEGIN {
#define CORNERS_BROKEN CORNERS_BEGIN 1
#define CORNERS_STATEMENT 1; 2
#define CORNERS_CALL add_long(1, 2)
#define CORNERS_TYPE long
#define CORNERS_NOTHING
#define CORNERS_POINTER ((void *)0)
#define CORNERS_GONE 5
#undef CORNERS_GONE
#define CORNERS_LAST 'z'

/* 8 bytes are aligned to 4 on i386. */
struct hole { int32_t first; int64_t second; int32_t third; };
struct tail { int64_t value; int32_t after; };
struct flags { unsigned a : 3; int b : 5; unsigned long c : 20; long long d : 33; unsigned : 2; unsigned e : 1; };
struct same { int x, y; char name[12]; };
struct small { char a, b; };
struct mixed { char c; double d; long l; float f; long double ld; struct tail inside; struct hole several[3]; };

long long hole_sum(const struct hole *hole);
void hole_swap(struct hole *hole);
int tail_sum(const struct tail *tails, size_t count);
void tail_fill(struct tail *tails, size_t count);
void flags_turn(struct flags *flags);
void mixed_double(struct mixed *mixed);
void same_mirror(struct same *same);

/* Structures as arguments and results. */
struct hole hole_make(int first, long long second, int third);
struct small small_make(char a, char b);
long hole_by_value(char before, struct hole hole, struct small small, short after);
struct mixed mixed_by_value(struct mixed mixed);

/* What ARM passes in registers of several kinds, in part, or on the stack. */
struct point { double x, y; };
struct scale { float by; };
struct pair { float one[2]; };
struct word { short value; };
struct triple { int first, second, third; };
struct scale scale_of(float by);
struct pair pair_of(struct pair pair, double by);
struct word word_next(struct word word);
double distance(float a, struct point from, float b, struct point to, struct scale scale, double more, double most, double last, float after, int number, double lost);
long split(int a, int b, struct triple triple, long c, long long d, struct small e);
int after_long_long(int a, long long b, int c, struct point point, long long d);
typedef double (*mix_t)(int a, float b, struct triple triple, double c, long long d, struct point e, float f);
double mix(mix_t mix, int times);

/* Numbers. */
long add_long(long a, long b);
unsigned long add_unsigned_long(unsigned long a, unsigned long b);
long long add_long_long(int a, long long b, int c);
unsigned char add_char(unsigned char a, signed char b, short c, unsigned short d);
signed char negate(signed char value);
float half(float value);
double mean(float a, double b, long double c);
long double third(long double value);
_Bool is_odd(long value);
enum colour { RED = -1, GREEN, BLUE };
enum colour next_colour(enum colour colour);

/* Pointers to what changes its size; arrays and functions as parameters are pointers. */
long sum_of_three(const long values[3]);
void turn_table(long table[][2], int by(int));
int divide(long a, long b, long *quotient, long *remainder);
void squares(long *values, size_t count);
size_t strings_length(const char *const *strings);
char *describe(const struct mixed *mixed);
void describe_free(char *description);
int write_name(char *name, size_t *size);
int read_bytes(void *to, size_t size);

/* Unions. */
union number { long integer; double real; const char *text; };
struct tagged { int kind; union number value; struct { short low; union { int i; char bytes[4]; }; } plain; };
enum { TAG_INTEGER, TAG_REAL, TAG_TEXT, TAG_FUNCTION };
double tagged_value(const struct tagged *tagged);
void tagged_next(struct tagged *tagged);

/* Circles. */
struct node { long value; struct node *next; struct node *before; };
long ring_sum(const struct node *ring);
void ring_double(struct node *ring);

/* Functions. */
typedef int (*compare_t)(const long *a, const long *b, void *user);
int largest(const long *values, size_t count, compare_t compare, void *user);
typedef long (*visit_t)(const struct hole *hole, const char *name, void *user);
long visit_all(visit_t visit, void *user, int depth);
typedef void (*change_t)(struct tail *tail, long by);
void change_all(struct tail *tails, size_t count, change_t change);
struct operations { long (*apply)(long value, void *user); const char *name; void *user; };
long apply_all(const struct operations *operations, size_t count, long value);
typedef double (*unary_t)(double value);
unary_t find_unary(const char *name);
double apply_unary(unary_t unary, double value);

/* What belongs to the library. */
struct counter;
struct counter *counter_new(long start);
int counter_open(struct counter **counter, long start);
long counter_next(struct counter *counter);
void counter_free(struct counter *counter);
const struct hole *counter_state(struct counter *counter);

/* Structures whose address the library keeps. */
struct stream { const unsigned char *next; unsigned long left; unsigned long total; char *message; struct counter *state; };
int stream_start(struct stream *stream);
int stream_read(struct stream *stream);
void stream_copy(struct stream *to, const struct stream *from);
int stream_end(struct stream *stream);

/* Variadic functions. */
int format(char *to, size_t size, const char *format, ...);
long sum(int count, ...);
typedef long (*chosen_t)(const char *name, void *user);
double option(int which, ...);
int report(int which, ...);

/* What a callback returns is looked at afterwards; one function type for two purposes. */
typedef const char *(*read_t)(void *user, size_t *size);
long read_all(read_t read, void *user);
typedef void (*move_t)(void *user, long *values, size_t count);
long move_values(move_t reads, move_t writes, void *user);

/* Errors that leave all calls between, of both sides, as of Lua. */
typedef void (*run_t)(const struct hole *hole, void *user);
int guarded(run_t run, void *user);
long guarded_often(run_t run, void *user, int times);
void plainly(run_t run, void *user);
void raise_error(int code);

/* errno. */
int fail_with(int number);

#endif
