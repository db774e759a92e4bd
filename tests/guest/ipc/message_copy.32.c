// msgrcv with MSG_COPY: a message stays in the queue, and all of the buffer must be there before.
#include "expect.h"
#include <sys/ipc.h>
#include <sys/msg.h>

int main(void) {
    int queue = must(msgget(IPC_PRIVATE, 0600));
    struct { long type; char text[8]; } one = {5, "one"}, two = {6, "two"}, got = {0};
    must(msgsnd(queue, &one, 4, 0));
    must(msgsnd(queue, &two, 4, 0));
    enum { COPY = 040000 | IPC_NOWAIT };
    // A kernel without CHECKPOINT_RESTORE has no MSG_COPY.
    optional(syscall(SYS_msgrcv, queue, &got, 8, 0, COPY));
    equal("the second message", syscall(SYS_msgrcv, queue, &got, 8, 1, COPY), 4);
    check("type and text", expect_absent || (got.type == 6 && !strcmp(got.text, "two")));
    fails("no third", syscall(SYS_msgrcv, queue, &got, 8, 2, COPY), ENOMSG);
    fails("too short", syscall(SYS_msgrcv, queue, &got, 2, 0, COPY), E2BIG);
    fails("waiting for a copy", syscall(SYS_msgrcv, queue, &got, 8, 0, 040000), EINVAL);
    fails("a copy of others", syscall(SYS_msgrcv, queue, &got, 8, 0, COPY | 020000), EINVAL);
    fails("a buffer that is not all there", syscall(SYS_msgrcv, queue, before_forbidden(64), 65, 0, COPY), EFAULT);
    fails("looked at before the queue", syscall(SYS_msgrcv, 0x7fffffff, forbidden(), 8, 0, COPY), EFAULT);
    always();
    equal("the first is still there", msgrcv(queue, &got, 8, 0, 0), 4);
    equal("and is the first", got.type, 5);
    must(msgctl(queue, IPC_RMID, 0));
    return finish();
}
