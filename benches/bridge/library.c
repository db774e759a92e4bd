/* What the benchmark calls, 32-bit. */
int f(int a, int b) { return a + b; }
int apply(int (*callback)(int), int value) { return callback(value); }
