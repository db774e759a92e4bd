#include <sys/select.h>
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
    kept = none > 4;
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
    kept = third > 4;
    other == 4 ? pairs((unsigned *)&other) : (void)0; /* possible */
}

/* The type of what an allocator returns says nothing; its size is P040 and P041. */
int *my_Alloc(int bytes), *memory(int bytes);
void allocators(int n)
{
    char **names;
    names = (char **)my_Alloc(n);
    names = (char **)memory(n * sizeof(char *));
    names = (char **)memory(n * sizeof(int)); /* possible */
    names = (char **)memory(n); /* possible */
}

/* A constant beside it may say what it leads to. */
enum type { NUMBER };
#define WORD 4
struct row { int type; int *to; };
char *text;
long word;
struct row named = {NUMBER, (int *)&text}; /* possible */
struct row of_macro = {WORD, (int *)&text}; /* possible */
struct row numbered = {4, (int *)&text}; /* probable */
struct row number = {NUMBER, (int *)&word}; /* probable */
int *alone = (int *)&text; /* probable */

int get(int type, void **to);
int at(char *name, void **to);
int count(int type, long *to);
int take(int type, int *to);
void told(void)
{
    int half;
    get(NUMBER, (void **)&half); /* possible */
    get(WORD, (void **)&half); /* possible */
    get(4, (void **)&half); /* certain */
    get(half, (void **)&half); /* certain */
    at(0, (void **)&half); /* certain */
    count(NUMBER, (long *)&half); /* certain */
    take(NUMBER, (int *)&text); /* probable */
}

/* So may who gets it, if that is seen, and a condition before it. */
int gives(struct row *row, void **to, char **more)
{
    if (row->type == NUMBER)
        scan((int *)to); /* possible */
    else
        *to = text;
    scan((int *)more); /* probable */
    return 0;
}

int keeps(struct row *row, void **to) { kept = *to != 0; return 0; }

void given(struct row *row)
{
    int half, other;
    gives(row, (void **)&half, (char **)&other); /* possible */
    keeps(row, (void **)&half); /* certain */
}

void always(void **to)
{
    scan((int *)to); /* probable */
}

void some(int type, void **any, char **used, char **unused, long *number)
{
    if (type && !unused) {
        scan((int *)any); /* possible */
        scan((int *)used); /* possible */
        scan((int *)unused); /* probable */
        scan((int *)number); /* probable */
        kept = *number;
    }
    *used = text;
}

void elements(int type, char **used)
{
    used[0] = text;
    type ? scan((int *)used) : (void)0; /* possible */
}

void texts(char **);
struct member { int *used, *unused; };
void members(struct member *of, int type)
{
    switch (type) {
    case NUMBER: *of->used = 4; break;
    default:
        texts((char **)of->used); /* possible */
        texts((char **)of->unused); /* probable */
    }
    texts((char **)of->used); /* probable */
}

/* In a place for a pointer a number is kept. */
void **find(const char *key);
void ints(int *);
int slot(const char *key)
{
    int *kept = (int *)find(key); /* possible */
    ints((int *)find(key)); /* probable */
    return *kept;
}

/* The function in a line of a table takes what is beside it for what it is. */
extern int numbers;
void set_numbers(const char *line, char **what);
struct command { const char *name; void (*set)(const char *, char **); char **what; } commands[] = {
    {"numbers", set_numbers, (char **)&numbers}, /* possible */
    {"others", 0, (char **)&numbers}, /* certain */
};

/* A pointer of a union is one of several, a handler's parameter whatever the table says. */
union any { int *ints[4]; long *longs[4]; int *one; long *long_one; };
union no_longs { int *ints[4]; char *text; };
struct both { int *ints[4]; long *longs[4]; };
void shared(union any *of, union any in, union no_longs *no, struct both *both, int n)
{
    longs((long *)of->ints[n]); /* possible */
    longs((long *)in.one); /* possible */
    longs((long *)no->ints[n]); /* probable */
    longs((long *)both->ints[n]); /* probable */
}

int structure(int *vp) { return ((struct both *)vp)->ints[0] != 0; }
int pointer(int *vp) { texts((char **)vp); return 0; } /* possible */
int other_name(int *to) { texts((char **)to); return 0; } /* probable */
int other_type(unsigned *vp) { texts((char **)vp); return 0; } /* probable */
#define HANDLER(name) int name(int *generic, char *value)
HANDLER(handler) { texts((char **)generic); return 0; } /* possible */

/* What has a value already has nothing in its upper half; memset, the caller and a use before say so. */
void *memset(void *, int, unsigned long);
struct held { unsigned long size; unsigned long other; };
void lengths(unsigned *, unsigned long);
void lengths_given(struct held *of, unsigned long parameter)
{
    struct held here, there;
    unsigned long fresh, read;
    of->size = sizeof here;
    lengths((unsigned *)&of->size, 1); /* possible */
    lengths((unsigned *)&of->other, 1); /* probable */
    memset(&here, 0, sizeof here);
    lengths((unsigned *)&here.size, 1); /* possible */
    lengths((unsigned *)&there.size, 1); /* probable */
    lengths((unsigned *)&parameter, 1); /* possible */
    lengths((unsigned *)&fresh, 1); /* probable */
    kept = fresh > 4;
    lengths((unsigned *)&read, read); /* possible */
    unsigned long measured;
    lengths((unsigned *)&measured, sizeof measured); /* probable */
}

