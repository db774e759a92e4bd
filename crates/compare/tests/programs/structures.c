/* Structures that grow for each reason there is, and some that do not. */
/* The compiler of Debian 13 for armhf defines both, and time_t would be the same on both sides. */
#undef _TIME_BITS
#undef _FILE_OFFSET_BITS
#include <stddef.h>
#include <time.h>

struct inner {
    char c;
    long long aligned;
};
struct list {
    struct list *next, *previous;
    int value;
};
struct record {
    int id;
    long count;
    size_t length;
    time_t when;
    char *name;
    struct inner inner;
    double real;
    char tag[3];
    int *table[4];
    void (*call)(void);
    unsigned flag : 3, kind : 5;
    struct {
        short s;
        long l;
    } nameless;
    long matrix[2][3];
};
union both {
    double d;
    long l[2];
};
struct same {
    int a, b;
    char c[7];
};

struct record record;
struct list list;
union both both;
struct same same;

int main(void) { return (int)record.count + list.value + (int)both.d + same.a; }
