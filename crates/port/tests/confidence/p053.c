#include <linux/fs.h>
#include <sys/ioctl.h>
struct own { long size; int kind; };
struct same { int size; int kind; };
#define SET_OWN _IOW('x', 2, struct own)
#define SET_SAME _IOW('x', 3, struct same)
#define SET_LONG _IOW('x', 4, long)

int requests(int fd, struct own *o, struct same *s, long *n, int request)
{
    ioctl(fd, SET_OWN, o); /* possible */
    ioctl(fd, SET_SAME, s);
    ioctl(fd, SET_LONG, n); /* possible */
    ioctl(fd, _IOW('x', 5, struct own), o); /* possible */
    ioctl(fd, FS_IOC_SETFLAGS, n);
    ioctl(fd, sizeof(long), n);
    ioctl(fd, request, n);
    switch (request) {
    case SET_OWN: /* possible */
        return 1;
    case SET_SAME:
        return 2;
    case sizeof(long):
        return 3;
    }
    return 0;
}
