#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct packet { struct in_addr from; uint16_t port; };
struct route { struct sockaddr_in to; struct in_addr sin_addr; };

void copy(char **list, long number, struct packet *packet, struct route *route)
{
    struct sockaddr_in to;
    struct in_addr alone;
    char bytes[8];
    long row[4];
    /* Eight unused bytes are behind the address of a socket, and none behind another. */
    memcpy(&to.sin_addr, list[0], sizeof number); /* possible */
    memcpy(&to.sin_addr.s_addr, list[0], sizeof number); /* possible */
    memcpy((char *)&route->to.sin_addr, list[0], sizeof number); /* possible */
    memcpy(&to.sin_addr, list[0], sizeof number * sizeof number / 4); /* certain */
    memcpy(&alone, list[0], sizeof number); /* certain */
    memcpy(&alone.s_addr, list[0], sizeof number); /* certain */
    memcpy(&packet->from, list[0], sizeof number); /* certain */
    memcpy(&route->sin_addr, list[0], sizeof number); /* certain */
    memcpy(&to.sin_port, list[0], sizeof number / 2); /* certain */
    memcpy(&alone, list[0], sizeof alone);
    /* The lower half alone is written of what is one number. */
    memcpy(&number, &alone, sizeof alone); /* probable */
    memcpy(&number, bytes, 4);
    memcpy(row, &alone, sizeof alone);
    read(0, &number, sizeof(int));
    write(1, &number, sizeof alone);
    memcpy(list, &alone, sizeof alone);
    memcmp(&number, &alone, sizeof alone);
}

void others(long *list, struct route *route, uint32_t word, long number)
{
    struct { int a; } record;
    memcpy(&record, &number, sizeof number); /* certain */
    memcpy(&number, &record, sizeof record); /* probable */
    memcpy(&list, &word, sizeof word); /* probable */
    memcpy(&route->to, &number, sizeof number);
    memcpy(&word, list, 2 * sizeof number);
    memset(&word, 0, sizeof number); /* certain */
    memset(&number, 0, sizeof word);
}

/* A number on the wire is read by its lower half, and becomes another one. */
#include <arpa/inet.h>
struct entry { long originated, other; };
void of_wire(struct entry *e, const uint32_t *wire)
{
    memcpy(&e->originated, wire, sizeof *wire); /* possible */
    e->originated = ntohl(e->originated);
    memcpy(&e->other, wire, sizeof *wire); /* probable */
}

/* Only ten bytes of a long double are looked at. */
const unsigned char bytes_of[12];
void extended(long double *to, struct route *route)
{
    memcpy(to, bytes_of, sizeof(long double)); /* possible */
    memcpy(route, bytes_of, sizeof(long double)); /* certain */
}
