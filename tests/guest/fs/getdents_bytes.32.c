// getdents: the bytes that it writes, and those between a name and the kind of the file, which it does not.
#include "expect.h"

struct entry { unsigned long inode, next; unsigned short length; char name[]; };

int main(void) {
    must(mkdir("d", 0755));
    must(close(must(open("d/abcd", O_CREAT | O_WRONLY, 0600))));
    int fd = must(open("d", O_RDONLY | O_DIRECTORY));
    unsigned char buffer[512];
    memset(buffer, 0xa5, sizeof buffer);
    long filled = succeeds("getdents", syscall(SYS_getdents, fd, buffer, sizeof buffer));
    // File systems list them in an order of their own.
    int entries = 0, length = 0, kind = 0, kept = 1;
    for (long at = 0; at < filled; entries++) {
        struct entry *e = (void *)(buffer + at);
        int end = 10 + strlen(e->name) + 1;
        for (int i = end; i < e->length - 1; i++) kept &= buffer[at + i] == 0xa5;
        if (e->name[0] != '.') length = e->length, kind = buffer[at + e->length - 1];
        at += e->length;
    }
    say("%d entries; abcd: %d bytes, kind %d", entries, length, kind);
    check("what is between is not written", kept);
    check("nothing behind", buffer[filled] == 0xa5);
    equal("at the end", syscall(SYS_getdents, fd, buffer, -1), 0);
    must(lseek(fd, 0, SEEK_SET));
    fails("a count that is negative", syscall(SYS_getdents, fd, buffer, 0x80000000), EINVAL);
    fails("no room", syscall(SYS_getdents, fd, buffer, 11), EINVAL);
    fails("nowhere", syscall(SYS_getdents, fd, forbidden(), 512), EFAULT);
    uint32_t *inode = before_forbidden(4);
    *inode = 7;
    must(lseek(fd, 0, SEEK_SET));
    fails("room for an inode number", syscall(SYS_getdents, fd, inode, 512), EFAULT);
    equal("which is not written", *inode, 7);
    return finish();
}
