#!/bin/bash
#: full
#: timeout 600
#: ignore /work/*
# SQLite in one file is compiled again and again for SOAK seconds, two at a time, in eight ways: each has the same code every time.
end=$((SECONDS + ${SOAK:-30}))
flags=('-O0 -g' -O1 '-O2 -fPIC' -Os '-O2 -march=pentium3' '-O1 -fsanitize=undefined' '-O0 -m32 -masm=intel' '-O1 -flto')
compile() { gcc-12 $1 -frandom-seed=1 -c /usr/src/sqlite/sqlite3.c -o "$2.o" 2>&1 && echo "$1 $(sha256sum < "$2.o")"; }
work() {
	for ((i = $1; ; i = (i + 2) % 8)); do compile "${flags[i]}" "$1"; [ $SECONDS -lt $end ] || ((i < 6)) || break; done > "log$1"
}
work 0 & work 1 & wait
sort -u log0 log1
gcc-12 -O1 -o shell /usr/src/sqlite/shell.c /usr/src/sqlite/sqlite3.c -lpthread -ldl -lm && echo 'select sqlite_version(); with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select sum(i * i) from n;' | ./shell
