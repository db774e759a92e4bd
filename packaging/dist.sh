#!/usr/bin/env bash
# usage: packaging/dist.sh      (make dist installs what it needs)
#
# Into target/dist, for x86-64 and AArch64: the static program, a Debian package, and the SHA-256 sums of all. Needs an x86-64
# machine, on which both programs are compiled; root is not needed. Whatever cannot be made is named, and the exit status is 1.
# The dates in the packages are SOURCE_DATE_EPOCH, by default that of the last commit: the same source gives the same packages.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

fail() { echo "dist: $*" >&2; exit 1; }
[ "$(uname -m)" = x86_64 ] || fail "this is $(uname -m), and make dist needs an x86-64 machine; make build makes biarch for this one"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
umask 022

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
homepage=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
dist=$PWD/target/dist
stage=$PWD/target/dist-stage
rm -rf "$dist" "$stage"
mkdir -p "$dist" "$stage"

# program TARGET STRIP NAME: the static program.
program() {
    local target=$1 strip=$2 out=$dist/$3
    command -v "$strip" >/dev/null || { echo "dist: no $3: $strip is missing; packaging/install-dependencies.sh dist" >&2; return 1; }
    "${CARGO:-cargo}" build --quiet --locked --release --package biarch --target "$target" || { echo "dist: no $3: see above" >&2; return 1; }
    "$strip" -o "$out" "target/$target/release/biarch"
    # It must not need anything of the machine that it is brought to.
    ! readelf -lW "$out" | grep -q INTERP || { echo "dist: no $3: it is not static" >&2; rm "$out"; return 1; }
}

# What is the same for every architecture, made by the program of this one.
documents() {
    local biarch=$1 usr=$stage/documents/usr page
    mkdir -p "$usr/share/man/man1" "$usr/share/bash-completion/completions" "$usr/share/zsh/vendor-completions" \
        "$usr/share/fish/vendor_completions.d" "$usr/share/doc/biarch" "$usr/share/lintian/overrides"
    "$biarch" man "$usr/share/man/man1"
    "$biarch" completions bash >"$usr/share/bash-completion/completions/biarch"
    "$biarch" completions zsh >"$usr/share/zsh/vendor-completions/_biarch"
    "$biarch" completions fish >"$usr/share/fish/vendor_completions.d/biarch.fish"
    cp README.md SECURITY.md docs/known-gaps.md docs/entry-designs.md "$usr/share/doc/biarch"
    cp CHANGELOG.md "$usr/share/doc/biarch/changelog"
    gzip -9n "$usr/share/doc/biarch/changelog" "$usr"/share/man/man1/*
    {
        echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
        echo "Source: $homepage"
        printf '\nFiles: *\nCopyright: the biarch contributors\nLicense: Expat or Apache-2.0\n\nLicense: Expat\n'
        sed 's/^$/./; s/^/ /' LICENSE-MIT
        printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
    } >"$usr/share/doc/biarch/copyright"
    echo 'biarch: statically-linked-binary [usr/bin/biarch]' >"$usr/share/lintian/overrides/biarch"
}

# package ARCHITECTURE PROGRAM DESCRIPTION: the Debian package.
package() {
    local architecture=$1 root=$stage/$1
    cp -r "$stage/documents" "$root"
    install -D "$dist/$2" "$root/usr/bin/biarch"
    mkdir "$root/DEBIAN"
    cat >"$root/DEBIAN/control" <<END
Package: biarch
Version: $version
Architecture: $architecture
Maintainer: the biarch contributors <biarch@users.noreply.github.com>
Installed-Size: $(du -ks --apparent-size "$root/usr" | cut -f 1)
Suggests: libclang1-19, libclang-common-19-dev
Section: utils
Priority: optional
Homepage: $homepage
Description: 32-bit software on 64-bit Linux
 biarch check says what will go wrong, or be slow, for 32-bit programs on a
 machine, a kernel, a root file system or a build tree, and how to mend it.
$3
END
    (cd "$root" && find usr -type f | sort | xargs md5sum >DEBIAN/md5sums)
    dpkg-deb --root-owner-group --build "$root" "$dist/biarch_${version}_$architecture.deb" >/dev/null
}

missing=0
if program x86_64-unknown-linux-gnu strip "biarch-$version-x86_64"; then
    documents "$dist/biarch-$version-x86_64"
    package amd64 "biarch-$version-x86_64" " .
 biarch run runs unmodified i386 programs on kernels without 32-bit support."
else
    missing=1
fi
if program aarch64-unknown-linux-gnu aarch64-linux-gnu-strip "biarch-$version-aarch64"; then
    [ ! -d "$stage/documents" ] || package arm64 "biarch-$version-aarch64" " .
 On AArch64 it tells what 32-bit ARM programs find, and what i386 programs need."
else
    missing=1
fi
(cd "$dist" && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
exit $missing
