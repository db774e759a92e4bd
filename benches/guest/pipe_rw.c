/* 4 KiB through a pipe, one process: a write and a read. */
#include <unistd.h>

#include "measure.h"

static int ends[2];
static char block[4096];

static void batch(unsigned count)
{
	while (count-- != 0)
		if (write(ends[1], block, sizeof block) != sizeof block || read(ends[0], block, sizeof block) != sizeof block)
			fail("pipe");
}

int main(void)
{
	if (pipe(ends) != 0)
		fail("pipe");
	measure(batch);
	return 0;
}
