// A library-like region that is unmapped and mapped again with other code, from files, many times over.
#include "expect.h"

static int file_with(int number) {
    unsigned char code[] = {0xb8, number, 0, 0, 0, 0xcd, 0x80, 0xc3};
    int fd = file_of("");
    must(write(fd, code, sizeof code));
    must(ftruncate(fd, 4096));
    return fd;
}

int main(void) {
    int calls[4] = {20, 64, 24, 47}, files[4], wrong = 0;
    int want[4] = {getpid(), getppid(), getuid(), getgid()};
    for (int i = 0; i < 4; i++) files[i] = file_with(calls[i]);
    char *place = must(mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (int i = 0; i < 400; i++) {
        int which = i * 7 % 4;
        if (i % 3 == 0) must(munmap(place, 4096));
        must(mmap(place, 4096, PROT_READ | PROT_EXEC, MAP_FIXED | (i & 8 ? MAP_SHARED : MAP_PRIVATE), files[which], 0));
        for (int k = 0; k < 3; k++) wrong += ((int (*)(void))place)() != want[which];
    }
    equal("wrong results", wrong, 0);
    // Moved by mremap, the code is the same and works.
    char *other = must(mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    must(mmap(place, 4096, PROT_READ | PROT_EXEC, MAP_FIXED | MAP_PRIVATE, files[0], 0));
    equal("before", ((int (*)(void))place)(), want[0]);
    check("moved", mremap(place, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, other) == other);
    equal("after", ((int (*)(void))other)(), want[0]);
    // The old place gets data that is the same bytes, and it is data.
    char *data = must(mmap(place, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    data[5] = 1;
    equal("the old place is data", data[5], 1);
    must(madvise(other, 4096, MADV_DONTNEED));
    equal("after MADV_DONTNEED", ((int (*)(void))other)(), want[0]);
    return finish();
}
