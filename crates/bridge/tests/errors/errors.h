#include <stddef.h>

struct sized { long size; struct sized *next; };
long fits(long value);
int below(unsigned long value);
void keep(const void *memory, size_t size);
int kept(void);
int present(const int *value);
const char *wild(void);
int left_out(int value);
int length(const char *text, long size);
long in_structure(const struct sized *sized);
typedef int (*ask_t)(const char *question, int *answer);
int ask(ask_t ask, int wild);
int measure(size_t size);
