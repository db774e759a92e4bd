#!/bin/bash
#: timeout 120
# gcc, g++, as, ld, ar: compile, link and run programs of several files; every file written is the same.
cp /cases/*.{c,h,cc,s} .
gcc-12 -O2 -Wall -g -c main.c list.c && gcc-12 -o program main.o list.o -lm -pthread && ./program a b c; echo "status $?"
gcc-12 -O2 -flto -static -o static main.c list.c -lm -pthread && ./static x y; echo "status $?"
gcc-12 -m32 -shared -fPIC -o liblist.so list.c && ar rcs liblist.a list.o && ranlib liblist.a && gcc-12 -o dynamic main.c -L. -llist -lm -pthread -Wl,-rpath,/work && ./dynamic d; echo "status $?"
g++-12 -std=c++20 -O1 -o shapes shapes.cc && ./shapes; echo "status $?"
as -o start.o start.s && ld -o bare start.o && ./bare; echo "status $?"
strip -o stripped program; nm program | grep ' T '; objdump -d bare | tail -n 8; readelf -h program | grep -E 'Class|Machine|Type'; size bare; ./stripped z; echo "status $?"
gcc-12 -S -O3 -march=i686 -o - list.c | grep -c call; gcc-12 -E main.c | wc -l; gcc-12 -fsyntax-only -x c - <<< 'int main(void) { return x; }'; echo "status $?"; cpp-12 <<< '#define A(x) #x
A(y)' | tail -n 1; gcc-12 -O2 -pipe -save-temps -c list.c; gcc-12 nosuch.c; echo "status $?"
gcc-12 -O2 -o program main.c list.c -lm -pthread -pg && ./program prof > /dev/null; ls gmon.out; rm gmon.out
