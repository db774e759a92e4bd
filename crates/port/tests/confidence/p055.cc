// pair: i386:arm64
// In C++ a wchar_t is a type of its own.
int compared(wchar_t w, char16_t c)
{
    int all = 0;
    all += w < 0; /* certain */
    all += w >= 0; /* certain */
    all += w == L'a';
    all += w == -1;
    all += w == 0xffffffff;
    all += c < 0;
    return all;
}
