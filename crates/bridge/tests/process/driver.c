/* Programs by hand on libbiarch.so: `driver SERVER LIBRARY CASE [ARGUMENT]`. A case ends with status 0, or says what is wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "biarch.h"

#ifdef __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE AUDIT_ARCH_X86_64
#endif

static const char *server, *fixture, *argument;
static struct biarch_library *library;

#define CHECK(truth) \
	do { \
		if (!(truth)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #truth); \
			_exit(1); \
		} \
	} while (0)

static struct biarch_library *open_library(const char *name, unsigned restart)
{
	struct biarch_options options = {.library = name, .transport = "process", .server = server, .restart = restart};
	return library = biarch_library_new(&options);
}

/* The reports of biarch_fail, the last one. */
static char reported[8192];
static enum biarch_status reported_status;
static void keep_report(const struct biarch_error *error, void *context)
{
	(void)context;
	reported_status = error->status;
	snprintf(reported, sizeof reported, "%s", error->text);
}

static biarch_address symbol(const char *name)
{
	biarch_address address;
	enum biarch_status status = biarch_symbol(library, name, NULL, &address);
	if (status)
		biarch_fail(library, status, name, NULL, NULL);
	return address;
}

static enum biarch_status try(const char *name, struct biarch_result *result, enum biarch_result_kind kind, const uint32_t *words, unsigned count)
{
	biarch_address address;
	enum biarch_status status = biarch_symbol(library, name, NULL, &address);
	return status ? status : biarch_call(library, address, words, count, kind, result);
}

static struct biarch_result call(const char *name, enum biarch_result_kind kind, const uint32_t *words, unsigned count)
{
	struct biarch_result result = {0};
	enum biarch_status status = try(name, &result, kind, words, count);
	if (status)
		biarch_fail(library, status, name, NULL, NULL);
	return result;
}

/* Arguments: integers; floating point; one integer, then floating point. */
#ifdef __aarch64__
#define FIRST 16
#define PAIR 0, /* a 64-bit word begins in an even register */
#define WORDS(...) (const uint32_t[]){[FIRST] = __VA_ARGS__}, (unsigned)(sizeof((const uint32_t[]){[FIRST] = __VA_ARGS__}) / 4)
#define FLOATS(...) (const uint32_t[20]){__VA_ARGS__}, 20
#define WORD_FLOATS(word, ...) (const uint32_t[20]){__VA_ARGS__, [FIRST] = word}, 20
#else
#define FIRST 0
#define PAIR
#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, (unsigned)(sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define FLOATS(...) WORDS(__VA_ARGS__)
#define WORD_FLOATS(word, ...) WORDS(word, __VA_ARGS__)
#endif
#define INT(name, ...) ((int)call(name, BIARCH_EAX, WORDS(__VA_ARGS__)).eax)
#define NONE(name) ((int)call(name, BIARCH_EAX, NULL, 0).eax)

static uint64_t bits(double value)
{
	uint64_t all;
	memcpy(&all, &value, 8);
	return all;
}
#define DOUBLE(value) (uint32_t)bits(value), (uint32_t)(bits(value) >> 32)

static uint32_t float_bits(float value)
{
	uint32_t all;
	memcpy(&all, &value, 4);
	return all;
}

static double double_of(struct biarch_result result)
{
#ifdef __aarch64__
	double value;
	memcpy(&value, &(uint64_t){(uint64_t)result.edx << 32 | result.eax}, 8);
	return value;
#else
	return (double)result.st0;
#endif
}
static float float_of(struct biarch_result result)
{
#ifdef __aarch64__
	float value;
	memcpy(&value, &result.eax, 4);
	return value;
#else
	return (float)result.st0;
#endif
}

