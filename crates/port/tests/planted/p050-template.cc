#include <cstdio>
struct PLANT_state { int kind; long length; short flags; };
extern FILE *PLANT_file;
template <class T> void PLANT_put(const T &value) { fwrite(&value, sizeof value, 1, PLANT_file); }
void PLANT_save(const PLANT_state &state) { PLANT_put(state); } /* here */
/* in a function */
