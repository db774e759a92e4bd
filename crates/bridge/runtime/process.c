/* The transport `process`: the library is in a server of its own, a 32-bit process; calls go through memory that both have mapped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "channel.h"
#include "transport.h"

#ifdef __aarch64__
#define MACHINE "armhf"
#define LOADER "lib/ld-linux-armhf.so.3"
#define TRIPLET "arm-linux-gnueabihf"
#define LIBC "libc6:armhf"
#else
#define MACHINE "i386"
#define LOADER "lib/ld-linux.so.2"
#define TRIPLET "i386-linux-gnu"
#define LIBC "libc6:i386"
#endif

/* Where memory is put: first where an i386 program has nothing, then below its program. */
#define LOWEST 0x10000000u
#define FIRST 0x60000000u
#define HIGHEST 0xe0000000u

/* One server. A thread that has a channel of it keeps it, beyond its death and the side's. */
struct server {
	atomic_uint_fast32_t references;
	struct biarch_control *control;
	pthread_t watcher;
	pid_t pid, client;
	uint32_t side; /* its `number` */
	int spawn_error;
	pthread_mutex_t lock; /* of `used`, and of `dead` becoming true */
	pthread_cond_t changed; /* `has_spawned` or `dead` */
	int has_spawned;
	atomic_int dead, exiting;
	siginfo_t end;
	uint8_t used[BIARCH_CHANNELS];
	const char *const *arguments; /* these two until has_spawned */
	char **environment;
	int control_fd, memory_fd, fixed;
	int kernel_moves; /* whether process_vm_readv(2) sees the server's memory */
};

struct biarch_side {
	struct biarch_options options;
	uint32_t number; /* of no other side of this program, which an address can be */
	char program[4096];
	struct biarch_spin first_spin;
	int memory_fd;
	uint32_t thunks;
	struct server *_Atomic server;
	pthread_mutex_t restart_lock; /* before the locks of core.c, under which nothing is restarted */
	unsigned restarts;
	int visited;       /* callbacks can come from the library's own threads; with `lock` */
	uint32_t visitors; /* threads for those */
	/* Of the first channel and of what is mapped. Recursive: what the library does at its start and end may call back. */
	pthread_mutex_t lock;
	struct biarch_spin spin;
	uint32_t asking;          /* requests on the first channel, around one another */
	uint32_t next;            /* where to look for the next free address */
	uint8_t mapped[1u << 16]; /* for each granule of the 4 GiB */
};

/* What a thread has of a server. */
struct link {
	struct link *next;
	struct server *server;
	struct biarch_channel *channel;
	struct biarch_spin spin;
	int told; /* that the server has died */
	uint32_t depth, size;
	struct level *levels; /* the calls that this thread is in, the outermost first */
	jmp_buf *bottom; /* of a thread for callbacks: where it is in none */
};

/* A call that a thread is in. */
struct level {
	const void *frame;
	jmp_buf *jump; /* where it waits for the answer */
};

static __thread struct link *links;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t links_key;

static enum biarch_status because(enum biarch_status status, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	vsnprintf(biarch_why(), BIARCH_WHY, format, values);
	va_end(values);
	return status;
}

static const char *process_why(struct biarch_side *side)
{
	(void)side;
	return biarch_why();
}

/* --- the server's life --- */

/* Instead of a status: the server has died. */
#define GONE ((enum biarch_status)-1)

static void server_release(struct server *server)
{
	if (atomic_fetch_sub(&server->references, 1) != 1)
		return;
	munmap(server->control, sizeof *server->control);
	pthread_mutex_destroy(&server->lock);
	pthread_cond_destroy(&server->changed);
	free(server);
}

/* What is known about the end of a server, for the thread that was in `function`. */
static enum biarch_status ended(struct biarch_side *side, struct server *server, biarch_address function)
{
	const char *name = function ? biarch_function_name(side, function) : "", *in = function ? " in " : "";
	const siginfo_t *end = &server->end;
	/* This program is at its end; of a library of its own it would see a call that does not return. */
	while (server->exiting)
		pause();
	if (__atomic_load_n(&server->control->reporting, __ATOMIC_ACQUIRE)) {
		char report[sizeof server->control->report];
		snprintf(report, sizeof report, "%s", server->control->report);
		return because(end->si_status == SIGABRT ? BIARCH_ENDED : BIARCH_CRASHED, "%s%s%s", report, function ? "; called was " : "", name);
	}
	if (end->si_code == CLD_EXITED)
		return because(BIARCH_ENDED, "exit(3) with %d%s%s", end->si_status, in, name);
	if (end->si_code != CLD_KILLED && end->si_code != CLD_DUMPED)
		return because(BIARCH_ENDED, "its server has ended%s%s, and this program has waited for it elsewhere", in, name);
	int fault = end->si_status == SIGSEGV || end->si_status == SIGBUS || end->si_status == SIGILL || end->si_status == SIGFPE;
	return because(fault ? BIARCH_CRASHED : BIARCH_ENDED, "its server was ended by SIG%s%s%s", sigabbrev_np(end->si_status), in, name);
}

