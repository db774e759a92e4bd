/* A type that is made of one which is not known is an int to the compiler, whatever it is. */
#include <Xm/nowhere.h>
typedef unknown_t Cell;
typedef Cell Other;
typedef int Number;
int use(int of);
void damaged(char *p)
{
    use((Cell)p); /* possible */
    use((Other)p); /* possible */
    use((Number)p); /* probable */
    use((int)p); /* probable */
}
