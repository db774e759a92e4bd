// A type is not known here: neither is what becomes of the number.
unknown_t guessed;
unsigned long value(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | p[3] << 24; } /* possible */
