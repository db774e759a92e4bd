#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
extern int kept, seeded, at;
extern uint32_t word;
extern unsigned natural;
int use(int of);
void my_srand(int of);
struct old { uint32_t stamp; int when; };
static int is_past(int when) { return when < time(0); }
static int is_odd(int when) { return when & 1; }

void cuts(time_t when, struct stat *of, struct old *old)
{
    kept = time(0); /* probable */
    kept = of->st_mtime; /* probable */
    old->when = time(0); /* probable */
    natural = time(0); /* possible */
    use(time(0)); /* possible */
    is_past(time(0)); /* probable */
    is_odd(time(0)); /* possible */
    /* Written, of a time that may be no date, and where 32 bits are meant. */
    kept = (int)time(0); /* possible */
    kept = when; /* possible */
    word = time(0); /* possible */
    old->stamp = of->st_mtime; /* possible */
    kept = (int)time(0) / 2; /* possible */
    /* A difference, and what counts from another year. */
    kept = time(0) - when;
    kept = time(0) - 315532800; /* possible */
    kept = time(0) + 315532800; /* possible */
    kept = time(0) + 60; /* probable */
    /* Any bits will do, and what is only asked for. */
    srand(time(0));
    my_srand(time(0));
    seeded = time(0);
    if ((int)time(0))
        use(1);
    if ((int)time(0) == at)
        use(2);
    (void)(int)time(0);
}

int returned(void)
{
    return time(0); /* possible */
}

void sequence(void)
{
    unsigned start = time(0);
    srand(start);
    unsigned number = time(0); /* possible */
    use((int)number);
}

/* A variable is a date where the function makes it one. */
void kept_first(time_t from)
{
    time_t when = time(0), other = from;
    kept = when; /* probable */
    kept = other; /* possible */
    other = time(0);
    kept = other; /* probable */
    kept = from; /* possible */
    when = from;
    time(&from);
    kept = from; /* probable */
}

/* The system says how wide its fields are. */
#include <utmp.h>
struct own { int when; };
void records(struct utmp *of, struct own *own)
{
    of->ut_tv.tv_sec = time(0);
    own->when = time(0); /* probable */
}

/* How long something takes, and what is named like a random number. */
extern int random_rand, started;
void durations(time_t end, time_t start)
{
    kept = end - start;
    kept = time(0) - 60; /* probable */
    kept = time(0) % 60;
    kept = time(0) - (60 + end); /* possible */
    kept = time(0) * 2;
    kept = -time(0);
    random_rand = time(0);
    started = time(0); /* probable */
}

/* Another call, another member, another width. */
struct record { time_t created; time_t st_mtime_of; };
time_t parse_date(const char *s);
extern uint16_t tiny;
extern int32_t signed_word;
void sources(struct record *of, const char *s)
{
    kept = parse_date(s); /* possible */
    kept = of->created; /* possible */
    tiny = time(0);
    signed_word = time(0); /* probable */
    time_t when = parse_date(s);
    kept = when; /* possible */
}

/* A random number is made of it. */
#include <sys/time.h>
#include <unistd.h>
extern int RandomKey, Start;
void setSeed(int of);
void set(int of);
void mixed(int pid)
{
    setSeed(time(0));
    set(time(0)); /* possible */
    RandomKey = time(0);
    Start = time(0); /* probable */
    struct timeval tv;
    gettimeofday(&tv, 0);
    kept = tv.tv_sec; /* probable */
    kept = tv.tv_sec ^ pid << 15; /* possible */
    kept = tv.tv_sec + pid; /* probable */
    kept = tv.tv_sec + getpid(); /* possible */
    kept = (int)clock() + tv.tv_sec; /* possible */
}

/* The first number of a sequence may be any, and so may what begins random ones. */
struct packet { int seq, serial_number, sequence, subset; };
void first(struct packet *p)
{
    p->seq = time(0);
    p->serial_number = time(0);
    p->sequence = time(0);
    p->subset = time(0); /* probable */
}
int begin_rand(void)
{
    int n = time(0);
    return n;
}

