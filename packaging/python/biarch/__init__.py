"""32-bit libraries in 64-bit Python.

    import biarch
    z = biarch.Library32("libz.so.1", header="/usr/include/zlib.h")
    z.zlibVersion()

Needs the program `biarch` (on PATH, or named by the environment's BIARCH), a C compiler and libclang: docs/bridge.md says which
packages. What is built for a library is kept in the user's cache, and built again when one of the files changes.
"""

import ctypes
import hashlib
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import weakref

__all__ = ["Error", "Library32", "NotBuilt"]


class NotBuilt(Exception):
    """`biarch bridge` cannot make a library of this one; the text says why, and what to write into the annotation file."""


class Error(Exception):
    """A call has failed: the 32-bit library has crashed, ended, or cannot be given what it should be given.

    `status` is one of enum biarch_status (biarch.h), `function` and `argument` are names of the header.
    """

    def __init__(self, text, status, function, argument):
        super().__init__(text)
        self.status = status
        self.function = function
        self.argument = argument


class _Error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int),
        ("library", ctypes.c_char_p),
        ("function", ctypes.c_char_p),
        ("argument", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
    ]


_Handler = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Error), ctypes.c_void_p)
_failed = threading.local()


def _text(value):
    return value.decode(errors="replace") if value is not None else None


@_Handler
def _on_error(error, _context):
    one = error.contents
    if getattr(_failed, "error", None) is None:
        _failed.error = Error(_text(one.text), one.status, _text(one.function), _text(one.argument))


