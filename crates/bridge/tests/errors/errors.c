#include "errors.h"

static const unsigned char *memory;
static size_t bytes;

long fits(long value) { return value; }
int below(unsigned long value) { return value != 0; }
void keep(const void *of, size_t size) { memory = of; bytes = size; }
int kept(void)
{
	int sum = 0;
	for (size_t i = 0; i < bytes; i++)
		sum += memory[i];
	return sum;
}
int present(const int *value) { return *value; }
const char *wild(void) { return (const char *)0xdeadb000; }
int left_out(int value) { return value; }
int length(const char *text, long size)
{
	int sum = 0;
	for (long i = 0; size < 0 ? text[i] != 0 : i < size; i++)
		sum += text[i];
	return sum;
}
long in_structure(const struct sized *sized) { return sized->size; }
int ask(ask_t ask, int wild)
{
	int answer = 1;
	return ask(wild ? (const char *)0xdeadb000 : "question", &answer) + answer;
}
int measure(size_t size) { return size == sizeof(struct sized); }