static void results(void)
{
	open_library(fixture, 0);
	CHECK(INT("add", 2, (uint32_t)-5) == -3);
	struct biarch_result result = call("wide", BIARCH_EAX, WORDS(0xffffffff, 0xffffffff, 3));
	CHECK((int64_t)((uint64_t)result.edx << 32 | result.eax) == -3);
	CHECK(float_of(call("half", BIARCH_ST0, FLOATS(float_bits(5)))) == 2.5f);
	CHECK(double_of(call("third", BIARCH_ST0, FLOATS(DOUBLE(1.0)))) == 1.0 / 3);
#ifdef __x86_64__
	long double value = 1e-19L;
	uint32_t words[3] = {0};
	memcpy(words, &value, 10);
	CHECK(call("exact", BIARCH_ST0, words, 3).st0 == value + 1);
#endif
	struct biarch_frame frame;
	biarch_address address;
	CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
	int *many = biarch_frame_take(&frame, 20, 4, &address);
	CHECK(call("many", BIARCH_EAX, WORDS(address, 7)).eax == address);
	CHECK(many[0] == 7 && many[4] == 11);
	biarch_frame_end(&frame);
	uint32_t sixty[FIRST + 61] = {[FIRST] = 60}, expected = 0;
	for (uint32_t i = 1; i <= 60; i++)
		sixty[FIRST + i] = i * i, expected = expected * 3 + i * i;
	CHECK(call("sum", BIARCH_EAX, sixty, FIRST + 61).eax == expected);
	errno = ENOENT;
	CHECK(INT("set_errno", EBADF) == ENOENT && errno == EBADF);
	errno = 0;
	CHECK(NONE("keep_errno") == 0 && errno == 0);
	uint32_t much[2000] = {0};
	CHECK(try("sum", &result, BIARCH_EAX, much, 2000) == BIARCH_UNSUPPORTED);
	biarch_library_free(library);
}

static void libm(void)
{
	open_library("libm.so.6", 0);
	biarch_address cosine;
	CHECK(biarch_symbol(library, "cos", "GLIBC_2.0", &cosine) == BIARCH_OK);
	for (double x = -20; x < 20; x += 0.37) {
		struct biarch_result result;
		CHECK(biarch_call(library, cosine, WORDS(DOUBLE(x)), BIARCH_ST0, &result) == BIARCH_OK);
		CHECK(fabs((double)result.st0 - cos(x)) <= 0x1p-52);
		CHECK((double)call("floor", BIARCH_ST0, FLOATS(DOUBLE(x))).st0 == floor(x));
		CHECK((float)call("fabsf", BIARCH_ST0, WORDS(float_bits((float)x))).st0 == fabsf((float)x));
		result = call("llround", BIARCH_EAX, WORDS(DOUBLE(x * 1e15)));
		CHECK((int64_t)((uint64_t)result.edx << 32 | result.eax) == llround(x * 1e15));
	}
	CHECK(biarch_symbol(library, "cos", "GLIBC_9.9", &cosine) == BIARCH_NO_SYMBOL);
	biarch_on_error(keep_report, NULL);
	biarch_fail(library, BIARCH_NO_SYMBOL, "cos", NULL, NULL);
	CHECK(strstr(reported, "libm.so.6: cos: ") && strstr(reported, "GLIBC_9.9"));
	biarch_library_free(library);
}

static void libz(void)
{
	open_library("libz.so.1", 0);
	struct biarch_frame frame;
	biarch_address from, to, again, size;
	CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
	/* More than the thread's arena, of which some would fit. */
	size_t length = 1 << 20;
	unsigned char *plain = biarch_frame_take(&frame, length, 1, &from), *packed = biarch_frame_take(&frame, length, 1, &to),
		      *unpacked = biarch_frame_take(&frame, length, 1, &again);
	uint32_t *sizes = biarch_frame_take(&frame, 4, 4, &size);
	CHECK(plain && packed && unpacked && sizes);
	for (size_t i = 0; i < length; i++)
		plain[i] = (unsigned char)(i * i >> 7);
	*sizes = (uint32_t)length;
	CHECK(INT("compress", to, size, from, (uint32_t)length) == 0);
	CHECK(*sizes > 100 && *sizes < length / 2);
	uint32_t packed_size = *sizes;
	*sizes = (uint32_t)length;
	CHECK(INT("uncompress", again, size, to, packed_size) == 0);
	CHECK(*sizes == length && !memcmp(plain, unpacked, length));
	memcpy(plain, "123456789", 9);
	CHECK((uint32_t)INT("crc32", 0, from, 9) == 0xcbf43926);
	biarch_frame_end(&frame);
	biarch_address version = (biarch_address)NONE("zlibVersion");
	size_t version_length;
	char text[64] = "";
	CHECK(biarch_string_length(library, version, 60, &version_length) == BIARCH_OK && version_length > 2);
	CHECK(biarch_read(library, version, text, version_length) == BIARCH_OK && text[0] == '1' && text[1] == '.');
	CHECK(biarch_string_length(library, version, 2, &version_length) == BIARCH_BAD_ADDRESS);
	biarch_library_free(library);
}

/* --- callbacks --- */

