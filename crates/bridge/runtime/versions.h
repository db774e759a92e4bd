/* The C library's functions under their old versions: a sysroot may have a C library of long before the one that the server is built with. What has moved
 * into libc.so.6 with glibc 2.34 was in libdl.so.2 and libpthread.so.0, which are named for that. */
#ifdef __arm__
#define BIARCH_VERSION(function, i386) __asm__(".symver " #function ", " #function "@GLIBC_2.4")
#else
#define BIARCH_VERSION(function, i386) __asm__(".symver " #function ", " #function "@GLIBC_" i386)
#endif
BIARCH_VERSION(__libc_start_main, "2.0");
BIARCH_VERSION(dladdr, "2.0");
BIARCH_VERSION(dlerror, "2.0");
BIARCH_VERSION(dlopen, "2.1");
BIARCH_VERSION(dlsym, "2.0");
BIARCH_VERSION(dlvsym, "2.1");
BIARCH_VERSION(fcntl, "2.0");
BIARCH_VERSION(pthread_attr_getstack, "2.2");
BIARCH_VERSION(pthread_attr_setstacksize, "2.1");
BIARCH_VERSION(pthread_create, "2.1");
BIARCH_VERSION(pthread_getattr_np, "2.2.3");
BIARCH_VERSION(pthread_key_create, "2.0");
BIARCH_VERSION(pthread_setspecific, "2.0");

/* Since glibc 2.38 its headers call strtol(3) `__isoc23_strtol`, which no older C library has. */
long biarch_strtol(const char *text, char **end, int base) __asm__("strtol");
