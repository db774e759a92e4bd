// What is refused elsewhere may change which function is meant.
int take(unsigned int of);
int take(unsigned long of);
int calls(unsigned n) { return take(sizeof n); }
int other() { return nowhere; }
