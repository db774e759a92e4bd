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
    kept = (struct second *)f; /* probable */
    f = (struct first *)kept; /* probable */
    wide = (struct third *)f;
    wide = (struct third *)kept; /* probable */
    one = (struct small *)f;
    another = (struct other *)f;
    kept = (struct second *)f - 1;
    kept = (struct second *)f + 1; /* probable */
    f = (struct first *)f;
    kept = (struct second *)&g; /* probable */
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
    kept = (struct second *)(f + n); /* probable */
    kept = (struct second *)(f + 2); /* probable */
    kept = (struct second *)&f[n]; /* probable */
}
