// posix_spawn, system, popen: what the C libraries build from vfork or clone.
//# libc: static dynamic musl
#include <spawn.h>
#include "expect.h"

extern char **environ;
int main(int argc, char **argv) {
    if (argc > 1) {
        say("spawned: %s", argv[1]);
        return atoi(argv[1]);
    }
    pid_t child;
    int result = posix_spawn(&child, "/proc/self/exe", 0, 0, (char *[]){"x", "17", 0}, environ);
    equal("status", end_of(child), 17);
    equal("posix_spawn", result, 0);
    equal("absent", posix_spawn(&child, "/no/such", 0, 0, (char *[]){"x", 0}, environ), ENOENT);
    equal("posix_spawnp", posix_spawnp(&child, "true", 0, 0, (char *[]){"x", 0}, environ), 0);
    equal("status", end_of(child), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "output", O_CREAT | O_WRONLY, 0600);
    posix_spawnattr_t a;
    posix_spawnattr_init(&a);
    posix_spawnattr_setflags(&a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    equal("with actions", posix_spawn(&child, "/proc/self/exe", &actions, &a, (char *[]){"x", "18", 0}, environ), 0);
    equal("status", end_of(child), 18);
    struct stat s;
    must(stat("output", &s));
    equal("output", s.st_size, strlen("spawned: 18\n"));
    equal("system", system("exit 4"), 4 << 8);
    equal("system, killed", system("kill -9 $$"), 9);
    equal("is there a shell", !!system(0), 1);
    FILE *f = popen("echo one; echo two; exit 3", "r");
    char line[32];
    int lines = 0;
    while (fgets(line, sizeof line, f)) lines++;
    equal("lines", lines, 2);
    equal("pclose", pclose(f), 3 << 8);
    f = popen("cat > written", "w");
    fprintf(f, "hello\n");
    equal("pclose", pclose(f), 0);
    must(stat("written", &s));
    equal("written", s.st_size, 6);
    equal("many", ({ int wrong = 0; for (int i = 0; i < 30; i++) { wrong += posix_spawn(&child, "/bin/true", 0, 0, (char *[]){"x", 0}, environ); wrong += end_of(child); } wrong; }), 0);
    return finish();
}
