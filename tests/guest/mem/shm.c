// shmat in a 32-bit address space; shm_open.
//# libc: static
//# link: -lrt
#include <sys/shm.h>
#include "expect.h"

int main(void) {
    int id = succeeds("shmget", shmget(IPC_PRIVATE, 10000, IPC_CREAT | 0600));
    char *a = shmat(id, 0, 0), *b = shmat(id, 0, SHM_RDONLY);
    check("attached twice", a != (void *)-1 && b != (void *)-1 && a != b);
    strcpy(a + 5000, "shared");
    check("the same memory", !strcmp(b + 5000, "shared"));
    fails("read only", read(must(open("/dev/zero", O_RDONLY)), b, 1), EFAULT);
    struct shmid_ds ds;
    succeeds("IPC_STAT", shmctl(id, IPC_STAT, &ds));
    equal("size", ds.shm_segsz, 10000);
    equal("attached", ds.shm_nattch, 2);
    equal("mode", ds.shm_perm.mode & 0777, 0600);
    check("creator", ds.shm_cpid == getpid() && ds.shm_lpid == getpid());
    fails("unaligned", (long)shmat(id, a + 1, 0), EINVAL);
    fails("in the way", (long)shmat(id, a, 0), EINVAL);
    succeeds("detach", shmdt(b));
    fails("again", shmdt(b), EINVAL);
    check("SHM_REMAP", shmat(id, a, SHM_REMAP) == a);
    pid_t child = must(fork());
    if (!child) {
        strcpy(a, "from the child");
        _exit(0);
    }
    equal("child", end_of(child), 0);
    check("the child wrote", !strcmp(a, "from the child"));
    succeeds("IPC_SET", (ds.shm_perm.mode = 0640, shmctl(id, IPC_SET, &ds)));
    must(shmctl(id, IPC_STAT, &ds));
    equal("mode", ds.shm_perm.mode & 0777, 0640);
    fails("stat to nowhere", syscall(SYS_shmctl, id, IPC_STAT, forbidden()), EFAULT);
    succeeds("remove", shmctl(id, IPC_RMID, 0));
    check("still usable", !strcmp(a, "from the child"));
    must(shmdt(a));
    fails("gone", shmctl(id, IPC_STAT, &ds), EINVAL);

    char name[64];
    sprintf(name, "/biarch-%d", getpid());
    int fd = succeeds("shm_open", shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600));
    must(shm_unlink(name));
    must(ftruncate(fd, 4096));
    a = must(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    a[0] = 'x';
    char c;
    must(pread(fd, &c, 1, 0));
    equal("shared", c, 'x');
    return finish();
}