def _run(program, *words):
    done = subprocess.run([program, "bridge", *map(os.fspath, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise NotBuilt(done.stderr.strip())


def _refuse(library, annotation, **words):
    """What the annotation file says is not said a second time, and otherwise."""
    for word, value in words.items():
        if value:
            shown = f'"{value}"' if isinstance(value, str) else "[" + ", ".join(f'"{os.fspath(one)}"' for one in value) + "]"
            raise TypeError(f"with `annotation`, `{word}` is in that file: write {word} = {shown} at the beginning of {annotation}")
    text = pathlib.Path(annotation).read_text()
    # A file that is not as expected is for the program to refuse.
    found = re.search(r"""^library\s*=\s*["']([^"'\\]*)["']""", text, re.MULTILINE)
    if found is None:
        return
    meant, given = pathlib.Path(annotation).parent / found[1], pathlib.Path(library)
    both = meant.exists() and given.exists()
    if not (os.path.samefile(meant, given) if both else meant.name == given.name):
        raise ValueError(f'{annotation} is for the library "{found[1]}": write library = "{given.absolute()}" there, or name that one')


def _included(directory):
    """The headers that a bridge has been made of, by the compiler."""
    (source,) = directory.glob("*.c")
    flags = source.with_suffix(".pc").read_text().split("\nCflags: ")[1].splitlines()[0].replace("${libdir}", str(directory))
    command = [os.environ.get("CC") or "cc", "-std=gnu11", "-M", *shlex.split(flags), os.fspath(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotBuilt(done.stderr.strip())
    found = shlex.split(done.stdout.replace("\\\n", " ").partition(":")[2])
    return sorted({os.path.abspath(one) for one in found if not pathlib.Path(one).is_relative_to(directory)})


def _state(names):
    """What changes if one of the files does."""
    key = hashlib.sha256()
    for name in names:
        try:
            status = os.stat(name)
            key.update(f"{name}\0{status.st_size} {status.st_mtime_ns}\0".encode())
        except OSError:
            key.update(f"{name}\0".encode())
    return key.hexdigest()[:32]


class Library32:
    """A 32-bit library, by its own header.

    Functions, constants and structures of the header are attributes. `annotation` is the file that `biarch bridge init` writes; without
    it what C does not say is guessed, and what cannot be guessed is an error that says which line to write. With it, that is where
    `include`, `define`, `before` and `transport` are.
    """

    def __init__(self, library, header=None, annotation=None, *, include=(), define=(), before=(), transport=None, program=None):
        program = program or os.environ.get("BIARCH") or shutil.which("biarch")
        if program is None:
            raise NotBuilt("there is no program `biarch` on PATH; name it by the environment variable BIARCH")
        if (header is None) == (annotation is None):
            raise TypeError("either `header` or `annotation`")
        if annotation is not None:
            _refuse(library, annotation, include=include, define=define, before=before, transport=transport)
        words = [f"-I{os.fspath(directory)}" for directory in include] + [f"-D{name}" for name in define]
        words += [f"--before={name}" for name in before] + [f"--transport={transport or 'in-process'}"]
        files = [os.fspath(program), *(os.fspath(one) for one in (library, header, annotation) if one is not None)]
        self._directory = self._built(os.fspath(program), library, header, annotation, words, files)
        (module,) = self._directory.glob("*.py")
        spec = importlib.util.spec_from_file_location(module.stem, module)
        self._module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self._module)
        self._runtime = ctypes.CDLL(os.fspath(self._directory / "libbiarch.so.0"))
        self._runtime.biarch_on_error(_on_error, None)
        self._runtime.biarch_alloc.restype = ctypes.c_void_p
        self._runtime.biarch_alloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        self._runtime.biarch_free.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        accessor = "".join(one if one.isascii() and one.isalnum() else "_" for one in module.stem)
        library_of = self._module.library[f"biarch_library_{accessor}"]
        library_of.restype = ctypes.c_void_p
        self._library = library_of()

    @staticmethod
    def _built(program, library, header, annotation, words, files):
        """The directory that `biarch bridge build` has made of these files, now or earlier."""
        cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "biarch" / "python"
        key = hashlib.sha256()
        for word in [*words, *files]:
            key.update(word.encode() + b"\0")
        for name in files:
            try:
                status = os.stat(name)
                key.update(f"{status.st_size} {status.st_mtime_ns}\0".encode())
            except OSError:
                pass  # a name that the 32-bit loader finds
        place = cache / key.hexdigest()[:32]
        headers = place / "headers"
        if headers.exists():
            directory = place / _state(headers.read_text().splitlines())
            if directory.exists():
                return directory
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place) as temporary:
            made = pathlib.Path(temporary) / "bridge"
            if annotation is None:
                annotation = pathlib.Path(temporary) / "annotation.toml"
                _run(program, "init", *words, header, library, "-o", annotation)
            _run(program, "build", annotation, "-o", made)
            included = _included(made)
            directory = place / _state(included)
            try:
                made.rename(directory)
            except OSError:
                if not directory.exists():  # another process was faster
                    raise
            written = pathlib.Path(temporary) / "headers"
            written.write_text("\n".join(included))
            written.replace(headers)
        return directory

    def __getattr__(self, name):
        found = getattr(self._module, name)
        if not isinstance(found, self._module.library._FuncPtr):
            return found

        kinds = found.argtypes or []

        def call(*arguments):
            given = [_checked(one, kinds[at]) if at < len(kinds) else one for at, one in enumerate(arguments)]
            _failed.error = None
            try:
                result = found(*given)
            finally:
                # What a callback has raised is the first cause.
                error, _failed.error = _failed.error, None
            if error is not None:
                raise error
            return result

        call.__name__ = name
        call.argtypes, call.restype = found.argtypes, found.restype
        setattr(self, name, call)
        return call

    def buffer(self, size):
        """`size` bytes that both sides see, so that they are passed without copying: a ctypes array."""
        memory = self._runtime.biarch_alloc(self._library, size)
        if memory is None:
            error, _failed.error = getattr(_failed, "error", None), None
            raise error or MemoryError(f"{size} bytes below 4 GiB")
        made = (ctypes.c_char * size).from_address(memory)
        weakref.finalize(made, self._runtime.biarch_free, self._library, memory).atexit = False
        return made

    def array(self, shape, dtype=float):
        """A numpy array in memory that both sides see."""
        import numpy

        kind = numpy.dtype(dtype)
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        size = kind.itemsize
        for one in shape:
            size *= one
        return numpy.frombuffer(self.buffer(max(size, 1)), dtype=kind, count=size // kind.itemsize).reshape(shape)


def _checked(value, kind):
    """What ctypes takes; ctypes would make one kind of error of all that can be wrong with it."""
    check = getattr(kind, "check", None)
    return check(value) if check is not None else value
