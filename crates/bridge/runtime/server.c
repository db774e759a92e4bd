/* The 32-bit side of the transport `process`: a program that loads the library and does what its client asks, with one thread for each of the client's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "biarch.h"
#include "channel.h"
#include "versions.h"

/* A place where this thread takes requests: at its start, or in a callback. */
struct level {
	struct level *outer;
	uint32_t depth;
	sigjmp_buf jump;
};

static __thread struct {
	struct biarch_channel *channel;
	struct level *level;
	uint32_t depth; /* calls that it is in */
	struct biarch_spin spin;
	uint32_t function; /* the one that is called */
	const char *top; /* where its stack ends, or above all that is called */
} self;

static struct biarch_control *control;
static void *library;
static pthread_key_t foreign;
static struct biarch_spin first_spin;
static uint32_t probe;
static int pipes[2] = {-1, -1};
static char *thunks;
static uint8_t written[BIARCH_THUNKS / (4096 / BIARCH_THUNK)];
static struct {
	uint32_t count, kind;
} callbacks[BIARCH_THUNKS];

/* call.S */
void biarch_call_words(uint32_t function, const uint32_t *words, uint32_t count, uint32_t *result, uint32_t kind) __attribute__((visibility("hidden")));
void biarch_thunk_entry(void) __attribute__((visibility("hidden")));
uint32_t biarch_thunk_called(uint32_t number, const uint32_t *registers, const uint32_t *stack, uint32_t *result)
	__attribute__((visibility("hidden"), used));

/* Words of arguments that are in registers, before those on the stack; words of `struct biarch_result` that come back. */
#ifdef __arm__
#define REGISTER_WORDS 20
#else
#define REGISTER_WORDS 0
#endif

/* --- faults --- */

#define ALTERNATE (64 << 10)

static const struct {
	int number;
	const char *name;
} faults[] = {
	{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"}, {SIGFPE, "SIGFPE"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
	{SIGABRT, "abort(3)"},
};

static void say(char **at, const char *end, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int length = vsnprintf(*at, (size_t)(end - *at), format, values);
	va_end(values);
	*at += length < end - *at ? length : end - *at - 1;
}

static void say_place(char **at, const char *end, void *address)
{
	Dl_info info;
	if (!dladdr(address, &info) || !info.dli_fname) {
		say(at, end, "%p", address);
		return;
	}
	const char *file = strrchr(info.dli_fname, '/');
	file = file ? file + 1 : info.dli_fname;
	if (info.dli_sname)
		say(at, end, "%s+0x%tx in %s", info.dli_sname, (char *)address - (char *)info.dli_saddr, file);
	else
		say(at, end, "%s+0x%tx", file, (char *)address - (char *)info.dli_fbase);
}

/* Not everything here may be called in a handler: where that hangs, the alarm ends it, and the client is told of the signal alone. */
static void fault(int number, siginfo_t *info, void *context)
{
	const ucontext_t *registers = context;
	signal(number, SIG_DFL);
	if (__atomic_exchange_n(&control->reporting, 1, __ATOMIC_ACQ_REL))
		for (;;)
			pause();
	signal(SIGALRM, SIG_DFL);
	alarm(2);
	char *at = control->report, *end = at + sizeof control->report;
	void *frames[32];
	int count = backtrace(frames, 32);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (faults[i].number == number)
			say(&at, end, number == SIGABRT ? "%s" : "%s at address %p", faults[i].name, info->si_addr);
	/* Where it was, who called that, and so on down to the call: what the handler itself is in comes first. */
#ifdef __arm__
	/* Functions in Thumb code have odd addresses. */
	uint32_t thumb = registers->uc_mcontext.arm_cpsr >> 5 & 1;
	void *places[] = {(void *)(registers->uc_mcontext.arm_pc | thumb), (void *)registers->uc_mcontext.arm_lr};
	int own = 1, next = 0;
#else
	void *places[] = {(void *)registers->uc_mcontext.gregs[REG_EIP]};
	int own = 0, next = 0;
	while (next < count && frames[next] != places[0])
		next++;
	next++;
#endif
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		say(&at, end, i ? ", " : "; backtrace: ");
		say_place(&at, end, places[i]);
	}
	for (; next < count && !own; next++) {
		Dl_info place;
		own = (uintptr_t)frames[next] - (uintptr_t)biarch_call_words < 256 || (dladdr(frames[next], &place) && place.dli_fbase == thunks);
		if (!own) {
			say(&at, end, ", ");
			say_place(&at, end, frames[next]);
		}
	}
	alarm(0);
	raise(number);
}

