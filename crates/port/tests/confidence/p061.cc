#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define STREAM(name) struct name { template <class T> name &operator<<(const T &value); template <class T> name &operator>>(T &value); template <class T> name &operator&(T &value); template <class T> name &operator|(T &value); }
STREAM(QDataStream);
STREAM(text_archive);
STREAM(Archive);
STREAM(Serializer);
STREAM(deserializer);
STREAM(BinaryStream);
STREAM(Printer);
struct FixedArchive { FixedArchive &operator<<(int64_t value); };
struct Derived : Archive {};
struct Kept { long size; };

void save(QDataStream &a, text_archive &b, Archive &c, Serializer &d, deserializer &e, BinaryStream &f, Printer &g, Derived &h,
          long number, size_t size, time_t when, int fixed, int64_t far, char *text, Kept kept, Archive *p, FixedArchive &fixed_archive)
{
    a << number; /* probable */
    b << number; /* probable */
    c << number; /* probable */
    d << number; /* probable */
    e >> number; /* probable */
    f << number; /* probable */
    c & number; /* probable */
    c << size; /* probable */
    c << when; /* probable */
    c << fixed << number; /* probable */
    *p << number; /* probable */
    c << (number); /* probable */
    c.operator<<(number);
    g << number;
    c << fixed;
    c << far;
    c << kept;
    c | number;
    c << static_cast<int32_t>(number);
    fixed << number;
    fixed_archive << number;
}
