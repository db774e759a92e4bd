#!/bin/bash
# gdb: breakpoints, steps, watchpoints, calls, signals and a fault of a program compiled here, by ptrace(2).
#: timeout 120
#: filter s/0x[0-9a-f]+/ADDRESS/g
#: filter s/(process|LWP|Thread|Inferior 1) [0-9()A-Za-z ]+/\1 N/g
cat > program.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static int total;
static int add(int a, int b)
{
	total += a * b;
	return total;
}
static void handler(int number)
{
	total = -number;
}
int main(int count, char **arguments)
{
	double half = 0.5;
	for (int i = 1; i <= 3; i++)
		add(i, i + 1);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	printf("%d %g %s\n", total, half * count, arguments[1]);
	fflush(stdout);
	return *(volatile int *)(count == 2 ? 0L : (long)&total);
}
C
gcc-12 -g -O0 -o program program.c
run() { gdb -batch -nx -iex 'set debuginfod enabled off' -iex 'set auto-load no' "$@" 2>&1; echo "status $?"; }
run -ex 'break add' -ex run -ex backtrace -ex 'info args' -ex next -ex 'print total' -ex finish -ex 'watch total' -ex continue -ex continue \
    -ex 'delete' -ex 'print add(10, 20)' -ex 'print half' -ex 'handle SIGUSR1 stop print' -ex continue -ex stepi -ex backtrace -ex continue \
    -ex 'print $_siginfo.si_signo' -ex 'info line' -ex kill --args ./program argument
run -ex 'break 20' -ex run -ex 'print $eip == &main' -ex 'set var total = 1000' -ex 'tbreak handler' -ex continue -ex 'up' -ex 'info frame' \
    -ex continue --args ./program a b | grep -vE ' at ADDRESS|called by|caller of|Saved|eip|ebp|Previous'
(./program & sleep 0.2; wait $!) 2>/dev/null; sleep 30 & run -p $! -ex 'print 1' -ex detach | grep -E '^\$|detached'; kill $!
rm program