/* What is there as long as the program is begins as 0. */
static unsigned long for_ever;
void kept_lengths(void) { lengths((unsigned *)&for_ever, 1); } /* possible */

/* The line of the table that names the function says what it gets. */
void in_table(const char *line, char **what) { scan((int *)what); } /* possible */
void nowhere_named(const char *line, char **what) { scan((int *)what); } /* probable */
struct command more[] = {{"more", in_table, (char **)&numbers}}; /* possible */

/* Who only reads it gets the lower half of a number. */
void deletes(int count, const unsigned *names);
void deleted(void *name, long number) {
    deletes(1, (unsigned *)&name); /* possible */
    deletes(1, (const unsigned *)&number); /* possible */
    pairs((unsigned *)&name); /* probable */
}

/* Nothing is accessed of what is given back. */
#include <stdlib.h>
void *keep(void *of);
void gives_back(int *numbers)
{
    free((int **)numbers);
    keep((int **)numbers); /* probable */
}

/* The lower half of what is read is all that is looked at. */
int first_bytes(float real)
{
    unsigned long bits = *(unsigned long *)&real; /* possible */
    unsigned long all = *(unsigned long *)&real; /* certain */
    *(unsigned long *)&real = 0; /* certain */
    return (bits & 0xff) + (bits >> 8 & 0xff) + (all != 0);
}

/* What is written over the member behind is gone when that is filled; a number may be carried in a place for a pointer. */
struct memory { unsigned address, length; };
int fill(unsigned long *to);
void fills(struct memory *m, struct memory *n)
{
    fill((unsigned long *)&m->address); /* possible */
    fill((unsigned long *)&m->length); /* certain */
    fill((unsigned long *)&n->address); /* certain */
    kept = n->length;
}
void *carried(void **slot, int number, int **typed)
{
    kept = *(int *)slot; /* possible */
    *(int *)slot = 4; /* possible */
    kept = *(int *)typed; /* possible */
    return *(void **)&number; /* possible */
}
int *read_typed(int number)
{
    return *(int **)&number; /* certain */
}

/* Which of two it is, a condition says. */
void resource(int type, char **value, char **other, char *text)
{
    switch (type) {
    case 1:
        *((char **)value) = text;
        break;
    default:
        scan((int *)value); /* possible */
    }
    if (type)
        scan((int *)other); /* probable */
}

/* What is read goes on behind, whatever is written there later. */
struct cell { float now, limit; };
void cells(struct cell *c)
{
    if (*(long *)&c->now > 4) /* certain */
        c->limit = 1;
}

/* What a caller gives the address of may be the length of what it gives. */
extern int decoded(const char *, int *);
int decodes(const char *text, unsigned long *length) { return decoded(text, (int *)length); } /* possible */

/* Whose addresses are compared, nothing of them is accessed. */
#define is_one_type(a, b) ((void)(&(a) == &(b)))
int compared(int narrow, long wide)
{
    is_one_type(wide, narrow);
    if ((long *)&narrow == &wide)
        return 1;
    return *(long *)&narrow == wide; /* certain */
}

/* A place that is large enough for anything, with which nobody computes; and one that is a number. */
typedef double room_t, real_t;
void places(room_t *to, real_t *number, long value)
{
    *(long *)to = value; /* possible */
    *(long *)number = value; /* probable */
    *number = *number * 2;
}

/* The kernel reads and writes whole longs of a set of descriptors. */
void selects(long *many)
{
    int mask = 1;
    long wide = 1;
    unsigned masks[2] = {1, 2};
    fd_set set;
    select(1, (fd_set *)&mask, 0, 0, 0); /* certain */
    select(1, 0, (void *)&mask, 0, 0);
    fd_set *kept_set = (fd_set *)&mask; /* probable */
    select(1, kept_set, (fd_set *)&wide, (fd_set *)many, 0);
    select(1, (fd_set *)masks, &set, 0, 0);
}

/* An array that has a head before it. */
int heads(char **names, int *to)
{
    to[0] = ((int *)names)[-1];
    to[1] = ((int *)names - 2)[1];
    to[2] = *((int *)names + 2); /* possible */
    to[3] = (int *)names - to; /* possible */
    return ((int *)names)[1]; /* possible */
}

/* Memory for several arrays, of which the size says so. */
void cut_up(int n)
{
    int *all = (int *)malloc(n * (2 * sizeof(int) + sizeof(long))), *rest = &all[n], *other, *none = malloc(n * sizeof(int));
    longs((long *)&all[n]);
    longs((long *)(all + n));
    longs((long *)&rest[n]);
    longs((long *)rest); /* probable */
    longs((long *)&none[n]); /* certain */
    other = &none[n];
    longs((long *)&other[n]); /* certain */
    all = none;
    longs((long *)&all[n]); /* certain */
}

