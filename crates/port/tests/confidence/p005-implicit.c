/* Conversions that nobody has written. */
void scan(int *to);
void longs(long *to);
void floats(float *to);
void doubles(double *to);
void bools(_Bool *to);

void implicit(int *fixed, long *list, double *real, float *single, _Bool *truth, char **names, struct one *of)
{
    int half;
    long n;
    longs(fixed); /* certain */
    longs(&half); /* certain */
    scan(&n); /* probable */
    scan(list); /* probable */
    longs(single); /* certain */
    floats(list); /* probable */
    longs(real); /* probable */
    doubles(list);
    longs(truth);
    bools(list);
    scan((int *)names); /* probable */
    longs((long *)names);
    longs((long *)of);
}

/* Who writes no cast does not mean it. */
enum type { NUMBER };
int get(int type, void **to);
void told(void)
{
    int half;
    get(NUMBER, &half); /* certain */
}