static int compared;
static int compare_ints(int a, int b)
{
	compared++;
	return a < b ? -1 : a > b;
}
static void compare_adapter(struct biarch_library *from, void *function, const uint32_t *words, struct biarch_result *result)
{
	int a, b;
	CHECK(from == library);
	CHECK(biarch_read(from, words[FIRST], &a, 4) == BIARCH_OK && biarch_read(from, words[FIRST + 1], &b, 4) == BIARCH_OK);
	result->eax = (uint32_t)((int (*)(int, int))function)(a, b);
}
static void int_adapter(struct biarch_library *from, void *function, const uint32_t *words, struct biarch_result *result)
{
	(void)from;
	result->eax = (uint32_t)((int (*)(int))function)((int)words[FIRST]);
}
static biarch_address callback(biarch_adapter *adapter, void *function, unsigned count, enum biarch_result_kind kind)
{
	biarch_address address = 0;
	CHECK(biarch_callback(library, adapter, function, count, kind, &address) == BIARCH_OK);
	return address;
}
#define CALLBACK(function) callback(int_adapter, function, FIRST + 1, BIARCH_EAX)

static void sort(void)
{
	open_library("libc.so.6", 0);
	struct biarch_frame frame;
	biarch_address array;
	CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
	int *values = biarch_frame_take(&frame, 4000, 4, &array);
	for (int i = 0; i < 1000; i++)
		values[i] = (int)((uint32_t)i * 2654435761u);
	biarch_address compare = callback(compare_adapter, compare_ints, FIRST + 2, BIARCH_EAX);
	CHECK(callback(compare_adapter, compare_ints, FIRST + 2, BIARCH_EAX) == compare);
	CHECK(biarch_callback_function(library, compare) == compare_ints);
	(void)INT("qsort", array, 1000, 4, compare);
	CHECK(compared > 1000);
	for (int i = 1; i < 1000; i++)
		CHECK(values[i - 1] < values[i]);
	biarch_frame_end(&frame);
	biarch_callback_drop(library, compare);
	CHECK(biarch_callback_function(library, compare) == compare_ints);
	biarch_callback_drop(library, compare);
	CHECK(!biarch_callback_function(library, compare));
	/* Another one takes its place. */
	CHECK(callback(int_adapter, compare_ints, FIRST + 1, BIARCH_EAX) == compare);
	biarch_library_free(library);
}

static double multiply(double a, float b) { return a * b; }
static void double_adapter(struct biarch_library *from, void *function, const uint32_t *words, struct biarch_result *result)
{
	double a;
	float b;
	(void)from;
	memcpy(&a, words, 8);
	memcpy(&b, words + 2, 4);
	a = ((double (*)(double, float))function)(a, b);
#ifdef __aarch64__
	result->eax = (uint32_t)bits(a);
	result->edx = (uint32_t)(bits(a) >> 32);
#else
	result->st0 = a;
#endif
}
static void wide_adapter(struct biarch_library *from, void *function, const uint32_t *words, struct biarch_result *result)
{
	(void)from;
	(void)function;
	int64_t value = (int64_t)((uint64_t)words[FIRST + 1] << 32 | words[FIRST]) * (signed char)words[FIRST + 2];
	result->eax = (uint32_t)value;
	result->edx = (uint32_t)(value >> 32);
}
static int twice(int value) { return value * 2; }
static void dropped(void)
{
	open_library(fixture, 0);
	biarch_address address = CALLBACK(twice);
	CHECK(INT("apply", address, 20) == 41);
	biarch_address multiplied = callback(double_adapter, multiply, 3, BIARCH_ST0);
	CHECK(double_of(call("apply_double", BIARCH_ST0, WORD_FLOATS(multiplied, DOUBLE(1.5), float_bits(2.5f)))) == 7.5);
	struct biarch_result result = call("apply_wide", BIARCH_EAX, WORDS(callback(wide_adapter, NULL, FIRST + 3, BIARCH_EAX), PAIR 1, 1, (uint32_t)-2));
	CHECK((int64_t)((uint64_t)result.edx << 32 | result.eax) == -2 * 0x100000001 + 1);
	biarch_callback_drop(library, address);
	biarch_on_error(keep_report, NULL);
	CHECK(INT("apply", address, 20) == 1);
	CHECK(reported_status == BIARCH_BAD_ADDRESS && strstr(reported, "apply") && strstr(reported, "dropped"));
	biarch_library_free(library);
}

/* Calls and callbacks around one another; errno belongs to each of them. */
static int down(int value)
{
	CHECK(errno == 0);
	if (value == 0)
		return 100;
	int result = INT("apply", CALLBACK(down), (uint32_t)value - 1);
	errno = 0;
	return result;
}
static int sets_errno(int value)
{
	errno = value;
	return 0;
}
static void reentry(void)
{
	open_library(fixture, 0);
	errno = 0;
	CHECK(INT("apply", CALLBACK(down), 3) == 104);
	CHECK(INT("apply", CALLBACK(down), 100) == 201);
	CHECK(INT("errno_after", CALLBACK(sets_errno), EDOM) == EDOM && errno == EDOM);
	biarch_library_free(library);
}

