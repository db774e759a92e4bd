typedef unsigned long u32; /* possible */
typedef long INT32; /* possible */
typedef long int32_x4; /* possible */
typedef long DWORD; /* possible */
typedef unsigned long UINT4; /* possible */
typedef long word_1320, plain;
typedef int i32, int32;
typedef u32 hash;
extern unsigned long kept;
void take(u32 *words);
unsigned char *allocated(int bytes);

void views(unsigned char *bytes, const char *text, void *any, int *ints, u32 *words, int n)
{
    unsigned char row[16];
    *(u32 *)bytes = 4; /* certain */
    kept = ((u32 *)bytes)[1]; /* certain */
    kept = *(const INT32 *)text; /* certain */
    kept = *(DWORD *)bytes; /* certain */
    kept = *(UINT4 *)(bytes + 4); /* certain */
    kept = *(int32_x4 *)bytes; /* certain */
    *(u32 *)row = 4; /* certain */
    take((u32 *)bytes); /* probable */
    words = (u32 *)row; /* probable */
    bytes = (unsigned char *)((u32 *)bytes + 1); /* probable */
    kept = *(word_1320 *)bytes;
    kept = *(plain *)bytes;
    kept = *(hash *)bytes;
    kept = *(u32 *)any;
    kept = *(u32 *)ints;
    kept = *(u32 *)words;
    kept = *(unsigned *)bytes;
    words = (u32 *)allocated(4);
    kept = (u32)bytes[0];
    kept = sizeof *(u32 *)bytes;
}

/* Words of any name, that are four bytes apart. */
struct address { unsigned char bytes[16]; };
int same(struct address *a, struct address *b, unsigned char *bytes, long words[4])
{
    int i, n = 0;
    for (i = 0; i < 16; i += 4)
        n += *(plain *)&a->bytes[i] == 1; /* probable */
    for (int k = 0; k < 16; k += sizeof(plain))
        n += *(plain *)&a->bytes[k] == 1;
    for (int j = 0; j < 16; j += 8)
        n += *(plain *)&a->bytes[j] == 1;
    n += *(plain *)&a->bytes[0] == 1; /* probable */
    n += *(plain *)&a->bytes[4] == 1; /* probable */
    n += *(plain *)&b->bytes[8] == 1;
    n += *(plain *)&b->bytes[0] == 1;
    n += *(int *)&a->bytes[4] == 1;
    n += (unsigned)*(plain *)&a->bytes[4] == 1; /* possible */
    n += *(plain *)&bytes[0] == *(plain *)&bytes[4];
    return n + (words[0] == *(plain *)&words[1]);
}

/* The last four bytes of all. */
struct block { char head[8], body[8]; };
extern unsigned char sector[512];
unsigned long ends(struct block *b, char *bytes, int at)
{
    char frame[2048];
    *((unsigned long *)(&frame[2048 - 4])) = kept; /* certain */
    *(unsigned long *)(frame + 2044) = kept; /* certain */
    *(unsigned long *)(frame + 2032) = kept;
    *(unsigned *)(frame + 2044) = 1;
    *(unsigned long *)&frame[2046] = kept;
    *(unsigned long *)&frame[at] = kept;
    *(unsigned long *)&bytes[2044] = kept;
    kept = (unsigned long)&frame[2044];
    at = *(unsigned long *)&frame[2044]; /* possible */
    return *(long *)(sector + 508) + *(long *)&b->head[4]; /* certain */
}

/* Addresses of hosts, of which nothing but the lower half is looked at mostly. */
#include <netdb.h>
void keep_address(unsigned), keep_words(const unsigned long *);
int hosts(struct hostent *of, unsigned address, char **others)
{
    char **list, *one = of->h_addr_list[1];
    unsigned long whole, low = *(plain *)of->h_addr;
    for (list = of->h_addr_list; *list; list++)
        if (*(unsigned long *)*list == address) /* probable */
            return 1;
    keep_address(*(unsigned long *)of->h_addr);
    keep_address(low);
    address = *(unsigned long *)of->h_addr_list[0];
    whole = *(unsigned long *)of->h_addr; /* probable */
    keep_words((unsigned long *)of->h_addr);
    if (*(unsigned *)of->h_addr == whole)
        return *(plain *)one == 4; /* probable */
    return *(unsigned long *)others[0] == *(plain *)of->h_name;
}

/* All of an array of four bytes. */
struct request { unsigned char to[4], from[6], name[8]; };
int asks(struct request *of, unsigned address, unsigned char *bytes)
{
    unsigned char own[4];
    *(plain *)own = 1; /* certain */
    bytes = own;
    return address == *((plain *)of->to) || address == *(plain *)of->from /* certain */
        || address == *(plain *)of->name || address == *(unsigned *)of->to
        || address == (unsigned)*(plain *)of->to; /* possible */
}
