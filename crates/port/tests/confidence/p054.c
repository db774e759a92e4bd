#include <sys/epoll.h>
struct epoll_event packed_by_the_system;
struct with_number { char kind; long size; } __attribute__((packed)); /* probable */
struct with_pointer { char kind; char *name; } __attribute__((packed)); /* possible */
struct with_both { long size; char *name; } __attribute__((packed)); /* possible */
struct plain { char kind; long size; };
struct fixed { char kind; int size; } __attribute__((packed));
struct later;
struct later { long size; } __attribute__((packed)); /* possible */
struct one { long size; } __attribute__((aligned(8)));
struct uses { struct with_number of; int kind; } __attribute__((packed)); /* probable */
union numbers { long size; char kind; } __attribute__((packed));
#include <sys/time.h>
struct probe { int seq; struct timeval sent; } __attribute__((packed)); /* possible */
#pragma pack(1)
struct tight { char kind; long size; }; /* probable */
struct tight_name { char kind; char *name; }; /* possible */
struct tight_bytes { char kind, other; unsigned long long of; };
#pragma pack(2)
struct short_steps { short kind; unsigned long size, end; }; /* probable */
#pragma pack(8)
struct wide_steps { char kind; long size; };
#pragma pack()
struct loose { char kind; long size; };
struct in_part { char kind; long size __attribute__((packed)); int end; }; /* probable */