static void alternate_stack(void *memory)
{
	stack_t stack = {.ss_sp = memory, .ss_size = ALTERNATE};
	sigaltstack(&stack, NULL);
}

static void catch_faults(void)
{
	static char stack[ALTERNATE];
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	void *frames[2];
	/* Loads the unwinder, which cannot be done in a handler. */
	backtrace(frames, 2);
	alternate_stack(stack);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigaction(faults[i].number, &action, NULL);
}

/* --- requests --- */

static uint32_t map(uint32_t address, uint32_t size)
{
	void *wanted = (void *)(uintptr_t)address;
	void *at = mmap64(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, BIARCH_MEMORY_FD, (off64_t)address);
	if (at == wanted)
		return BIARCH_OK;
	if (at != MAP_FAILED)
		munmap(at, size);
	return BIARCH_NO_MEMORY;
}

static uint32_t map_thunks(uint32_t address)
{
	void *wanted = (void *)(uintptr_t)address;
	void *at = mmap(wanted, BIARCH_THUNKS * BIARCH_THUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at != wanted) {
		if (at != MAP_FAILED)
			munmap(at, BIARCH_THUNKS * BIARCH_THUNK);
		return BIARCH_NO_MEMORY;
	}
	thunks = at;
	return BIARCH_OK;
}

static void write_thunk(char *thunk, uint32_t number)
{
#ifdef __arm__
	/* ldr ip, number; ldr pc, entry */
	uint32_t code[] = {0xe59fc000, 0xe59ff000, number, (uint32_t)(uintptr_t)biarch_thunk_entry};
#else
	/* push number; jmp entry */
	struct {
		uint8_t push;
		uint32_t number;
		uint8_t jump;
		uint32_t distance;
	} __attribute__((packed)) code = {0x68, number, 0xe9, (uint32_t)(uintptr_t)biarch_thunk_entry - ((uint32_t)(uintptr_t)thunk + 10)};
#endif
	memcpy(thunk, &code, sizeof code);
}

static uint32_t new_callback(uint32_t number, uint32_t count, uint32_t kind)
{
	if (number >= BIARCH_THUNKS || count > BIARCH_WORDS)
		return BIARCH_UNSUPPORTED;
	callbacks[number].count = count;
	callbacks[number].kind = kind;
	uint32_t each = 4096 / BIARCH_THUNK, page = number / each;
	if (!written[page]) {
		char *memory = thunks + page * 4096;
		if (mprotect(memory, 4096, PROT_READ | PROT_WRITE))
			return BIARCH_NO_MEMORY;
		for (uint32_t i = 0; i < each; i++)
			write_thunk(memory + i * BIARCH_THUNK, page * each + i);
		__builtin___clear_cache(memory, memory + 4096);
		if (mprotect(memory, 4096, PROT_READ | PROT_EXEC))
			return BIARCH_NO_MEMORY;
		written[page] = 1;
	}
	return BIARCH_OK;
}

/* Reads or writes memory of this process that may not be there: through a pipe, where process_vm_readv(2) is forbidden as it was to the client. */
static uint32_t move(uint32_t address, uint32_t *words, uint32_t count, int write_it)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	void *from = write_it ? (void *)words : (void *)(uintptr_t)address;
	void *to = write_it ? (void *)(uintptr_t)address : (void *)words;
	uint32_t status = BIARCH_BAD_ADDRESS;
	pthread_mutex_lock(&lock);
	if (pipes[0] >= 0 || !pipe2(pipes, O_CLOEXEC | O_NONBLOCK)) {
		ssize_t in = write(pipes[1], from, count);
		if (in > 0 && read(pipes[0], to, (size_t)in) == in && (uint32_t)in == count) {
			status = BIARCH_OK;
		} else {
			close(pipes[0]);
			close(pipes[1]);
			pipes[0] = pipes[1] = -1;
		}
	}
	pthread_mutex_unlock(&lock);
	return status;
}

static uint32_t hello(struct biarch_channel *channel)
{
	library = dlopen((const char *)channel->words, RTLD_LAZY | RTLD_LOCAL);
	if (library)
		return BIARCH_OK;
	snprintf((char *)channel->words, sizeof channel->words, "%s", dlerror());
	return BIARCH_CANNOT_START;
}

static uint32_t symbol(struct biarch_channel *channel)
{
	const char *name = (const char *)channel->words, *version = name + strlen(name) + 1;
	dlerror();
	void *address = *version ? dlvsym(library, name, version) : dlsym(library, name);
	const char *error = dlerror();
	channel->address = (uint32_t)(uintptr_t)address;
	if (address)
		return BIARCH_OK;
	snprintf((char *)channel->words, sizeof channel->words, "%s", error ? error : "it is 0");
	return BIARCH_NO_SYMBOL;
}

