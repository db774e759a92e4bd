#!/bin/bash
# gdbserver: a program that it starts, and one that runs already, by the remote protocol.
#: timeout 120
#: filter s/0x[0-9a-f]+/ADDRESS/g
#: filter s/(process|LWP|Thread|Inferior 1) [0-9.()A-Za-z ]+/\1 N/g
cat > program.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int total;
int add(int a, int b)
{
	total += a * b;
	return total;
}
static void handler(int number)
{
	add(number, 1);
}
int main(int count, char **arguments)
{
	char byte;
	signal(SIGUSR1, handler);
	if (count > 1)
		read(0, &byte, 1);
	raise(SIGUSR1);
	return add(2, 3) - 16;
}
C
gcc-12 -g -O0 -o program program.c
run() { gdb -batch -nx -iex 'set debuginfod enabled off' -iex 'set auto-load no' -iex 'set sysroot /' ./program "$@" 2>&1; echo "status $?"; }
show() { grep -E '^(#|Breakpoint|\$|status|\[Inferior|Program)'; }
run -ex 'target remote | gdbserver --once --no-startup-with-shell - ./program' -ex 'break add' -ex 'handle SIGUSR1 nostop' -ex continue \
    -ex backtrace -ex 'print $eip == &add' -ex finish -ex continue -ex stepi -ex 'info args' -ex delete -ex continue | show
mkfifo input
./program waits < input & pid=$!
exec 3> input
sleep 1
run -ex "target remote | gdbserver --once --attach - $pid" -ex 'backtrace -1' -ex 'print total = 100' -ex detach | show
echo > input
wait $pid
echo "status $?"
exec 3>&-
rm program input
