// execveat with AT_EXECVE_CHECK only says whether a file may be executed. Linux 6.14; others know no such flag.
#include "expect.h"

int main(void) {
    enum { CHECK = 0x10000 };
    char *arguments[] = {"x", 0}, *environment[] = {0};
    must(close(must(open("plain", O_CREAT | O_WRONLY, 0644))));
    must(close(must(open("script", O_CREAT | O_WRONLY, 0755))));
    fails("a flag that there is not", syscall(SYS_execveat, AT_FDCWD, "script", arguments, environment, 0x20000), EINVAL);
    fails("looked at after the name", syscall(SYS_execveat, AT_FDCWD, forbidden(), arguments, environment, 0x20000), EFAULT);
    errno = 0;
    if (syscall(SYS_execveat, AT_FDCWD, "script", arguments, environment, CHECK) < 0 && errno == EINVAL) expect_absent = 1;
    equal("may be executed", syscall(SYS_execveat, AT_FDCWD, "script", arguments, environment, CHECK), 0);
    equal("this program", syscall(SYS_execveat, AT_FDCWD, "/proc/self/exe", arguments, environment, CHECK), 0);
    fails("may not", syscall(SYS_execveat, AT_FDCWD, "plain", arguments, environment, CHECK), EACCES);
    fails("is not there", syscall(SYS_execveat, AT_FDCWD, "nothing", arguments, environment, CHECK), ENOENT);
    always();
    say("still here");
    return finish();
}