static void *thread(void *argument);

static uint32_t new_thread(uint32_t number)
{
	pthread_attr_t attributes;
	pthread_t made;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	int error = pthread_create(&made, &attributes, thread, &control->channels[number]);
	if (error) {
		/* The usual 8 MiB are much of an address space of 32 bits. */
		pthread_attr_setstacksize(&attributes, 256 << 10);
		error = pthread_create(&made, &attributes, thread, &control->channels[number]);
	}
	pthread_attr_destroy(&attributes);
	return error ? BIARCH_NO_MEMORY : BIARCH_OK;
}

static void call(struct biarch_channel *channel)
{
	uint32_t count = channel->count, kind = channel->kind, function = channel->address, outer = self.function;
	uint32_t result[BIARCH_RESULT_WORDS + 1] = {0};
	uint32_t words[(count > REGISTER_WORDS ? count : REGISTER_WORDS) + 1];
	memset(words, 0, REGISTER_WORDS * 4);
	memcpy(words, channel->words, count * 4);
	self.function = function;
	errno = (int)channel->error;
	biarch_call_words(function, words, count > REGISTER_WORDS ? count : REGISTER_WORDS, result, kind);
	channel->error = (uint32_t)errno;
	self.function = outer;
	memcpy(channel->words, result, BIARCH_RESULT_WORDS * 4);
	channel->status = BIARCH_OK;
}

static void do_request(struct biarch_channel *channel)
{
	switch (channel->request) {
	case BIARCH_CALL: call(channel); break;
	case BIARCH_HELLO: channel->status = hello(channel); break;
	case BIARCH_SYMBOL: channel->status = symbol(channel); break;
	case BIARCH_MAP: channel->status = map(channel->address, channel->count); break;
	case BIARCH_UNMAP: channel->status = munmap((void *)(uintptr_t)channel->address, channel->count) ? BIARCH_BAD_ADDRESS : BIARCH_OK; break;
	case BIARCH_THUNK_PAGES: channel->status = map_thunks(channel->address); break;
	case BIARCH_CALLBACK: channel->status = new_callback(channel->address, channel->count, channel->kind); break;
	case BIARCH_THREAD: channel->status = new_thread(channel->address); break;
	case BIARCH_READ: channel->status = move(channel->address, channel->words, channel->count, 0); break;
	case BIARCH_WRITE: channel->status = move(channel->address, channel->words, channel->count, 1); break;
	case BIARCH_EXIT: exit(0);
	default: channel->status = BIARCH_UNSUPPORTED;
	}
}

/* Takes requests until the callback that this is in returns, or the thread ends. */
static void serve(void)
{
	struct biarch_channel *channel = self.channel;
	struct level level = {.outer = self.level, .depth = self.depth};
	if (sigsetjmp(level.jump, 0) == 0) {
		self.level = &level;
		biarch_wait(channel, BIARCH_SERVER, &self.spin);
	} else {
		self.level = &level;
	}
	for (;;) {
		uint32_t request = channel->request, depth = channel->depth;
		if (depth != level.depth) {
			/* The client has left a callback by longjmp(3): so does the library. */
			struct level *outer = level.outer;
			while (outer && outer->depth != depth)
				outer = outer->outer;
			if (outer)
				siglongjmp(outer->jump, 1);
			request = channel->request = 0;
		}
		if (request == BIARCH_RETURN || request == BIARCH_LEAVE)
			break;
		self.depth = level.depth + 1;
		do_request(channel);
		/* The library may have left callbacks inside this call by longjmp(3): the client is told which call is done. */
		self.level = &level;
		channel->depth = depth;
		channel->request = BIARCH_DONE;
		biarch_give(channel, BIARCH_CLIENT);
		biarch_wait(channel, BIARCH_SERVER, &self.spin);
	}
	self.depth = level.depth;
	self.level = level.outer;
}

static void *thread(void *channel)
{
	void *stack = mmap(NULL, ALTERNATE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack != MAP_FAILED)
		alternate_stack(stack);
	self.channel = channel;
	self.spin = first_spin;
	self.top = __builtin_frame_address(0);
	serve();
	self.channel = NULL;
	biarch_give(channel, BIARCH_CLIENT);
	if (stack != MAP_FAILED) {
		sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
		munmap(stack, ALTERNATE);
	}
	return NULL;
}

