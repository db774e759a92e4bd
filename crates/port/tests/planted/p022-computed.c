#define PLANT_ROUND(x, size) (((x) + (size) - 1) & ~((size) - 1))
struct PLANT_heap { unsigned page; unsigned long end; };
extern struct PLANT_heap *PLANT_heap;
/* in a function */
PLANT_heap->end = PLANT_ROUND(PLANT_heap->end, PLANT_heap->page); /* here */
