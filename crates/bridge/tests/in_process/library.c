/* A 32-bit library that does to its process whatever libraries do. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(sizeof(void *) == 4, "this is the 32-bit side");

/* --- calls --- */

int add(int a, int b)
{
	return a + b;
}

long long triple(long long value)
{
	return value * 3;
}

long double twice(long double value)
{
	return value * 2;
}

int sum(int count, ...)
{
	va_list values;
	int result = 0;
	va_start(values, count);
	while (count-- > 0)
		result += va_arg(values, int);
	va_end(values);
	return result;
}

int fails(int number)
{
	errno = number;
	return -1;
}

/* Whether the stack is as the i386 psABI has it at a call. */
int is_aligned(int unused)
{
	return ((uintptr_t)&unused & 15) == 0;
}

/* --- calls back --- */

static int (*callback)(int);

void set_callback(int (*function)(int))
{
	callback = function;
}

int call_back(int value)
{
	return callback(value) + 1;
}

static void *call_back_thread(void *value)
{
	return (void *)callback((int)value);
}

int call_back_on_a_thread(int value)
{
	pthread_t thread;
	void *result;
	if (pthread_create(&thread, NULL, call_back_thread, (void *)value) != 0)
		return -1;
	pthread_join(thread, &result);
	return (int)result;
}

/* --- threads --- */

static __thread int total;
static pthread_key_t key;
static volatile int ended;

static void at_end(void *unused)
{
	(void)unused;
	__sync_fetch_and_add(&ended, 1);
}

__attribute__((constructor)) static void begin(void)
{
	pthread_key_create(&key, at_end);
}

int add_on_this_thread(int value)
{
	pthread_setspecific(key, &total);
	return total += value;
}

int threads_that_have_ended(void)
{
	return ended;
}

int thread_id(void)
{
	return (int)syscall(SYS_gettid);
}

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int counter;

int count_locked(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	int now = ++counter;
	pthread_mutex_unlock(&mutex);
	pthread_mutex_unlock(&mutex);
	return now;
}

int hold_lock(void)
{
	return pthread_mutex_lock(&mutex);
}

static void *count_thread(void *unused)
{
	free(malloc(1000));
	count_locked();
	return unused;
}

int make_threads(int count)
{
	pthread_t threads[64];
	for (int at = 0; at < count; at++)
		if (pthread_create(&threads[at], NULL, count_thread, NULL) != 0)
			return -1;
	for (int at = 0; at < count; at++)
		pthread_join(threads[at], NULL);
	return count;
}

unsigned spin(unsigned count)
{
	volatile unsigned at;
	for (at = 0; at < count; at++)
		;
	return at;
}

/* --- signals --- */

static volatile int seen;

static void on_signal(int number)
{
	seen += number;
}

int handle(int number)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	return sigaction(number, &action, NULL);
}

int handle_no_more(int number)
{
	return signal(number, SIG_DFL) == SIG_ERR;
}

int send_to_itself(int number)
{
	raise(number);
	return seen;
}

int signals_seen(void)
{
	return seen;
}

/* Waits in read(2) with this much of its stack in use, until somebody writes; whether all is as it was then. */
static int ends[2];

int wait_for_byte(int size)
{
	volatile unsigned char below[size];
	char byte = 0;
	for (int i = 0; i < size; i++)
		below[i] = (unsigned char)(i * 7);
	ssize_t length = read(ends[0], &byte, 1);
	for (int i = 0; i < size; i++)
		if (below[i] != (unsigned char)(i * 7))
			return -1;
	return length == 1 ? byte : -2;
}

/* Makes quick system calls, deep in its stack; how many of them were wrong, or bytes of the stack. */
int calls_under_signals(int count)
{
	volatile unsigned char below[150000];
	int wrong = 0;
	pid_t own = (pid_t)syscall(SYS_gettid);
	for (int i = 0; i < (int)sizeof below; i++)
		below[i] = (unsigned char)(i * 13);
	for (int i = 0; i < count; i++)
		wrong += syscall(SYS_gettid) != own || syscall(SYS_write, -1, below, 1) != -1 || errno != EBADF;
	for (int i = 0; i < (int)sizeof below; i++)
		wrong += below[i] != (unsigned char)(i * 13);
	return wrong;
}

int make_pipe(void)
{
	return pipe(ends);
}

int write_byte(int byte)
{
	char bytes[1] = {(char)byte};
	return (int)write(ends[1], bytes, 1);
}

static sigjmp_buf before_fault;

static void on_fault(int unused)
{
	(void)unused;
	siglongjmp(before_fault, 1);
}

/* Whether memory is there, as some libraries find out. */
int is_readable(const volatile char *address)
{
	struct sigaction action = {.sa_handler = on_fault}, before;
	volatile int result = 1;
	sigaction(SIGSEGV, &action, &before);
	if (sigsetjmp(before_fault, 1) == 0)
		(void)*address;
	else
		result = 0;
	sigaction(SIGSEGV, &before, NULL);
	return result;
}

/* --- processes --- */

int status_of_a_shell(void)
{
	return WEXITSTATUS(system("exit 7"));
}

int read_from_a_shell(void)
{
	char text[16] = "";
	FILE *shell = popen("echo 42", "r");
	if (shell == NULL || fgets(text, sizeof text, shell) == NULL)
		return -1;
	return pclose(shell) == 0 ? atoi(text) : -1;
}

int status_of(const char *program)
{
	return WEXITSTATUS(system(program));
}

int status_of_a_child(void)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		_exit(make_threads(3));
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

/* --- ends --- */

static void at_exit(void)
{
	puts("exit handler of the library");
}

void leave_text_in_the_buffer(void)
{
	atexit(at_exit);
	printf("text in the library's buffer, ");
}

void quit(int status)
{
	exit(status);
}

void give_up(void)
{
	abort();
}

__attribute__((noinline)) static void write_to(volatile int *address)
{
	*address = 1;
}

void crash(void)
{
	write_to((volatile int *)8);
}

int divide(int by)
{
	volatile int zero = by;
	return 5 / zero;
}

int recurse(int depth)
{
	volatile char page[4096];
	page[0] = (char)depth;
	return depth == 0 ? 0 : recurse(depth - 1) + page[0] * 0;
}

static void *crash_thread(void *unused)
{
	crash();
	return unused;
}

void crash_on_a_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, crash_thread, NULL);
	pthread_join(thread, NULL);
}

__attribute__((destructor)) static void unload(void)
{
	fflush(stdout);
	write(1, "unloaded\n", 9);
}
