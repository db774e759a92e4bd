#!/bin/bash
#: timeout 120
# coreutils as filters, on enough data for sort to use threads and temporary files.
gawk 'BEGIN { srand(7); for (i = 0; i < 300000; i++) printf "%d %08x\n", rand() * 1e6, rand() * 4294967295 }' > data
sort -n data | sha256sum; sort -k2 --parallel=4 -S 2M -T /work data | sha256sum; sort -u -k1,1n data | wc -l; sort -R --random-source=data data | wc -l; sort -c data; echo $?
for p in md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum; do $p data; done; sha256sum data > sums; sha256sum -c sums; echo x >> data; sha256sum -c sums; echo $?
split -l 50000 -d data part.; ls part.*; cat part.* | cmp - data && echo same; split -n 3 data n. ; wc -c n.*; split -b 1M --filter='wc -c' data; csplit -s data 1000 '{2}'; wc -l xx*; rm -f part.* n.* xx*
head -n 1000 data > small; cut -d' ' -f2 small | tr a-f A-F | sort | uniq -c | sort -rn | head -n 2; join <(sort small) <(sort small) | wc -l; comm -12 <(sort small) <(sort data) | wc -l
tac small | md5sum; rev small | md5sum; nl small | tail -n 1; fmt -w 60 small | md5sum; fold -w 7 small | md5sum; pr -l 20 -h x -D date small | md5sum; paste -s small | wc; expand small | unexpand -a | md5sum; od -A d -t x1z small | tail -n 2
seq 0 0.1 1 | paste -sd+ | bc; seq -w 8 11; factor 18446744073709551557 340282366920938463463374607431768211455; numfmt --to=iec 123456789; numfmt --from=si 1.5G; printf '%s %5.2f %x\n' a 3.14159 255; expr length abc + 1; expr abc : 'a\(.\)c'
echo test | base32; base64 -w 20 small | head -n 1; basenc --z85 -i <<< x 2>&1; shuf -i 1-100 --random-source=data | md5sum; tsort <<< 'a b b c'; ptx <<< 'the quick fox' ; date -d '2038-01-19 03:14:08 UTC' +%s; date -d '2001-01-01 +1 month' +%F; date -d @-3000000000 +%c
tail -c 20 data; (tail -f -n 1 --pid=$$ small & p=$!; sleep 1; echo appended >> small; sleep 2; kill $p; wait $p; echo $?); rm data small
