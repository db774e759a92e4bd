#include "nowhere.h"
typedef char word_has_4_bytes[sizeof(long) == 4 ? 1 : -1]; /* probable */
