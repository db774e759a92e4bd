/* What generated bridges convert with. Included by them, once each; nothing here is for programs.
 *
 * "Narrow" is as the 32-bit library has it, "wide" as this program has it. A conversion reads one and writes the other; the first error of a call is
 * reported, and the rest of the call does nothing.
 */
#ifndef BIARCH_MARSHAL_H
#define BIARCH_MARSHAL_H

#include "biarch.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Not every bridge has pointers, callbacks, formats. */
#pragma GCC diagnostic ignored "-Wunused-function"

struct bridge_call;

/* `count` is the number of elements behind a pointer, where it is known elsewhere. */
typedef void bridge_convert(struct bridge_call *call, const void *from, void *to, size_t count);

/* A type as both sides have it. */
struct bridge_kind {
	uint32_t narrow, wide; /* bytes */
	bridge_convert *to_narrow, *to_wide; /* NULL: the bytes are the same */
};

/* What a pointer is for. */
enum {
	BRIDGE_IN = 1,       /* the callee reads what is there */
	BRIDGE_OUT = 2,      /* and writes it */
	BRIDGE_ZERO = 4,     /* what is there ends with an element that is zero */
	BRIDGE_KEPT = 8,     /* the library keeps the address */
	BRIDGE_NOT_NULL = 16,
	BRIDGE_WRITTEN = 64, /* how much it writes is known after the call */
	BRIDGE_TWIN = 32,    /* the library keeps the address of a structure that has to be converted */
};

/* A length that is less than zero: many functions take it for that of a string which ends with a NUL. */
#define BRIDGE_NEGATIVE SIZE_MAX

/* Strings longer than this are taken for damage. */
#define BRIDGE_LONGEST ((size_t)1 << 30)

/* Memory that a pointer leads to, on both sides, for the time of a call. */
struct bridge_map {
	unsigned char *wide;
	biarch_address address;
	unsigned char *narrow; /* NULL where it is the library's own */
	size_t count;
	const struct bridge_kind *kind;
	bool back; /* what the callee writes there is brought back */
	bool late; /* by bridge_written */
};

/* Memory that has a counterpart for longer than a call. */
struct bridge_pair {
	unsigned char *wide;
	biarch_address address;
	unsigned char *narrow; /* of biarch_alloc: the library keeps its address. NULL: `wide` is a copy of what the library owns */
	size_t count;
	const struct bridge_kind *kind;
	struct bridge_pair *next_by_wide, *next_by_address;
};

#define BRIDGE_BUCKETS 1024

struct bridge_job;

/* The thread that makes all calls, of a library that knows which thread it is called by. */
struct bridge_worker {
	pthread_mutex_t turn; /* held by whoever has given it work */
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	pthread_t thread;
	struct bridge_job *job;
	bool works, ends;
};
#define BRIDGE_WORKER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, NULL, false, false}

/* The library. */
struct bridge {
	struct biarch_options options;
	struct biarch_library *library;
	pthread_once_t *once;
	void (*open)(void);
	pthread_mutex_t *one_at_a_time; /* or NULL */
	struct bridge_worker *worker;   /* or NULL */
	struct bridge_call **holders;   /* of it, all of one thread, the outermost first: as often it is locked; to be looked at with it */
	unsigned holder_count, holder_room;
	pthread_mutex_t lock;           /* of what follows */
	struct bridge_pair *by_wide[BRIDGE_BUCKETS], *by_address[BRIDGE_BUCKETS];
};

struct bridge_call {
	struct bridge *bridge;
	struct biarch_library *library;
	const char *function, *argument;
	struct biarch_frame frame;
	struct bridge_map *maps;
	unsigned count, capacity;
	unsigned depth; /* pointers that lead to one another, and are being converted */
	bool failed, in_callback, has_frame, holds;
	struct bridge_map few[6];
};

#define bridge_fail(call, status, ...) \
	((call)->failed ? (void)0 : ((call)->failed = true, biarch_fail((call)->library, status, (call)->function, (call)->argument, __VA_ARGS__)))

/* ---- one call ---- */

static void bridge_prepare(struct bridge_call *call, struct bridge *bridge, const char *function)
{
	call->bridge = bridge;
	call->function = function;
	call->argument = NULL;
	call->maps = call->few;
	call->count = call->depth = 0;
	call->capacity = sizeof call->few / sizeof *call->few;
	call->failed = call->in_callback = call->has_frame = call->holds = false;
}

/* Calls that have been left by longjmp(3) hold the lock no more. */
static void bridge_hold(struct bridge_call *call)
{
	struct bridge *bridge = call->bridge;
	pthread_mutex_lock(bridge->one_at_a_time);
	for (; bridge->holder_count && biarch_left(bridge->holders[bridge->holder_count - 1], call); bridge->holder_count--)
		pthread_mutex_unlock(bridge->one_at_a_time);
	if (bridge->holder_count == bridge->holder_room) {
		unsigned room = bridge->holder_room * 2 + 8;
		struct bridge_call **holders = realloc(bridge->holders, room * sizeof *holders);
		if (!holders) {
			pthread_mutex_unlock(bridge->one_at_a_time);
			bridge_fail(call, BIARCH_NO_MEMORY, NULL);
			return;
		}
		bridge->holders = holders;
		bridge->holder_room = room;
	}
	bridge->holders[bridge->holder_count++] = call;
	call->holds = true;
}

