/* What process.c, which is 64-bit, and server.c, which is 32-bit, share: words of 32 bits only, and no object of the C library. */
#ifndef BIARCH_CHANNEL_H
#define BIARCH_CHANNEL_H

#include <errno.h>
#include <linux/futex.h>
#include <linux/posix_types.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Of everything in this file: a runtime and a server that do not agree on it do not start. */
#define BIARCH_LAYOUT 2u

/* Descriptors of the server. */
enum {
	BIARCH_CONTROL_FD = 3, /* struct biarch_control, mapped anywhere */
	BIARCH_MEMORY_FD = 4,  /* memory that both sides see, at the address that is the offset in this file */
};

#define BIARCH_CHANNEL_SIZE 4096
#define BIARCH_CHANNELS 1023
#define BIARCH_WORDS (BIARCH_CHANNEL_SIZE / 4 - 8)
/* Addresses and sizes of memory are multiples of this: the largest page. */
#define BIARCH_GRANULE 0x10000u
/* Functions that arrive at callbacks, one after the other, at an address that both sides have free. */
#define BIARCH_THUNK 16u
#define BIARCH_THUNKS (BIARCH_GRANULE * 16 / BIARCH_THUNK)

/* Who may write into a channel and is to go on. */
enum {
	BIARCH_CLIENT = 0,
	BIARCH_SERVER = 1,
	BIARCH_SLEEPS = 2, /* the other one, in futex(2) */
	BIARCH_DEAD = 4,   /* there is no server any more */
	/* Times the processor, counted from 1, on which the client has given it; 0 where that is not known. */
	BIARCH_PROCESSOR = 8,
};
/* Whose turn it is, as long as there is a server. */
#define BIARCH_WHOSE (BIARCH_SERVER | BIARCH_DEAD)

enum biarch_request {
	/* Client to server, on the first channel. */
	BIARCH_HELLO = 1, /* versions; `words`: path of the library */
	BIARCH_SYMBOL,    /* `words`: name, 0, version, 0 → `address` */
	BIARCH_MAP,       /* `address`, `count` bytes */
	BIARCH_UNMAP,
	BIARCH_THUNK_PAGES, /* `address` */
	BIARCH_CALLBACK,    /* `address`: its number; `count`, `kind` */
	BIARCH_THREAD,      /* a thread for the channel `address` */
	BIARCH_EXIT,        /* exit(3) */
	/* On the channel of a thread. */
	BIARCH_CALL,   /* `address`, `count`, `kind`, `words` → the first words are eax, edx and st0 */
	BIARCH_READ,   /* `address`, `count` bytes → `words` */
	BIARCH_WRITE,  /* `address`, `count` bytes, `words` */
	BIARCH_LEAVE,  /* the thread ends; from the server too, where the thread is the library's own */
	BIARCH_RETURN, /* of a callback: `words` as of a call */
	/* Server to client. */
	BIARCH_DONE,   /* `status` */
	BIARCH_CALLED, /* a callback: `address` is its number; `count`, `words` */
};

/* Where the words of a result are. */
enum { BIARCH_WORD_EAX, BIARCH_WORD_EDX, BIARCH_WORD_ST0, BIARCH_RESULT_WORDS = 5 };

/* One thread of the client and one of the server, of which one waits. */
struct biarch_channel {
	uint32_t turn;
	uint32_t request, status, address, count, kind;
	uint32_t error; /* errno */
	uint32_t depth; /* how many calls the client's thread is in, around this one */
	uint32_t words[BIARCH_WORDS];
};

struct biarch_control {
	struct {
		uint32_t layout, width, size; /* each side's own: BIARCH_LAYOUT, sizeof(void *), sizeof(struct biarch_control) */
		uint32_t probe;               /* the client's: a number; the server's: an address where that is */
	} client, server;
	uint32_t spare; /* a channel with a thread of the client, for a thread of the library's own that calls back; or 0 */
	uint32_t reporting;
	char report[BIARCH_CHANNEL_SIZE - 10 * 4]; /* a fault in the library */
	struct biarch_channel channels[BIARCH_CHANNELS];
};

_Static_assert(sizeof(struct biarch_channel) == BIARCH_CHANNEL_SIZE, "the same on both sides");
_Static_assert(sizeof(struct biarch_control) == BIARCH_CHANNEL_SIZE * (1 + BIARCH_CHANNELS), "the same on both sides");

static inline void biarch_futex_wait(uint32_t *word, uint32_t value)
{
	int before = errno;
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
	errno = before;
}

static inline void biarch_futex_wake(uint32_t *word, int count)
{
	int before = errno;
	syscall(SYS_futex, word, FUTEX_WAKE, count, NULL, NULL, 0);
	errno = before;
}

static inline void biarch_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#else
	__asm__ volatile("yield");
#endif
}

