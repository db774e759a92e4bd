extern int PLANT_kind;
/* in a function */
switch (PLANT_kind) {
case 8: PLANT_kind = 1; break;
case sizeof(long): PLANT_kind = 2; break; /* here */
}