/* Starts the server, for that dies with the thread that has started it, and waits for its end. */
static void *watch(void *argument)
{
	struct server *server = argument;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_adddup2(&actions, server->control_fd, BIARCH_CONTROL_FD);
	posix_spawn_file_actions_adddup2(&actions, server->memory_fd, BIARCH_MEMORY_FD);
	/* The personality is this thread's own, and its child's. */
	if (server->fixed)
		personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	server->spawn_error = posix_spawn(&server->pid, server->arguments[0], &actions, &attributes, (char *const *)server->arguments, server->environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	pthread_mutex_lock(&server->lock);
	server->has_spawned = 1;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	if (!server->spawn_error)
		while (waitid(P_PID, (id_t)server->pid, &server->end, WEXITED | WNOWAIT | __WALL) && errno == EINTR)
			;
	pthread_mutex_lock(&server->lock);
	server->dead = 1;
	for (unsigned i = 0; i < BIARCH_CHANNELS; i++)
		if (server->used[i]) {
			__atomic_fetch_or(&server->control->channels[i].turn, BIARCH_DEAD, __ATOMIC_ACQ_REL);
			biarch_futex_wake(&server->control->channels[i].turn, 1 << 30);
		}
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	/* Only now may its number be another process's. */
	if (!server->spawn_error)
		waitpid(server->pid, NULL, __WALL);
	server_release(server);
	return NULL;
}

static void server_kill(struct server *server)
{
	pthread_mutex_lock(&server->lock);
	if (!server->dead)
		kill(server->pid, SIGKILL);
	pthread_mutex_unlock(&server->lock);
}

/* A channel of the server; NULL where there is none left, or the server is dead. */
static struct biarch_channel *channel_new(struct server *server, uint32_t turn)
{
	struct biarch_channel *channel = NULL;
	pthread_mutex_lock(&server->lock);
	for (unsigned i = 1; i < BIARCH_CHANNELS && !channel && !server->dead; i++)
		if (!server->used[i]) {
			server->used[i] = 1;
			channel = &server->control->channels[i];
			*channel = (struct biarch_channel){.turn = turn};
		}
	pthread_mutex_unlock(&server->lock);
	return channel;
}

static void channel_free(struct server *server, struct biarch_channel *channel)
{
	pthread_mutex_lock(&server->lock);
	server->used[channel - server->control->channels] = 0;
	pthread_mutex_unlock(&server->lock);
}

/* --- a thread's link --- */

static void link_free(struct link *link)
{
	struct link **place = &links;
	while (*place != link)
		place = &(*place)->next;
	*place = link->next;
	server_release(link->server);
	free(link->levels);
	free(link);
}

static void links_end(void *unused)
{
	(void)unused;
	for (struct link *link = links, *next; link; link = next) {
		next = link->next;
		struct biarch_channel *channel = link->channel;
		/* The child of a fork(2) has the parent's. */
		if (link->server->client == getpid()) {
			channel->request = BIARCH_LEAVE;
			channel->depth = 0;
			if (biarch_give(channel, BIARCH_SERVER) && biarch_wait(channel, BIARCH_CLIENT, &link->spin))
				channel_free(link->server, channel);
		}
		link_free(link);
	}
}

static struct link *link_add(struct biarch_side *side, struct server *server, struct biarch_channel *channel)
{
	struct link *link = calloc(1, sizeof *link);
	if (!link)
		return NULL;
	atomic_fetch_add(&server->references, 1);
	*link = (struct link){.next = links, .server = server, .channel = channel, .spin = side->first_spin};
	return links = link;
}

/* Does what the server calls back for. */
static void answer(struct biarch_side *side, struct link *link, uint32_t depth)
{
	struct biarch_channel *channel = link->channel;
	uint32_t words[BIARCH_WORDS], count = channel->count < BIARCH_WORDS ? channel->count : BIARCH_WORDS;
	struct biarch_result result;
	memcpy(words, channel->words, count * 4);
	errno = (int)channel->error;
	biarch_called(side, channel->address, words, &result);
	link->depth = depth;
	channel->request = BIARCH_RETURN;
	channel->depth = depth;
	channel->error = (uint32_t)errno;
	channel->words[BIARCH_WORD_EAX] = result.eax;
	channel->words[BIARCH_WORD_EDX] = result.edx;
#ifdef __x86_64__
	memcpy(&channel->words[BIARCH_WORD_ST0], &result.st0, 10);
#endif
}

/* What the server says is for the call that it is in. If that is one around the innermost, the library has left the innermost by longjmp(3): so does
 * the program. */
static void follow(struct link *link)
{
	uint32_t depth = link->channel->depth + (link->channel->request != BIARCH_CALLED);
	if (depth >= link->depth)
		return;
	jmp_buf *jump = !depth ? link->bottom : link->levels ? link->levels[depth - 1].jump : NULL;
	if (!jump)
		return;
	link->depth = depth;
	longjmp(*jump, 1);
}

/* Gives the channel to the server, until it says that the request is done. `said`: it has said something already. */
static enum biarch_status converse(struct biarch_side *side, struct link *link, int said)
{
	uint32_t depth = link->depth;
	for (;; said = 0) {
		if (!said) {
			if (!biarch_give(link->channel, BIARCH_SERVER) || !biarch_wait(link->channel, BIARCH_CLIENT, &link->spin))
				return GONE;
			follow(link);
		}
		if (link->channel->request != BIARCH_CALLED)
			return (enum biarch_status)link->channel->status;
		answer(side, link, depth);
	}
}

/* Of a call, inside which others may be left. A function of its own, for setjmp(3) does not return to variables in registers. */
static __attribute__((noinline)) enum biarch_status converse_in_call(struct biarch_side *side, struct link *link)
{
	jmp_buf jump;
	link->levels[link->depth - 1].jump = &jump;
	if (setjmp(jump))
		return converse(side, link, 1);
	return converse(side, link, 0);
}

/* A request on the first channel, with side->lock held. */
static enum biarch_status ask(struct biarch_side *side, struct server *server, enum biarch_request request, uint32_t address, uint32_t count,
	uint32_t kind)
{
	struct biarch_channel *channel = &server->control->channels[0];
	struct link link = {.server = server, .channel = channel, .spin = side->spin, .depth = side->asking + 1};
	channel->request = request;
	channel->address = address;
	channel->count = count;
	channel->kind = kind;
	channel->depth = side->asking++;
	enum biarch_status status = converse(side, &link, 0);
	side->asking--;
	side->spin = link.spin;
	return status;
}

/* A thread for callbacks from a thread of the library's own. */
struct visit {
	struct biarch_side *side;
	struct server *server;
};

static void visitor_start(struct biarch_side *side, struct server *server);

/* What a thread of the library's own calls back for. */
static __attribute__((noinline)) void receive(struct biarch_side *side, struct link *link)
{
	jmp_buf bottom;
	link->bottom = &bottom;
	setjmp(bottom);
	do
		answer(side, link, 0);
	while (biarch_give(link->channel, BIARCH_SERVER) && biarch_wait(link->channel, BIARCH_CLIENT, &link->spin)
		&& link->channel->request == BIARCH_CALLED);
}

static void *visitor(void *argument)
{
	struct visit visit = *(struct visit *)argument;
	free(argument);
	struct biarch_channel *channel = channel_new(visit.server, BIARCH_SERVER);
	struct link *link = channel ? link_add(visit.side, visit.server, channel) : NULL;
	if (link) {
		struct biarch_control *control = visit.server->control;
		__atomic_store_n(&control->spare, (uint32_t)(channel - control->channels), __ATOMIC_RELEASE);
		biarch_futex_wake(&control->spare, 1);
		struct biarch_spin none = {.never = 1};
		if (biarch_wait(channel, BIARCH_CLIENT, &none) && channel->request == BIARCH_CALLED) {
			visitor_start(visit.side, visit.server);
			receive(visit.side, link);
		}
		link_free(link);
	}
	if (channel)
		channel_free(visit.server, channel);
	server_release(visit.server);
	__atomic_fetch_sub(&visit.side->visitors, 1, __ATOMIC_ACQ_REL);
	biarch_futex_wake(&visit.side->visitors, 1);
	return NULL;
}

static void visitor_start(struct biarch_side *side, struct server *server)
{
	struct visit *visit = malloc(sizeof *visit);
	pthread_t made;
	sigset_t all, before;
	if (!visit)
		return;
	*visit = (struct visit){side, server};
	atomic_fetch_add(&server->references, 1);
	__atomic_fetch_add(&side->visitors, 1, __ATOMIC_ACQ_REL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!pthread_create(&made, NULL, visitor, visit)) {
		pthread_detach(made);
	} else {
		free(visit);
		server_release(server);
		__atomic_fetch_sub(&side->visitors, 1, __ATOMIC_ACQ_REL);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- start and end --- */

static const char *beside(const char *name, char *path, size_t size)
{
	Dl_info info;
	const char *slash = dladdr((void *)(uintptr_t)biarch_process.start, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
	snprintf(path, size, "%.*s%s", slash ? (int)(slash - info.dli_fname + 1) : 0, slash ? info.dli_fname : "", name);
	return access(path, F_OK) ? NULL : path;
}

/* The program that runs 32-bit programs where the kernel does not. */
static const char *find_biarch(char *path, size_t size)
{
	const char *set = getenv("BIARCH"), *list = getenv("PATH");
	if (set && *set) {
		snprintf(path, size, "%s", set);
		return path;
	}
	if (beside("biarch", path, size))
		return path;
	for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
		snprintf(path, size, "%.*s/biarch", (int)strcspn(list, ":"), list);
		if (!access(path, X_OK))
			return path;
	}
	return NULL;
}

/* This program's environment without LD_PRELOAD, which names 64-bit libraries. */
static char **environment_new(void)
{
	size_t count = 0, kept = 0;
	while (environ && environ[count])
		count++;
	char **kept_ones = calloc(count + 1, sizeof *kept_ones);
	for (size_t i = 0; kept_ones && i < count; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11))
			kept_ones[kept++] = environ[i];
	return kept_ones;
}

/* A server that runs; `error` is what posix_spawn(3) says. */
static struct server *spawn(struct biarch_side *side, const char *const *arguments, int *error)
{
	struct server *server = calloc(1, sizeof *server);
	char **environment = environment_new();
	int fd = memfd_create("biarch-control", MFD_CLOEXEC);
	*error = errno;
	/* Above the numbers that they get in the server. */
	int control = fcntl(fd, F_DUPFD_CLOEXEC, BIARCH_MEMORY_FD + 1), memory = fcntl(side->memory_fd, F_DUPFD_CLOEXEC, BIARCH_MEMORY_FD + 1);
	void *mapped = MAP_FAILED;
	if (server && environment && control >= 0 && memory >= 0 && !ftruncate(control, sizeof *server->control))
		mapped = mmap(NULL, sizeof *server->control, PROT_READ | PROT_WRITE, MAP_SHARED, control, 0);
	if (mapped == MAP_FAILED) {
		*error = errno;
		free(server);
		server = NULL;
	} else {
		*server = (struct server){.references = 2, .control = mapped, .arguments = arguments, .environment = environment, .control_fd = control, .memory_fd = memory,
			.fixed = side->options.restart > 0, .client = getpid(), .side = side->number};
		server->used[0] = 1;
		server->control->client.layout = BIARCH_LAYOUT;
		server->control->client.width = sizeof(void *);
		server->control->client.size = sizeof *server->control;
		server->control->client.probe = (uint32_t)(uintptr_t)server | 1;
		pthread_mutex_init(&server->lock, NULL);
		pthread_cond_init(&server->changed, NULL);
		sigset_t all, before;
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		*error = pthread_create(&server->watcher, NULL, watch, server);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		if (*error) {
			server_release(server);
		} else {
			pthread_mutex_lock(&server->lock);
			while (!server->has_spawned)
				pthread_cond_wait(&server->changed, &server->lock);
			pthread_mutex_unlock(&server->lock);
			*error = server->spawn_error;
			if (*error)
				pthread_join(server->watcher, NULL);
		}
		if (*error) {
			server_release(server);
			server = NULL;
		}
	}
	free(environment);
	close(control);
	close(memory);
	close(fd);
	return server;
}

static enum biarch_status launch(struct biarch_side *side, struct server **started)
{
	char pid[16], loader[4096], path[4096 * 4], biarch[4096];
	const char *arguments[9], **at = &arguments[2];
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	if (side->options.sysroot) {
		const char *root = side->options.sysroot;
		snprintf(loader, sizeof loader, "%s/" LOADER, root);
		snprintf(path, sizeof path, "%s/lib/" TRIPLET ":%s/usr/lib/" TRIPLET ":%s/lib:%s/usr/lib", root, root, root, root);
		*at++ = loader;
		*at++ = "--library-path";
		*at++ = path;
	}
	*at++ = side->program;
	*at++ = pid;
	*at = NULL;
	int error;
	*started = spawn(side, arguments + 2, &error);
	if (!*started && error == ENOEXEC) {
		/* A kernel without support for 32-bit programs. */
		arguments[0] = find_biarch(biarch, sizeof biarch);
		arguments[1] = "run";
		if (!arguments[0])
			return because(BIARCH_CANNOT_START, "this kernel runs no 32-bit programs, and there is no `biarch` to run them: put it on PATH, or set BIARCH");
		*started = spawn(side, arguments, &error);
	}
	if (*started)
		return BIARCH_OK;
	const char *first = arguments[2];
	if (error == ENOENT && !access(first, F_OK))
		return because(BIARCH_CANNOT_START, "%s needs the 32-bit loader /" LOADER ": apt-get install " LIBC ", or name a sysroot that has it", first);
	return because(BIARCH_CANNOT_START, "%s: %s", first, strerror(error));
}

static int is_mapped(struct biarch_side *side, uint32_t address, size_t size)
{
	if (!size || size > UINT32_MAX - address)
		return 0;
	for (uint32_t granule = address / BIARCH_GRANULE; granule <= (uint32_t)(address + size - 1) / BIARCH_GRANULE; granule++)
		if (!__atomic_load_n(&side->mapped[granule], __ATOMIC_RELAXED))
			return 0;
	return 1;
}

static void mark(struct biarch_side *side, uint32_t address, size_t size, uint8_t is)
{
	for (uint32_t granule = address / BIARCH_GRANULE; size; granule++, size -= BIARCH_GRANULE)
		__atomic_store_n(&side->mapped[granule], is, __ATOMIC_RELAXED);
}

/* Puts `size` bytes to an address that is free on both sides: shared memory, or the thunks, which only the server has. */
static enum biarch_status put(struct biarch_side *side, struct server *server, enum biarch_request request, uint32_t size, uint32_t *address)
{
	uint32_t step = 1u << 20, tried = 0;
	for (uint32_t at = side->next; tried < HIGHEST - LOWEST; tried += step, at += step) {
		if (at > HIGHEST - size)
			at = LOWEST;
		void *wanted = (void *)(uintptr_t)at;
		int flags = MAP_FIXED_NOREPLACE | MAP_NORESERVE, thunks = request == BIARCH_THUNK_PAGES;
		void *memory = thunks ? mmap(wanted, size, PROT_NONE, flags | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
			: mmap(wanted, size, PROT_READ | PROT_WRITE, flags | MAP_SHARED, side->memory_fd, at);
		if (memory == MAP_FAILED)
			continue;
		enum biarch_status status = BIARCH_NO_MEMORY;
		/* A server that is dead gets it when it is started again. */
		if (memory == wanted)
			status = server->dead ? GONE : ask(side, server, request, at, size, 0);
		if (status == BIARCH_OK || status == GONE) {
			side->next = at + ((size + step - 1) & ~(step - 1));
			*address = at;
			return BIARCH_OK;
		}
		munmap(memory, size);
	}
	return because(BIARCH_NO_MEMORY, "no %u bytes in one piece are free below 4 GiB on both sides", size);
}

/* A server with the library open and everything that the last one had. */
static enum biarch_status server_start(struct biarch_side *side, struct server **started)
{
	struct server *server;
	enum biarch_status status = launch(side, &server);
	if (status)
		return status;
	struct biarch_channel *first = &server->control->channels[0];
	/* What is mapped, in runs; the library last, for it takes what addresses are free. */
	if (side->thunks)
		status = ask(side, server, BIARCH_THUNK_PAGES, side->thunks, 0, 0);
	else
		status = put(side, server, BIARCH_THUNK_PAGES, BIARCH_THUNKS * BIARCH_THUNK, &side->thunks);
	for (uint32_t granule = 0; granule < sizeof side->mapped && !status; granule++) {
		uint32_t end = granule;
		while (end < sizeof side->mapped && side->mapped[end])
			end++;
		if (end != granule)
			status = ask(side, server, BIARCH_MAP, granule * BIARCH_GRANULE, (end - granule) * BIARCH_GRANULE, 0);
		granule = end;
	}
	if (!status) {
		snprintf((char *)first->words, sizeof first->words, "%s", side->options.library);
		status = ask(side, server, BIARCH_HELLO, 0, 0, 0);
		if (status == BIARCH_CANNOT_START)
			because(status, "%.*s", (int)sizeof first->words - 1, (char *)first->words);
	}
	if (server->control->server.layout != BIARCH_LAYOUT || server->control->server.width != 4
		|| server->control->server.size != sizeof *server->control)
		status = because(BIARCH_CANNOT_START, "%s is not of this version of biarch: `biarch bridge build` writes both anew", side->program);
	else if (status == GONE)
		ended(side, server, 0);
	if (!status) {
		uint32_t probe = 0;
		struct iovec here = {&probe, sizeof probe}, there = {(void *)(uintptr_t)server->control->server.probe, sizeof probe};
		server->kernel_moves = process_vm_readv(server->pid, &here, 1, &there, 1, 0) == sizeof probe && probe == server->control->client.probe;
		*started = server;
		return BIARCH_OK;
	}
	server_kill(server);
	pthread_join(server->watcher, NULL);
	server_release(server);
	return status == GONE ? BIARCH_CANNOT_START : status;
}

static void prepare(void)
{
	pthread_key_create(&links_key, links_end);
}

static void side_free(struct biarch_side *side)
{
	for (uint32_t granule = 0; granule < sizeof side->mapped; granule++)
		if (side->mapped[granule])
			munmap((void *)(uintptr_t)(granule * BIARCH_GRANULE), BIARCH_GRANULE);
	if (side->thunks)
		munmap((void *)(uintptr_t)side->thunks, BIARCH_THUNKS * BIARCH_THUNK);
	close(side->memory_fd);
	pthread_mutex_destroy(&side->lock);
	pthread_mutex_destroy(&side->restart_lock);
	free(side);
}

static enum biarch_status process_start(const struct biarch_options *options, struct biarch_side **started, char *why, size_t why_size)
{
	enum biarch_status status = BIARCH_NO_MEMORY;
	pthread_once(&once, prepare);
	struct biarch_side *side = calloc(1, sizeof *side);
	*biarch_why() = 0;
	if (side) {
		pthread_mutexattr_t recursive;
		pthread_mutexattr_init(&recursive);
		pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
		pthread_mutex_init(&side->lock, &recursive);
		pthread_mutex_init(&side->restart_lock, &recursive);
		pthread_mutexattr_destroy(&recursive);
		static atomic_uint_fast32_t sides;
		side->number = (uint32_t)atomic_fetch_add(&sides, 1);
		side->options = *options;
		side->restarts = options->restart;
		side->next = FIRST;
		side->first_spin = side->spin = biarch_spin_new();
		side->memory_fd = memfd_create("biarch-memory", MFD_CLOEXEC);
		if (options->server)
			snprintf(side->program, sizeof side->program, "%s", options->server);
		else if (!beside("biarch-server-" MACHINE, side->program, sizeof side->program))
			status = because(BIARCH_CANNOT_START, "there is no %s: `biarch bridge build` writes it beside the runtime", side->program);
		if (side->memory_fd < 0 || ftruncate(side->memory_fd, (off_t)1 << 32))
			status = because(BIARCH_CANNOT_START, "memfd_create(2): %s", strerror(errno));
		else if (status != BIARCH_CANNOT_START) {
			struct server *server;
			status = server_start(side, &server);
			if (!status) {
				side->server = server;
				*started = side;
				return BIARCH_OK;
			}
		}
		side_free(side);
	}
	snprintf(why, why_size, "%s", biarch_why());
	return status;
}

static void process_stop(struct biarch_side *side)
{
	struct server *server = side->server;
	pthread_mutex_lock(&side->lock);
	ask(side, server, BIARCH_EXIT, 0, 0, 0);
	pthread_mutex_unlock(&side->lock);
	pthread_join(server->watcher, NULL);
	for (uint32_t visitors; (visitors = __atomic_load_n(&side->visitors, __ATOMIC_ACQUIRE));)
		biarch_futex_wait(&side->visitors, visitors);
	for (struct link *link = links, *next; link; link = next) {
		next = link->next;
		if (link->server == server)
			link_free(link);
	}
	server_release(server);
	side_free(side);
}

static void process_at_exit(struct biarch_side *side)
{
	struct server *server = side->server;
	server->exiting = 1;
	if (pthread_mutex_trylock(&side->lock))
		return;
	ask(side, server, BIARCH_EXIT, 0, 0, 0);
	pthread_mutex_unlock(&side->lock);
}

/* The server, alive where that can be had; to be released. */
static struct server *server_get(struct biarch_side *side, enum biarch_status *status)
{
	pthread_mutex_lock(&side->restart_lock);
	struct server *server = side->server;
	*status = BIARCH_OK;
	if (server->dead && !side->restarts) {
		*status = ended(side, server, 0);
	} else if (server->dead) {
		struct server *anew;
		side->restarts--;
		pthread_mutex_lock(&side->lock);
		*status = server_start(side, &anew);
		if (!*status)
			side->server = anew;
		int visited = side->visited;
		pthread_mutex_unlock(&side->lock);
		if (!*status) {
			pthread_join(server->watcher, NULL);
			server_release(server);
			server = anew;
			*status = biarch_restarted(side);
			if (*status) {
				side->restarts = 0;
				server_kill(server);
				because(*status, "after a restart its functions are at other addresses than before");
			} else if (visited) {
				visitor_start(side, server);
			}
		}
	}
	if (!*status)
		atomic_fetch_add(&server->references, 1);
	pthread_mutex_unlock(&side->restart_lock);
	return *status ? NULL : server;
}

static struct link *link_new(struct biarch_side *side, enum biarch_status *status)
{
	for (struct link *link = links, *next; link; link = next) {
		next = link->next;
		/* What the library knew is gone: each thread is told so once, before it goes on with another server. */
		if (link->server->dead && link->server->side == side->number && !link->told) {
			link->told = 1;
			*status = ended(side, link->server, 0);
			return NULL;
		}
		if (link->server->dead && !link->depth)
			link_free(link);
	}
	struct server *server = server_get(side, status);
	if (!server)
		return NULL;
	struct biarch_channel *channel = channel_new(server, BIARCH_CLIENT);
	struct link *link = channel ? link_add(side, server, channel) : NULL;
	if (link) {
		pthread_mutex_lock(&side->lock);
		*status = ask(side, server, BIARCH_THREAD, (uint32_t)(channel - server->control->channels), 0, 0);
		pthread_mutex_unlock(&side->lock);
		if (*status)
			link_free(link);
		else
			pthread_setspecific(links_key, &links);
	} else {
		*status = server->dead ? GONE : BIARCH_NO_MEMORY;
	}
	if (*status && channel)
		channel_free(server, channel);
	if (*status == GONE)
		*status = ended(side, server, 0);
	else if (*status)
		because(*status, "the server cannot have one more thread: there are at most %d", BIARCH_CHANNELS - 1);
	server_release(server);
	return *status ? NULL : link;
}

static inline struct link *link_of(struct biarch_side *side, enum biarch_status *status)
{
	struct server *server = atomic_load_explicit(&side->server, memory_order_acquire);
	for (struct link *link = links; link; link = link->next)
		if (link->server == server && !server->dead)
			return link;
	return link_new(side, status);
}

/* --- the row --- */

static enum biarch_status process_symbol(struct biarch_side *side, const char *name, const char *version, biarch_address *address)
{
	enum biarch_status status;
	struct server *server = server_get(side, &status);
	size_t size = strlen(name) + 1, version_size = version ? strlen(version) + 1 : 1;
	if (!server)
		return status;
	if (size + version_size > sizeof server->control->channels[0].words) {
		server_release(server);
		return because(BIARCH_NO_SYMBOL, "its name is too long");
	}
	pthread_mutex_lock(&side->lock);
	struct biarch_channel *channel = &server->control->channels[0];
	memcpy(channel->words, name, size);
	memcpy((char *)channel->words + size, version ? version : "", version_size);
	status = ask(side, server, BIARCH_SYMBOL, 0, 0, 0);
	*address = channel->address;
	if (status == BIARCH_NO_SYMBOL)
		because(status, "%.*s", (int)sizeof channel->words - 1, (char *)channel->words);
	pthread_mutex_unlock(&side->lock);
	if (status == GONE)
		status = ended(side, server, 0);
	server_release(server);
	return status;
}

/* Whether there is room to note one more call of the thread; those it has left by longjmp(3) end. */
static int enter(struct link *link, const void *frame)
{
	while (link->depth && biarch_left(link->levels[link->depth - 1].frame, frame))
		link->depth--;
	if (link->depth == link->size) {
		uint32_t size = link->size ? link->size * 2 : 8;
		struct level *levels = realloc(link->levels, size * sizeof *levels);
		if (!levels)
			return 0;
		link->levels = levels;
		link->size = size;
	}
	link->channel->depth = link->depth;
	link->levels[link->depth++] = (struct level){frame, NULL};
	return 1;
}

static enum biarch_status process_call(struct biarch_side *side, biarch_address function, const uint32_t *words, unsigned count,
	enum biarch_result_kind kind, struct biarch_result *result)
{
	int error = errno;
	enum biarch_status status;
	struct link *link = link_of(side, &status);
	if (!link)
		return status;
	if (count > BIARCH_WORDS)
		return because(BIARCH_UNSUPPORTED, "%u words of arguments; there is room for %d", count, BIARCH_WORDS);
	if (!enter(link, &status))
		return BIARCH_NO_MEMORY;
	struct biarch_channel *channel = link->channel;
	channel->request = BIARCH_CALL;
	channel->address = function;
	channel->count = count;
	channel->kind = kind;
	channel->error = (uint32_t)error;
	if (count)
		memcpy(channel->words, words, count * 4);
	status = converse_in_call(side, link);
	link->depth--;
	link->told = status == GONE;
	if (status)
		return status == GONE ? ended(side, link->server, function)
			: because(status, "the program has left a callback of this call by other means than longjmp(3) on one stack");
	errno = (int)channel->error;
	result->eax = channel->words[BIARCH_WORD_EAX];
	result->edx = channel->words[BIARCH_WORD_EDX];
#ifdef __x86_64__
	if (kind == BIARCH_ST0)
		memcpy(&result->st0, &channel->words[BIARCH_WORD_ST0], 10);
#endif
	return BIARCH_OK;
}

static enum biarch_status process_map(struct biarch_side *side, size_t size, void **memory, biarch_address *address)
{
	size_t rounded = (size + BIARCH_GRANULE - 1) & ~(size_t)(BIARCH_GRANULE - 1);
	if (rounded > HIGHEST - LOWEST)
		return because(BIARCH_NO_MEMORY, "%zu bytes", size);
	pthread_mutex_lock(&side->lock);
	enum biarch_status status = put(side, side->server, BIARCH_MAP, (uint32_t)rounded, address);
	if (!status) {
		mark(side, *address, rounded, 1);
		*memory = (void *)(uintptr_t)*address;
	}
	pthread_mutex_unlock(&side->lock);
	return status;
}

static void process_unmap(struct biarch_side *side, void *memory, size_t size)
{
	size_t rounded = (size + BIARCH_GRANULE - 1) & ~(size_t)(BIARCH_GRANULE - 1);
	uint32_t address = (uint32_t)(uintptr_t)memory;
	pthread_mutex_lock(&side->lock);
	mark(side, address, rounded, 0);
	if (!side->server->dead)
		ask(side, side->server, BIARCH_UNMAP, address, (uint32_t)rounded, 0);
	munmap(memory, rounded);
	/* The next mapping there is zeroed. */
	fallocate(side->memory_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, address, (off_t)rounded);
	pthread_mutex_unlock(&side->lock);
}

static void *process_visible(struct biarch_side *side, biarch_address address, size_t size)
{
	return is_mapped(side, address, size) ? (void *)(uintptr_t)address : NULL;
}

static biarch_address process_shared(struct biarch_side *side, const void *memory, size_t size)
{
	uintptr_t address = (uintptr_t)memory;
	return address < HIGHEST && is_mapped(side, (uint32_t)address, size) ? (biarch_address)address : 0;
}

/* Memory of the server only: by the kernel, or, where that must not or the server is in an emulator, by the server. */
static enum biarch_status move(struct biarch_side *side, biarch_address address, void *own, size_t size, int write)
{
	enum biarch_status status;
	struct link *link = link_of(side, &status);
	if (!link)
		return status;
	if (size > UINT32_MAX - address)
		return because(BIARCH_BAD_ADDRESS, "%zu bytes at 0x%x end above 4 GiB", size, address);
	struct server *server = link->server;
	if (server->kernel_moves) {
		struct iovec here = {own, size}, there = {(void *)(uintptr_t)address, size};
		ssize_t done = write ? process_vm_writev(server->pid, &here, 1, &there, 1, 0) : process_vm_readv(server->pid, &here, 1, &there, 1, 0);
		if (done == (ssize_t)size)
			return BIARCH_OK;
		if (done < 0 && errno == ESRCH) {
			pthread_mutex_lock(&server->lock);
			while (!server->dead)
				pthread_cond_wait(&server->changed, &server->lock);
			pthread_mutex_unlock(&server->lock);
			link->told = 1;
			return ended(side, server, 0);
		}
		return because(BIARCH_BAD_ADDRESS, "%zu bytes at 0x%x are not all there", size, address);
	}
	struct biarch_channel *channel = link->channel;
	for (size_t done = 0, part; done < size; done += part) {
		part = size - done < sizeof channel->words ? size - done : sizeof channel->words;
		if (!enter(link, &status))
			return BIARCH_NO_MEMORY;
		channel->request = write ? BIARCH_WRITE : BIARCH_READ;
		channel->address = address + (uint32_t)done;
		channel->count = (uint32_t)part;
		if (write)
			memcpy(channel->words, (char *)own + done, part);
		status = converse(side, link, 0);
		link->depth--;
		link->told = status == GONE;
		if (status)
			return status == GONE ? ended(side, server, 0) : because(status, "%zu bytes at 0x%x are not all there", size, address);
		if (!write)
			memcpy((char *)own + done, channel->words, part);
	}
	return BIARCH_OK;
}

static enum biarch_status process_read(struct biarch_side *side, biarch_address from, void *to, size_t size)
{
	if (!is_mapped(side, from, size))
		return move(side, from, to, size, 0);
	memcpy(to, (void *)(uintptr_t)from, size);
	return BIARCH_OK;
}

static enum biarch_status process_write(struct biarch_side *side, biarch_address to, const void *from, size_t size)
{
	if (!is_mapped(side, to, size))
		return move(side, to, (void *)(uintptr_t)from, size, 1);
	memcpy((void *)(uintptr_t)to, from, size);
	return BIARCH_OK;
}

static enum biarch_status process_callback(struct biarch_side *side, uint32_t number, unsigned count, enum biarch_result_kind kind,
	biarch_address *address)
{
	if (number >= BIARCH_THUNKS || count > BIARCH_WORDS)
		return because(BIARCH_UNSUPPORTED, "callback %u with %u words", number, count);
	*address = side->thunks + number * BIARCH_THUNK;
	pthread_mutex_lock(&side->lock);
	struct server *server = side->server;
	/* A server that is dead is told when it is started again, as of memory. */
	enum biarch_status status = server->dead ? GONE : ask(side, server, BIARCH_CALLBACK, number, count, kind);
	if (!side->visited && !status) {
		side->visited = 1;
		visitor_start(side, server);
	}
	pthread_mutex_unlock(&side->lock);
	return status == GONE ? BIARCH_OK : status;
}

/* Its number is given to another one. */
static void process_callback_drop(struct biarch_side *side, biarch_address address)
{
	(void)side;
	(void)address;
}

const struct biarch_transport biarch_process = {
	.name = "process",
	.survives_fork = 0,
	.start = process_start,
	.stop = process_stop,
	.at_exit = process_at_exit,
	.symbol = process_symbol,
	.call = process_call,
	.map = process_map,
	.unmap = process_unmap,
	.read = process_read,
	.write = process_write,
	.visible = process_visible,
	.shared = process_shared,
	.callback = process_callback,
	.callback_drop = process_callback_drop,
	.why = process_why,
};
