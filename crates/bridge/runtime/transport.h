/* What a transport provides; core.c builds biarch.h on it. */
#ifndef BIARCH_TRANSPORT_H
#define BIARCH_TRANSPORT_H

#include "biarch.h"

/* The 32-bit side of one library, of a transport's own kind. */
struct biarch_side;

/* A row for each transport. All functions but `start` are called with a side that `start` gave. */
struct biarch_transport {
	const char *name; /* as in struct biarch_options */
	int survives_fork; /* whether the child of a fork(2) may go on with the side; it gets BIARCH_ENDED otherwise */
	/* Starts the 32-bit side where that is needed, and opens the library. `why` gets a sentence where it fails. */
	enum biarch_status (*start)(const struct biarch_options *options, struct biarch_side **side, char *why, size_t why_size);
	void (*stop)(struct biarch_side *side);
	/* The program ends: what the library does at its end is done, and calls of other threads do not return. May be NULL. */
	void (*at_exit)(struct biarch_side *side);
	enum biarch_status (*symbol)(struct biarch_side *side, const char *name, const char *version, biarch_address *address);
	enum biarch_status (*call)(struct biarch_side *side, biarch_address function, const uint32_t *words, unsigned count,
		enum biarch_result_kind kind, struct biarch_result *result);
	/* Memory that both sides see: a multiple of the page size, zeroed. */
	enum biarch_status (*map)(struct biarch_side *side, size_t size, void **memory, biarch_address *address);
	void (*unmap)(struct biarch_side *side, void *memory, size_t size);
	enum biarch_status (*read)(struct biarch_side *side, biarch_address from, void *to, size_t size);
	enum biarch_status (*write)(struct biarch_side *side, biarch_address to, const void *from, size_t size);
	/* See biarch_visible and biarch_shared. */
	void *(*visible)(struct biarch_side *side, biarch_address address, size_t size);
	biarch_address (*shared)(struct biarch_side *side, const void *memory, size_t size);
	/* A 32-bit function that arrives at `biarch_called(context, number, words, result)` on the thread that is in `call`, or on a thread of its own. */
	enum biarch_status (*callback)(struct biarch_side *side, uint32_t number, unsigned count, enum biarch_result_kind kind, biarch_address *address);
	void (*callback_drop)(struct biarch_side *side, biarch_address address);
	/* What is known about the failure of the last call on this thread: a sentence, with a backtrace of the library where there is one. */
	const char *(*why)(struct biarch_side *side);
};

/* core.c: where a transport says why something has failed on this thread, BIARCH_WHY bytes. Not in the static storage of threads, which is small and of
 * which a runtime that is loaded late gets what is left. */
#define BIARCH_WHY 4096
char *biarch_why(void);

/* core.c: what a callback arrives at. */
void biarch_called(struct biarch_side *side, uint32_t number, const uint32_t *words, struct biarch_result *result);
/* core.c: the name that biarch_symbol was given for the function, or "a function". */
const char *biarch_function_name(struct biarch_side *side, biarch_address address);
/* core.c: the 32-bit side has been started again. All functions must be where they were; the callbacks are made again, by `callback`. */
enum biarch_status biarch_restarted(struct biarch_side *side);

extern const struct biarch_transport biarch_in_process;
extern const struct biarch_transport biarch_process;

#endif
