/* What the launcher, a 32-bit program, offers to the transport `in-process`. Its words are addresses of its functions. */
#ifndef BIARCH_SERVICES_H
#define BIARCH_SERVICES_H

#include <stdint.h>

/* The system call by which a thread of the launcher waits to be called: `CALL` of crates/run/src/embed.rs. */
#define BIARCH_WAIT 0xb1a0

struct biarch_services {
	uint32_t dlopen, dlsym, dlvsym, dlclose, dlerror;
	uint32_t malloc, free;
	uint32_t spawn; /* makes a thread; the argument is its stack's size */
	uint32_t exit;
};

#endif
