// i386: the entry point, system calls by int $0x80, and what only x86 has.

#define ARCHITECTURE "i386"
#define NR_CLOCK_GETTIME 265
#define NR_CLOCK_GETRES 266

__asm__(".globl _start\n"
        "_start:\n"
        "    mov %esp, %eax\n"
        "    and $-16, %esp\n"
        "    sub $12, %esp\n"
        "    push %eax\n"
        "    call start\n"
        "    hlt\n");

static long call5(long number, long a, long b, long c, long d, long e)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
    return result;
}

// mmap(2) as it was first: six arguments in memory.
static long map(unsigned long address, unsigned long size, long protection, long flags)
{
    unsigned long arguments[] = {address, size, protection, flags, -1UL, 0};
    return call(90, (long)arguments, 0, 0);
}

// __kernel_vsyscall, where it works.
static unsigned long sysinfo;

// The way that C libraries take: __kernel_vsyscall, and int $0x80 where there is none. No more than two arguments: with three
// and the address of the call the registers are used up.
static long fast_call(long number, long a, long b)
{
    if (!sysinfo)
        return call(number, a, b, 0);
    long result;
    __asm__ volatile("call *%1" : "=a"(result) : "r"(sysinfo), "a"(number), "b"(a), "c"(b) : "memory");
    return result;
}

static int getppid_int80(void)
{
    return call(64, 0, 0, 0);
}

static int getppid_vsyscall(void)
{
    return fast_call(64, 0, 0);
}

static void prepare(void)
{
    sysinfo = auxv(32);
    if (sysinfo && try(getppid_vsyscall))
        sysinfo = 0;
}

// struct user_desc of modify_ldt(2) and set_thread_area(2).
struct segment {
    u32 entry, base, limit, flags;
};

static int read_ldt(void)
{
    static char table[64];
    return call(123, 0, (long)table, sizeof table);
}

// A data segment of 32 bits, limit in pages, usable: what threads libraries ask for.
static int write_ldt(void)
{
    struct segment segment = {0, 0, 0xfffff, 1 | 1 << 4 | 1 << 6};
    return call(123, 0x11, (long)&segment, sizeof segment);
}

static int write_ldt_16bit(void)
{
    struct segment segment = {0, 0, 0xffff, 1 << 6};
    return call(123, 0x11, (long)&segment, sizeof segment);
}

static int set_thread_area(void)
{
    struct segment segment = {-1U, 0, 0xfffff, 1 | 1 << 4 | 1 << 6};
    return call(243, (long)&segment, 0, 0);
}

// VM86_PLUS_INSTALL_CHECK
static int vm86(void)
{
    return call(166, 0, 0, 0);
}

static int sse2(void)
{
    __asm__ volatile("pxor %%xmm0, %%xmm0" ::: "memory");
    return 0;
}

static void probe_architecture(void)
{
    measure("ns.int80.getppid", getppid_int80);
    if (sysinfo)
        measure("ns.vsyscall.getppid", getppid_vsyscall);
    report("call.modify_ldt.read", read_ldt);
    report("call.modify_ldt.write", write_ldt);
    report("call.modify_ldt.write_16bit", write_ldt_16bit);
    report("call.set_thread_area", set_thread_area);
    report("call.vm86", vm86);
    report("does.sse2", sse2);
}
