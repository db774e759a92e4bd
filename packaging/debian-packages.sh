#!/usr/bin/env bash
# usage: packaging/debian-packages.sh [--alone] [--packed | --source] SUITE ARCHITECTURE DIR PACKAGE…
#
# Downloads packages of a Debian suite and unpacks them into DIR (or, --packed, leaves them in DIR as they are), with what they
# depend on (or, --alone, without). --source: the sources of these packages instead, each unpacked into DIR/PACKAGE. Installs
# nothing, needs no root, and leaves the machine's own apt alone: the lists and the cache are DIR.apt/. The signatures are
# checked as ever. PACKAGE may be a shell pattern: the newest version that it matches. Does nothing when DIR already holds
# these packages, so delete DIR for newer ones.
# The mirror is BIARCH_MIRROR, or this machine's own if it is a Debian, or deb.debian.org.
set -euo pipefail

alone= packed= source=
[ "${1-}" = --alone ] && { alone=1; shift; }
[ "${1-}" = --packed ] && { packed=1; shift; }
[ "${1-}" = --source ] && { source=1; shift; }
[ $# -ge 4 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
suite=$1 architecture=$2 dir=$3
shift 3
wanted="$suite $architecture ${alone:+alone }${packed:+packed }${source:+source }$*"
if [ "$(cat "$dir.apt/done" 2>/dev/null)" = "$wanted" ]; then exit 0; fi

own_mirror() {
    # shellcheck disable=SC1091
    [ "$(. /etc/os-release && echo "${ID-}")" = debian ] || return 0
    find /etc/apt/sources.list /etc/apt/sources.list.d -type f \( -name '*.list' -o -name '*.sources' \) -exec awk '
        /^URIs:/ { u = $2 } /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z+]+:\//) { u = $i; break } }
        !found && u ~ /\/debian\/?$/ { print u; found = 1 }' {} + 2>/dev/null || true
}
mirror=${BIARCH_MIRROR:-$(own_mirror)}
mirror=${mirror:-http://deb.debian.org/debian}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keyring ] || { echo "debian-packages: $keyring is missing; install debian-archive-keyring" >&2; exit 1; }

rm -rf "$dir" "$dir.apt"
mkdir -p "$dir" "$dir.apt"/{lists/partial,debs/partial,preferences.d}
apt=$(cd "$dir.apt" && pwd)
: >"$apt/status"
kind="deb [arch=$architecture signed-by=$keyring]"
[ -z "$source" ] || kind="deb-src [signed-by=$keyring]"
echo "$kind $mirror $suite main" >"$apt/sources.list"
cat >"$apt/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
APT::Get::Assume-Yes "true";
Acquire::Languages "none";
Acquire::Retries "3";
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::State::extended_states "$apt/extended_states";
Dir::Cache "$apt";
Dir::Cache::archives "$apt/debs";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::preferences "-";
Dir::Etc::preferencesparts "$apt/preferences.d";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
export APT_CONFIG=$apt/apt.conf
quietly() { "$@" >"$apt/log" 2>&1 || { cat "$apt/log" >&2; echo "debian-packages: $wanted: $1 failed" >&2; exit 1; }; }
quietly apt-get -qq update
if [ -n "$source" ]; then
    for name in "$@"; do
        mkdir "$apt/$name"
        # apt has checked the .dsc and what it names by the signed list.
        (cd "$apt/$name" && quietly apt-get -qq source --download-only --only-source "$name" && quietly dpkg-source --no-check -x ./*.dsc source)
        mv "$apt/$name/source" "$dir/$name"
        (cd "$apt/$name" && ls -- *.dsc) >>"$apt/packages"
        rm -rf "${apt:?}/$name"
    done
    rm -rf "$apt/lists"
    echo "$wanted" >"$apt/done"
    exit 0
fi
names=()
for name in "$@"; do
    case $name in *[*?[]*)
        pattern=$name
        # shellcheck disable=SC2053
        name=$(apt-cache pkgnames | while read -r n; do if [[ $n == $pattern ]]; then echo "$n"; fi; done | sort -V | tail -n 1)
        [ -n "$name" ] || { echo "debian-packages: nothing in $suite/$architecture matches $pattern" >&2; exit 1; } ;;
    esac
    names+=("$name")
done
set -- "${names[@]}"
if [ -n "$alone" ]; then
    (cd "$apt/debs" && quietly apt-get -qq download "$@")
else
    quietly apt-get -qq install --download-only --no-install-recommends "$@"
fi

# Which versions these are.
(cd "$apt/debs" && ls -- *.deb) >"$apt/packages"

if [ -n "$packed" ]; then
    mv "$apt"/debs/*.deb "$dir"
    rm -rf "$apt/debs" "$apt/lists"
    echo "$wanted" >"$apt/done"
    exit 0
fi

# One /usr, as on every Debian: packages of Debian 12 still have files in /lib.
for name in bin sbin lib; do
    mkdir -p "$dir/usr/$name"
    ln -sfn "usr/$name" "$dir/$name"
done
for deb in "$apt"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --keep-directory-symlink --no-same-owner
done
rm -rf "$apt/debs" "$apt/lists"
echo "$wanted" >"$apt/done"
