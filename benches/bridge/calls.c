/* `calls TRANSPORT SERVER LIBRARY WHAT [WORDS]`: prints the nanoseconds of what generated code does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "../guest/measure.h"
#include "biarch.h"

#define BUFFER ((size_t)1 << 20)

static struct biarch_library *library;
static biarch_address function, callback;
static uint32_t words[64];
static unsigned count;
static char *own, *shared;

static void check(enum biarch_status status, const char *name)
{
	if (status)
		biarch_fail(library, status, name, NULL, NULL);
}

static void call(unsigned times)
{
	struct biarch_result result;
	while (times-- != 0)
		check(biarch_call(library, function, words, count, BIARCH_EAX, &result), "call");
}

/* As a generated function does it for an array that is read by the library. */
static void copy(unsigned times)
{
	while (times-- != 0) {
		struct biarch_frame frame;
		struct biarch_result result;
		check(biarch_frame_begin(library, &frame), "frame");
		void *memory = biarch_frame_take(&frame, BUFFER, 16, &words[0]);
		memcpy(memory, own, BUFFER);
		words[1] = BUFFER;
		check(biarch_call(library, function, words, 2, BIARCH_EAX, &result), "copy");
		biarch_frame_end(&frame);
	}
}

static void pass(unsigned times)
{
	while (times-- != 0) {
		struct biarch_result result;
		words[0] = biarch_shared(library, shared, BUFFER);
		words[1] = BUFFER;
		check(biarch_call(library, function, words, 2, BIARCH_EAX, &result), "pass");
	}
}

static void plain(unsigned times)
{
	while (times-- != 0) {
		memcpy(shared, own, BUFFER);
		__asm__ volatile("" ::: "memory");
	}
}

static void adapter(struct biarch_library *from, void *unused, const uint32_t *arguments, struct biarch_result *result)
{
	(void)from;
	(void)unused;
	result->eax = arguments[0];
}

int main(int arguments, char **argument)
{
	if (arguments < 5)
		return 2;
	struct biarch_options options = {.library = argument[3], .transport = argument[1], .server = argument[2]};
	const char *what = argument[4];
	count = arguments > 5 ? (unsigned)atoi(argument[5]) : 2;
	library = biarch_library_new(&options);
	check(biarch_symbol(library, !strcmp(what, "callback") ? "apply" : "f", NULL, &function), "f");
	own = malloc(BUFFER);
	shared = biarch_alloc(library, BUFFER);
	memset(own, 1, BUFFER);
	memset(shared, 1, BUFFER);
	if (!strcmp(what, "callback")) {
		check(biarch_callback(library, adapter, NULL, 1, BIARCH_EAX, &callback), "apply");
		words[0] = callback;
		count = 2;
	}
	measure(!strcmp(what, "copy") ? copy : !strcmp(what, "pass") ? pass : !strcmp(what, "memcpy") ? plain : call);
	biarch_library_free(library);
	return 0;
}
