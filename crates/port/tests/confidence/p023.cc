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
