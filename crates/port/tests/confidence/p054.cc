#pragma pack(push, 1)
class object { public: virtual ~object(); char kind; long size; }; /* possible */
struct sent { char kind; long size; }; /* probable */
#pragma pack(pop)
class loose { public: virtual ~loose(); char kind; long size; };
int sizes() { return sizeof(object) + sizeof(sent) + sizeof(loose); }
