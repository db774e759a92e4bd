// Every instruction that loads a data segment register, with the selector of a thread-local area.
#include <asm/ldt.h>
#include "expect.h"

static unsigned area[16] = {0x1234, 0x5678};
static struct __attribute__((packed)) { unsigned offset; unsigned short selector; } far = {0x55aa, 0};
static unsigned short selector __asm__("selector_here"), table[4] __asm__("table_here");

#define LOADED(name, segment, ...) do { \
    unsigned seen = 0; \
    __asm__ volatile("movw %w0, %%" segment :: "r"(0)); \
    __VA_ARGS__; \
    say("%s: %#x", name, seen); \
} while (0)
#define SEE " movl %%fs:4, %0"
#define SEE_GS " movl %%gs:4, %0"

int main(void) {
    struct user_desc area_of = {.entry_number = -1, .base_addr = (unsigned)area, .limit = 0xfffff, .seg_32bit = 1, .limit_in_pages = 1, .useable = 1};
    must(syscall(SYS_set_thread_area, &area_of));
    selector = table[3] = far.selector = area_of.entry_number * 8 + 3;
    unsigned whole = selector, kept;
    __asm__ volatile("movw %%gs, %w0" : "=r"(kept));
    LOADED("a register", "fs", __asm__ volatile("movw %w1, %%fs;" SEE : "=r"(seen) : "r"(selector)));
    LOADED("all of it", "fs", __asm__ volatile("movl %1, %%fs;" SEE : "=r"(seen) : "r"(whole)));
    LOADED("an address", "fs", __asm__ volatile("movw selector_here, %%fs;" SEE : "=r"(seen)));
    LOADED("behind a register", "fs", __asm__ volatile("movw (%1), %%fs;" SEE : "=r"(seen) : "r"(&selector)));
    LOADED("8 bits away", "fs", __asm__ volatile("movw 6(%1), %%fs;" SEE : "=r"(seen) : "r"(table)));
    LOADED("8 bits back", "fs", __asm__ volatile("movw -2(%1), %%fs;" SEE : "=r"(seen) : "r"(table + 4)));
    LOADED("32 bits away", "fs", __asm__ volatile("movw 0x1006(%1), %%fs;" SEE : "=r"(seen) : "r"((char *)table - 0x1000)));
    LOADED("with an index", "fs", __asm__ volatile("movw 2(%1, %2, 4), %%fs;" SEE : "=r"(seen) : "r"(table), "r"(1)));
    LOADED("an index alone", "fs", __asm__ volatile("movw table_here(, %1, 2), %%fs;" SEE : "=r"(seen) : "r"(3)));
    LOADED("on the stack", "fs", __asm__ volatile("pushl %1; movw (%%esp), %%fs; popl %1;" SEE : "=r"(seen) : "r"(whole)));
    LOADED("by another segment", "fs", __asm__ volatile("movw %%es:(%1), %%fs;" SEE : "=r"(seen) : "r"(&selector)));
    LOADED("pop", "fs", __asm__ volatile("pushl %1; popl %%fs;" SEE : "=r"(seen) : "r"(whole)));
    LOADED("pop of 16 bits", "fs", __asm__ volatile("pushw %w1; popw %%fs;" SEE : "=r"(seen) : "r"(whole)));
    unsigned offset = 0x99999999;
    LOADED("lfs", "fs", __asm__ volatile("lfsl %2, %1;" SEE : "=&r"(seen), "+r"(offset) : "m"(far)));
    say("offset: %#x", offset);
    area[2] = whole;
    LOADED("by the thread's own segment", "fs", __asm__ volatile("movw %1, %%fs; movw %%fs:8, %%fs;" SEE : "=r"(seen) : "r"(selector)));
    // Until it is as it was, nothing of the C library may be used.
    unsigned in_gs[2], in_es;
    __asm__ volatile("pushl %3; popl %%gs;" SEE_GS "; lgsl %4, %%ecx; movl %%gs:4, %1; movw %w2, %%gs" : "=&r"(in_gs[0]), "=&r"(in_gs[1]) : "r"(kept), "r"(whole), "m"(far) : "ecx");
    say("gs: %#x %#x", in_gs[0], in_gs[1]);
    __asm__ volatile("pushl %%es; pushl %1; popl %%es; movl %%es:4, %0; popl %%es" : "=&r"(in_es) : "r"(whole));
    say("es: %#x", in_es);
    __asm__ volatile("pushl %%es; lesl %1, %%ecx; movl %%es:4, %0; popl %%es" : "=&r"(in_es) : "m"(far) : "ecx");
    say("les: %#x", in_es);
    __asm__ volatile("pushl %%ds; ldsl %1, %%ecx; movl %%ds:4, %0; popl %%ds" : "=&r"(in_es) : "m"(far) : "ecx");
    say("lds: %#x", in_es);
    return finish();
}
