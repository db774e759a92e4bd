/* A 64-bit program that calls library.c. Its arguments are the library and the name of a case; it prints what the case is about. */
#define _GNU_SOURCE
#include "biarch.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static struct biarch_library *library;

static biarch_address find(const char *name)
{
	biarch_address address = 0;
	enum biarch_status status = biarch_symbol(library, name, NULL, &address);
	if (status != BIARCH_OK)
		biarch_fail(library, status, name, NULL, NULL);
	return address;
}

/* Calls a function with `count` words. */
static int call(const char *name, unsigned count, ...)
{
	uint32_t words[8];
	struct biarch_result result = {0};
	va_list values;
	va_start(values, count);
	for (unsigned at = 0; at < count; at++)
		words[at] = va_arg(values, uint32_t);
	va_end(values);
	enum biarch_status status = biarch_call(library, find(name), words, count, BIARCH_EAX, &result);
	if (status != BIARCH_OK)
		biarch_fail(library, status, name, NULL, NULL);
	return (int)result.eax;
}

static void on_error(const struct biarch_error *error, void *unused)
{
	(void)unused;
	printf("%d: %s\n", error->status, error->text);
}

static void adapter(struct biarch_library *unused, void *function, const uint32_t *words, struct biarch_result *result)
{
	(void)unused;
	result->eax = (uint32_t)((int (*)(int))function)((int)words[0]);
}

static void set_callback(int (*function)(int))
{
	biarch_address address;
	biarch_callback(library, adapter, (void *)function, 1, BIARCH_EAX, &address);
	call("set_callback", 1, address);
}

static void calls(void)
{
	struct biarch_result result;
	uint32_t words[301] = {300};
	unsigned long long value = 1ull << 40;
	long double floating = 1.25L;
	printf("%d %d\n", call("add", 2, 3, -4), call("is_aligned", 1, 0));
	for (unsigned at = 1; at <= 300; at++)
		words[at] = at;
	biarch_call(library, find("sum"), words, 301, BIARCH_EAX, &result);
	printf("%u\n", result.eax);
	memcpy(words, &value, 8);
	biarch_call(library, find("triple"), words, 2, BIARCH_EAX, &result);
	printf("%llu\n", (unsigned long long)result.edx << 32 | result.eax);
	memcpy(words, &floating, 10);
	biarch_call(library, find("twice"), words, 3, BIARCH_ST0, &result);
	printf("%Lg\n", result.st0);
	errno = 0;
	call("fails", 1, ENOTTY);
	printf("%s\n", strerrorname_np(errno));
}

static int factorial_by_both(int number)
{
	return number == 0 ? 0 : call("call_back", 1, number - 1);
}

static void nested(void)
{
	set_callback(factorial_by_both);
	printf("%d\n", factorial_by_both(200));
}

static jmp_buf before;

static int jump(int unused)
{
	(void)unused;
	longjmp(before, 1);
}

/* As the error handlers of libpng and libjpeg do. */
static void jumps(void)
{
	static volatile int jumped;
	set_callback(jump);
	for (int at = 0; at < 200000; at++) {
		if (setjmp(before) == 0)
			call("call_back", 1, 0);
		else
			jumped++;
	}
	printf("%d %d\n", jumped, call("add", 2, 5, 6));
}

static long each = 100000;

static void *call_often(void *argument)
{
	long number = (long)argument, wrong = 0;
	for (long at = 0; at < each; at++)
		wrong += call("add", 2, (uint32_t)number, (uint32_t)at) != number + at;
	wrong += call("add_on_this_thread", 1, 5) != 5;
	wrong += call("add_on_this_thread", 1, 6) != 11;
	wrong += call("thread_id", 0) != (int)syscall(SYS_gettid);
	call("count_locked", 0);
	return (void *)wrong;
}

static void threads(void)
{
	pthread_t made[8];
	long wrong = 0;
	if (getenv("CALLS") != NULL)
		each = atol(getenv("CALLS"));
	for (long at = 0; at < 8; at++)
		pthread_create(&made[at], NULL, call_often, (void *)at);
	for (long at = 0; at < 8; at++) {
		void *result;
		pthread_join(made[at], &result);
		wrong += (long)result;
	}
	printf("%ld wrong, %d locked, %d ended\n", wrong, call("count_locked", 0) - 1, call("threads_that_have_ended", 0));
	printf("%d made\n", call("make_threads", 1, 20));
}

