/* What an interface costs: words there and back. */
#ifndef PING_H
#define PING_H

#include <stdint.h>

void ping(uint32_t *words, unsigned count);

#endif
