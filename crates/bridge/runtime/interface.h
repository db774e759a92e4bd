/* What the client and the server of an interface run on: included by the C source that `biarch bridge build` writes for each, compiled for any word size.
 *
 * A message has every number in 64 bits if its size depends on the architecture, every pointer as what is behind it, and no padding: nothing in it
 * depends on who has written it. A number that does not fit on the other side is an error there, which the caller gets.
 *
 * A thread of a client has a connection of its own: a socket, which tells of the other side's end, and memory with one channel and the message. What a
 * server is given is copied before it is looked at, for the client could change it meanwhile, and is checked in full.
 */
#ifndef BIARCH_INTERFACE_H
#define BIARCH_INTERFACE_H

#include "channel.h"
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* An interface may need only a part. */
#pragma GCC diagnostic ignored "-Wunused-function"
#if __GNUC__ >= 11 && !defined(__clang__)
/* Parameters that the header declares as arrays are pointers here. */
#pragma GCC diagnostic ignored "-Warray-parameter"
#endif

/* Of all that both sides must agree on, besides the functions. */
#define IPC_VERSION 1u
#define IPC_MAGIC 0xb1a2c401u
#define IPC_LARGEST ((size_t)256 << 20) /* bytes of a message, and of what a request makes the server allocate */
#define IPC_DEEPEST 1000                /* structures behind pointers of one another */
#define IPC_ALIGN 16u
#define IPC_TEXT 256

/* What a pointer is for. */
enum {
	IPC_IN = 1,   /* the server reads what is there */
	IPC_OUT = 2,  /* and writes it */
	IPC_ZERO = 4, /* what is there ends with an element that is zero */
	IPC_NOT_NULL = 16,
};

/* A length that is less than zero: many functions take it for that of a string which ends with a NUL. */
#define IPC_NEGATIVE SIZE_MAX

struct ipc_interface {
	const char *name;
	const char *socket; /* a path; with @ in front a name in the abstract namespace, unix(7) */
	uint64_t hash;      /* of the functions and types */
	unsigned functions;
};

/* Both sides say this first, on the socket. */
struct ipc_hello {
	uint32_t magic, version, width, error;
	uint64_t hash;
};

/* Memory that is given back as a whole. */
struct ipc_arena {
	struct ipc_block {
		struct ipc_block *next;
		size_t size, used;
	} *blocks;
};

/* A pointer of a request, for the reply, in which the same pointers come in the same order. */
struct ipc_trail {
	void *pointer;
	size_t count, next; /* `next`: the first one that is not behind it */
};

struct ipc_connection {
	struct ipc_connection *next;
	uint64_t number; /* of no other connection of this process */
	int socket, memory;
	struct biarch_channel *channel; /* the first page of the memory */
	char *message;                  /* what follows */
	size_t mapped;                  /* bytes of that */
	struct biarch_spin spin;
	pid_t pid; /* the other side */
	uid_t uid;
	gid_t gid;
	uint32_t width;
	unsigned generation; /* of the process that it was made in */
	bool ended;          /* and the thread has been told */
	char *copy;          /* of a request, the server's own */
	size_t copy_size;
	struct ipc_trail *trail;
	size_t trail_size;
	struct ipc_arena arena;
};

/* One call, on either side. */
struct ipc_call {
	const struct ipc_interface *interface;
	struct ipc_connection *connection;
	const char *function, *argument;
	const char *in, *in_start, *in_end;
	size_t out; /* bytes written to connection->message */
	size_t trail_count, trail_at;
	size_t allocated;
	unsigned depth;
	int error; /* 0, or an errno */
	char text[IPC_TEXT];
};

/* The elements behind a pointer that are converted now. */
struct ipc_step {
	size_t count, trail;
};

/* ---- errors ---- */

