// What is refused where a template is used is found for 64 bits alone, and not where it is refused for both.
template <class T> T word(T value)
{
    static_assert(sizeof(T) == 4, "a word has 4 bytes"); /* certain */
    return value;
}
template <class T> T triple(T value)
{
    static_assert(sizeof(T) == 3, "three bytes");
    return value;
}
long f(long n) { return word(n); }
int g(int n) { return triple(n); }
