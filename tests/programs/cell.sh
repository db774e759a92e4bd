#!/bin/sh
# usage: cell.sh ROOT WORD…
# Runs WORD… with a /proc, /sys, /dev and loopback interface of its own mounted in ROOT, which WORD… itself enters. It is meant
# to be the first process of fresh process, mount, network, host name and IPC namespaces: what two runs can see of the machine is
# then the same, servers cannot meet on a port, and nothing survives the run.
set -eu
root=$1
shift
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t tmpfs -o mode=755 dev "$root/dev"
device() { mknod -m 666 "$root/dev/$1" c "$2" "$3"; }
device null 1 3
device zero 1 5
device full 1 7
device random 1 8
device urandom 1 9
device tty 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for fd in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/${fd%:*}" "$root/dev/${fd#*:}"; done
# IFF_UP and IFF_LOOPBACK, linux/if.h: the loopback interface comes up without a program for it.
echo 0x9 > "$root/sys/class/net/lo/flags"
echo cell > /proc/sys/kernel/hostname
ulimit -c 0
cd /
# This process is the namespace's init: not the one to be under test, because init ignores signals that it does not handle.
setsid "$@" && exit 0 || exit $?
