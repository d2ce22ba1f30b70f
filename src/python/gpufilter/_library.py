"""Opens the C library, describes its structs, keeps its sessions, and raises its errors."""
import builtins
import collections
import ctypes
import ctypes.util
import os
import sys
import threading
import warnings
import weakref


class Error(RuntimeError):
    """An error: its .problem, and the .advice on what to do, which may be empty."""

    def __init__(self, problem, advice="", status=1):
        super().__init__(problem + "; " + advice if advice else problem)
        self.problem, self.advice, self.status = problem, advice, status


class Warning(builtins.UserWarning):
    """A loss that a result may have."""


class _Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, **members):
        super().__init__(size=ctypes.sizeof(type(self)), **members)


class Failure(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("advice", ctypes.c_int), ("text", ctypes.c_char * 1000)]


WARN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
READ = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class Options(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("device", ctypes.c_char_p), ("threads", ctypes.c_int),
                ("memory", ctypes.c_int64), ("warn", WARN), ("context", ctypes.c_void_p)]


class Format(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("kind", ctypes.c_int), ("type", ctypes.c_int), ("bits", ctypes.c_int),
                ("maxval", ctypes.c_uint32), ("channels", ctypes.c_int), ("alpha", ctypes.c_int),
                ("width", ctypes.c_int64), ("units", ctypes.c_int64), ("rate", ctypes.c_int), ("reserved", ctypes.c_int)]


class Array(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p), ("unit", ctypes.c_int64),
                ("pixel", ctypes.c_int64), ("channel", ctypes.c_int64), ("where", ctypes.c_int),
                ("reserved", ctypes.c_int), ("memory", ctypes.c_void_p)]


class Tensor(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("memory", ctypes.c_void_p), ("data", ctypes.c_void_p),
                ("type", ctypes.c_int), ("dimensions", ctypes.c_int), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64))]


class Input(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("name", ctypes.c_char_p), ("format", ctypes.c_void_p),
                ("array", ctypes.c_void_p)]


class Request(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("format", ctypes.c_void_p), ("inputs", ctypes.POINTER(Input)),
                ("count", ctypes.c_size_t), ("type", ctypes.c_int), ("latency", ctypes.c_int),
                ("video", ctypes.c_void_p), ("where", ctypes.c_int), ("reserved", ctypes.c_int), ("look", ctypes.c_void_p)]


class Table(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("channels", ctypes.c_int),
                ("channel_names", ctypes.POINTER(ctypes.c_char_p)), ("fields", ctypes.c_int),
                ("field_names", ctypes.POINTER(ctypes.c_char_p)), ("values", ctypes.POINTER(ctypes.c_double)),
                ("bins", ctypes.c_int64), ("low", ctypes.c_double), ("high", ctypes.c_double),
                ("counts", ctypes.POINTER(ctypes.c_uint64)), ("columns", ctypes.c_int64), ("cells", ctypes.c_int),
                ("timeline", ctypes.POINTER(ctypes.c_float)), ("seconds", ctypes.c_double),
                ("unmet", ctypes.c_char_p)]


class Halo(_Sized):
    _fields_ = [("size", ctypes.c_size_t), ("before", ctypes.c_int64), ("after", ctypes.c_int64),
                ("left", ctypes.c_int64), ("right", ctypes.c_int64), ("step", ctypes.c_int64)]


_NAME = "libgpufilter.so.0"
_lock = threading.Lock()
_library = None


def _open():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib", _NAME)
    name = os.environ.get("GPUFILTER_LIBRARY") or (here if os.path.exists(here) else _NAME)
    try:
        return ctypes.CDLL(name)
    except OSError as e:
        raise ImportError("the library %s cannot be opened: %s; GPUFILTER_LIBRARY may name its file"
                          % (name, e)) from None


