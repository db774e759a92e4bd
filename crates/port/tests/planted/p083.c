struct PLANT_header { long length; int kind; };
typedef char PLANT_size[sizeof(struct PLANT_header) == 8 ? 1 : -1]; /* here */
/* in a function */
