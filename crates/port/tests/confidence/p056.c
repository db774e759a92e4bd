enum kind { FIRST };
union covered { long whole; int parts[1]; short halves[2]; }; /* probable */
union numbers { long whole; int half; };
union pointer { char *whole; int half; };
union bytes { unsigned long whole; unsigned char bytes[4]; }; /* probable */
union eight { unsigned long whole; unsigned char bytes[8]; };
union sized { unsigned long whole; unsigned char bytes[sizeof(long)]; };
union rows { long whole[2]; int parts[2]; }; /* probable */
union row { long whole[2]; char *parts[2]; };
union kinds { long whole; enum kind kinds[2]; };
union fixed { int whole; unsigned char bytes[4]; };
