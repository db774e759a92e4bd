/* Structures of every kind, and some of the system's. */
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

struct same { int32_t a; uint16_t b[3]; char c[6]; };
struct node { struct node *next; struct node **all; long value; };
struct aligned { char a; uint64_t b; double c; };
struct bits { unsigned a : 3; unsigned b : 7; long c : 20; unsigned long d : 30; char e; };
struct inner { short s; long l; };
struct outer {
    char kind;
    struct inner one, many[3];
    union { long number; char text[12]; };
    struct { char c; size_t size; } named;
    long double precise;
    time_t when;
    long matrix[2][3];
    int (*call)(int);
};
union either { long number; double real; };
struct flexible { int count; long items[]; };
struct opaque { void *context; int kind; };
struct packed { char a; long b; short c; } __attribute__((packed));
typedef struct { char tag; size_t size; } nameless;

struct everything {
    struct same same; struct node node; struct aligned aligned; struct bits bits; struct outer outer; union either either;
    struct opaque opaque; struct packed packed; nameless nameless; struct stat stat; struct sockaddr_in6 address; siginfo_t signal;
    struct sigaction action; struct itimerspec timer;
} everything;
struct flexible *flexible;
