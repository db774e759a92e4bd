#include "layouts.h"

long packed_sum(const struct packed *packed) { return packed->c + packed->l * 10 + packed->s * 100 + (long)packed->d * 1000; }
void packed_next(struct packed *packed) { packed->c++, packed->l++, packed->s++, packed->d++; }
long packed_value(struct packed packed, int more) { return packed_sum(&packed) + more * 10000; }
struct packed packed_make(int from) { return (struct packed) { from, from + 1, from + 2, from + 3 }; }
int packed_small_value(struct packed_small packed, int more) { return packed.c + packed.i * 10 + more * 100; }
int bits_sum(const struct bits *bits, int count) { return count == 0 ? 0 : bits->a + bits->b * 10 + 1000 * bits_sum(bits + 1, count - 1); }
struct bits bits_make(int a) { return (struct bits) { a, a + 1 }; }
int bits_value(struct bits bits, int more) { return bits.a + bits.b * 10 + more * 1000; }
long long bits_later_sum(const struct bits_later *bits) { return bits->x + bits->a * 10 + bits->b * 100; }
int bits_shared_sum(const struct bits_shared *bits) { return bits->a + bits->b * 1000 + bits->c * 100000; }
struct bits_shared bits_shared_next(struct bits_shared bits) { return (struct bits_shared) { bits.a + 1, bits.b + 1, bits.c + 1 }; }
long long bits_apart_sum(const struct bits_apart *bits) { return bits->a + (long long)bits->b * 10 + bits->c * 100; }
int bits_between_sum(const struct bits_between *bits) { return bits->x + bits->a * 10 + bits->y * 100 + bits->b * 1000; }
long long bits_wide_sum(const struct bits_wide *bits) { return bits->a + bits->b * 10LL + bits->c * 100; }
int bits_split_sum(const struct bits_split *bits) { return bits->a + bits->b * 10 + bits->c * 1000; }
void bits_split_next(struct bits_split *bits) { bits->a++, bits->b++, bits->c++; }
double bits_float_value(struct bits_float bits, int more) { return bits.f + bits.b * 10 + bits.d * 100 + more * 1000; }
long long bits_packed_sum(const struct bits_packed *bits) { return bits->before + bits->a * 10 + bits->b * 1000LL + bits->after * 10000LL; }
struct aligned aligned_make(int a) { return (struct aligned) { a, a + 1, a + 2 }; }
long aligned_sum(const struct aligned *aligned) { return aligned->a + aligned->b * 10 + aligned->c * 100; }
int over_value(struct over over, int more) { return over.a + more * 10; }

_Static_assert(_Alignof(struct tight) == 16 && _Alignof(struct quad) == 4 && _Alignof(struct four) == 4, "as packed");
long tight_sum(const struct tight *tight) { return tight->c + tight->l * 10 + tight->b * 100; }
void tight_next(struct tight *tight) { tight->c++, tight->l--, tight->b++; }
long tight_value(int before, struct tight tight, int after) { return before + tight_sum(&tight) * 10 + after * 100000; }
struct tight tight_make(int from) { return (struct tight) { from, from + 1, from + 2 }; }
long quad_value(struct quad quad, int more) { return quad.c + quad.l * 10 + quad.over.a * 100 + more * 1000; }
double four_value(struct four four, int more) { return four.i + four.d * 10 + four.l * 100 + four.bits.b * 1000 + more * 10000; }
struct four four_make(int from) { return (struct four) { from, from + 0.5, from + 2, { 1, 2 } }; }
long small_value(int before, struct small small) { return before + small.c * 10 + small.i * 100; }

long holds_sum(const struct holds *holds)
{
    return holds->c + holds->flat.b * 10 + holds->four.l * 100 + holds->tight.b * 1000 + holds->of.quad.l * 10000;
}

long nested_sum(const struct nested *nested)
{
    return nested->c + bits_sum(nested->list, 2) * 10 + packed_sum(&nested->packed) + nested->from * 3 + nested->in * 7 + nested->value.i
        + nested->plain * 11 + nested->over.a * 13;
}

void nested_next(struct nested *nested)
{
    nested->c++, nested->list[1].b++, nested->packed.d++, nested->from++, nested->in++, nested->value.i++, nested->plain++, nested->over.a++;
}

int empty_value(struct empty empty, int more) { return (void)empty, more; }
int jumps_ready(struct jumps *jumps) { return jumps == 0; }
long double twice(long double value) { return value * 2; }
int exact_round(const struct exact *exact) { return (int)exact->value + exact->after; }
long both(const struct both *value) { return value->a + 1; }
long words_sum(const struct words *self) { return self->from + self->self * 10 + self->type * 100 + self->in * 1000 + self->async * 10000 + self->class * 100000; }
int yield(int try) { return try + 1; }
int class(int new, int delete) { return new - delete; }
int type(int match) { return match + 2; }
int self(int crate) { return crate + 3; }
int library(int os) { return os + 4; }
int ctypes(int raise) { return raise + 5; }
int len(int _) { return _ + 6; }
struct alone alone_make(int from) { return (struct alone){from}; }
double alone_value(int before, struct alone alone, int after) { return before + alone.value + after; }
int names_length(name_t name, int count)
{
	int length = 0;
	for (int i = 0; i < count; i++)
		for (const char *text = name(i); text && *text; text++)
			length++;
	return length;
}
