_failed = _threading.local()
_functions = {}
_Data = ctypes.Structure.__base__


class _Named:
    """A structure in which not every field is a member of C's."""

    def __init__(self, /, *given, **named):
        if _builtins.len(given) > _builtins.len(self._names_):
            raise _builtins.TypeError("too many initializers")
        for name, value in [*_builtins.zip(self._names_, given), *named.items()]:
            _builtins.setattr(self, name, value)


class _Bits:
    """A bit-field: ctypes has an opinion of its own about where they are."""

    def __init__(self, first, count, is_signed):
        self.first, self.count, self.is_signed = first // 8, (first % 8 + count + 7) // 8, is_signed
        self.shift, self.mask = first % 8, (1 << count) - 1

    def _whole(self, of):
        bytes = ctypes.string_at(ctypes.addressof(of) + self.first, self.count)
        return _builtins.int.from_bytes(bytes, "little")

    def __get__(self, of, kind=None):
        if of is None:
            return self
        value = self._whole(of) >> self.shift & self.mask
        return value - self.mask - 1 if self.is_signed and value > self.mask >> 1 else value

    def __set__(self, of, value):
        others = self._whole(of) & ~(self.mask << self.shift)
        whole = others | (_operator.index(value) & self.mask) << self.shift
        ctypes.memmove(ctypes.addressof(of) + self.first, whole.to_bytes(self.count, "little"), self.count)


def _check(of, size, offsets):
    found = {name: _builtins.getattr(of, name).offset for name in offsets}
    if ctypes.sizeof(of) != size or found != offsets:
        raise _builtins.ImportError(
            f"ctypes lays out {of.__name__} otherwise than C: {ctypes.sizeof(of)} bytes for {size}, {found} for {offsets}"
        )


def _raised(result, _function, _arguments):
    error = _builtins.getattr(_failed, "error", None)
    if error is None:
        return result
    _failed.error = None
    raise error


def _function(result, *parameters):
    """The type of a pointer to a function: one class for the same parameters. What is raised in a function of Python cannot go through
    the library: it returns 0, and the call that has led to it raises that when it ends."""
    if (result, parameters) in _functions:
        return _functions[result, parameters]

    class Function(ctypes._CFuncPtr):
        _restype_ = result
        _argtypes_ = parameters
        _flags_ = ctypes._FUNCFLAG_CDECL | ctypes._FUNCFLAG_USE_ERRNO

        def __new__(cls, *given):
            if _builtins.len(given) == 1 and _builtins.callable(given[0]) and not _builtins.isinstance(given[0], _Data):
                if result is ctypes.c_char_p:
                    # What returns text is called by its address: ctypes would keep all text for ever.
                    return ctypes.cast(_function(ctypes.c_void_p, *parameters)(_texts(given[0])), cls)
                given = (_caught(given[0], result),)
            return _builtins.super(Function, cls).__new__(cls, *given)

    return _functions.setdefault((result, parameters), Function)


def _texts(function):
    """What is returned as text stays where it is until the thread returns the next one: the library has a copy by then."""
    kept = _threading.local()

    def call(*arguments):
        text = function(*arguments)
        is_text = text is None or _builtins.isinstance(text, (_builtins.bytes, _builtins.int))
        kept.text = ctypes.c_char_p(text) if is_text else ctypes.cast(text, ctypes.c_char_p)
        return ctypes.cast(kept.text, ctypes.c_void_p).value

    return call


def _caught(function, result):
    def call(*arguments):
        try:
            return function(*arguments)
        except _builtins.BaseException as error:
            # No call of Python's waits on a thread of the library's own.
            if _builtins.isinstance(_threading.current_thread(), _threading._DummyThread):
                raise
            if _builtins.getattr(_failed, "error", None) is None:
                _failed.error = error
            return None if result is None else 0

    return call


class _Pointer:
    """What a function takes for a pointer: what ctypes takes, and memory of arrays, if that is what the function expects there.

    `element` is a letter and the number of bytes, or None where C does not say; `is_written`, whether the library writes there.
    """

    def __init__(self, function, argument, kind, element, is_written):
        self.place = f"{function}, {argument}"
        self.kind, self.element, self.is_written = kind, element, is_written

    def from_param(self, value):
        return self.kind.from_param(self.check(value))

    def check(self, value):
        if value is None or _builtins.isinstance(value, (_Data, _builtins.int)):
            return value
        if _builtins.isinstance(value, _builtins.str):
            raise _builtins.TypeError(f"{self.place}: text is passed as bytes: text.encode()")
        if _builtins.isinstance(value, _builtins.bytes) and not self.is_written:
            return value
        try:
            view = _builtins.memoryview(value)
        except _builtins.TypeError:
            return value
        except _builtins.ValueError as error:
            raise _builtins.TypeError(f"{self.place}: {error}") from None
        if self.is_written and view.readonly:
            raise _builtins.ValueError(
                f"{self.place}: the library writes there, and this {_builtins.type(value).__name__} is read-only: "
                "ctypes.create_string_buffer(size), bytearray(size), array.copy()"
            )
        if not view.c_contiguous:
            raise _builtins.ValueError(f"{self.place}: the array is not contiguous: numpy.ascontiguousarray(array)")
        if self.element is not None and not self._fits(view):
            letter, size = self.element
            shown = {"i": "signed numbers", "u": "unsigned numbers", "f": "approximate numbers", "V": "structures"}
            raise _builtins.TypeError(
                f"{self.place}: the library expects {shown.get(letter, 'addresses')} of {size} bytes there, "
                f"and the array has elements of {view.itemsize} bytes, {view.format!r}"
            )
        if view.readonly or view.nbytes == 0:
            memory = ctypes.create_string_buffer(view.tobytes(), _builtins.max(view.nbytes, 1))
        else:
            memory = (ctypes.c_char * view.nbytes).from_buffer(value)
        return ctypes.cast(memory, self.kind)

    def _fits(self, view):
        letter, size = self.element
        format = view.format
        if view.itemsize != size or format[:1] in (">", "!") and size > 1:
            return False
        format = format.lstrip("@=<>!")
        if letter == "V":
            return format[:1] == "T"
        kinds = {"i": "bhilqn", "u": "BHILQN?", "f": "fdg"}
        return format in [*kinds.get(letter, "")] or size == 1 and format in [*"bBc?", "1s"]
