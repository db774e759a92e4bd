/* Conversions that nobody has written, which some compilers refuse. */
extern int kept;
extern void *any;
int use(int of);
int old();

void implicit(char *p)
{
    kept = p; /* certain */
    kept = any; /* certain */
    use(p); /* certain */
}

/* Without a prototype nothing is converted but by clang. */
int takes(n) int n; { return n; }
void given(char *p)
{
    takes(p);
    old(p);
    takes((int)p); /* possible */
}
