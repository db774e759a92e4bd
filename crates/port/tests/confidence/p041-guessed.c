/* A member whose type is not known is not what it is a member of. */
#include "nowhere.h"
#include <stdio.h>
typedef struct { char name[32]; unknown_t reserved[4]; char *data; } image_t;
void guessed(FILE *f, image_t *const image)
{
    fread(&image->reserved, 1, sizeof(int), f);
    fread(&image->data, 1, sizeof(int), f); /* possible */
}
