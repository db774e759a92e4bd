/* A database in memory: statements, callbacks, text and blobs, 100,000 rows. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int row(void *user, int count, char **values, char **names)
{
	long *sum = user;
	*sum += atol(values[0]) + (values[1] ? (long)strlen(values[1]) : 0);
	if (*sum % 1000 == 0)
		printf("%d %s=%s\n", count, names[0], values[0]);
	return 0;
}

static void twice(sqlite3_context *context, int count, sqlite3_value **values)
{
	if (count == 1)
		sqlite3_result_int64(context, 2 * sqlite3_value_int64(values[0]));
}

int main(void)
{
	sqlite3 *database;
	char *message = NULL;
	sqlite3_stmt *statement;
	printf("%s %d\n", sqlite3_libversion(), sqlite3_threadsafe());
	printf("%d\n", sqlite3_open(":memory:", &database));
	printf("%d\n", sqlite3_exec(database, "create table t(id integer primary key, name text, data blob, x real); begin", NULL, NULL, &message));
	printf("%d", sqlite3_exec(database, "create tabel u", NULL, NULL, &message));
	printf(" %s\n", message);
	sqlite3_free(message);
	const char *tail;
	const char *sql = "insert into t values(?, ?, ?, ?); select 1";
	printf("%d", sqlite3_prepare_v2(database, sql, -1, &statement, &tail));
	printf(" %s\n", tail);
	for (int i = 0; i < 100000; i++) {
		char name[32];
		int length = snprintf(name, sizeof name, "row %d", i);
		sqlite3_bind_int64(statement, 1, i + (1LL << 40));
		sqlite3_bind_text(statement, 2, name, length, SQLITE_TRANSIENT);
		sqlite3_bind_blob(statement, 3, name, i % 10, SQLITE_TRANSIENT);
		sqlite3_bind_double(statement, 4, i / 4.0);
		if (sqlite3_step(statement) != SQLITE_DONE) {
			printf("%s\n", sqlite3_errmsg(database));
			return 1;
		}
		sqlite3_reset(statement);
	}
	printf("%d %lld\n", sqlite3_finalize(statement), (long long)sqlite3_last_insert_rowid(database));
	printf("%d\n", sqlite3_create_function(database, "twice", 1, SQLITE_UTF8, NULL, twice, NULL, NULL));
	long sum = 0;
	printf("%d", sqlite3_exec(database, "select count(*), name from t group by id % 7", row, &sum, NULL));
	printf(" %ld\n", sum);
	sqlite3_prepare_v2(database, "select id, name, data, x, twice(id) from t where id % 9999 = 5 order by x desc", -1, &statement, NULL);
	while (sqlite3_step(statement) == SQLITE_ROW) {
		printf("%lld %s", (long long)sqlite3_column_int64(statement, 0), sqlite3_column_text(statement, 1));
		printf(" %.*s %g", sqlite3_column_bytes(statement, 2), (const char *)sqlite3_column_blob(statement, 2), sqlite3_column_double(statement, 3));
		printf(" %lld\n", (long long)sqlite3_column_int64(statement, 4));
	}
	sqlite3_finalize(statement);
	char *text = sqlite3_mprintf("%d %s %5.1f", 7, "a", 2.25);
	printf("%s\n", text);
	sqlite3_free(text);
	printf("%d\n", sqlite3_close(database));
	return 0;
}
