"""Arrays on a GPU: of PyTorch and CuPy, and of all packages that have __dlpack__ or __cuda_array_interface__."""
import contextlib
import ctypes
import sys

from . import _arrays, _library, _types
from ._library import Error

_CUDA = 2                                # a device type of DLPack


class Place(_arrays.Place):
    """The place of an array on a GPU."""

    def __init__(self, address, shape, strides, typestr, device, stream):
        super().__init__(address, shape, strides, typestr)
        self.where, self.stream = device + 1, stream or 0


def _code_of(dtype):
    """Return the type of a tensor or an array by its name, as in |u1 and <f4."""
    name = str(dtype).split(".")[-1]
    code = _types.CODES.get(name)
    if code is None:
        raise Error("array: is %s, which cannot be read" % name,
                    "use array.float()" if name == "bfloat16" else "")
    return ("|" if code[1] == "1" else "<") + code


def _name_of(typestr):
    return _types.NAMES[_types.NUMBERS[typestr[1:]]]


# ---- packages

class _Torch:
    """Tensors of PyTorch. Work comes on its current stream; results are its tensors."""

    def __init__(self, torch):
        self.torch, self.tensor = torch, torch.Tensor
        self.types = {code: getattr(torch, name) for name, code in _types.CODES.items() if hasattr(torch, name)}
        current = getattr(torch._C, "_cuda_getCurrentRawStream", None)
        self.current = current or (lambda device: torch.cuda.current_stream(device).cuda_stream)

    @staticmethod
    def key(array):
        return array.shape, array.stride(), array.dtype, array.get_device()

    @staticmethod
    def address(array):
        return array.data_ptr()

    def stream(self, array):
        return self.current(array.get_device())

    def place(self, array, stream):
        size = array.element_size()
        return Place(array.data_ptr(), array.shape, [step * size for step in array.stride()], _code_of(array.dtype),
                     array.get_device(), self.stream(array) if stream is None else stream)

    def maker(self, shape, typestr, array):
        """Return a function that makes arrays for results where this array is."""
        torch, dtype, device = self.torch, self.types.get(typestr[1:]), array.device
        if dtype is None:
            raise Error("this version of PyTorch has no tensors of %s" % _name_of(typestr), "use dtype=")
        return lambda: torch.empty(shape, dtype=dtype, device=device)

    def on(self, stream, array):
        """Return a context in which arrays are made for work on a stream."""
        cuda = self.torch.cuda
        return cuda.stream(cuda.ExternalStream(stream, device=array.device) if stream
                           else cuda.default_stream(array.device))

    def on_host(self, array):
        """Return a copy in the memory of the host. Floats of 16 bits become those of 32 bits, as in a chain."""
        array = array.detach()
        return (array.float() if array.dtype is self.types.get("f2") else array).cpu()


class _CuPy:
    """Arrays of CuPy. Work comes on its current stream; results are its arrays."""

    def __init__(self, cupy):
        self.cupy, self.tensor = cupy, cupy.ndarray
        self.current = cupy.cuda.get_current_stream

    @staticmethod
    def key(array):
        return array.shape, array.strides, array.dtype, array.device.id

    @staticmethod
    def address(array):
        return array.data.ptr

    def stream(self, array):
        if array.device.id == self.cupy.cuda.runtime.getDevice():
            return self.current().ptr
        with array.device:
            return self.current().ptr

    def place(self, array, stream):
        return Place(array.data.ptr, array.shape, array.strides, _code_of(array.dtype), array.device.id,
                     self.stream(array) if stream is None else stream)

    def maker(self, shape, typestr, array):
        cupy, device = self.cupy, array.device

        def make():
            with device:
                return cupy.empty(shape, typestr)
        return make

    @contextlib.contextmanager
    def on(self, stream, array):
        """Return a context in which arrays are made for work on a stream, which is current for one device only."""
        cuda = self.cupy.cuda
        with array.device:
            with cuda.ExternalStream(stream) if stream > 2 else cuda.Stream.ptds if stream == 2 else cuda.Stream.null:
                yield

    @staticmethod
    def on_host(array):
        return (array.astype("float32") if array.dtype == "float16" else array).get()


