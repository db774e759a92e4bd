struct PLANT_display;
int XGetWindowProperty(struct PLANT_display *, unsigned long, unsigned long, long, long, int, unsigned long, unsigned long *, int *,
                       unsigned long *, unsigned long *, unsigned char **);
typedef unsigned int PLANT_card;
extern struct PLANT_display *PLANT_screen;
extern unsigned long PLANT_window, PLANT_atom, PLANT_card_kept;
/* in a function */
unsigned long PLANT_type, PLANT_count, PLANT_left;
int PLANT_format;
unsigned char *PLANT_data;
XGetWindowProperty(PLANT_screen, PLANT_window, PLANT_atom, 0, 4, 0, 6, &PLANT_type, &PLANT_format, &PLANT_count, &PLANT_left, &PLANT_data);
PLANT_card_kept = ((PLANT_card *)PLANT_data)[1]; /* here */
