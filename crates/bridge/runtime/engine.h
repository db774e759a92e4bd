/* The engine of `biarch run`, for a 32-bit library in this process: crates/run/src/engine.rs, which says what each function needs. */
#ifndef BIARCH_ENGINE_H
#define BIARCH_ENGINE_H

#include "biarch.h"

/* A thread of the 32-bit side. */
struct biarch_thread;

/* How the 32-bit side has been left: `Left` of crates/run/src/embed.rs. */
enum { LEFT_RETURNED, LEFT_READY, LEFT_ENDED, LEFT_THREAD_ENDED, LEFT_FAILED, LEFT_NO_STACK };

struct biarch_engine_hooks {
	struct biarch_thread *(*current)(void);
	void (*set_current)(struct biarch_thread *thread);
	int (*create)(struct biarch_thread *thread);
	uint32_t (*called)(uint32_t number, const uint32_t *words, struct biarch_result *result);
};

struct biarch_engine_start {
	int launcher;
	const char *sysroot;
	const char *const *environment;
	uint32_t hwcap, hwcap2, clock_ticks, minimum_signal_stack;
	uint64_t vdso;
	struct biarch_engine_hooks hooks;
	char *why;
	size_t why_size;
	struct biarch_thread *thread;
};

struct biarch_engine_crash {
	int signal;
	uint32_t address;
	uint32_t esp, stack_end;
	uint32_t count;
	uint32_t frames[32];
};

int biarch_engine_start(struct biarch_engine_start *start);
void biarch_engine_reserve(uint32_t address, uint32_t length);
uint32_t biarch_engine_call(struct biarch_thread *thread, uint32_t function, const uint32_t *words, uint32_t count,
	struct biarch_result *result, uint32_t in_st0);
uint32_t biarch_engine_resume(struct biarch_thread *thread);
struct biarch_thread *biarch_engine_adopt(struct biarch_thread *spawner, uint32_t spawn, uint32_t argument, int why[2]);
uint32_t biarch_engine_end(struct biarch_thread *thread);
void biarch_engine_free(struct biarch_thread *thread);
int biarch_engine_begin(struct biarch_thread *thread);
void biarch_engine_set_program_stack(struct biarch_thread *thread, uint64_t start, uint64_t end);
uint32_t biarch_engine_said(const struct biarch_thread *thread);
uint32_t biarch_engine_errno(const struct biarch_thread *thread);
void biarch_engine_forked(struct biarch_thread *thread);
void biarch_engine_stop(void);
void biarch_engine_crash(const struct biarch_thread *thread, struct biarch_engine_crash *crash);
size_t biarch_engine_read(uint32_t from, void *to, size_t size);
int biarch_engine_write(uint32_t to, const void *from, size_t size);
uint32_t biarch_engine_map(uint32_t length);
void biarch_engine_unmap(uint32_t address, uint32_t length);
uint32_t biarch_engine_map_callbacks(uint32_t first);

#endif
