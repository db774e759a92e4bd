// The allocator of each C library, from small to enormous.
//# libc: static dynamic musl
#include <malloc.h>
#include "expect.h"

int main(void) {
    unsigned seed = 1, sum = 0;
    static unsigned char *block[500];
    static unsigned size[500];
    int wrong = 0;
    for (int round = 0; round < 20000; round++) {
        seed = seed * 1103515245 + 12345;
        int i = (seed >> 16) % 500;
        if (block[i])
            for (unsigned k = 0; k < size[i]; k += 97) wrong += block[i][k] != (unsigned char)i;
        free(block[i]);
        seed = seed * 1103515245 + 12345;
        size[i] = (seed >> 12) % (round % 100 == 0 ? 3000000 : 3000) + 1;
        block[i] = malloc(size[i]);
        if (!block[i]) say("FAIL out of memory"), exit(1);
        memset(block[i], i, size[i]);
        sum += size[i];
    }
    equal("nothing was overwritten", wrong, 0);
    for (int i = 0; i < 500; i++) block[i] = realloc(block[i], 2 * size[i] + 10000);
    for (int i = 0; i < 500; i++) wrong += size[i] && block[i][size[i] - 1] != (unsigned char)i;
    equal("realloc keeps contents", wrong, 0);
    void *p = memalign(65536, 100);
    check("memalign", p && !((uintptr_t)p & 65535));
    p = calloc(1000, 4096);
    check("calloc", p && !((char *)p)[4095999]);
    p = malloc(512u << 20);
    check("512 MiB", p);
    ((char *)p)[300 << 20] = 1;
    free(p);
    check("too much", !malloc(SIZE_MAX - 100000) && errno == ENOMEM);
    say("%u bytes in all", sum);
    return finish();
}
