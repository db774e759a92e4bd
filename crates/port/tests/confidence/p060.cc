#warning "a warning is no error"
#include <cstdlib>
#include <stddef.h>
#include <stdint.h>
#include <cmath>
#include <string>

void put(unsigned int value);
void put(unsigned long value);
void put(const char *value);
void take(int value);
template <class T> void any(T value);

struct stream {
    stream &operator<<(unsigned int value);
    stream &operator<<(unsigned long value);
};
struct made {
    made(unsigned int value);
    made(unsigned long value);
};

#if __SIZEOF_LONG__ == 8
inline void chosen(unsigned long value) {}
#else
inline void chosen(unsigned int value) {}
#endif

void (*by_pointer)(size_t value);

long labs(long long of);
long long llabs(long of);
#if __SIZEOF_LONG__ == 8
#define PUT put64
#else
#define PUT put32
#endif
void put32(unsigned int value);
void put64(unsigned long value);

void calls(size_t size, int64_t far, unsigned int fixed, long number, stream &to)
{
    put(size); /* possible */
    put(sizeof(int)); /* possible */
    put(static_cast<unsigned long>(size));
    put(fixed);
    take(size);
    any(size);
    chosen(size);
    by_pointer(size);
    to << size; /* possible */
    std::abs(far);
    labs(far);
    llabs(far);
    PUT(size);
    std::to_string(far);
    made one(size); /* possible */
}

struct text { int length; };
text shown(unsigned int value);
text shown(unsigned long value);
const char *said(unsigned int value);
const char *said(unsigned long value);
int hashed(unsigned int value);
int hashed(unsigned long value);
void shows(size_t size)
{
    shown(size); /* possible */
    said(size); /* possible */
    hashed(size); /* possible */
}

// What is written is another thing, and no number is taken for one of another width.
#if __SIZEOF_LONG__ == 8
#define SHOWN "64"
#else
#define SHOWN 32u
#endif
void shown_as()
{
    put(SHOWN);
}

// Of 8 bytes on both sides.
void far(int value);
void far(long value);
void far(long long value);
void near(long value);
void near(int value);
void same(int64_t number, uintptr_t address, intptr_t other)
{
    far(number);
    near(other); /* possible */
}

/* Which template it is, is no question of the number. */
typedef __SIZE_TYPE__ sized;
template <bool> struct wide_only { typedef int type; };
template <> struct wide_only<false> {};
template <unsigned long bits, typename wide_only<(bits > 4)>::type = 0> int *kept_in(sized n);
template <unsigned long bits, typename wide_only<(bits <= 4)>::type = 1> int *kept_in(sized n);
int *aligned(sized n) { return kept_in<sizeof(long)>(n); }
