/* What the server's program does; linked with the client's, it is what the client must see. */
#include "things.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct thing { struct thing *next; long value; char name[32]; };
static struct thing *things;

long add(signed char a, unsigned short b, int c, long d, long long e) { return a + b + c + d + (long)e; }
unsigned long ones(unsigned char a, unsigned b, unsigned long c, size_t d, uint64_t e) { return a + b + c + d + (unsigned long)e; }
double sum(float a, double b, long double c) { return a + b + (double)c; }
long double half(long double of) { return of / 2; }
bool not(bool of) { return !of; }
enum colour next_colour(enum colour of) { return of == RED ? GREEN : of == GREEN ? BLUE : RED; }
struct plain turned(struct plain of)
{
	return (struct plain){-of.a, (short)-of.b, {of.c[9], of.c[8], of.c[7], of.c[6], of.c[5], of.c[4], of.c[3], of.c[2], of.c[1], of.c[0]}};
}
struct wide doubled(struct wide of) { return (struct wide){(char)(of.c + 1), of.l * 2, of.u * 2, of.ll * 2, of.d * 2, of.cookie}; }
struct nested nest(const struct nested *of)
{
	struct nested made = *of;
	made.inner[0] = doubled(of->inner[1]);
	made.inner[1] = doubled(of->inner[0]);
	made.plain = turned(of->plain);
	made.when += 60;
	made.colour = next_colour(of->colour);
	made.yes = !of->yes;
	return made;
}
long bits_of(struct bits *of)
{
	long was = (long)of->a + of->b + of->c + (long)of->d;
	*of = (struct bits){(of->a + 1u) & 7, -of->b, -of->c, of->d / 2};
	return was;
}
int vary(struct variant *of)
{
	switch (of->kind) {
	case 0: of->of.number = -of->of.number; break;
	case 1: of->of.real /= 4; break;
	case 2: of->of.wide = doubled(of->of.wide); break;
	case 3: of->of.text[0] = (char)toupper(of->of.text[0]); break;
	}
	of->after++;
	return of->kind;
}
int call(int state, int value, int wide, int fresh) { return state * 1000 + value * 100 + wide * 10 + fresh; }
int interface(long names[3], char rows[2][4], long (*functions)[2])
{
	rows[1][2] = 'Z';
	(*functions)[1] = -(*functions)[0];
	return (int)(names[0] + names[1] + names[2]);
}
const char *const *several(int *count)
{
	static const char *const list[] = {"x", "yy", NULL, "z"};
	*count = 4;
	return list;
}
long sum_of(const long *numbers, size_t count)
{
	long total = 0;
	for (size_t i = 0; numbers && i < count; i++)
		total += numbers[i];
	return numbers ? total : -1;
}
ssize_t squares(long *numbers, size_t room, size_t wanted)
{
	if (wanted > room) {
		errno = ERANGE;
		return -1;
	}
	for (size_t i = 0; i < wanted; i++)
		numbers[i] = (long)(i * i);
	return (ssize_t)wanted;
}
void twice(long *numbers, int count)
{
	for (int i = 0; i < count; i++)
		numbers[i] *= 2;
}
size_t length_of(const char *text) { return text ? strlen(text) : 12345; }
size_t upper(char *text, size_t size)
{
	size_t changed = 0;
	for (size_t i = 0; i < size; i++)
		if (islower((unsigned char)text[i])) {
			text[i] = (char)toupper((unsigned char)text[i]);
			changed++;
		}
	return changed;
}
int words(const char *const *list)
{
	int total = 0;
	for (; *list; list++)
		total = total * 10 + (int)strlen(*list);
	return total;
}
unsigned checksum(const void *data, size_t size)
{
	unsigned value = 1;
	for (size_t i = 0; i < size; i++)
		value = value * 31 + ((const unsigned char *)data)[i];
	return value;
}
void fill(void *data, size_t size, int with) { memset(data, with, size); }
long list_sum(const struct list *list)
{
	long total = 0;
	for (; list; list = list->next)
		total += list->value * (list->name ? (long)strlen(list->name) : 1000);
	return total;
}
void list_double(struct list *list)
{
	for (; list; list = list->next)
		list->value *= 2;
}
const char *name_of(int number)
{
	static const char *const names[] = {"none", "one", ""};
	return number >= 0 && number < 3 ? names[number] : NULL;
}
char *made(const char *from)
{
	char *text = malloc(strlen(from) + 3);
	sprintf(text, "<%s>", from);
	return text;
}
void made_free(char *text) { free(text); }
struct list *three(void)
{
	static struct list list[3] = {{1, "a", &list[1]}, {-2, NULL, &list[2]}, {3, "ccc", NULL}};
	return list;
}
int table_of(struct table *table, size_t count)
{
	static long rows[100];
	static char texts[100][8], *names[100];
	if (count > 100)
		return -1;
	for (size_t i = 0; i < count; i++) {
		rows[i] = (long)i * -1000;
		sprintf(texts[i], "row %zu", i);
		names[i] = texts[i];
	}
	*table = (struct table){count, rows, names};
	return 0;
}
struct thing *thing_new(const char *name, long value)
{
	struct thing *made = calloc(1, sizeof *made);
	snprintf(made->name, sizeof made->name, "%s", name);
	made->value = value;
	made->next = things;
	return things = made;
}
long thing_value(struct thing *thing) { return thing ? thing->value : -1; }
int thing_find(const char *name, struct thing **found)
{
	struct thing *at = things;
	while (at && strcmp(at->name, name))
		at = at->next;
	*found = at;
	return at != NULL;
}
void thing_free(struct thing *thing)
{
	for (struct thing **at = &things; *at; at = &(*at)->next)
		if (*at == thing) {
			*at = thing->next;
			free(thing);
			return;
		}
}
void *echo_pointer(void *user) { return user; }
int fails(int error)
{
	errno = error;
	return -1;
}
unsigned long big(unsigned long value) { return value; }
void waits(int milliseconds) { usleep((useconds_t)milliseconds * 1000); }
void ends(void) { _exit(3); }
