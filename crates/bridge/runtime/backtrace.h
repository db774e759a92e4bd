#ifndef BIARCH_BACKTRACE_H
#define BIARCH_BACKTRACE_H

#include "engine.h"

/* Says in one sentence how the library has failed, and where. */
void biarch_say_crash(const struct biarch_engine_crash *crash, char *start, size_t size);

#endif
