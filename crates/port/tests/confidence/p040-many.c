/* Most of many errors come from the header of a library that is missing; so many are not known to come from anything where none is. */
#include <popt/nowhere.h>
#include <stdlib.h>
struct option { int a, b; } options[] = {
    { A01, B01 }, { A02, B02 }, { A03, B03 }, { A04, B04 }, { A05, B05 }, { A06, B06 }, { A07, B07 }, { A08, B08 }, { A09, B09 }, { A10, B10 },
    { A11, B11 }, { A12, B12 }, { A13, B13 }, { A14, B14 }, { A15, B15 }, { A16, B16 }, { A17, B17 }, { A18, B18 }, { A19, B19 }, { A20, B20 },
};
char **names(int count) { return malloc(count * 4); } /* certain */
char **unknown(int count) { count += A01; return malloc(count * 4); } /* possible */
