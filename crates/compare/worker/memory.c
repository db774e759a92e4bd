// Memory: what pointers of twice the size cost, in caches and in translation, and what is the same for both.
#define _GNU_SOURCE
#include "bench.h"

#include <sys/mman.h>

// A small generator: the same numbers in every ABI.
static uint32_t state;
static uint32_t below(uint32_t limit) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * limit) >> 32);
}

static void *area(size_t size) {
    void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (area == MAP_FAILED) die("mmap");
    return area;
}

// A circle through `count` places in random order: place i is followed by next[i].
static uint32_t *circle(uint32_t count) {
    uint32_t *order = malloc(count * sizeof *order), *next = malloc(count * sizeof *next);
    if (!order || !next) die("malloc");
    state = 1;
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t j = below(i), swap = order[i];
        order[i] = order[j], order[j] = swap;
    }
    for (uint32_t i = 0; i < count; i++) next[order[i]] = order[(i + 1) % count];
    free(order);
    return next;
}

// One cache line a place: the machine's latency at this footprint, the same for every ABI. The argument is in KiB.
static uint64_t run_latency(unsigned long n, const char *kib) {
    uint32_t count = (uint32_t)strtoul(kib, NULL, 10) * 1024 / 64;
    uint32_t *next = circle(count);
    struct line {
        struct line *next;
        char rest[64 - sizeof(void *)];
    } *lines = area(count * sizeof *lines);
    for (uint32_t i = 0; i < count; i++) lines[i].next = &lines[next[i]];
    free(next);
    struct line *at = lines;
    for (uint32_t i = 0; i < count; i++) at = at->next;
    begin();
    while (n--) at = at->next;
    end();
    KEEP(at);
    munmap(lines, count * sizeof *lines);
    return 0;
}
BENCH_AS(memory, latency_16k, run_latency, "16", "a dependent load, 16 KiB in use")
BENCH_AS(memory, latency_256k, run_latency, "256", "a dependent load, 256 KiB in use")
BENCH_AS(memory, latency_4m, run_latency, "4096", "a dependent load, 4 MiB in use")
BENCH_AS(memory, latency_32m, run_latency, "32768", "a dependent load, 32 MiB in use")

// The same number of nodes in every ABI: the footprint is what pointers make it. The argument is thousands of nodes.
struct node {
    struct node *next, *previous;
    int value;
};

static uint64_t run_list(unsigned long n, const char *thousands) {
    uint32_t count = (uint32_t)strtoul(thousands, NULL, 10) * 1000;
    uint32_t *next = circle(count);
    struct node *nodes = area(count * sizeof *nodes);
    for (uint32_t i = 0; i < count; i++) {
        nodes[i].next = &nodes[next[i]];
        nodes[next[i]].previous = &nodes[i];
        nodes[i].value = (int)(i & 7);
    }
    free(next);
    footprint(count * sizeof *nodes);
    struct node *at = nodes;
    unsigned sum = 0;
    for (uint32_t i = 0; i < count; i++) at = at->next;
    begin();
    while (n--) sum += (unsigned)at->value, at = at->next;
    end();
    munmap(nodes, count * sizeof *nodes);
    return sum;
}
BENCH_AS(memory, list_1k, run_list, "1", "a step in a doubly linked list of 1,000 nodes: 12 or 24 bytes each")
BENCH_AS(memory, list_20k, run_list, "20", "a step in a doubly linked list of 20,000 nodes")
BENCH_AS(memory, list_400k, run_list, "400", "a step in a doubly linked list of 400,000 nodes")

struct leaf {
    struct leaf *left, *right;
    uint32_t key;
};

static uint64_t run_tree(unsigned long n, const char *thousands) {
    uint32_t count = (uint32_t)strtoul(thousands, NULL, 10) * 1000;
    struct leaf *leaves = area(count * sizeof *leaves), *root = &leaves[0];
    state = 7;
    for (uint32_t i = 0; i < count; i++) {
        leaves[i].key = below(~0u);
        struct leaf **where = &root;
        if (i > 0)
            while (*where) where = leaves[i].key < (*where)->key ? &(*where)->left : &(*where)->right;
        *where = &leaves[i];
    }
    footprint(count * sizeof *leaves);
    uint64_t sum = 0;
    state = 9;
    begin();
    while (n--) {
        uint32_t key = below(~0u), steps = 0;
        for (struct leaf *at = root; at; at = key < at->key ? at->left : at->right) steps++;
        sum += steps;
    }
    end();
    munmap(leaves, count * sizeof *leaves);
    return sum;
}
BENCH_AS(memory, tree_1k, run_tree, "1", "a search in a binary tree of 1,000 keys")
BENCH_AS(memory, tree_50k, run_tree, "50", "a search in a binary tree of 50,000 keys")

// "r" read, "w" write, "c" copy, and the size in KiB. One repetition moves 64 KiB.
static uint64_t run_bandwidth(unsigned long n, const char *what) {
    size_t size = strtoul(what + 1, NULL, 10) * 1024, at = 0;
    char *from = area(size), *to = area(size);
    memset(from, 1, size);
    memset(to, 2, size);
    unsigned long sum = 0;
    begin();
    while (n--) {
        const char *source = from + at;
        switch (what[0]) {
        case 'r':
            for (size_t i = 0; i < 65536; i += sizeof sum) sum += *(const volatile unsigned long *)(source + i);
            break;
        case 'w': memset(to + at, (int)(n & 127), 65536); break;
        default: memcpy(to + at, source, 65536); break;
        }
        at = (at + 65536) % size;
    }
    end();
    KEEP(sum);
    munmap(from, size);
    munmap(to, size);
    return 0;
}
BENCH_AS(memory, read_word, run_bandwidth, "r64", "64 KiB read word by word, in the cache")
BENCH_AS(memory, memset_large, run_bandwidth, "w16384", "64 KiB of memset(3), 16 MiB in use")
BENCH_AS(memory, memcpy_cached, run_bandwidth, "c64", "64 KiB of memcpy(3), in the cache")
BENCH_AS(memory, memcpy_large, run_bandwidth, "c16384", "64 KiB of memcpy(3), 16 MiB in use")