static void ipc_fail(struct ipc_call *call, int error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void ipc_fail(struct ipc_call *call, int error, const char *format, ...)
{
	va_list values;
	if (call->error)
		return;
	call->error = error;
	int length = snprintf(call->text, sizeof call->text, "%s%s%s: ", call->function, call->argument ? ", " : "", call->argument ? call->argument : "");
	va_start(values, format);
	if (length >= 0 && (size_t)length < sizeof call->text)
		vsnprintf(call->text + length, sizeof call->text - (size_t)length, format, values);
	va_end(values);
}

/* ---- memory ---- */

static void *ipc_allocate(struct ipc_call *call, size_t size)
{
	struct ipc_arena *arena = &call->connection->arena;
	const size_t head = (sizeof(struct ipc_block) + IPC_ALIGN - 1) / IPC_ALIGN * IPC_ALIGN;
	call->allocated += size;
	if (size > IPC_LARGEST || call->allocated > IPC_LARGEST) {
		ipc_fail(call, EMSGSIZE, "more than %zu bytes for one call", IPC_LARGEST);
		return NULL;
	}
	/* Even nothing has an address. */
	size = (size + !size + IPC_ALIGN - 1) / IPC_ALIGN * IPC_ALIGN;
	struct ipc_block *block = arena->blocks;
	if (!block || block->size - block->used < size) {
		size_t room = size > 65536 ? size : 65536;
		if (!(block = malloc(head + room))) {
			ipc_fail(call, ENOMEM, "no memory for %zu bytes", size);
			return NULL;
		}
		*block = (struct ipc_block){arena->blocks, room, 0};
		arena->blocks = block;
	}
	void *memory = (char *)block + head + block->used;
	block->used += size;
	return memset(memory, 0, size);
}

/* All but one block, which is kept for the next time. */
static void ipc_arena_reset(struct ipc_arena *arena, bool whole)
{
	struct ipc_block *block = arena->blocks;
	while (block && (whole || block->next)) {
		struct ipc_block *next = block->next;
		free(block);
		block = next;
	}
	if (block)
		block->used = 0;
	arena->blocks = block;
}

/* ---- connections, and their end ---- */

static pthread_mutex_t ipc_lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static struct ipc_connection *ipc_connections;
static uint64_t ipc_number;
static int ipc_epoll = -1;
static unsigned ipc_generation;

/* Marks a connection whose other side has gone, and wakes who waits for it. */
static void *ipc_watch(void *unused)
{
	(void)unused;
	for (;;) {
		struct epoll_event event;
		pthread_mutex_lock(&ipc_lock);
		int epoll = ipc_epoll;
		pthread_mutex_unlock(&ipc_lock);
		if (epoll_wait(epoll, &event, 1, -1) != 1)
			continue;
		pthread_mutex_lock(&ipc_lock);
		for (struct ipc_connection *one = ipc_connections; one; one = one->next)
			if (one->number == event.data.u64) {
				epoll_ctl(epoll, EPOLL_CTL_DEL, one->socket, NULL);
				__atomic_fetch_or(&one->channel->turn, BIARCH_DEAD, __ATOMIC_ACQ_REL);
				biarch_futex_wake(&one->channel->turn, 1 << 30);
			}
		pthread_mutex_unlock(&ipc_lock);
	}
	return NULL;
}

static void ipc_before_fork(void)
{
	pthread_mutex_lock(&ipc_lock);
}

static void ipc_after_fork(void)
{
	pthread_mutex_unlock(&ipc_lock);
}

/* The connections are the parent's, and nobody watches here. */
static void ipc_in_child(void)
{
	if (ipc_epoll >= 0)
		close(ipc_epoll);
	ipc_epoll = -1;
	ipc_connections = NULL;
	ipc_generation++;
	pthread_mutex_unlock(&ipc_lock);
}

static void ipc_prepare(void)
{
	pthread_atfork(ipc_before_fork, ipc_after_fork, ipc_in_child);
}

/* A thread that gets no signals and that nobody waits for; 0, or an errno. */
static int ipc_thread(void *(*function)(void *), void *argument)
{
	pthread_t made;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&made, NULL, function, argument);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		pthread_detach(made);
	return error;
}

static void ipc_connection_free(struct ipc_connection *connection)
{
	pthread_mutex_lock(&ipc_lock);
	struct ipc_connection **at = &ipc_connections;
	while (*at && *at != connection)
		at = &(*at)->next;
	if (*at) {
		*at = connection->next;
		epoll_ctl(ipc_epoll, EPOLL_CTL_DEL, connection->socket, NULL);
	}
	pthread_mutex_unlock(&ipc_lock);
	if (connection->channel)
		munmap(connection->channel, BIARCH_CHANNEL_SIZE);
	if (connection->message)
		munmap(connection->message, connection->mapped);
	if (connection->socket >= 0)
		close(connection->socket);
	if (connection->memory >= 0)
		close(connection->memory);
	ipc_arena_reset(&connection->arena, true);
	free(connection->copy);
	free(connection->trail);
	free(connection);
}

/* Maps the memory, and has the socket watched; 0, or an errno. */
static int ipc_connection_open(struct ipc_connection *connection)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	struct stat memory;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, ipc_prepare);
	if (fstat(connection->memory, &memory))
		return errno;
	if (memory.st_size <= BIARCH_CHANNEL_SIZE || (uint64_t)memory.st_size > IPC_LARGEST + BIARCH_CHANNEL_SIZE)
		return EPROTO;
	size_t rest = (size_t)memory.st_size - BIARCH_CHANNEL_SIZE;
	void *channel = mmap(NULL, BIARCH_CHANNEL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, connection->memory, 0);
	void *message = mmap(NULL, rest, PROT_READ | PROT_WRITE, MAP_SHARED, connection->memory, BIARCH_CHANNEL_SIZE);
	connection->channel = channel == MAP_FAILED ? NULL : channel;
	connection->message = message == MAP_FAILED ? NULL : message;
	connection->mapped = rest;
	if (!connection->channel || !connection->message)
		return ENOMEM;
	if (!getsockopt(connection->socket, SOL_SOCKET, SO_PEERCRED, &peer, &size)) {
		connection->pid = peer.pid;
		connection->uid = peer.uid;
		connection->gid = peer.gid;
	}
	connection->spin = biarch_spin_new();
	int error = 0;
	pthread_mutex_lock(&ipc_lock);
	connection->generation = ipc_generation;
	if (ipc_epoll < 0) {
		ipc_epoll = epoll_create1(EPOLL_CLOEXEC);
		error = ipc_epoll < 0 ? errno : ipc_thread(ipc_watch, NULL);
		if (error && ipc_epoll >= 0) {
			close(ipc_epoll);
			ipc_epoll = -1;
		}
	}
	if (!error) {
		struct epoll_event event = {.events = EPOLLRDHUP, .data.u64 = connection->number = ++ipc_number};
		connection->next = ipc_connections;
		ipc_connections = connection;
		if (epoll_ctl(ipc_epoll, EPOLL_CTL_ADD, connection->socket, &event))
			error = errno;
	}
	pthread_mutex_unlock(&ipc_lock);
	return error;
}

static struct ipc_connection *ipc_connection_new(int socket)
{
	struct ipc_connection *connection = calloc(1, sizeof *connection);
	if (connection) {
		connection->socket = socket;
		connection->memory = -1;
	}
	return connection;
}

