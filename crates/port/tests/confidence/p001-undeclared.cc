/* A type of a library that is not there is an int to the compiler. */
#include <Xm/nowhere.h>
typedef nowhere::variant<int, char *> answer;
typedef int number;
int use(int of);
void damaged(char *p)
{
    use((answer)p); /* possible */
    use((number)(long)p); /* probable */
}