static void bridge_let_go(struct bridge_call *call)
{
	struct bridge *bridge = call->bridge;
	for (bool found = false; !found; pthread_mutex_unlock(bridge->one_at_a_time))
		found = bridge->holders[--bridge->holder_count] == call;
}

static void bridge_begin(struct bridge_call *call, struct bridge *bridge, const char *function)
{
	pthread_once(bridge->once, bridge->open);
	bridge_prepare(call, bridge, function);
	call->library = bridge->library;
	if (bridge->one_at_a_time)
		bridge_hold(call);
}

/* A call of the library's function, in words. */
struct bridge_job {
	struct bridge_call *call;
	biarch_address *function; /* 0 as long as it is not known */
	const char *version;
	const uint32_t *words;
	unsigned count;
	enum biarch_result_kind kind;
	struct biarch_result *result;
	enum biarch_status status;
	const char *reason; /* the thread's own, until its next call */
	int number; /* errno */
};

static inline enum biarch_status bridge_enter(struct bridge_call *call, biarch_address *function, const char *version, const uint32_t *words,
	unsigned count, enum biarch_result_kind kind, struct biarch_result *result)
{
	biarch_address address = __atomic_load_n(function, __ATOMIC_RELAXED);
	if (!address) {
		enum biarch_status status = biarch_symbol(call->library, call->function, version, &address);
		if (status != BIARCH_OK)
			return status;
		__atomic_store_n(function, address, __ATOMIC_RELAXED);
	}
	return biarch_call(call->library, address, words, count, kind, result);
}

/* What the one thread does that is in the library. */
static void *bridge_work(void *data)
{
	struct bridge_worker *worker = data;
	pthread_mutex_lock(&worker->lock);
	for (;;) {
		while (!worker->job && !worker->ends)
			pthread_cond_wait(&worker->changed, &worker->lock);
		struct bridge_job *job = worker->job;
		if (!job)
			break;
		pthread_mutex_unlock(&worker->lock);
		errno = job->number;
		job->status = bridge_enter(job->call, job->function, job->version, job->words, job->count, job->kind, job->result);
		job->number = errno;
		job->reason = job->status == BIARCH_OK ? NULL : biarch_reason();
		pthread_mutex_lock(&worker->lock);
		worker->job = NULL;
		pthread_cond_broadcast(&worker->changed);
	}
	pthread_mutex_unlock(&worker->lock);
	return NULL;
}

/* Whether this is it: a callback calls again. */
static bool bridge_is_worker(const struct bridge_worker *worker)
{
	return worker->works && pthread_equal(worker->thread, pthread_self());
}

/* Starts it, without the program's signals. */
static bool bridge_employ(struct bridge_worker *worker)
{
	sigset_t all, before;
	sigfillset(&all);
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	worker->works = !pthread_create(&worker->thread, NULL, bridge_work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return worker->works;
}

static enum biarch_status bridge_hand_over(struct bridge_worker *worker, struct bridge_job *job)
{
	pthread_mutex_lock(&worker->turn);
	bool works = worker->works || bridge_employ(worker);
	if (works) {
		job->number = errno;
		pthread_mutex_lock(&worker->lock);
		worker->job = job;
		pthread_cond_broadcast(&worker->changed);
		while (worker->job == job)
			pthread_cond_wait(&worker->changed, &worker->lock);
		pthread_mutex_unlock(&worker->lock);
		biarch_note(*job->function, job->reason);
		errno = job->number;
	}
	pthread_mutex_unlock(&worker->turn);
	return works ? job->status : BIARCH_NO_MEMORY;
}

/* Ends the thread with the bridge; one that is in a call, where the program ends meanwhile, goes with that. */
static void bridge_dismiss(struct bridge *bridge)
{
	struct bridge_worker *worker = bridge->worker;
	if (!worker || !worker->works)
		return;
	pthread_mutex_lock(&worker->lock);
	bool waits = !worker->job;
	worker->ends = waits;
	pthread_cond_broadcast(&worker->changed);
	pthread_mutex_unlock(&worker->lock);
	if (waits)
		pthread_join(worker->thread, NULL);
}

static bool bridge_call(struct bridge_call *call, biarch_address *function, const char *version, const uint32_t *words, unsigned count,
	enum biarch_result_kind kind, struct biarch_result *result)
{
	if (call->failed)
		return false;
	call->argument = NULL;
	enum biarch_status status;
	struct bridge_worker *worker = call->bridge->worker;
	if (worker && !bridge_is_worker(worker)) {
		struct bridge_job job = {call, function, version, words, count, kind, result, BIARCH_OK, NULL, 0};
		status = bridge_hand_over(worker, &job);
	} else {
		status = bridge_enter(call, function, version, words, count, kind, result);
	}
	if (status != BIARCH_OK)
		bridge_fail(call, status, NULL);
	return !call->failed;
}

static void bridge_clean(struct bridge_call *call)
{
	if (call->has_frame)
		biarch_frame_end(&call->frame);
}

/* Ends a call; whether it has gone well. */
static bool bridge_end(struct bridge_call *call)
{
	bridge_clean(call);
	if (call->holds)
		bridge_let_go(call);
	if (call->failed)
		errno = EIO;
	return !call->failed;
}

/* Memory that both sides see, for the time of the call. */
static unsigned char *bridge_take(struct bridge_call *call, size_t size, biarch_address *address)
{
	enum biarch_status status = BIARCH_OK;
	unsigned char *memory = NULL;
	if (!call->has_frame) {
		status = biarch_frame_begin(call->library, &call->frame);
		call->has_frame = status == BIARCH_OK;
	}
	/* Even nothing has an address of its own. */
	if (status == BIARCH_OK && !(memory = biarch_frame_take(&call->frame, size + !size, 16, address)))
		status = BIARCH_NO_MEMORY;
	if (status != BIARCH_OK)
		bridge_fail(call, status, NULL);
	return memory;
}

/* The same, zeroed, for this side only. Of malloc(3) it would be lost where a callback leaves the call by longjmp(3). */
static void *bridge_temporary(struct bridge_call *call, size_t size)
{
	biarch_address unused;
	void *memory = bridge_take(call, size, &unused);
	return memory ? memset(memory, 0, size) : NULL;
}

static struct bridge_map *bridge_map(struct bridge_call *call, void *wide, biarch_address address, void *narrow, size_t count,
	const struct bridge_kind *kind, bool back)
{
	if (call->count == call->capacity) {
		struct bridge_map *more = bridge_temporary(call, 2 * call->capacity * sizeof *more);
		if (!more)
			return NULL;
		call->maps = memcpy(more, call->maps, call->count * sizeof *more);
		call->capacity *= 2;
	}
	call->maps[call->count] = (struct bridge_map){wide, address, narrow, count, kind, back, false};
	return &call->maps[call->count++];
}

/* ---- numbers ---- */

static inline void bridge_put_signed(struct bridge_call *call, void *to, unsigned size, int64_t value)
{
	if (size < 8 && (value < -((int64_t)1 << (size * 8 - 1)) || value >= (int64_t)1 << (size * 8 - 1)))
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "%lld does not fit into the library's %u bits", (long long)value, size * 8);
	memcpy(to, &value, size);
}

