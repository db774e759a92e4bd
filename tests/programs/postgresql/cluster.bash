# What the cases share: a cluster in /work/data that belongs to postgres, which has no other way to run, and a 64-bit client.
chown postgres /work
PATH=/usr/lib/postgresql/15/bin:$PATH
export PGHOST=/work PGPORT=7432
pgbench64=(/opt/amd64/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path /opt/amd64/usr/lib/x86_64-linux-gnu /opt/amd64/usr/bin/pgbench)
as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
start() { as pg_ctl -D data -l log -w -t 60 start > /dev/null; echo "started $?"; }
make_cluster() {
	as initdb -D data -E UTF8 --locale=C.UTF-8 --data-checksums -A trust > /dev/null; echo "initdb $?"
	echo "unix_socket_directories = '/work'
port = 7432
timezone = 'UTC'
jit = off
$1" >> data/postgresql.conf
	start
}
# pgbench writes each amount into four tables.
consistent() {
	as psql -qAtX postgres -c "select a = b and b = t and t = h from (select (select sum(abalance) from pgbench_accounts) a,
		(select sum(bbalance) from pgbench_branches) b, (select sum(tbalance) from pgbench_tellers) t, (select sum(delta) from pgbench_history) h) s"
}
