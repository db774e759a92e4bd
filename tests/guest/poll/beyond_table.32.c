// select with more descriptors than the process has room for: the sets are looked at as far as there is room.
#include "expect.h"

// How many descriptors there is room for now.
static int room(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    int size = 0;
    while (fgets(line, sizeof line, status)) sscanf(line, "FDSize: %d", &size);
    fclose(status);
    return size;
}

int main(void) {
    int p[2], size = room();
    must(pipe(p));
    must(write(p[1], "x", 1));
    check("room for words of 64 bits", size >= 64 && size % 64 == 0);
    unsigned *set = before_forbidden(size / 8);
    struct { int32_t sec, usec; } none = {0, 0};
    int more[] = {0, 1, 32, 33, 64, 65, 1000, 1025, 1 << 20, INT_MAX - size};
    for (int i = 0; i < sizeof more / sizeof *more; i++) {
        char name[64];
        sprintf(name, "%d more than there is room for", i == 9 ? -1 : more[i]);
        memset(set, 0, size / 8);
        set[p[0] / 32] = 1u << p[0] % 32;
        equal(name, syscall(142, size + more[i], set, 0, 0, &none), 1);
        check("the one that is ready", set[p[0] / 32] == 1u << p[0] % 32);
    }
    fails("as many as there is room for", syscall(142, size, (char *)set + 4, 0, 0, &none), EFAULT);
    fails("not much fewer", syscall(142, size - 31, (char *)set + 4, 0, 0, &none), EFAULT);
    fails("a negative number", syscall(142, -1, set, 0, 0, &none), EINVAL);
    return finish();
}
