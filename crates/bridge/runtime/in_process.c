/* The transport `in-process`: the 32-bit library, its dynamic loader and its C library are in this process, below 4 GiB, and a call is a far jump.
 *
 * There is one 32-bit side in a process, whatever libraries are open. It begins with the first of them and ends with the process, by the C library's own
 * exit(3), so that its buffers are written and its handlers run. */
#define _GNU_SOURCE
#include "backtrace.h"
#include "services.h"
#include "transport.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;
/* The launcher, see launcher.S. */
extern const char biarch_launcher[], biarch_launcher_end[];

/* One open library. */
struct biarch_side {
	uint32_t handle; /* the 32-bit dlopen's */
};

/* The guest's thread that this one is. In the static storage of threads, so that a signal handler may look. */
static __thread struct biarch_thread *current __attribute__((tls_model("initial-exec")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t at_thread_end;
static struct biarch_services services;
/* The guest's first thread, on which the others are made. Nobody calls on it otherwise: whoever started it may end. */
static struct biarch_thread *first;
static enum { NOT_STARTED, STARTED, CANNOT_START, DEAD } state;
/* Why it cannot start, or is dead. */
static char state_text[BIARCH_WHY];
static enum biarch_status state_status;

/* Where its files are. */
static char sysroot[4096];

/* Callbacks: whose they are, by number. */
struct callback {
	struct biarch_side *side;
	enum biarch_result_kind kind;
	uint32_t number;
	uint32_t address;
};
static struct callback *callbacks;
static uint32_t callback_count, callback_room;
/* Addresses of pages of callbacks. */
static uint32_t *callback_pages;
static uint32_t *free_callbacks, free_callback_count;

static struct biarch_thread *get_current(void)
{
	return current;
}

static void set_current(struct biarch_thread *thread)
{
	current = thread;
}

/* --- what is said about the end of the 32-bit side ------------------------------------------------------------------------------------------- */

/* The 32-bit side is not called again. */
static enum biarch_status die(uint32_t left)
{
	enum biarch_status status = left == LEFT_FAILED || left == LEFT_NO_STACK ? BIARCH_CRASHED : BIARCH_ENDED;
	pthread_mutex_lock(&lock);
	if (state == DEAD) {
		/* Another thread has ended it, and so this call. */
		snprintf(biarch_why(), BIARCH_WHY, "%s", state_text);
		status = state_status;
	} else if (left == LEFT_FAILED) {
		struct biarch_engine_crash crash;
		biarch_engine_crash(current, &crash);
		biarch_say_crash(&crash, biarch_why(), BIARCH_WHY);
	} else {
		snprintf(biarch_why(), BIARCH_WHY, left == LEFT_NO_STACK ? "the arguments do not fit its stack" : "it has called exit(3)");
	}
	if (state == STARTED) {
		state = DEAD;
		state_status = status;
		snprintf(state_text, sizeof state_text, "%s", biarch_why());
		biarch_engine_stop();
	}
	pthread_mutex_unlock(&lock);
	return status;
}

static enum biarch_status dead(void)
{
	snprintf(biarch_why(), BIARCH_WHY, "%s", state_text);
	return state_status;
}

/* --- threads --------------------------------------------------------------------------------------------------------------------------------- */

/* Says where the stack of this thread is. */
static void note_stack(struct biarch_thread *thread)
{
	pthread_attr_t attributes;
	void *start;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attributes) != 0)
		return;
	if (pthread_attr_getstack(&attributes, &start, &size) == 0)
		biarch_engine_set_program_stack(thread, (uint64_t)start, (uint64_t)start + size);
	pthread_attr_destroy(&attributes);
}

struct new_thread {
	struct biarch_thread *thread;
	sem_t begun;
	int id;
};

static void *run_thread(void *argument)
{
	struct new_thread *made = argument;
	struct biarch_thread *thread = made->thread;
	made->id = biarch_engine_begin(thread);
	note_stack(thread);
	sem_post(&made->begun);
	uint32_t left = biarch_engine_resume(thread);
	if (left == LEFT_THREAD_ENDED)
		biarch_engine_free(thread);
	else
		die(left); /* its stack is kept: somebody may want to look at it */
	return NULL;
}

/* Makes a thread that the guest wants to have. */
static int create(struct biarch_thread *thread)
{
	struct new_thread made = {.thread = thread};
	pthread_attr_t attributes;
	pthread_t id;
	int error = pthread_attr_init(&attributes);
	if (error != 0)
		return -error;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sem_init(&made.begun, 0, 0);
	error = pthread_create(&id, &attributes, run_thread, &made);
	pthread_attr_destroy(&attributes);
	if (error != 0)
		return -error;
	while (sem_wait(&made.begun) != 0)
		;
	return made.id;
}

