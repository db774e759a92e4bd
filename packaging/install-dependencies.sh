#!/usr/bin/env bash
# usage: packaging/install-dependencies.sh [build|dist|test|full] [--print]
#
# Installs what is missing, and only that, on Debian 12, Debian 13 and their relatives:
#   build  what `make build` and `make demo` need: a Rust toolchain >= 1.85, a C compiler, and those for the 32-bit programs
#          inside biarch: for i386, ARM and AArch64 with their C libraries (crates/compare/worker, crates/bridge/runtime)
#   dist   that, and what `make dist` needs: a linker, the C libraries and Rust's standard library for AArch64
#   test   what `build` installs, and what `make test` needs: 32-bit C libraries, libclang, Go, QEMU, debootstrap, busybox, pip
#   full   all of these, and what `make bench` and `make test-full` need: qemu-i386, the programs that `biarch check` is compared
#          with, and what it takes to build a kernel for AArch64
# With --print it only says what it would install. Says nothing when there is nothing to do. Uses sudo when it is not root.
# It never removes a package: where one would have to go, it stops and says so.
set -euo pipefail

level=build print=
for word in "$@"; do
    case $word in
        build | dist | test | full) level=$word ;;
        --print) print=1 ;;
        *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
    esac
done

minimum=85 # Rust 1.85, the rust-version of Cargo.toml
packages=()

have() { command -v "$1" >/dev/null 2>&1; }
# need COMMAND PACKAGE…: the packages, unless there is such a command, wherever it came from.
need() { have "$1" || packages+=("${@:2}"); }
# need_file FILE PACKAGE…: for what is known by a file.
need_file() { [ -e "$1" ] || packages+=("${@:2}"); }

# The minor version of `cargo`, or 0. A toolchain of rustup counts when it is on the PATH.
cargo_minor() { (cargo --version 2>/dev/null || true) | awk '{ split($2, v, "."); print (v[1] > 1 ? 999 : v[2] + 0) } END { if (!NR) print 0 }'; }
aarch64=aarch64-unknown-linux-gnu
# Whether the first rustc on the PATH has the standard library for AArch64.
have_std() {
    local directory
    directory=$(rustc --print target-libdir --target $aarch64 2>/dev/null) && compgen -G "$directory/libstd-*.rlib" >/dev/null
}
# The minor version of Rust that a Debian package called cargo or cargo-web would bring, or 0. Debian 12's cargo counted
# differently: 0.66 is Rust 1.65.
candidate_minor() {
    apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ { split($2, v, "."); print (v[1] == "1" ? v[2] + 0 : 0); found = 1 } END { if (!found) print 0 }'
}

if ! have apt-get; then
    missing=()
    [ "$(cargo_minor)" -ge $minimum ] || missing+=("cargo >= 1.$minimum (rustup.rs)")
    have cc || missing+=("a C compiler with the static C library")
    have i686-linux-gnu-gcc || missing+=("i686-linux-gnu-gcc with the static C library")
    have arm-linux-gnueabihf-gcc || missing+=("arm-linux-gnueabihf-gcc with the C library")
    have aarch64-linux-gnu-gcc || missing+=("aarch64-linux-gnu-gcc with the C library")
    if [ "$level" = dist ] || [ "$level" = full ]; then
        have_std || missing+=("Rust's standard library for $aarch64")
        have dpkg-deb || missing+=("dpkg-deb")
    fi
    if [ "$level" = test ] || [ "$level" = full ]; then
        have qemu-system-x86_64 || missing+=("qemu-system-x86_64")
        have qemu-system-aarch64 || missing+=("qemu-system-aarch64")
    fi
    [ ${#missing[@]} = 0 ] && exit 0
    printf 'install-dependencies: this is not a Debian. Please install:\n' >&2
    printf '  %s\n' "${missing[@]}" >&2
    exit 1
fi

as_root() { env DEBIAN_FRONTEND=noninteractive "$@"; }
if [ "$(id -u)" != 0 ]; then
    as_root() { sudo env DEBIAN_FRONTEND=noninteractive "$@"; }
fi

need cc gcc libc6-dev
have cc && need_file "/usr/lib/$(uname -m)-linux-gnu/libc.a" libc6-dev
need_file /etc/ssl/certs/ca-certificates.crt ca-certificates
# Never gcc-multilib: it conflicts with the cross compiler.
need i686-linux-gnu-gcc gcc-i686-linux-gnu
need_file /usr/i686-linux-gnu/lib/libc.a libc6-dev-i386-cross
# The runtime of bridges for AArch64, which is inside biarch.
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
need_file /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
need arm-linux-gnueabihf-gcc gcc-arm-linux-gnueabihf
need_file /usr/arm-linux-gnueabihf/include/stdio.h libc6-dev-armhf-cross
rust=
[ "$(cargo_minor)" -ge $minimum ] || rust=1

std=
if [ "$level" = dist ] || [ "$level" = full ]; then
    need_file /usr/aarch64-linux-gnu/lib/libc.a libc6-dev-arm64-cross
    need_file /usr/arm-linux-gnueabihf/lib/libc.a libc6-dev-armhf-cross
    have_std || std=1
fi
if [ "$level" = test ] || [ "$level" = full ]; then
    need go golang-go
    need c++ g++
    need qemu-system-x86_64 qemu-system-x86 seabios
    need qemu-system-aarch64 qemu-system-arm
    # The kit's script runs with the shell that boards have.
    need busybox busybox
    # Root's tools are not on everybody's PATH.
    [ -x /usr/sbin/debootstrap ] || need debootstrap debootstrap
    # What 32-bit containers are started with.
    [ -x /usr/sbin/runc ] || need runc runc
    need crun crun
    need bwrap bubblewrap
    # What makes the archives and images that `biarch check` reads.
    need cpio cpio
    need mksquashfs squashfs-tools
    need mcopy mtools
    for tool in mke2fs:e2fsprogs sfdisk:fdisk mkfs.vfat:dosfstools; do
        [ -x "/usr/sbin/${tool%:*}" ] || need "${tool%:*}" "${tool#*:}"
    done
    for tool in bzip2 lz4 lzop zstd; do need $tool $tool; done
    need xz xz-utils
    # The 32-bit loader and libraries of the dynamic guests, and musl for those guests that are built with it.
    need_file /lib/ld-linux.so.2 libc6:i386
    # A library that bridges call.
    need_file /usr/lib/i386-linux-gnu/libz.so.1 zlib1g:i386
    need_file /usr/lib/i386-linux-musl/libc.a musl-dev:i386
    # What `biarch port` parses with: a shared library, the headers that belong to it, and those of the architectures that it knows.
    need_file "/usr/lib/$(uname -m)-linux-gnu/libclang-19.so.1" libclang1-19
    need_file /usr/lib/llvm-19/lib/clang/19/include/stddef.h libclang-common-19-dev
    # What `compare --static` and `compare --counts` are compared with.
    need pahole dwarves
    need valgrind valgrind
    # BitBake, which the tests of `check --fix` ask, comes from PyPI.
    python3 -m pip --version >/dev/null 2>&1 || packages+=(python3-pip)
fi
if [ "$level" = full ]; then
    have qemu-i386 || need qemu-i386-static qemu-user-static
    need scanelf pax-utils
    need_file /usr/lib/python3/dist-packages/elftools python3-pyelftools
    need checksec checksec
    # A kernel is configured and built from its source, which is an xz archive.
    need flex flex
    need bison bison
    need bc bc
    need xz xz-utils
fi

# Rust's standard library for AArch64 comes from where Rust came from.
rustup=
if [ -n "$std" ] && [ -z "$rust" ]; then
    rustc=$(command -v rustc)
    if have rustup && [ "$(dirname "$rustc")" = "$(dirname "$(command -v rustup)")" ]; then
        rustup=1
    else
        case $(dpkg -S "$rustc" 2>/dev/null) in
            rustc:*) packages+=(libstd-rust-dev:arm64) ;;
            rustc-web:*) packages+=(libstd-rust-web-dev:arm64) ;;
            *) echo "install-dependencies: $rustc has no standard library for $aarch64, and comes neither from rustup nor from Debian" >&2; exit 1 ;;
        esac
    fi
