#!/bin/sh
# usage: rootfs.sh DIR
# Makes two Debian i386 trees for the program suite: DIR/foreign, unpacked and not configured (what `debootstrap --foreign`
# leaves), and DIR/full, the same tree configured by the kernel at hand, with the programs that the cases run. A tree that this
# very script made before is kept. Exit status 77: it cannot be done on this machine, and the last line of stderr says why.
# Call it in a mount namespace of its own: what it mounts, it leaves.
set -eu

suite=bookworm
packages="apache2-utils bc binutils busybox-static bzip2 curl diffutils expect file findutils g++-12 gawk gcc-12 gdb-minimal gdbserver git gzip jq \
    libc6-dev libpython3.11-testsuite lua5.4 m4 make netbase nginx-light openssl patch perl postgresql-15 procps psmisc python3.11 redis-server \
    rsync sqlite3 strace tar tcl unzip xz-utils zip zstd"

cannot() { echo "$*" >&2; exit 77; }

dir=$1
stamp=$(sha256sum < "$0")
[ "$(cat "$dir/stamp" 2>/dev/null)" != "$stamp" ] || exit 0
[ "$(id -u)" = 0 ] || cannot "making a Debian tree needs root"
command -v debootstrap >/dev/null || cannot "debootstrap is not installed"

# The machine's own mirror, which is the one that answers here.
mirror=$(awk '/^URIs:/ { print $2; exit } /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^http/) { print $i; exit } }' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -1)
mirror=${mirror:-http://deb.debian.org/debian}

rm -rf "$dir"
mkdir -p "$dir"
echo "making a Debian $suite i386 tree from $mirror (a few minutes, once)" >&2
debootstrap --foreign --arch=i386 --variant=minbase "$suite" "$dir/foreign" "$mirror" > "$dir/log" 2>&1 ||
    cannot "debootstrap --foreign failed: $(tail -1 "$dir/log")"

full=$dir/full
cp -a "$dir/foreign" "$full"
chroot "$full" /bin/true 2>/dev/null || cannot "this kernel runs no i386 programs, so there is nothing to compare with"
chroot "$full" /debootstrap/debootstrap --second-stage >> "$dir/log" 2>&1

# Ways to reach the mirror (proxies, clocks), but not hooks that call programs of this machine.
for file in $(grep -ls '^Acquire' /etc/apt/apt.conf.d/*); do cp "$file" "$full/etc/apt/apt.conf.d/"; done
cp /etc/resolv.conf "$full/etc/resolv.conf"
printf '127.0.0.1 localhost cell\n::1 localhost\n' > "$full/etc/hosts"
cat > "$full/etc/apt/sources.list" <<EOF
deb $mirror $suite main
deb-src $mirror $suite main
EOF
# No daemon starts because it was installed.
printf '#!/bin/sh\nexit 101\n' > "$full/usr/sbin/policy-rc.d"
chmod 755 "$full/usr/sbin/policy-rc.d"
# Nor are databases made.
mkdir "$full/etc/postgresql-common"
echo 'create_main_cluster = false' > "$full/etc/postgresql-common/createcluster.conf"
# Made anew rather than saved from a power failure.
echo force-unsafe-io > "$full/etc/dpkg/dpkg.cfg.d/unsafe-io"
echo 'APT::Sandbox::User "root";' > "$full/etc/apt/apt.conf.d/sandbox"
mount -t proc proc "$full/proc"
cat > "$full/inside" <<EOF
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -qq
apt-get install -y -qq --no-install-recommends $packages
# A package for the cases to install, and perl's own tests.
mkdir -p /srv/debs /usr/src/perl
cd /srv/debs
apt-get download -qq hello
cd /usr/src/perl
apt-get source -qq --download-only perl
tar -xJf perl_*.orig.tar.xz --strip-components=1 --wildcards '*/t' '*/lib' '*/Porting/exec-bit.txt'
rm -f perl_*
# SQLite in one file, for the compiler.
mkdir /usr/src/sqlite /usr/src/build
cd /usr/src/build
apt-get source -qq --download-only sqlite3
tar -xJf sqlite3_*.orig.tar.xz --strip-components=1
{ CC=gcc-12 BUILD_CC=gcc-12 ./configure --build=i686-linux-gnu && make sqlite3.c shell.c; } > log 2>&1 || { tail -1 log; false; }
mv sqlite3.c sqlite3.h shell.c /usr/src/sqlite
rm -rf /usr/src/build
cd /usr/src/perl
rm -rf /var/lib/apt/lists/*
# They expect the libraries beside them, as in perl's build directory; the packaged ones, compiled ones too, serve.
for from in /usr/lib/i386-linux-gnu/perl/5.*.* /usr/share/perl/5.*.* /usr/lib/i386-linux-gnu/perl-base; do
    cp -rsn "\$from"/. lib/
done
EOF
chroot "$full" sh /inside >> "$dir/log" 2>&1 || cannot "installing packages failed: $(tail -1 "$dir/log")"
rm "$full/inside"
umount "$full/proc"
# 64-bit programs that ask i386 servers, with their libraries.
fetch="$(dirname "$0")/../../packaging/debian-packages.sh"
{ "$fetch" "$suite" amd64 "$full/opt/amd64" libpq5 apache2-utils && "$fetch" --alone "$suite" amd64 "$dir/server" postgresql-15; } >> "$dir/log" 2>&1 ||
    cannot "fetching 64-bit packages failed: $(tail -1 "$dir/log")"
mv "$dir/server/usr/lib/postgresql/15/bin/pgbench" "$full/opt/amd64/usr/bin"
rm -rf "$dir/server" "$dir/server.apt" "$full/opt/amd64.apt"

echo "$stamp" > "$dir/stamp"
