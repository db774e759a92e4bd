/* biarch.h on any transport: start, frames, shared memory, callbacks, handles, errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport.h"

#define VISIBLE __attribute__((visibility("default")))

/* Adding a transport is adding a row. */
static const struct biarch_transport *const transports[] = {
#if defined(__x86_64__) && !defined(BIARCH_WITHOUT_IN_PROCESS)
	&biarch_in_process,
#endif
	&biarch_process,
};

/* Two words to a number: open addressing, at most half full, deletion by shifting back. */
struct entry {
	uintptr_t first, second;
	uint32_t value; /* 0 where there is nothing */
};
struct table {
	struct entry *entries;
	size_t size, used;
};

static size_t place(const struct table *table, uintptr_t first, uintptr_t second)
{
	uint64_t hash = ((uint64_t)first ^ ((uint64_t)second << 32 | (uint64_t)second >> 32)) * 0x9e3779b97f4a7c15u;
	return (size_t)(hash >> 20) & (table->size - 1);
}

/* The entry of the two words, or the empty one where they belong. The table is not empty. */
static struct entry *probe(const struct table *table, uintptr_t first, uintptr_t second)
{
	size_t at = place(table, first, second);
	while (table->entries[at].value && (table->entries[at].first != first || table->entries[at].second != second))
		at = (at + 1) & (table->size - 1);
	return &table->entries[at];
}

static uint32_t table_find(const struct table *table, uintptr_t first, uintptr_t second)
{
	return table->size ? probe(table, first, second)->value : 0;
}

static int table_add(struct table *table, uintptr_t first, uintptr_t second, uint32_t value)
{
	if (table->used * 2 >= table->size) {
		struct table larger = {.size = table->size ? table->size * 2 : 64};
		larger.entries = calloc(larger.size, sizeof *larger.entries);
		if (!larger.entries)
			return 0;
		for (size_t i = 0; i < table->size; i++)
			if (table->entries[i].value)
				*probe(&larger, table->entries[i].first, table->entries[i].second) = table->entries[i];
		larger.used = table->used;
		free(table->entries);
		*table = larger;
	}
	struct entry *entry = probe(table, first, second);
	table->used += !entry->value;
	*entry = (struct entry){first, second, value};
	return 1;
}

static void table_remove(struct table *table, uintptr_t first, uintptr_t second)
{
	if (!table_find(table, first, second))
		return;
	size_t hole = (size_t)(probe(table, first, second) - table->entries), mask = table->size - 1;
	for (size_t at = (hole + 1) & mask; table->entries[at].value; at = (at + 1) & mask) {
		size_t home = place(table, table->entries[at].first, table->entries[at].second);
		if (((at - home) & mask) < ((at - hole) & mask))
			continue;
		table->entries[hole] = table->entries[at];
		hole = at;
	}
	table->entries[hole].value = 0;
	table->used--;
}

/* Memory that both sides see is given out by the buddy method, in blocks of 64 bytes to 2 MiB, from regions of 4 MiB; what is larger is a mapping of its
 * own. All that is known about a block is here and not beside it: the library may write beyond its buffers. Behind each buffer are four bytes that
 * tell whether it has. */
#define SMALLEST 6
#define LARGEST 21
#define REGION_ORDER 22
#define REGION ((size_t)1 << REGION_ORDER)
#define BLOCKS (REGION >> SMALLEST)
/* Of a mapping that is freed as much is kept for the next one: what is zeroed anew by the kernel costs more than what is copied. */
#define KEEP ((size_t)64 << 20)
static const unsigned char fence[4] = {0xb1, 0xa7, 0xc4, 0x5e};

struct region {
	struct region *next;
	char *memory;
	biarch_address address;
	/* For the first unit of each block: its order plus 1 and whether it is free; neighbours in its free list plus 1; the bytes asked for. */
	unsigned char order[BLOCKS], is_free[BLOCKS];
	uint32_t after[BLOCKS], before[BLOCKS], size[BLOCKS];
	uint32_t head[LARGEST + 2];
};

struct mapping {
	struct mapping *next;
	char *memory;
	biarch_address address;
	size_t mapped, size; /* size 0: kept */
};

struct callback {
	biarch_adapter *_Atomic adapter; /* NULL: free */
	void *function;
	unsigned count, uses;
	enum biarch_result_kind kind;
	biarch_address address;
	uint32_t next_free;
};
#define CHUNK 256
#define CHUNKS 256

struct handle {
	const void *pointer;
	uint32_t word, next_free;
};
#define HANDLE_BITS 24

struct symbol {
	struct symbol *next;
	biarch_address address;
	char *version; /* or NULL */
	char name[];
};

struct biarch_library {
	struct biarch_library *next;
	struct biarch_options options;
	const struct biarch_transport *transport;
	struct biarch_side *side;
	pthread_mutex_t lock; /* of the start and of all below; held while the transport maps, but never while it calls */
	pthread_mutex_t start_lock;
	_Atomic int state;
	enum biarch_status failed; /* why state is FAILED */
	char why[1024];

	struct arena *arenas;
	struct region *regions;
	struct mapping *mappings;
	size_t kept;

	struct callback *_Atomic callbacks[CHUNKS];
	uint32_t callback_count, callback_free;
	struct table callback_numbers; /* adapter and function → number + 1 */
	struct table callback_addresses;

	struct handle *handles;
	uint32_t handle_count, handle_size, handle_free;
	struct table handle_words; /* pointer → index + 1 */

	struct symbol *symbols;
	biarch_address malloc, free;
};
enum { NEW, FAILED, STARTED, ENDING };

