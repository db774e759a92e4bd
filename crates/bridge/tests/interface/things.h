/* Everything that a message can have. */
#ifndef THINGS_H
#define THINGS_H
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum colour { RED, GREEN = -7, BLUE = 40 };

struct plain { int a; short b; char c[10]; };
struct wide { char c; long l; unsigned long u; long long ll; double d; void *cookie; };
struct bits { unsigned a : 3; int b : 5; long c; unsigned d : 31; };
struct nested { struct wide inner[2]; struct plain plain; time_t when; enum colour colour; bool yes; };
struct variant { int kind; union { long number; double real; struct wide wide; char text[12]; } of; long after; };
struct list { long value; char *name; struct list *next; };
struct table { size_t count; long *rows; char **names; };
struct thing;

long add(signed char a, unsigned short b, int c, long d, long long e);
unsigned long ones(unsigned char a, unsigned b, unsigned long c, size_t d, uint64_t e);
double sum(float a, double b, long double c);
long double half(long double of);
bool not(bool of);
enum colour next_colour(enum colour of);
struct plain turned(struct plain of);
struct wide doubled(struct wide of);
struct nested nest(const struct nested *of);
long bits_of(struct bits *of);
int vary(struct variant *of);
/* Names that client and server might have themselves; arrays; lengths that are behind pointers. */
int call(int state, int value, int wide, int fresh);
int interface(long names[3], char rows[2][4], long (*functions)[2]);
const char *const *several(int *count);
long sum_of(const long *numbers, size_t count);
ssize_t squares(long *numbers, size_t room, size_t wanted);
void twice(long *numbers, int count);
size_t length_of(const char *text);
size_t upper(char *text, size_t size);
int words(const char *const *list);
unsigned checksum(const void *data, size_t size);
void fill(void *data, size_t size, int with);
long list_sum(const struct list *list);
void list_double(struct list *list);
const char *name_of(int number);
char *made(const char *from);
void made_free(char *text);
struct list *three(void);
int table_of(struct table *table, size_t count);
struct thing *thing_new(const char *name, long value);
long thing_value(struct thing *thing);
int thing_find(const char *name, struct thing **found);
void thing_free(struct thing *thing);
void *echo_pointer(void *user);
int fails(int error);
unsigned long big(unsigned long value);
void waits(int milliseconds);
void ends(void);
int client_bits(void);
long left_out(int (*function)(void));
#endif
