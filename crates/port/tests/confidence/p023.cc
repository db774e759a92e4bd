#include <cstddef>
const unsigned none = 0xffffffff;
const long no_size = 0xffffffff;
#define NONE 0xffffffffu
enum { NOTHING = 0xffffffff };

/* A constant that has a type is a mark of that, wherever it is kept. */
int marks(size_t at, char *p)
{
    if (at == none) /* possible */
        return 1;
    if (at == NONE) /* certain */
        return 2;
    if ((size_t)p == (size_t)none) /* possible */
        return 3;
    return at == NOTHING; /* certain */
}

#include <cassert>
typedef unsigned long own_word;
void starts() { assert(sizeof(own_word) == 4); } /* certain */
struct checker { checker() { assert(sizeof(own_word) == 4); } } check; /* certain */

/* A mark that is kept as it is, by a template as well, or that stands where nothing is said. */
#define OPEN 0xffffffff
size_t found(size_t);
template<typename T> size_t kept(T from, size_t most)
{
    size_t at = found(from), other = found(most);
    if (at > most)
        at = OPEN;
    if (other == OPEN) /* possible */
        return other;
    return at != OPEN ? at : 0;
}
size_t unless_said(size_t upto = OPEN, size_t most = 7)
{
    if (most == OPEN) /* certain */
        return 1;
    return upto == OPEN;
}
template<typename T> size_t marked(T from, size_t upto, size_t most)
{
    if (most == OPEN) /* certain */
        return 1;
    return upto == OPEN ? 0 : found(from);
}
template<typename T> size_t marks(T from) { return marked(from, OPEN, 7); }
size_t uses() { return kept(1, 2) + unless_said(); }