static sigjmp_buf out;
static int leaves(int value)
{
	struct biarch_frame frame;
	biarch_address address;
	CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
	CHECK(biarch_frame_take(&frame, 10000, 1, &address));
	if (value)
		(void)INT("deep", CALLBACK(leaves), (uint32_t)value - 1);
	siglongjmp(out, 1);
}
static void longjmp_out(void)
{
	open_library(fixture, 0);
	biarch_address first = 0, address;
	for (int i = 0; i < 1000; i++) {
		if (!sigsetjmp(out, 0))
			(void)INT("deep", CALLBACK(leaves), i % 3);
		CHECK(INT("add", 1, (uint32_t)i) == i + 1);
		struct biarch_frame frame;
		CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
		CHECK(biarch_frame_take(&frame, 100, 1, &address));
		/* Nothing of what was left is kept. */
		CHECK(address == (first = first ? first : address));
		biarch_frame_end(&frame);
	}
	biarch_library_free(library);
}

static pthread_t main_thread;
static int elsewhere(int value)
{
	CHECK(!pthread_equal(pthread_self(), main_thread));
	/* It calls, too. */
	return INT("add", (uint32_t)value, 1);
}
static void library_threads(void)
{
	open_library(fixture, 0);
	main_thread = pthread_self();
	for (int i = 0; i < 20; i++) {
		CHECK(INT("start_threads", CALLBACK(elsewhere), (uint32_t)i) == 0);
		CHECK(NONE("join_threads") == 3 * (100 * i + 4950 + 100));
	}
	biarch_library_free(library);
}

/* --- threads --- */

static int calls_each;
static void *thread_calls(void *number)
{
	biarch_address add_address = symbol("add"), bump_address = symbol("bump");
	uint32_t base = (uint32_t)(uintptr_t)number;
	struct biarch_result result;
	for (int i = 0; i < calls_each; i++) {
		CHECK(biarch_call(library, add_address, WORDS(base, (uint32_t)i), BIARCH_EAX, &result) == BIARCH_OK);
		CHECK(result.eax == base + (uint32_t)i);
	}
	/* Each has a thread of its own there. */
	CHECK(biarch_call(library, bump_address, NULL, 0, BIARCH_EAX, &result) == BIARCH_OK && result.eax == 1);
	return NULL;
}
static void threads(void)
{
	pthread_t all[8];
	calls_each = atoi(argument);
	open_library(fixture, 0);
	for (uintptr_t i = 0; i < 8; i++)
		CHECK(!pthread_create(&all[i], NULL, thread_calls, (void *)(i * 1000003)));
	for (int i = 0; i < 8; i++)
		pthread_join(all[i], NULL);
	biarch_library_free(library);
}

static void *one_frame(void *address)
{
	struct biarch_frame frame;
	CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK);
	CHECK(biarch_frame_take(&frame, 1000, 8, address));
	(void)INT("add", 1, 2);
	return NULL; /* without its end */
}
static int count_tasks(int pid)
{
	char command[64];
	int count = 0;
	snprintf(command, sizeof command, "ls /proc/%d/task | wc -l", pid);
	FILE *pipe = popen(command, "r");
	CHECK(fscanf(pipe, "%d", &count) == 1);
	pclose(pipe);
	return count;
}
static void thread_ends(void)
{
	open_library(fixture, 0);
	int pid = NONE("server_pid"), before = count_tasks(pid), after;
	biarch_address first = 0, address = 0;
	for (int i = 0; i < 200; i++) {
		pthread_t thread;
		CHECK(!pthread_create(&thread, NULL, one_frame, &address));
		pthread_join(thread, NULL);
		CHECK(address == (first = first ? first : address));
	}
	/* The last ones may still be on their way out. */
	for (int tries = 0; (after = count_tasks(pid)) > before && tries < 100; tries++)
		usleep(20000);
	CHECK(after <= before);
	biarch_library_free(library);
}

/* --- faults --- */

static void crash(void)
{
	open_library(fixture, 0);
	biarch_on_error(keep_report, NULL);
	(void)INT("crash_below", 0x1234);
	CHECK(reported_status == BIARCH_CRASHED);
	CHECK(strstr(reported, "SIGSEGV at address 0x1234") && strstr(reported, "crash+0x") && strstr(reported, "crash_below+0x"));
	CHECK(strstr(reported, "called was crash_below"));
	struct biarch_result result;
	biarch_address address;
	CHECK(biarch_symbol(library, "add", NULL, &address) == BIARCH_CRASHED);
	CHECK(biarch_call(library, 0, NULL, 0, BIARCH_EAX, &result) == BIARCH_CRASHED);
	char byte;
	CHECK(biarch_read(library, 0x1000, &byte, 1) == BIARCH_CRASHED);
	biarch_library_free(library);
	open_library(fixture, 0);
	reported[0] = 0;
	(void)INT("divide", 1, 0);
	CHECK(reported_status == BIARCH_CRASHED && strstr(reported, "SIGFPE") && strstr(reported, "divide"));
	biarch_library_free(library);
}

