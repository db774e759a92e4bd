/* The first write to each page of an anonymous mapping: no system call, but whatever the supervisor does to mappings shows. */
#include <sys/mman.h>

#include "measure.h"

#define PAGES 256

static void batch(unsigned count)
{
	while (count != 0) {
		unsigned pages = count < PAGES ? count : PAGES;
		volatile char *there = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (there == MAP_FAILED)
			fail("mmap");
		for (unsigned i = 0; i < pages; i++)
			there[i * 4096] = 1;
		if (munmap((void *)there, PAGES * 4096) != 0)
			fail("munmap");
		count -= pages;
	}
}

int main(void)
{
	measure(batch);
	return 0;
}
