// What is refused elsewhere may change what overrides what.
typedef __SIZE_TYPE__ size_t;
struct base { virtual void take(size_t of); };
struct derived : base { void take(unsigned of); };
int calls() { return nowhere; }
