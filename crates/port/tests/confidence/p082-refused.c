// The compiler has seen what the list says.
#if defined(__i386__) /* certain */
#elif defined(__sparc__)
#else
#error "unknown"
#endif
