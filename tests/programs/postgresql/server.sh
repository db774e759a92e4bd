#!/bin/bash
#: timeout 240
#: ignore /work/*
# PostgreSQL: a cluster is made, 64-bit and 32-bit clients work at once, parallel workers, a crash and what is recovered from it, a dump that is read back.
. /cases/cluster.bash
make_cluster
q() { as psql -qAtX "$@" postgres; }
as pgbench -q -i -s 2 postgres 2>/dev/null; echo "filled $?"
# What each client does is known beforehand, and their sum is the same in any order.
as "${pgbench64[@]}" -n -c 4 -j 2 -t 250 --random-seed=1 -M prepared postgres > bench64; grep -E '^number of (transactions actually|failed)' bench64
as pgbench -n -c 4 -t 250 --random-seed=2 postgres > bench32; grep -E '^number of (transactions actually|failed)' bench32
consistent; q -c 'select sum(abalance), sum(abs(abalance)) from pgbench_accounts'
q <<'S'
select version() ~ 'i686.*32-bit', pg_size_bytes(current_setting('block_size')), current_setting('shared_memory_type'), current_setting('dynamic_shared_memory_type');
create table t as select i, i * 7919 % 100003 as a, md5(i::text) as b, i / 7.0 as c, '2038-01-19 03:14:07+00'::timestamptz + i * interval '1 day' as d from generate_series(1, 200000) i;
set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set max_parallel_workers_per_gather = 2;
create index on t using btree (a); create index on t using hash (b); create index on t using brin (d); create index on t using gin (to_tsvector('simple', b)); vacuum analyze t;
explain (costs off) select a % 10, count(*), sum(c) from t group by 1;
select a % 10, count(*), round(sum(c), 4), min(b), max(d) from t group by 1 order by 1 limit 4;
select count(*) from t x join t y on x.a = y.i where x.b < y.b; select 2::numeric ^ 200, sqrt(2::float8), 1e308::float8 * 0.9, 7::int8 << 40, -9223372036854775808 % -1::int8;
select i from t where b = md5('777'); select b from t order by b collate "C" limit 2; select jsonb_agg(i order by i) from t where i < 5; select to_tsvector('english', 'the quick brown foxes') @@ 'fox';
create function f(n int) returns int language plpgsql as $$ begin return case when n < 2 then n else f(n - 1) + f(n - 2) end; end $$; select f(20); do $$ begin raise exception 'mine'; exception when others then raise notice '% %', sqlstate, sqlerrm; end $$;
select pg_sleep(0.2) is null; set statement_timeout = 100; select pg_sleep(5);
S
echo "status $?"; (echo 'listen news; select 1;'; sleep 1; echo 'select 2;') | as psql -qAtX postgres | sed 's/PID [0-9]*/PID/' & sleep 0.4; q -c "notify news, 'hello'"; wait
# A backend that is killed takes all others with it, and the server recovers; then the whole server is.
(echo 'select pg_backend_pid();'; echo 'select pg_sleep(20);') | as psql -qAtX postgres > pid 2>/dev/null & until [ -s pid ]; do sleep 0.1; done; kill -9 "$(cat pid)"; wait; until q -c 'select 1' 2>/dev/null; do sleep 0.1; done; consistent
q -c "begin; insert into t select 0 from generate_series(1, 1000); select pg_sleep(20)" 2>/dev/null & sleep 0.5; pkill -9 postgres; wait; sleep 0.3; start; q -c 'select count(*) from t'; consistent; grep -c 'redo done' log
as pg_dump -t t -t 'pgbench_[abt]*' --no-sync postgres > dump; grep -vE "^(--|.(un)?restrict )" dump | sort | sha256sum; as createdb again; as psql -qAtX -o /dev/null again < dump; as psql -qAtX again -c 'select count(*), sum(hashtext(t::text)) from t'
as pg_ctl -D data -w -m fast stop | tail -1; grep -c PANIC log; pgrep -c postgres; ipcs -m | grep -c 0x
