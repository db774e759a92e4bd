// sendfile, splice, tee, vmsplice.
//# libc: static time64
//# cflags: -D_FILE_OFFSET_BITS=64
#include <sys/sendfile.h>
#include <sys/uio.h>
#include "expect.h"

int main(void) {
    int from = must(open("f", O_CREAT | O_RDWR, 0600)), to = must(open("g", O_CREAT | O_RDWR, 0600)), p[2], q[2];
    must(pwrite(from, "faraway", 7, 1LL << 32));
    must(pwrite(from, "near", 4, 0));
    off_t at = 1LL << 32;
    equal("sendfile from 4 GiB", sendfile(to, from, &at, 100), 7);
    equal("offset", at, (1LL << 32) + 7);
    equal("position of the source", lseek(from, 0, SEEK_CUR), 0);
    equal("sendfile at the position", sendfile(to, from, 0, 4), 4);
    equal("position of the source", lseek(from, 0, SEEK_CUR), 4);
    char text[32] = "";
    equal("arrived", pread(to, text, 32, 0), 11);
    check("contents", !strcmp(text, "farawaynear"));
    fails("offset nowhere", sendfile(to, from, forbidden(), 4), EFAULT);
    at = -1;
    fails("negative offset", sendfile(to, from, &at, 4), EINVAL);
    must(pipe(p));
    must(pipe(q));
    loff_t far = 1LL << 32;
    equal("splice in", splice(from, &far, p[1], 0, 7, 0), 7);
    equal("offset", far, (1LL << 32) + 7);
    equal("tee", tee(p[0], q[1], 100, 0), 7);
    far = 5LL << 32;
    equal("splice out", splice(p[0], 0, to, &far, 7, SPLICE_F_MOVE), 7);
    memset(text, 0, sizeof text);
    equal("arrived", pread(to, text, 32, 5LL << 32), 7);
    check("contents", !strcmp(text, "faraway"));
    equal("tee's copy", read(q[0], text, 32), 7);
    struct iovec v[] = {{"ab", 2}, {"cde", 3}};
    equal("vmsplice", vmsplice(p[1], v, 2, 0), 5);
    equal("read it", read(p[0], text, 32), 5);
    fails("vmsplice from nowhere", vmsplice(p[1], &(struct iovec){forbidden(), 10}, 1, 0), EFAULT);
    fails("splice with an offset into a pipe", splice(from, 0, p[1], &far, 1, 0), ESPIPE);
    fails("splice without a pipe", splice(from, 0, to, 0, 1, 0), EINVAL);
    return finish();
}
