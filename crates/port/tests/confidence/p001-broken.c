/* Options are missing that it is compiled with: so much of it is damaged that nobody knows what the rest is. */
struct state { int count; };
int broken(struct state *s, char *p)
{
    s->a1 = s->a2 + s->a3; s->a4 = s->a5 + s->a6;
    s->b1 = s->b2 + s->b3; s->b4 = s->b5 + s->b6;
    s->c1 = s->c2 + s->c3; s->c4 = s->c5 + s->c6;
    s->d1 = s->d2 + s->d3; s->d4 = s->d5 + s->d6;
    return s->count;
}
int whole(char *p)
{
    return (int)p; /* possible */
}
