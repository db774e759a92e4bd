// pair: i386:arm64
/* AArch64 has eight registers for arguments. */
void list_of(const char *first, ...);
void calls(char *s)
{
    list_of(s, s, s, s, s, s, s, 0); /* possible */
    list_of(s, s, s, s, s, s, s, s, 0); /* probable */
}
