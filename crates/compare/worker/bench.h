// A benchmark is a function with a BENCH line before it. The worker is built from one source for each ABI.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How the worker finds a benchmark. What people read is in the section `bench_rows`, a line for each, where biarch finds it
/// without running anything.
struct bench {
    const char *name, *argument;
    /// Does the work n times. What it returns depends on n alone, and must be the same for every ABI: 0 where there is nothing
    /// to compare.
    uint64_t (*run)(unsigned long n, const char *argument);
};

#define BENCH(suite, name, title)                                                                                              \
    static uint64_t run_##name(unsigned long n, const char *argument);                                                         \
    BENCH_AS(suite, name, run_##name, "", title)                                                                               \
    static uint64_t run_##name(unsigned long n, __attribute__((unused)) const char *argument)

/// One function for several benchmarks, which differ in the argument.
#define BENCH_AS(suite, name, function, argument, title)                                                                       \
    __attribute__((section("bench_rows"), used, aligned(1))) static const char row_##name[] = #suite "\t" #name "\t" title "\n"; \
    __attribute__((section("bench_table"), used, aligned(sizeof(void *)))) static const struct bench bench_##name = {           \
        #name, argument, function};

/// Set-up is over, and what is measured begins.
void begin(void);
/// What is measured is over; else it ends when the function returns.
void end(void);
/// Ends the worker: something that must work did not, with errno if that is set.
_Noreturn void die(const char *what);
/// Ends the worker: this machine or this ABI does not have what is to be measured.
_Noreturn void missing(const char *what);

/// What the worker does besides benchmarks; the arguments are those behind the word.
int latency(char **arguments);
int load(char **arguments);
int trace(int count, char **arguments);

/// Keeps the compiler from knowing a value, or from leaving out its computation.
#define OPAQUE(value) ({ __asm__ volatile("" : "+rm"(value)); })
#define KEEP(value) ({ __asm__ volatile("" : : "r"(value) : "memory"); })

#endif
