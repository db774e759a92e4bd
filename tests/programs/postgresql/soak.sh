#!/bin/bash
#: full
#: timeout 200
#: ignore /work/*
# PostgreSQL under 64-bit clients for SOAK seconds, with checkpoints, vacuums, new connections and reports meanwhile: nothing fails, nothing is lost.
. /cases/cluster.bash
seconds=${SOAK:-30}
make_cluster 'checkpoint_timeout = 30s
max_wal_size = 64MB
autovacuum_naptime = 5s'
as pgbench -q -i -s 5 postgres 2>/dev/null; echo "filled $?"
as "${pgbench64[@]}" -n -c 6 -j 2 -T "$seconds" -M prepared postgres > bench & as "${pgbench64[@]}" -n -C -c 2 -T "$seconds" -b simple-update@1 -b select-only@5 postgres > connects &
end=$((SECONDS + seconds)); rounds=0
while [ $SECONDS -lt $end ]; do
	as psql -qAtX postgres -c 'select count(*) = 500000, min(length(filler)), max(length(filler)) from pgbench_accounts' >> reports; as psql -qX postgres -c 'vacuum pgbench_tellers' -c checkpoint
	as pg_dump -s postgres | grep -vE '^(--|.(un)?restrict )' | sha256sum >> reports; rounds=$((rounds + 1)); sleep 2
done
wait; sort -u reports; [ $rounds -gt 2 ] && echo 'many rounds'
cat bench connects | grep '^number of failed'; awk '/actually processed/ && $6 > 100 { print "many transactions" }' bench connects
# simple-update leaves branches and tellers alone.
as psql -qAtX postgres -c 'select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history), (select sum(bbalance) from pgbench_branches) = (select sum(tbalance) from pgbench_tellers)'
as pg_ctl -D data -w -m fast stop | tail -1; as pg_checksums --check -D data | grep bad
# A vacuum of the server's own gives way to whoever wants the table, and is ended when the server is.
grep -vE 'canceling autovacuum task|terminating (connection|autovacuum process) due to administrator command' log | grep -oE '(PANIC|FATAL|ERROR).*'; echo 'nothing else is logged'
