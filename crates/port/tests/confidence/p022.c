#include <stddef.h>
#include <unistd.h>
#include <stdint.h>
#include <sys/types.h>
extern unsigned long word;
extern uintptr_t address;
extern size_t size;
extern off_t offset;
extern int flag;

void masks(char *p, char *q, unsigned n, unsigned long w, unsigned half)
{
    word = (unsigned long)p & ~0xfffU; /* certain */
    word = w & ~0xfffU; /* possible */
    word = w & ~0xfU; /* possible */
    word = w & 0xfffff000; /* possible */
    word = (w + 0xfff) & 0xfffff000; /* possible */
    size = (size + 0xfff) & ~0xfffU; /* possible */
    size = size & ~0xfffU; /* possible */
    offset = offset & ~0xfffU; /* possible */
    word = (unsigned long)(p - q) & ~0xfffU; /* possible */
    word &= ~0xfffU; /* possible */
    word = w & ~0xfff;
    word = w & ~0xfffUL;
    word = w & 0xffffffff;
    word = w & 0xfffff0f0;
    word = w & 0xf0000000;
    word = (unsigned long)half & ~0xfffU;
    word = (w & ~0xfffU) >> 12;
    if (w & ~0xfffU)
        flag = 1;
    if ((w & ~0xfffU) == 0)
        flag = 1;
    word = (unsigned long)p & ~(n - 1); /* certain */
    word = w & ~(n - 1); /* possible */
    word = w & -n; /* possible */
    word = (unsigned long)p & -n; /* certain */
    word = w & ~n; /* possible */
    word &= ~n; /* possible */
    word = (unsigned long)p & ~n; /* possible */
    word = w & ~(n - 2); /* possible */
    word = w & ~((unsigned long)n - 1);
    word = w & n;
    word = (unsigned long)half & ~n;
    if (w & ~n)
        flag = 1;
    flag = half & ~n;
}

/* What says by its name that it is an address or a position, and what takes it for a pointer, or maps it. */
#include <sys/mman.h>
struct place { unsigned long base_addr, flags, flash_addr; };
typedef unsigned long phys_t;
void named(struct place *of, unsigned long file_pos, unsigned long start, unsigned size, phys_t where)
{
    word = of->base_addr & ~0xfffU; /* probable */
    word = (of->base_addr + 0xfff) & 0xfffff000; /* probable */
    word = of->base_addr & ~(size - 1); /* probable */
    word = of->flash_addr & ~(size - 1); /* possible */
    word = of->flash_addr & ~0xfffU; /* possible */
    word = file_pos & -size; /* possible */
    word = of->flags & ~0xfffU; /* possible */
    word = start & ~0xfffU; /* possible */
    word = of->base_addr & ~size; /* possible */
    word = where & ~0xfffU; /* probable */
}
char *first(struct place *of) { return (char *)of->base_addr; }
void *mapped(int f, unsigned long phys, unsigned long ptr, unsigned long virt, unsigned long file_pos)
{
    word = phys & ~0xfffU; /* probable */
    word = ptr & ~0xfffU; /* possible */
    word = virt & ~0xfffU; /* probable */
    virt = (unsigned long)&word;
    read(f, (void *)0, ptr);
    return mmap(0, file_pos & ~0xfffU, PROT_READ, MAP_SHARED, f, phys); /* possible */
}

/* What has another width or sign, and what is only a size. */
void others(size_t n, unsigned long long all, unsigned u, int s, unsigned long w)
{
    word = w & 0x7ffff000;
    word = w & 0xfffff000L;
    all = all & ~0xfffU;
    u = u & ~0xfffU;
    size = (n + 0xfff) & 0xfffff000; /* possible */
    size = (n + u - 1) & ~(u - 1); /* possible */
    word = (w - 0xfff) & 0xffffff00; /* possible */
    word = (w - 0xfff) & (unsigned)~0xfff; /* possible */
    word = w & 0xfff00000; /* possible */
    word = w & 0xffe00000;
    word = w & ~s;
    all = all & ~(unsigned long long)u;
    u = u & ~(u - 1);
    word = w & ~(u + 1); /* possible */
    word = w & -(u + 1); /* possible */
    word = (w - 7) & -u; /* possible */
}
