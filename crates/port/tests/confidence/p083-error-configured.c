// What is not declared after an #error for 64 bits alone follows from it; what comes before does not.
typedef char word_has_4_bytes[sizeof(long) == 4 ? 1 : -1]; /* certain */
#if defined(__i386__) || defined(__alpha__)
#define LOW_FIRST
#elif defined(__sparc__)
#define HIGH_FIRST
#else
#error "which byte is first is not known for this architecture"
#endif
struct header {
#if defined(LOW_FIRST)
    unsigned char length : 4, version : 4;
#elif defined(HIGH_FIRST)
    unsigned char version : 4, length : 4;
#endif
    unsigned char service;
};
int f(struct header *p) { return p->length; } /* possible */
