extern int kept;
void scan(int *to);
void longs(long *to);
void pairs(unsigned *to);

void objects(long *list, int *fixed, long by)
{
    long n, row[4];
    int half;
    unsigned long word = 4, late, none;
    longs((long *)&half); /* certain */
    longs((long *)fixed); /* probable */
    longs((long *)&list[1]);
    longs((long *)&fixed[1]); /* certain */
    scan((int *)&n); /* probable */
    scan((int *)list); /* probable */
    scan((int *)&row[1]);
    scan((int *)(list + 1));
    pairs((unsigned *)&word); /* possible */
    pairs((unsigned *)&none); /* probable */
    pairs((unsigned *)&late); /* probable */
    late = 4;
    pairs((unsigned *)&late); /* possible */
    n = 4;
    scan((int *)&n); /* probable */
    scan((int *)&by); /* probable */
    longs((long *)&word);
    longs((long *)(char *)fixed);
    kept = *(char *)&n;
}

/* Another object was set, or this one later, or by itself. */
void set(unsigned long *list)
{
    unsigned long one, other = 4, third;
    struct { unsigned long one; } of = {4};
    pairs((unsigned *)&one); /* probable */
    one = other;
    pairs((unsigned *)&of.one); /* probable */
    pairs((unsigned *)&*list); /* probable */
    pairs((unsigned *)&third); /* probable */
    other == 4 ? pairs((unsigned *)&other) : (void)0; /* possible */
}
