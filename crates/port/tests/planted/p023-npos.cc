struct PLANT_text { typedef unsigned long size_type; static const size_type npos = static_cast<size_type>(-1); size_type find(char) const; };
extern const PLANT_text &PLANT_name;
extern int PLANT_failed;
/* in a function */
unsigned PLANT_at = PLANT_name.find('.');
if (PLANT_at == PLANT_text::npos) /* here */
    PLANT_failed = 1;
