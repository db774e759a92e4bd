// waitpid (7), wait4 (114) with the 32-bit rusage of 72 bytes, waitid (284) with siginfo of 128.
#include "expect.h"

int main(void) {
    uint32_t words[40];
    pid_t child = must(fork());
    if (!child) _exit(5);
    memset(words, 0x5a, sizeof words);
    equal("waitpid", syscall(7, child, words, 0), child);
    check("status", words[0] == 5 << 8 && words[1] == 0x5a5a5a5a);
    if (!(child = must(fork()))) { for (volatile int i = 0; i < 1000000; i++) {} _exit(6); }
    memset(words, 0x5a, sizeof words);
    equal("wait4", syscall(114, child, words, 0, words + 1), child);
    check("status", words[0] == 6 << 8);
    check("18 words of usage, no more", words[2] < 1000000 && words[4] < 1000000 && words[18] != 0x5a5a5a5a && words[19] == 0x5a5a5a5a);
    if (!(child = must(fork()))) _exit(7);
    memset(words, 0x5a, sizeof words);
    memset(words + 36, 0x5a, 16);
    equal("waitid", syscall(284, 1, child, words, 4, 0), 0);
    equal("signal", words[0], SIGCHLD);
    equal("errno", words[1], 0);
    equal("code", words[2], 1);
    equal("pid", words[3], child);
    equal("uid", words[4], getuid());
    equal("status", words[5], 7);
    equal("nothing behind it", words[32], 0x5a5a5a5a);
    return finish();
}
