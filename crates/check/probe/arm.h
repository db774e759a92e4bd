// ARM EABI, ARMv7 in ARM mode: the entry point, system calls by svc, and what only ARM has.

#define ARCHITECTURE "armhf"
#define NR_CLOCK_GETTIME 263
#define NR_CLOCK_GETRES 264

__asm__(".globl _start\n"
        "_start:\n"
        "    mov r0, sp\n"
        "    bic sp, sp, #15\n"
        "    mov lr, #0\n"
        "    bl start\n"
        "    udf #0\n");

static long call6(long number, long a, long b, long c, long d, long e, long f)
{
    register long r7 __asm__("r7") = number;
    register long r0 __asm__("r0") = a;
    register long r1 __asm__("r1") = b;
    register long r2 __asm__("r2") = c;
    register long r3 __asm__("r3") = d;
    register long r4 __asm__("r4") = e;
    register long r5 __asm__("r5") = f;
    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
    return r0;
}

static long call5(long number, long a, long b, long c, long d, long e)
{
    return call6(number, a, b, c, d, e, 0);
}

static void prepare(void)
{
}

// The way that C libraries take: there is only one.
static long fast_call(long number, long a, long b)
{
    return call(number, a, b, 0);
}

static long map(unsigned long address, unsigned long size, long protection, long flags)
{
    return call6(192, address, size, protection, flags, -1, 0);
}

// The page of kernel helpers, Documentation/arch/arm/kernel_user_helpers.rst. An address that the compiler does not see
// through: it knows that nothing is so far up.
static unsigned long kuser(unsigned long address)
{
    __asm__("" : "+r"(address));
    return address;
}

static int kuser_version(void)
{
    return *(volatile int *)kuser(0xffff0ffc) > 0 ? 0 : WRONG;
}

static int kuser_memory_barrier(void)
{
    ((void (*)(void))kuser(0xffff0fa0))();
    return 0;
}

static int kuser_cmpxchg(void)
{
    static volatile int word = 5;
    int failed = ((int (*)(int, int, volatile int *))kuser(0xffff0fc0))(5, 7, &word);
    return !failed && word == 7 ? 0 : WRONG;
}

static int kuser_get_tls(void)
{
    // __ARM_NR_set_tls
    call(0xf0005, 0x12345670, 0, 0);
    return ((unsigned long (*)(void))kuser(0xffff0fe0))() == 0x12345670 ? 0 : WRONG;
}

// By their encodings: assemblers refuse them for ARMv7, or warn.
static int swp(void)
{
    static u32 word = 5;
    register u32 *address __asm__("r1") = &word;
    register u32 value __asm__("r2") = 7;
    register u32 old __asm__("r0");
    __asm__ volatile(".inst 0xe1010092 @ swp r0, r2, [r1]" : "=&r"(old) : "r"(address), "r"(value) : "memory");
    return old == 5 && word == 7 ? 0 : WRONG;
}

static int cp15_barrier(void)
{
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 5\n"
                     "mcr p15, 0, %0, c7, c10, 4\n"
                     "mcr p15, 0, %0, c7, c5, 4" ::"r"(0)
                     : "memory");
    return 0;
}

static int setend(void)
{
    static u32 word = 0x11223344;
    register u32 *address __asm__("r1") = &word;
    register u32 value __asm__("r0");
    __asm__ volatile(".inst 0xf1010200 @ setend be\n"
                     "ldr %0, [%1]\n"
                     ".inst 0xf1010000 @ setend le"
                     : "=&r"(value)
                     : "r"(address)
                     : "memory");
    return value == 0x44332211 ? 0 : WRONG;
}

static char unaligned[16] __attribute__((aligned(8))) = "abcdefghijklmno";

// "bcde" and "fghi"
#define FIRST 0x65646362
#define SECOND 0x69686766

static int unaligned_ldr(void)
{
    u32 value;
    __asm__ volatile("ldr %0, [%1]" : "=r"(value) : "r"(unaligned + 1) : "memory");
    return value == FIRST ? 0 : WRONG;
}

static int unaligned_ldm(void)
{
    register u32 one __asm__("r2"), two __asm__("r3");
    __asm__ volatile("ldm %2, {r2, r3}" : "=r"(one), "=r"(two) : "r"(unaligned + 1) : "memory");
    return one == FIRST && two == SECOND ? 0 : WRONG;
}

static int unaligned_ldrd(void)
{
    register u32 one __asm__("r2"), two __asm__("r3");
    __asm__ volatile("ldrd r2, r3, [%2]" : "=r"(one), "=r"(two) : "r"(unaligned + 1) : "memory");
    return one == FIRST && two == SECOND ? 0 : WRONG;
}

static int vfp(void)
{
    u32 flags;
    __asm__ volatile(".fpu vfpv3\n"
                     "vmov s0, %0\n"
                     "vadd.f32 s0, s0, s0\n"
                     "vmov %0, s0"
                     : "=r"(flags)
                     : "0"(0x3f800000)
                     : "memory");
    return flags == 0x40000000 ? 0 : WRONG;
}

static int neon(void)
{
    u32 sum;
    __asm__ volatile(".fpu neon\n"
                     "vdup.32 d0, %1\n"
                     "vadd.i32 d0, d0, d0\n"
                     "vmov %0, s0"
                     : "=r"(sum)
                     : "r"(21)
                     : "memory");
    return sum == 42 ? 0 : WRONG;
}

static void probe_architecture(void)
{
    report("does.kuser.version", kuser_version);
    report("does.kuser.memory_barrier", kuser_memory_barrier);
    report("does.kuser.cmpxchg", kuser_cmpxchg);
    report("does.kuser.get_tls", kuser_get_tls);
    report("does.swp", swp);
    report("does.cp15_barrier", cp15_barrier);
    report("does.setend", setend);
    report("does.unaligned_ldr", unaligned_ldr);
    report("does.unaligned_ldm", unaligned_ldm);
    report("does.unaligned_ldrd", unaligned_ldrd);
    report("does.vfp", vfp);
    report("does.neon", neon);
}
