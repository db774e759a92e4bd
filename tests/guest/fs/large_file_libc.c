// The same files through the C library with 64-bit offsets.
//# libc: static dynamic musl time64
//# cflags: -D_FILE_OFFSET_BITS=64
#include "expect.h"

int main(void) {
    int fd = must(open("big", O_CREAT | O_RDWR, 0600));
    const off_t far = 5LL << 30;
    equal("pwrite at 5 GiB", pwrite(fd, "far", 3, far), 3);
    equal("lseek to the end", lseek(fd, 0, SEEK_END), far + 3);
    equal("lseek to 3 GiB", lseek(fd, 3LL << 30, SEEK_SET), 3LL << 30);
    equal("read there", read(fd, (char[2]){}, 2), 2);
    equal("where it is", lseek(fd, 0, SEEK_CUR), (3LL << 30) + 2);
    char text[4] = "";
    equal("pread", pread(fd, text, 3, far), 3);
    check("contents", !strcmp(text, "far"));
    FILE *file = fopen("big", "r+");
    equal("fseeko", fseeko(file, far + 1, SEEK_SET), 0);
    equal("fgetc", fgetc(file), 'a');
    equal("ftello", ftello(file), far + 2);
    fclose(file);
    succeeds("ftruncate", ftruncate(fd, far * 2));
    struct stat s;
    must(fstat(fd, &s));
    equal("size", s.st_size, far * 2);
    char *page = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, far);
    check("mmap at 5 GiB", page != MAP_FAILED && !memcmp(page, "far", 3));
    equal("posix_fallocate", posix_fallocate(fd, far, 4096), 0);
    equal("posix_fadvise", posix_fadvise(fd, far, 4096, POSIX_FADV_DONTNEED), 0);
    equal("SEEK_DATA", lseek(fd, 0, SEEK_DATA) <= far, 1);
    equal("SEEK_HOLE", lseek(fd, 0, SEEK_HOLE), 0);
    succeeds("sync_file_range", sync_file_range(fd, far, 4096, SYNC_FILE_RANGE_WRITE));
    return finish();
}