/* A thread's memory for frames of one library. The frames are noted here and not only on the stack: longjmp(3) out of a callback leaves some. */
struct arena {
	struct arena *next;         /* of the thread */
	struct arena *next_arena;   /* of the library */
	struct biarch_library *library; /* NULL: it has been closed */
	char *memory;
	biarch_address address;
	uint32_t used, depth, depth_size, take_count, take_size;
	struct level {
		const void *frame;
		uint32_t used, takes;
		struct overflow *overflow;
	} *levels;
	uint32_t *takes; /* where the fence of each buffer is */
	struct overflow *lent; /* see biarch_lend */
};
#define ARENA ((size_t)256 << 10)

struct overflow {
	struct overflow *next;
	void *memory;
	const void *frame; /* of what is lent: inside the call that it is for */
};

static __thread struct thread {
	struct arena *arenas;
	uintptr_t stack_low, stack_high;
	char *why; /* see biarch_why */
	int has_lent; /* whether an arena may have memory that is lent */
	struct biarch_library *in; /* whose function this thread is in */
	biarch_address function;   /* that, or the last one */
} self __attribute__((tls_model("initial-exec"))); /* small, and looked at in each call: in the static block, without __tls_get_addr */

static pthread_mutex_t libraries_lock = PTHREAD_MUTEX_INITIALIZER;
static struct biarch_library *libraries;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t thread_key;

static pthread_mutex_t handler_lock = PTHREAD_MUTEX_INITIALIZER;
static biarch_error_handler *error_handler;
static void *error_context;

static void *block_take(struct biarch_library *library, size_t size, biarch_address *address, enum biarch_status *status);
static void block_free(struct biarch_library *library, void *memory);

/* The innermost first. With the library's lock held. */
static void lent_end(struct arena *arena)
{
	struct overflow *block = arena->lent;
	arena->lent = block->next;
	block_free(arena->library, block->memory);
	free(block);
}

/* --- threads and processes --- */

static void thread_ends(void *unused)
{
	(void)unused;
	for (struct arena *arena = self.arenas, *next; arena; arena = next) {
		next = arena->next;
		pthread_mutex_lock(&libraries_lock);
		struct biarch_library *library = arena->library;
		if (library) {
			pthread_mutex_lock(&library->lock);
			struct arena **link = &library->arenas;
			while (*link != arena)
				link = &(*link)->next_arena;
			*link = arena->next_arena;
			for (; arena->depth; arena->depth--)
				for (struct overflow *block = arena->levels[arena->depth - 1].overflow, *after; block; block = after) {
					after = block->next;
					block_free(library, block->memory);
					free(block);
				}
			while (arena->lent)
				lent_end(arena);
			block_free(library, arena->memory);
			pthread_mutex_unlock(&library->lock);
		}
		pthread_mutex_unlock(&libraries_lock);
		free(arena->levels);
		free(arena->takes);
		free(arena);
	}
	self.arenas = NULL;
	free(self.why);
	self.why = NULL;
}

char *biarch_why(void)
{
	static char none[BIARCH_WHY];
	if (!self.why && (self.why = calloc(1, BIARCH_WHY)))
		pthread_setspecific(thread_key, &self);
	return self.why ? self.why : none;
}

VISIBLE const char *biarch_reason(void)
{
	return biarch_why();
}

VISIBLE void biarch_note(biarch_address function, const char *reason)
{
	self.function = function;
	if (reason)
		snprintf(biarch_why(), BIARCH_WHY, "%s", reason);
}

static void before_fork(void)
{
	pthread_mutex_lock(&libraries_lock);
	for (struct biarch_library *library = libraries; library; library = library->next) {
		pthread_mutex_lock(&library->start_lock);
		pthread_mutex_lock(&library->lock);
	}
}

static void after_fork(void)
{
	for (struct biarch_library *library = libraries; library; library = library->next) {
		pthread_mutex_unlock(&library->lock);
		pthread_mutex_unlock(&library->start_lock);
	}
	pthread_mutex_unlock(&libraries_lock);
}

static void after_fork_in_child(void)
{
	for (struct biarch_library *library = libraries; library; library = library->next)
		if (library->state == STARTED && !library->transport->survives_fork) {
			library->failed = BIARCH_ENDED;
			strcpy(library->why, "the 32-bit server belongs to the parent of this process, which has forked after the first call; call the library in the "
				"parent only, or for the first time after the fork");
			library->state = FAILED;
		}
	after_fork();
}

/* Whether exit(3) has been called: what is unloaded from now on ends with the process. */
static atomic_int exiting;

static void note_exit(void)
{
	atomic_store(&exiting, 1);
}

