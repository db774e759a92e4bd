// A mix of jobs by many users at the same time, after AIM Multiuser Benchmark, Suite VII: each user is a process that does every
// job of the list as often as its weight says, in an order of its own. The order is the same for every ABI.
#define _GNU_SOURCE
#include "bench.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint32_t next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Each user works in a directory of its own, in memory where there is such a place: disks are no matter of word size.
static void file_name(char name[32], unsigned at) { snprintf(name, 32, "file%u", at); }

static uint32_t create_delete(uint32_t seed) {
    char name[32];
    for (unsigned at = 0; at < 8; at++) {
        file_name(name, at);
        int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (fd < 0 || close(fd) != 0 || unlink(name) != 0) die(name);
    }
    return seed;
}

static uint32_t copy_file(uint32_t seed) {
    static uint32_t block[1024];
    uint32_t sum = 0;
    int from = open("from", O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600), to = open("to", O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
    if (from < 0 || to < 0) die("copy");
    for (unsigned at = 0; at < 1024; at++) block[at] = next(&seed);
    for (unsigned at = 0; at < 16; at++)
        if (write(from, block, sizeof block) != sizeof block) die("write");
    if (lseek(from, 0, SEEK_SET) != 0) die("lseek");
    for (unsigned at = 0; at < 16; at++) {
        if (read(from, block, sizeof block) != sizeof block || write(to, block, sizeof block) != sizeof block) die("copy");
        sum += block[at];
    }
    close(from), close(to);
    if (unlink("from") != 0 || unlink("to") != 0) die("unlink");
    return sum;
}

static uint32_t random_reads(uint32_t seed) {
    uint32_t value, sum = 0;
    int fd = open("random", O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, 65536) != 0) die("random");
    for (unsigned at = 0; at < 64; at++) {
        off_t where = (off_t)(next(&seed) % 16384 * 4);
        value = (uint32_t)where;
        if (pwrite(fd, &value, sizeof value, where) != sizeof value || pread(fd, &value, sizeof value, where) != sizeof value) die("random");
        sum += value;
    }
    close(fd);
    if (unlink("random") != 0) die("unlink");
    return sum;
}

static uint32_t search_directory(uint32_t seed) {
    char name[32];
    struct stat found;
    uint32_t sum = 0;
    if (mkdir("directory", 0700) != 0 || chdir("directory") != 0) die("directory");
    for (unsigned at = 0; at < 16; at++) {
        file_name(name, at);
        if (mkdir(name, 0700) != 0) die(name);
    }
    DIR *directory = opendir(".");
    if (!directory) die("opendir");
    for (struct dirent *entry; (entry = readdir(directory));) sum += entry->d_name[0] == 'f' && stat(entry->d_name, &found) == 0;
    closedir(directory);
    for (unsigned at = 0; at < 16; at++) {
        file_name(name, at);
        if (rmdir(name) != 0) die(name);
    }
    if (chdir("..") != 0 || rmdir("directory") != 0) die("directory");
    return sum + seed;
}

static uint32_t link_rename(uint32_t seed) {
    int fd = open("one", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) die("one");
    close(fd);
    for (unsigned at = 0; at < 8; at++)
        if (link("one", "two") != 0 || rename("two", "three") != 0 || unlink("three") != 0) die("link");
    if (unlink("one") != 0) die("unlink");
    return seed;
}

static uint32_t through(int in, int out, uint32_t seed) {
    static uint32_t block[1024];
    uint32_t sum = 0;
    for (unsigned at = 0; at < 16; at++) {
        block[at] = next(&seed);
        if (write(out, block, sizeof block) != sizeof block || read(in, block, sizeof block) != sizeof block) die("stream");
        sum += block[at];
    }
    close(in);
    if (out != in) close(out);
    return sum;
}

static uint32_t copy_pipe(uint32_t seed) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) die("pipe");
    return through(ends[0], ends[1], seed);
}

static uint32_t copy_socket(uint32_t seed, int kind) {
    int ends[2];
    if (socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends) != 0) die("socketpair");
    return through(ends[0], ends[1], seed);
}
static uint32_t copy_stream(uint32_t seed) { return copy_socket(seed, SOCK_STREAM); }
static uint32_t copy_datagrams(uint32_t seed) { return copy_socket(seed, SOCK_DGRAM); }

static uint32_t child(uint32_t seed, int execute) {
    char *const self[] = {"worker", "exit", NULL};
    int status;
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        if (execute) execv("/proc/self/exe", self);
        _exit(execute ? 127 : 0);
    }
    if (waitpid(child, &status, 0) != child || status != 0) die("waitpid");
    return seed;
}
static uint32_t fork_process(uint32_t seed) { return child(seed, 0); }
static uint32_t exec_program(uint32_t seed) { return child(seed, 1); }

static volatile sig_atomic_t handled;
static void handle(int signal) { (void)signal, handled++; }

