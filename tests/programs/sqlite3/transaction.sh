#!/bin/bash
# sqlite3: 100,000 rows in one transaction, an index, an integrity check, journals of both kinds, and a rollback by SIGKILL.
sqlite3 db <<'S'
create table t (id integer primary key, a integer, b text, c real);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) insert into t select i, i * 7919 % 100003, printf('row %08d', i), i / 7.0 from n;
commit;
create index ta on t (a); create index tb on t (b, c);
pragma integrity_check;
select count(*), sum(a), max(b), round(avg(c), 6) from t; select a % 10, count(*) from t group by 1 order by 1; select * from t where a between 500 and 503 order by a;
update t set b = upper(b) where a < 1000; delete from t where id % 3 = 0; pragma integrity_check; vacuum; pragma page_count; select count(*) from t;
explain query plan select * from t where a = 5; select json_group_array(id) from (select id from t limit 5); select hex(sha3(b)) is null from t limit 1; pragma foreign_key_check;
.tables
.schema
S
echo "status $?"; ls -l --time-style=+ db; sha256sum db
sqlite3 wal 'pragma journal_mode=wal; create table t(x); insert into t values(1); select * from t; pragma wal_checkpoint;' ; for i in 1 2 3 4; do (for j in $(seq 25); do sqlite3 -cmd '.timeout 20000' wal "insert into t values($i)"; done) & done; wait; sqlite3 wal 'select x, count(*) from t group by x; pragma integrity_check'
(echo 'begin; update t set b = 1; select "ready";'; sleep 5) | sqlite3 db & sleep 1; pkill -9 -x sqlite3; wait; sqlite3 db 'pragma integrity_check; select count(*) from t where b = 1'; sqlite3 db .dump | sha256sum; sqlite3 db 'pragma mmap_size=100000000; select sum(length(b)) from t'; sqlite3 db 'syntax error'; echo "status $?"; rm wal*
