#!/usr/bin/env bash
# usage: build.sh TRIPLET
#
# Configures and builds what is in this directory with the cross compiler TRIPLET-gcc, as its own authors mean it to be built. Each
# step is a line beginning with "==" of what it prints, which crates/port/src/matrix.rs reads. Installs nothing.
set -euo pipefail

[ $# = 1 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
host=$1
export CC=$host-gcc CXX=$host-g++ AR=$host-ar RANLIB=$host-ranlib STRIP=$host-strip NM=$host-nm OBJCOPY=$host-objcopy
export CC_FOR_BUILD=gcc BUILD_CC=gcc HOSTCC=gcc LC_ALL=C
# What is in the machine's own directories is not for the target.
export PKG_CONFIG_LIBDIR=/usr/lib/$host/pkgconfig:/usr/share/pkgconfig
command -v "$CC" >/dev/null || { echo "== compiler"; echo "$CC: command not found"; exit 1; }

step() {
    echo "== $1"
    shift
    "$@"
}
jobs=-j$(nproc)
if [ ! -e configure ] && { [ -e configure.ac ] || [ -e configure.in ]; }; then
    step autoreconf autoreconf -fi
fi
if [ -e configure ] && grep -q -e '--host' configure; then
    step configure sh ./configure --host="$host" --build="$(gcc -dumpmachine)" --prefix=/usr
    step make make "$jobs"
elif [ -e configure ]; then
    # One that somebody has written by hand looks at the environment.
    CHOST=$host step configure sh ./configure
    step make make "$jobs"
elif [ -e CMakeLists.txt ]; then
    step cmake cmake -S . -B biarch-build -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${host%%-*}" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX"
    step make cmake --build biarch-build "$jobs"
elif [ -e meson.build ]; then
    cat >biarch-cross <<END
[binaries]
c = '$CC'
cpp = '$CXX'
ar = '$AR'
strip = '$STRIP'
pkgconfig = 'pkg-config'
[host_machine]
system = 'linux'
cpu_family = '${host%%-*}'
cpu = '${host%%-*}'
endian = 'little'
END
    step meson meson setup --cross-file biarch-cross biarch-build
    step make ninja -C biarch-build
elif [ -e Makefile ] || [ -e makefile ] || [ -e GNUmakefile ]; then
    step make make "$jobs" CC="$CC" CXX="$CXX" AR="$AR" RANLIB="$RANLIB" STRIP="$STRIP"
else
    echo "== nothing"
    echo "there is no configure, CMakeLists.txt, meson.build or Makefile"
    exit 1
fi