static uint32_t signals(uint32_t seed) {
    struct sigaction action = {.sa_handler = handle};
    handled = 0;
    if (sigaction(SIGUSR1, &action, NULL) != 0) die("sigaction");
    for (unsigned at = 0; at < 32; at++) kill(getpid(), SIGUSR1);
    return seed + (uint32_t)handled;
}

static uint32_t page_faults(uint32_t seed) {
    const size_t size = 64 * 4096;
    unsigned char *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t sum = 0;
    if (area == MAP_FAILED) die("mmap");
    madvise(area, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 4096) area[at] = (unsigned char)next(&seed), sum += area[at];
    munmap(area, size);
    return sum;
}

// A binary tree: what programs with pointers do.
struct node {
    struct node *left, *right;
    uint32_t key;
};

static uint32_t grow_tree(uint32_t seed) {
    struct node *root = NULL, *nodes[500];
    uint32_t sum = 0;
    for (unsigned at = 0; at < 500; at++) {
        struct node **where = &root, *node = calloc(1, sizeof *node);
        if (!node) die("calloc");
        node->key = next(&seed);
        for (; *where; sum++) where = node->key < (*where)->key ? &(*where)->left : &(*where)->right;
        *where = nodes[at] = node;
    }
    for (unsigned at = 0; at < 500; at++) free(nodes[at]);
    return sum;
}

static int ascending(const void *one, const void *two) {
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;
    return (a > b) - (a < b);
}

static uint32_t sort(uint32_t seed) {
    uint32_t numbers[1000];
    for (unsigned at = 0; at < 1000; at++) numbers[at] = next(&seed);
    qsort(numbers, 1000, sizeof *numbers, ascending);
    return numbers[0] ^ numbers[500] ^ numbers[999];
}

static uint32_t strings(uint32_t seed) {
    char text[1024] = "", word[16];
    uint32_t sum = 0;
    for (unsigned at = 0; at < 64; at++) {
        snprintf(word, sizeof word, "%u ", next(&seed) % 100000);
        strcat(text, word);
    }
    char *rest = text, *found;
    while ((found = strtok_r(rest, " ", &rest))) sum += (uint32_t)strtoul(found, NULL, 10) + (uint32_t)strlen(found);
    return sum;
}

static uint32_t integers(uint32_t seed) {
    uint32_t sum = 1;
    for (unsigned at = 0; at < 2000; at++) sum += next(&seed) * sum, sum ^= seed / (sum | 1);
    return sum;
}

static uint32_t wide_integers(uint32_t seed) {
    uint64_t sum = 1;
    for (unsigned at = 0; at < 2000; at++) sum += (uint64_t)next(&seed) * sum, sum ^= 0xfedcba9876543210u / (sum | 1);
    return (uint32_t)(sum ^ sum >> 32);
}

// Whole numbers, which both kinds of floating-point unit compute exactly.
static uint32_t matrices(uint32_t seed) {
    static double a[24][24], b[24][24];
    double sum = 0;
    for (unsigned i = 0; i < 24; i++)
        for (unsigned j = 0; j < 24; j++) a[i][j] = next(&seed) % 100, b[i][j] = next(&seed) % 100;
    for (unsigned i = 0; i < 24; i++)
        for (unsigned j = 0; j < 24; j++) {
            double element = 0;
            for (unsigned k = 0; k < 24; k++) element += a[i][k] * b[k][j];
            sum += element;
        }
    return (uint32_t)(uint64_t)sum;
}

// Newton's method, to the whole number below.
static uint32_t roots(uint32_t seed) {
    uint32_t sum = 0;
    for (unsigned at = 0; at < 100; at++) {
        uint32_t number = next(&seed), root;
        double guess = number / 2.0 + 1;
        for (unsigned step = 0; step < 20; step++) guess = (guess + number / guess) / 2;
        root = (uint32_t)guess;
        while ((uint64_t)root * root > number) root--;
        while ((uint64_t)(root + 1) * (root + 1) <= number) root++;
        sum += root;
    }
    return sum;
}

static uint32_t sieve(uint32_t seed) {
    static unsigned char composite[8192];
    uint32_t primes = 0;
    memset(composite, 0, sizeof composite);
    for (unsigned at = 2; at < sizeof composite; at++) {
        if (composite[at]) continue;
        primes++;
        for (unsigned multiple = at * at; multiple < sizeof composite && at < 91; multiple += at) composite[multiple] = 1;
    }
    return primes + seed;
}

static uint32_t copy_memory(uint32_t seed) {
    static unsigned char from[65536], to[65536];
    memset(from, (int)(seed & 255), sizeof from);
    memcpy(to, from, sizeof to);
    return (uint32_t)memcmp(from, to, sizeof to) + to[seed % sizeof to];
}

// The list of a user, in which the weights say how often. They are 100 together.
static const struct job {
    uint32_t (*run)(uint32_t seed);
    unsigned weight;
} jobs[] = {
    {create_delete, 6}, {copy_file, 6},     {random_reads, 5}, {search_directory, 4}, {link_rename, 4}, {copy_pipe, 6},
    {copy_stream, 4},   {copy_datagrams, 3}, {fork_process, 4}, {exec_program, 3},     {signals, 4},     {page_faults, 5},
    {grow_tree, 8},     {sort, 7},          {strings, 6},      {integers, 5},         {wide_integers, 3}, {matrices, 4},
    {roots, 3},         {sieve, 4},         {copy_memory, 6},
};
enum { LIST = 100, USERS = 32 };

