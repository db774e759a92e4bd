// Mounting, the old way and the new, in a mount namespace and a file system of its own; pivot_root and chroot.
//# needs: root mounts
#include "expect.h"

static long old_umount(const char *target) {
#ifdef __i386__
    return syscall(SYS_umount, target);
#else
    return syscall(SYS_umount2, target, 0);
#endif
}

struct attributes { uint64_t set, clear, propagation, userns; };

static void classic(void) {
    succeeds("mount", mount("none", "a", "tmpfs", MS_NOSUID, "size=64k,mode=751"));
    struct stat s;
    must(stat("a", &s));
    equal("its data were read", s.st_mode & 0777, 0751);
    succeeds("mount again to change it", mount(0, "a", 0, MS_REMOUNT | MS_BIND | MS_RDONLY, 0));
    fails("read only", open("a/f", O_CREAT | O_WRONLY, 0600), EROFS);
    succeeds("MS_BIND", mount("a", "b", 0, MS_BIND, 0));
    succeeds("MS_MOVE", mount("b", "c", 0, MS_MOVE, 0));
    succeeds("umount", old_umount("c"));
    fails("umount of what is not mounted", old_umount("c"), EINVAL);
    fails("umount nowhere", old_umount(forbidden()), EFAULT);
    fails("umount of nothing", old_umount("nothing"), ENOENT);
    int inside = must(open("a", O_RDONLY | O_DIRECTORY));
    fails("umount2 of what is in use", umount2("a", 0), EBUSY);
    fails("umount2 flags", umount2("a", 0x10000), EINVAL);
    fails("MNT_EXPIRE with MNT_DETACH", umount2("a", MNT_EXPIRE | MNT_DETACH), EINVAL);
    succeeds("MNT_DETACH", umount2("a", MNT_DETACH));
    must(close(inside));
    fails("no such file system", mount("none", "a", "nosuchfs", 0, 0), ENODEV);
    fails("no file system", mount("none", "a", 0, 0, 0), EINVAL);
    fails("source nowhere", mount(forbidden(), "a", "tmpfs", 0, 0), EFAULT);
    fails("target nowhere", mount("none", forbidden(), "tmpfs", 0, 0), EFAULT);
    fails("type nowhere", mount("none", "a", forbidden(), 0, 0), EFAULT);
    fails("data nowhere", mount("none", "a", "tmpfs", 0, forbidden()), EFAULT);
    fails("target absent", mount("none", "nothing", "tmpfs", 0, 0), ENOENT);
    fails("bad data", mount("none", "a", "tmpfs", 0, "nosuchoption=1"), EINVAL);
    // Data that end with their page.
    char *data = before_forbidden(10);
    memcpy(data, "mode=0700", 10);
    succeeds("data at the edge", mount("none", "a", "tmpfs", 0, data));
    must(umount2("a", 0));
}

