#!/bin/bash
#: filter s/[0-9]+ bytes.*copied.*/copied/
#: filter s/line ([0-9]+): *[0-9]+ /line \1: PID /
#: filter s/, [0-9.e-]+ s, .*B\/s$//
# coreutils that start, limit and signal processes.
timeout 0.2 sleep 5; echo $?; timeout -s KILL 0.2 sleep 5; echo $?; timeout -k 0.2 0.2 sh -c 'trap "" TERM; sleep 2 & wait; sleep 2'; echo $?; timeout 5 sh -c 'exit 7'; echo $?
nice -n 5 nice; nice -n 5 nice -n 5 nice; nohup echo hup < /dev/null; env -i A=1 B=2 env; env -u HOME sh -c 'echo ${HOME-unset}'; env --chdir=/ pwd; env nosuch; echo $?; env /etc/passwd; echo $?; env -S 'echo split'
stdbuf -oL echo buffered; nproc --all > /dev/null; echo $?; chroot / /bin/echo in chroot; chroot --userspec=65534:65534 / id; chroot /nonexistent true; echo $?; setpriv --reuid=1 --regid=2 --clear-groups id
setarch i386 uname -m; setarch x86_64 uname -m; uname -sno; arch > /dev/null; id; groups; whoami; logname; tty; echo $?; stty size; hostid > /dev/null; who; users; pinky > /dev/null; uptime > /dev/null
sleep 0.1 0.1; kill -l 9; /bin/kill -l HUP; sleep 10 & /bin/kill -USR1 $!; wait $!; echo $?; yes | head -n 3; yes > /dev/full; echo $?; true; false; echo $?; printenv HOME; tee a b <<< x; cat a b; tee -p /dev/full < a; echo $?
mkfifo p; cat p > r & echo fifo > p; wait; cat r; dd if=p of=/dev/null & sleep 1; kill -USR1 $! ; sleep 1; : > p; wait; ulimit -f 1; dd if=/dev/zero of=toolong bs=1K count=10 status=none; echo $?; ls -s toolong | tail -n 1; prlimit --nofile=17 sh -c 'ulimit -n'
taskset -p 1 $$ > /dev/null; echo $?; ionice -c 3 true; echo $?; chrt -p $$ | sed 's/pid [0-9]*/pid/'; setsid -w echo session; flock lock echo locked; runuser -u nobody -- id -un; su nobody -s /bin/sh -c 'id -u'; getent passwd root; getent hosts localhost; getopt -o ab: -- -a -b c d; mountpoint /proc; ipcs -l | head -n 3; ipcmk -Q > /dev/null; ipcs -q | tail -n 2 | wc -l
