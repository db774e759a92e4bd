#!/bin/busybox sh
# The applets of busybox-static: one static program that makes every call through `int $0x80` or __kernel_vsyscall itself.
PATH=/work/bin
/bin/busybox mkdir bin
/bin/busybox --install -s bin
uname -s
seq 1 500 > numbers
awk '{ s += $1 * $1 } END { print s }' numbers
sort -rn numbers | head -n 3
md5sum numbers; sha1sum numbers; sha256sum numbers; sha512sum numbers; cksum numbers
gzip -k numbers; gunzip -t numbers.gz && zcat numbers.gz | cmp - numbers && echo same
bzip2 -k numbers; bzcat numbers.bz2 | cmp - numbers && echo same
tar cf a.tar numbers numbers.gz; tar tf a.tar; mkdir out; tar xf a.tar -C out; diff numbers out/numbers && echo unpacked
echo numbers | cpio -o -H newc 2>/dev/null > a.cpio; cpio -t < a.cpio
rm a.tar a.cpio numbers.gz numbers.bz2
sed -n 's/^4\(.\)$/four \1/p' numbers
grep -c 7 numbers
printf '%s\n' one two three | tee tee.out | tr a-z A-Z
find . -name 'n*' -type f | sort
touch -d '2001-02-03 04:05:06' old; stat -c '%n %s %a %Y' old; ls -l --full-time old
chmod 640 old; chown 12:34 old; stat -c '%a %u %g' old
ln -s old link; readlink link; realpath link; ln old hard; stat -c %h old
dd if=/dev/zero of=zeros bs=4096 count=16 2>&1 | head -n 2; wc -c zeros
truncate -s 5000000000 sparse; stat -c %s sparse; rm sparse
hexdump -C numbers | head -n 3; od -c numbers | head -n 2; xxd numbers | head -n 2
echo hello | base64; echo aGVsbG8K | base64 -d
echo '6 7 * p' | dc; echo '2^64' | bc
expr 6 \* 7; factor 1234567890; date -u -d @1000000000
date -u -d @4000000000 +%Y
mkfifo pipe; (echo through a pipe > pipe &); cat pipe
timeout 1 sleep 5; echo "timeout $?"
sleep 0.05; usleep 1000
(sleep 30 & pid=$!; kill -9 $pid; wait $pid; echo "killed $?")
trap 'echo caught' USR1; kill -USR1 $$
env -i A=b env
id; whoami; hostname; pwd; basename /a/b/c; dirname /a/b/c
mktemp -d /work/tmp.XXXXXX | sed 's/\..*//'; rm -rf /work/tmp.*
xargs -n 2 echo < tee.out
diff -u numbers tee.out | tail -n 3
cp -a old copy; mv copy moved; ls -1
df /dev/null | wc -l; mount | grep -c proc
ps -o pid,comm | grep -c '^ *1 '
mkfifo never; nc -l -p 4000 <> never > received & until grep -q :0FA0 /proc/net/tcp /proc/net/tcp6; do usleep 10000; done; echo over tcp | nc 127.0.0.1 4000; wait; cat received
ash -c 'echo nested; exit 7'; echo $?
nosuchcommand; echo $?
rm -rf bin never
