#!/usr/bin/env bash
# usage: packaging/demo.sh      (make demo builds what it needs)
#
# Real 32-bit programs, unmodified, from Debian's i386 archive, under biarch and under a filter that kills any process which
# makes a 32-bit system call. Where this kernel runs 32-bit programs itself, the same work is done natively as well, and the
# output and the exit status must be the same. Everything is in target/demo; nothing is installed.
# BIARCH, LAUNCHER and SUITE (a Debian release, bookworm by default) can be set.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC0

release=$PWD/target/x86_64-unknown-linux-gnu/release
biarch=$(realpath "${BIARCH:-$release/biarch}") launcher=$(realpath "${LAUNCHER:-$release/launcher}")
demo=$PWD/target/demo
sysroot=$demo/sysroot
# Inside the sysroot, so that a native run can have the sysroot as its root and the same working directory.
work=$sysroot/work

[ -e "$demo/sysroot.apt/done" ] || echo "fetching Debian's 32-bit programs (40 MB) into target/demo/sysroot" >&2
packaging/debian-packages.sh "${SUITE:-bookworm}" i386 "$sysroot" \
    busybox-static bash coreutils grep gzip xz-utils gawk perl-base python3-minimal libpython3-stdlib sqlite3 openssl
rm -rf "$work" && mkdir -p "$work" "$sysroot/tmp"
cd "$work"
seq 1 2000000 >numbers
for name in readme notes todo; do printf 'The quick brown fox\njumps over the %s\n' $name >$name.txt; done
cat >work.py <<'END'
import hashlib, json, os, signal, socket, subprocess, sys, threading, time
print(sys.maxsize, hashlib.sha256(b"biarch").hexdigest())
server = socket.create_server(("127.0.0.1", 0))
def echo():
    peer, _ = server.accept()
    with peer:
        peer.sendall(peer.recv(100).upper())
threads = [threading.Thread(target=echo)]
total, lock = [0], threading.Lock()
def add(n):
    for i in range(n):
        with lock: total[0] += i
threads += [threading.Thread(target=add, args=(20000,)) for _ in range(8)]
for thread in threads: thread.start()
with socket.create_connection(server.getsockname()) as client:
    client.sendall(b"over loopback"); print(client.recv(100))
for thread in threads: thread.join()
print("eight threads:", total[0])
signal.signal(signal.SIGALRM, lambda *_: print("alarm"))
signal.setitimer(signal.ITIMER_REAL, 0.02); signal.pause()
print(json.dumps({"child": subprocess.run(["expr", "6", "*", "7"], capture_output=True, text=True).stdout}))
END

cat >work.pl <<'END'
$| = 1;
open my $file, "<", "numbers" or die $!;
my %count;
while (<$file>) { chomp; $count{length($_) . ":" . $_ % 10}++ if /[13579]$/ }
print "$_ $count{$_}\n" for sort keys %count;
my $child = fork; exit 3 unless $child;
waitpid $child, 0; print "child: ", $? >> 8, "\n";
print `expr 6 + 7`;
END

# Can the kernel run them itself, in a root directory of their own? Without privileges that takes a user namespace.
native=()
for try in "unshare" "unshare -r"; do
    if $try -R "$sysroot" -w /work /bin/busybox true 2>/dev/null; then read -ra native <<<"$try -R $sysroot -w /work"; break; fi
done

echo
echo "biarch: $("$biarch" --version 2>/dev/null || echo "$biarch")"
echo "kernel: $(uname -sr), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2- | sed 's/^ *//')"
# The filter must be seen to bite, or surviving under it would prove nothing.
"$launcher" /bin/true
set +e
{ "$launcher" "$sysroot/bin/busybox" true; } >/dev/null 2>&1
status=$?
set -e
case $status in
    159) echo "filter: a 32-bit program started without biarch is killed at its first system call (SIGSYS)" ;;
    126 | 127) echo "filter: this kernel does not start 32-bit programs at all; they run here only because of biarch" ;;
    *) echo "demo: the filter did not kill a 32-bit program (status $status); this would prove nothing" >&2; exit 1 ;;
