// Handles of files, on a file system of its own: not every one has them.
//# needs: root mounts
#include "expect.h"

static struct { uint32_t bytes; int type; unsigned char data[128]; } handle;

static void others(void) { fails("open_by_handle_at", open_by_handle_at(AT_FDCWD, (void *)&handle, O_RDONLY), EPERM); }

int main(void) {
    own_file_system(0);
    must(write(must(open("f", O_CREAT | O_RDWR, 0600)), "hello", 5));
    must(symlink("f", "l"));
    int mount_id = -1, there = optional(syscall(SYS_name_to_handle_at, -1, "", 0, 0, 0));
    handle.bytes = 0;
    fails("name_to_handle_at, no room", name_to_handle_at(AT_FDCWD, "f", (void *)&handle, &mount_id, 0), EOVERFLOW);
    check("says how much it needs", handle.bytes > 0 && handle.bytes <= 128);
    handle.bytes = 128;
    succeeds("name_to_handle_at", name_to_handle_at(AT_FDCWD, "f", (void *)&handle, &mount_id, 0));
    check("with the mount", mount_id > 0);
    handle.bytes = 129;
    fails("too much room", name_to_handle_at(AT_FDCWD, "f", (void *)&handle, &mount_id, 0), EINVAL);
    handle.bytes = 128;
    fails("flags", name_to_handle_at(AT_FDCWD, "f", (void *)&handle, &mount_id, 0x8000), EINVAL);
    fails("handle nowhere", name_to_handle_at(AT_FDCWD, "f", forbidden(), &mount_id, 0), EFAULT);
    fails("mount nowhere", name_to_handle_at(AT_FDCWD, "f", (void *)&handle, forbidden(), 0), EFAULT);
    fails("name nowhere", name_to_handle_at(AT_FDCWD, forbidden(), (void *)&handle, &mount_id, 0), EFAULT);
    handle.bytes = 128;
    succeeds("through a link", name_to_handle_at(AT_FDCWD, "l", (void *)&handle, &mount_id, AT_SYMLINK_FOLLOW));
    char text[8] = "";
    int fd = succeeds("open_by_handle_at", open_by_handle_at(AT_FDCWD, (void *)&handle, O_RDONLY));
    equal("the same file", there ? read(fd, text, 8) : 5, 5);
    fails("open_by_handle_at nowhere", open_by_handle_at(AT_FDCWD, forbidden(), O_RDONLY), EFAULT);
    fails("open_by_handle_at, no descriptor", open_by_handle_at(99, (void *)&handle, O_RDONLY), EBADF);
    unprivileged(others);
    handle.bytes = 0;
    fails("open_by_handle_at, empty", open_by_handle_at(AT_FDCWD, (void *)&handle, O_RDONLY), EINVAL);
    handle.bytes = 129;
    fails("open_by_handle_at, too large", open_by_handle_at(AT_FDCWD, (void *)&handle, O_RDONLY), EINVAL);
    return finish();
}
