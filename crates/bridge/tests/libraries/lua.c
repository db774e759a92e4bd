/* Lua both ways: the program calls it, it calls the program, and errors of either leave what is between. Prints the same with the 64-bit library. With an
 * argument nothing looks into the library's memory, which in a server is not here. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

static lua_State *L;
static int remote;

/* Through Lua back into this function. */
static int factorial(lua_State *state)
{
	lua_Integer n = luaL_checkinteger(state, 1);
	if (n <= 1) {
		lua_pushinteger(state, 1);
		return 1;
	}
	lua_getglobal(state, "again");
	lua_pushinteger(state, n - 1);
	lua_callk(state, 1, 1, 0, NULL);
	lua_pushinteger(state, n * lua_tointegerx(state, -1, NULL));
	return 1;
}

/* An error inside as many functions of both sides as is asked for. */
static int sink(lua_State *state)
{
	lua_Integer left = luaL_checkinteger(state, 1);
	if (left == 0)
		return luaL_error(state, "at the %s: %d %f %c", "bottom", -7, 2.5, '!');
	lua_getglobal(state, "sink");
	lua_pushinteger(state, left - 1);
	if (left % 4 != 0) {
		lua_callk(state, 1, 0, 0, NULL);
		return luaL_error(state, "not reached");
	}
	int status = lua_pcallk(state, 1, 0, 0, 0, NULL);
	lua_pushfstring(state, "%s; %d again at %d", lua_tolstring(state, -1, NULL), status, (int)left);
	return lua_error(state);
}

static int closure(lua_State *state)
{
	lua_Integer count = lua_tointegerx(state, lua_upvalueindex(1), NULL) + lua_gettop(state);
	lua_pushinteger(state, count);
	lua_copy(state, -1, lua_upvalueindex(1));
	return 1;
}

static int finish(lua_State *state, int status, lua_KContext context)
{
	lua_pushinteger(state, status * 1000 + (int)context + lua_tointegerx(state, -1, NULL));
	return 1;
}

/* Leaves the program by a jump as an error does, and goes on in `finish`. */
static int yields(lua_State *state)
{
	lua_pushinteger(state, 21);
	return lua_yieldk(state, 1, -77, finish);
}

static int point_get(lua_State *state)
{
	double *point = luaL_checkudata(state, 1, "point");
	if (remote)
		lua_pushnumber(state, 1.5);
	else
		lua_pushnumber(state, point[luaL_checkinteger(state, 2)]);
	return 1;
}

static int point_new(lua_State *state)
{
	double x = luaL_checknumber(state, 1), y = luaL_optnumber(state, 2, 0.25);
	double *point = lua_newuserdatauv(state, 2 * sizeof *point, 1);
	if (!remote) {
		point[0] = x;
		point[1] = y;
	}
	luaL_setmetatable(state, "point");
	return 1;
}

static const luaL_Reg functions[] = {{"factorial", factorial}, {"sink", sink}, {"yields", yields}, {"point", point_new}, {NULL, NULL}};

struct text {
	const char *at;
	size_t left;
};

static const char *read_part(lua_State *state, void *user, size_t *size)
{
	static char part[8];
	struct text *text = user;
	(void)state;
	*size = text->left < 7 ? text->left : 7;
	memcpy(part, text->at, *size);
	text->at += *size;
	text->left -= *size;
	return *size ? part : NULL;
}

struct dump {
	unsigned long bytes, parts;
};

static int write_part(lua_State *state, const void *part, size_t size, void *user)
{
	struct dump *dump = user;
	(void)state;
	dump->bytes += size && !memchr(part, 0xff, 0) ? size : 0;
	dump->parts++;
	return 0;
}

static void hook(lua_State *state, lua_Debug *debug)
{
	lua_getinfo(state, "Sl", debug);
	printf("hook %d %d %s %zu\n", debug->event, debug->currentline, debug->short_src, debug->srclen);
}

static void try(const char *text)
{
	int status = luaL_loadstring(L, text);
	if (status == LUA_OK)
		status = lua_pcallk(L, 0, LUA_MULTRET, 0, 0, NULL);
	printf("%d", status);
	for (int i = 1; i <= lua_gettop(L); i++) {
		size_t size = 0;
		const char *shown = luaL_tolstring(L, i, &size);
		if (lua_type(L, i) > LUA_TSTRING)
			printf(" %s", lua_typename(L, lua_type(L, i)));
		else
			printf(" %zu:%s", size, shown);
		lua_settop(L, -2);
	}
	printf("\n");
	lua_settop(L, 0);
}

