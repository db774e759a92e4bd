/* The program that the 32-bit side of a bridge begins with: it brings the dynamic loader and the C library, says where their functions are, and
 * waits. Each of its threads is one that a thread of the 64-bit program calls on. */
#define _GNU_SOURCE
#include "services.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

/* Waits to be called; returns when the thread is to end. The vDSO's entry, which is never traced and never trapped. */
static void biarch_wait(const void *said)
{
	int ended;
	__asm__ volatile("call *%%gs:0x10" : "=a"(ended) : "0"(BIARCH_WAIT), "b"(0), "c"(said), "d"(&errno) : "memory");
}

static void *thread(void *unused)
{
	(void)unused;
	biarch_wait(NULL);
	return NULL;
}

static int spawn(size_t stack)
{
	pthread_attr_t attributes;
	pthread_t id;
	int error = pthread_attr_init(&attributes);
	if (error == 0)
		error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (error == 0 && stack != 0)
		error = pthread_attr_setstacksize(&attributes, stack);
	return error != 0 ? error : pthread_create(&id, &attributes, thread, NULL);
}

#define SERVICE(function) ((uint32_t)(function))

int main(void)
{
	struct biarch_services services = {
		SERVICE(dlopen), SERVICE(dlsym), SERVICE(dlvsym), SERVICE(dlclose), SERVICE(dlerror),
		SERVICE(malloc), SERVICE(free),
		SERVICE(spawn), SERVICE(exit),
	};
	biarch_wait(&services);
	return 0;
}
