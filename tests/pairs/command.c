// A command that does what commands do that cannot be compared, and some that can.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

static void fill(unsigned long bytes) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (; bytes >= sizeof block; bytes -= sizeof block) fwrite(block, sizeof block, 1, stdout);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (is(what, "size")) printf("the same\n%zu\n", sizeof(long));
    else if (is(what, "stderr")) fprintf(stderr, "%zu\n", sizeof(long));
    else if (is(what, "shorter")) fill(sizeof(long) << 16);
    else if (is(what, "late")) { fill(1 << 18); printf("%zu\n", sizeof(long)); }
    else if (is(what, "huge")) fill(100ul << 20);
    else if (is(what, "process")) printf("%d\n", getpid());
    else if (is(what, "fail")) { fprintf(stderr, "it cannot be done\n"); return 3; }
    else if (is(what, "status")) return (int)sizeof(long);
    else if (is(what, "segv")) raise(SIGSEGV);
    else if (is(what, "kill")) raise(SIGKILL);
    else if (is(what, "hang")) for (;;) pause();
    else if (is(what, "use-up")) return remove(argv[2]) != 0;
    else if (is(what, "read")) { int bytes = 0; while (getchar() != EOF) bytes++; printf("%d\n", bytes); return bytes == 0; }
    else if (is(what, "background")) {
        // Whoever would wait for it waits for ten seconds.
        if (fork() == 0) { alarm(10); for (;;) pause(); }
    } else puts("done");
    return 0;
}