static inline void bridge_put_unsigned(struct bridge_call *call, void *to, unsigned size, uint64_t value)
{
	if (size < 8 && value >> (size * 8))
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "%llu does not fit into the library's %u bits", (unsigned long long)value, size * 8);
	memcpy(to, &value, size);
}

#ifdef __aarch64__
/* `long double` is a double of 32-bit ARM, and has 16 bytes here. It is rounded, as by an assignment. */
static inline void bridge_narrow_double(struct bridge_call *call, const void *wide, void *narrow)
{
	long double value;
	memcpy(&value, wide, sizeof value);
	double rounded = (double)value;
	if (__builtin_isinf(rounded) && !__builtin_isinf(value))
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "%Lg does not fit into the library's long double", value);
	memcpy(narrow, &rounded, sizeof rounded);
}

static inline void bridge_widen_double(struct bridge_call *call, const void *narrow, void *wide)
{
	(void)call;
	double value;
	memcpy(&value, narrow, sizeof value);
	long double same = value;
	memcpy(wide, &same, sizeof same);
}
#endif

/* The size of a structure, which the library compares with its own. */
static inline void bridge_put_size(struct bridge_call *call, void *to, uint64_t value, uint32_t narrow, uint32_t wide)
{
	if (value != wide)
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "%llu is not the size of the structure, which is %u", (unsigned long long)value, wide);
	memcpy(to, &narrow, sizeof narrow);
}

static inline int64_t bridge_get_signed(const void *from, unsigned size)
{
	int64_t value = 0;
	memcpy(&value, from, size);
	return size < 8 ? (int64_t)((uint64_t)value << (64 - size * 8)) >> (64 - size * 8) : value;
}

static inline uint64_t bridge_get_unsigned(const void *from, unsigned size)
{
	uint64_t value = 0;
	memcpy(&value, from, size);
	return value;
}

static void bridge_copy_bits(const void *from, unsigned from_bit, void *to, unsigned to_bit, unsigned count)
{
	const unsigned char *in = from;
	unsigned char *out = to;
	for (; count; count--, from_bit++, to_bit++) {
		unsigned char mask = (unsigned char)(1 << to_bit % 8);
		out[to_bit / 8] = (unsigned char)((out[to_bit / 8] & ~mask) | (in[from_bit / 8] >> from_bit % 8 & 1 ? mask : 0));
	}
}

/* A number of elements, from an expression of the annotation file. */
static inline size_t bridge_count(struct bridge_call *call, __int128 count)
{
	if (count > UINT32_MAX) {
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "its length is more than 4294967295");
		return 0;
	}
	return count < 0 ? BRIDGE_NEGATIVE : (size_t)count;
}

/* ---- memory that has a counterpart for longer than a call ---- */

static unsigned bridge_bucket(uint64_t key)
{
	return (unsigned)(key * 0x9e3779b97f4a7c15u >> 54);
}

