#include <stddef.h>
struct PLANT_Sink { virtual ~PLANT_Sink(); virtual void put(size_t size); };
struct PLANT_File : PLANT_Sink { void put(unsigned int size); }; /* here */
/* in a function */
