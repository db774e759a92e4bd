#!/bin/bash
#: timeout 120
#: filter s/[0-9.]+ ?[KMG]iB\/s/RATE/g
# tar, gzip, bzip2, xz, zstd, zip, cpio by tar: what goes in comes out, and what went in is the same bytes.
mkdir -p t/d; cp -a /usr/share/perl/5.36.0/unicore t/; ln -s d t/link; mkfifo t/fifo; touch t/ünïcödé "t/with space"; printf 'x%.0s' {1..200} > t/$(printf 'l%.0s' {1..150}); ln t/ünïcödé t/hard; chmod 4711 t/d; chown 100:200 t/link t/d -h; truncate -s 20M t/sparse; setfattr -n user.x -v y t/d 2>/dev/null
touch -d '2010-10-10 10:10:10.5' t/d; find t -exec touch -h -d '2010-10-10' {} +
for f in gnu pax ustar; do tar --format=$f --sort=name --numeric-owner --mtime=@1 --pax-option=exthdr.name=%d/x,delete=atime,delete=ctime -cSf $f.tar t; sha256sum $f.tar; tar tvf $f.tar | sha256sum; done
mkdir o; tar xpf gnu.tar -C o; diff -r --no-dereference t o/t && echo equal; stat -c '%a %u %g %Y' o/t/d; stat -c '%s %b' o/t/sparse; tar df gnu.tar -C o; echo $?; tar --delete -f gnu.tar t/d; tar rf gnu.tar t/d; tar uf gnu.tar t/d; tar tf gnu.tar | tail -n 2; tar xOf gnu.tar t/hard | wc -c
tar cf big.tar -C /usr/bin . 2>/dev/null; tar -tf big.tar | wc -l
gzip -n9 < pax.tar | tee p.gz | sha256sum; bzip2 < pax.tar | tee p.bz | sha256sum; xz -6 -T1 < pax.tar | tee p.xz | sha256sum; xz -T2 -0 --block-size=1MiB < pax.tar | sha256sum; zstd -q -3 --single-thread < pax.tar | tee p.zst | sha256sum; zstd -q -T2 -10 < pax.tar | zstd -dq | cmp - pax.tar && echo zstd
gzip -t p.gz; gzip -l p.gz; zcat p.gz | cmp - pax.tar; bzcat p.bz | cmp - pax.tar; xzcat p.xz | cmp - pax.tar; xz -l p.xz | tail -n 1; zstdcat p.zst | cmp - pax.tar; echo broken | gzip -d; echo $?; head -c 1000 p.xz | xz -d | wc -c; tar xzf p.gz -C /tmp; rm -rf /tmp/t; tar xJf p.xz t/hard -C /tmp; tar caf a.tar.xz t; tar tf a.tar.xz | wc -l
TZ=UTC zip -qrX z.zip t/unicore t/d; unzip -l z.zip | tail -n 1; unzip -tq z.zip; mkdir u; unzip -q z.zip -d u; diff -r t/unicore u/t/unicore && echo zip
rm -rf o u t *.tar *.zip p.* a.tar.xz /tmp/t
