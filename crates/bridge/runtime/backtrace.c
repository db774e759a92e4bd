/* Where a 32-bit library has failed: a sentence with the functions that led there. Nothing of the library is called any more, so names come from its
 * files, which are looked at with suspicion. */
#define _GNU_SOURCE
#include "backtrace.h"

#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many places a sentence names, and how many bytes of the stack are looked at for them. */
enum { MOST_PLACES = 10, MOST_STACK = 64 * 1024, MOST_MAPPINGS = 256 };

struct text {
	char *start;
	size_t size;
};

static void say(struct text text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct text text, const char *format, ...)
{
	size_t used = strlen(text.start);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text.start + used, text.size - used, format, arguments);
	va_end(arguments);
}

/* Code of the 32-bit side in memory. */
struct mapping {
	uint32_t start, end, offset;
	char path[256];
};

static size_t find_code(struct mapping *mappings)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	size_t count = 0;
	while (maps != NULL && count < MOST_MAPPINGS && fgets(line, sizeof line, maps) != NULL) {
		unsigned long start, end, offset;
		char executable;
		int path = 0;
		if (sscanf(line, "%lx-%lx %*c%*c%c%*c %lx %*s %*s %n", &start, &end, &executable, &offset, &path) < 4 || path == 0)
			continue;
		if (end > 1ul << 32 || executable != 'x')
			continue;
		struct mapping *mapping = &mappings[count++];
		*mapping = (struct mapping){(uint32_t)start, (uint32_t)end, (uint32_t)offset, ""};
		snprintf(mapping->path, sizeof mapping->path, "%s", line + path);
		mapping->path[strcspn(mapping->path, "\n")] = '\0';
	}
	if (maps != NULL)
		fclose(maps);
	return count;
}

static const struct mapping *mapping_of(const struct mapping *mappings, size_t count, uint32_t address)
{
	for (size_t at = 0; at < count; at++)
		if (address >= mappings[at].start && address < mappings[at].end)
			return &mappings[at];
	return NULL;
}

/* A part of a file, or NULL where it is not all there. */
static const void *part(const char *file, size_t file_size, size_t offset, size_t size)
{
	return offset <= file_size && size <= file_size - offset ? file + offset : NULL;
}

/* The function at `offset` of an i386 ELF file; how far into it in `*into`. */
static const char *function_at(const char *file, size_t size, uint32_t offset, uint32_t *into)
{
	const Elf32_Ehdr *header = part(file, size, 0, sizeof *header);
	if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS32)
		return NULL;
	const Elf32_Phdr *segments = part(file, size, header->e_phoff, header->e_phnum * sizeof *segments);
	const Elf32_Shdr *sections = part(file, size, header->e_shoff, header->e_shnum * sizeof *sections);
	if (segments == NULL || sections == NULL)
		return NULL;
	uint32_t address = offset;
	for (size_t at = 0; at < header->e_phnum; at++)
		if (segments[at].p_type == PT_LOAD && offset >= segments[at].p_offset && offset - segments[at].p_offset < segments[at].p_filesz)
			address = offset - segments[at].p_offset + segments[at].p_vaddr;
	const char *best = NULL;
	for (size_t table = 0; table < header->e_shnum; table++) {
		const Elf32_Shdr *section = &sections[table];
		if ((section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM) || section->sh_link >= header->e_shnum)
			continue;
		const Elf32_Shdr *strings = &sections[section->sh_link];
		const Elf32_Sym *symbols = part(file, size, section->sh_offset, section->sh_size);
		const char *names = part(file, size, strings->sh_offset, strings->sh_size);
		if (symbols == NULL || names == NULL || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0')
			continue;
		for (size_t at = 0; at < section->sh_size / sizeof *symbols; at++) {
			const Elf32_Sym *symbol = &symbols[at];
			if (ELF32_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_name < strings->sh_size &&
				address >= symbol->st_value && address - symbol->st_value < symbol->st_size) {
				best = names + symbol->st_name;
				*into = address - symbol->st_value;
			}
		}
	}
	return best;
}

static void say_place(struct text text, const struct mapping *mapping, uint32_t address)
{
	if (mapping == NULL) {
		say(text, "%#x, which is no code", address);
		return;
	}
	const char *slash = strrchr(mapping->path, '/');
	const char *name = slash != NULL ? slash + 1 : "the vDSO";
	uint32_t offset = address - mapping->start + mapping->offset;
	int fd = slash != NULL ? open(mapping->path, O_RDONLY | O_CLOEXEC) : -1;
	struct stat status;
	void *file = MAP_FAILED;
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	uint32_t into;
	const char *function = file != MAP_FAILED ? function_at(file, (size_t)status.st_size, offset, &into) : NULL;
	if (function != NULL)
		say(text, "%s+%#x (%s)", function, into, name);
	else
		say(text, "%s+%#x", name, offset);
	if (file != MAP_FAILED)
		munmap(file, (size_t)status.st_size);
	if (fd >= 0)
		close(fd);
}

/* Whether a call instruction ends at `address`: a near call, or one by register or memory. */
static int follows_call(uint32_t address)
{
	unsigned char code[7];
	if (biarch_engine_read(address - sizeof code, code, sizeof code) != sizeof code)
		return 0;
	if (code[2] == 0xe8)
		return 1;
	/* ff /2 of 2, 3, 6 and 7 bytes */
	static const unsigned at[] = {5, 4, 1, 0};
	for (size_t form = 0; form < sizeof at / sizeof *at; form++)
		if (code[at[form]] == 0xff && (code[at[form] + 1] & 0x38) == 0x10)
			return 1;
	return 0;
}

void biarch_say_crash(const struct biarch_engine_crash *crash, char *start, size_t size)
{
	static struct mapping mappings[MOST_MAPPINGS]; /* too large for a small stack; whoever calls holds the lock */
	struct text text = {start, size};
	size_t count = find_code(mappings);
	*start = '\0';
	if (crash->signal == SIGABRT)
		say(text, "it has called abort(3)");
	else
		say(text, "%s", strsignal(crash->signal));
	if (crash->signal == SIGSEGV || crash->signal == SIGBUS)
		say(text, " at address %#x", crash->address);
	say(text, ", in ");
	say_place(text, mapping_of(mappings, count, crash->frames[0]), crash->frames[0]);
	unsigned places = 1;
	for (; places < crash->count && places < MOST_PLACES; places++) {
		const struct mapping *mapping = mapping_of(mappings, count, crash->frames[places]);
		if (mapping == NULL)
			break; /* there was no frame pointer */
		say(text, ", called from ");
		say_place(text, mapping, crash->frames[places]);
	}
	if (places == MOST_PLACES && places < crash->count)
		say(text, " and others");
	/* Without frame pointers: what looks like return addresses, some of which may be of calls that have ended. */
	uint32_t word, end = crash->stack_end - crash->esp < MOST_STACK ? crash->stack_end : crash->esp + MOST_STACK;
	for (uint32_t at = crash->esp, found = 0; places <= 2 && found < MOST_PLACES && at < end; at += sizeof word) {
		if (biarch_engine_read(at, &word, sizeof word) != sizeof word)
			break;
		const struct mapping *mapping = mapping_of(mappings, count, word);
		if (mapping == NULL || strchr(mapping->path, '/') == NULL || !follows_call(word))
			continue;
		say(text, found++ == 0 ? "; on its stack are " : ", ");
		say_place(text, mapping, word);
	}
}
