struct PLANT_text { char *at; unsigned length; };
extern struct PLANT_text PLANT_line;
extern unsigned PLANT_back;
/* in a function */
PLANT_line.at += -PLANT_back; /* here */