static void ends(void)
{
	open_library(fixture, 0);
	biarch_on_error(keep_report, NULL);
	(void)INT("leave", 7);
	CHECK(reported_status == BIARCH_ENDED && strstr(reported, "exit(3) with 7 in leave"));
	biarch_library_free(library);
	open_library(fixture, 0);
	(void)NONE("give_up");
	CHECK(reported_status == BIARCH_ENDED && strstr(reported, "abort(3)") && strstr(reported, "give_up"));
	biarch_library_free(library);
}

static void restart(void)
{
	open_library(fixture, 2);
	int *shared = biarch_alloc(library, 4 * sizeof(int));
	biarch_address where = biarch_shared(library, shared, 16), add_address = symbol("add"), doubled = CALLBACK(twice);
	shared[2] = 77;
	struct biarch_result result;
	for (int i = 0; i < 2; i++) {
		CHECK(NONE("bump") == 1 && NONE("bump") == 2);
		CHECK(try("crash", &result, BIARCH_EAX, WORDS(0)) == BIARCH_CRASHED);
		/* The next call has a new server, with everything where it was. */
		CHECK(biarch_call(library, add_address, WORDS(3, 4), BIARCH_EAX, &result) == BIARCH_OK && result.eax == 7);
		CHECK(INT("crash", where + 8) == 77);
		CHECK(INT("apply", doubled, 4) == 9);
	}
	CHECK(try("crash", &result, BIARCH_EAX, WORDS(0)) == BIARCH_CRASHED);
	CHECK(biarch_call(library, add_address, WORDS(3, 4), BIARCH_EAX, &result) == BIARCH_CRASHED);
	biarch_library_free(library);
}

static void *hang(void *status)
{
	struct biarch_result result;
	*(enum biarch_status *)status = try("hang", &result, BIARCH_EAX, NULL, 0);
	return NULL;
}
static void hangs(void)
{
	enum biarch_status status = BIARCH_OK;
	pthread_t thread;
	open_library(fixture, 0);
	int pid = NONE("server_pid");
	CHECK(!pthread_create(&thread, NULL, hang, &status));
	for (int i = 0; i < 1000; i++)
		CHECK(INT("add", 1, 2) == 3);
	/* What ends a library that hangs. */
	kill(pid, SIGKILL);
	pthread_join(thread, NULL);
	CHECK(status == BIARCH_ENDED);
	biarch_library_free(library);
}

static void overruns(void)
{
	open_library(fixture, 0);
	biarch_on_error(keep_report, NULL);
	for (uint32_t size = 8; size <= 9; size++) {
		reported[0] = 0;
		void *memory = biarch_alloc(library, 8);
		(void)INT("overrun", biarch_shared(library, memory, 8), size);
		biarch_free(library, memory);
		CHECK(!*reported == (size == 8));
		reported[0] = 0;
		struct biarch_frame frame;
		biarch_address address;
		CHECK(biarch_frame_begin(library, &frame) == BIARCH_OK && biarch_frame_take(&frame, 8, 1, &address));
		(void)INT("overrun", address, size);
		biarch_frame_end(&frame);
		CHECK(!*reported == (size == 8));
		CHECK(size == 8 || strstr(reported, "overrun: "));
	}
	biarch_free(library, reported);
	CHECK(strstr(reported, "biarch_alloc"));
	void *memory = biarch_alloc(library, 100);
	biarch_free(library, memory);
	reported[0] = 0;
	biarch_free(library, memory);
	CHECK(strstr(reported, "freed before"));
	biarch_library_free(library);
}

/* The server is killed at any instant, in calls and between them: a call that says it was done was done, once, by the server that did those before it; of
 * one that was not, and of a new server, each thread is told. */
