#!/usr/bin/env bash
# usage: packaging/debian-sources.sh SUITE DIR PACKAGE…
#
# Unpacks the source packages of a Debian suite, with Debian's patches, into DIR/PACKAGE, and lets each configure itself, where it
# can, so that its config.h is there. Installs nothing and needs no root; apt's lists are DIR.apt/. The signatures of the lists are
# checked as ever. A package that is there already is left alone. What cannot be had is named, and makes the exit status 1.
# The mirror is BIARCH_MIRROR, or deb.debian.org.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
suite=$1 dir=$2
shift 2
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keyring ] || { echo "debian-sources: $keyring is missing; install debian-archive-keyring" >&2; exit 1; }
command -v dpkg-source >/dev/null || { echo "debian-sources: dpkg-source is missing; install dpkg-dev" >&2; exit 1; }

mkdir -p "$dir" "$dir.apt/lists/partial" "$dir.apt/archives/partial"
apt=$(cd "$dir.apt" && pwd)
: >"$apt/status"
echo "deb-src [signed-by=$keyring] ${BIARCH_MIRROR:-http://deb.debian.org/debian} $suite main" >"$apt/sources.list"
cat >"$apt/apt.conf" <<END
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
END
export APT_CONFIG=$apt/apt.conf
[ -n "$(find "$apt/lists" -name '*Sources*' -mtime -30)" ] || apt-get -qq update

status=0
for package; do
    [ -d "$dir/$package" ] && continue
    work=$(mktemp -d "$dir/.unpack.XXXXXX")
    # Where a mirror lacks Debian's part, what the authors have written is enough.
    if (cd "$work" && { apt-get -qq source "$package" ||
        { apt-get -qq source --tar-only "$package" && mkdir tree && tar -xf ./*.orig.tar.* -C tree --strip-components=1; }; }) \
        >"$apt/$package.log" 2>&1; then
        tree=$(find "$work" -mindepth 1 -maxdepth 1 -type d)
        # Of what configure does only config.h is wanted; where it fails, the files are analysed without.
        if [ -x "$tree/configure" ]; then
            (cd "$tree" && timeout 120 ./configure </dev/null) >>"$apt/$package.log" 2>&1 ||
                echo "debian-sources: $package cannot configure itself; $apt/$package.log" >&2
        fi
        mv "$tree" "$dir/$package"
    else
        echo "debian-sources: no source of $package in $suite; $apt/$package.log" >&2
        status=1
    fi
    rm -rf "$work"
done
exit $status
