enum kind { FIRST };
extern void use(void *of);
union covered { long whole; int parts[1]; short halves[2]; }; /* possible */
union numbers { long whole; int half; };
union pointer { char *whole; int half; };
union bytes { unsigned long whole; unsigned char bytes[4]; }; /* possible */
union eight { unsigned long whole; unsigned char bytes[8]; };
union sized { unsigned long whole; unsigned char bytes[sizeof(long)]; };
union rows { long whole[2]; int parts[2]; }; /* possible */
union row { long whole[2]; char *parts[2]; };
union kinds { long whole; enum kind kinds[2]; };
union fixed { int whole; unsigned char bytes[4]; };
union later;
union one { long whole; int parts[1]; };
union real { long whole; float parts[1]; double all; };
union reals { long whole[2]; float parts[2]; }; /* possible */
union pointers { char *whole[2]; int parts[2]; }; /* possible */
union table { char *whole; int parts[1]; unsigned char bytes[4]; }; /* possible */
struct inner { int a; };
union structures { long whole[2]; struct inner parts[2]; };

/* One is written and the other read, by a function. */
union crossed { long whole[2]; int parts[2]; }; /* probable */
int crosses(union crossed *of, long number) { of->whole[0] = number; return of->parts[1]; }

union filled { long whole[2]; int parts[2]; }; /* probable */
long fills(union filled *of) { use(&of->parts[0]); return of->whole[0]; }

union handed { long whole[2]; int parts[2]; }; /* probable */
void hands(union handed *of, long number) { of->whole[0] = number; use(of->parts); }

union added { long whole[2]; int parts[2]; }; /* probable */
long adds(union added *of) { of->parts[0] += 4; return of->whole[0]; }

/* A function that does so with each of them knows which is there; so may one that only reads, and one that passes both. */
union tagged { long whole[2]; int parts[2]; }; /* possible */
long each(union tagged *of, enum kind kind, long number)
{
    if (kind == FIRST && of->whole[0] != number)
        of->whole[0] = number;
    else if (of->parts[0] != 4)
        of->parts[0] = 4;
    return number;
}

union reads { long whole[2]; int parts[2]; }; /* possible */
long reads(union reads *of, enum kind kind) { return kind == FIRST ? of->whole[0] : of->parts[0]; }

union passed { long whole[2]; int parts[2]; }; /* possible */
void passes(union passed *of) { use(&of->whole); use(of->parts); }

/* In two functions, if the file does not also read what it writes. */
union set { long whole[2]; int parts[2]; }; /* probable */
void sets(union set *of, long number) { of->whole[0] = number; }
int gets(union set *of) { return of->parts[0]; }

union known { long whole[2]; int parts[2]; }; /* possible */
void knows(union known *of, long number) { of->whole[0] = number; }
long known_whole(union known *of) { return of->whole[0]; }
int known_parts(union known *of) { return of->parts[0]; }

union filler { long whole[2]; int parts[2]; }; /* possible */
void fill_whole(union filler *of, long number) { of->whole[0] = number; }
void fill_parts(union filler *of) { of->parts[0] = 4; }
int filled_parts(union filler *of) { return of->parts[0]; }

/* Bytes and halves of a double are looked at, whoever has written the number; other numbers may be there by themselves. */
union seen { long whole; unsigned char bytes[4]; }; /* possible */
int sees(union seen *of) { return of->bytes[0]; }

union made { long whole; unsigned char bytes[4]; }; /* probable */
long makes(union made *of) { of->bytes[0] = 4; return of->whole; }

union upper { double whole; unsigned long halves[2]; }; /* probable */
long upper(union upper *of) { return of->halves[1]; }

union other { long whole[2]; int parts[2]; }; /* possible */
int others(union other *of) { return of->parts[0]; }

union unseen { long whole; unsigned char bytes[4]; }; /* possible */
long unseen(union unseen *of) { return of->whole; }

/* What a pointer leads to is no part of it. */
struct end { int n; };
union followed { struct end *whole; int parts[1]; unsigned char bytes[4]; }; /* possible */
int follows(union followed *of) { of->whole->n = 4; return of->bytes[0] + of->whole->n; }

/* Something beside it says which of several things it is. */
struct held { int which; union { char *whole; unsigned char bytes[4]; struct inner of; } as; }; /* possible */
char *holds(struct held *of) { of->as.bytes[0] = 4; return of->as.whole; }
struct view { int which; union { char *whole; unsigned char bytes[4]; } as; }; /* probable */
char *views(struct view *of) { of->as.bytes[0] = 4; return of->as.whole; }

/* A pointer, bytes and a number: something beside it says which. */
union option { const void *p; int number; char text[4]; }; /* possible */
char *names(union option *of, int is_text) { if (is_text) return of->text; of->text[0] = 0; use((void *)of->p); return 0; }

/* So does an enumeration in the same structure, where it is one of several. */
struct key { enum kind kind; union { long code; int number; char mouse[4]; } as; }; /* possible */
long moves(struct key *of) { of->as.mouse[0] = 4; return of->as.code; }
struct one_view { enum kind kind; union { long code; char mouse[4]; } as; }; /* probable */
long views_one(struct one_view *of) { of->as.mouse[0] = 4; return of->as.code; }
struct untagged { int kind; union { long code; int number; char mouse[4]; } as; }; /* probable */
long untagged(struct untagged *of) { of->as.mouse[0] = 4; return of->as.code; }
