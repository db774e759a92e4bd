/* What a generated bridge calls, and a program may: 32-bit libraries for 64-bit programs.
 *
 * An address of the library is a `uint32_t`, `biarch_address`. With the transport `in-process` the library is in this process, below 4 GiB, and its
 * address is a pointer of ours as well; with `process` it is in a server, and only shared memory (biarch_alloc, frames) is visible to both, at the
 * same address in both. What is generated is the same for both: it looks at memory of the library through biarch_read and biarch_write only.
 */
#ifndef BIARCH_H
#define BIARCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An address in the 32-bit library's address space; 0 is NULL. */
typedef uint32_t biarch_address;

/* One 32-bit library that is or will be open. */
struct biarch_library;

/* Why something failed. */
enum biarch_status {
	BIARCH_OK = 0,
	BIARCH_CANNOT_START, /* the 32-bit side does not start: no loader, no library, no processor mode */
	BIARCH_NO_SYMBOL,    /* the library has no such function */
	BIARCH_CRASHED,      /* a fault inside the library; it is not called again */
	BIARCH_ENDED,        /* the library has called exit(3) or abort(3), or its server has gone */
	BIARCH_BAD_ADDRESS,  /* an address from the library is outside its memory */
	BIARCH_NO_MEMORY,    /* nothing left below 4 GiB */
	BIARCH_DOES_NOT_FIT, /* a value has no 32-bit form: a size, a pointer, a number */
	BIARCH_UNSUPPORTED,  /* the annotation or this transport does not provide for it */
};

/* How to reach a library; all strings outlive the library. */
struct biarch_options {
	const char *library;   /* path or soname of the 32-bit library */
	const char *transport; /* "in-process" or "process" */
	const char *sysroot;   /* where the 32-bit loader and libraries are, or NULL for the system's own directories */
	const char *server;    /* process: the server program, or NULL for the one beside this runtime */
	unsigned restart;      /* process: how many times a server that has died is started again */
};

/* Notes the library; nothing is started before the first biarch_symbol, biarch_call or biarch_alloc. Never fails. */
struct biarch_library *biarch_library_new(const struct biarch_options *options);
/* Closes it (dlclose, end of the server). No thread may be in a call. */
void biarch_library_free(struct biarch_library *library);
/* The same for a bridge that is unloaded, and nothing where the process ends; `library` may be NULL. */
void biarch_library_unload(struct biarch_library *library);

/* Address of a function or object of the library; `version` may be NULL. Starts the 32-bit side where it is not started. */
enum biarch_status biarch_symbol(struct biarch_library *library, const char *name, const char *version, biarch_address *address);

/* Where a result is. */
enum biarch_result_kind {
	BIARCH_EAX, /* void, integers and pointers of up to 32 bits; 64-bit ones in eax and edx */
	BIARCH_ST0, /* float, double, long double */
};

/* A result. */
struct biarch_result {
	uint32_t eax;
	uint32_t edx;
	long double st0; /* set with BIARCH_ST0 only */
};

/* Calls a function of the library (cdecl; of a 32-bit ARM library see below). `words` are its arguments as they lie on the i386 stack, `count` of them, the first argument first. errno of
 * the library becomes errno of this thread where it was changed. Any thread may call, and a callback may call again.
 *
 * On ARM (AAPCS-VFP) the first 16 words are s0 to s15, the next four r0 to r3, and then come those on the stack; a 64-bit integer begins in an even one of
 * r0 to r3 or at a multiple of 8 bytes. With BIARCH_ST0 eax and edx of the result are d0. It is the same for the words of callbacks. */
enum biarch_status biarch_call(struct biarch_library *library, biarch_address function, const uint32_t *words, unsigned count,
	enum biarch_result_kind kind, struct biarch_result *result);

/* Where one thread makes calls for others: what is known there of the failure of its last call, and, on the thread that wanted it, which function it
 * was and what has been said of that (or NULL). */
const char *biarch_reason(void);
void biarch_note(biarch_address function, const char *reason);

