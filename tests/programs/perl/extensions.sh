#!/bin/bash
#: full
#: timeout 1500
# The tests of perl's extensions that have to do with the operating system, threads first, and of its library and command line.
# A test has its number only: what follows it are addresses and the order in which threads came.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 PERL_TEST_CHARNAMES_SEED=1
run() {
    output=$(timeout 120 perl -I"$1" "$2" 2>&1 < /dev/null)
    echo "$2: status $?"
    grep -aoE '^ *(ok|not ok) [0-9]+' <<< "$output" | sort -V
}
for directory in dist/{threads,threads-shared,Thread-Queue,Thread-Semaphore,Time-HiRes,IO,Storable,Net-Ping,PathTools} \
    cpan/{Socket,IO-Socket-IP,IPC-SysV,IPC-Cmd,Sys-Syslog,File-Temp,Time-Piece,Time-Local,Digest-SHA,Compress-Raw-Zlib,HTTP-Tiny} \
    ext/{POSIX,IPC-Open3,Fcntl,Errno,Sys-Hostname,File-Find,File-Glob,FileCache,I18N-Langinfo,SDBM_File,Hash-Util,B,Opcode} \
    ext/PerlIO-{scalar,encoding,via}; do
    cd "/usr/src/perl/$directory" || exit
    echo "$directory"
    for test in $(find t -name '*.t' | sort); do run ../../lib "$test"; done
done
cd /usr/src/perl/t || exit
for test in {opbasic,comp,run,lib,mro,uni}/*.t ../lib/*.t ../lib/{File,Unicode}/*.t; do run ../lib "$test"; done