static _Atomic int victim, kills, told;
static biarch_address bump_address, apply_address, pid_address, doubled;
static void *kill_servers(void *wanted)
{
	unsigned random = (unsigned)getpid();
	while (kills < *(int *)wanted) {
		random = random * 1103515245 + 12345;
		struct timespec time = {0, (long)(random >> 12) % 3000000};
		int pid = victim;
		nanosleep(&time, NULL);
		if (pid) {
			victim = 0;
			kills += !kill(pid, SIGKILL);
		}
	}
	return NULL;
}
static void *victim_calls(void *wanted)
{
	struct biarch_result result;
	uint32_t before = 0;
	while (kills < *(int *)wanted) {
		enum biarch_status status = biarch_call(library, bump_address, NULL, 0, BIARCH_EAX, &result);
		if (!status) {
			CHECK(result.eax == before + 1);
			before = result.eax;
			status = biarch_call(library, apply_address, WORDS(doubled, before), BIARCH_EAX, &result);
			CHECK(status || result.eax == 2 * before + 1);
		}
		if (!status && !victim) {
			status = biarch_call(library, pid_address, NULL, 0, BIARCH_EAX, &result);
			if (!status)
				victim = (int)result.eax;
		}
		if (before % 7 == 0)
			usleep(500);
		if (status) {
			CHECK(status == BIARCH_ENDED);
			before = 0;
			told++;
		}
	}
	return NULL;
}
static void killed(void)
{
	pthread_t all[4], killer;
	int wanted = atoi(argument);
	open_library(fixture, 1000000);
	bump_address = symbol("bump");
	apply_address = symbol("apply");
	pid_address = symbol("server_pid");
	doubled = CALLBACK(twice);
	CHECK(!pthread_create(&killer, NULL, kill_servers, &wanted));
	for (int i = 0; i < 4; i++)
		CHECK(!pthread_create(&all[i], NULL, victim_calls, &wanted));
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
	pthread_join(killer, NULL);
	/* Of the last one perhaps not. */
	CHECK(told >= wanted - 1);
	biarch_library_free(library);
}

/* Says who the server is and is killed from outside, in a call. */
static void wait_for_death(void)
{
	open_library(fixture, 0);
	printf("%d\n", NONE("server_pid"));
	fflush(stdout);
	(void)NONE("hang");
}

static void forks(void)
{
	open_library(fixture, 0);
	struct biarch_library *parents = library;
	CHECK(INT("add", 1, 2) == 3);
	struct biarch_library *before = open_library(fixture, 0);
	pid_t child = fork();
	if (!child) {
		/* What was not started goes on; what the parent's server has does not. */
		library = before;
		CHECK(INT("add", 1, 2) == 3);
		library = parents;
		struct biarch_result result;
		struct biarch_frame frame;
		biarch_on_error(keep_report, NULL);
		CHECK(biarch_call(library, 1, NULL, 0, BIARCH_EAX, &result) == BIARCH_ENDED);
		CHECK(biarch_frame_begin(library, &frame) == BIARCH_ENDED);
		biarch_fail(library, BIARCH_ENDED, "add", NULL, NULL);
		CHECK(strstr(reported, "fork"));
		exit(0);
	}
	int status;
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	library = parents;
	CHECK(INT("add", 1, 2) == 3);
	biarch_library_free(library);
}

static void at_exit(void)
{
	open_library(fixture, 0);
	char *path = biarch_alloc(library, strlen(argument) + 1);
	strcpy(path, argument);
	(void)INT("note_end", biarch_shared(library, path, strlen(argument) + 1));
}

static int exits(int value)
{
	exit(value);
}
static void exit_in_callback(void)
{
	static enum biarch_status status;
	pthread_t thread;
	open_library(fixture, 0);
	(void)NONE("bump");
	CHECK(!pthread_create(&thread, NULL, hang, &status));
	(void)INT("apply", CALLBACK(exits), 3);
}

static void failures(void)
{
	biarch_address address;
	biarch_on_error(keep_report, NULL);
	open_library("libnothere.so.1", 0);
	CHECK(biarch_symbol(library, "f", NULL, &address) == BIARCH_CANNOT_START);
	biarch_fail(library, BIARCH_CANNOT_START, "f", "a", "%d", 5);
	CHECK(strstr(reported, "libnothere.so.1: f: argument a: ") && strstr(reported, "cannot open shared object file"));
	biarch_library_free(library);

	struct biarch_options options = {.library = "libm.so.6", .transport = "pigeon"};
	library = biarch_library_new(&options);
	CHECK(biarch_symbol(library, "cos", NULL, &address) == BIARCH_CANNOT_START);
	biarch_fail(library, BIARCH_CANNOT_START, "cos", NULL, NULL);
	CHECK(strstr(reported, "`pigeon`") && strstr(reported, "process"));
	biarch_library_free(library);

	static const char *const bad[][3] = {
		{"/nonexistent/server", NULL, "/nonexistent/server: No such file"},
		{"/bin/true", NULL, "not of this version"},
		{NULL, "/nonexistent/root", "/nonexistent/root/lib/ld-linux.so.2"},
	};
	for (int i = 0; i < 3; i++) {
		options = (struct biarch_options){"libm.so.6", "process", bad[i][1], bad[i][0] ? bad[i][0] : server, 0};
		library = biarch_library_new(&options);
		CHECK(biarch_symbol(library, "cos", NULL, &address) == BIARCH_CANNOT_START);
		biarch_fail(library, BIARCH_CANNOT_START, "cos", NULL, NULL);
		CHECK(strstr(reported, bad[i][2]));
		biarch_library_free(library);
	}
}