class _Others:
    """Arrays of other packages, by protocols. A call waits for its result, as nobody knows when they free memory."""

    @staticmethod
    def _stream_of(face, stream):
        """Return the stream of a call. Without CUDA, nothing here can let one stream wait for another."""
        own = face.get("stream")
        if own is not None and stream is not None and (own or 1) != (stream or 1):           # 1 is the default stream
            raise Error("an array has work on stream %d, but the call is on stream %d" % (own, stream),
                        "wait for stream %d, and pass stream=%d" % (stream, own))
        return own if stream is None else stream

    def place(self, array, stream):
        if hasattr(array, "__dlpack__"):
            place = _Imported(array, stream)
            place.lent = True
            return place
        face = array.__cuda_array_interface__
        if face.get("mask") is not None:
            raise Error("array: has a mask, which cannot be read")
        address, readonly = face["data"]
        where = _library.load().gpufilter_where(address)
        if where == 0 and address:
            raise Error("array: its __cuda_array_interface__ has an address that is in the memory of no GPU")
        # an array without samples has no address, and is on no GPU more than on another
        place = Place(address or 0, face["shape"], face.get("strides"), face["typestr"], max(where - 1, 0),
                      self._stream_of(face, stream))
        place.lent, place.readonly = True, bool(readonly)
        return place

    @staticmethod
    def finish(made, array):
        """Return a result as the package of the array knows it, or as it is."""
        space = getattr(array, "__array_namespace__", None)
        if space is not None and hasattr(space(), "from_dlpack"):
            return space().from_dlpack(made)
        numba = sys.modules.get("numba") if type(array).__module__.startswith("numba") else None
        return numba.cuda.as_cuda_array(made) if numba is not None else made

    @staticmethod
    def on_host(array):
        for name in "copy_to_host", "__array__":                 # those of Numba; those of JAX
            if hasattr(array, name):
                return getattr(array, name)()
        raise Error("a %s on a GPU has no function that copies it to the host" % type(array).__name__,
                    "use an array of the host, PyTorch, CuPy, JAX or Numba")


_known = {}                              # packages that were imported, by name


def _package(name, kind, needs):
    """Return the adapter of a package, if it is imported and has what is needed of it."""
    if name not in _known:
        module = sys.modules.get(name)
        if module is None or not hasattr(module, needs):         # or is being imported
            return None
        _known[name] = kind(module)
    return _known[name]


_others = _Others()


def number_of(stream):
    """Return the number of a stream, which may be an object of PyTorch or CuPy, or follow the protocol of CUDA."""
    for name in "cuda_stream", "ptr":
        if hasattr(stream, name):
            return getattr(stream, name)
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return (protocol() if callable(protocol) else protocol)[1]
    if stream is None or isinstance(stream, int) and stream >= 0:
        return stream
    raise Error("stream must be a stream of CUDA, or its number, not %r" % (stream,))


def kind_of(array):
    """Return the adapter of an array on a GPU, or None if it is in the memory of the host."""
    if type(array).__module__ == "numpy":
        return None
    torch = _package("torch", _Torch, "Tensor")
    if torch is not None and isinstance(array, torch.tensor):
        return torch if array.is_cuda else None
    cupy = _package("cupy", _CuPy, "ndarray")
    if cupy is not None and isinstance(array, cupy.tensor):
        return cupy
    return _others if _arrays.is_on_gpu(array) else None


# ---- DLPack

class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


_CAPSULES = (b"dltensor", _Managed, b"used_dltensor"), (b"dltensor_versioned", _Versioned, b"used_dltensor_versioned")


