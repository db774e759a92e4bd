#!/bin/sh
# What coreutils do to files: everything that stat shows of it.
umask 022
touch -d '1999-12-31 23:59:59.123456789' old; touch -d '2040-01-01' new; touch -r old copy; touch -h -d @1 nothing; ln -s old sym; touch -h -d @3 sym
TZ=Europe/Paris stat -c '%n %F %s %a %h %u %g %Y %y %b %B' old new copy sym; touch -h -d @86400 sym; stat -c '%Y %N' sym
mkdir -p a/b/c; mkdir -m 1777 sticky; mknod fifo p; mknod null c 1 3; stat -c '%n %F %a %t %T' a sticky fifo null
echo content > f; cp f g; cp -l f hard; cp -s f soft; cp -a a a2; cp --reflink=auto f r; stat -c '%n %h' f hard; mv -n g f; mv g h
install -D -m 4755 -o 5 -g 6 f x/y/installed; stat -c '%a %u %g' x/y/installed; chmod u+x,g=r,o-r f; chown -R 7:8 a2; chgrp 9 f; ls -lnR --time-style=+ .| sed 's/^total.*/total/'
rm -r a2; rmdir a/b/c; rmdir a; rm h; unlink r; ls -Q; ls -m; ls -1F; ls -x -w 40; ls --sort=size -1; ls nosuch; echo $?
truncate -s 3G sparse; stat -c '%s %b' sparse; truncate -s +1T sparse; stat -c %s sparse; dd if=sparse bs=1M skip=3000 count=1 status=none | sha1sum; rm sparse
dd if=/dev/urandom of=rnd bs=64K count=4 iflag=fullblock status=none; wc -c < rnd; rm rnd; printf abc | dd of=f conv=notrunc seek=2 bs=1 status=none; cat f; echo
dd if=/dev/zero bs=1K count=3 2>&1 >/dev/null | head -n 2; shred -n1 -z -u soft 2>/dev/null; ls soft; sync f; realpath -s x/../x/y; readlink -f sym; mktemp -u XXXX | wc -c
df --output=target /work | tail -n 1; du -s --apparent-size x; stat -f -c '%T %s' /proc; pathchk -p 'a*b'; echo $?; link hard l2; stat -c %h l2; test -k sticky -a -p fifo -a -L sym && echo tests
setfattr 2>/dev/null; chcon x f 2>/dev/null; ls -la --time-style=+%Y old new; cat > long.$(printf 'n%.0s' $(seq 240)) < f; echo $?; cat > $(printf 'n%.0s' $(seq 256)) < f; echo $?
