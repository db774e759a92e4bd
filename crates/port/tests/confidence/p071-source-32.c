/* A source that says 32 in its name is compiled for 64 bits as well. */
const char *loads = "/lib/ld-linux.so.2"; /* probable */