/* Memory that both sides see, for the time of one call: frames nest, each thread has its own. */
struct biarch_frame {
	struct biarch_library *library;
	void *arena; /* the thread's */
	uint32_t depth;
};
enum biarch_status biarch_frame_begin(struct biarch_library *library, struct biarch_frame *frame);
/* `size` bytes, not zeroed, aligned to `alignment` (at most 64); address for the library in `*address`. NULL where there is no memory. */
void *biarch_frame_take(struct biarch_frame *frame, size_t size, size_t alignment, biarch_address *address);
void biarch_frame_end(struct biarch_frame *frame);
/* In a callback: memory that both sides see until the call returns that the library has called back from. For what a callback returns. NULL where there
 * is no memory. */
void *biarch_lend(struct biarch_library *library, size_t size, biarch_address *address);
/* Whether this thread has left, by longjmp(3), the stack frame with the object `then`, as it is in one with the object `now`. On a stack that the program
 * has made itself that is not known, and the answer is 0. */
int biarch_left(const void *then, const void *now);

/* Memory that both sides see, until it is freed: buffers in it are passed without copying. */
void *biarch_alloc(struct biarch_library *library, size_t size);
void biarch_free(struct biarch_library *library, void *memory);
/* The library's address of memory that both sides see; 0 where it is not such memory (or part of `size` is not). In process: any memory below 4 GiB. */
biarch_address biarch_shared(struct biarch_library *library, const void *memory, size_t size);

/* Reads and writes memory of the library; an address outside it is BIARCH_BAD_ADDRESS. */
enum biarch_status biarch_read(struct biarch_library *library, biarch_address from, void *to, size_t size);
enum biarch_status biarch_write(struct biarch_library *library, biarch_address to, const void *from, size_t size);
/* Length of the string there without its NUL, which is at most `limit` bytes away. */
enum biarch_status biarch_string_length(struct biarch_library *library, biarch_address string, size_t limit, size_t *length);
/* The library's own malloc and free: for what it frees, or what must be freed in its place. */
enum biarch_status biarch_library_malloc(struct biarch_library *library, size_t size, biarch_address *address);
enum biarch_status biarch_library_free_memory(struct biarch_library *library, biarch_address address);
/* A pointer of this program to memory of the library where it can see it (in process, or shared memory), NULL elsewhere. */
void *biarch_visible(struct biarch_library *library, biarch_address address, size_t size);

/* What a callback of the library arrives at: `function` is the program's function, `words` the arguments as they lie on the i386 stack. */
typedef void biarch_adapter(struct biarch_library *library, void *function, const uint32_t *words, struct biarch_result *result);
/* A function that the library can call and that calls `adapter` with `function`; the same two give the same address. `count` is how many words the
 * arguments have. It stays until biarch_callback_drop, as often as it was asked for, or the end of the library. */
enum biarch_status biarch_callback(struct biarch_library *library, biarch_adapter *adapter, void *function, unsigned count,
	enum biarch_result_kind kind, biarch_address *address);
/* The program's function that is behind an address which biarch_callback gave; NULL where there is none. */
void *biarch_callback_function(struct biarch_library *library, biarch_address address);
void biarch_callback_drop(struct biarch_library *library, biarch_address address);

/* Handles: words that stand for pointers of the program which the library only keeps and gives back (user data). The same pointer gives the same word;
 * NULL is 0. */
uint32_t biarch_handle(struct biarch_library *library, const void *pointer);
/* The pointer behind the word; BIARCH_BAD_ADDRESS where there is none. */
enum biarch_status biarch_handle_pointer(struct biarch_library *library, uint32_t handle, void **pointer);
void biarch_handle_drop(struct biarch_library *library, uint32_t handle);

/* An error at a call: `function` and `argument` (or NULL) are names of the header. */
struct biarch_error {
	enum biarch_status status;
	const char *library;
	const char *function;
	const char *argument;
	const char *text; /* all of it in one sentence, with what to do */
};
/* What is done about errors instead of writing the text to stderr and calling abort(3). If it returns, the failed function returns what its annotation
 * says (`on_error`), or zero, with errno EIO. */
typedef void biarch_error_handler(const struct biarch_error *error, void *context);
void biarch_on_error(biarch_error_handler *handler, void *context);
/* Reports an error of `function`; `detail` is a printf(3) format and may be NULL. */
void biarch_fail(struct biarch_library *library, enum biarch_status status, const char *function, const char *argument, const char *detail, ...)
	__attribute__((format(printf, 5, 6)));

#ifdef __cplusplus
}
#endif
#endif
