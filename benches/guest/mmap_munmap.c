/* mmap and munmap of 64 KiB; no page is touched. */
#include <sys/mman.h>

#include "measure.h"

static void batch(unsigned count)
{
	while (count-- != 0) {
		void *there = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (there == MAP_FAILED || munmap(there, 65536) != 0)
			fail("mmap");
	}
}

int main(void)
{
	measure(batch);
	return 0;
}
