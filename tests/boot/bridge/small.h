/* A 32-bit library for a 64-bit program on a kernel that runs no 32-bit programs. */
#ifndef SMALL_H
#define SMALL_H

struct item { int kind; long long value; const char *name; };
typedef long (*visit_t)(const struct item *item, void *user);

long long sum(const struct item *items, int count);
long each(const struct item *items, int count, visit_t visit, void *user);
char *describe(long value);
void describe_free(char *text);
int fail_with(int number);
int add(int a, int b);
int crash(int how);

#endif
