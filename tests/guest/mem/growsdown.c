// MAP_GROWSDOWN grows when it is touched just below.
#include "expect.h"

int main(void) {
    char *room = must(mmap(0, 4 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(munmap(room, 4 << 20));
    char *top = room + (3 << 20);
    char *p = mmap(top, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_FIXED, -1, 0);
    check("mapped", p == top);
    for (int i = 1; i <= 32; i++) p[-4096 * i] = i;
    int sum = 0;
    for (int i = 1; i <= 32; i++) sum += p[-4096 * i];
    equal("grew by 32 pages", sum, 32 * 33 / 2);
    return finish();
}