def _python(name, result, *arguments):
    """Return a function of Python. Other packages may have set other types for the one that ctypes keeps."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new = _python("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_valid = _python("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer = _python("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_rename = _python("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)


def _delete(address, form):
    deleter = form.from_address(address).deleter
    if deleter:
        _DELETER(deleter)(address)


def _capsule(tensor, name):
    """Return a capsule with a tensor, which is freed with it if nobody takes it."""
    return _new(tensor, name, ctypes.cast(_library.load().gpufilter_free_capsule, ctypes.c_void_p))


class _Imported(Place):
    """An array that was imported through DLPack."""
    _tensor = None

    def __init__(self, array, stream):
        given = 1 if stream in (None, 0) else stream             # DLPack calls the default stream 1
        device = array.__dlpack_device__()
        try:
            capsule = array.__dlpack__(stream=given, max_version=(1, 0))
        except TypeError:                                        # of an earlier version of DLPack
            capsule = array.__dlpack__(stream=given)
        for name, form, used in _CAPSULES:
            if _valid(id(capsule), name):
                break
        else:
            raise Error("array: its __dlpack__ gives no tensor")
        self._tensor, self._form = _pointer(id(capsule), name), form
        _rename(capsule, used)
        managed = form.from_address(self._tensor)
        t, major = managed.tensor, getattr(managed, "major", 1)
        if major != 1 or t.lanes != 1:
            self.release()
            raise Error("array: has version %d of DLPack, which cannot be read" % major if major != 1
                        else "array: has vectors of %d lanes as samples, which cannot be read" % t.lanes)
        self.readonly = bool(getattr(managed, "flags", 0) & 1)
        shape = [t.shape[i] for i in range(t.ndim)]
        size = t.bits // 8
        strides = [t.strides[i] * size for i in range(t.ndim)] if t.strides else None
        typestr = "%s%s%d" % ("|" if size == 1 else "<", {0: "i", 1: "u", 2: "f", 6: "b"}.get(t.code, "V"), size)
        super().__init__((t.data or 0) + t.offset, shape, strides, typestr, int(device[1]), stream)

    def release(self):
        tensor, self._tensor = self._tensor, None
        if tensor:
            _delete(tensor, self._form)

    __del__ = release


class GPUArray:
    """An array on a GPU, for packages that read __dlpack__ or __cuda_array_interface__.

    Results are of this class if the package of the input is not known.
    """

    def __init__(self, job, shape, typestr, count):
        made = _library.Array()
        _library.call(_library.load().gpufilter_allocate, job.handle, 1 if count is None else count,
                      ctypes.byref(made))
        self._memory, self._address, self._type = made.memory, made.data, job.format.type
        self.shape, self.typestr, self.device = tuple(shape), typestr, made.where - 1

    def __del__(self):
        if _library is not None and getattr(self, "_memory", None):
            _library.load().gpufilter_release(self._memory)

    @property
    def dtype(self):
        """The name of the type."""
        return _name_of(self.typestr)

    @property
    def address(self):
        return self._address

    @property
    def __cuda_array_interface__(self):
        return {"version": 3, "shape": self.shape, "typestr": self.typestr, "strides": None, "stream": None,
                "data": (self._address, False)}

    def __dlpack_device__(self):
        return _CUDA, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Return a capsule. The result is complete, so that no stream has to wait for it."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("a GPUArray is not copied")
        sides = len(self.shape)
        shape = (ctypes.c_int64 * max(sides, 1))(*self.shape)
        strides = (ctypes.c_int64 * max(sides, 1))(*_arrays.steps(self.shape, 1))
        tensor = _library.Tensor(memory=self._memory, data=self._address, type=self._type, dimensions=sides,
                                 shape=shape, strides=strides)
        version = int(max_version is not None and max_version[0] >= 1)
        exported = _library.call(_library.load().gpufilter_export, ctypes.byref(tensor), version)
        return _capsule(exported, _CAPSULES[version][0])
