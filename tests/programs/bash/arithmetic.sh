#!/bin/bash
# Arithmetic: 64-bit integers in a 32-bit program.
echo $((2**62)) $((2**63)) $((-2**63)) $((9223372036854775807 + 1)) $((-7 / 2)) $((-7 % 3))
echo $((0xff)) $((0777)) $((2#1011)) $((36#zz)) $((1 << 40)) $((-1 >> 1)) $((~5)) $((5 & 3 | 8 ^ 1))
for ((i = 0, s = 0; i < 1000; i++)); do ((s += i * i)); done; echo $s
x=5; ((x++, x *= 3)); echo $x; let 'y = x > 17 ? x : 0'; echo $y
fib() { local n=$1; ((n < 2)) && { echo "$n"; return; }; echo $(($(fib $((n - 1))) + $(fib $((n - 2))))); }
fib 8
printf '%d %x %o %e %.3f %5s|%-5s|%q\n' 255 255 255 12345.678 3.14159 ab cd 'a b'
printf '%(%Y-%m-%d %H:%M:%S)T\n' 1000000000 4000000000
echo $((1 / 0)); echo "status $?"
echo $((08)); echo "status $?"
