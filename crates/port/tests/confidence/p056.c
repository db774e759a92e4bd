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
union later;
union one { long whole; int parts[1]; };
union real { long whole; float parts[1]; double all; };
union reals { long whole[2]; float parts[2]; }; /* probable */
union pointers { char *whole[2]; int parts[2]; }; /* probable */
union table { char *whole; int parts[1]; unsigned char bytes[4]; }; /* probable */
struct inner { int a; };
union structures { long whole[2]; struct inner parts[2]; };
