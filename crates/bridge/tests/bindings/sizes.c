#include "layouts.h"
#include <stdio.h>

#define SIZE(name) printf("%s %zu\n", #name, sizeof(struct name))

int main(void)
{
    SIZE(packed), SIZE(packed_small), SIZE(bits), SIZE(bits_later), SIZE(bits_shared), SIZE(bits_apart), SIZE(bits_between);
    SIZE(bits_wide), SIZE(bits_split), SIZE(bits_float), SIZE(bits_packed), SIZE(aligned), SIZE(over), SIZE(nested), SIZE(exact);
    SIZE(tight), SIZE(quad), SIZE(four), SIZE(flat), SIZE(holds), SIZE(small);
}
