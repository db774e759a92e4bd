// What a program learns about itself from /proc.
//# libc: static dynamic musl
//# args: first second
#include <dirent.h>
#include "expect.h"

int main(int argc, char **argv) {
    char path[PATH_MAX], real[PATH_MAX];
    ssize_t length = succeeds("readlink /proc/self/exe", readlink("/proc/self/exe", path, sizeof path - 1));
    path[length] = 0;
    check("is the program", realpath(argv[0], real) && !strcmp(path, real));
    sprintf(real, "/proc/%d/exe", getpid());
    equal("by number", readlink(real, real, sizeof real), length);
    equal("readlinkat", readlinkat(AT_FDCWD, "/proc/self/exe", real, sizeof real), length);
    char small[4];
    equal("truncated", readlink("/proc/self/exe", small, 3), 3);
    check("beginning", !memcmp(small, path, 3));
    fails("to nowhere", readlink("/proc/self/exe", forbidden(), 100), EFAULT);
    struct stat a, b;
    must(stat(argv[0], &a));
    succeeds("stat /proc/self/exe", stat("/proc/self/exe", &b));
    check("is the program's file", a.st_ino == b.st_ino && a.st_dev == b.st_dev);
    int fd = succeeds("open /proc/self/exe", open("/proc/self/exe", O_RDONLY));
    char magic[5];
    equal("read it", read(fd, magic, 5), 5);
    check("it is this ELF file", !memcmp(magic, "\177ELF", 4) && magic[4] == (sizeof(long) == 4 ? 1 : 2));

    char text[PATH_MAX];
    fd = must(open("/proc/self/cmdline", O_RDONLY));
    length = must(read(fd, text, sizeof text));
    equal("cmdline's length", length, strlen(argv[0]) + 1 + 6 + 7);
    check("cmdline", !memcmp(text, argv[0], strlen(argv[0]) + 1) && !memcmp(text + length - 13, "first\0second", 13));
    fd = must(open("/proc/self/comm", O_RDONLY));
    length = must(read(fd, text, sizeof text));
    text[length] = 0;
    check("comm", !strcmp(text, "self\n"));

    int count = 0;
    DIR *dir = opendir("/proc/self/fd");
    for (struct dirent *e; (e = readdir(dir));) count += e->d_name[0] != '.';
    check("descriptors", count >= 7);
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long low, high, here = 0;
    while (fgets(text, sizeof text, maps))
        if (sscanf(text, "%lx-%lx", &low, &high) == 2 && (uintptr_t)&main >= low && (uintptr_t)&main < high) here++;
    equal("main is in the maps once", here, 1);
    equal("argc", argc, 3);
    return finish();
}