static void sysroot(void)
{
	struct biarch_options options = {"libz.so.1", "process", argument, server, 0};
	library = biarch_library_new(&options);
	CHECK(NONE("zlibCompileFlags") != 0);
	int pid = NONE("getpid");
	/* The sysroot's loader, not the system's, and the server keeps no descriptor of ours. */
	char path[64], target[4096] = "";
	snprintf(path, sizeof path, "/proc/%d/exe", pid);
	CHECK(readlink(path, target, sizeof target - 1) > 0);
	printf("%s\n", target);
	biarch_library_free(library);
}

/* --- memory --- */

static void moves(void)
{
	int value = 0;
	biarch_address object = symbol("object");
	CHECK(biarch_read(library, object, &value, 4) == BIARCH_OK && value == 41);
	value = 42;
	CHECK(biarch_write(library, object, &value, 4) == BIARCH_OK);
	CHECK(INT("crash", object) == 42);
	CHECK(biarch_read(library, 16, &value, 4) == BIARCH_BAD_ADDRESS);
	CHECK(biarch_write(library, 0xfffffffe, &value, 4) == BIARCH_BAD_ADDRESS);
	/* The program's text: there, and not to be written. */
	CHECK(biarch_read(library, symbol("add"), &value, 4) == BIARCH_OK);
	CHECK(biarch_write(library, symbol("add"), &value, 4) == BIARCH_BAD_ADDRESS);
	CHECK(!biarch_visible(library, object, 4));
	biarch_address there;
	char from[10000], to[10000] = "";
	CHECK(biarch_library_malloc(library, sizeof from, &there) == BIARCH_OK && there);
	for (size_t i = 0; i < sizeof from; i++)
		from[i] = (char)(i % 251);
	CHECK(biarch_write(library, there, from, sizeof from) == BIARCH_OK);
	CHECK(biarch_read(library, there, to, sizeof to) == BIARCH_OK && !memcmp(from, to, sizeof to));
	CHECK(biarch_library_free_memory(library, there) == BIARCH_OK);
}
static void moved(void)
{
	open_library(fixture, 0);
	moves();
	biarch_library_free(library);
	/* The same where process_vm_readv(2) is forbidden, as in some containers. */
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	open_library(fixture, 0);
	moves();
	biarch_library_free(library);
}

static void allocations(void)
{
	enum { COUNT = 500 };
	static struct {
		unsigned char *memory;
		size_t size;
	} all[COUNT];
	open_library(fixture, 0);
	unsigned random = 1;
	for (int round = 0; round < 20000; round++) {
		random = random * 1103515245 + 12345;
		unsigned i = (random >> 8) % COUNT;
		if (all[i].memory) {
			for (size_t k = 0; k < all[i].size; k += 97)
				CHECK(all[i].memory[k] == (unsigned char)i);
			biarch_free(library, all[i].memory);
			all[i].memory = NULL;
		} else {
			all[i].size = 1 + (random >> 4) % (i % 50 ? 5000 : 300000);
			all[i].memory = biarch_alloc(library, all[i].size);
			CHECK(all[i].memory && biarch_shared(library, all[i].memory, all[i].size) == (uintptr_t)all[i].memory);
			CHECK((uintptr_t)all[i].memory % 64 == 0);
			memset(all[i].memory, (int)i, all[i].size);
		}
	}
	/* Larger than a region, and again where it was. */
	void *large = biarch_alloc(library, 20 << 20), *again;
	CHECK(large);
	(void)INT("overrun", biarch_shared(library, large, 20 << 20), 20 << 20);
	CHECK(((char *)large)[(20 << 20) - 1] == 0x5a);
	biarch_free(library, large);
	CHECK((again = biarch_alloc(library, 20 << 20)) == large);
	biarch_free(library, again);
	/* More than is kept for the next time. */
	for (int round = 0; round < 3; round++) {
		char *both[2];
		for (int i = 0; i < 2; i++) {
			CHECK((both[i] = biarch_alloc(library, 40 << 20)));
			both[i][(40 << 20) - 1] = 0;
			(void)INT("overrun", biarch_shared(library, both[i], 40 << 20) + (40 << 20) - 100, 100);
			CHECK(both[i][(40 << 20) - 1] == 0x5a);
		}
		biarch_free(library, both[0]);
		biarch_free(library, both[1]);
	}
	errno = 0;
	CHECK(!biarch_alloc(library, (size_t)5 << 30) && errno == ENOMEM);
	CHECK(!biarch_shared(library, &library, 1));
	CHECK(biarch_visible(library, biarch_shared(library, biarch_alloc(library, 10), 10), 10));
	biarch_library_free(library);
}