def load():
    """Return the library; the first call opens it."""
    global _library
    if _library is not None:
        return _library
    with _lock:
        if _library is None:
            lib = _open()
            handle, failure = ctypes.c_void_p, ctypes.POINTER(Failure)
            for name, result, arguments in (
                    ("version", ctypes.c_char_p, []), ("stages", ctypes.c_void_p, []),
                    ("open", handle, [ctypes.POINTER(Options), failure]), ("close", None, [handle]),
                    ("parse", handle, [handle, ctypes.c_char_p, ctypes.c_int, failure]), ("chain_free", None, [handle]),
                    ("needs_sequence", ctypes.c_int, [handle]),
                    ("prepare", handle, [handle, handle, ctypes.POINTER(Request), failure]),
                    ("job_free", None, [handle]), ("stop", None, [handle]), ("measures", ctypes.c_int, [handle]),
                    ("looked", ctypes.c_int, [handle]),
                    ("prepare_file", handle, [handle, handle, ctypes.c_char_p, ctypes.c_int, failure]),
                    ("write", ctypes.c_int, [handle, ctypes.POINTER(Array), ctypes.c_char_p, failure]),
                    ("format_of", ctypes.c_int, [handle, ctypes.POINTER(Format), failure]),
                    ("halo_of", ctypes.c_int, [handle, ctypes.POINTER(Halo), failure]),
                    ("device_of", ctypes.c_char_p, [handle]),
                    ("run", ctypes.c_int, [handle, ctypes.POINTER(Array), ctypes.POINTER(Array), failure]),
                    ("run_batch", ctypes.c_int,
                     [handle, ctypes.POINTER(Array), ctypes.POINTER(Array)] + 3 * [ctypes.c_int64] + [failure]),
                    ("set_stream", ctypes.c_int, [handle, handle, failure]), ("wait", ctypes.c_int, [handle, failure]),
                    ("where", ctypes.c_int, [handle]), ("release", None, [handle]),
                    ("allocate", ctypes.c_int, [handle, ctypes.c_int64, ctypes.POINTER(Array), failure]),
                    ("export", handle, [ctypes.POINTER(Tensor), ctypes.c_int, failure]),
                    ("run_io", ctypes.c_int, [handle, READ, WRITE, ctypes.c_void_p, failure]),
                    ("push", ctypes.c_int64, [handle, handle, ctypes.c_int64, failure]),
                    ("pull", ctypes.c_int64, [handle, handle, ctypes.c_int64, failure]),
                    ("finish", ctypes.c_int, [handle, failure]), ("cancel", None, [handle]),
                    ("table_of", ctypes.c_int, [handle, ctypes.POINTER(Table), failure])):
                function = getattr(lib, "gpufilter_" + name)
                function.restype, function.argtypes = result, arguments
            _library = lib
    return _library


def free(pointer):
    libc = ctypes.CDLL(None)
    libc.free.argtypes = [ctypes.c_void_p]
    libc.free(pointer)


class _Buffer(ctypes.Structure):
    """Py_buffer, whose other members do not matter here."""
    _fields_ = [("address", ctypes.c_void_p), ("others", ctypes.c_void_p * 15)]


def address_of(view):
    """Return the address of a memoryview without gaps, also if it is read-only. It holds until the view is released."""
    buffer = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), ctypes.byref(buffer), 0)
    address = buffer.address or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(buffer))
    return address


# ---- calls

_said = threading.local()


def _listener(said):
    """Return a function for the warnings of a session.

    Warnings come on the thread of the call, which passes them on when it is back in Python. A run whose input is
    pushed has a thread of its own: its warnings wait in `said` for the next call of that run.
    """
    @WARN
    def warn(_, name, text):
        name = name.decode(errors="replace") + ": " if name else ""
        getattr(_said, "lines", said).append(name + text.decode(errors="replace"))

    return warn


def _level_outside():
    """Return the stacklevel that makes warnings.warn() in call() name the line of the user."""
    here, frame, level = os.path.dirname(__file__), sys._getframe(1), 1
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
        frame, level = frame.f_back, level + 1
    return level


def call(function, *arguments, owner=None, said=()):
    """Call a function whose last argument is the error; give warnings, and raise the error. Returns a handle or 0.

    The owner of a new handle gets it before a warning can become an exception. `said` has warnings of a pushed run.
    """
    failure = Failure()
    _said.lines = []
    result = function(*arguments, ctypes.byref(failure))
    if owner is not None:
        owner.handle = result
    lines, _said.lines = _said.lines, []
    while said:
        lines.append(said.popleft())
    try:
        for line in lines:
            warnings.warn(line, Warning, stacklevel=_level_outside())
    finally:                                 # also if a warning became an exception
        if result is None or result == -1:
            raise error_of(failure)
    return result


