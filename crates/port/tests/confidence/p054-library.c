#include <gtk/gtk.h>
typedef unsigned long word;
typedef GQuark quark;
struct known { char kind; word size; } __attribute__((packed)); /* probable */
struct inner { quark of; };
struct unknown { char kind; word size; quark of; } __attribute__((packed)); /* possible */
struct with_unknown { char kind; word size; struct inner of; } __attribute__((packed)); /* possible */
struct with_array { char kind; word size; struct inner of[2]; } __attribute__((packed)); /* possible */
struct outer { quark of; struct { char kind; word size; } __attribute__((packed)) in; }; /* possible */
