extern long wide;
extern char *text;

void old(where, name, count, single, small, far, ratio)
    long where;
    char *name;
    int count;
    double single;
    char small;
    long long far;
    float ratio;
{
    *name = (char)(where + count + small + far + single + ratio);
}

void declared();
void declared(where)
    long where;
{
    wide = where;
}

void with_prototype(long where);
void with_prototype(where)
    long where;
{
    wide = where;
}

void defined_later(long where);
void takes(long where) { wide = where; }
void elsewhere();

void later(where)
    long where;
{
    wide = where;
}
void later(long where);

void calls(int n, char c, unsigned u)
{
    old(-1, text, 1, 1.0, 'a', 1LL, 1.0f); /* certain */
    old(wide, text, 1, 1.0, 'a', 1LL, 1.0f);
    old(1, text, 1, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(n, text, 1, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(c, text, 1, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, 0, 1, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, -1, 1, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, text, wide, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, text, -1L, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, text, text, 1.0, 'a', 1LL, 1.0f); /* possible */
    old(wide, text, c, 1.0, 'a', 1LL, 1.0f);
    old(wide, text, 1, 1.0, n, 1LL, 1.0f);
    old(wide, text, 1, wide, 'a', 1LL, 1.0f);
    old(text, text, 1, 1.0, 'a', 1LL, 1.0f);
    old(wide, text, 1, 1.0, 'a', n, 1.0f);
    old(wide, text, 1, 1.0, 'a', wide, 1.0f);
    old(wide, text, 1, 1.0, 'a', 1LL, wide);
    declared(-1); /* certain */
    with_prototype(-1);
    defined_later(-1);
    takes(-1);
    elsewhere(-1);
    later(-1);
}
