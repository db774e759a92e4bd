// Function calls: i386 passes arguments on the stack, the 64-bit ABIs and ARM in registers; i386 finds the place of code and data
// of a shared object by a call.
#include "bench.h"

#include <stdarg.h>

#define NOINLINE __attribute__((noinline, noclone))

static NOINLINE int add(int a, int b) {
    OPAQUE(a);
    return a + b;
}

BENCH(calls, direct, "a function of two int") {
    int sum = 0;
    for (unsigned long i = 0; i < n; i++) sum = add(sum, (int)i & 7);
    return (uint32_t)sum;
}

static NOINLINE int six(int a, int b, int c, int d, int e, int f) {
    OPAQUE(a);
    return a + b - c + d - e + f;
}

BENCH(calls, six_arguments, "a function of six int") {
    int sum = 0;
    for (unsigned long i = 0; i < n; i++) sum = six(sum, 1, 2, 3, 4, (int)i & 7);
    return (uint32_t)sum;
}

static NOINLINE int64_t add64(int64_t a, int64_t b) {
    OPAQUE(b);
    return a + b;
}

BENCH(calls, long_long, "a function of two long long") {
    int64_t sum = 0;
    for (unsigned long i = 0; i < n; i++) sum = add64(sum, (int64_t)(i & 7));
    return (uint64_t)sum;
}

static NOINLINE double multiply(double a, double b) { return a * b + 1.0; }

BENCH(calls, floating, "a function of two double") {
    double product = 1.0;
    for (unsigned long i = 0; i < n; i++) product = multiply(product, 0.5);
    return (uint64_t)(product * 1024);
}

BENCH(calls, pointer, "a function by its address, as virtual functions are called") {
    int (*function)(int, int) = add;
    int sum = 0;
    for (unsigned long i = 0; i < n; i++) {
        OPAQUE(function);
        sum = function(sum, (int)i & 7);
    }
    return (uint32_t)sum;
}

// A static program still has a procedure linkage table: for what is chosen when it starts.
static int (*choose(void))(int, int) { return add; }
int through_plt(int a, int b) __attribute__((ifunc("choose")));

BENCH(calls, plt, "a function of a shared object, through the procedure linkage table") {
    int sum = 0;
    for (unsigned long i = 0; i < n; i++) sum = through_plt(sum, (int)i & 7);
    return (uint32_t)sum;
}

static NOINLINE int variable(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count--) sum += va_arg(list, int);
    va_end(list);
    return sum;
}

BENCH(calls, variadic, "a variadic function with four int") {
    int sum = 0;
    for (unsigned long i = 0; i < n; i++) sum += variable(4, 1, 2, 3, (int)i & 7);
    return (uint32_t)sum;
}

struct point {
    int x, y, z, t;
};

static NOINLINE struct point move(struct point from, struct point by) {
    OPAQUE(from.x);
    return (struct point){from.x + by.x, from.y + by.y, from.z + by.z, from.t + by.t};
}

BENCH(calls, structure, "a structure of 16 bytes given and returned by value") {
    struct point at = {0, 0, 0, 0};
    const struct point step = {1, 2, 3, 4};
    for (unsigned long i = 0; i < n; i++) at = move(at, step);
    return (uint32_t)(at.x ^ at.y ^ at.z ^ at.t);
}

static NOINLINE unsigned deep(unsigned depth, unsigned a, unsigned b) {
    OPAQUE(a);
    return depth == 0 ? a + b : deep(depth - 1, b, a) + depth;
}

BENCH(calls, recursion, "a recursion 100 deep, with what it saves on the stack") {
    unsigned sum = 0;
    for (unsigned long i = 0; i < n; i++) sum += deep(100, (unsigned)i & 7, 1);
    return sum;
}
