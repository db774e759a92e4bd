/* Structures that languages other than C lay out in their own way, and names that they have taken. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

struct __attribute__((packed)) packed { char c; long l; short s; double d; };
struct __attribute__((packed)) packed_small { char c; int i; };
struct bits { unsigned a : 3; unsigned b : 5; };
struct bits_later { long x; unsigned a : 3; long long b : 40; };
struct bits_shared { short a : 10; unsigned char b : 6; int c : 3; };
struct bits_apart { unsigned a : 31; unsigned long long b : 40; char c; };
struct bits_between { char x; int a : 3; short y; unsigned b : 1; };
struct bits_wide { long long a : 33; int b : 31; _Bool c : 1; };
struct bits_split { unsigned a : 3; unsigned : 0; int b : 7; unsigned : 4; unsigned c : 2; };
struct bits_float { float f; unsigned b : 4; double d; };
struct __attribute__((packed)) bits_packed { char before; unsigned a : 7; unsigned b : 30; short after; };
struct aligned { int a; __attribute__((aligned(16))) int b; long c; };
struct __attribute__((aligned(16))) over { int a; };
union number { int i; float f; unsigned bits : 7; };
struct nested {
    char c;
    struct bits list[2];
    struct packed packed;
    struct { int from; unsigned in : 4; };
    union number value;
    union { int plain; short half; };
    struct over over;
};
struct exact { long double value; int after; };
/* What is packed is aligned all the same, where it or a member says so. */
struct __attribute__((packed)) tight { char c; long l; __attribute__((aligned(16))) int b; };
struct __attribute__((packed, aligned(4))) quad { char c; long l; struct over over; };
#pragma pack(push, 4)
struct four { int i; double d; long l; struct bits bits; };
#pragma pack(pop)
struct __attribute__((packed)) flat { int a; int b; };
struct holds { char c; struct flat flat; struct four four; struct tight tight; union { char plain; struct quad quad; } of; };
struct __attribute__((packed, aligned(16))) small { char c; int i; };
struct empty { };
struct jumps { int before; jmp_buf environment; };

long packed_sum(const struct packed *packed);
void packed_next(struct packed *packed);
long packed_value(struct packed packed, int more);
struct packed packed_make(int from);
int packed_small_value(struct packed_small packed, int more);
int bits_sum(const struct bits *bits, int count);
struct bits bits_make(int a);
int bits_value(struct bits bits, int more);
long long bits_later_sum(const struct bits_later *bits);
int bits_shared_sum(const struct bits_shared *bits);
struct bits_shared bits_shared_next(struct bits_shared bits);
long long bits_apart_sum(const struct bits_apart *bits);
int bits_between_sum(const struct bits_between *bits);
long long bits_wide_sum(const struct bits_wide *bits);
int bits_split_sum(const struct bits_split *bits);
void bits_split_next(struct bits_split *bits);
double bits_float_value(struct bits_float bits, int more);
long long bits_packed_sum(const struct bits_packed *bits);
struct aligned aligned_make(int a);
long aligned_sum(const struct aligned *aligned);
int over_value(struct over over, int more);
long tight_sum(const struct tight *tight);
void tight_next(struct tight *tight);
long tight_value(int before, struct tight tight, int after);
struct tight tight_make(int from);
long quad_value(struct quad quad, int more);
double four_value(struct four four, int more);
struct four four_make(int from);
long holds_sum(const struct holds *holds);
long small_value(int before, struct small small);
long nested_sum(const struct nested *nested);
void nested_next(struct nested *nested);
int empty_value(struct empty empty, int more);
int jumps_ready(struct jumps *jumps);

long double twice(long double value);
int exact_round(const struct exact *exact);
struct alone { long double value; };
struct alone alone_make(int from);
double alone_value(int before, struct alone alone, int after);

typedef const char *(*name_t)(int number);
int names_length(name_t name, int count);

struct both { long a; };
long both(const struct both *value);
struct words { int from; int self; long type; int in; int async; int class; int size; int of; };
long words_sum(const struct words *self);
int yield(int try);
int class(int new, int delete);
int type(int match);
int self(int crate);
int library(int os);
int ctypes(int raise);
int len(int _);
enum { None = 1, from = 2, True = 3, async = 4, unsafe = 5 };
#define assert 6

#endif
