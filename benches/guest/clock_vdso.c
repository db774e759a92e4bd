/* clock_gettime(CLOCK_MONOTONIC) in the vDSO that AT_SYSINFO_EHDR points to; the argument is the symbol,
 * __vdso_clock_gettime or __vdso_clock_gettime64. Without a vDSO the system call, which is what libc does then. */
#include <elf.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

typedef int clock_fn(int clock, void *time);

static clock_fn *entry;
static union {
	struct {
		int32_t seconds, nanoseconds;
	} narrow; /* struct old_timespec32 */
	struct {
		int64_t seconds, nanoseconds;
	} wide; /* struct __kernel_timespec */
} result;

static int system_call_32(int clock, void *time)
{
	return (int)syscall(SYS_clock_gettime, clock, time);
}

static int system_call_64(int clock, void *time)
{
	return (int)syscall(SYS_clock_gettime64, clock, time);
}

/* The number of dynamic symbols: DT_HASH says it, with DT_GNU_HASH alone it is one past the end of the longest chain. */
static uint32_t symbol_count(const uint32_t *hash, const uint32_t *gnu_hash)
{
	if (hash != NULL)
		return hash[1];
	if (gnu_hash == NULL)
		return 0;
	uint32_t buckets = gnu_hash[0], first = gnu_hash[1], last = 0;
	const uint32_t *bucket = gnu_hash + 4 + gnu_hash[2], *chain = bucket + buckets;

	for (uint32_t i = 0; i < buckets; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return 0;
	while ((chain[last - first] & 1) == 0)
		last++;
	return last + 1;
}

static clock_fn *find(const char *wanted)
{
	uintptr_t base = getauxval(AT_SYSINFO_EHDR);

	if (base == 0)
		return NULL;
	const Elf32_Ehdr *header = (const void *)base;
	const Elf32_Phdr *segment = (const void *)(base + header->e_phoff);
	const Elf32_Dyn *dynamic = NULL;
	uintptr_t bias = base;

	for (int i = 0; i < header->e_phnum; i++) {
		if (segment[i].p_type == PT_LOAD)
			bias = base + segment[i].p_offset - segment[i].p_vaddr;
		if (segment[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(base + segment[i].p_offset);
	}
	if (dynamic == NULL)
		return NULL;
	const Elf32_Sym *symbols = NULL;
	const char *names = NULL;
	const uint32_t *hash = NULL, *gnu_hash = NULL;

	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		const void *there = (const void *)(bias + dynamic->d_un.d_ptr);

		switch (dynamic->d_tag) {
		case DT_SYMTAB: symbols = there; break;
		case DT_STRTAB: names = there; break;
		case DT_HASH: hash = there; break;
		case DT_GNU_HASH: gnu_hash = there; break;
		}
	}
	if (symbols == NULL || names == NULL)
		return NULL;
	for (uint32_t i = symbol_count(hash, gnu_hash); i-- > 0;)
		if (symbols[i].st_shndx != SHN_UNDEF && strcmp(names + symbols[i].st_name, wanted) == 0)
			return (clock_fn *)(bias + symbols[i].st_value);
	return NULL;
}

static void batch(unsigned count)
{
	while (count-- != 0)
		entry(CLOCK_MONOTONIC, &result);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	int wide = strcmp(argv[1], "__vdso_clock_gettime64") == 0;

	entry = find(argv[1]);
	if (entry == NULL)
		entry = wide ? system_call_64 : system_call_32;
	if (entry(CLOCK_MONOTONIC, &result) != 0)
		fail(argv[1]);
	int64_t seconds = wide ? result.wide.seconds : result.narrow.seconds;
	double apart = now_ns() / 1e9 - (double)seconds;

	if (apart < 0 || apart > 2) {
		fprintf(stderr, "%s: %lld s, libc's clock is %.3f s later\n", argv[1], (long long)seconds, apart);
		return 1;
	}
	measure(batch);
	return 0;
}