/* The lock is held. */
static struct bridge_pair *bridge_by_wide(struct bridge *bridge, const void *wide)
{
	struct bridge_pair *pair = bridge->by_wide[bridge_bucket((uintptr_t)wide)];
	while (pair && pair->wide != wide)
		pair = pair->next_by_wide;
	return pair;
}

static struct bridge_pair *bridge_by_address(struct bridge *bridge, biarch_address address)
{
	struct bridge_pair *pair = bridge->by_address[bridge_bucket(address)];
	while (pair && pair->address != address)
		pair = pair->next_by_address;
	return pair;
}

static struct bridge_pair *bridge_pair(struct bridge *bridge, struct bridge_pair new)
{
	struct bridge_pair *pair = malloc(sizeof *pair);
	if (!pair)
		return NULL;
	struct bridge_pair **by_wide = &bridge->by_wide[bridge_bucket((uintptr_t)new.wide)];
	struct bridge_pair **by_address = &bridge->by_address[bridge_bucket(new.address)];
	*pair = new;
	pair->next_by_wide = *by_wide;
	pair->next_by_address = *by_address;
	*by_wide = *by_address = pair;
	return pair;
}

static void bridge_unpair(struct bridge_call *call, struct bridge_pair *pair)
{
	struct bridge_pair **at = &call->bridge->by_wide[bridge_bucket((uintptr_t)pair->wide)];
	while (*at != pair)
		at = &(*at)->next_by_wide;
	*at = pair->next_by_wide;
	at = &call->bridge->by_address[bridge_bucket(pair->address)];
	while (*at != pair)
		at = &(*at)->next_by_address;
	*at = pair->next_by_address;
	if (pair->narrow)
		biarch_free(call->library, pair->narrow);
	else
		free(pair->wide);
	free(pair);
}

/* The call has ended the life of what a pointer leads to. */
static void bridge_drop(struct bridge_call *call, const void *wide)
{
	pthread_mutex_lock(&call->bridge->lock);
	struct bridge_pair *pair = bridge_by_wide(call->bridge, wide);
	if (pair)
		bridge_unpair(call, pair);
	pthread_mutex_unlock(&call->bridge->lock);
}

/* ---- pointers ---- */

/* Whether what is there ends with a zero; for what has no end the length must be known. */
static bool bridge_ends(struct bridge_call *call, size_t *count, const struct bridge_kind *kind, unsigned flags)
{
	if (*count == BRIDGE_NEGATIVE && (kind->wide != 1 || !(flags & BRIDGE_IN))) {
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "its length is less than zero");
		*count = 0;
	}
	return flags & BRIDGE_ZERO || *count == BRIDGE_NEGATIVE;
}

/* The first page and the last are no memory: what points there is a constant, such as SIG_IGN or MAP_FAILED, and the same on both sides. */
static inline bool bridge_is_constant(const void *pointer)
{
	return (intptr_t)pointer < 4096 && (intptr_t)pointer >= -4096;
}

static inline bool bridge_is_constant_address(biarch_address address)
{
	return (int32_t)address < 4096 && (int32_t)address >= -4096;
}

static inline bool bridge_narrow_constant(struct bridge_call *call, const void *pointer, void *to, unsigned flags)
{
	if (!bridge_is_constant(pointer))
		return false;
	uint32_t word = (uint32_t)(uintptr_t)pointer;
	memcpy(to, &word, sizeof word);
	if (!pointer && flags & BRIDGE_NOT_NULL)
		bridge_fail(call, BIARCH_UNSUPPORTED, "it must not be NULL");
	return true;
}

static inline bool bridge_widen_constant(biarch_address address, void *to)
{
	if (!bridge_is_constant_address(address))
		return false;
	intptr_t pointer = (int32_t)address;
	memcpy(to, &pointer, sizeof pointer);
	return true;
}

static size_t bridge_elements(const void *memory, unsigned size)
{
	static const unsigned char zero[64];
	const unsigned char *at = memory;
	if (size == 1)
		return strlen(memory) + 1;
	while (size <= sizeof zero && memcmp(at, zero, size))
		at += size;
	return (size_t)(at - (const unsigned char *)memory) / size + 1;
}

/* Elements of this program as the library has them. */
static void bridge_narrow_elements(struct bridge_call *call, const struct bridge_kind *kind, const void *from, void *to, size_t count)
{
	if (!kind->to_narrow) {
		memcpy(to, from, count * kind->wide);
		return;
	}
	for (size_t i = 0; i < count && !call->failed; i++)
		kind->to_narrow(call, (const char *)from + i * kind->wide, (char *)to + i * kind->narrow, 1);
}

static void bridge_widen_elements(struct bridge_call *call, const struct bridge_kind *kind, const void *from, void *to, size_t count)
{
	if (!kind->to_wide) {
		memcpy(to, from, count * kind->narrow);
		return;
	}
	for (size_t i = 0; i < count && !call->failed; i++)
		kind->to_wide(call, (const char *)from + i * kind->narrow, (char *)to + i * kind->wide, 1);
}

