#!/bin/bash
#: filter s/^\[([0-9]+)\]([-+ ]*) [0-9]+( |$)/[\1]\2 PID\3/
#: filter s/: line ([0-9]+): *[0-9]+ /: line \1: PID /
# Job control: process groups, stopping and continuing, wait with every kind of end.
set -m
sleep 100 & jobs; kill -STOP %1; sleep 0.2; jobs; bg %1; sleep 0.1; jobs; kill %1; wait %1; echo "status $?"
(exit 3) & wait $!; echo "status $?"
sh -c 'kill -SEGV $$' ; echo "status $?"
sh -c 'kill -PIPE $$' & wait $!; echo "status $?"
(sleep 0.1; exit 4) & (sleep 0.4; exit 5) & wait -n; echo "first $?"; wait -n; echo "second $?"
coproc { while read -r l; do echo "got $l"; done; }; echo hello >&"${COPROC[1]}"; read -r l <&"${COPROC[0]}"; echo "$l"
eval "exec ${COPROC[1]}>&-"; wait; jobs > /dev/null
sleep 100 | sleep 100 & kill -TERM -- -$!  2>/dev/null || kill %+; wait %+ 2>/dev/null; echo "status $?"
{ sleep 100; } & disown; kill $!; jobs
times > /dev/null; echo done
