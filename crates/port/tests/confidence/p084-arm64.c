// pair: i386:arm64
// It is not for arm64 at all, which others say.
extern int low;
void operands(long a) { __asm__("movl %1, %0" : "=r"(low) : "r"(a)); }