static void modern(void) {
    optional(syscall(430, "tmpfs", 0x8000));
    fails("fsopen flags", syscall(430, "tmpfs", 2), EINVAL);
    fails("fsopen of no such", syscall(430, "nosuchfs", 0), ENODEV);
    fails("fsopen nowhere", syscall(430, forbidden(), 0), EFAULT);
    int context = succeeds("fsopen", syscall(430, "tmpfs", 1));
    succeeds("fsconfig, a string", syscall(431, context, 1, "mode", "0711", 0));
    fails("fsconfig, a bad value", syscall(431, context, 1, "mode", "x", 0), EINVAL);
    fails("fsconfig, no key", syscall(431, context, 1, 0, "0711", 0), EINVAL);
    fails("fsconfig, key nowhere", syscall(431, context, 1, forbidden(), "0711", 0), EFAULT);
    fails("fsconfig, value nowhere", syscall(431, context, 1, "mode", forbidden(), 0), EFAULT);
    fails("fsconfig, no command", syscall(431, context, 99, 0, 0, 0), EOPNOTSUPP);
    fails("fsconfig, no context", syscall(431, 1, 6, 0, 0, 0), EINVAL);
    fails("fsmount, too early", syscall(432, context, 0, 0), EINVAL);
    succeeds("fsconfig, create", syscall(431, context, 6, 0, 0, 0));
    fails("fsmount flags", syscall(432, context, 2, 0), EINVAL);
    fails("fsmount attributes", syscall(432, context, 0, 0x40000000), EINVAL);
    int mounted = succeeds("fsmount", syscall(432, context, 1, 2 /* nosuid */));
    fails("fsmount, once", syscall(432, context, 0, 0), EBUSY);
    fails("move_mount flags", syscall(429, mounted, "", AT_FDCWD, "a", 0x1000), EINVAL);
    fails("move_mount, no target", syscall(429, mounted, "", AT_FDCWD, "nothing", 4), ENOENT);
    fails("move_mount, target nowhere", syscall(429, mounted, "", AT_FDCWD, forbidden(), 4), EFAULT);
    succeeds("move_mount", syscall(429, mounted, "", AT_FDCWD, "a", 4));
    struct stat s;
    must(stat("a", &s));
    equal("its mode", s.st_mode & 0777, 0711);

    optional(syscall(428, -1, "", 0xf0000000));
    fails("open_tree flags", syscall(428, AT_FDCWD, "a", 0x10), EINVAL);
    fails("open_tree of nothing", syscall(428, AT_FDCWD, "nothing", 1), ENOENT);
    fails("open_tree nowhere", syscall(428, AT_FDCWD, forbidden(), 1), EFAULT);
    fails("open_tree, no descriptor", syscall(428, 99, "a", 1), EBADF);
    int copy = succeeds("open_tree", syscall(428, AT_FDCWD, "a", 1 | O_CLOEXEC));
    struct attributes read_only = {.set = 1};
    optional(syscall(442, -1, "", 0x10000, 0, 0));
    fails("mount_setattr flags", syscall(442, copy, "", 0x10000, &read_only, sizeof read_only), EINVAL);
    fails("mount_setattr, too small", syscall(442, copy, "", AT_EMPTY_PATH, &read_only, 16), EINVAL);
    fails("mount_setattr, too large", syscall(442, copy, "", AT_EMPTY_PATH, &read_only, 8192), E2BIG);
    fails("mount_setattr nowhere", syscall(442, copy, "", AT_EMPTY_PATH, forbidden(), 32), EFAULT);
    struct attributes wrong = {.set = 1ULL << 40};
    fails("mount_setattr, upper half", syscall(442, copy, "", AT_EMPTY_PATH, &wrong, sizeof wrong), EINVAL);
    succeeds("mount_setattr", syscall(442, copy, "", AT_EMPTY_PATH, &read_only, sizeof read_only));
    must(syscall(429, copy, "", AT_FDCWD, "b", 4));
    fails("the copy is read only", open("b/f", O_CREAT | O_WRONLY, 0600), EROFS);
    must(close(must(open("a/f", O_CREAT | O_WRONLY, 0600))));

    optional(syscall(433, -1, "", 0x1000));
    fails("fspick flags", syscall(433, AT_FDCWD, "a", 0x1000), EINVAL);
    fails("fspick of nothing", syscall(433, AT_FDCWD, "nothing", 0), ENOENT);
    fails("fspick of what is no mount", syscall(433, AT_FDCWD, "c", 0), EINVAL);
    fails("fspick nowhere", syscall(433, AT_FDCWD, forbidden(), 0), EFAULT);
    int picked = succeeds("fspick", syscall(433, AT_FDCWD, "a", 1));
    succeeds("fsconfig, a flag", syscall(431, picked, 0, "ro", 0, 0));
    succeeds("fsconfig, reconfigure", syscall(431, picked, 7, 0, 0, 0));
    fails("all of it is read only", open("a/g", O_CREAT | O_WRONLY, 0600), EROFS);

    optional(syscall(467, -1, "", 0xf0000000, 0, 0));
    fails("open_tree_attr flags", syscall(467, AT_FDCWD, "a", 0x10, &read_only, sizeof read_only), EINVAL);
    fails("open_tree_attr, size", syscall(467, AT_FDCWD, "a", 1, &read_only, 16), EINVAL);
    fails("open_tree_attr nowhere", syscall(467, AT_FDCWD, "a", 1, forbidden(), 32), EFAULT);
    succeeds("open_tree_attr", syscall(467, AT_FDCWD, "a", 1, &read_only, sizeof read_only));
    always();
}

// struct mnt_id_req, and the beginning of struct statmount.
struct request { uint32_t size, ns; uint64_t id, parameter; };
struct answer { uint32_t size, options; uint64_t mask; uint32_t device_major, device_minor; uint64_t magic; uint32_t flags, type; char rest[4096]; };

