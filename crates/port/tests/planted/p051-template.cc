#include <cstdio>
template <typename T> static bool PLANT_get(FILE *in, T &value) { return fread(&value, sizeof(T), 1, in) == 1; }
bool PLANT_load(FILE *in, unsigned long &count) { return PLANT_get(in, count); } /* here */
/* in a function */
