/* Where no pointer is cut, a number was none. */
extern int kept;
extern char *text;
void made(void)
{
    text = (char *)kept; /* possible */
}