/* An address that goes to the library, of memory that is only there, or in both. */
static void bridge_narrow_opaque(struct bridge_call *call, const void *from, void *to, unsigned flags)
{
	void *pointer;
	uint32_t word;
	memcpy(&pointer, from, sizeof pointer);
	if (bridge_narrow_constant(call, pointer, to, flags))
		return;
	word = (uint32_t)(uintptr_t)pointer;
	if ((uintptr_t)pointer > UINT32_MAX) {
		pthread_mutex_lock(&call->bridge->lock);
		struct bridge_pair *pair = bridge_by_wide(call->bridge, pointer);
		word = pair ? pair->address : 0;
		pthread_mutex_unlock(&call->bridge->lock);
		if (!word && !(word = biarch_shared(call->library, pointer, 1)))
			bridge_fail(call, BIARCH_DOES_NOT_FIT, "%p is no address of the library", pointer);
	}
	memcpy(to, &word, sizeof word);
}

static void bridge_widen_opaque(const void *from, void *to)
{
	biarch_address address;
	memcpy(&address, from, sizeof address);
	uintptr_t pointer = address;
	if (!bridge_widen_constant(address, to))
		memcpy(to, &pointer, sizeof pointer);
}

/* A pointer that the library only keeps. */
static void bridge_narrow_user(struct bridge_call *call, const void *from, void *to)
{
	void *pointer;
	memcpy(&pointer, from, sizeof pointer);
	uint32_t word = biarch_handle(call->library, pointer);
	if (pointer && !word)
		bridge_fail(call, BIARCH_NO_MEMORY, NULL);
	memcpy(to, &word, sizeof word);
}

static void bridge_widen_user(struct bridge_call *call, const void *from, void *to)
{
	uint32_t word;
	void *pointer = NULL;
	memcpy(&word, from, sizeof word);
	enum biarch_status status = word ? biarch_handle_pointer(call->library, word, &pointer) : BIARCH_OK;
	if (status != BIARCH_OK)
		bridge_fail(call, status, "0x%x is no pointer that the library was given", word);
	memcpy(to, &pointer, sizeof pointer);
}

/* Pointers that lead to one another, as the members of a list do: each takes some of the stack. */
#define BRIDGE_DEPTH 5000

static bool bridge_descends(struct bridge_call *call)
{
	if (call->depth == BRIDGE_DEPTH)
		bridge_fail(call, BIARCH_UNSUPPORTED, "there are more than %d pointers in one another, as in a long list", BRIDGE_DEPTH);
	return call->depth++ < BRIDGE_DEPTH;
}

static void bridge_narrow_target(struct bridge_call *call, const void *from, void *to, size_t count, const struct bridge_kind *kind, unsigned flags)
{
	unsigned char *wide, *memory;
	biarch_address address = 0;
	memcpy(&wide, from, sizeof wide);
	if (bridge_narrow_constant(call, wide, to, flags) || call->failed)
		return;
	if (bridge_ends(call, &count, kind, flags))
		count = bridge_elements(wide, kind->wide);
	for (unsigned i = 0; i < call->count; i++) {
		struct bridge_map *map = &call->maps[i];
		if (map->wide == wide && map->kind == kind && map->count >= count) {
			map->back |= flags & BRIDGE_OUT && map->narrow;
			memcpy(to, &map->address, sizeof map->address);
			return;
		}
	}
	/* What the program got from the library, or shares with it. */
	pthread_mutex_lock(&call->bridge->lock);
	struct bridge_pair *pair = bridge_by_wide(call->bridge, wide);
	/* A counterpart that is too small is that of something else, or of what was there before. */
	if (pair && pair->narrow && pair->count * pair->kind->narrow < count * kind->narrow) {
		if (flags & BRIDGE_TWIN)
			bridge_unpair(call, pair);
		pair = NULL;
	}
	memory = pair ? pair->narrow : NULL;
	address = pair ? pair->address : 0;
	pthread_mutex_unlock(&call->bridge->lock);
	if (pair && !memory) {
		memcpy(to, &address, sizeof address);
		return;
	}
	if (!memory && !kind->to_narrow && (address = biarch_shared(call->library, wide, count * kind->wide))) {
		memcpy(to, &address, sizeof address);
		bridge_map(call, wide, address, NULL, count, kind, false);
		return;
	}
	if (!memory && flags & BRIDGE_TWIN) {
		memory = biarch_alloc(call->library, kind->narrow * count);
		address = memory ? biarch_shared(call->library, memory, kind->narrow * count) : 0;
		pthread_mutex_lock(&call->bridge->lock);
		bool paired = address && bridge_pair(call->bridge, (struct bridge_pair){wide, address, memory, count, kind, NULL, NULL});
		pthread_mutex_unlock(&call->bridge->lock);
		if (!paired) {
			bridge_fail(call, BIARCH_NO_MEMORY, NULL);
			return;
		}
		memset(memory, 0, kind->narrow * count);
	} else if (!memory && flags & BRIDGE_KEPT) {
		bridge_fail(call, BIARCH_DOES_NOT_FIT, "the library keeps %p, which it cannot see: allocate it by biarch_alloc", (void *)wide);
		return;
	} else if (!memory) {
		/* What a callback gives, the library looks at when the callback has ended. */
		memory = call->in_callback ? biarch_lend(call->library, count * kind->narrow, &address) : bridge_take(call, count * kind->narrow, &address);
		if (!memory) {
			bridge_fail(call, BIARCH_NO_MEMORY, NULL);
			return;
		}
		/* Of bytes that are the same all are written. */
		if (kind->to_narrow)
			memset(memory, 0, count * kind->narrow);
	}
	memcpy(to, &address, sizeof address);
	struct bridge_map *map = bridge_map(call, wide, address, memory, count, kind, flags & BRIDGE_OUT);
	if (!map)
		return;
	map->late = flags & BRIDGE_WRITTEN;
	/* What the callee does not write stays as it is. */
	if (flags & BRIDGE_IN || (!kind->to_narrow && !(flags & BRIDGE_WRITTEN)))
		bridge_narrow_elements(call, kind, wide, memory, count);
}