esac
[ ${#native[@]} != 0 ] || echo "native: cannot be compared with here (needs a kernel with 32-bit support, and root or user namespaces)"
echo
printf '%-10s %-46s %8s %8s  %s\n' program "what it does" biarch native output

rows=0 bad=0 seconds=

# timed OUT COMMAND…: runs it; the output and the status go to OUT, the time to `seconds`.
timed() {
    local out=$1 start=$EPOCHREALTIME status=0
    shift
    { timeout 100 "$@" >"$out" 2>&1 </dev/null || status=$?; } 2>/dev/null
    local end=$EPOCHREALTIME
    echo "exit status $status" >"$out.status"
    seconds=$(awk -v a="$start" -v b="$end" 'BEGIN { printf "%.2f", b - a }')
}

# The beginning of a text that may be anything.
shown() { head -n 12 | cat -v | cut -c 1-120 | sed 's/^/    /'; }

# row TITLE WHAT PROGRAM [ARG…]: PROGRAM is a path in the sysroot.
row() {
    local title=$1 what=$2 program=$3 ours theirs=- verdict=same
    shift 3
    rows=$((rows + 1))
    rm -rf out.* && timed "$demo/$title.biarch" env -i HOME=/ LC_ALL=C TZ=UTC0 PATH="$sysroot/bin" PYTHONHOME="$sysroot/usr" \
        PERL5LIB="$sysroot/usr/lib/i386-linux-gnu/perl-base" OPENSSL_CONF=/dev/null \
        "$launcher" "$biarch" run --sysroot "$sysroot" "$sysroot$program" "$@"
    ours=$seconds
    if [ ${#native[@]} != 0 ]; then
        rm -rf out.* && timed "$demo/$title.native" env -i HOME=/ LC_ALL=C TZ=UTC0 PATH=/bin PYTHONHOME=/usr OPENSSL_CONF=/dev/null \
            "$(command -v "${native[0]}")" "${native[@]:1}" "$program" "$@"
        theirs=$seconds
        cmp -s "$demo/$title.biarch" "$demo/$title.native" || verdict=DIFFERENT
    else
        verdict=$(wc -c <"$demo/$title.biarch")\ bytes
    fi
    grep -qx 'exit status 0' "$demo/$title.biarch.status" || verdict=FAILED
    printf '%-10s %-46s %7ss %8s  %s\n' "$title" "$what" "$ours" "${theirs/%[0-9]/&s}" "$verdict"
    case $verdict in
        DIFFERENT) bad=$((bad + 1)); diff "$demo/$title.native" "$demo/$title.biarch" | shown || true ;;
        FAILED) bad=$((bad + 1)); { tail -n 6 "$demo/$title.biarch"; cat "$demo/$title.biarch.status"; } | shown ;;
    esac
}

row busybox "static; a shell pipeline of five processes" /bin/busybox sh -c 'busybox cat numbers | busybox tail -n 1000 | busybox sort -r | busybox md5sum'
row bash "functions, arrays, a loop, children, a trap" /bin/bash -c '
    trap "echo bye" EXIT; declare -A seen
    for f in *.txt; do while read -ra words; do for w in "${words[@]}"; do seen[$w]=$((${seen[$w]:-0} + 1)); done; done <"$f"; done
    for w in "${!seen[@]}"; do echo "$w ${seen[$w]}"; done | sort; (exit 7); echo "$?"; n=0; while ((n < 100000)); do ((++n)); done; echo $n'
row coreutils "sha256sum of 15 MB" /bin/sha256sum numbers
row sort "sorts 2,000,000 lines, with threads" /bin/sort -r --parallel=2 -T . numbers
row ls "directory, sizes, inode numbers" /bin/ls -lin --time-style=+ readme.txt notes.txt todo.txt
row grep "a back-reference over 2,000,000 lines" /bin/grep -cE '([0-9])\1\1' numbers
row gzip "compresses 15 MB" /bin/gzip -9 -k -f -n -c numbers
row xz "compresses 15 MB, with threads" /bin/xz -1 -T2 -k -f -c numbers
row gawk "sums 2,000,000 fields" /bin/gawk '{ s += $1; if ($1 % 7 == 0) c++ } END { print s, c }' numbers
row perl "hashes, sorting, regular expressions, fork" /bin/perl work.pl
row python3 "threads, sockets, signals, a child process" "/bin/$(basename "$(ls "$sysroot"/usr/bin/python3.*[0-9] | head -n 1)")" work.py
row sqlite3 "a transaction of 100,000 rows, then a check" /bin/sqlite3 out.db \
    "create table t(id integer primary key, v text); begin; with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) insert into t select i, hex(i * 7919) from n; commit; pragma integrity_check; select count(*), sum(length(v)) from t;"
row openssl "encrypts 15 MB with AES" /bin/openssl enc -aes-256-cbc -nosalt -K 00 -iv 00 -in numbers

echo
if [ $bad != 0 ]; then
    echo "$bad of $rows programs did not do what they should; their output is in target/demo"
    exit 1
fi
echo "$rows programs; every system call they made was a 64-bit one${native[0]:+; the same output and status as natively}."
