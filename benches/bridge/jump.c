/* Prints the nanoseconds of the way into 32-bit code and back with nothing around it: two far jumps. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>

#include "../guest/measure.h"

/* Below 4 GiB: where both jumps lead, as the processor takes it, and the code there. */
static struct low {
	struct {
		uint32_t offset;
		uint16_t segment;
	} __attribute__((packed)) there;
	unsigned char there_code[7], back_code[3];
} *low;

static void batch(unsigned times)
{
	while (times-- != 0)
		/* 32-bit code sees the lower half of rsp only. */
		__asm__ volatile("mov %%rsp, %%r15\n\t"
				 "lea 1f(%%rip), %%r14\n\t"
				 "ljmp *(%0)\n"
				 "1:\tmov %%r15, %%rsp"
				 :
				 : "r"(low)
				 : "r14", "r15", "memory");
}

int main(void)
{
	low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (low == MAP_FAILED)
		fail("mmap");
	uint32_t back = (uint32_t)(uintptr_t)low->back_code;
	low->there.offset = (uint32_t)(uintptr_t)low->there_code;
	low->there.segment = 0x23;
	low->there_code[0] = 0xea; /* ljmp $0x33, $back */
	memcpy(&low->there_code[1], &back, sizeof back);
	low->there_code[5] = 0x33;
	memcpy(low->back_code, "\x41\xff\xe6", 3); /* jmp *%r14 */
	if (mprotect(low, 4096, PROT_READ | PROT_EXEC) != 0)
		fail("mprotect");
	measure(batch);
	return 0;
}
