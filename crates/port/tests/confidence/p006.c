union word { long number; int half; void *any; char *text; unsigned bits; struct { int a, b; } both; unsigned char bytes[4]; long row[2]; };
extern int kept, flag;
void fill(union word *of);

void reads(union word w, union word v, union word *list, int n)
{
    w.number = n;
    kept = w.half; /* possible */
    kept = v.half;
    kept = w.number;
    w.any = &n;
    kept = w.half; /* possible */
    w.text = "a";
    kept = w.half; /* possible */
    w.half = n;
    kept = w.any != 0; /* possible */
    w.number = n;
    kept = w.both.a;
    w.number = n;
    kept = w.bits & 0xff;
    w.half = n;
    kept = w.number & 0xff;
    kept = (w.number >> 24) & 0xff;
    kept = (w.number >> 24) & 0xffff; /* possible */
    kept = w.number & 7 | w.half;
    if (flag)
        v.number = n;
    kept = v.half;
    list->number = n;
    list++;
    kept = list->half;
    list[n].number = 1;
    kept = list[n].half; /* possible */
    n++;
    kept = list[n].half;
}

/* What it says there chooses the member. */
void chosen(union word w)
{
    w.number = 1;
    fill(&w);
    if (w.half == 1) /* possible */
        kept = w.bits;
    w.number = 1;
    if (w.bits == 1) /* possible */
        kept = w.half; /* possible */
}

/* The first is only done at times, or is jumped over. */
void at_times(union word w, int n)
{
    flag && (w.number = n);
    kept = w.half;
    flag ? (w.number = n) : 0;
    kept = w.half;
    switch (n) {
    case 1:
        w.text = "a";
    case 2:
        kept = w.half;
    }
    for (w.number = 1; n; n--)
        kept = w.half;
}

/* Elements, addresses, and other kinds of members. */
void elements(union word w, union word *list, int n)
{
    w.row[0] = n;
    kept = w.half;
    w.both.a = n;
    kept = w.number;
    list++->number = n;
    kept = list->half;
    list->number = n;
    list = list + 1;
    kept = list->half;
    list->number = n;
    n += 1;
    kept = list->half; /* possible */
    w.number = n;
    kept = w.half & 7;
    kept = (w.number & -1) != 0;
}

/* What was written is half of what is read, or the other way round, and the lower half is where it was. */
int upper_halves(union word w, union word v, int n)
{
    w.half = n;
    kept = w.number > 4; /* possible */
    w.bytes[0] = n;
    kept = w.number > 4; /* possible */
    v.number = n;
    kept = v.bytes[0]; /* possible */
    v.number = n;
    return v.bits; /* possible */
}

/* What is cast to less has only bits of the lower half. */
void bytes(union word w, unsigned char *to, float real)
{
    union { float real; unsigned long bits; } of;
    of.real = real;
    to[0] = (unsigned char)of.bits;
    to[3] = (unsigned char)(of.bits >> 24);
    to[4] = (unsigned char)(of.bits >> 32); /* possible */
    kept = (unsigned)of.bits;
    kept = (unsigned)(of.bits >> 1); /* possible */
}

/* What is read is read before it is written. */
union name { int number; char *text; };
int look_up(const char *text);
int names(union name n, union name m)
{
    n.number = look_up(n.text);
    m.number = 0;
    return n.number + look_up(m.text); /* possible */
}

/* Who asks first how large a long is, does not look there. */
static int checks_longs(void)
{
    union { double d; long half[2]; } of;
    of.d = 1e13;
    return of.half[1] == 1117925532; /* possible */
}
static int checks_always(void)
{
    union { double d; long half[2]; } of;
    of.d = 1e13;
    return of.half[1] == 1117925532; /* certain */
}
int checks(void)
{
    int found = checks_always();
    if (sizeof(double) == 2 * sizeof(long))
        found += checks_longs();
    return found;
}