fi

[ -n "$rust$rustup" ] || [ ${#packages[@]} != 0 ] || exit 0
foreign=()
for architecture in i386 arm64; do
    case "${packages[*]-} ${rust:+${std:+:arm64}} " in
        *:$architecture\ *) dpkg --print-foreign-architectures | grep -qx $architecture || foreign+=("$architecture") ;;
    esac
done
if [ -n "$print" ]; then
    for architecture in ${foreign[@]+"${foreign[@]}"}; do echo "dpkg --add-architecture $architecture"; done
    [ -z "$rustup" ] || echo "rustup target add $aarch64"
    printf '%s\n' ${rust:+"cargo >= 1.$minimum${std:+, with its standard library for $aarch64}"} ${packages[@]+"${packages[@]}"}
    exit 0
fi

if [ -n "$rustup" ]; then
    echo "installing Rust's standard library for $aarch64" >&2
    rustup --quiet target add $aarch64
    [ ${#packages[@]} != 0 ] || exit 0
fi
if [ "$(id -u)" != 0 ] && ! have sudo; then
    echo "install-dependencies: neither root nor sudo; as root, run: packaging/install-dependencies.sh $level" >&2
    exit 1
fi
for architecture in ${foreign[@]+"${foreign[@]}"}; do as_root dpkg --add-architecture "$architecture"; done
as_root apt-get update -qq || echo "install-dependencies: apt-get update failed; trying with the old lists" >&2

if [ -n "$rust" ]; then
    # Debian 12's cargo is too old, but it has a newer one beside it, for building web browsers.
    if [ "$(candidate_minor cargo)" -ge $minimum ]; then
        packages+=(cargo rustc ${std:+libstd-rust-dev:arm64})
    elif [ "$(candidate_minor cargo-web)" -ge $minimum ]; then
        packages+=(cargo-web rustc-web ${std:+libstd-rust-web-dev:arm64})
    else
        echo "install-dependencies: no cargo >= 1.$minimum in this distribution's archive; see https://rustup.rs, then try again" >&2
        exit 1
    fi
fi

echo "installing ${packages[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! as_root apt-get install -y -qq --no-remove --no-install-recommends "${packages[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    if grep -q 'no-remove\|need to be removed\|REMOVED' "$log"; then
        echo "install-dependencies: the above packages conflict with something installed. Nothing was removed; please decide yourself." >&2
        [ -z "$rust" ] || echo "install-dependencies: a toolchain from https://rustup.rs conflicts with nothing" >&2
    fi
    exit 1
fi
if [ "$(cargo_minor)" -lt $minimum ]; then
    echo "install-dependencies: the first cargo on the PATH, $(command -v cargo), is still older than 1.$minimum" >&2
    exit 1
fi