/* Where the program has what the library has there. */
static void *bridge_find(struct bridge_call *call, biarch_address address, const struct bridge_kind *kind)
{
	void *end = NULL;
	for (unsigned i = 0; i < call->count; i++) {
		struct bridge_map *map = &call->maps[i];
		uint64_t size = (uint64_t)map->count * map->kind->narrow, offset = (uint64_t)address - map->address;
		if (address < map->address || offset > size)
			continue;
		void *found = map->wide + (map->kind->narrow ? offset / map->kind->narrow * map->kind->wide : 0) + (map->kind->to_wide ? 0 : offset % map->kind->narrow);
		if (offset < size || !offset)
			return found;
		/* Behind the last element a pointer that moves through a buffer may stop; in the library's own memory there is another thing. */
		if (map->narrow && map->kind == kind)
			end = found;
	}
	return end;
}

/* Reads the library's elements. */
static void bridge_fetch(struct bridge_call *call, biarch_address address, const struct bridge_kind *kind, void *to, size_t count)
{
	size_t size = count * kind->narrow;
	const void *from = biarch_visible(call->library, address, size);
	if (!from) {
		void *read = kind->to_wide ? bridge_temporary(call, size) : to;
		if (!read)
			return;
		enum biarch_status status = biarch_read(call->library, address, read, size);
		if (status != BIARCH_OK) {
			bridge_fail(call, status, "0x%x, from the library, is not in its memory", address);
			return;
		}
		from = read;
	}
	if (from != to)
		bridge_widen_elements(call, kind, from, to, count);
}

static size_t bridge_library_elements(struct bridge_call *call, biarch_address address, unsigned size)
{
	size_t count = 0;
	unsigned char element[64] = {0}, zero[64] = {0};
	enum biarch_status status = BIARCH_OK;
	if (size == 1) {
		status = biarch_string_length(call->library, address, BRIDGE_LONGEST, &count);
	} else {
		for (; count < BRIDGE_LONGEST && size <= sizeof element; count++) {
			status = biarch_read(call->library, address + (biarch_address)(count * size), element, size);
			if (status != BIARCH_OK || !memcmp(element, zero, size))
				break;
		}
	}
	if (status != BIARCH_OK)
		bridge_fail(call, status, "0x%x, from the library, is not in its memory", address);
	return count + 1;
}

static void bridge_narrow_pointer(struct bridge_call *call, const void *from, void *to, size_t count, const struct bridge_kind *kind, unsigned flags)
{
	if (bridge_descends(call))
		bridge_narrow_target(call, from, to, count, kind, flags);
	call->depth--;
}

static void bridge_widen_target(struct bridge_call *call, const void *from, void *to, size_t count, const struct bridge_kind *kind, unsigned flags)
{
	biarch_address address;
	unsigned char *wide = NULL;
	memcpy(&address, from, sizeof address);
	if (bridge_widen_constant(address, to) || call->failed)
		return;
	if (!(wide = bridge_find(call, address, kind))) {
		pthread_mutex_lock(&call->bridge->lock);
		struct bridge_pair *pair = bridge_by_address(call->bridge, address);
		wide = pair && pair->narrow ? pair->wide : NULL;
		pthread_mutex_unlock(&call->bridge->lock);
	}
	if (!wide && bridge_ends(call, &count, kind, flags))
		count = bridge_library_elements(call, address, kind->narrow);
	if (!wide && !kind->to_wide && !call->failed)
		wide = biarch_visible(call->library, address, count * kind->narrow);
	if (!wide && !call->failed) {
		bool back = call->in_callback && flags & BRIDGE_OUT;
		if (call->in_callback) {
			wide = bridge_temporary(call, count * kind->wide + !count);
		} else {
			/* A copy that stays: the program was given the address, and gives it back to whoever frees it. */
			pthread_mutex_lock(&call->bridge->lock);
			struct bridge_pair *pair = bridge_by_address(call->bridge, address);
			if (pair && (pair->kind != kind || pair->count < count)) {
				bridge_unpair(call, pair);
				pair = NULL;
			}
			if (!pair && (wide = calloc(1, count * kind->wide + !count)))
				pair = bridge_pair(call->bridge, (struct bridge_pair){wide, address, NULL, count, kind, NULL, NULL});
			wide = pair ? pair->wide : NULL;
			pthread_mutex_unlock(&call->bridge->lock);
			if (!wide)
				bridge_fail(call, BIARCH_NO_MEMORY, NULL);
		}
		if (wide && bridge_map(call, wide, address, NULL, count, kind, back) && (flags & BRIDGE_IN || !call->in_callback || !kind->to_wide))
			bridge_fetch(call, address, kind, wide, count);
	}
	memcpy(to, &wide, sizeof wide);
}

