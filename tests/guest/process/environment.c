// Argument and environment strings of all sizes arrive as they were.
#include "expect.h"

extern char **environ;
int main(int argc, char **argv) {
    if (argc > 1) {
        unsigned hash = 0;
        for (int i = 0; i < argc; i++)
            for (char *c = argv[i]; *c; c++) hash = hash * 31 + (unsigned char)*c;
        for (char **e = environ; *e; e++)
            for (char *c = *e; *c; c++) hash = hash * 31 + (unsigned char)*c;
        say("%d arguments, hash %08x", argc, hash);
        return 0;
    }
    static char *args[3002], *env[1002];
    for (int i = 0; i < 3000; i++) {
        args[i] = malloc(i % 97 + 12);
        sprintf(args[i], "%d", i);
        memset(args[i] + strlen(args[i]), 200 + i % 50, i % 97 + 1);
        args[i][i % 97 + 5] = 0;
    }
    for (int i = 0; i < 1000; i++) env[i] = malloc(40), sprintf(env[i], "VARIABLE_%d=%x", i, i * 77777);
    args[2] = "", args[3] = "\xff\xfe not UTF-8";
    execve("/proc/self/exe", args, env);
    say("FAIL execve: %s", error_name(errno));
    return 1;
}