/* `@name` and paths; 0 where it is too long. */
static socklen_t ipc_address(const char *path, struct sockaddr_un *address)
{
	size_t length = strlen(path);
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (!length || length >= sizeof address->sun_path)
		return 0;
	memcpy(address->sun_path, path, length);
	if (*path != '@')
		return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
	address->sun_path[0] = 0;
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

/* A stream of bytes, whole; 0 where the other side has gone, or says nothing. `descriptor` comes with the first byte. */
static bool ipc_receive_hello(int socket, struct ipc_hello *hello, int *descriptor)
{
	for (size_t done = 0; done < sizeof *hello;) {
		union {
			struct cmsghdr header;
			char bytes[CMSG_SPACE(sizeof(int))];
		} control;
		struct iovec into = {(char *)hello + done, sizeof *hello - done};
		struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1};
		if (descriptor) {
			message.msg_control = &control;
			message.msg_controllen = sizeof control;
		}
		ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		struct cmsghdr *with = descriptor ? CMSG_FIRSTHDR(&message) : NULL;
		if (with && with->cmsg_level == SOL_SOCKET && with->cmsg_type == SCM_RIGHTS && *descriptor < 0)
			memcpy(descriptor, CMSG_DATA(with), sizeof *descriptor);
		done += (size_t)got;
	}
	return true;
}

static bool ipc_send_hello(int socket, const struct ipc_hello *hello, int descriptor)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec from = {(void *)(uintptr_t)hello, sizeof *hello};
	struct msghdr message = {.msg_iov = &from, .msg_iovlen = 1};
	if (descriptor >= 0) {
		memset(&control, 0, sizeof control);
		message.msg_control = &control;
		message.msg_controllen = sizeof control;
		struct cmsghdr *with = CMSG_FIRSTHDR(&message);
		with->cmsg_level = SOL_SOCKET;
		with->cmsg_type = SCM_RIGHTS;
		with->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(with), &descriptor, sizeof descriptor);
	}
	/* So little is taken whole. */
	ssize_t sent;
	do
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof *hello;
}

/* ---- messages ---- */