def error_of(failure):
    """Return the error, whose advice begins at a byte of the text; 0: there is none."""
    problem, advice = failure.text, b""
    if failure.advice:
        problem, advice = problem[:failure.advice], problem[failure.advice:].lstrip(b"; ")
    return Error(problem.decode(errors="replace"), advice.decode(errors="replace"), failure.status)


def bytes_of(text):
    """Return bytes of a number or of a text such as "512M"; None is 0, no limit."""
    if text is None:
        return 0
    if isinstance(text, int):
        return text
    unit = {"K": 10, "M": 20, "G": 30, "T": 40}.get(text[-1:].upper())
    try:
        return int(float(text[:-1]) * (1 << unit)) if unit else int(text)
    except ValueError:
        raise Error("memory must be a number of bytes, or one with K, M, G or T, not %r" % text) from None


def device_name(device):
    """Return the name of a device, which is a text."""
    if not isinstance(device, str):
        raise Error("device must be 'auto', 'cpu', 'cuda' or 'cuda:N', not %s" % type(device).__name__,
                    "values of stages are in their text, as in apply('blur:2', image)")
    return device


def interruptible(function, stop):
    """Return a function that runs this one in a thread, and stops it if Ctrl-C is pressed.

    Python delivers signals to its main thread between calls, so that a long call in it would delay them.
    """
    def apart(*arguments):
        lines, lock, done, left = _said.lines, threading.Lock(), [], []

        def work():
            with lock:
                if left:                     # before this began
                    return
                _said.lines = lines
                done.append(function(*arguments))

        worker = threading.Thread(target=work)
        try:
            try:
                worker.start()
            except RuntimeError:             # there are too many
                return function(*arguments)
            worker.join()
        except BaseException:
            left.append(True)
            _wait(lock, stop)
            raise
        return done[0]
    return apart


def _wait(lock, stop):
    """Stop a run and wait for it, because it uses the arrays; pressing Ctrl-C again does not change that."""
    ended = False
    while not ended:
        try:
            stop()
            ended = lock.acquire(timeout=0.05)
        except KeyboardInterrupt:
            pass
    lock.release()


# ---- sessions

class Session:
    def __init__(self, device, memory, threads):
        self.said = collections.deque()
        self.warn = _listener(self.said)
        options = Options(device=device.encode(), threads=threads, memory=memory, warn=self.warn)
        self.process = os.getpid()
        call(load().gpufilter_open, ctypes.byref(options), owner=self)
        weakref.finalize(self, load().gpufilter_close, self.handle).atexit = False

    def is_ours(self):
        return self.process == os.getpid()


class ChainHandle:
    def __init__(self, session, stages):
        self.session = session
        call(load().gpufilter_parse, session.handle, stages.encode(), -1, owner=self)

    def __del__(self):
        if load is not None and getattr(self, "handle", None) and self.session.is_ours():
            load().gpufilter_chain_free(self.handle)


_sessions = {}
_sessions_lock = threading.Lock()


def session(device, memory, threads):
    """Return the session of these options; each process has its own."""
    key = (os.getpid(), device, memory, threads)
    with _sessions_lock:
        if key not in _sessions:
            _sessions[key] = Session(device, memory, threads)
        return _sessions[key]


def _unlock():
    """In a forked process, threads that held a lock are gone."""
    global _lock, _sessions_lock
    _lock, _sessions_lock = threading.Lock(), threading.Lock()


os.register_at_fork(after_in_child=_unlock)


def _refuse_subinterpreters():
    """Raise ImportError in a subinterpreter: callbacks of ctypes would run in another interpreter."""
    interpreter = [ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_" + name, ctypes.pythonapi))()
                   for name in ("Get", "Main")] if hasattr(ctypes, "pythonapi") else [0, 0]
    if interpreter[0] != interpreter[1]:
        raise ImportError("gpufilter cannot be used in a subinterpreter; use threads, or processes")


_refuse_subinterpreters()