int main(int count, char **words)
{
	(void)words;
	remote = count > 1;
	L = luaL_newstate();
	luaL_openlibs(L);
	printf("%g %d\n", lua_version(L), lua_gc(L, LUA_GCISRUNNING));
	luaL_newmetatable(L, "point");
	lua_pushcclosure(L, point_get, 0);
	lua_setfield(L, -2, "__index");
	lua_settop(L, 0);
	lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
	luaL_setfuncs(L, functions, 0);
	lua_settop(L, 0);
	lua_pushinteger(L, 100);
	lua_pushcclosure(L, closure, 1);
	lua_setglobal(L, "closure");
	try("function again(n) return factorial(n) end return factorial(15), 2^53, 1 << 62");
	try("return closure(1, 2), closure(), closure(nil)");
	try("sink(1)");
	try("local t = {} for i = 1, 13 do t[i] = select(2, pcall(sink, i)) end return #t, t[3], t[13]");
	try("local bad = 0 for i = 1, 3000 do if not pcall(sink, i % 6) then bad = bad + 1 end end return bad");
	try("return string.rep('x', 5), 'a\\0b', ('%5.2f|%q'):format(3.14159, 'q\\n')");
	try("local co = coroutine.wrap(function() return yields() end) local one = co() return one, co(4)");
	try("return point(3, 4)[1], point(7)[1], pcall(function() return point('x') end)");
	try("return nil + 1");
	try("syntax error here");
	try("return select('#', table.unpack({}, 1, 200)), math.maxinteger // -1, -7 // 2, 7.5 % -2");
	try("local s = 0 for k, v in pairs({a = 1, b = 2, 10, 20}) do s = s + v end table.sort({3, 1, 2}, function(a, b) return a < b end) return s");

	const char *source = "local sum = ... for i = 1, 100 do sum = sum + i end return sum, 'read in parts \\0 of seven'";
	struct text text = {source, strlen(source)};
	int loaded = lua_load(L, read_part, &text, "=parts", "t");
	struct dump dump = {0, 0};
	lua_dump(L, write_part, &dump, 0);
	printf("%d %d", loaded, dump.parts > 10 && dump.bytes > 100);
	lua_pushinteger(L, 5);
	lua_pcallk(L, 1, 2, 0, 0, NULL);
	int is_integer = 0;
	lua_Integer sum = lua_tointegerx(L, 1, &is_integer);
	printf(" %lld %d %llu", sum, is_integer, lua_rawlen(L, 2));
	lua_pushlstring(L, "with\0zero", 9);
	size_t size = 0;
	const char *zero = lua_tolstring(L, -1, &size);
	printf(" %zu %d\n", size, memcmp(zero, "with\0zero", 10));
	lua_settop(L, 0);

	lua_State *thread = lua_newthread(L);
	lua_getglobal(thread, "yields");
	int results = 0, first = lua_resume(thread, L, 0, &results);
	printf("%d %d %lld", first, results, lua_tointegerx(thread, -1, NULL));
	lua_settop(thread, -2);
	lua_pushinteger(thread, 8);
	int second = lua_resume(thread, L, 1, &results);
	printf(" %d %d %lld\n", second, results, lua_tointegerx(thread, -1, NULL));
	lua_settop(L, 0);

	lua_sethook(L, hook, LUA_MASKLINE, 0);
	try("local a = 1\nlocal b = 2\nreturn a + b");
	printf("%d %d\n", lua_gethook(L) == hook, lua_gethookmask(L));
	lua_sethook(L, NULL, 0, 0);
	lua_Debug debug;
	memset(&debug, 0, sizeof debug);
	lua_getglobal(L, "again");
	lua_getinfo(L, ">Su", &debug);
	printf("%s %s %d %d\n", debug.what, debug.source, debug.linedefined, debug.nparams);
	lua_getglobal(L, "sink");
	printf("%d %d\n", lua_tocfunction(L, -1) == sink, lua_iscfunction(L, -1));
	lua_close(L);
	return 0;
}
