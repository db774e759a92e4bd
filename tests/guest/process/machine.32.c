// What a 32-bit program is told about the machine: personality PER_LINUX32 and uname follow the kernel's own rules.
#include <sys/personality.h>
#include <sys/utsname.h>
#include "expect.h"

int main(void) {
    struct utsname u;
    must(uname(&u));
    say("machine %s", u.machine);
    must(personality(PER_LINUX32));
    must(uname(&u));
    say("under PER_LINUX32 %s", u.machine);
    struct { char s[5][65]; } old;
    must(syscall(109, &old));
    say("olduname %s", old.s[4]);
    struct { char s[5][9]; } oldold;
    must(syscall(59, &oldold));
    say("oldolduname %s", oldold.s[4]);
    fails("nowhere", syscall(59, forbidden()), EFAULT);
    check("pointers are 4 bytes", sizeof(void *) == 4);
    return finish();
}