static int add_ten(int value)
{
	/* The C library of this thread is a 64-bit one, which works here. */
	char *text;
	if (asprintf(&text, "%d", value + 10) < 0)
		return -1;
	value = atoi(text);
	free(text);
	return call("add", 2, value, 0);
}

static void thread_of_the_library(void)
{
	set_callback(add_ten);
	printf("%d\n", call("call_back_on_a_thread", 1, 32));
}

static void *call_with_all_blocked(void *unused)
{
	(void)unused;
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	printf("%d\n", call("add", 2, 20, 1));
	return NULL;
}

static void blocked(void)
{
	pthread_t thread;
	call("add", 2, 1, 1);
	pthread_create(&thread, NULL, call_with_all_blocked, NULL);
	pthread_join(thread, NULL);
}

static volatile long alarms;

static void on_alarm(int unused)
{
	(void)unused;
	alarms++;
	char *text;
	if (asprintf(&text, "%ld", alarms) >= 0)
		alarms += atol(text) - alarms;
}

static void interrupted(void)
{
	struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	unsigned wrong = 0;
	while (alarms < 200)
		wrong += call("spin", 1, 20000) != 20000;
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%u wrong\n", wrong);
}

static volatile int received;

static void on_user(int unused)
{
	(void)unused;
	received++;
}

static void handlers(void)
{
	signal(SIGUSR1, on_user);
	call("handle", 1, SIGUSR1);
	raise(SIGUSR1);
	printf("in the program's code: library %d, program %d\n", call("signals_seen", 0) / SIGUSR1, received);
	printf("in the library's: %d\n", call("send_to_itself", 1, SIGUSR1) / SIGUSR1);
	call("handle_no_more", 1, SIGUSR1);
	raise(SIGUSR1);
	printf("afterwards: library %d, program %d\n", call("signals_seen", 0) / SIGUSR1, received);
}

static void *waits(void *result)
{
	*(int *)result = call("wait_for_byte", 1, 200000);
	return NULL;
}

/* A signal of the library's finds it in a system call that waits. */
static void handles_while_it_waits(void)
{
	int result = 0;
	pthread_t thread;
	call("handle", 1, SIGUSR1);
	call("make_pipe", 0);
	pthread_create(&thread, NULL, waits, &result);
	for (int i = 0; i < 3; i++) {
		usleep(50000);
		pthread_kill(thread, SIGUSR1);
	}
	usleep(50000);
	call("write_byte", 1, 42);
	pthread_join(thread, NULL);
	printf("%d, %d times\n", result, call("signals_seen", 0) / SIGUSR1);
}

static volatile int ready, done, no_more;

static void *calls_on(void *wrong)
{
	/* Before its first call, and after its end, signals are the program's. */
	call("add", 2, 1, 1);
	__atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
	*(int *)wrong = call("calls_under_signals", 1, 100000);
	__atomic_add_fetch(&done, 1, __ATOMIC_SEQ_CST);
	while (!no_more)
		usleep(1000);
	return NULL;
}

/* Or wherever else it is. */
static void storm(void)
{
	pthread_t threads[2];
	int wrong[2] = {-1, -1}, sent = 0;
	call("handle", 1, SIGUSR1);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, calls_on, &wrong[i]);
	while (ready < 2)
		usleep(100);
	for (; done < 2; sent++) {
		pthread_kill(threads[sent % 2], SIGUSR1);
		if (sent % 16 == 0)
			usleep(10);
	}
	/* The last ones arrive. */
	usleep(100000);
	no_more = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%d and %d wrong, seen %d\n", wrong[0], wrong[1], sent > 100 && call("signals_seen", 0) > 100 * SIGUSR1);
}

/* And so does the end of the library. */
static void crashes_while_it_waits(void)
{
	int result = 0;
	pthread_t thread;
	call("make_pipe", 0);
	pthread_create(&thread, NULL, waits, &result);
	usleep(100000);
	call("crash", 0);
	pthread_join(thread, NULL);
}

static jmp_buf before_fault;

static void on_fault(int unused)
{
	(void)unused;
	siglongjmp(before_fault, 1);
}