/* How long a thread looks before it sleeps: for about as long as a sleep and a wake-up take where processors are virtual, which is also longer than copying
 * a megabyte for the next call. What is looked for in vain is lost to whoever else wants the processor, so after each time in vain it sleeps at once twice
 * as often as after the last, and after each success it looks again. */
#define BIARCH_SPIN_NS 100000u
#define BIARCH_SPIN_PAUSE 512u
/* Looks between two readings of the clock, for reading it is a system call: C libraries before glibc 2.17 have the function in another library. */
#define BIARCH_LOOKS 64u
struct biarch_spin {
	int never; /* there is one processor, on which the other side does nothing meanwhile */
	unsigned pause, pauses;
	uint32_t beside; /* the processor on which the other side was last, counted from 1; or 0 */
};

static inline struct biarch_spin biarch_spin_new(void)
{
	cpu_set_t processors;
	return (struct biarch_spin){.never = sched_getaffinity(0, sizeof processors, &processors) == 0 && CPU_COUNT(&processors) == 1};
}

static inline uint64_t biarch_nanoseconds(void)
{
#ifdef SYS_clock_gettime
	struct {
		__kernel_long_t seconds, rest;
	} now = {0, 0};
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#else
	struct {
		int64_t seconds, rest;
	} now = {0, 0};
	syscall(SYS_clock_gettime64, CLOCK_MONOTONIC, &now);
#endif
	return (uint64_t)now.seconds * 1000000000u + (uint64_t)now.rest;
}

/* Leaves a processor to the other side. The kernel wakes both sides on one, where the one that looks keeps the other one from what it looks for. */
static inline void biarch_leave_processor(uint32_t processor)
{
	unsigned own;
	cpu_set_t allowed, others;
	if (syscall(SYS_getcpu, &own, NULL, NULL) || own + 1 != processor || sched_getaffinity(0, sizeof allowed, &allowed))
		return;
	others = allowed;
	CPU_CLR(own, &others);
	if (CPU_COUNT(&others) != 0 && sched_setaffinity(0, sizeof others, &others) == 0)
		sched_setaffinity(0, sizeof allowed, &allowed);
}

/* Hands the channel to the other side; 0 where that is dead. */
static inline int biarch_give(struct biarch_channel *channel, uint32_t to)
{
	if (to == BIARCH_SERVER)
		to |= BIARCH_PROCESSOR * ((uint32_t)sched_getcpu() + 1);
	uint32_t old = __atomic_exchange_n(&channel->turn, to, __ATOMIC_ACQ_REL);
	if (__builtin_expect(old & BIARCH_DEAD, 0)) {
		__atomic_fetch_or(&channel->turn, BIARCH_DEAD, __ATOMIC_RELAXED);
		return 0;
	}
	if (old & BIARCH_SLEEPS)
		biarch_futex_wake(&channel->turn, 1);
	return 1;
}

/* The turn when it is `mine`, or when it has been looked for long enough. */
static inline uint32_t biarch_look(struct biarch_channel *channel, uint32_t mine, const struct biarch_spin *spin)
{
	uint32_t turn;
	uint64_t end = 0, now;
	do {
		for (unsigned i = 0; i < BIARCH_LOOKS; i++) {
			biarch_pause();
			turn = __atomic_load_n(&channel->turn, __ATOMIC_ACQUIRE);
			if ((turn & BIARCH_WHOSE) != !mine)
				return turn;
		}
		now = biarch_nanoseconds();
		if (!end) {
			end = now + BIARCH_SPIN_NS;
			if (spin->beside)
				biarch_leave_processor(spin->beside);
		}
	} while (now < end);
	return turn;
}

/* Waits until it is `mine`; 0 where the other side is dead. */
static inline int biarch_wait(struct biarch_channel *channel, uint32_t mine, struct biarch_spin *spin)
{
	uint32_t turn = __atomic_load_n(&channel->turn, __ATOMIC_ACQUIRE);
	if (spin->pause) {
		spin->pause--;
	} else if (!spin->never && (turn & BIARCH_WHOSE) == !mine) {
		turn = biarch_look(channel, mine, spin);
		spin->pauses = (turn & BIARCH_WHOSE) != !mine ? 0 : spin->pauses < BIARCH_SPIN_PAUSE ? spin->pauses * 2 + 1 : spin->pauses;
		spin->pause = spin->pauses;
	}
	while ((turn & BIARCH_WHOSE) == !mine) {
		if (turn & BIARCH_SLEEPS
			|| __atomic_compare_exchange_n(&channel->turn, &turn, turn | BIARCH_SLEEPS, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
			biarch_futex_wait(&channel->turn, turn | BIARCH_SLEEPS);
		turn = __atomic_load_n(&channel->turn, __ATOMIC_ACQUIRE);
	}
	spin->beside = turn / BIARCH_PROCESSOR;
	/* What was given before the end is whole. */
	return (turn & BIARCH_SERVER) == mine;
}

#endif
