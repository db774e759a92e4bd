typedef struct _XDisplay Display;
typedef unsigned long Window, Atom, CARD64;
typedef unsigned CARD32;
int XChangeProperty(Display *, Window, Atom, Atom, int, int, const unsigned char *, int);
int XGetWindowProperty(Display *, Window, Atom, long, long, int, Atom, Atom *, int *, unsigned long *, unsigned long *, unsigned char **);
extern int kept;

void puts_there(Display *d, Window w, Atom a, int *list, int format, short *half)
{
    int numbers[4] = {0};
    long longs[4] = {0};
    CARD32 one = 4, two[2] = {0};
    Atom atoms[2] = {0};
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)numbers, 4); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)&one, 1); /* possible */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)&numbers, 4); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)two, format); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (void *)list, 4); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)longs, 4);
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)&longs[1], 1);
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)atoms, 2);
    XChangeProperty(d, w, a, 6, 8, 0, (unsigned char *)numbers, 16);
    XChangeProperty(d, w, a, 6, 16, 0, (unsigned char *)half, 4);
    XChangeProperty(d, w, a, 6, format, 0, (unsigned char *)numbers, 4);
}

/* A structure of such is one too. */
struct hints { CARD32 flags; int functions; CARD32 decorations; };
struct mixed { CARD32 flags; long functions; };
void sets_structures(Display *d, Window w, Atom a, struct hints *of, struct mixed *mixed)
{
    struct hints here;
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)&here, 3); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)of, 3); /* certain */
    XChangeProperty(d, w, a, 6, 32, 0, (unsigned char *)mixed, 2);
}

void gets_it(Display *d, Window w, Atom a, unsigned char *other)
{
    Atom type;
    int format;
    unsigned long n, left;
    unsigned char *bytes;
    CARD32 *numbers;
    long *longs;
    kept = ((int *)bytes)[1];
    XGetWindowProperty(d, w, a, 0, 4, 0, 6, &type, &format, &n, &left, &bytes);
    kept = ((int *)bytes)[1]; /* probable */
    kept = ((long *)bytes)[1];
    kept = ((int *)other)[1];
    kept = *(char *)bytes;
    kept = *(int *)bytes; /* possible */
    kept = ((struct hints *)bytes)->functions; /* probable */
    XGetWindowProperty(d, w, a, 0, 4, 0, 6, &type, &format, &n, &left, (unsigned char **)&numbers); /* probable */
    XGetWindowProperty(d, w, a, 0, 4, 0, 6, &type, &format, &n, &left, (unsigned char **)&longs);
}

/* Lines of an image begin at words of 32 bits at most. */
typedef struct _XImage XImage;
XImage *XCreateImage(Display *, void *, unsigned, int, int, char *, unsigned, unsigned, int, int);
void images(Display *d, unsigned long *pixels, int pad)
{
    XCreateImage(d, 0, 24, 2, 0, (char *)pixels, 8, 8, sizeof(*pixels) * 8, 0); /* certain */
    XCreateImage(d, 0, 24, 2, 0, (char *)pixels, 8, 8, 8 * sizeof(int), 0);
    XCreateImage(d, 0, 24, 2, 0, (char *)pixels, 8, 8, 32, 0);
    XCreateImage(d, 0, 24, 2, 0, (char *)pixels, 8, 8, 64, 0);
    XCreateImage(d, 0, 24, 2, 0, (char *)pixels, 8, 8, pad, 0);
}
