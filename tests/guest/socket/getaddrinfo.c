// The resolver with numbers and localhost, and interfaces through netlink.
//# libc: dynamic musl
//# needs: net
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <arpa/inet.h>
#include <sys/socket.h>
#include "expect.h"

int main(void) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST}, *list;
    equal("number", getaddrinfo("127.0.0.1", "80", &hints, &list), 0);
    equal("address", ((struct sockaddr_in *)list->ai_addr)->sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    equal("port", ((struct sockaddr_in *)list->ai_addr)->sin_port, htons(80));
    equal("not a number", getaddrinfo("nothing", "80", &hints, &list), EAI_NONAME);
    struct ifaddrs *all;
    int loopback = 0;
    succeeds("getifaddrs", getifaddrs(&all));
    for (struct ifaddrs *i = all; i; i = i->ifa_next) loopback += !strcmp(i->ifa_name, "lo") && i->ifa_addr && i->ifa_addr->sa_family == AF_INET;
    check("the loopback", loopback >= 1);
    equal("index", if_nametoindex("lo"), 1);
    char name[IF_NAMESIZE] = "";
    check("name", if_indextoname(1, name) && !strcmp(name, "lo"));
    return finish();
}
