// FIFOs, device nodes, ownership.
#include <sys/sysmacros.h>
#include "expect.h"

int main(void) {
    struct stat s;
    succeeds("mkfifo", mkfifo("p", 0640));
    must(stat("p", &s));
    equal("mode", s.st_mode, S_IFIFO | 0640);
    fails("writing with no reader", open("p", O_WRONLY | O_NONBLOCK), ENXIO);
    int reader = succeeds("reader", open("p", O_RDONLY | O_NONBLOCK)), writer = succeeds("writer", open("p", O_WRONLY));
    equal("write", write(writer, "12", 2), 2);
    char text[4];
    equal("read", read(reader, text, 4), 2);
    must(close(writer));
    equal("end of file", read(reader, text, 4), 0);
    fails("lseek", lseek(reader, 0, SEEK_SET), ESPIPE);
    fails("pread", pread(reader, text, 1, 0), ESPIPE);
    succeeds("mknod of a file", mknod("m", S_IFREG | 0600, 0));
    fails("mknod over it", mknod("m", S_IFREG, 0), EEXIST);
    fails("mknod of a directory", mknod("n", S_IFDIR, 0), EPERM);
    succeeds("chown to the same", chown("m", geteuid(), getegid()));
    succeeds("chown to nothing", chown("m", -1, -1));
    succeeds("lchown", lchown("m", -1, getegid()));
    succeeds("fchown", fchown(reader, -1, -1));
    fails("chown, absent", chown("nothing", 1, 1), ENOENT);
    must(stat("/dev/zero", &s));
    equal("makedev", s.st_rdev, makedev(1, 5));
    return finish();
}
