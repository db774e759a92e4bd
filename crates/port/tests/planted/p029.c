extern unsigned PLANT_count;
/* in a function */
if (PLANT_count > ~0UL - 1) /* here */
    PLANT_count = 0;
