#include <stddef.h>
struct PLANT_Archive { template <class T> PLANT_Archive &operator<<(const T &value); };
void PLANT_save(PLANT_Archive &archive, size_t count) { archive << count; } /* here */
/* in a function */
