#!/bin/bash
# Every program of the tree says its version, or what it does with such an argument.
#: full
#: timeout 600
#: filter s/[0-9]+\.[0-9]+s$/SECONDS/; s/([a-z])\[[0-9]+\]/\1[PID]/; s/pid=[0-9]+/PID/
export TERM=dumb HOME=/root
for program in /bin/* /sbin/* /usr/games/*; do
    [ -f "$program" ] && [ ! -L "$program" ] && [ "$(head -c 5 "$program" | tr -d '\0')" = $'\x7fELF\x01' ] || continue
    # It kills all other processes, whatever it is asked.
    [ "${program##*/}" != killall5 ] || continue
    said=$(timeout -k 1 20 "$program" --version 2>&1 < /dev/null | tr -d '\0' | head -c 2000; echo "status ${PIPESTATUS[0]}")
    printf '%s: %s\n' "$program" "$said"
done
