#!/bin/bash
# Traps: signals that arrive while waiting, in a function, in a subshell, and at the end.
#: filter s/line ([0-9]+): *[0-9]+ /line \1: PID /
trap 'echo exit $?' EXIT; trap 'echo "error at $LINENO"' ERR; trap 'echo usr1' USR1; trap 'echo int' INT; trap '' USR2
kill -USR1 $$; kill -USR2 $$; kill -INT $$; false
f() { trap 'echo return' RETURN; echo in f; }; f; trap - RETURN
(trap 'echo sub exit' EXIT; kill -USR1 $BASHPID; echo in sub)
(sleep 0.3; kill -USR1 $$) & wait $!; echo "wait $?"; wait; 
for i in 1 2 3 4 5 6 7 8 9 10; do kill -USR1 $$; done | cat; trap - USR1
bash -c 'kill -USR1 $$; echo unreachable'; echo "status $?"
bash -c 'trap "" TERM; kill -TERM $$; echo ignored'; (trap '' USR1; bash -c 'kill -USR1 $$; echo inherited')
trap 'echo alarm; trap - ALRM' ALRM; (sleep 0.2; kill -ALRM $$) & read -r -t 1 x < <(sleep 2); echo "read $?"
n=0; trap 'n=$((n + 1))' RTMIN+3; for i in {1..5}; do kill -s RTMIN+3 $$; done; echo "real time $n"
trap -p; kill -l | head -3; ulimit -n 64; ulimit -n; exit 9