static void prepare(void)
{
	atexit(note_exit);
	pthread_key_create(&thread_key, thread_ends);
	pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

VISIBLE int biarch_left(const void *then, const void *now)
{
	if (!self.stack_high) {
		pthread_attr_t attributes;
		void *low;
		size_t size;
		int error = errno, failed = pthread_getattr_np(pthread_self(), &attributes);
		errno = error;
		if (failed)
			return 0;
		pthread_attr_getstack(&attributes, &low, &size);
		pthread_attr_destroy(&attributes);
		self.stack_low = (uintptr_t)low;
		self.stack_high = (uintptr_t)low + size;
	}
	/* On two stacks of the program's own making, an address says nothing. */
	uintptr_t a = (uintptr_t)then, b = (uintptr_t)now;
	return a >= self.stack_low && b < self.stack_high && a <= b;
}

/* --- start and end --- */

static const struct biarch_options no_options;

VISIBLE struct biarch_library *biarch_library_new(const struct biarch_options *options)
{
	pthread_once(&once, prepare);
	struct biarch_library *library = calloc(1, sizeof *library);
	if (!library)
		abort();
	library->options = options ? *options : no_options;
	pthread_mutex_init(&library->lock, NULL);
	pthread_mutex_init(&library->start_lock, NULL);
	pthread_mutex_lock(&libraries_lock);
	library->next = libraries;
	libraries = library;
	pthread_mutex_unlock(&libraries_lock);
	return library;
}

static enum biarch_status start(struct biarch_library *library)
{
	pthread_mutex_lock(&library->start_lock);
	int state = library->state;
	if (state == NEW) {
		const char *wanted = library->options.transport;
		library->failed = BIARCH_CANNOT_START;
		snprintf(library->why, sizeof library->why, "there is no transport `%s` on this machine; it is one of:", wanted ? wanted : "");
		for (size_t i = 0; i < sizeof transports / sizeof *transports && !library->transport; i++) {
			size_t length = strlen(library->why);
			snprintf(library->why + length, sizeof library->why - length, " %s", transports[i]->name);
			if (wanted && !strcmp(transports[i]->name, wanted))
				library->transport = transports[i];
		}
		if (library->transport) {
			library->why[0] = 0;
			library->failed = library->transport->start(&library->options, &library->side, library->why, sizeof library->why);
		}
		state = library->failed ? FAILED : STARTED;
		atomic_store_explicit(&library->state, state, memory_order_release);
	}
	pthread_mutex_unlock(&library->start_lock);
	return library->failed;
}

static inline int has_started(struct biarch_library *library)
{
	return atomic_load_explicit(&library->state, memory_order_acquire) >= STARTED;
}

/* errno stays what it was. */
static inline enum biarch_status started(struct biarch_library *library)
{
	if (has_started(library))
		return BIARCH_OK;
	int error = errno;
	enum biarch_status status = start(library);
	errno = error;
	return status;
}

/* What the library does at its end may still call the program, and that the library. But threads that end meanwhile ask nothing of the transport: what it
 * holds for its end, a callback may be waiting for that they hold. */
static int ending(struct biarch_library *library)
{
	pthread_mutex_lock(&libraries_lock);
	pthread_mutex_lock(&library->lock);
	int was = library->state == STARTED;
	if (was)
		library->state = ENDING;
	pthread_mutex_unlock(&library->lock);
	pthread_mutex_unlock(&libraries_lock);
	return was;
}

VISIBLE void biarch_library_free(struct biarch_library *library)
{
	if (!library)
		return;
	if (ending(library))
		library->transport->stop(library->side);
	pthread_mutex_lock(&libraries_lock);
	struct biarch_library **link = &libraries;
	while (*link != library)
		link = &(*link)->next;
	*link = library->next;
	for (struct arena *arena = library->arenas; arena; arena = arena->next_arena) {
		for (; arena->depth; arena->depth--)
			for (struct overflow *block = arena->levels[arena->depth - 1].overflow, *after; block; block = after) {
				after = block->next;
				free(block);
			}
		for (struct overflow *block; (block = arena->lent); free(block))
			arena->lent = block->next;
		arena->library = NULL;
	}
	pthread_mutex_unlock(&libraries_lock);
	for (struct region *region = library->regions, *next; region; region = next) {
		next = region->next;
		free(region);
	}
	for (struct mapping *mapping = library->mappings, *next; mapping; mapping = next) {
		next = mapping->next;
		free(mapping);
	}
	for (struct symbol *symbol = library->symbols, *next; symbol; symbol = next) {
		next = symbol->next;
		free(symbol->version);
		free(symbol);
	}
	for (unsigned i = 0; i < CHUNKS; i++)
		free(library->callbacks[i]);
	free(library->callback_numbers.entries);
	free(library->callback_addresses.entries);
	free(library->handles);
	free(library->handle_words.entries);
	pthread_mutex_destroy(&library->lock);
	pthread_mutex_destroy(&library->start_lock);
	free(library);
}

VISIBLE void biarch_library_unload(struct biarch_library *library)
{
	if (!atomic_load(&exiting))
		biarch_library_free(library);
}

static void __attribute__((destructor)) program_ends(void)
{
	pthread_mutex_lock(&libraries_lock);
	struct biarch_library *library = libraries;
	pthread_mutex_unlock(&libraries_lock);
	for (; library; library = library->next)
		if (ending(library) && library->transport->at_exit)
			library->transport->at_exit(library->side);
}

/* --- functions --- */

static int same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

VISIBLE enum biarch_status biarch_symbol(struct biarch_library *library, const char *name, const char *version, biarch_address *address)
{
	int error = errno;
	enum biarch_status status = started(library);
	if (!status)
		status = library->transport->symbol(library->side, name, version, address);
	errno = error;
	if (status)
		return status;
	pthread_mutex_lock(&library->lock);
	struct symbol *symbol = library->symbols;
	while (symbol && (symbol->address != *address || strcmp(symbol->name, name) || !same(symbol->version, version)))
		symbol = symbol->next;
	if (!symbol && (symbol = malloc(sizeof *symbol + strlen(name) + 1))) {
		strcpy(symbol->name, name);
		symbol->version = version ? strdup(version) : NULL;
		symbol->address = *address;
		symbol->next = library->symbols;
		library->symbols = symbol;
	}
	pthread_mutex_unlock(&library->lock);
	return BIARCH_OK;
}

static struct biarch_library *library_of(struct biarch_side *side)
{
	pthread_mutex_lock(&libraries_lock);
	struct biarch_library *library = libraries;
	while (library && library->side != side)
		library = library->next;
	pthread_mutex_unlock(&libraries_lock);
	return library;
}

static const char *name_at(struct biarch_library *library, biarch_address address)
{
	const char *name = NULL;
	pthread_mutex_lock(&library->lock);
	for (struct symbol *symbol = library->symbols; symbol && !name; symbol = symbol->next)
		if (symbol->address == address)
			name = symbol->name;
	pthread_mutex_unlock(&library->lock);
	return name;
}

const char *biarch_function_name(struct biarch_side *side, biarch_address address)
{
	struct biarch_library *library = library_of(side);
	const char *name = library ? name_at(library, address) : NULL;
	return name ? name : "a function";
}

enum biarch_status biarch_restarted(struct biarch_side *side)
{
	struct biarch_library *library = library_of(side);
	if (!library)
		return BIARCH_OK;
	/* Symbols are only ever added, at the head. */
	pthread_mutex_lock(&library->lock);
	struct symbol *symbols = library->symbols;
	uint32_t count = library->callback_count;
	pthread_mutex_unlock(&library->lock);
	for (struct symbol *symbol = symbols; symbol; symbol = symbol->next) {
		biarch_address address;
		if (library->transport->symbol(side, symbol->name, symbol->version, &address) || address != symbol->address)
			return BIARCH_CANNOT_START;
	}
	for (uint32_t number = 0; number < count; number++) {
		struct callback *callback = &library->callbacks[number / CHUNK][number % CHUNK];
		biarch_address address;
		if (callback->adapter
			&& (library->transport->callback(side, number, callback->count, callback->kind, &address) || address != callback->address))
			return BIARCH_CANNOT_START;
	}
	return BIARCH_OK;
}

/* What was lent to calls that are over, as the thread is in the frame with the object `now`. */
static __attribute__((noinline)) void take_back(const void *now)
{
	self.has_lent = 0;
	for (struct arena *arena = self.arenas; arena; arena = arena->next) {
		struct biarch_library *library = arena->library;
		if (!library || !arena->lent)
			continue;
		pthread_mutex_lock(&library->lock);
		while (arena->lent && biarch_left(arena->lent->frame, now))
			lent_end(arena);
		pthread_mutex_unlock(&library->lock);
		self.has_lent |= arena->lent != NULL;
	}
}

/* The first call, apart from the others, which have fewer registers to save that way. */
static __attribute__((noinline)) enum biarch_status start_and_call(struct biarch_library *library, biarch_address function, const uint32_t *words,
	unsigned count, enum biarch_result_kind kind, struct biarch_result *result)
{
	enum biarch_status status = started(library);
	return status ? status : biarch_call(library, function, words, count, kind, result);
}

VISIBLE enum biarch_status biarch_call(struct biarch_library *library, biarch_address function, const uint32_t *words, unsigned count,
	enum biarch_result_kind kind, struct biarch_result *result)
{
	if (__builtin_expect(!has_started(library), 0))
		return start_and_call(library, function, words, count, kind, result);
	struct biarch_library *outer = self.in;
	self.in = library;
	self.function = function;
	enum biarch_status status = library->transport->call(library->side, function, words, count, kind, result);
	self.in = outer;
	self.function = function;
	if (__builtin_expect(self.has_lent, 0))
		take_back(&outer);
	return status;
}

/* --- memory that both sides see --- */

static void list_add(struct region *region, unsigned order, uint32_t block)
{
	region->order[block] = (unsigned char)(order + 1);
	region->is_free[block] = 1;
	region->before[block] = 0;
	region->after[block] = region->head[order];
	if (region->head[order])
		region->before[region->head[order] - 1] = block + 1;
	region->head[order] = block + 1;
}

static void list_remove(struct region *region, unsigned order, uint32_t block)
{
	region->is_free[block] = 0;
	if (region->before[block])
		region->after[region->before[block] - 1] = region->after[block];
	else
		region->head[order] = region->after[block];
	if (region->after[block])
		region->before[region->after[block] - 1] = region->before[block];
}

static char *region_take(struct region *region, unsigned wanted, size_t size)
{
	unsigned order = wanted;
	while (order <= LARGEST && !region->head[order])
		order++;
	if (order > LARGEST)
		return NULL;
	uint32_t block = region->head[order] - 1;
	list_remove(region, order, block);
	while (order > wanted) {
		order--;
		list_add(region, order, block + (1u << (order - SMALLEST)));
	}
	region->order[block] = (unsigned char)(wanted + 1);
	region->size[block] = (uint32_t)size;
	return region->memory + ((size_t)block << SMALLEST);
}

static void region_free(struct region *region, uint32_t block)
{
	unsigned order = region->order[block] - 1u;
	for (; order < LARGEST; order++) {
		uint32_t buddy = block ^ (1u << (order - SMALLEST));
		if (!region->is_free[buddy] || region->order[buddy] != order + 1)
			break;
		list_remove(region, order, buddy);
		region->order[buddy | block] = 0;
		block &= buddy;
	}
	list_add(region, order, block);
}

/* With library->lock held, as all of these. */
static struct region *region_new(struct biarch_library *library, enum biarch_status *status)
{
	struct region *region = calloc(1, sizeof *region);
	void *memory;
	*status = region ? library->transport->map(library->side, REGION, &memory, &region->address) : BIARCH_NO_MEMORY;
	if (*status) {
		free(region);
		return NULL;
	}
	region->memory = memory;
	list_add(region, LARGEST, 0);
	list_add(region, LARGEST, BLOCKS / 2);
	region->next = library->regions;
	return library->regions = region;
}

static char *mapping_take(struct biarch_library *library, size_t size, biarch_address *address, enum biarch_status *status)
{
	size_t wanted = (size + sizeof fence + 0xffff) & ~(size_t)0xffff;
	if (wanted < size || wanted > UINT32_MAX) {
		*status = BIARCH_NO_MEMORY;
		return NULL;
	}
	struct mapping *mapping = library->mappings;
	while (mapping && (mapping->size || mapping->mapped < wanted || mapping->mapped / 2 > wanted))
		mapping = mapping->next;
	if (mapping) {
		library->kept -= mapping->mapped;
	} else {
		void *memory;
		mapping = malloc(sizeof *mapping);
		*status = mapping ? library->transport->map(library->side, wanted, &memory, &mapping->address) : BIARCH_NO_MEMORY;
		if (*status) {
			free(mapping);
			return NULL;
		}
		mapping->memory = memory;
		mapping->mapped = wanted;
		mapping->next = library->mappings;
		library->mappings = mapping;
	}
	mapping->size = size;
	*address = mapping->address;
	return mapping->memory;
}

static void *block_take(struct biarch_library *library, size_t size, biarch_address *address, enum biarch_status *status)
{
	char *memory = NULL;
	size = size ? size : 1;
	*status = BIARCH_OK;
	if (size + sizeof fence > (size_t)1 << LARGEST || size > SIZE_MAX / 2) {
		memory = mapping_take(library, size, address, status);
	} else {
		unsigned order = SMALLEST;
		while ((size_t)1 << order < size + sizeof fence)
			order++;
		struct region *region = library->regions;
		while (region && !(memory = region_take(region, order, size)))
			region = region->next;
		if (!memory && (region = region_new(library, status)))
			memory = region_take(region, order, size);
		if (memory)
			*address = region->address + (biarch_address)(memory - region->memory);
	}
	if (memory)
		memcpy(memory + size, fence, sizeof fence);
	return memory;
}

/* What is the matter with a block that is to be freed, or NULL. */
static const char *free_in(struct biarch_library *library, char *memory)
{
	for (struct region *region = library->regions; region; region = region->next) {
		if (memory < region->memory || memory >= region->memory + REGION)
			continue;
		size_t offset = (size_t)(memory - region->memory);
		uint32_t block = (uint32_t)(offset >> SMALLEST);
		if (offset & ((1u << SMALLEST) - 1) || !region->order[block] || region->is_free[block])
			return "it is not the start of a buffer, or has been freed before";
		int whole = !memcmp(memory + region->size[block], fence, sizeof fence);
		region_free(region, block);
		return whole ? NULL : "the library has written beyond its end";
	}
	for (struct mapping **link = &library->mappings, *mapping; (mapping = *link); link = &mapping->next) {
		if (mapping->memory != memory || !mapping->size)
			continue;
		int whole = !memcmp(memory + mapping->size, fence, sizeof fence);
		mapping->size = 0;
		library->kept += mapping->mapped;
		if (library->kept > KEEP) {
			library->kept -= mapping->mapped;
			library->transport->unmap(library->side, mapping->memory, mapping->mapped);
			*link = mapping->next;
			free(mapping);
		}
		return whole ? NULL : "the library has written beyond its end";
	}
	return "it is not memory that biarch_alloc gave for this library";
}

static void block_free(struct biarch_library *library, void *memory)
{
	if (library->state == STARTED)
		free_in(library, memory);
}

VISIBLE void *biarch_alloc(struct biarch_library *library, size_t size)
{
	biarch_address address;
	enum biarch_status status = started(library);
	void *memory = NULL;
	if (!status) {
		pthread_mutex_lock(&library->lock);
		memory = block_take(library, size, &address, &status);
		pthread_mutex_unlock(&library->lock);
	}
	if (!memory)
		errno = ENOMEM;
	return memory;
}

VISIBLE void biarch_free(struct biarch_library *library, void *memory)
{
	if (!memory || library->state < STARTED)
		return;
	pthread_mutex_lock(&library->lock);
	const char *wrong = free_in(library, memory);
	pthread_mutex_unlock(&library->lock);
	if (wrong)
		biarch_fail(library, BIARCH_BAD_ADDRESS, "biarch_free", "memory", "%s", wrong);
}

VISIBLE biarch_address biarch_shared(struct biarch_library *library, const void *memory, size_t size)
{
	return library->state >= STARTED ? library->transport->shared(library->side, memory, size) : 0;
}

/* --- frames --- */

static struct arena *arena_find(struct biarch_library *library)
{
	struct arena *arena = self.arenas;
	while (arena && arena->library != library)
		arena = arena->next;
	return arena;
}

static struct arena *arena_new(struct biarch_library *library, enum biarch_status *status)
{
	struct arena *arena = calloc(1, sizeof *arena);
	*status = BIARCH_NO_MEMORY;
	if (!arena)
		return NULL;
	pthread_mutex_lock(&library->lock);
	/* Without what the fence takes it is a block of that size. */
	arena->memory = block_take(library, ARENA - sizeof fence, &arena->address, status);
	if (arena->memory) {
		arena->library = library;
		arena->next_arena = library->arenas;
		library->arenas = arena;
	}
	pthread_mutex_unlock(&library->lock);
	if (!arena->memory) {
		free(arena);
		return NULL;
	}
	pthread_setspecific(thread_key, &self);
	arena->next = self.arenas;
	return self.arenas = arena;
}

/* Ends the innermost frame; whether the library has stayed inside its buffers. */
static int level_end(struct arena *arena)
{
	struct level *level = &arena->levels[--arena->depth];
	int whole = 1;
	for (uint32_t i = level->takes; i < arena->take_count; i++)
		whole &= !memcmp(arena->memory + arena->takes[i], fence, sizeof fence);
	arena->take_count = level->takes;
	arena->used = level->used;
	if (level->overflow) {
		pthread_mutex_lock(&arena->library->lock);
		for (struct overflow *block = level->overflow, *next; block; block = next) {
			next = block->next;
			whole &= arena->library->state != STARTED || !free_in(arena->library, block->memory);
			free(block);
		}
		pthread_mutex_unlock(&arena->library->lock);
	}
	return whole;
}

/* Room for one more in an array of 4-byte counts. */
static int room(void *array, uint32_t count, uint32_t *size, size_t each)
{
	void **pointer = array;
	if (count < *size)
		return 1;
	uint32_t larger = *size ? *size * 2 : 16;
	void *moved = realloc(*pointer, larger * each);
	if (!moved)
		return 0;
	*pointer = moved;
	*size = larger;
	return 1;
}

VISIBLE enum biarch_status biarch_frame_begin(struct biarch_library *library, struct biarch_frame *frame)
{
	int error = errno;
	enum biarch_status status = started(library);
	struct arena *arena = status ? NULL : arena_find(library);
	if (!status && !arena)
		arena = arena_new(library, &status);
	errno = error;
	*frame = (struct biarch_frame){.library = library, .arena = arena};
	if (!arena)
		return status;
	while (arena->depth && biarch_left(arena->levels[arena->depth - 1].frame, frame))
		level_end(arena);
	if (!room(&arena->levels, arena->depth, &arena->depth_size, sizeof *arena->levels)) {
		frame->arena = NULL;
		return BIARCH_NO_MEMORY;
	}
	arena->levels[arena->depth++] = (struct level){frame, arena->used, arena->take_count, NULL};
	frame->depth = arena->depth;
	return BIARCH_OK;
}

VISIBLE void *biarch_frame_take(struct biarch_frame *frame, size_t size, size_t alignment, biarch_address *address)
{
	struct arena *arena = frame->arena;
	/* The library has left the inner ones by longjmp(3). */
	while (arena && arena->depth > frame->depth && biarch_left(arena->levels[arena->depth - 1].frame, frame))
		level_end(arena);
	if (!arena || frame->depth != arena->depth)
		return NULL;
	uint32_t start = arena->used;
	if (alignment > 1)
		start = (start + (uint32_t)alignment - 1) & ~((uint32_t)alignment - 1);
	if (size < ARENA && start + size + sizeof fence <= ARENA - sizeof fence && room(&arena->takes, arena->take_count, &arena->take_size, 4)) {
		arena->takes[arena->take_count++] = start + (uint32_t)size;
		arena->used = start + (uint32_t)size + sizeof fence;
		memcpy(arena->memory + start + size, fence, sizeof fence);
		*address = arena->address + start;
		return arena->memory + start;
	}
	struct overflow *block = malloc(sizeof *block);
	enum biarch_status status;
	if (!block)
		return NULL;
	pthread_mutex_lock(&frame->library->lock);
	block->memory = block_take(frame->library, size, address, &status);
	pthread_mutex_unlock(&frame->library->lock);
	if (!block->memory) {
		free(block);
		return NULL;
	}
	block->next = arena->levels[arena->depth - 1].overflow;
	arena->levels[arena->depth - 1].overflow = block;
	return block->memory;
}

VISIBLE void *biarch_lend(struct biarch_library *library, size_t size, biarch_address *address)
{
	enum biarch_status status = started(library);
	struct arena *arena = status ? NULL : arena_find(library);
	if (!status && !arena)
		arena = arena_new(library, &status);
	struct overflow *block = arena ? malloc(sizeof *block) : NULL;
	if (!block)
		return NULL;
	pthread_mutex_lock(&library->lock);
	block->memory = block_take(library, size, address, &status);
	pthread_mutex_unlock(&library->lock);
	if (!block->memory) {
		free(block);
		return NULL;
	}
	block->frame = __builtin_frame_address(0);
	block->next = arena->lent;
	arena->lent = block;
	self.has_lent = 1;
	return block->memory;
}

VISIBLE void biarch_frame_end(struct biarch_frame *frame)
{
	struct arena *arena = frame->arena;
	if (!arena)
		return;
	int whole = 1;
	while (arena->depth >= frame->depth)
		whole &= level_end(arena);
	if (!whole) {
		const char *name = name_at(frame->library, self.function);
		biarch_fail(frame->library, BIARCH_BAD_ADDRESS, name, NULL, "the library has written beyond the end of a buffer that it was given");
	}
}

/* --- the library's memory --- */

VISIBLE enum biarch_status biarch_read(struct biarch_library *library, biarch_address from, void *to, size_t size)
{
	enum biarch_status status = started(library);
	return status || !size ? status : library->transport->read(library->side, from, to, size);
}

VISIBLE enum biarch_status biarch_write(struct biarch_library *library, biarch_address to, const void *from, size_t size)
{
	enum biarch_status status = started(library);
	return status || !size ? status : library->transport->write(library->side, to, from, size);
}

VISIBLE enum biarch_status biarch_string_length(struct biarch_library *library, biarch_address string, size_t limit, size_t *length)
{
	char part[4096];
	/* Not beyond the page, for the next one may not be there; first a little, for most strings are short. */
	for (size_t done = 0, step = 128; done <= limit; step = sizeof part) {
		biarch_address at = string + (biarch_address)done;
		size_t size = sizeof part - at % sizeof part;
		size = size < step ? size : step;
		size = size < limit - done + 1 ? size : limit - done + 1;
		enum biarch_status status = biarch_read(library, at, part, size);
		if (status)
			return status;
		char *end = memchr(part, 0, size);
		if (end) {
			*length = done + (size_t)(end - part);
			return BIARCH_OK;
		}
		done += size;
	}
	return BIARCH_BAD_ADDRESS;
}

VISIBLE enum biarch_status biarch_library_malloc(struct biarch_library *library, size_t size, biarch_address *address)
{
	if (size > INT32_MAX)
		return BIARCH_NO_MEMORY;
	enum biarch_status status = library->malloc ? BIARCH_OK : biarch_symbol(library, "malloc", NULL, &library->malloc);
	struct biarch_result result = {0};
	uint32_t words[] = {(uint32_t)size};
	if (!status)
		status = biarch_call(library, library->malloc, words, 1, BIARCH_EAX, &result);
	*address = result.eax;
	return status ? status : result.eax || !size ? BIARCH_OK : BIARCH_NO_MEMORY;
}

VISIBLE enum biarch_status biarch_library_free_memory(struct biarch_library *library, biarch_address address)
{
	enum biarch_status status = library->free ? BIARCH_OK : biarch_symbol(library, "free", NULL, &library->free);
	struct biarch_result result;
	return status ? status : biarch_call(library, library->free, &address, 1, BIARCH_EAX, &result);
}

VISIBLE void *biarch_visible(struct biarch_library *library, biarch_address address, size_t size)
{
	return library->state >= STARTED ? library->transport->visible(library->side, address, size) : NULL;
}

/* --- callbacks --- */

VISIBLE enum biarch_status biarch_callback(struct biarch_library *library, biarch_adapter *adapter, void *function, unsigned count,
	enum biarch_result_kind kind, biarch_address *address)
{
	int error = errno;
	enum biarch_status status = started(library);
	if (status)
		return status;
	pthread_mutex_lock(&library->lock);
	uint32_t number = table_find(&library->callback_numbers, (uintptr_t)adapter, (uintptr_t)function);
	if (number--) {
		struct callback *callback = &library->callbacks[number / CHUNK][number % CHUNK];
		callback->uses++;
		*address = callback->address;
	} else {
		number = library->callback_free ? library->callback_free - 1 : library->callback_count;
		status = number < CHUNK * CHUNKS ? BIARCH_OK : BIARCH_NO_MEMORY;
		if (!status && !library->callbacks[number / CHUNK]) {
			struct callback *chunk = calloc(CHUNK, sizeof *chunk);
			library->callbacks[number / CHUNK] = chunk;
			status = chunk ? BIARCH_OK : BIARCH_NO_MEMORY;
		}
		if (!status)
			status = library->transport->callback(library->side, number, count, kind, address);
		if (!status && !(table_add(&library->callback_numbers, (uintptr_t)adapter, (uintptr_t)function, number + 1)
				&& table_add(&library->callback_addresses, *address, 0, number + 1)))
			status = BIARCH_NO_MEMORY;
		if (!status) {
			struct callback *callback = &library->callbacks[number / CHUNK][number % CHUNK];
			if (library->callback_free)
				library->callback_free = callback->next_free;
			else
				library->callback_count++;
			callback->function = function;
			callback->count = count;
			callback->kind = kind;
			callback->address = *address;
			callback->uses = 1;
			callback->adapter = adapter;
		}
	}
	pthread_mutex_unlock(&library->lock);
	errno = error;
	return status;
}

VISIBLE void *biarch_callback_function(struct biarch_library *library, biarch_address address)
{
	pthread_mutex_lock(&library->lock);
	uint32_t number = table_find(&library->callback_addresses, address, 0);
	void *function = number ? library->callbacks[(number - 1) / CHUNK][(number - 1) % CHUNK].function : NULL;
	pthread_mutex_unlock(&library->lock);
	return function;
}

VISIBLE void biarch_callback_drop(struct biarch_library *library, biarch_address address)
{
	pthread_mutex_lock(&library->lock);
	uint32_t number = table_find(&library->callback_addresses, address, 0);
	struct callback *callback = number ? &library->callbacks[(number - 1) / CHUNK][(number - 1) % CHUNK] : NULL;
	if (callback && !--callback->uses) {
		table_remove(&library->callback_addresses, address, 0);
		table_remove(&library->callback_numbers, (uintptr_t)callback->adapter, (uintptr_t)callback->function);
		callback->adapter = NULL;
		callback->next_free = library->callback_free;
		library->callback_free = number;
		if (library->state >= STARTED)
			library->transport->callback_drop(library->side, address);
	}
	pthread_mutex_unlock(&library->lock);
}

void biarch_called(struct biarch_side *side, uint32_t number, const uint32_t *words, struct biarch_result *result)
{
	struct biarch_library *library = self.in && self.in->side == side ? self.in : library_of(side);
	struct callback *callback = library && number < CHUNK * CHUNKS ? library->callbacks[number / CHUNK] : NULL;
	biarch_adapter *adapter = callback ? callback[number % CHUNK].adapter : NULL;
	memset(result, 0, sizeof *result);
	if (!adapter) {
		biarch_fail(library, BIARCH_BAD_ADDRESS, library ? name_at(library, self.function) : NULL, NULL,
			"the library calls a callback that has been dropped");
		return;
	}
	struct biarch_library *in = self.in;
	biarch_address function = self.function;
	adapter(library, callback[number % CHUNK].function, words, result);
	self.in = in;
	self.function = function;
}

/* --- handles --- */

VISIBLE uint32_t biarch_handle(struct biarch_library *library, const void *pointer)
{
	if (!pointer)
		return 0;
	pthread_mutex_lock(&library->lock);
	uint32_t index = table_find(&library->handle_words, (uintptr_t)pointer, 0), word = 0;
	if (index) {
		word = library->handles[index - 1].word;
	} else if (library->handle_free || (library->handle_count < (1u << HANDLE_BITS) - 1
			&& room(&library->handles, library->handle_count, &library->handle_size, sizeof *library->handles))) {
		index = library->handle_free ? library->handle_free : library->handle_count + 1;
		struct handle *handle = &library->handles[index - 1];
		if (table_add(&library->handle_words, (uintptr_t)pointer, 0, index)) {
			if (library->handle_free)
				library->handle_free = handle->next_free;
			else
				*handle = (struct handle){.word = index}, library->handle_count++;
			handle->pointer = pointer;
			word = handle->word;
		}
	}
	pthread_mutex_unlock(&library->lock);
	if (!word)
		biarch_fail(library, BIARCH_NO_MEMORY, "biarch_handle", "pointer", "there are %u handles", library->handle_count);
	return word;
}

static struct handle *handle_at(struct biarch_library *library, uint32_t word)
{
	uint32_t index = word & ((1u << HANDLE_BITS) - 1);
	if (!index || index > library->handle_count)
		return NULL;
	struct handle *handle = &library->handles[index - 1];
	return handle->word == word && handle->pointer ? handle : NULL;
}

VISIBLE enum biarch_status biarch_handle_pointer(struct biarch_library *library, uint32_t word, void **pointer)
{
	*pointer = NULL;
	if (!word)
		return BIARCH_OK;
	pthread_mutex_lock(&library->lock);
	struct handle *handle = handle_at(library, word);
	if (handle)
		*pointer = (void *)(uintptr_t)handle->pointer;
	pthread_mutex_unlock(&library->lock);
	return handle ? BIARCH_OK : BIARCH_BAD_ADDRESS;
}

VISIBLE void biarch_handle_drop(struct biarch_library *library, uint32_t word)
{
	pthread_mutex_lock(&library->lock);
	struct handle *handle = handle_at(library, word);
	if (handle) {
		uint32_t index = word & ((1u << HANDLE_BITS) - 1);
		table_remove(&library->handle_words, (uintptr_t)handle->pointer, 0);
		handle->pointer = NULL;
		/* The next one in this place is another word: one that is used too long is noticed. */
		handle->word += 1u << HANDLE_BITS;
		handle->next_free = library->handle_free;
		library->handle_free = index;
	}
	pthread_mutex_unlock(&library->lock);
}

/* --- errors --- */

static const struct {
	const char *reason, *advice;
} reasons[] = {
	[BIARCH_OK] = {"no error", ""},
	[BIARCH_CANNOT_START] = {"the 32-bit side does not start", "`biarch check LIBRARY` shows what a 32-bit library needs and lacks"},
	[BIARCH_NO_SYMBOL] = {"the library has no such function", "generate the bridge again with this version of the library: `biarch bridge build`"},
	[BIARCH_CRASHED] = {"the library has crashed", "a wrong annotation can be the cause; with `transport = \"process\"` and `restart` the program can go on"},
	[BIARCH_ENDED] = {"the 32-bit side has ended", "with `transport = \"process\"` and `restart` it is started again"},
	[BIARCH_BAD_ADDRESS] = {"an address is outside the library's memory", "see the direction and the length in the annotation file"},
	[BIARCH_NO_MEMORY] = {"there is no memory left below 4 GiB", "free what biarch_alloc gave, or pass less at once"},
	[BIARCH_DOES_NOT_FIT] = {"the value has no 32-bit form", "pass a smaller value, or memory from biarch_alloc; if the library only writes there, the annotation is pass = \"out\""},
	[BIARCH_UNSUPPORTED] = {"the annotation or the transport does not provide for it", "see the annotation file"},
};

VISIBLE void biarch_on_error(biarch_error_handler *handler, void *context)
{
	pthread_mutex_lock(&handler_lock);
	error_handler = handler;
	error_context = context;
	pthread_mutex_unlock(&handler_lock);
}

VISIBLE void biarch_fail(struct biarch_library *library, enum biarch_status status, const char *function, const char *argument, const char *detail, ...)
{
	char text[8192], details[1024] = "";
	const char *why = "", *name = library && library->options.library ? library->options.library : "a 32-bit library";
	if (detail) {
		va_list values;
		va_start(values, detail);
		vsnprintf(details, sizeof details, detail, values);
		va_end(values);
	}
	if ((unsigned)status >= sizeof reasons / sizeof *reasons)
		status = BIARCH_UNSUPPORTED;
	if (library && library->state == FAILED)
		why = library->why;
	else if (library && library->state >= STARTED && (status == BIARCH_CRASHED || status == BIARCH_ENDED || status == BIARCH_NO_SYMBOL))
		why = library->transport->why(library->side);
	why = why ? why : "";
	snprintf(text, sizeof text, "%s%s%s%s%s: %s%s%s%s%s; %s", name, function ? ": " : "", function ? function : "", argument ? ": argument " : "",
		argument ? argument : "", reasons[status].reason, *details ? ": " : "", details, *why ? ": " : "", why, reasons[status].advice);
	struct biarch_error error = {status, name, function, argument, text};
	pthread_mutex_lock(&handler_lock);
	biarch_error_handler *handler = error_handler;
	void *context = error_context;
	pthread_mutex_unlock(&handler_lock);
	if (!handler) {
		fprintf(stderr, "biarch: %s\n", text);
		abort();
	}
	handler(&error, context);
	errno = EIO;
}