/* Maps as much of the message as `size` bytes are, and makes it as long first where it is this side that writes; 0, or an errno. */
static int ipc_map(struct ipc_connection *connection, size_t size, bool make)
{
	struct stat memory;
	size_t want = connection->mapped;
	if (size <= connection->mapped)
		return 0;
	if (size > IPC_LARGEST)
		return EMSGSIZE;
	while (want < size)
		want *= 2;
	if (want > IPC_LARGEST)
		want = IPC_LARGEST;
	if (make && ftruncate(connection->memory, (off_t)(want + BIARCH_CHANNEL_SIZE)))
		return ENOMEM;
	/* It never gets shorter, for it is sealed. */
	if (fstat(connection->memory, &memory))
		return errno;
	if ((uint64_t)memory.st_size < BIARCH_CHANNEL_SIZE + size)
		return EPROTO;
	want = (uint64_t)memory.st_size - BIARCH_CHANNEL_SIZE < want ? (size_t)memory.st_size - BIARCH_CHANNEL_SIZE : want;
	void *at = mremap(connection->message, connection->mapped, want, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		return ENOMEM;
	connection->message = at;
	connection->mapped = want;
	return 0;
}

static void *ipc_room(struct ipc_call *call, size_t size)
{
	if (call->error)
		return NULL;
	int error = size > IPC_LARGEST - call->out ? EMSGSIZE : ipc_map(call->connection, call->out + size, true);
	if (error) {
		ipc_fail(call, error, error == EMSGSIZE ? "more than 256 MiB for one call" : "no memory for the message");
		return NULL;
	}
	call->out += size;
	return call->connection->message + call->out - size;
}

static void ipc_put(struct ipc_call *call, const void *from, size_t size)
{
	void *to = ipc_room(call, size);
	if (to)
		memcpy(to, from, size);
}

static void ipc_put_word(struct ipc_call *call, size_t word)
{
	uint32_t value = (uint32_t)word;
	ipc_put(call, &value, sizeof value);
}

/* The next `size` bytes of what has come. */
static const void *ipc_next(struct ipc_call *call, size_t size)
{
	if (call->error)
		return NULL;
	if (size > (size_t)(call->in_end - call->in)) {
		ipc_fail(call, EPROTO, "the message ends too early");
		return NULL;
	}
	call->in += size;
	return call->in - size;
}

static void ipc_get(struct ipc_call *call, void *to, size_t size)
{
	const void *from = ipc_next(call, size);
	if (from)
		memcpy(to, from, size);
	else
		memset(to, 0, size);
}

static size_t ipc_get_word(struct ipc_call *call)
{
	uint32_t value;
	ipc_get(call, &value, sizeof value);
	return value;
}

static void ipc_put_align(struct ipc_call *call)
{
	char *room = ipc_room(call, -call->out % IPC_ALIGN);
	(void)room;
}

static void ipc_get_align(struct ipc_call *call)
{
	ipc_next(call, -(size_t)(call->in - call->in_start) % IPC_ALIGN);
}

/* Numbers of another size elsewhere: 64 bits on the way. */
static void ipc_put_integer(struct ipc_call *call, const void *from, size_t size, bool is_signed)
{
	uint64_t value = 0;
	memcpy(&value, from, size);
	if (is_signed && size < 8)
		value = (uint64_t)((int64_t)(value << (64 - size * 8)) >> (64 - size * 8));
	ipc_put(call, &value, sizeof value);
}

static void ipc_get_integer(struct ipc_call *call, void *to, size_t size, bool is_signed)
{
	uint64_t value;
	ipc_get(call, &value, sizeof value);
	if (size < 8) {
		uint64_t half = (uint64_t)1 << (size * 8 - 1);
		if (is_signed && value + half >= half * 2)
			ipc_fail(call, EOVERFLOW, "%lld does not fit into %zu bits", (long long)value, size * 8);
		else if (!is_signed && value >= half * 2)
			ipc_fail(call, EOVERFLOW, "%llu does not fit into %zu bits", (unsigned long long)value, size * 8);
	}
	memcpy(to, &value, size);
}

/* `long double` has 53, 64 or 113 bits, by the architecture: sign and exponent, and 128 bits of the fraction. Rounded where there are fewer. */
enum { IPC_FINITE, IPC_INFINITE, IPC_NO_NUMBER };
struct ipc_long_double {
	uint64_t fraction[2];
	int32_t exponent;
	uint16_t kind, is_negative;
};

static void ipc_put_long_double(struct ipc_call *call, const void *from)
{
	long double value;
	int exponent = 0;
	memcpy(&value, from, sizeof value);
	struct ipc_long_double sent = {.kind = isnan(value) ? IPC_NO_NUMBER : isinf(value) ? IPC_INFINITE : IPC_FINITE, .is_negative = signbit(value) != 0};
	if (sent.kind == IPC_FINITE) {
		long double rest = ldexpl(frexpl(sent.is_negative ? -value : value, &exponent), 64);
		sent.fraction[0] = (uint64_t)rest;
		sent.fraction[1] = (uint64_t)ldexpl(rest - (long double)sent.fraction[0], 64);
	}
	sent.exponent = exponent;
	ipc_put(call, &sent, sizeof sent);
}

static void ipc_get_long_double(struct ipc_call *call, void *to)
{
	struct ipc_long_double sent;
	ipc_get(call, &sent, sizeof sent);
	long double value = (long double)sent.fraction[0] + ldexpl((long double)sent.fraction[1], -64);
	value = sent.kind == IPC_NO_NUMBER ? NAN : sent.kind == IPC_INFINITE ? INFINITY : ldexpl(value, sent.exponent - 64);
	if (sent.kind == IPC_FINITE && isinf(value))
		ipc_fail(call, EOVERFLOW, "it is larger than a long double here");
	value = sent.is_negative ? -value : value;
	memcpy(to, &value, sizeof value);
}

/* A number of elements, from an expression of the annotation file. */
static size_t ipc_count(struct ipc_call *call, long double count)
{
	if (count > (long double)IPC_LARGEST) {
		ipc_fail(call, EMSGSIZE, "its length is more than %zu", IPC_LARGEST);
		return 0;
	}
	return count < 0 ? IPC_NEGATIVE : (size_t)count;
}

/* Less than nothing is what functions return after an error. */
static size_t ipc_written(size_t count)
{
	return count == IPC_NEGATIVE ? 0 : count;
}

static bool ipc_enter(struct ipc_call *call)
{
	if (++call->depth > IPC_DEEPEST)
		ipc_fail(call, ELOOP, "more than %d structures behind one another, or one that leads to itself", IPC_DEEPEST);
	return !call->error;
}

static bool ipc_is_zero(const char *memory, size_t size)
{
	while (size && !*memory)
		memory++, size--;
	return !size;
}

/* The number of elements before one that is zero, and that. */
static size_t ipc_elements(const void *memory, size_t size)
{
	size_t count = 0;
	if (size == 1)
		return strlen(memory) + 1;
	while (count < IPC_LARGEST / size && !ipc_is_zero((const char *)memory + count * size, size))
		count++;
	return count + 1;
}

/* ---- pointers: ask → take → answer → receive ---- */

static struct ipc_step ipc_trail_add(struct ipc_call *call, void *pointer, size_t count)
{
	struct ipc_connection *connection = call->connection;
	if (call->trail_count == connection->trail_size) {
		size_t size = connection->trail_size ? connection->trail_size * 2 : 64;
		struct ipc_trail *trail = realloc(connection->trail, size * sizeof *trail);
		if (!trail) {
			ipc_fail(call, ENOMEM, "no memory for %zu pointers", size);
			return (struct ipc_step){0, 0};
		}
		connection->trail = trail;
		connection->trail_size = size;
	}
	connection->trail[call->trail_count] = (struct ipc_trail){pointer, count, call->trail_count + 1};
	return (struct ipc_step){0, call->trail_count++};
}

/* All that is behind the pointer of the request has been seen. */
static void ipc_close(struct ipc_call *call, struct ipc_step step)
{
	if (!call->error)
		call->connection->trail[step.trail].next = call->trail_count;
}

static void ipc_reclose(struct ipc_call *call, struct ipc_step step)
{
	if (!call->error && step.trail != SIZE_MAX)
		call->trail_at = call->connection->trail[step.trail].next;
}

static size_t ipc_real_count(struct ipc_call *call, const void *pointer, size_t element, size_t count, unsigned flags)
{
	if (!pointer)
		return 0;
	if (flags & IPC_ZERO || count == IPC_NEGATIVE) {
		if (!(flags & IPC_ZERO) && (element != 1 || !(flags & IPC_IN))) {
			ipc_fail(call, EINVAL, "its length is less than zero");
			return 0;
		}
		count = ipc_elements(pointer, element);
	}
	if (count > IPC_LARGEST / element) {
		ipc_fail(call, EMSGSIZE, "more than %zu bytes for one call", IPC_LARGEST);
		return 0;
	}
	return count;
}

static struct ipc_step ipc_ask_pointer(struct ipc_call *call, const void *at, size_t element, size_t count, unsigned flags)
{
	void *pointer;
	memcpy(&pointer, at, sizeof pointer);
	if (!pointer && flags & IPC_NOT_NULL)
		ipc_fail(call, EINVAL, "it must not be NULL");
	count = ipc_real_count(call, pointer, element, count, flags);
	struct ipc_step step = ipc_trail_add(call, pointer, count);
	ipc_put_word(call, pointer != NULL);
	if (pointer)
		ipc_put_word(call, count);
	step.count = flags & IPC_IN && !call->error ? count : 0;
	return step;
}

static void ipc_ask_bytes(struct ipc_call *call, const void *at, size_t element, size_t count, unsigned flags)
{
	void *pointer;
	memcpy(&pointer, at, sizeof pointer);
	struct ipc_step step = ipc_ask_pointer(call, at, element, count, flags);
	if (step.count) {
		ipc_put_align(call);
		ipc_put(call, pointer, step.count * element);
	}
}

/* What a request says of a pointer: whether it is there; `count` elements, as many as `expected` says. */
static bool ipc_take_header(struct ipc_call *call, size_t element, size_t expected, unsigned flags, size_t *count)
{
	*count = 0;
	if (!ipc_get_word(call)) {
		if (flags & IPC_NOT_NULL)
			ipc_fail(call, EINVAL, "it must not be NULL");
		return false;
	}
	*count = ipc_get_word(call);
	bool ends = flags & IPC_ZERO || expected == IPC_NEGATIVE;
	if ((ends ? !*count : *count != expected) || *count > IPC_LARGEST / element)
		ipc_fail(call, EPROTO, "the message has %zu elements, which is not its length", *count);
	return !call->error;
}

static struct ipc_step ipc_take_pointer(struct ipc_call *call, void *at, size_t element, size_t expected, unsigned flags)
{
	size_t count;
	void *pointer = NULL;
	if (ipc_take_header(call, element, expected, flags, &count)) {
		/* Each element that comes has a word at least. */
		if (flags & IPC_IN && count > (size_t)(call->in_end - call->in) / 4)
			ipc_fail(call, EPROTO, "the message ends too early");
		else
			pointer = ipc_allocate(call, count * element);
	}
	memcpy(at, &pointer, sizeof pointer);
	struct ipc_step step = ipc_trail_add(call, pointer, count);
	step.count = flags & IPC_IN && !call->error ? count : 0;
	return step;
}

static void ipc_take_bytes(struct ipc_call *call, void *at, size_t element, size_t expected, unsigned flags)
{
	size_t count;
	void *pointer = NULL;
	if (ipc_take_header(call, element, expected, flags, &count)) {
		if (flags & IPC_IN && count) {
			/* The copy of the message is the server's own to write to. */
			ipc_get_align(call);
			pointer = (void *)(uintptr_t)ipc_next(call, count * element);
		} else {
			pointer = ipc_allocate(call, count * element);
		}
	}
	bool ends = flags & IPC_ZERO || expected == IPC_NEGATIVE;
	if (!call->error && pointer && ends && !ipc_is_zero((char *)pointer + (count - 1) * element, element))
		ipc_fail(call, EPROTO, "it does not end with a zero");
	memcpy(at, &pointer, sizeof pointer);
	ipc_trail_add(call, pointer, count);
}

/* What the reply has of the pointers of the request; of those that are `fresh`, of the server only, everything. */
static struct ipc_step ipc_answer_pointer(struct ipc_call *call, const void *at, size_t element, size_t count, unsigned flags, bool fresh)
{
	void *pointer;
	memcpy(&pointer, at, sizeof pointer);
	struct ipc_step step = {0, SIZE_MAX};
	if (call->error)
		return step;
	if (fresh) {
		step.count = ipc_real_count(call, pointer, element, count, flags | IPC_IN);
		ipc_put_word(call, pointer != NULL);
		if (pointer)
			ipc_put_word(call, step.count);
		return step;
	}
	struct ipc_trail trail = call->connection->trail[call->trail_at];
	step.trail = call->trail_at++;
	if (pointer != trail.pointer)
		ipc_fail(call, EPROTO, "the server has changed a pointer to which it may write");
	else if (flags & IPC_OUT && pointer) {
		step.count = count < trail.count ? count : trail.count;
		ipc_put_word(call, step.count);
	}
	return step;
}

static void ipc_answer_bytes(struct ipc_call *call, const void *at, size_t element, size_t count, unsigned flags, bool fresh)
{
	void *pointer;
	memcpy(&pointer, at, sizeof pointer);
	struct ipc_step step = ipc_answer_pointer(call, at, element, count, flags, fresh);
	if (step.count && !call->error) {
		ipc_put_align(call);
		ipc_put(call, pointer, step.count * element);
	}
}

static struct ipc_step ipc_receive_pointer(struct ipc_call *call, void *at, size_t element, unsigned flags, bool fresh)
{
	struct ipc_step step = {0, SIZE_MAX};
	if (call->error)
		return step;
	if (fresh) {
		void *pointer = NULL;
		if (ipc_get_word(call)) {
			step.count = ipc_get_word(call);
			if (step.count > IPC_LARGEST / element || step.count > (size_t)(call->in_end - call->in))
				ipc_fail(call, EPROTO, "the message ends too early");
			else
				pointer = ipc_allocate(call, step.count * element);
		}
		memcpy(at, &pointer, sizeof pointer);
	} else {
		struct ipc_trail trail = call->connection->trail[call->trail_at];
		step.trail = call->trail_at++;
		if (flags & IPC_OUT && trail.pointer) {
			step.count = ipc_get_word(call);
			if (step.count > trail.count)
				ipc_fail(call, EPROTO, "the server has sent %zu elements, and there is room for %zu", step.count, trail.count);
		}
	}
	if (call->error)
		step.count = 0;
	return step;
}

static void ipc_receive_bytes(struct ipc_call *call, void *at, size_t element, unsigned flags, bool fresh)
{
	struct ipc_step step = ipc_receive_pointer(call, at, element, flags, fresh);
	void *pointer;
	memcpy(&pointer, at, sizeof pointer);
	if (step.count) {
		ipc_get_align(call);
		ipc_get(call, pointer, step.count * element);
		if (fresh && flags & IPC_ZERO && !ipc_is_zero((char *)pointer + (step.count - 1) * element, element))
			ipc_fail(call, EPROTO, "it does not end with a zero");
	}
}

/* ---- the client ---- */
#ifdef IPC_CLIENT

static __thread struct ipc_connection *ipc_own;
static pthread_key_t ipc_key;
static pthread_mutex_t ipc_path_lock = PTHREAD_MUTEX_INITIALIZER;
static char ipc_path[sizeof(((struct sockaddr_un *)0)->sun_path)];
static void (*ipc_handler)(int error, const char *text);

static void ipc_thread_ends(void *connection)
{
	ipc_own = NULL;
	ipc_connection_free(connection);
}

static pthread_once_t ipc_once = PTHREAD_ONCE_INIT;

static void ipc_make_key(void)
{
	pthread_key_create(&ipc_key, ipc_thread_ends);
}

static struct ipc_connection *ipc_connect(struct ipc_call *call)
{
	const struct ipc_interface *interface = call->interface;
	struct sockaddr_un address;
	char path[sizeof ipc_path];
	pthread_once(&ipc_once, ipc_make_key);
	pthread_mutex_lock(&ipc_path_lock);
	snprintf(path, sizeof path, "%s", *ipc_path ? ipc_path : interface->socket);
	pthread_mutex_unlock(&ipc_path_lock);
	socklen_t length = ipc_address(path, &address);
	int descriptor = length ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	int error = length ? errno : EINVAL;
	struct ipc_connection *connection = NULL;
	if (descriptor >= 0) {
		struct ipc_hello hello = {IPC_MAGIC, IPC_VERSION, sizeof(void *), 0, interface->hash}, server;
		int done;
		do
			done = connect(descriptor, (struct sockaddr *)&address, length);
		while (done && errno == EINTR);
		error = done ? errno : 0;
		if (!error && !(connection = ipc_connection_new(descriptor)))
			error = ENOMEM;
		if (!error && (!ipc_send_hello(descriptor, &hello, -1) || !ipc_receive_hello(descriptor, &server, &connection->memory)))
			error = EPIPE;
		if (!error && (server.magic != IPC_MAGIC || server.version != IPC_VERSION)) {
			ipc_fail(call, EPROTO, "%s is no server of this version of biarch", path);
		} else if (!error && server.hash != interface->hash) {
			ipc_fail(call, EPROTO, "the server at %s was made of another interface", path);
		} else if (!error && server.error) {
			error = (int)server.error;
		} else if (!error) {
			connection->width = server.width;
			error = ipc_connection_open(connection);
		}
	}
	if (!error && !call->error) {
		pthread_setspecific(ipc_key, connection);
		return ipc_own = connection;
	}
	ipc_fail(call, error, "cannot reach the server at %s: %s", path, strerror(error));
	if (connection)
		ipc_connection_free(connection);
	else if (descriptor >= 0)
		close(descriptor);
	return NULL;
}

/* Begins a request; whether there is a server. */
static bool ipc_begin(struct ipc_call *call, const struct ipc_interface *interface, unsigned number, const char *function)
{
	struct ipc_connection *connection = ipc_own;
	call->interface = interface;
	call->function = function;
	call->argument = NULL;
	call->out = call->trail_count = call->trail_at = call->allocated = 0;
	call->depth = 0;
	call->error = 0;
	if (connection && connection->generation != ipc_generation) {
		/* The parent's. */
		ipc_own = NULL;
		ipc_connection_free(connection);
		connection = NULL;
	}
	if (connection && __atomic_load_n(&connection->channel->turn, __ATOMIC_ACQUIRE) & BIARCH_DEAD) {
		bool told = connection->ended;
		ipc_own = NULL;
		pthread_setspecific(ipc_key, NULL);
		ipc_connection_free(connection);
		connection = NULL;
		/* What the server knew is gone: each thread that has called is told so once. */
		if (!told)
			ipc_fail(call, EPIPE, "the server has ended since the last call");
	}
	if (!call->error && !connection)
		connection = ipc_connect(call);
	call->connection = connection;
	if (call->error)
		return false;
	ipc_arena_reset(&connection->arena, false);
	connection->channel->address = number;
	return true;
}

/* Sends the request, waits for the reply; whether that is to be read. */
static bool ipc_exchange(struct ipc_call *call)
{
	struct ipc_connection *connection = call->connection;
	if (call->error)
		return false;
	struct biarch_channel *channel = connection->channel;
	channel->request = BIARCH_CALL;
	channel->count = (uint32_t)call->out;
	call->argument = NULL;
	if (!biarch_give(channel, BIARCH_SERVER) || !biarch_wait(channel, BIARCH_CLIENT, &connection->spin)) {
		connection->ended = true;
		ipc_fail(call, EPIPE, "the server has ended");
		return false;
	}
	size_t size = channel->count;
	int error = ipc_map(connection, size, false);
	if (error) {
		ipc_fail(call, error, "the reply has %zu bytes, which are not there", size);
		return false;
	}
	call->in = call->in_start = connection->message;
	call->in_end = call->in + size;
	if (channel->status) {
		call->error = (int)channel->status;
		snprintf(call->text, sizeof call->text, "%.*s", (int)(size < IPC_TEXT ? size : IPC_TEXT - 1), connection->message);
		return false;
	}
	if (channel->error)
		errno = (int)channel->error;
	return true;
}

/* Ends a call; whether it has gone well. */
static bool ipc_end(struct ipc_call *call)
{
	if (!call->error)
		return true;
	void (*handler)(int, const char *) = __atomic_load_n(&ipc_handler, __ATOMIC_ACQUIRE);
	if (!handler) {
		fprintf(stderr, "%s: %s\n", call->interface->name, call->text);
		abort();
	}
	handler(call->error, call->text);
	errno = call->error;
	return false;
}

/* A number by which the server knows something of its own. */
static void ipc_ask_handle(struct ipc_call *call, const void *at, unsigned flags)
{
	uintptr_t word;
	memcpy(&word, at, sizeof word);
	if (!word && flags & IPC_NOT_NULL)
		ipc_fail(call, EINVAL, "it must not be NULL");
	ipc_put_integer(call, &word, sizeof word, false);
}

static void ipc_receive_handle(struct ipc_call *call, void *at)
{
	ipc_get_integer(call, at, sizeof(void *), false);
}

#endif

/* ---- the server ---- */
#ifdef IPC_SERVER

/* What clients have numbers of instead of addresses. A number is a position and how often that has been used: one that is no longer valid is not
 * another one's soon, nor is it another server's. */
#define IPC_HANDLE_BITS 20
#define IPC_GENERATIONS ((1u << (32 - IPC_HANDLE_BITS)) - 1)
struct ipc_handle {
	void *pointer; /* NULL: free */
	uint32_t position, generation;
};
static struct {
	pthread_mutex_t lock;
	struct ipc_handle **entries;
	uint32_t size, used;
	uint32_t *free, freed;
	void *by_pointer; /* of tsearch(3) */
} ipc_handles = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread struct ipc_connection *ipc_client;
static pthread_mutex_t ipc_one_at_a_time = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int ipc_listening = -1;

static void ipc_take_handle(struct ipc_call *call, void *at, unsigned flags)
{
	uint64_t number;
	void *pointer = NULL;
	ipc_get(call, &number, sizeof number);
	uint32_t position = (uint32_t)number & ((1u << IPC_HANDLE_BITS) - 1), generation = (uint32_t)number >> IPC_HANDLE_BITS;
	if (number) {
		pthread_mutex_lock(&ipc_handles.lock);
		if (number <= UINT32_MAX && position < ipc_handles.used && ipc_handles.entries[position]->generation == generation)
			pointer = ipc_handles.entries[position]->pointer;
		pthread_mutex_unlock(&ipc_handles.lock);
		if (!pointer)
			ipc_fail(call, EBADF, "0x%llx is nothing that this server has given", (unsigned long long)number);
	} else if (flags & IPC_NOT_NULL) {
		ipc_fail(call, EINVAL, "it must not be NULL");
	}
	memcpy(at, &pointer, sizeof pointer);
}

static int ipc_compare_handles(const void *one, const void *two)
{
	const struct ipc_handle *first = one, *second = two;
	return ((uintptr_t)first->pointer > (uintptr_t)second->pointer) - ((uintptr_t)first->pointer < (uintptr_t)second->pointer);
}

/* One that is free; NULL where there is no memory. The lock is held. */
static struct ipc_handle *ipc_handle_new(void)
{
	if (ipc_handles.freed)
		return ipc_handles.entries[ipc_handles.free[--ipc_handles.freed]];
	if (ipc_handles.used == ipc_handles.size) {
		uint32_t size = ipc_handles.size ? ipc_handles.size * 2 : 64;
		if (size > 1u << IPC_HANDLE_BITS)
			return NULL;
		struct ipc_handle **entries = realloc(ipc_handles.entries, size * sizeof *entries);
		if (entries)
			ipc_handles.entries = entries;
		uint32_t *free_ones = realloc(ipc_handles.free, size * sizeof *free_ones);
		if (free_ones)
			ipc_handles.free = free_ones;
		if (!entries || !free_ones)
			return NULL;
		ipc_handles.size = size;
	}
	struct ipc_handle *made = malloc(sizeof *made);
	if (made) {
		*made = (struct ipc_handle){NULL, ipc_handles.used, ((uint32_t)getpid() + ipc_handles.used) % IPC_GENERATIONS + 1};
		ipc_handles.entries[ipc_handles.used++] = made;
	}
	return made;
}

static void ipc_answer_handle(struct ipc_call *call, const void *at)
{
	struct ipc_handle wanted = {0};
	uint64_t number = 0;
	memcpy(&wanted.pointer, at, sizeof wanted.pointer);
	if (wanted.pointer) {
		pthread_mutex_lock(&ipc_handles.lock);
		void **known = tfind(&wanted, &ipc_handles.by_pointer, ipc_compare_handles);
		struct ipc_handle *handle = known ? *known : ipc_handle_new();
		if (handle && !known) {
			handle->pointer = wanted.pointer;
			if (!tsearch(handle, &ipc_handles.by_pointer, ipc_compare_handles)) {
				handle->pointer = NULL;
				ipc_handles.free[ipc_handles.freed++] = handle->position;
				handle = NULL;
			}
		}
		if (handle)
			number = (uint64_t)handle->generation << IPC_HANDLE_BITS | handle->position;
		pthread_mutex_unlock(&ipc_handles.lock);
		if (!number)
			ipc_fail(call, ENOMEM, "no memory for one more handle");
	}
	ipc_put(call, &number, sizeof number);
}

/* The call has ended the life of what clients have a number of. */
static void ipc_handle_drop(const void *pointer)
{
	struct ipc_handle wanted = {.pointer = (void *)(uintptr_t)pointer};
	pthread_mutex_lock(&ipc_handles.lock);
	void **known = pointer ? tfind(&wanted, &ipc_handles.by_pointer, ipc_compare_handles) : NULL;
	if (known) {
		struct ipc_handle *handle = *known;
		tdelete(&wanted, &ipc_handles.by_pointer, ipc_compare_handles);
		handle->pointer = NULL;
		handle->generation = handle->generation % IPC_GENERATIONS + 1;
		ipc_handles.free[ipc_handles.freed++] = handle->position;
	}
	pthread_mutex_unlock(&ipc_handles.lock);
}

/* The reply begins. */
static void ipc_answer(struct ipc_call *call, int error)
{
	call->connection->channel->error = (uint32_t)error;
	call->argument = NULL;
	call->out = 0;
	call->trail_at = 0;
	call->depth = 0;
}

struct ipc_service {
	const struct ipc_interface *interface;
	void (*const *functions)(struct ipc_call *call);
	const char *const *names;
	bool one_at_a_time;
};

struct ipc_visit {
	const struct ipc_service *service;
	int socket;
};

static void ipc_do(const struct ipc_service *service, struct ipc_connection *connection)
{
	struct biarch_channel *channel = connection->channel;
	struct ipc_call call = {.interface = service->interface, .connection = connection, .function = "a call"};
	uint32_t number = channel->address;
	size_t size = channel->count;
	channel->error = 0;
	if (number >= service->interface->functions)
		ipc_fail(&call, ENOSYS, "there is no function %u", number);
	else
		call.function = service->names[number];
	int error = ipc_map(connection, size, false);
	if (error)
		ipc_fail(&call, error, "the request has %zu bytes, which are not there", size);
	if (!call.error && connection->copy_size < size) {
		free(connection->copy);
		connection->copy_size = size < 4096 ? 4096 : size;
		if (!(connection->copy = malloc(connection->copy_size))) {
			connection->copy_size = 0;
			ipc_fail(&call, ENOMEM, "no memory for %zu bytes", size);
		}
	}
	if (!call.error) {
		memcpy(connection->copy, connection->message, size);
		call.in = call.in_start = connection->copy;
		call.in_end = call.in + size;
		if (service->one_at_a_time)
			pthread_mutex_lock(&ipc_one_at_a_time);
		service->functions[number](&call);
		if (service->one_at_a_time)
			pthread_mutex_unlock(&ipc_one_at_a_time);
	}
	channel->status = (uint32_t)call.error;
	if (call.error) {
		size_t length = strlen(call.text) + 1;
		memcpy(connection->message, call.text, length);
		call.out = length;
	}
	channel->count = (uint32_t)call.out;
	ipc_arena_reset(&connection->arena, false);
}

/* What a connection begins with; 0, or an errno. */
static int ipc_welcome(const struct ipc_interface *interface, struct ipc_connection *connection)
{
	struct ipc_hello client, hello = {IPC_MAGIC, IPC_VERSION, sizeof(void *), 0, interface->hash};
	struct timeval limit = {5, 0};
	setsockopt(connection->socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	if (!ipc_receive_hello(connection->socket, &client, NULL) || client.magic != IPC_MAGIC)
		return EPROTO;
	connection->width = client.width;
	connection->memory = memfd_create(interface->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (connection->memory < 0 || ftruncate(connection->memory, BIARCH_CHANNEL_SIZE + 65536) || fcntl(connection->memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL))
		hello.error = (uint32_t)errno;
	else
		hello.error = (uint32_t)ipc_connection_open(connection);
	bool same = client.version == IPC_VERSION && client.hash == interface->hash;
	if (!ipc_send_hello(connection->socket, &hello, same && !hello.error ? connection->memory : -1))
		return EPIPE;
	return same ? (int)hello.error : EPROTO;
}

static void *ipc_serve_one(void *argument)
{
	struct ipc_visit visit = *(struct ipc_visit *)argument;
	free(argument);
	struct ipc_connection *connection = ipc_connection_new(visit.socket);
	if (!connection) {
		close(visit.socket);
		return NULL;
	}
	if (!ipc_welcome(visit.service->interface, connection)) {
		ipc_client = connection;
		while (biarch_wait(connection->channel, BIARCH_SERVER, &connection->spin)) {
			ipc_do(visit.service, connection);
			if (!biarch_give(connection->channel, BIARCH_CLIENT))
				break;
		}
		ipc_client = NULL;
	}
	ipc_connection_free(connection);
	return NULL;
}

/* Serves whoever connects, until ipc_stop; 0 then, or -1 with errno. */
static int ipc_serve_socket(const struct ipc_service *service, int listening)
{
	__atomic_store_n(&ipc_listening, listening, __ATOMIC_RELEASE);
	for (;;) {
		int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
		if (client < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (client < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
			/* Who has connected waits until somebody leaves. */
			usleep(10000);
			continue;
		}
		if (client < 0)
			return __atomic_load_n(&ipc_listening, __ATOMIC_ACQUIRE) < 0 ? 0 : -1;
		struct ipc_visit *visit = malloc(sizeof *visit);
		if (visit)
			*visit = (struct ipc_visit){service, client};
		if (!visit || ipc_thread(ipc_serve_one, visit)) {
			free(visit);
			close(client);
		}
	}
}

static int ipc_serve(const struct ipc_service *service, const char *path)
{
	struct sockaddr_un address;
	socklen_t length = ipc_address(path ? path : service->interface->socket, &address);
	int listening = length ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
	if (!length)
		errno = EINVAL;
	if (listening < 0)
		return -1;
	int bound = bind(listening, (struct sockaddr *)&address, length);
	if (bound && errno == EADDRINUSE && *address.sun_path) {
		/* Of a server that has ended without removing it. */
		int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
		bool refused = probe >= 0 && connect(probe, (struct sockaddr *)&address, length) && errno == ECONNREFUSED;
		if (probe >= 0)
			close(probe);
		errno = EADDRINUSE;
		if (refused && !unlink(address.sun_path))
			bound = bind(listening, (struct sockaddr *)&address, length);
	}
	int result = bound || listen(listening, SOMAXCONN) ? -1 : ipc_serve_socket(service, listening);
	int error = errno;
	if (!bound && *address.sun_path)
		unlink(address.sun_path);
	close(listening);
	errno = error;
	return result;
}

/* May be called by a signal handler. */
static void ipc_stop(void)
{
	int listening = __atomic_exchange_n(&ipc_listening, -1, __ATOMIC_ACQ_REL);
	if (listening >= 0)
		shutdown(listening, SHUT_RDWR);
}

#endif

#endif
