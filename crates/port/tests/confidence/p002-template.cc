template <class T> struct same { static bool is(T *left, T *right) { return left == right; } };

/* A number that is compared with a pointer to any type is mostly that for none. */
template <class T> bool is_one(int left, T *right) { return same<T>::is(reinterpret_cast<T *>(left), right); } /* possible */
bool is_other(int left, char *right) { return same<char>::is(reinterpret_cast<char *>(left), right); } /* probable */
bool all(int left, char *right) { return is_one(left, right) || is_other(left, right); }
int use(int);
int cut(char *p) { return use((int)(long)p); }
