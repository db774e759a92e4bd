#!/bin/bash
# make: a parallel build with its job server, failures, and what is up to date.
mkdir src; for i in $(seq 20); do echo "int f$i(void) { return $i; }" > src/f$i.c; done
{ for i in $(seq 20); do echo "int f$i(void);"; done; echo '#include <stdio.h>'; echo 'int main(void) { int s = 0;'; for i in $(seq 20); do echo "s += f$i();"; done; echo 'printf("%d\n", s); return 0; }'; } > src/main.c
cat > Makefile <<'M'
CC = gcc-12
OBJECTS := $(patsubst src/%.c,out/%.o,$(sort $(wildcard src/*.c)))
program: $(OBJECTS) ; @$(CC) -o $@ $^
out/%.o: src/%.c | out ; @$(CC) -O1 -c -o $@ $<
out: ; @mkdir $@
recursive: ; +@$(MAKE) --no-print-directory program
fails: ; false
ignored: ; -@exit 3
pid := $(shell echo shell function)
show: ; @echo $(pid) $(MAKELEVEL) $(words $(OBJECTS)) $(foreach n,1 2 3,$(call twice,$(n))) $(origin CC)
twice = $(1)$(1)
.PHONY: recursive fails ignored show slow
slow: s1 s2 s3
s%: ; @sleep 0.3
M
make -j4 recursive && ./program; make -q program; echo "status $?"; touch -d '+10 seconds' src/f3.c; make -n program | wc -l; make fails; echo "status $?"; make -k fails ignored show; echo "status $?"; make nosuch; echo "status $?"; make -j3 -O slow && echo slow; make -p show | grep -c '^OBJECTS'; echo 'all: ; @echo a makefile from a pipe' | make -f -; (make s1 & sleep 0.1; kill -TERM $!; wait $!; echo "status $?"); rm -rf out src program
