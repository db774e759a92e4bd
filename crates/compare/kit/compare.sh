#!/bin/sh
# Measures the same work as a 32-bit and as a 64-bit program, in turns, and writes every sample into biarch-compare.txt: a text
# to read, to send, and to give to `biarch compare` on another machine. Nothing is changed here. It needs a POSIX shell, env, sed, tr
# and uname.
# usage: [ROUNDS=15] [BATCH=2000000] sh compare.sh [FILE [NAME…]]     BATCH is in nanoseconds

set -f
LC_ALL=C
export LC_ALL
output=${1:-biarch-compare.txt}
[ $# = 0 ] || shift
wanted=" $* "
rounds=${ROUNDS:-15}
batch=${BATCH:-2000000}
here=$(dirname -- "$0") || exit 2

fail() {
    echo "compare.sh: $1" >&2
    exit 2
}
case $rounds$batch in *[!0-9]*) fail "ROUNDS and BATCH are numbers" ;; esac
[ "$rounds" -ge 8 ] || fail "an interval needs at least 8 rounds"

case $(uname -m) in
@PAIRS@
    *) fail "there are no programs for $(uname -m) in this kit" ;;
esac

# Without `timeout` a program that hangs has to be ended by hand.
limit=
timeout 1 true 2>/dev/null && limit='timeout 60'

# A generator whose numbers fit everywhere; a fresh one for each run.
seed=$((($(date +%s) + $$) % 65521 + 1))
random() {
    seed=$((seed * 75 % 65537))
    drawn=$((seed % $1))
}

# worker ABI ARGUMENT…: its output in $said; the last argument is what is at the other end of benchmarks of two processes; the environment has a random size, and nothing else of this one.
worker() {
    abi=$1
    program=$here/worker-$abi
    shift
    random 4096
    said=$($limit env -i PATH=/usr/bin:/bin "BIARCH_PADDING=$(printf "%${drawn}s" '')" "$program" "$@" "$program" 2>&1)
}

for abi in $wide $narrow; do
    [ -x "$here/worker-$abi" ] || chmod +x "$here/worker-$abi" 2>/dev/null
    worker $abi exit || fail "$abi programs do not run here: $said"
done

quote() { tr '\000' ' ' | sed 's/^/| /'; }

machine() {
    echo '[uname]'
    echo "| release $(uname -r)"
    echo "| cpus $(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc 2>/dev/null || grep -c ^processor /proc/cpuinfo)"
    for path in @FILES@ $(ls @VULNERABILITIES@ 2>/dev/null | sed 's|^|@VULNERABILITIES@|'); do
        [ ! -r "$path" ] || { echo "[$path]" && quote <"$path" && echo; }
    done
    echo '[sides]'
    echo "| $wide"
    echo "| $narrow"
}

# turns NAME FIRST SECOND: every sample of both, each round in random order: side, count, result, nanoseconds of each batch.
turns() {
    most=0
    for abi in $2 $3; do
        worker $abi "$1" count $batch || { echo "! $abi: $(echo "$said" | tail -n 1)" && return; }
        count=$(echo "$said" | sed -n 's/^count //p')
        [ "$count" -le $most ] || most=$count
    done
    round=-1
    # The first round is a warm-up.
    while [ $round -lt $rounds ]; do
        random 2
        first=$drawn
        for side in $first $((1 - first)); do
            [ $side = 0 ] && abi=$2 || abi=$3
            worker $abi "$1" $most 3 || { echo "! $abi: $(echo "$said" | tail -n 1)" && return; }
            [ $round = -1 ] || sample
        done
        round=$((round + 1))
    done
}

# sample: a line of what the worker has said.
sample() {
    line="| $side $most"
    while read -r key value _; do
        case $key in check | ns) line="$line $key $value" ;; esac
    done <<SAID
$said
SAID
    echo "$line"
}

tell() {
    [ ! -t 2 ] || printf '\r%-60s' "$1" >&2
}

collect() {
    echo 'biarch-compare-kit 1'
    machine
    for name in @SELF_CHECK@; do
        tell "the same program on both sides: $name"
        echo "[self-check $name]"
        turns $name $wide $wide
    done
    while read -r suite name title; do
        case $wanted in
            '  ' | *" $suite "* | *" $name "*) ;;
            *) continue ;;
        esac
        tell "$suite $name"
        echo "[benchmark $suite $name $title]"
        turns $name $wide $narrow </dev/null
    done <<'BENCHMARKS'
@BENCHMARKS@
BENCHMARKS
    echo '[end]'
    tell ''
}

: >"$output" || fail "cannot write $output; try: sh compare.sh /tmp/biarch-compare.txt"
collect >"$output" || fail "cannot write $output; try: sh compare.sh /tmp/biarch-compare.txt"
[ ! -t 2 ] || echo >&2
echo "wrote $output; now, where biarch is: biarch compare $output"
