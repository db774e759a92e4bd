// opendir and friends over a large directory: complete, seekable, and scandir sorts.
//# libc: static dynamic musl time64
#include <dirent.h>
#include "expect.h"

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
    struct dirent **list;
    equal("scandir", scandir("d", &list, 0, alphasort), 2002);
    check("sorted", !strcmp(list[2]->d_name, "file-number-0000") && !strcmp(list[2001]->d_name, "file-number-1999"));
    check("opendir of nothing", !opendir("nothing") && errno == ENOENT);
    check("fdopendir of a file", !fdopendir(must(open("d/file-number-0000", O_RDONLY))) && errno == ENOTDIR);
    return finish();
}
