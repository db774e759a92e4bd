// Numbers of sockets that the kernel does not take from 32-bit programs, or not from this kind of socket, whatever the address.
#include <net/if.h>
#include <net/route.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include "expect.h"

int main(void) {
    int s = must(socket(AF_INET, SOCK_DGRAM, 0));
    static const int never[] = {SIOCSIFLINK, SIOCGIFENCAP, SIOCSIFENCAP, SIOCGIFCOUNT};
    struct ifreq lo = {.ifr_name = "lo"};
    for (unsigned i = 0; i < sizeof never / sizeof *never; i++) {
        fails("none", ioctl(s, never[i], 0), ENOTTY);
        fails("nowhere", ioctl(s, never[i], forbidden()), ENOTTY);
        fails("an interface", ioctl(s, never[i], &lo), ENOTTY);
    }
    struct rtentry route = {.rt_metric = 1};
    fails("no route", ioctl(s, SIOCDELRT, forbidden()), EFAULT);
    int local = must(socket(AF_UNIX, SOCK_DGRAM, 0)), netlink = must(socket(AF_NETLINK, SOCK_RAW, 0));
    for (int i = 0; i < 2; i++) {
        int number = i ? SIOCDELRT : SIOCADDRT;
        fails("routes of local sockets", ioctl(local, number, &route), ENOTTY);
        fails("routes of local sockets, nowhere", ioctl(local, number, forbidden()), ENOTTY);
        fails("routes of netlink", ioctl(netlink, number, &route), ENOTTY);
        fails("routes of netlink, nowhere", ioctl(netlink, number, forbidden()), ENOTTY);
    }
    int multipath = socket(AF_INET, SOCK_STREAM, 262 /* IPPROTO_MPTCP */);
    check("routes of multipath TCP", multipath < 0 || (ioctl(multipath, SIOCADDRT, &route) < 0 && errno == ENOTTY));
    check("routes of multipath TCP, nowhere", multipath < 0 || (ioctl(multipath, SIOCADDRT, forbidden()) < 0 && errno == ENOTTY));
    return finish();
}
