template <class T> class counted {
    unsigned *count;
    T *of;

  public:
    // An error for both sides, if somebody used it.
    unsigned uses() const { return count; }
};
counted<int> one;
