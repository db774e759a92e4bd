#!/bin/bash
# strace -p: a program with a child and one with threads that run already.
#: filter s/0x[0-9a-f]+/ADDRESS/g
#: filter s/[0-9]+ (attached|detached)/PID \1/
#: filter s/^\[pid +[0-9]+\] |^[0-9]+ +/PID /
mkfifo input
cat < input > output & pid=$!
exec 3> input
sleep 1
strace -o log -e trace=read,write,close -p $pid & tracer=$!
sleep 2
echo text >&3
sleep 1
kill -INT $tracer
wait $tracer
echo "status $?"
grep -E '^(read|write)\(' log | head -n 2 | sed 's/131072/N/'
exec 3>&-
wait $pid
echo "status $?"
cat output
rm input output log
