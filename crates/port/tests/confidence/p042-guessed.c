/* A member whose type is not known is not what it is a member of. */
#include "nowhere.h"
#include <string.h>
typedef struct { char name[32]; unknown_t reserved[4]; long number; } image_t;
void guessed(int from, image_t *const image)
{
    memcpy(&image->reserved, &from, sizeof from);
    memcpy(&image->number, &from, sizeof from); /* possible */
}
