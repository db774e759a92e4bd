#!/bin/bash
# gdb -p on a program with threads that runs already: backtraces of all of them, breakpoints, a call, and letting it go.
#: timeout 120
#: filter s/0x[0-9a-f]+/ADDRESS/g
#: filter s/(process|LWP|Thread|Inferior 1) [0-9()A-Za-z ]+/\1 N/g
cat > program.c <<'C'
#include <pthread.h>
#include <unistd.h>
static volatile int total, goes_on = 1;
int add(int a, int b)
{
	total += a * b;
	return total;
}
static void *adds(void *of)
{
	while (goes_on) {
		usleep(20000);
		add(1, 0);
	}
	return of;
}
int main(void)
{
	char byte;
	pthread_t thread;
	pthread_create(&thread, 0, adds, 0);
	read(0, &byte, 1);
	goes_on = 0;
	pthread_join(thread, 0);
	return 3;
}
C
gcc-12 -g -O0 -pthread -o program program.c
run() { gdb -batch -nx -iex 'set debuginfod enabled off' -iex 'set auto-load no' "$@" 2>&1; echo "status $?"; }
mkfifo input
./program < input & pid=$!
exec 3> input
sleep 1
run -p $pid -ex 'thread apply all backtrace -3' -ex 'break add' -ex continue -ex 'backtrace -3' -ex stepi -ex delete -ex 'print total' \
    -ex 'print add(2, 3)' -ex detach | grep -E '^(#|Breakpoint|\$|status|Thread .* hit|\[Inferior)'
readlink /proc/$pid/exe
echo > input
wait $pid
echo "status $?"
exec 3>&-
rm program input