/* What is only compared with others that are cut, and subtracted from them, is how long something took. */
extern int last;
int passed(void)
{
    int now = time(0); /* possible */
    if (now >= last + 60)
        return 60;
    last = now;
    return now - last;
}
int passes(void)
{
    int now = time(0); /* probable */
    use(now + 60 < time(0));
    return now - last;
}
int tells(void)
{
    int now = time(0); /* possible */
    return now - 60;
}
struct numbered { unsigned seq_next; unsigned seen; };
void numbers(struct numbered *of)
{
    of->seq_next = time(0);
    of->seen = time(0); /* possible */
}

/* What nobody reads is of no use to anybody. */
static int never_read, read_later;
int reads(time_t when_read)
{
    int local;
    never_read = time(0); /* possible */
    read_later = time(0); /* probable */
    local = time(0); /* possible */
    return (time_t)read_later < when_read;
}

/* The difference to a time that is not cut is another one. */
long waits(int timeout)
{
    static int until;
    if (until == 0)
        until = time(0) + timeout; /* probable */
    return until - time(0);
}

/* The difference to another time is cut as well. */
int left(int limit)
{
    static int began;
    int began_too, rest, shown;
    if (!began)
        began = time(0); /* possible */
    began_too = time(0); /* possible */
    rest = limit - time(0) + began; /* possible */
    shown = began_too + 1;
    return rest + shown;
}

/* What a function makes of a time is another number. */
#include <sys/time.h>
time_t took(const struct timeval *since, const struct timeval *now);
struct took_lag { int now, until; };
void measures(struct took_lag *to, const struct timeval *since)
{
    struct timeval now;
    time_t seconds;
    gettimeofday(&now, 0);
    to->now = took(since, &now); /* possible */
    time(&seconds);
    to->until = seconds; /* probable */
}

/* Those that call it compare it with a time, or keep it. */
static int kept_of(struct tm *of)
{
    time_t at = mktime(of);
    return at; /* possible */
}
static int compared(struct tm *of)
{
    time_t at = mktime(of);
    return at; /* probable */
}
int is_date(struct tm *of, time_t limit)
{
    int is_kept;
    if (kept_of(of) == -1)
        return 0;
    return (is_kept = kept_of(of)) < 0 && compared(of) < limit;
}

/* How long something took, kept where every function finds it, and where it is shown as well. */
struct clock { int begun, shown_too, met, until_too; };
int since_start, since_shown;
void starts(struct clock *c)
{
    since_start = time(0); /* possible */
    since_shown = time(0); /* probable */
    c->begun = time(0); /* possible */
    c->shown_too = time(0); /* probable */
    c->met = time(0); /* probable */
    c->until_too = time(0) + 60; /* probable */
}
int ticks(struct clock *c, int *to)
{
    *to = (time(0) - since_start) * 1000 + 5;
    use(c->until_too - time(0) > 5);
    time_t shown = since_shown;
    use(ctime(&shown) != 0);
    use(c->shown_too * 2 > time(0));
    if (time(0) - c->met > 60)
        return 0;
    return time(0) - c->begun;
}

/* What else is compared with a time, and what counts as another one. */
int meets(time_t now, struct old *old, struct own *own, struct packet *p, struct took_lag *lag)
{
    int is_later = now > kept || now > old->when || own->when + 60 < now || (long)started > now || Start - now > 0;
    return is_later || now < signed_word || now < p->subset || now > lag->now + lag->until;
}

/* What is called a date is one, wherever that is looked at. */
extern int first_timestamp, first_stamped;
int year_of_timestamp(int of);
int years(void)
{
    first_timestamp = time(0); /* probable */
    first_stamped = time(0); /* possible */
    return year_of_timestamp(time(0)); /* probable */
}

/* Whether it is still the same second. */
int is_other_second(void)
{
    static int shown, passed;
    if (shown == time(0))
        return 0;
    shown = time(0); /* possible */
    if (passed != time(0) && passed + 1 < time(0))
        passed = time(0); /* probable */
    return 1;
}

/* Whether a file is still the same is another question. */
int is_other_file(struct stat *of)
{
    static int loaded;
    if (of->st_mtime == loaded)
        return 0;
    loaded = of->st_mtime; /* probable */
    return 1;
}
