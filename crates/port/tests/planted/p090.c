extern int PLANT_n;
/* in a function */
PLANT_n = PLANT_n + 1; // biarch: allow P010 the sum is small /* here */
