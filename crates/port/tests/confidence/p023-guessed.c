typedef word32 interval;
static int mark;

/* What is not known is an int to the compiler, which says nothing of its sign. */
int waits(interval length, int number)
{
    mark = length != 0xffffffffUL; /* possible */
    return mark + (number != 0xffffffffUL); /* possible */
}