static void bridge_widen_pointer(struct bridge_call *call, const void *from, void *to, size_t count, const struct bridge_kind *kind, unsigned flags)
{
	if (bridge_descends(call))
		bridge_widen_target(call, from, to, count, kind, flags);
	call->depth--;
}

static const struct bridge_kind bridge_byte = {1, 1, NULL, NULL};

/* A pointer of which only the address is passed: nobody looks at what is there, which may be nothing. The library may copy it. */
static void bridge_narrow_address(struct bridge_call *call, const void *from, void *to)
{
	void *pointer;
	biarch_address address;
	memcpy(&pointer, from, sizeof pointer);
	if (call->in_callback) {
		bridge_narrow_opaque(call, from, to, 0);
		return;
	}
	if (bridge_narrow_constant(call, pointer, to, 0) || call->failed)
		return;
	unsigned char *memory = bridge_take(call, 1, &address);
	if (!memory || !bridge_map(call, pointer, address, memory, 0, &bridge_byte, false))
		return;
	memcpy(to, &address, sizeof address);
}

static void bridge_widen_address(struct bridge_call *call, const void *from, void *to)
{
	biarch_address address;
	memcpy(&address, from, sizeof address);
	if (call->in_callback) {
		bridge_widen_opaque(from, to);
		return;
	}
	if (bridge_widen_constant(address, to) || call->failed)
		return;
	void *pointer = bridge_find(call, address, &bridge_byte);
	if (!pointer)
		bridge_fail(call, BIARCH_UNSUPPORTED, "the library has changed it, so it is not untouched");
	memcpy(to, &pointer, sizeof pointer);
}

/* After a call of the library: what it has written. */
static void bridge_finish(struct bridge_call *call)
{
	/* More may be added on the way: what new structures point to. */
	for (unsigned i = 0; i < call->count && !call->failed; i++) {
		struct bridge_map map = call->maps[i];
		if (map.back && map.narrow && !map.late)
			bridge_widen_elements(call, map.kind, map.narrow, map.wide, map.count);
	}
}

/* Brings back what has been written to memory of which that is only known now. */
static void bridge_written(struct bridge_call *call, const void *wide, size_t count)
{
	for (unsigned i = 0; i < call->count && !call->failed; i++) {
		struct bridge_map map = call->maps[i];
		/* Less than nothing is what functions return after an error. */
		if (map.wide == wide && map.late && count != BRIDGE_NEGATIVE)
			bridge_widen_elements(call, map.kind, map.narrow, map.wide, map.count < count ? map.count : count);
	}
}

/* ---- functions of the program, which the library calls; and of the library, which the program calls by pointers ---- */

/* Functions of the library that the program has pointers to, of one type. */
struct bridge_pool {
	void *const *functions;
	biarch_address *addresses;
	unsigned count;
};

static void bridge_narrow_function(struct bridge_call *call, const void *from, void *to, biarch_adapter *adapter, unsigned count,
	enum biarch_result_kind kind, const struct bridge_pool *pool)
{
	void *function;
	biarch_address address = 0;
	memcpy(&function, from, sizeof function);
	if (bridge_narrow_constant(call, function, to, 0))
		return;
	for (unsigned i = 0; i < pool->count && !address; i++)
		if (pool->functions[i] == function)
			address = __atomic_load_n(&pool->addresses[i], __ATOMIC_ACQUIRE);
	if (!address) {
		enum biarch_status status = biarch_callback(call->library, adapter, function, count, kind, &address);
		if (status != BIARCH_OK)
			bridge_fail(call, status, NULL);
	}
	memcpy(to, &address, sizeof address);
}

static void bridge_widen_function(struct bridge_call *call, const void *from, void *to, const struct bridge_pool *pool)
{
	biarch_address address;
	void *function = NULL;
	memcpy(&address, from, sizeof address);
	if (bridge_widen_constant(address, to))
		return;
	if (!(function = biarch_callback_function(call->library, address))) {
		pthread_mutex_lock(&call->bridge->lock);
		for (unsigned i = 0; i < pool->count && !function; i++) {
			if (!pool->addresses[i])
				__atomic_store_n(&pool->addresses[i], address, __ATOMIC_RELEASE);
			if (pool->addresses[i] == address)
				function = pool->functions[i];
		}
		pthread_mutex_unlock(&call->bridge->lock);
		if (!function)
			bridge_fail(call, BIARCH_NO_MEMORY, "the library has returned more than %u functions of this type", pool->count);
	}
	memcpy(to, &function, sizeof function);
}

static void bridge_begin_callback(struct bridge_call *call, struct bridge *bridge, struct biarch_library *library, const char *function)
{
	bridge_prepare(call, bridge, function);
	call->library = library;
	call->in_callback = true;
}

