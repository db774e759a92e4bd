#include <stdint.h>
#include <stddef.h>
extern long word, other;
extern int low;
struct one { long of; };

#define ADD(sum, by) __asm__("addl %1, %0" : "+r"(sum) : "r"(by))
#define TEXT "movl %1, %0"
#define LOCK "lock; "
#define MEMORY(of) "=m"(of)

void operands(long a, long b, int32_t n, char *text, double d, long double e, struct one one, size_t size)
{
    __asm__("movl %1, %0" : "=r"(low) : "r"(a)); /* certain */
    __asm__("movl %1, %0" : "=q"(low) : "q"(a)); /* certain */
    __asm__("movl %1, %0" : "=Q"(low) : "Q"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "a"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "b"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "c"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "d"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "S"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "D"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "R"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "l"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "m"(a)); /* possible */
    __asm__("movl %1, %0" : "=r"(low) : "o"(a)); /* possible */
    __asm__("movl %1, %0" : "=r"(low) : "V"(a)); /* possible */
    __asm__("movl %1, %0" : "=r"(low) : "g"(a)); /* probable */
    __asm__("movl %1, %0" : "=r"(low) : "rm"(a)); /* probable */
    __asm__("movl %1, %0" : "=r"(low) : "ri"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "i"(sizeof(long)));
    __asm__("movl %1, %0" : "=r"(low) : "r"(text)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "r"(n));
    __asm__("movl %1, %0" : "=r"(low) : "m"(one));
    __asm__("movl %1, %0" : "=r"(low) : "m"(e));
    __asm__("movl %1, %0" : "=r"(low) : "m"(d));
    __asm__("addl $1, %0" : "=r"(a) : "0"(b)); /* certain */
    __asm__("addl $1, %1" : "=r"(low) : "r"(b)); /* certain */
    __asm__("addl $1, %1" : "=m"(low) : "0"(b)); /* probable */
    __asm__(TEXT : "=r"(low) : "r"(a));
    __asm__(LOCK "addl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("movl %1, %0" : MEMORY(a) : "r"(n));
    __asm__("movl %1, %0" : "=r"(low) : "n"(sizeof("r")));
    __asm__("movl %1, %0" : "=r"(*(&low + ')')) : "r"(a)); /* certain */
    ADD(low, a); /* certain */
    __asm__("movl %1, %0" /* : */ : "=r"(low) /* , */ : "r"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "r"(a + ',')); /* certain */
    __asm__("movl %[from], %0" : "=r"(low) : [from] "r"(a)); /* certain */
    __asm__("movl %1, %0" : "=r"(low) : "r"(a + (long)"r,")); /* certain */
}

void instructions(long a, long b, int n)
{
    __asm__("1: movl %1, %0" : "=r"(low) : "r"(a)); /* certain */
    __asm__("lock xaddl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("rep movl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("repe cmpl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("repne cmpl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("repz cmpl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("repnz cmpl %1, %0" : "+m"(low) : "r"(a)); /* certain */
    __asm__("cmovnel %1, %0" : "+r"(low) : "r"(a)); /* certain */
    __asm__("cmovl %1, %0" : "+r"(a) : "r"(b));
    __asm__("cmovnl %1, %0" : "+r"(a) : "r"(b));
    __asm__("cmovnle %1, %0" : "+r"(a) : "r"(b));
    __asm__("cmovne %1, %0" : "+r"(a) : "r"(b));
    __asm__("mov %0, %%eax" : : "r"(a) : "eax"); /* certain */
    __asm__("mov %1, %0" : "=r"(a) : "r"(b));
    __asm__("mov %%cr0, %0" : "=r"(a));
    __asm__("in %%dx, %0" : : "a"(a));
    __asm__("lea %0, %%eax" : : "m"(a) : "eax");
    __asm__("bswap %0" : "+r"(a)); /* certain */
    __asm__("movzbl %1, %0" : "=r"(low) : "q"(a));
    __asm__("movzbl %1, %0" : "=r"(a) : "q"(n)); /* certain */
    __asm__("shll %1, %0" : "+r"(low) : "c"(a));
    __asm__("shll %1, %0" : "+r"(a) : "c"(n)); /* certain */
    __asm__("movl (%1), %0" : "=r"(low) : "r"(a));
    __asm__("movl 4(%1,%1,2), %0" : "=r"(low) : "r"(a));
    __asm__("movl %k1, %0" : "=r"(low) : "r"(a));
    __asm__("movq %1, %0" : "=r"(a) : "r"(b));
    __asm__("call movl" : : "r"(a));
}
