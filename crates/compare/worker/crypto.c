// Ciphers and digests as plain C: what 64-bit registers, and twice as many of them, do to arithmetic. Programs of both widths have
// the same source here; a library's assembly code may turn the result round.
#include "bench.h"

static uint32_t left(uint32_t value, unsigned bits) { return value << bits | value >> (32 - bits); }
static uint32_t right(uint32_t value, unsigned bits) { return value >> bits | value << (32 - bits); }

static uint32_t word(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

// What is worked on: the same in every ABI.
enum { SIZE = 4096 };
static unsigned char block[SIZE];

static void fill(void) {
    uint32_t state = 1;
    for (size_t at = 0; at < SIZE; at++) state = state * 1664525u + 1013904223u, block[at] = (unsigned char)(state >> 24);
}

// RFC 1321. The constants are those of sines; they are computed once, so that no table can be wrong.
static uint32_t sines[64];

static void md5(uint32_t state[4], const unsigned char *bytes) {
    static const unsigned char shifts[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], words[16];
    for (int i = 0; i < 16; i++) words[i] = word(bytes + 4 * i);
    for (int i = 0; i < 64; i++) {
        uint32_t mixed;
        int at;
        switch (i / 16) {
        case 0: mixed = (b & c) | (~b & d), at = i; break;
        case 1: mixed = (d & b) | (~d & c), at = (5 * i + 1) % 16; break;
        case 2: mixed = b ^ c ^ d, at = (3 * i + 5) % 16; break;
        default: mixed = c ^ (b | ~d), at = 7 * i % 16; break;
        }
        uint32_t next = b + left(a + mixed + sines[i] + words[at], shifts[i / 16 * 4 + i % 4]);
        a = d, d = c, c = b, b = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

BENCH(crypto, md5, "4 KiB of MD5 in C") {
    // floor(2^32 * |sin(i + 1)|), by the sum of angles in fixed point, whose error is far below 2^-32.
    long double sine = 0.84147098480789650665L, cosine = 0.54030230586813971740L, s = sine, c = cosine;
    for (int i = 0; i < 64; i++) {
        sines[i] = (uint32_t)((s < 0 ? -s : s) * 4294967296.0L);
        long double next = s * cosine + c * sine;
        c = c * cosine - s * sine, s = next;
    }
    fill();
    uint32_t state[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    begin();
    while (n--)
        for (size_t at = 0; at < SIZE; at += 64) md5(state, block + at);
    return (uint64_t)state[0] << 32 | state[3];
}

// FIPS 180-4. The constants are the fractions of the cube roots of the first primes.
static uint32_t roots[64];

static void sha256(uint32_t state[8], const unsigned char *bytes) {
    uint32_t words[64], v[8];
    for (int i = 0; i < 16; i++) words[i] = __builtin_bswap32(word(bytes + 4 * i));
    for (int i = 16; i < 64; i++) {
        uint32_t low = right(words[i - 15], 7) ^ right(words[i - 15], 18) ^ words[i - 15] >> 3;
        uint32_t high = right(words[i - 2], 17) ^ right(words[i - 2], 19) ^ words[i - 2] >> 10;
        words[i] = words[i - 16] + low + words[i - 7] + high;
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t one = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + roots[i] + words[i];
        uint32_t two = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        v[7] = v[6], v[6] = v[5], v[5] = v[4], v[4] = v[3] + one, v[3] = v[2], v[2] = v[1], v[1] = v[0], v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

// The first 32 bits of the fraction of the cube root, by bisection in whole numbers.
static uint32_t cube_root(uint32_t prime) {
    uint64_t low = 0, high = (uint64_t)8 << 32;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        // middle^3 against prime * 2^96, in three limbs of 32 bits: middle has 35 bits.
        uint64_t square_low = (middle & 0xffffffffu) * (middle & 0xffffffffu), cross = (middle >> 32) * (middle & 0xffffffffu);
        uint64_t sum = (square_low >> 32) + 2 * (cross & 0xffffffffu);
        uint64_t square[3] = {square_low & 0xffffffffu, sum & 0xffffffffu, (sum >> 32) + 2 * (cross >> 32) + (middle >> 32) * (middle >> 32)};
        uint64_t cube[5] = {0}, carry = 0;
        for (int i = 0; i < 3; i++) carry += square[i] * (middle & 0xffffffffu), cube[i] += carry & 0xffffffffu, carry >>= 32;
        cube[3] = carry;
        for (int i = 0; i < 3; i++) cube[i + 1] += square[i] * (middle >> 32);
        for (int i = 0; i < 4; i++) cube[i + 1] += cube[i] >> 32, cube[i] &= 0xffffffffu;
        if ((cube[3] | cube[4] << 32) < prime) low = middle;
        else high = middle;
    }
    return (uint32_t)low;
}

BENCH(crypto, sha256, "4 KiB of SHA-256 in C") {
    uint32_t found = 0;
    for (uint32_t number = 2; found < 64; number++) {
        uint32_t divisor = 2;
        while (divisor * divisor <= number && number % divisor != 0) divisor++;
        if (divisor * divisor > number) roots[found++] = cube_root(number);
    }
    fill();
    uint32_t state[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    begin();
    while (n--)
        for (size_t at = 0; at < SIZE; at += 64) sha256(state, block + at);
    return (uint64_t)state[0] << 32 | state[7];
}

// RFC 8439.
static void quarter(uint32_t *s, int a, int b, int c, int d) {
    s[a] += s[b], s[d] = left(s[d] ^ s[a], 16), s[c] += s[d], s[b] = left(s[b] ^ s[c], 12);
    s[a] += s[b], s[d] = left(s[d] ^ s[a], 8), s[c] += s[d], s[b] = left(s[b] ^ s[c], 7);
}

BENCH(crypto, chacha20, "4 KiB of ChaCha20 in C") {
    fill();
    uint32_t input[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, 1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 10, 11};
    begin();
    while (n--)
        for (size_t at = 0; at < SIZE; at += 64) {
            uint32_t state[16];
            memcpy(state, input, sizeof state);
            for (int i = 0; i < 10; i++) {
                quarter(state, 0, 4, 8, 12), quarter(state, 1, 5, 9, 13), quarter(state, 2, 6, 10, 14), quarter(state, 3, 7, 11, 15);
                quarter(state, 0, 5, 10, 15), quarter(state, 1, 6, 11, 12), quarter(state, 2, 7, 8, 13), quarter(state, 3, 4, 9, 14);
            }
            for (size_t i = 0; i < 64; i++) block[at + i] ^= (unsigned char)((state[i / 4] + input[i / 4]) >> (8 * (i % 4)));
            input[12]++;
        }
    return (uint64_t)word(block) << 32 | word(block + SIZE - 4);
}

// The squaring that RSA-2048 spends its time with: schoolbook, in limbs as wide as a register.
typedef unsigned long limb;
#if __SIZEOF_LONG__ == 8
typedef unsigned __int128 two_limbs;
#else
typedef uint64_t two_limbs;
#endif
enum { LIMBS = 2048 / 8 / sizeof(limb) };

BENCH(crypto, multiply_2048, "a product of two numbers of 2048 bits in C, which RSA consists of") {
    limb a[LIMBS], b[LIMBS], product[2 * LIMBS];
    fill();
    memcpy(a, block, sizeof a);
    memcpy(b, block + sizeof a, sizeof b);
    begin();
    while (n--) {
        memset(product, 0, sizeof product);
        for (size_t i = 0; i < LIMBS; i++) {
            limb carry = 0;
            for (size_t j = 0; j < LIMBS; j++) {
                two_limbs sum = (two_limbs)a[i] * b[j] + product[i + j] + carry;
                product[i + j] = (limb)sum;
                carry = (limb)(sum >> (8 * sizeof(limb)));
            }
            product[i + LIMBS] = carry;
        }
        memcpy(a, product, sizeof a);
        a[0] |= 1;
    }
    end();
    uint32_t parts[2];
    memcpy(parts, product, sizeof parts);
    return (uint64_t)parts[1] << 32 | parts[0];
}
