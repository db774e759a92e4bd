// The auxiliary vector, the stack at the start, and what the loader was told.
//# libc: static dynamic musl
//# args: a b
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include "expect.h"

int main(int argc, char **argv, char **envp) {
    equal("page size", getauxval(AT_PAGESZ), 4096);
    equal("ticks", getauxval(AT_CLKTCK), 100);
    check("identity", getauxval(AT_UID) == getuid() && getauxval(AT_EUID) == geteuid() && getauxval(AT_GID) == getgid());
    equal("secure", getauxval(AT_SECURE), 0);
    ElfW(Phdr) *headers = (void *)getauxval(AT_PHDR);
    equal("size of a program header", getauxval(AT_PHENT), sizeof *headers);
    int loads = 0, self = 0;
    uintptr_t base = 0;
    for (unsigned i = 0; i < getauxval(AT_PHNUM); i++)
        if (headers[i].p_type == PT_PHDR) base = (uintptr_t)headers - headers[i].p_vaddr;
    for (unsigned i = 0; i < getauxval(AT_PHNUM); i++) {
        loads += headers[i].p_type == PT_LOAD;
        if (headers[i].p_type == PT_LOAD && (uintptr_t)main - base - headers[i].p_vaddr < headers[i].p_memsz) self++;
    }
    check("segments", loads >= 2 && self == 1);
    uintptr_t entry = getauxval(AT_ENTRY);
    check("entry", entry > 4096);
    unsigned char *random = (void *)getauxval(AT_RANDOM);
    int zeros = 0;
    for (int i = 0; i < 16; i++) zeros += random[i] == 0;
    check("random bytes", zeros < 8);
    check("platform", !strcmp((char *)getauxval(AT_PLATFORM), sizeof(long) == 4 ? "i686" : "x86_64"));
    char *name = (char *)getauxval(AT_EXECFN);
    check("the name executed", name && !strcmp(name, argv[0]));
    // glibc's getauxval(AT_HWCAP) is an invention of its own: look at what the kernel wrote.
    char **end = envp;
    while (*end) end++;
    unsigned long capabilities = 0, twice = 0;
    for (ElfW(auxv_t) *a = (void *)(end + 1); a->a_type; a++)
        if (a->a_type == AT_HWCAP) capabilities = a->a_un.a_val, twice++;
    equal("hardware capabilities, once", twice, 1);
    check("fpu, cx8, sse2", (capabilities & 0x4000101) == 0x4000101);
    // If there is one.
    check("vDSO", !getauxval(AT_SYSINFO_EHDR) || !memcmp((void *)getauxval(AT_SYSINFO_EHDR), ELFMAG, 4));
    check("the order on the stack", argv[argc] == 0 && envp == argv + argc + 1);
    check("strings are above", argv[0] > (char *)envp && argv[1] == argv[0] + strlen(argv[0]) + 1 && argv[2] == argv[1] + 2);
    check("aligned", ((uintptr_t)(argv - 1) & 15) == 0);
    int fd = must(open("/proc/self/auxv", O_RDONLY));
    unsigned long pair[2];
    int found = 0;
    while (read(fd, pair, sizeof pair) == sizeof pair && pair[0]) found += pair[0] == AT_PAGESZ && pair[1] == 4096;
    say("in /proc/self/auxv: %d", found);
    return finish();
}
