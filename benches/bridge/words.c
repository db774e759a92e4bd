/* Ping-pong with a program of either width: `words MEANS WORDS PARTNER` starts PARTNER, which is this program built for some width, and prints the nanoseconds
 * of a round trip that carries so many words of 32 bits each way. The means with nothing around them: a futex word in shared memory, two pipes, a
 * pair of Unix sockets. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/measure.h"

enum { IN = 10, OUT = 11 };

static struct shared {
	uint32_t turn, words[64];
} *shared;
static uint32_t words[64];
static unsigned count;
static int futex;

static void receive(uint32_t turn)
{
	if (futex) {
		while (__atomic_load_n(&shared->turn, __ATOMIC_ACQUIRE) != turn)
			syscall(SYS_futex, &shared->turn, FUTEX_WAIT, !turn, NULL, NULL, 0);
		memcpy(words, shared->words, count * 4);
		return;
	}
	/* One byte where there is no word. */
	size_t wanted = count ? count * 4 : 1, done = 0;
	while (done < wanted) {
		ssize_t got = read(IN, (char *)words + done, wanted - done);
		if (got <= 0)
			exit(0);
		done += (size_t)got;
	}
}

static void send_words(uint32_t turn)
{
	if (futex) {
		memcpy(shared->words, words, count * 4);
		__atomic_store_n(&shared->turn, turn, __ATOMIC_RELEASE);
		syscall(SYS_futex, &shared->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
		return;
	}
	size_t wanted = count ? count * 4 : 1;
	if (write(OUT, words, wanted) != (ssize_t)wanted)
		fail("write");
}

static void batch(unsigned times)
{
	while (times-- != 0) {
		send_words(1);
		receive(0);
	}
}

static void use_shared(void)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, IN, 0);
	if (shared == MAP_FAILED)
		fail("mmap");
}

int main(int arguments, char **argument)
{
	if (arguments < 3)
		return 2;
	futex = !strcmp(argument[1], "futex");
	count = (unsigned)atoi(argument[2]);
	if (arguments == 3) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (futex)
			use_shared();
		for (;;) {
			receive(1);
			send_words(0);
		}
	}
	int mine[2] = {-1, -1}, theirs[2] = {-1, -1};
	if (futex) {
		mine[0] = theirs[0] = memfd_create("words", 0);
		if (ftruncate(mine[0], 4096) != 0)
			fail("ftruncate");
	} else if (!strcmp(argument[1], "socket")) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
			fail("socketpair");
		mine[0] = mine[1] = pair[0];
		theirs[0] = theirs[1] = pair[1];
	} else {
		int forth[2], back[2];
		if (pipe(forth) != 0 || pipe(back) != 0)
			fail("pipe");
		mine[0] = back[0], mine[1] = forth[1];
		theirs[0] = forth[0], theirs[1] = back[1];
	}
	pid_t partner = fork();
	int *own = partner == 0 ? theirs : mine;
	dup2(own[0], IN);
	dup2(own[1], OUT);
	if (partner == 0) {
		execl(argument[3], argument[3], argument[1], argument[2], NULL);
		fail(argument[3]);
	}
	if (futex)
		use_shared();
	measure(batch);
	kill(partner, SIGKILL);
	return waitpid(partner, NULL, 0) != partner;
}
