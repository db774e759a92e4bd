#!/bin/bash
# Arrays, expansions and patterns.
a=(one two three 'four five'); a+=(six); a[10]=ten
echo "${#a[@]}" "${!a[@]}" "${a[@]:1:2}" "${a[-1]}"; printf '<%s>' "${a[@]^^}"; echo
declare -A m=([x]=1 [y]=2 [z z]=3); for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort; unset 'm[y]'; echo ${#m[@]}
s=/usr/lib/i386-linux-gnu/libc.so.6
echo "${s##*/}" "${s%/*}" "${s/i386/x86_64}" "${s//l/L}" "${s:5:3}" "${#s}" "${nothing:-default}" "${s@Q}"
mapfile -t lines < <(printf '%s\n' {a..e}{1..3}); echo "${#lines[@]} ${lines[7]}"
[[ foobar =~ ^(fo+)(b.*)$ ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
shopt -s extglob globstar nullglob; mkdir -p d/e/f; touch d/a.c d/e/b.c d/e/f/c.h
echo **/*.c d/!(a.c); case file.tar.gz in *.@(gz|xz)) echo compressed;; esac
IFS=: read -r u p n <<< 'root:x:0:rest'; echo "$u $p $n"; declare -n ref=u; ref=changed; echo "$u"
set -- x y z; shift; echo "$# $*"; f() { echo "${FUNCNAME[0]} $1 ${BASH_SOURCE[0]##*/}"; }; f arg
declare -p a m | sort
