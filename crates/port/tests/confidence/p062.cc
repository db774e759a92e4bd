#warning "a warning is no error"
#include <stddef.h>
#include <stdint.h>

struct base {
    virtual ~base();
    virtual void put(size_t size);
    virtual void get(unsigned int size);
    virtual void set(int32_t value);
    virtual void run(int value);
};
struct narrow : base { void put(unsigned int size); }; /* certain */
struct wide : base { void put(unsigned long size); }; /* certain */
struct same : base { void put(size_t size); };
struct hides : base { void put(char size); };
struct later : base { void get(size_t size); }; /* certain */
struct longer : base { void set(long value); };
struct plain { void put(unsigned int size); };
struct another : base { void run(int value); };
void use(narrow &of) { of.put(1u); }
struct made : base { made(unsigned int size); ~made(); };
void put(unsigned int size);