/* After a function of the program: what it has written where the library's pointers lead. */
static void bridge_finish_callback(struct bridge_call *call)
{
	for (unsigned i = 0; i < call->count && !call->failed; i++) {
		struct bridge_map map = call->maps[i];
		if (!map.back || map.narrow)
			continue;
		size_t size = map.count * map.kind->narrow;
		void *narrow = map.kind->to_narrow ? bridge_temporary(call, size) : map.wide;
		if (!narrow)
			return;
		if (map.kind->to_narrow)
			bridge_narrow_elements(call, map.kind, map.wide, narrow, map.count);
		enum biarch_status status = call->failed ? BIARCH_OK : biarch_write(call->library, map.address, narrow, size);
		if (status != BIARCH_OK)
			bridge_fail(call, status, "0x%x, from the library, is not in its memory", map.address);
	}
}

/* ---- what follows the parameters of a variadic function ---- */

/* Words of a call that are not known before it. */
struct bridge_words {
	uint32_t *words;
	unsigned count, capacity;
};

static void *bridge_more(struct bridge_call *call, struct bridge_words *words, unsigned count)
{
	static uint32_t nowhere[4];
#ifdef __aarch64__
	/* 8 bytes begin at an even word. */
	if (count == 2)
		words->count += words->count & 1;
#endif
	if (words->count + count > words->capacity) {
		bridge_fail(call, BIARCH_UNSUPPORTED, "it has more than %u words of arguments", words->capacity);
		return nowhere;
	}
	words->count += count;
	memset(words->words + words->count - count, 0, count * sizeof(uint32_t));
	return words->words + words->count - count;
}

static void bridge_more_string(struct bridge_call *call, struct bridge_words *words, const char *string, long precision)
{
	void *to = bridge_more(call, words, 1);
	/* With a precision it need not end with a NUL. */
	if (precision >= 0 && !bridge_is_constant(string)) {
		size_t length = strnlen(string, (size_t)precision);
		char *copy = bridge_temporary(call, length + 1);
		if (!copy)
			return;
		string = memcpy(copy, string, length);
	}
	bridge_narrow_pointer(call, &string, to, 1, &bridge_byte, BRIDGE_IN | BRIDGE_ZERO);
}

/* The arguments of a format of printf(3). */
static void bridge_more_printf(struct bridge_call *call, struct bridge_words *words, const char *format, va_list list)
{
	while (!call->failed && format && (format = strchr(format, '%'))) {
		long precision = -1;
		int length = 0;
		format += 1 + strspn(format + 1, "-+ #0'");
		for (int of_precision = 0; of_precision < 2; of_precision++) {
			if (of_precision && *format != '.')
				break;
			format += of_precision;
			if (of_precision)
				precision = strtol(format, NULL, 10);
			if (*format == '*') {
				int number = va_arg(list, int);
				bridge_put_signed(call, bridge_more(call, words, 1), 4, number);
				if (of_precision)
					precision = number;
				format++;
			}
			format += strspn(format, "0123456789");
		}
		if (*format == '$') {
			bridge_fail(call, BIARCH_UNSUPPORTED, "its format has numbered arguments");
			return;
		}
		for (; *format && strchr("hlLqjzt", *format); format++)
			length = length == 'l' && *format == 'l' ? 'j' : *format;
		switch (*format) {
		case '%': case 'm':
			break;
		case 0:
			return;
		case 'd': case 'i':
			if (length == 'j' || length == 'q' || length == 'L')
				bridge_put_signed(call, bridge_more(call, words, 2), 8, va_arg(list, long long));
			else if (length == 'l' || length == 'z' || length == 't')
				bridge_put_signed(call, bridge_more(call, words, 1), 4, va_arg(list, long));
			else
				bridge_put_signed(call, bridge_more(call, words, 1), 4, va_arg(list, int));
			break;
		case 'u': case 'o': case 'x': case 'X': case 'c':
			if (length == 'j' || length == 'q' || length == 'L')
				bridge_put_unsigned(call, bridge_more(call, words, 2), 8, va_arg(list, unsigned long long));
			else if (length == 'l' || length == 'z' || length == 't')
				bridge_put_unsigned(call, bridge_more(call, words, 1), 4, va_arg(list, unsigned long));
			else
				bridge_put_unsigned(call, bridge_more(call, words, 1), 4, va_arg(list, unsigned));
			break;
		case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
			if (length == 'L') {
				long double number = va_arg(list, long double);
#ifdef __aarch64__
				bridge_narrow_double(call, &number, bridge_more(call, words, 2));
#else
				memcpy(bridge_more(call, words, 3), &number, 10);
#endif
			} else {
				double number = va_arg(list, double);
				memcpy(bridge_more(call, words, 2), &number, 8);
			}
			break;
		case 's':
			if (length) {
				bridge_fail(call, BIARCH_UNSUPPORTED, "its format has wide strings");
				return;
			}
			bridge_more_string(call, words, va_arg(list, const char *), precision);
			break;
		case 'p': {
			void *pointer = va_arg(list, void *);
			bridge_narrow_opaque(call, &pointer, bridge_more(call, words, 1), 0);
			break;
		}
		default:
			bridge_fail(call, BIARCH_UNSUPPORTED, "its format has %%%c", *format);
			return;
		}
		format++;
	}
}

#endif