static uint32_t do_list(uint32_t user) {
    unsigned char order[LIST];
    unsigned length = 0;
    uint32_t state = user + 1, sum = 0;
    for (unsigned job = 0; job < sizeof jobs / sizeof *jobs; job++)
        for (unsigned times = 0; times < jobs[job].weight; times++) {
            if (length == LIST) die("the weights are more than 100");
            order[length++] = (unsigned char)job;
        }
    if (length != LIST) die("the weights are less than 100");
    for (unsigned at = LIST - 1; at > 0; at--) {
        unsigned other = next(&state) % (at + 1), job = order[at];
        order[at] = order[other], order[other] = (unsigned char)job;
    }
    for (unsigned at = 0; at < LIST; at++) sum += jobs[order[at]].run(next(&state));
    return sum;
}

// What a user says at the end.
struct said {
    uint32_t user, sum;
};

// The directory of all users and their processes, and the process that removes it, however it ends.
static char place[64];
static pid_t owner, children[USERS];
static unsigned started;

static int remove_entry(const char *path, const struct stat *found, int kind, struct FTW *walk) {
    (void)found, (void)kind, (void)walk;
    return remove(path);
}

static void tidy(void) {
    if (getpid() != owner || !place[0]) return;
    for (; started > 0; started--) kill(children[started - 1], SIGKILL), waitpid(children[started - 1], NULL, 0);
    nftw(place, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    place[0] = 0;
}

static void be_user(uint32_t user, unsigned long n, int go, int done) {
    char own[96];
    struct said said = {.user = user};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(own, sizeof own, "%s/%u", place, user);
    if (mkdir(own, 0700) != 0 || chdir(own) != 0) die(own);
    // Ready; then it waits until all are.
    if (write(done, &said, sizeof said) != sizeof said || read(go, own, 1) != 0) die("start");
    while (n--) said.sum += do_list(user);
    if (write(done, &said, sizeof said) != sizeof said) die("end");
    _exit(0);
}

// Each user has a pipe of its own, whose end is there when it has died.
static uint64_t hear(const int from[], unsigned users) {
    struct pollfd waiting[USERS];
    uint64_t sum = 0;
    for (unsigned user = 0; user < users; user++) waiting[user] = (struct pollfd){.fd = from[user], .events = POLLIN};
    for (unsigned left = users; left > 0;) {
        if (poll(waiting, users, -1) < 0) die("poll");
        for (unsigned user = 0; user < users; user++) {
            struct said said;
            if (!waiting[user].revents) continue;
            if (read(from[user], &said, sizeof said) != sizeof said) errno = 0, die("a user ended before the end");
            sum += said.sum * (uint64_t)(said.user + 1);
            // poll(2) passes over it from now on.
            waiting[user].fd = -1;
            left--;
        }
    }
    return sum;
}

// n lists, by each of so many users.
static uint64_t run_mix(unsigned long n, const char *count) {
    const unsigned users = (unsigned)strtoul(count, NULL, 10);
    int go[2], done[USERS], failed = 0;
    if (users > USERS) die("too many users");
    if (!owner) owner = getpid(), atexit(tidy);
    if (!mkdtemp(strcpy(place, "/dev/shm/biarch-mix-XXXXXX")) && !mkdtemp(strcpy(place, "/tmp/biarch-mix-XXXXXX"))) {
        place[0] = 0;
        die("no directory can be made in /dev/shm and in /tmp");
    }
    if (pipe2(go, O_CLOEXEC) != 0) die("pipe");
    while (started < users) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) die("pipe");
        pid_t child = fork();
        if (child < 0) die("fork");
        if (child == 0) {
            close(go[1]);
            be_user(started, n, go[0], ends[1]);
        }
        close(ends[1]);
        done[started] = ends[0];
        children[started++] = child;
    }
    close(go[0]);
    hear(done, users);
    units(users * LIST);
    begin();
    close(go[1]);
    uint64_t sum = hear(done, users);
    end();
    for (unsigned user = 0; user < users; user++) close(done[user]);
    while (started > 0) {
        int status;
        if (waitpid(children[started - 1], &status, 0) != children[started - 1] || status != 0) failed = 1;
        started--;
    }
    tidy();
    if (failed) errno = 0, die("a user failed");
    return sum;
}

#define MIX(users, marks, what) BENCH_MARKED(mix, mix_##users, run_mix, #users, marks, "a job of the mix, " what)
MIX(1, "", "1 user")
MIX(2, "asked", "2 users at the same time")
MIX(4, "", "4 users at the same time")
MIX(8, "asked", "8 users at the same time")
MIX(16, "asked", "16 users at the same time")
MIX(32, "asked", "32 users at the same time")
