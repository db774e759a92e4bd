// Interface ioctls: structures with pointers and unions in them.
//# libc: static
//# needs: net
#include <arpa/inet.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include "expect.h"

int main(void) {
    int s = must(socket(AF_INET, SOCK_DGRAM, 0));
    struct ifreq r = {.ifr_name = "lo"}, many[32];
    succeeds("SIOCGIFINDEX", ioctl(s, SIOCGIFINDEX, &r));
    equal("index", r.ifr_ifindex, 1);
    succeeds("SIOCGIFNAME", ioctl(s, SIOCGIFNAME, &r));
    check("name", !strcmp(r.ifr_name, "lo"));
    succeeds("SIOCGIFFLAGS", ioctl(s, SIOCGIFFLAGS, &r));
    check("loopback", r.ifr_flags & IFF_LOOPBACK);
    succeeds("SIOCGIFADDR", ioctl(s, SIOCGIFADDR, &r));
    check("address", ((struct sockaddr_in *)&r.ifr_addr)->sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    succeeds("SIOCGIFMTU", ioctl(s, SIOCGIFMTU, &r));
    check("MTU", r.ifr_mtu >= 1500);
    struct ifconf c = {.ifc_len = sizeof many, .ifc_req = many};
    succeeds("SIOCGIFCONF", ioctl(s, SIOCGIFCONF, &c));
    int loopbacks = 0;
    for (unsigned i = 0; i < c.ifc_len / sizeof *many; i++) loopbacks += !strcmp(many[i].ifr_name, "lo");
    check("the loopback", loopbacks >= 1 && c.ifc_len % sizeof *many == 0);
    int length = c.ifc_len;
    c = (struct ifconf){.ifc_len = 0, .ifc_buf = 0};
    succeeds("SIOCGIFCONF, how long", ioctl(s, SIOCGIFCONF, &c));
    equal("length", c.ifc_len, length);
    c = (struct ifconf){.ifc_len = sizeof many, .ifc_buf = forbidden()};
    fails("into nowhere", ioctl(s, SIOCGIFCONF, &c), EFAULT);
    fails("nowhere", ioctl(s, SIOCGIFCONF, forbidden()), EFAULT);
    strcpy(r.ifr_name, "nothing0");
    fails("absent", ioctl(s, SIOCGIFINDEX, &r), ENODEV);
    int on = 1;
    succeeds("FIONBIO", ioctl(s, FIONBIO, &on));
    check("non-blocking", fcntl(s, F_GETFL) & O_NONBLOCK);
    succeeds("FIOCLEX", ioctl(s, FIOCLEX));
    equal("close on exec", fcntl(s, F_GETFD), FD_CLOEXEC);
    return finish();
}
