// Constants and addresses in code: x86-64 has them in one instruction of up to 10 bytes and data relative to the instruction
// pointer, ARM in up to four instructions or a load.
#include "bench.h"

BENCH(constants, wide_constant, "eight 64-bit constants") {
    uint64_t sum = 0;
    for (unsigned long i = 0; i < n; i++) {
        sum ^= 0x0123456789abcdefu, OPAQUE(sum);
        sum += 0xfedcba9876543210u, OPAQUE(sum);
        sum ^= 0x5555aaaa3333ccccu, OPAQUE(sum);
        sum += 0x0f0f0f0ff0f0f0f0u, OPAQUE(sum);
        sum ^= 0x13579bdf02468aceu, OPAQUE(sum);
        sum += 0xdeadbeefcafebabeu, OPAQUE(sum);
        sum ^= 0x3141592653589793u, OPAQUE(sum);
        sum += 0x2718281828459045u, OPAQUE(sum);
    }
    return sum;
}

BENCH(constants, narrow_constant, "eight 32-bit constants") {
    uint32_t sum = 0;
    for (unsigned long i = 0; i < n; i++) {
        sum ^= 0x01234567u, OPAQUE(sum);
        sum += 0xfedcba98u, OPAQUE(sum);
        sum ^= 0x5555aaaau, OPAQUE(sum);
        sum += 0x0f0f0f0fu, OPAQUE(sum);
        sum ^= 0x13579bdfu, OPAQUE(sum);
        sum += 0xdeadbeefu, OPAQUE(sum);
        sum ^= 0x31415926u, OPAQUE(sum);
        sum += 0x27182818u, OPAQUE(sum);
    }
    return sum;
}

static volatile unsigned one, two, three, four;

BENCH(constants, global, "four global variables read and written") {
    for (unsigned long i = 0; i < n; i++) one++, two++, three++, four++;
    return 0;
}

BENCH(constants, multiply64, "a product of two 64-bit numbers") {
    uint64_t product = 1;
    for (unsigned long i = 0; i < n; i++) product = product * 6364136223846793005u + 1442695040888963407u, OPAQUE(product);
    return product;
}

BENCH(constants, divide64, "a 64-bit number divided by another") {
    uint64_t sum = 0;
    for (unsigned long i = 1; i <= n; i++) {
        uint64_t by = i | 1;
        OPAQUE(by);
        sum += 0xfedcba9876543210u / by;
    }
    return sum;
}
