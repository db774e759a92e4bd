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
#define BENCH_AS(suite, name, function, argument, title) BENCH_MARKED(suite, name, function, argument, "", title)

/// The same with marks, words with a space between them: "pair" where the work is that of this process and of another worker,
/// which may be of another ABI; "entries" where it is also done through each way in of `biarch run`; "shown" where no verdict
/// follows from it; "asked" where it is only done if somebody asks for it or for its suite.
#define BENCH_MARKED(suite, name, function, argument, marks, title)                                                            \
    __attribute__((section("bench_rows"), used, aligned(1))) static const char row_##name[] =                                  \
        #suite "\t" #name "\t" title "\t" marks "\n";                                                                         \
    __attribute__((section("bench_table"), used, aligned(sizeof(void *)))) static const struct bench bench_##name = {           \
        #name, argument, function};

/// Set-up is over, and what is measured begins.
void begin(void);
/// What is measured is over; else it ends when the function returns.
void end(void);
/// Each of the n repetitions is so many units of work: the times are those of one unit.
void units(unsigned long each);
/// How many bytes the work goes through, where their number depends on the ABI.
void footprint(size_t bytes);
/// Prints what the work done `n` times does: its system calls and its data, for one repetition.
void evidence(const struct bench *bench, unsigned long n);
/// How many times the work has to be done to take so many nanoseconds.
unsigned long calibrate(const struct bench *bench, uint64_t target);
/// Ends the worker: something that must work did not, with errno if that is set.
_Noreturn void die(const char *what);
/// Ends the worker: this machine or this ABI does not have what is to be measured.
_Noreturn void missing(const char *what);

/// The command that runs another worker, words and then NULL: where a benchmark is the work of a pair, that of its other end. No
/// word at all where it is to be another process of this program.
extern char **partner;
/// What that worker does instead of a benchmark; the exit status.
int be_partner(int argc, char **argv);
/// Executes a command that may use a ring of this process.
_Noreturn void lend_ring(char **command);
/// What the worker does besides benchmarks; the arguments are those behind the word.
int latency(char **arguments);
int load(char **arguments);
int trace(int count, char **arguments);

/// Keeps the compiler from knowing a value, or from leaving out its computation.
#define OPAQUE(value) ({ __asm__ volatile("" : "+rm"(value)); })
#define KEEP(value) ({ __asm__ volatile("" : : "r"(value) : "memory"); })

#endif
