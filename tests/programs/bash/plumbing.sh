#!/bin/bash
# Pipes, here-documents, process substitution, redirections.
yes | head -n 200000 | wc -l; echo "${PIPESTATUS[*]}"
seq 100000 | tee >(wc -l > count1) | grep -c 9; until [ -s count1 ]; do sleep 0.05; done; cat count1
diff <(printf 'a\nb\n') <(printf 'a\nc\n'); paste -d, <(seq 3) <(seq 4 6)
cat <<EOF; cat <<'EOF'; cat <<-EOF
here $((1 + 1)) `echo command`
EOF
here $((1 + 1)) `echo command`
EOF
	tabs go
	EOF
exec 3> three 4>&1; echo to three >&3; echo to stdout >&4; exec 3>&- 4>&-; cat three; exec 5<> both; echo rw >&5; cat both
{ echo out; echo err >&2; } 2>&1 >/dev/null | sed 's/^/caught /'; { echo out; echo err >&2; } |& sort
echo data > f; set -o noclobber; echo again > f; echo "status $?"; echo forced >| f; cat f; set +o noclobber
x=$(< f); echo "$x"; head -c 100000 /dev/zero | tr '\0' x > big; x=$(< big); echo ${#x}; cat <<< "$x" | wc -c
exec 6< <(seq 5); while read -r -u 6 n; do echo -n "$n "; done; echo; false | true | false; echo "${PIPESTATUS[@]}"; set -o pipefail; false | true; echo $?
cat < nosuchfile; echo $?; echo x > /dev/full; echo $?; /work; echo $?; nosuch; echo $?; echo > /proc/version; echo $?
(echo a; sleep 0.2; echo b) | while read -r -t 5 l; do echo "line $l"; done; read -r -n 3 l <<< abcdef; echo "$l"; read -t 0.05 < <(sleep 1); echo "timed out $(($? > 128))"
exec 7<>/dev/tcp/127.0.0.1/1 ; echo "status $?"; for i in {1..200}; do echo $(echo $i); done | tail -n 1; sleep 1.2 & wait
