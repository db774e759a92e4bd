#!/bin/sh
# Collects what `biarch check` needs to know about this machine, and writes it into biarch-kit.txt: a text to read, to send,
# and to give to `biarch check` on another machine. Nothing is changed here. It needs a POSIX shell, sed and uname; root sees
# more (the kernel's log).
# usage: sh check.sh [FILE]

LC_ALL=C
export LC_ALL
output=${1:-biarch-kit.txt}
here=$(dirname -- "$0") || exit 2
release=$(uname -r) || exit 2

quote() { sed 's/^/| /'; }

# file PATH: its text, or why not.
file() {
    printf '[%s]\n' "$1"
    if [ ! -e "$1" ]; then
        echo '! No such file or directory'
    elif text=$(cat -- "$1" 2>&1); then
        printf '%s\n' "$text" | quote
    else
        printf '%s\n' "$text" | sed 's/^/! /'
    fi
}

# The kernel's configuration, the first that is there.
configuration() {
    for path in @CONFIGS@; do
        [ -r "$path" ] || continue
        printf '[config %s]\n' "$path"
        case $path in
            *.gz) (zcat <"$path" || gzip -dc <"$path" || gunzip -c <"$path") 2>/dev/null | quote ;;
            *) quote <"$path" ;;
        esac
        return
    done
    echo '[config]'
    echo '! No such file or directory'
}

# probe NAME: runs it. A shell says why it could not be run on standard error.
probe() {
    printf '[probe %s]\n' "$1"
    program=$here/probe-$1
    [ -x "$program" ] || chmod +x "$program" 2>/dev/null
    text=$("$program" 2>&1)
    status=$?
    printf '%s\n' "$text" | quote
    [ $status = 0 ] || printf '! exit %s %s\n' $status "$(printf '%s\n' "$text" | sed -n '$p')"
}

collect() {
    echo 'biarch-kit 1'
    echo '[uname]'
    echo "| release $release"
    echo "| machine $(uname -m)"
    for path in @FILES@; do
        file "$path"
    done
    configuration
    echo '[loaders]'
    for path in @LOADERS@; do
        [ ! -e "$path" ] || echo "| $path"
    done
    case $(uname -m) in
@PROBES@
    esac
    echo '[log]'
    if text=$(dmesg 2>&1); then
        printf '%s\n' "$text" | grep -E '@LOG@' | quote
    else
        printf '%s\n' "$text" | sed 's/^/! /'
    fi
    echo '[end]'
}

if collect >"$output"; then
    echo "wrote $output; now, where biarch is: biarch check $output"
else
    echo "check.sh: cannot write $output; try: sh check.sh /tmp/biarch-kit.txt" >&2
    exit 2
fi