/* --- callbacks --- */

/* A thread of the library's own borrows one of the client. */
static void borrow(void)
{
	uint32_t spare;
	while (!(spare = __atomic_exchange_n(&control->spare, 0, __ATOMIC_ACQ_REL)))
		biarch_futex_wait(&control->spare, 0);
	self.channel = &control->channels[spare];
	self.spin = first_spin;
	pthread_setspecific(foreign, self.channel);
	pthread_attr_t attributes;
	if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
		void *start;
		size_t size;
		if (pthread_attr_getstack(&attributes, &start, &size) == 0)
			self.top = (char *)start + size;
		pthread_attr_destroy(&attributes);
	}
}

static void give_back(void *channel)
{
	self.channel = NULL;
	((struct biarch_channel *)channel)->request = BIARCH_LEAVE;
	biarch_give(channel, BIARCH_CLIENT);
}

uint32_t biarch_thunk_called(uint32_t number, const uint32_t *registers, const uint32_t *stack, uint32_t *result)
{
	int error = errno;
	if (!self.channel)
		borrow();
	/* What the library has left by longjmp(3). A stack of its own making, as of a coroutine, is not between. */
	const char *now = __builtin_frame_address(0);
	while (self.level && (const char *)self.level < now && now < self.top) {
		self.depth = self.level->depth;
		self.level = self.level->outer;
	}
	struct biarch_channel *channel = self.channel;
	uint32_t count = callbacks[number].count, function = self.function;
	channel->depth = self.depth;
	channel->request = BIARCH_CALLED;
	channel->address = number;
	channel->count = count;
	channel->error = (uint32_t)error;
	if (REGISTER_WORDS)
		memcpy(channel->words, registers, REGISTER_WORDS * 4);
	if (count > REGISTER_WORDS)
		memcpy(channel->words + REGISTER_WORDS, stack, (count - REGISTER_WORDS) * 4);
	biarch_give(channel, BIARCH_CLIENT);
	serve();
	memcpy(result, channel->words, BIARCH_RESULT_WORDS * 4);
	self.function = function;
	errno = (int)channel->error;
	return callbacks[number].kind;
}

/* --- start --- */

static void not_ours(int number)
{
	(void)number;
}

int main(int count, char **arguments)
{
	pid_t client = count == 2 ? (pid_t)biarch_strtol(arguments[1], NULL, 10) : 0;
	if (client <= 0) {
		fputs("biarch-server: started by libbiarch.so, with descriptors that only that has\n", stderr);
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may have gone before that. */
	if (getppid() != client)
		return 1;
	/* The terminal's signals are for the client: while that goes on, so does the library. Not ignored, for what the library executes would ignore them. */
	signal(SIGINT, not_ours);
	signal(SIGQUIT, not_ours);
	signal(SIGHUP, not_ours);
	if (syscall(SYS_close_range, BIARCH_MEMORY_FD + 1, ~0u, 0))
		for (int descriptor = BIARCH_MEMORY_FD + 1; descriptor < 1024; descriptor++)
			close(descriptor);
	control = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, BIARCH_CONTROL_FD, 0);
	if (control == MAP_FAILED) {
		perror("biarch-server: mmap");
		return 1;
	}
	probe = control->client.probe;
	control->server.probe = (uint32_t)(uintptr_t)&probe;
	control->server.layout = BIARCH_LAYOUT;
	control->server.width = sizeof(void *);
	control->server.size = sizeof *control;
	self.channel = &control->channels[0];
	if (control->client.layout != BIARCH_LAYOUT || control->client.size != sizeof *control)
		return 1;
	close(BIARCH_CONTROL_FD);
	fcntl(BIARCH_MEMORY_FD, F_SETFD, FD_CLOEXEC);
	first_spin = biarch_spin_new();
	self.spin = first_spin;
	self.top = __builtin_frame_address(0);
	pthread_key_create(&foreign, give_back);
	catch_faults();
	serve();
	return 0;
}

/* Instead of the start files, which ask for a C library as new as theirs. The server has no constructors. */
int __libc_start_main(int (*main)(int, char **), int count, char **arguments, void (*init)(void), void (*fini)(void), void (*loader_end)(void),
	void *stack_end);

void biarch_start(uintptr_t *stack, void (*loader_end)(void)) __attribute__((visibility("hidden"), noreturn, used));
void biarch_start(uintptr_t *stack, void (*loader_end)(void))
{
	__libc_start_main(main, (int)stack[0], (char **)(stack + 1), NULL, NULL, loader_end, stack);
	__builtin_unreachable();
}
