struct node { long key; int kind; char *name; };
extern int kept;
extern char *text;

void offsets(struct node *n, char *bytes, int at)
{
    kept = *(int *)((char *)n + 4); /* certain */
    kept = ((char *)n)[4]; /* certain */
    kept = ((int *)n)[1]; /* certain */
    text = ((char **)n)[2];
    kept = ((char *)n)[0];
    kept = ((char *)n)[3];
    kept = ((char *)n)[at];
    kept = bytes[4];
    kept = ((char *)n)[sizeof(long)];
    kept = *((char *)n - 4);
    kept = ((char *)n)[12];
}

/* What is behind the structure is where its size says, also if the last member has no size. */
struct open { char *name; char first; int rest[]; };
int behind(struct open *o, int n)
{
    return ((char *)o + sizeof(struct open) + n)[0] + *((char *)o + sizeof *o) + *((char *)o + 8); /* certain */
}

/* A list of structures of which somebody has counted the bytes. */
#include <net/if.h>
#include <sys/socket.h>
int interfaces(char *at, char *end, char *other)
{
    int size = sizeof(((struct ifreq *)0)->ifr_name) + sizeof(struct sockaddr);
    while (at < end) {
        kept += ((struct ifreq *)at)->ifr_name[0];
        kept += ((struct node *)other)->kind;
        at += size; /* probable */
        other += 12; /* probable */
        other += 16;
        other += sizeof(struct node);
        end += size;
    }
    return kept;
}
