// What is refused elsewhere may change which function is meant.
int take(int of);
int take(long long of);
int calls(unsigned n) { return take(sizeof n); }
int other() { return nowhere; }
