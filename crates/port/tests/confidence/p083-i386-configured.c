// What was configured is compiled, whatever its name says.
typedef char word_has_4_bytes[sizeof(long) == 4 ? 1 : -1]; /* certain */
