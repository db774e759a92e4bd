/* A member whose type is not known, or that is not known itself, is not what it is a member of. */
#include "nowhere.h"
#include <stdio.h>
typedef struct { char name[32]; unknown_t reserved[4]; char *data; } image_t;
struct known { char *data; long number; };
void guessed(FILE *f, image_t *const image, struct known *known)
{
    fread(&image->reserved, 1, 4, f);
    fread(&image->data, 1, 4, f); /* possible */
    fread(known->unknown, 1, 8, f);
    fread(known, 1, 8, f); /* possible */
}
