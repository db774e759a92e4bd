#include <fstream>
struct PLANT_state { int kind; char *name; };
template <typename T> void PLANT_store(std::ostream &out, T *from) { out.write(reinterpret_cast<const char *>(from), sizeof *from); }
void PLANT_save(std::ofstream &out, PLANT_state &state) { PLANT_store(out, &state); } /* here */
/* in a function */