static void questions(void) {
    // The unique id of the mount at "a", from statx.
    struct { uint32_t mask, size; uint64_t attributes; uint32_t fields[4]; uint64_t ino, big[2], mask2; uint32_t times[16]; uint32_t dev[4]; uint64_t mnt_id; char rest[96]; } x = {0};
    must(mount("none", "c", "tmpfs", 0, 0));
    must(syscall(SYS_statx, AT_FDCWD, "c", 0, 0x4000, &x));
    struct request ask = {.size = 24, .id = x.mnt_id, .parameter = 3};
    struct answer said;
    optional(syscall(457, 0, 0, 0, ~0u));
    memset(&said, 0xff, sizeof said);
    fails("statmount flags", syscall(457, &ask, &said, sizeof said, 0x10000), EINVAL);
    fails("statmount, question nowhere", syscall(457, forbidden(), &said, sizeof said, 0), EFAULT);
    fails("statmount, answer nowhere", syscall(457, &ask, forbidden(), sizeof said, 0), EFAULT);
    succeeds("statmount", syscall(457, &ask, &said, sizeof said, 0));
    check("of a tmpfs", said.magic == 0x01021994 && (said.mask & 1));
    ask.size = 8;
    fails("statmount, size", syscall(457, &ask, &said, sizeof said, 0), EINVAL);
    ask.size = 24, ask.id = 1LL << 50;
    fails("statmount of none", syscall(457, &ask, &said, sizeof said, 0), ENOENT);
    ask.id = -1, ask.parameter = 0;
    uint64_t ids[256];
    optional(syscall(458, 0, 0, 0, ~0u));
    fails("listmount flags", syscall(458, &ask, ids, 256, 0x10000), EINVAL);
    fails("listmount nowhere", syscall(458, &ask, forbidden(), 256, 0), EFAULT);
    fails("listmount, question nowhere", syscall(458, forbidden(), ids, 256, 0), EFAULT);
    int count = succeeds("listmount", syscall(458, &ask, ids, 256, 0)), found = 0;
    for (int i = 0; i < count; i++) found += ids[i] == x.mnt_id;
    check("it is among them", found == 1 || count == 256);
    equal("no more than asked for", syscall(458, &ask, ids, 1, 0), 1);
    always();
    must(umount2("c", 0));
    optional(syscall(470, 0, 0, 0, ~0u));
    fails("listns flags", syscall(470, forbidden(), ids, 1, 1), EINVAL);
    fails("listns nowhere", syscall(470, forbidden(), ids, 1, 0), EFAULT);
    always();
}

static void roots(void) {
    // Not on the machine's own root, which may be the initial file system: that cannot be changed for another.
    must(mount("none", "d", "tmpfs", 0, 0));
    must(chdir("d"));
    must(mkdir("new", 0755));
    must(mount("none", "new", "tmpfs", 0, 0));
    must(mkdir("new/old", 0755));
    fails("chroot to nothing", chroot("nothing"), ENOENT);
    fails("chroot nowhere", chroot(forbidden()), EFAULT);
    must(close(must(open("file", O_CREAT | O_WRONLY, 0600))));
    fails("chroot to a file", chroot("file"), ENOTDIR);
    succeeds("chroot", chroot("."));
    must(chdir("/"));
    check("is the root", !access("/file", F_OK));
    fails("pivot_root nowhere", syscall(SYS_pivot_root, forbidden(), "new/old"), EFAULT);
    fails("pivot_root of nothing", syscall(SYS_pivot_root, "nothing", "new/old"), ENOENT);
    fails("pivot_root outside", syscall(SYS_pivot_root, "new", "/"), EBUSY);
    fails("pivot_root to a file", syscall(SYS_pivot_root, "file", "new"), ENOTDIR);
    succeeds("pivot_root", syscall(SYS_pivot_root, "new", "new/old"));
    check("the old root is below", !access("/old/file", F_OK) && access("/file", F_OK));
    must(chdir("/"));
    succeeds("and can go", umount2("/old", MNT_DETACH));
    check("is gone", access("/old/file", F_OK));
}

static void forbidden_to_others(void) {
    fails("mount", mount("none", "/", "tmpfs", 0, 0), EPERM);
    fails("umount", old_umount("/"), EPERM);
    fails("chroot", chroot("/"), EPERM);
    fails("pivot_root", syscall(SYS_pivot_root, "/", "/"), EPERM);
    fails("pivot_root before it reads", syscall(SYS_pivot_root, forbidden(), forbidden()), EPERM);
    optional(syscall(430, "tmpfs", 0x8000));
    fails("fsopen", syscall(430, "tmpfs", 0), EPERM);
    fails("fspick", syscall(433, AT_FDCWD, "/", 0), EPERM);
    fails("fsmount", syscall(432, 1, 0, 0), EPERM);
    fails("open_tree to copy", syscall(428, AT_FDCWD, "/", 1), EPERM);
    fails("move_mount", syscall(429, AT_FDCWD, "/", AT_FDCWD, "/", 0), EPERM);
    always();
}

int main(void) {
    own_file_system(0);
    for (const char *name = "a\0b\0c\0d\0"; *name; name += 2) must(mkdir(name, 0755));
    unprivileged(forbidden_to_others);
    classic();
    modern();
    questions();
    roots();
    return finish();
}
