#!/bin/bash
# strace: system calls, signals and children of other programs, all by ptrace(2).
#: filter s/0x[0-9a-f]+/ADDRESS/g
#: filter s/(si_pid|si_value)=[^,}]*/\1=X/g
#: filter s/^[0-9]+ +/PID /
#: filter s/(getpid|kill|wait4|waitpid)\([0-9]+/\1(PID/
#: filter s/(getpid\(\) +=) [0-9]+/\1 PID/
#: filter s/ = [0-9]{2,}$/ = N/
echo text > file
strace -o log -e trace=openat,read,write,close cat file; echo "status $?"; grep -A6 '"file"' log
strace -o log -e trace=none -e signal=all bash -c 'trap "echo caught" USR1; kill -USR1 $$; kill -URG $$; exit 3'; echo "status $?"; cat log
strace -f -o log -e trace=write bash -c '(echo child); cat file; echo parent'; echo "status $?"; grep -E 'write\(1' log
strace -f -o log -e trace=execve,exit_group bash -c '/bin/true; /bin/false; exec /bin/echo last'; echo "status $?"; grep -E 'exit_group|exited' log | sort | uniq -c
strace -o log -e trace=kill bash -c 'kill -SEGV $$'; echo "status $?"; tail -n 2 log
strace -c -o log ls / > /dev/null; echo "status $?"; grep -cE '(openat|write|statx)$' log
strace -e inject=openat:error=ENOENT:when=3+ -o log cat file; echo "status $?"
strace nosuch; echo "status $?"; rm log