static void thread_ends(void *thread)
{
	if (state != STARTED)
		return;
	uint32_t left = biarch_engine_end(thread);
	if (left != LEFT_THREAD_ENDED)
		die(left);
}

/* In a child that this process has forked. */
static void forked(void)
{
	pthread_mutex_init(&lock, NULL);
	if (state == STARTED)
		biarch_engine_forked(current);
}

/* Makes this thread one that can call. */
static enum biarch_status adopt(void)
{
	static const uint32_t stack = 8 << 20;
	int why[2];
	pthread_mutex_lock(&lock);
	struct biarch_thread *thread = biarch_engine_adopt(first, services.spawn, stack, why);
	pthread_mutex_unlock(&lock);
	if (thread == NULL && why[0] != LEFT_RETURNED && why[0] != LEFT_READY)
		return die((uint32_t)why[0]);
	if (thread == NULL) {
		snprintf(biarch_why(), BIARCH_WHY, "the 32-bit side makes no thread: %s", strerror(why[1]));
		return BIARCH_NO_MEMORY;
	}
	note_stack(thread);
	pthread_setspecific(at_thread_end, thread);
	return BIARCH_OK;
}

/* --- the beginning --------------------------------------------------------------------------------------------------------------------------- */

static uint32_t called(uint32_t number, const uint32_t *words, struct biarch_result *result)
{
	struct callback *callback = &callbacks[number];
	biarch_called(callback->side, callback->number, words, result);
	return callback->kind == BIARCH_ST0;
}

/* Keeps the guest away from what is below 4 GiB already: a program that is not position-independent, and its heap. */
static void reserve_taken(void)
{
	static const uint64_t heap_room = 1ul << 30;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		unsigned long start, end;
		if (sscanf(line, "%lx-%lx", &start, &end) != 2 || start >= 1ul << 32)
			continue;
		if (strstr(line, "[heap]") != NULL)
			end += heap_room;
		if (end > 0xfffff000ul)
			end = 0xfffff000ul;
		biarch_engine_reserve((uint32_t)start, (uint32_t)(end - start));
	}
	if (maps != NULL)
		fclose(maps);
}

/* The environment without what is meant for 64-bit programs only. */
static const char **environment(void)
{
	size_t count = 0, kept = 0;
	while (environ[count] != NULL)
		count++;
	const char **variables = calloc(count + 1, sizeof *variables);
	for (size_t at = 0; variables != NULL && at < count; at++)
		if (strncmp(environ[at], "LD_PRELOAD=", 11) != 0 && strncmp(environ[at], "LD_AUDIT=", 9) != 0)
			variables[kept++] = environ[at];
	return variables;
}