/* A thread of the server goes where the client is not, and may run afterwards where it could before. */
static void processors(void)
{
	cpu_set_t own, one;
	unsigned apart = 0;
	open_library(fixture, 0);
	cpu_set_t *allowed = biarch_alloc(library, sizeof *allowed);
	uint32_t words[] = {0, sizeof *allowed, biarch_shared(library, allowed, sizeof *allowed)};
	CHECK(sched_getaffinity(0, sizeof own, &own) == 0);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	call("add", BIARCH_EAX, (uint32_t[]){1, 2}, 2);
	CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
	for (int i = 0; i < 6000; i++) {
		/* Beside the client, where it need not stay. That is done again, for on a busy machine the kernel may bring it back. */
		for (int step = 0; step < 2 && i % 2000 == 0; step++) {
			*allowed = step ? own : one;
			CHECK(call("sched_setaffinity", BIARCH_EAX, words, 3).eax == 0);
		}
		memset(allowed, 0, sizeof *allowed);
		call("sched_getaffinity", BIARCH_EAX, words, 3);
		CHECK(CPU_EQUAL(&own, allowed));
		/* The kernel parts them as well, some dozens of calls later. */
		if (i % 2000 < 16)
			apart += !CPU_ISSET(call("sched_getcpu", BIARCH_EAX, NULL, 0).eax, &one);
	}
	/* Where others want all processors, there is none to go to. */
	double load = 0;
	(void)getloadavg(&load, 1);
	CHECK(apart != 0 || CPU_COUNT(&own) == 1 || load > CPU_COUNT(&own));
	biarch_free(library, allowed);
	biarch_library_free(library);
}

static void handles(void)
{
	enum { COUNT = 100000 };
	static char objects[COUNT];
	static uint32_t words[COUNT];
	void *pointer;
	open_library(fixture, 0);
	CHECK(biarch_handle(library, NULL) == 0 && biarch_handle_pointer(library, 0, &pointer) == BIARCH_OK && !pointer);
	for (int i = 0; i < COUNT; i++)
		words[i] = biarch_handle(library, &objects[i]);
	for (int i = 0; i < COUNT; i += 2)
		biarch_handle_drop(library, words[i]);
	for (int i = 0; i < COUNT; i++) {
		enum biarch_status status = biarch_handle_pointer(library, words[i], &pointer);
		CHECK(i % 2 ? !status && pointer == &objects[i] && biarch_handle(library, &objects[i]) == words[i] : status == BIARCH_BAD_ADDRESS);
	}
	/* In a place that was used before it is another word. */
	uint32_t word = biarch_handle(library, &objects[0]);
	for (int i = 0; i < COUNT; i++)
		CHECK(word != words[i]);
	CHECK(biarch_handle_pointer(library, 0x12345678, &pointer) == BIARCH_BAD_ADDRESS);
	biarch_library_free(library);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"results", results}, {"libm", libm}, {"libz", libz}, {"sort", sort}, {"dropped", dropped}, {"reentry", reentry}, {"longjmp", longjmp_out},
	{"library_threads", library_threads}, {"threads", threads}, {"thread_ends", thread_ends}, {"crash", crash}, {"ends", ends}, {"restart", restart},
	{"hangs", hangs}, {"overruns", overruns}, {"killed", killed}, {"wait_for_death", wait_for_death}, {"forks", forks}, {"at_exit", at_exit},
	{"exit_in_callback", exit_in_callback},
	{"failures", failures}, {"sysroot", sysroot}, {"moved", moved}, {"allocations", allocations}, {"handles", handles},
	{"processors", processors},
};

int main(int count, char **arguments)
{
	CHECK(count >= 4);
	server = arguments[1];
	fixture = arguments[2];
	argument = count > 4 ? arguments[4] : "";
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (!strcmp(cases[i].name, arguments[3])) {
			cases[i].run();
			return 0;
		}
	fprintf(stderr, "no case %s\n", arguments[3]);
	return 2;
}
