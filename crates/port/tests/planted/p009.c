struct PLANT_display;
int XChangeProperty(struct PLANT_display *, unsigned long, unsigned long, unsigned long, int, int, const unsigned char *, int);
extern struct PLANT_display *PLANT_screen;
extern unsigned long PLANT_window, PLANT_atom;
/* in a function */
int PLANT_size[2] = {4, 4};
XChangeProperty(PLANT_screen, PLANT_window, PLANT_atom, 6, 32, 0, (unsigned char *)PLANT_size, 2); /* here */
