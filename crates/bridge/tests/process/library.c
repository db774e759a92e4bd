/* A 32-bit library that does everything a library may do, and what it may not. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int object = 41;
static __thread int mine;

int add(int a, int b) { return a + b; }
long long wide(long long a, int b) { return a * b; }
float half(float a) { return a / 2; }
double third(double a) { return a / 3; }
long double exact(long double a) { return a + 1; }
struct big {
	int values[5];
};
struct big many(int first)
{
	return (struct big){{first, first + 1, first + 2, first + 3, first + 4}};
}
int sum(int count, ...)
{
	int all = 0;
	va_list values;
	va_start(values, count);
	while (count--)
		all = all * 3 + va_arg(values, int);
	va_end(values);
	return all;
}
int set_errno(int value)
{
	int before = errno;
	errno = value;
	return before;
}
int keep_errno(void) { return errno; }
/* How often this thread has called it. */
int bump(void) { return ++mine; }
int server_pid(void) { return getpid(); }

int apply(int (*callback)(int), int value) { return callback(value) + 1; }
int errno_after(int (*callback)(int), int value)
{
	errno = 0;
	callback(value);
	return errno;
}
double apply_double(double (*callback)(double, float), double a, float b) { return callback(a, b) * 2; }
long long apply_wide(long long (*callback)(long long, char), long long a, char b) { return callback(a, b) + 1; }
/* Takes much of the stack: who leaves it ten thousand times must leave nothing. */
int deep(int (*callback)(int), int value)
{
	volatile char much[64 << 10];
	memset((char *)much, value, sizeof much);
	int result = callback(value);
	return result + much[0];
}

static pthread_t others[3];
static int (*other_callback)(int);
static void *run_other(void *value)
{
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += other_callback((int)value + i);
	return (void *)sum;
}
int start_threads(int (*callback)(int), int value)
{
	other_callback = callback;
	for (int i = 0; i < 3; i++)
		if (pthread_create(&others[i], NULL, run_other, (void *)value))
			return -1;
	return 0;
}
int join_threads(void)
{
	int all = 0;
	for (int i = 0; i < 3; i++) {
		void *sum;
		pthread_join(others[i], &sum);
		all += (int)sum;
	}
	return all;
}

int crash(int *where) { return *where; }
__attribute__((noinline)) int crash_below(int *where) { return crash(where) + 1; }
int divide(int a, int b) { return a / b; }
void leave(int status) { exit(status); }
void give_up(void) { abort(); }
void hang(void)
{
	for (;;)
		pause();
}
void overrun(char *buffer, int size) { memset(buffer, 0x5a, (size_t)size); }

static char note[256];
void note_end(const char *path) { strcpy(note, path); }
static void __attribute__((destructor)) ends(void)
{
	if (*note)
		close(open(note, O_CREAT | O_WRONLY, 0600));
}
