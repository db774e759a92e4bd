struct first { long number; int kind; };
struct second { int number; int kind; };
struct third { long number; int kind; char *name; };
struct small { int number; };
struct other { short number; int kind; };
extern struct second *kept;
extern struct third *wide;
extern struct small *one;
extern struct other *another;

void casts(struct first *f, struct first g)
{
    kept = (struct second *)f; /* possible */
    f = (struct first *)kept; /* possible */
    wide = (struct third *)f;
    wide = (struct third *)kept; /* possible */
    one = (struct small *)f;
    another = (struct other *)f;
    kept = (struct second *)f - 1;
    kept = (struct second *)f + 1; /* possible */
    f = (struct first *)f;
    kept = (struct second *)&g; /* possible */
}

struct packed { long number; int kind; } __attribute__((packed));
void arrays(struct first *f, struct second (*row)[2], long *plain)
{
    kept = (struct second *)plain;
    plain = (long *)f;
    kept = (struct second *)(void *)f;
    kept = *row;
}

/* What lies behind a head is something else. */
void behind(struct first *f, int n)
{
    kept = (struct second *)(f + 1);
    kept = (struct second *)&f[1];
    kept = (struct second *)(f + n); /* possible */
    kept = (struct second *)(f + 2); /* possible */
    kept = (struct second *)&f[n]; /* possible */
}
