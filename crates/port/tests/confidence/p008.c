#include <linux/fs.h>
#include <linux/pps.h>
#include <sys/soundcard.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
extern long all;

int kernel(int fd, long *to, long given)
{
    long n, zero = 0, late, passed;
    int half;
    static long kept;
    ioctl(fd, FIONREAD, &n); /* certain */
    ioctl(fd, FIONREAD, &n); /* possible */
    ioctl(fd, FIONREAD, &zero); /* possible */
    ioctl(fd, FIONREAD, &late); /* certain */
    late = 1;
    passed = given;
    ioctl(fd, FIONREAD, &passed); /* possible */
    ioctl(fd, FIONREAD, &kept); /* possible */
    ioctl(fd, FIONREAD, &all); /* possible */
    ioctl(fd, FIONBIO, &late); /* possible */
    ioctl(fd, BLKGETSIZE, &half); /* certain */
    ioctl(fd, BLKGETSIZE64, &half);
    ioctl(fd, BLKBSZGET, &half);
    ioctl(fd, BLKBSZGET, &passed); /* possible */
    ioctl(fd, BLKBSZSET, &half);
    ioctl(fd, PPS_GETCAP, &half);
    ioctl(fd, _IOR('x', 1, long), &half); /* probable */
    ioctl(fd, _IOW('x', 2, long), &half); /* probable */
    ioctl(fd, _IOR(0, 1, long), &half);
    ioctl(fd, 0x1234, &n);
    ioctl(fd, _IOR('x', 1, struct linger), &half);
    return getsockopt(fd, SOL_SOCKET, SO_LINGER, &late, 0) + getsockopt(fd, 6, SO_ERROR, &late, 0);
}

/* prctl(2) writes an int, but for an address. */
int processes(void)
{
    long signal, size = 0;
    int address, right;
    prctl(PR_GET_PDEATHSIG, &signal); /* certain */
    prctl(PR_GET_PDEATHSIG, &size); /* possible */
    prctl(PR_GET_PDEATHSIG, &right);
    prctl(PR_GET_TID_ADDRESS, &address); /* certain */
    prctl(PR_SET_NAME, &right);
    prctl(PR_SET_PDEATHSIG, 9);
    return right + address + signal + size;
}

/* Of the number only the device is not known. */
long volume(int fd, int device, int request)
{
    long amount, other, size = 0;
    int right;
    ioctl(fd, MIXER_READ(device), &amount); /* certain */
    ioctl(fd, MIXER_READ(device), &right);
    ioctl(fd, MIXER_WRITE(device), &size); /* possible */
    ioctl(fd, request, &other);
    ioctl(fd, request | 4, &other);
    return amount + other + right + size;
}