/* What is kept begins behind something else, mostly; the bits of a real number do not. */
long *kept_longs;
struct marked { int mark; int *used; };
void parts(int *numbers, float *reals, struct marked *of)
{
    int array[4];
    kept_longs = (long *)numbers; /* possible */
    kept_longs = (long *)&numbers[2]; /* possible */
    long *row = (long *)array; /* possible */
    kept_longs = (long *)reals; /* probable */
    kept_longs = (long *)&of->mark; /* certain */
    longs((long *)&numbers[2]); /* certain */
    int *half = (int *)kept_longs; /* possible */
    char **own = (char **)&of->used;
}

/* Behind what a pointer has been moved over something else begins. */
int *moved(char **names, char **others, char **rest)
{
    scan((int *)others); /* probable */
    *names++ = text;
    others += 2;
    rest = names;
    scan((int *)rest); /* probable */
    scan((int *)others);
    return (int *)names;
}
void moved_over(int *counts, int *more)
{
    longs((long *)counts); /* probable */
    *counts++ = 4;
    longs((long *)counts); /* possible */
    longs((long *)more); /* probable */
}

/* What was a pointer to bytes in between. */
int join(void **to);
void joins(int *given, char *text)
{
    int half;
    void *whole;
    join((void *)&half); /* certain */
    join((void **)(char *)&half); /* certain */
    join((void *)&whole);
    join((void *)given);
    join((void *)text);
}

void take_int(int *of);
void take_long(long *of);
/* How much room there is for an address has no sign, which would be lost. */
#include <sys/socket.h>
void receives(int fd, char *to, struct sockaddr *from)
{
    long room = 16, fresh, offset = 16;
    recvfrom(fd, to, 80, 0, from, (unsigned *)&room); /* possible */
    recvfrom(fd, to, 80, 0, from, (unsigned *)&fresh); /* probable */
    take_int((int *)&offset); /* probable */
    kept = offset > 4;
    fresh = -1;
    accept(fd, from, (unsigned *)&fresh); /* probable */
}

/* Where a local variable lies tells how far the stack goes. */
long *end_of_stack;
void finds_stack(void)
{
    int here, read = 0, written;
    end_of_stack = (long *)&here; /* possible */
    end_of_stack = (long *)&read; /* certain */
    take_long((long *)&written); /* certain */
    take_int(&written);
    if (read)
        end_of_stack = 0;
}

/* Who copies bytes to where it leads accesses as many as that. */
void *memcpy(void *, const void *, size_t);
static void fill_bytes(unsigned long *to, const char *from) { memcpy((char *)to, from, 4); memcpy(to, from, 4); }
static void fill_one(unsigned long *to, const char *from) { memcpy((char *)to, from, 4); *to = 4; }
void fills_bytes(const char *from)
{
    unsigned one, two;
    fill_bytes((unsigned long *)&one, from); /* possible */
    fill_one((unsigned long *)&two, from); /* certain */
}

/* What a pointer leads to may be a part of something, as of a stack of words that has two places for a pointer. */
struct machine { unsigned *stack, *few, *next, row[64]; };
void interprets(struct machine *m, unsigned *args, int at)
{
    *(unsigned long *)&m->stack[at] = 1; /* possible */
    *(unsigned long *)&m->stack[1] = 2; /* possible */
    *(unsigned long *)&m->stack[2] = 3; /* possible */
    *(unsigned long *)&m->stack[3] = 4; /* possible */
    *(unsigned long *)&m->row[at] = 1; /* certain */
    *(unsigned long *)&m->row[1] = 2; /* certain */
    *(unsigned long *)&m->row[2] = 3; /* certain */
    *(unsigned long *)&m->row[3] = 4; /* certain */
    *(unsigned long *)&m->few[at] = 1; /* possible */
    *(unsigned long *)&m->few[1] = 2; /* possible */
    *(unsigned long *)&m->few[2] = 3; /* possible */
    *(unsigned long *)args = 1; /* possible */
    *(unsigned long *)(args + at) = 2; /* possible */
    *(unsigned long *)(args - 2) = 3; /* possible */
    *(unsigned long *)args = 4; /* possible */
    *(unsigned long *)m->next = 1; /* possible */
}

/* Of which nobody looks at the upper half. */
void tells(char *text, int *first, long *second);
int answers(char *text)
{
    long read, unread, given, of_text;
    tells(text, (int *)&read, &given); /* probable */
    tells(text, (int *)&unread, &given); /* possible */
    tells(text, (int *)&given, &read); /* probable */
    tells((char *)&of_text, (int *)&of_text, &read); /* probable */
    return read == 4;
}

/* Numbers begin behind pointers. */
int behind_pointers(double **element, int mark)
{
    return ((int *)element)[mark] + ((int *)element)[1]; /* possible */
}

/* What takes it is as large, whatever a cast says on the way. */
void whole(unsigned long *of);
void by_the_way(unsigned long *kept, unsigned number)
{
    unsigned long (*call)(void) = 0, value;
    whole((int *)&call);
    whole((int *)&value);
    whole((int *)kept);
    whole((int *)&number); /* certain */
    scan((int *)&value); /* possible */
}