static void faults(void)
{
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
	sigaction(SIGSEGV, &action, NULL);
	printf("the library's: %d\n", call("is_readable", 1, 16));
	if (sigsetjmp(before_fault, 1) == 0)
		*(volatile int *)32 = 1;
	else
		puts("the program's");
	printf("%d\n", call("add", 2, 1, 1));
}

static void processes(void)
{
	printf("%d %d %d\n", call("status_of_a_shell", 0), call("read_from_a_shell", 0), call("status_of_a_child", 0));
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(call("make_threads", 1, 2) + call("add", 2, 20, 20));
	int status;
	waitpid(child, &status, 0);
	printf("%d\n", WEXITSTATUS(status));
}

static void executes(void)
{
	struct biarch_frame frame;
	biarch_address address;
	const char *name = getenv("PROGRAM");
	biarch_frame_begin(library, &frame);
	strcpy(biarch_frame_take(&frame, strlen(name) + 1, 1, &address), name);
	printf("%d\n", call("status_of", 1, address));
	biarch_frame_end(&frame);
}

static void program_ends(void)
{
	call("leave_text_in_the_buffer", 0);
	fflush(stdout);
}

static void unloads(void)
{
	call("add", 2, 1, 1);
	biarch_library_free(library);
	puts("after it");
	fflush(stdout);
	struct biarch_options options = {.library = "libm.so.6", .transport = "in-process"};
	library = biarch_library_new(&options);
	uint32_t zero[2] = {0, 0};
	struct biarch_result result;
	biarch_call(library, find("cos"), zero, 2, BIARCH_ST0, &result);
	printf("%Lg\n", result.st0);
}

static void memory(void)
{
	int local = 1;
	unsigned char *shared = biarch_alloc(library, 1 << 20), byte;
	biarch_address nowhere = 16;
	shared[0] = 77;
	biarch_read(library, biarch_shared(library, shared, 1 << 20), &byte, 1);
	printf("%d %d\n", byte, biarch_shared(library, &local, sizeof local) == 0);
	printf("%d %d\n", biarch_read(library, nowhere, &byte, 1), biarch_write(library, nowhere, &byte, 1));
	biarch_free(library, shared);
}

static void quits(void)
{
	call("quit", 1, 3);
	call("add", 2, 1, 1);
}

static void crashes(void)
{
	call("crash", 0);
	call("add", 2, 1, 1);
}

static void crashes_on_a_thread(void)
{
	call("crash_on_a_thread", 0);
	call("add", 2, 1, 1);
}

static void gives_up(void)
{
	call("give_up", 0);
}

static void divides(void)
{
	call("divide", 1, 0);
}

static void *overflow(void *unused)
{
	call("recurse", 1, 1 << 30);
	return unused;
}

static void overflows(void)
{
	overflow(NULL);
}

static void overflows_on_a_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, overflow, NULL);
	pthread_join(thread, NULL);
}

/* A row for each case. */
static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"calls", calls},
	{"nested", nested},
	{"jumps", jumps},
	{"threads", threads},
	{"thread_of_the_library", thread_of_the_library},
	{"blocked", blocked},
	{"interrupted", interrupted},
	{"handlers", handlers},
	{"faults", faults},
	{"processes", processes},
	{"executes", executes},
	{"program_ends", program_ends},
	{"unloads", unloads},
	{"memory", memory},
	{"quits", quits},
	{"crashes", crashes},
	{"crashes_on_a_thread", crashes_on_a_thread},
	{"crashes_while_it_waits", crashes_while_it_waits},
	{"handles_while_it_waits", handles_while_it_waits},
	{"storm", storm},
	{"gives_up", gives_up},
	{"divides", divides},
	{"overflows", overflows},
	{"overflows_on_a_thread", overflows_on_a_thread},
};

/* The kernel kills this process at its first 32-bit system call. */
static int forbid_32_bit_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	if (getenv("FORBIDDEN") != NULL && !forbid_32_bit_calls())
		return 3;
	struct biarch_options options = {.library = argv[1], .transport = "in-process", .sysroot = getenv("SYSROOT")};
	library = biarch_library_new(&options);
	biarch_on_error(on_error, NULL);
	for (unsigned at = 0; at < sizeof cases / sizeof *cases; at++)
		if (strcmp(cases[at].name, argv[2]) == 0) {
			cases[at].run();
			return 0;
		}
	return 2;
}
