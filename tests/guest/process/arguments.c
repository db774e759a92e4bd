// Arguments that are called as options of biarch's own.
//# args: --help --vdso 1 --trace --json -- -o --unknown -h --
#include "expect.h"

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) say("%d: %s", i, argv[i]);
    equal("nothing was taken", argc, 11);
    return finish();
}