static int launcher_file(void)
{
	int fd = memfd_create("biarch-bridge", MFD_CLOEXEC);
	size_t size = (size_t)(biarch_launcher_end - biarch_launcher);
	if (fd >= 0 && write(fd, biarch_launcher, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

static void start_side(const struct biarch_options *options)
{
	struct biarch_engine_start start = {
		.launcher = launcher_file(),
		.sysroot = options->sysroot,
		.environment = environment(),
		.hwcap = (uint32_t)getauxval(AT_HWCAP),
		.hwcap2 = (uint32_t)getauxval(AT_HWCAP2),
		.clock_ticks = (uint32_t)getauxval(AT_CLKTCK),
		.minimum_signal_stack = (uint32_t)getauxval(AT_MINSIGSTKSZ),
		.vdso = getauxval(AT_SYSINFO_EHDR),
		.hooks = {get_current, set_current, create, called},
		.why = state_text,
		.why_size = sizeof state_text,
	};
	state = CANNOT_START;
	state_status = BIARCH_CANNOT_START;
	if (options->sysroot != NULL && access(options->sysroot, X_OK) != 0) {
		snprintf(state_text, sizeof state_text, "the directory of the 32-bit files, `sysroot`: %s: %s", options->sysroot, strerror(errno));
		return;
	}
	snprintf(sysroot, sizeof sysroot, "%s", options->sysroot != NULL ? options->sysroot : "");
	if (start.launcher < 0 || start.environment == NULL) {
		snprintf(state_text, sizeof state_text, "no memory for the 32-bit side: %s", strerror(errno));
		return;
	}
	reserve_taken();
	int left = biarch_engine_start(&start);
	free((void *)start.environment);
	if (left < 0)
		return;
	if (left != LEFT_READY) {
		snprintf(state_text, sizeof state_text, "the 32-bit loader or C library ends at once; what it says is on standard error");
		return;
	}
	first = start.thread;
	biarch_engine_read(biarch_engine_said(first), &services, sizeof services);
	current = NULL;
	pthread_key_create(&at_thread_end, thread_ends);
	pthread_atfork(NULL, NULL, forked);
	state = STARTED;
}

/* Whatever the 32-bit C library does at exit is done when the process ends. */
__attribute__((destructor)) static void process_ends(void)
{
	struct biarch_result result;
	uint32_t status = 0;
	if (state == STARTED && (current != NULL || adopt() == BIARCH_OK))
		biarch_engine_call(current, services.exit, &status, 1, &result, 0);
}

/* --- the transport --------------------------------------------------------------------------------------------------------------------------- */

/* Calls a service or a function of the library on this thread. Inlined: a call is not much more than the way there and back. */
static inline __attribute__((always_inline)) enum biarch_status enter(uint32_t function, const uint32_t *words, unsigned count, enum biarch_result_kind kind, struct biarch_result *result)
{
	if (__builtin_expect(state != STARTED, 0))
		return dead();
	if (__builtin_expect(current == NULL, 0)) {
		enum biarch_status status = adopt();
		if (status != BIARCH_OK)
			return status;
	}
	uint32_t left = biarch_engine_call(current, function, words, count, result, kind == BIARCH_ST0);
	return __builtin_expect(left == LEFT_RETURNED, 1) ? BIARCH_OK : die(left);
}

static enum biarch_status call(struct biarch_side *side, biarch_address function, const uint32_t *words, unsigned count,
	enum biarch_result_kind kind, struct biarch_result *result)
{
	(void)side;
	if (__builtin_expect(current != NULL, 1)) {
		int *guest_errno = (int *)(uintptr_t)biarch_engine_errno(current);
		*guest_errno = 0;
		enum biarch_status status = enter(function, words, count, kind, result);
		if (*guest_errno != 0)
			errno = *guest_errno;
		return status;
	}
	return enter(function, words, count, kind, result);
}

/* Puts a string where the guest sees it, for one call. */
static uint32_t lend(const char *string)
{
	struct biarch_result result;
	uint32_t size = (uint32_t)strlen(string) + 1;
	if (enter(services.malloc, &size, 1, BIARCH_EAX, &result) != BIARCH_OK || result.eax == 0)
		return 0;
	memcpy((void *)(uintptr_t)result.eax, string, size);
	return result.eax;
}

static void take_back(uint32_t string)
{
	struct biarch_result result;
	if (string != 0)
		enter(services.free, &string, 1, BIARCH_EAX, &result);
}

/* What dlerror(3) says. */
static void say_dlerror(char *why, size_t size)
{
	struct biarch_result result;
	if (enter(services.dlerror, NULL, 0, BIARCH_EAX, &result) == BIARCH_OK && result.eax != 0)
		snprintf(why, size, "%s", (const char *)(uintptr_t)result.eax);
	else
		snprintf(why, size, "%s", biarch_why());
}

static enum biarch_status start(const struct biarch_options *options, struct biarch_side **side, char *why, size_t why_size)
{
	pthread_mutex_lock(&lock);
	if (state == NOT_STARTED)
		start_side(options);
	pthread_mutex_unlock(&lock);
	if (state != STARTED) {
		snprintf(why, why_size, "%s", state_text);
		return state_status;
	}
	if (strcmp(sysroot, options->sysroot != NULL ? options->sysroot : "") != 0) {
		snprintf(why, why_size, "the 32-bit side of this process has its files from %s; use `transport = \"process\"` for another `sysroot`",
			*sysroot != '\0' ? sysroot : "the system's directories");
		return BIARCH_CANNOT_START;
	}
	*side = calloc(1, sizeof **side);
	if (*side == NULL)
		return BIARCH_NO_MEMORY;
	struct biarch_result result;
	uint32_t words[] = {lend(options->library), RTLD_NOW};
	enum biarch_status status = enter(services.dlopen, words, 2, BIARCH_EAX, &result);
	take_back(words[0]);
	if (status == BIARCH_OK && result.eax == 0) {
		say_dlerror(why, why_size);
		status = BIARCH_CANNOT_START;
	} else if (status != BIARCH_OK) {
		snprintf(why, why_size, "%s", biarch_why());
	}
	if (status != BIARCH_OK) {
		free(*side);
		*side = NULL;
		return status;
	}
	(*side)->handle = result.eax;
	return BIARCH_OK;
}

static void stop(struct biarch_side *side)
{
	struct biarch_result result;
	enter(services.dlclose, &side->handle, 1, BIARCH_EAX, &result);
	free(side);
}

static enum biarch_status symbol(struct biarch_side *side, const char *name, const char *version, biarch_address *address)
{
	struct biarch_result result;
	uint32_t words[] = {side->handle, lend(name), version != NULL ? lend(version) : 0};
	enum biarch_status status = enter(version != NULL ? services.dlvsym : services.dlsym, words, version != NULL ? 3 : 2, BIARCH_EAX, &result);
	if (status == BIARCH_OK && result.eax == 0) {
		say_dlerror(biarch_why(), BIARCH_WHY);
		status = BIARCH_NO_SYMBOL;
	}
	*address = result.eax;
	take_back(words[1]);
	take_back(words[2]);
	return status;
}

static enum biarch_status map(struct biarch_side *side, size_t size, void **memory, biarch_address *address)
{
	(void)side;
	*address = size > UINT32_MAX ? 0 : biarch_engine_map((uint32_t)size);
	*memory = (void *)(uintptr_t)*address;
	return *address != 0 ? BIARCH_OK : BIARCH_NO_MEMORY;
}

static void unmap(struct biarch_side *side, void *memory, size_t size)
{
	(void)side;
	biarch_engine_unmap((uint32_t)(uintptr_t)memory, (uint32_t)size);
}

static enum biarch_status read_memory(struct biarch_side *side, biarch_address from, void *to, size_t size)
{
	(void)side;
	return biarch_engine_read(from, to, size) == size ? BIARCH_OK : BIARCH_BAD_ADDRESS;
}

static enum biarch_status write_memory(struct biarch_side *side, biarch_address to, const void *from, size_t size)
{
	(void)side;
	return biarch_engine_write(to, from, size) == 0 ? BIARCH_OK : BIARCH_BAD_ADDRESS;
}

static void *visible(struct biarch_side *side, biarch_address address, size_t size)
{
	(void)side;
	return size <= UINT32_MAX - address ? (void *)(uintptr_t)address : NULL;
}

static biarch_address shared(struct biarch_side *side, const void *memory, size_t size)
{
	(void)side;
	uintptr_t address = (uintptr_t)memory;
	return address <= UINT32_MAX && size <= UINT32_MAX - address ? (biarch_address)address : 0;
}

/* A number of a callback that nobody has. */
static enum biarch_status take_callback(uint32_t *number)
{
	if (free_callback_count != 0) {
		*number = free_callbacks[--free_callback_count];
		return BIARCH_OK;
	}
	static const uint32_t per_page = 256, length = 16, most = 1 << 16;
	if (callbacks == NULL) {
		/* Never moved: the guest calls while others are made. */
		callbacks = mmap(NULL, most * sizeof *callbacks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		callback_pages = calloc(most / per_page, sizeof *callback_pages);
		free_callbacks = calloc(most, sizeof *free_callbacks);
		if (callbacks == MAP_FAILED || callback_pages == NULL || free_callbacks == NULL)
			return BIARCH_NO_MEMORY;
	}
	if (callback_count == callback_room) {
		uint32_t page = callback_room < most ? biarch_engine_map_callbacks(callback_room) : 0;
		if (page == 0)
			return BIARCH_NO_MEMORY;
		callback_pages[callback_room / per_page] = page;
		callback_room += per_page;
	}
	*number = callback_count++;
	callbacks[*number].address = callback_pages[*number / per_page] + *number % per_page * length;
	return BIARCH_OK;
}

static enum biarch_status callback(struct biarch_side *side, uint32_t number, unsigned count, enum biarch_result_kind kind, biarch_address *address)
{
	(void)count; /* the words are looked at where they are */
	uint32_t own;
	pthread_mutex_lock(&lock);
	enum biarch_status status = take_callback(&own);
	if (status == BIARCH_OK) {
		callbacks[own].side = side;
		callbacks[own].kind = kind;
		callbacks[own].number = number;
		*address = callbacks[own].address;
	}
	pthread_mutex_unlock(&lock);
	return status;
}

static void callback_drop(struct biarch_side *side, biarch_address address)
{
	pthread_mutex_lock(&lock);
	for (uint32_t number = 0; number < callback_count; number++)
		if (callbacks[number].address == address && callbacks[number].side == side) {
			callbacks[number].side = NULL;
			free_callbacks[free_callback_count++] = number;
		}
	pthread_mutex_unlock(&lock);
}

static const char *why(struct biarch_side *side)
{
	(void)side;
	return biarch_why();
}

const struct biarch_transport biarch_in_process = {
	.name = "in-process",
	.start = start,
	.stop = stop,
	.symbol = symbol,
	.call = call,
	.map = map,
	.unmap = unmap,
	.read = read_memory,
	.write = write_memory,
	.visible = visible,
	.shared = shared,
	.callback = callback,
	.callback_drop = callback_drop,
	.why = why,
	.survives_fork = 1,
};
