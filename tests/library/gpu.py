"""Runs chains on arrays of packages that stand for PyTorch, CuPy and others, on the GPU of gpu_fake.c."""
import ctypes
import struct
import sys
import threading
import types

import gpufilter as gf
from gpufilter import _gpu, _library
from tap import end, ok, refuses

fake = ctypes.CDLL(_library.load()._name)
fake.fake_gpu_new.restype, fake.fake_gpu_new.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
fake.fake_gpu_free.argtypes = [ctypes.c_void_p]
fake.fake_gpu_copy.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
GPU = 1                                  # that all of its memory is on


class Seen(ctypes.Structure):
    _fields_ = [("runs", ctypes.c_int), ("waits", ctypes.c_int), ("allocated", ctypes.c_int),
                ("current", ctypes.c_int), ("batches", ctypes.c_int), ("in_batch", ctypes.c_int),
                ("stream", ctypes.c_void_p), ("relaxed", ctypes.c_int), ("freed_on", ctypes.c_void_p), ("followed", ctypes.c_void_p)]


fake.fake_gpu_seen.restype = ctypes.POINTER(Seen)
seen = fake.fake_gpu_seen().contents


class Memory:
    """Memory of the GPU."""

    def __init__(self, size, data=None):
        self.size, self.address = size, fake.fake_gpu_new(size)
        if data is not None:
            fake.fake_gpu_copy(self.address, bytes(data), size)

    def __del__(self):
        fake.fake_gpu_free(self.address)


def download(address, size):
    room = ctypes.create_string_buffer(size)
    fake.fake_gpu_copy(ctypes.addressof(room), ctypes.cast(address, ctypes.c_char_p), size)
    return room.raw


fake.fake_gpu_copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
SIZES = {"uint8": 1, "uint16": 2, "int16": 2, "float32": 4, "float64": 8, "float16": 2, "bfloat16": 2}
CODES = {"uint8": "|u1", "uint16": "<u2", "int16": "<i2", "float32": "<f4", "float64": "<f8", "float16": "<f2"}


def steps(shape):
    made, step = [], 1
    for side in reversed(shape):
        made.insert(0, step)
        step *= side
    return tuple(made)


class Tensor:
    """The parts of torch.Tensor that the package uses."""
    is_cuda = True

    def __init__(self, shape, dtype, memory, stride=None, offset=0):
        self.shape, self.dtype, self.memory, self.offset = tuple(shape), dtype, memory, offset
        self._stride = tuple(stride or steps(shape))
        self.device = "cuda:%d" % GPU

    def stride(self):
        return self._stride

    def __dlpack_device__(self):
        return 2, GPU

    def get_device(self):
        return GPU

    def data_ptr(self):
        return self.memory.address + self.offset * self.element_size()

    def element_size(self):
        return SIZES[str(self.dtype)[6:]]

    def permute(self, *order):
        return Tensor([self.shape[i] for i in order], self.dtype, self.memory, [self._stride[i] for i in order],
                      self.offset)

    def detach(self):
        return self

    def float(self):
        count = len(self.tobytes()) // self.element_size()
        values = struct.unpack("%d%s" % (count, "e" if self.dtype is torch.float16 else "f"), self.tobytes())
        return tensor(struct.pack("%df" % count, *values), *self.shape, dtype="float32")

    def cpu(self):
        size = self.element_size()
        for side in self.shape:
            size *= side
        host = gf.Array(self.shape, CODES[str(self.dtype)[6:]])
        host._bytes[:] = download(self.data_ptr(), size)
        return host

    def tobytes(self):
        return self.cpu().tobytes()


class Dtype:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + self.name


def stand_in_for_torch():
    torch = types.ModuleType("torch")
    for name in SIZES:
        setattr(torch, name, Dtype(name))
    torch.Tensor, torch.queue = Tensor, 77

    def empty(shape, dtype, device):
        size = SIZES[dtype.name]
        for side in shape:
            size *= side
        return Tensor(shape, dtype, Memory(size))

    torch.empty = empty

    class Context:                       # what is made for a stream
        def __init__(self, stream):
            self.stream = stream

        def __enter__(self):
            torch.made_on.append(self.stream)

        def __exit__(self, *_):
            torch.made_on.append(None)

    torch.made_on = []
    torch.cuda = types.SimpleNamespace(stream=Context, ExternalStream=lambda stream, device: stream,
                                       default_stream=lambda device: 0)
    torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=lambda device: torch.queue)
    sys.modules["torch"] = torch
    return torch


class CudaArray:
    """An array that only has __cuda_array_interface__."""

    def __init__(self, shape, typestr, memory, readonly=False, **more):
        self.__cuda_array_interface__ = {"version": 3, "shape": shape, "typestr": typestr,
                                         "data": (memory.address, readonly), **more}
        self.memory = memory


class DLPackArray:
    """An array that only has __dlpack__, of this version."""

    def __init__(self, data, shape, versioned, major=1, flags=0, lanes=1):
        self.memory, self.shape, self.versioned = Memory(len(data), data), shape, versioned
        self.major, self.flags, self.lanes = major, flags, lanes
        self.streams, self.deleted, self.waits = [], 0, None

    def __dlpack_device__(self):
        return 2, GPU

    def __dlpack__(self, stream=None, **options):
        if options and not self.versioned:
            raise TypeError("an earlier version")
        self.streams.append(stream)
        form, name = ((_gpu._Versioned, b"dltensor_versioned") if self.versioned else (_gpu._Managed, b"dltensor"))
        self.form = form(deleter=ctypes.cast(DELETE, ctypes.c_void_p).value)
        if self.versioned:
            self.form.major, self.form.flags = self.major, self.flags
        self.sides = (ctypes.c_int64 * len(self.shape))(*self.shape)
        self.form.tensor = _gpu._Tensor(self.memory.address, 2, GPU, len(self.shape), 1, 8, self.lanes,
                                        self.sides)
        owners[ctypes.addressof(self.form)] = self
        return _gpu._capsule(ctypes.addressof(self.form), name)


owners = {}


@_gpu._DELETER
def DELETE(address):
    owner = owners.pop(address)
    owner.deleted, owner.waits = owner.deleted + 1, seen.waits


WIDTH, ROWS = 31, 23


def samples(count, factor=37):
    return bytes(i * i * factor // 11 % 256 for i in range(count))


def host_image(data, *shape):
    return memoryview(data).cast("B", shape)


def planes_of(data, channels):
    return b"".join(data[c::channels] for c in range(channels))


torch = stand_in_for_torch()
RGB = samples(ROWS * WIDTH * 3)


def tensor(data, *shape, dtype="uint8"):
    return Tensor(shape, getattr(torch, dtype), Memory(len(data), data))


def torch_cases():
    for stages in "blur:2", "gray blur:2", "equalize", "rotate:90", "resize:20x", "normalize rotate:30", "hflip", "":
        chain = gf.Chain(stages)
        want = chain(host_image(RGB, ROWS, WIDTH, 3))
        runs = [chain(tensor(RGB, ROWS, WIDTH, 3)) for _ in range(3)]
        ok(all(isinstance(r, Tensor) and r.shape == want.shape and r.tobytes() == want.tobytes() for r in runs),
           "tensors: '%s'" % stages)
    chain = gf.Chain("gray blur:2")
    want = chain(host_image(RGB, ROWS, WIDTH, 3))
    planes = tensor(planes_of(RGB, 3), 3, ROWS, WIDTH)
    ok(chain(planes.permute(1, 2, 0)).tobytes() == want.tobytes(), "a view of planes as pixels")
    ok(chain(planes, layout="chw").tobytes() == want.tobytes(), "planes to gray")
    blur = gf.Chain("blur:2")
    result = blur(planes, layout="chw")
    ok(result.shape == (3, ROWS, WIDTH) and result.tobytes()
       == planes_of(blur(host_image(RGB, ROWS, WIDTH, 3)).tobytes(), 3), "planes to planes")
    waits, torch.queue = seen.waits, 99
    chain(tensor(RGB, ROWS, WIDTH, 3))
    ok(seen.stream == 99 and seen.waits == waits, "a tensor is filtered on the current stream, and not awaited")
    chain(tensor(RGB, ROWS, WIDTH, 3), stream=55)
    ok(seen.stream == 55 and torch.made_on == [55, None], "stream= chooses another stream, also for memory")
    chain(tensor(RGB, ROWS, WIDTH, 3))
    ok(seen.stream == 99, "stream= is for one call")
    for name, stream in (("PyTorch", types.SimpleNamespace(cuda_stream=56)), ("CuPy", types.SimpleNamespace(ptr=57)),
                         ("CUDA", types.SimpleNamespace(__cuda_stream__=lambda: (0, 58)))):
        chain(tensor(RGB, ROWS, WIDTH, 3), stream=stream)
        ok(seen.stream in (56, 57, 58), "stream= takes a stream of " + name)
    refuses(lambda: chain(tensor(RGB, ROWS, WIDTH, 3), stream=-1), "must be a stream", "stream= refuses other things")
    out = torch.empty((ROWS, WIDTH), torch.uint8, None)
    ok(chain(tensor(RGB, ROWS, WIDTH, 3), out=out) is out and out.tobytes() == want.tobytes(), "out= takes a result")
    ok(chain(tensor(RGB, ROWS, WIDTH, 3), dtype="float32").dtype is torch.float32, "dtype= of a tensor")
    ok(gf.apply("stats", tensor(RGB, ROWS, WIDTH, 3)) == gf.apply("stats", host_image(RGB, ROWS, WIDTH, 3)),
       "a table of a tensor")
    top = samples(16)
    ok(gf.apply("over:top,3,4", tensor(RGB, ROWS, WIDTH, 3), top=tensor(top, 4, 4)).tobytes()
       == gf.apply("over:top,3,4", host_image(RGB, ROWS, WIDTH, 3), top=host_image(top, 4, 4)).tobytes(),
       "a tensor as second input")
    sound = tensor(samples(4000), 1000, 2, dtype="int16")
    ok(gf.apply("gain:-3", sound, rate=8000).tobytes()
       == gf.apply("gain:-3", memoryview(samples(4000)).cast("h", (1000, 2)), rate=8000).tobytes(), "a tensor of sound")
    torch.made_on.clear()
    ok(len(list(chain.map([tensor(RGB, ROWS, WIDTH, 3)] * 5, workers=3))) == 5 and torch.made_on.count(99) == 5,
       "map() takes tensors, on the stream of the caller")


class Cupy(types.ModuleType):
    """The parts of CuPy that the package uses. Each device has a current stream in each thread."""

    class ndarray:
        def __init__(self, shape, memory, device):
            self.shape, self.memory, self.device, self.dtype = tuple(shape), memory, device, "uint8"
            self.strides, self.data = steps(shape), types.SimpleNamespace(ptr=memory.address)

    class Device:
        def __init__(self, module, number):
            self.module, self.id = module, number

        def __enter__(self):
            self.module.entered.append(self.module.device)
            self.module.device = self.id

        def __exit__(self, *_):
            self.module.device = self.module.entered.pop()

    class External:
        def __init__(self, module, ptr):
            self.module, self.ptr = module, ptr

        def __enter__(self):             # of the device that is current now
            self.before = self.module.device, self.module.streams.get(self.module.device, 0)
            self.module.streams[self.module.device] = self.ptr

        def __exit__(self, *_):
            self.module.streams[self.before[0]] = self.before[1]

    def __init__(self):
        super().__init__("cupy")
        self.device, self.entered, self.streams, self.made_on = 0, [], {}, []
        self.cuda = types.SimpleNamespace(
            runtime=types.SimpleNamespace(getDevice=lambda: self.device),
            get_current_stream=lambda: types.SimpleNamespace(ptr=self.streams.get(self.device, 0)),
            ExternalStream=lambda ptr: self.External(self, ptr),
            Stream=types.SimpleNamespace(null=self.External(self, 0), ptds=self.External(self, 2)))

    def empty(self, shape, typestr):
        self.made_on.append((self.device, self.streams.get(self.device, 0)))
        return self.ndarray(shape, Memory(len(RGB)), self.Device(self, self.device))


def cupy_cases():
    cupy = sys.modules["cupy"] = Cupy()
    want = gf.apply("blur:2", host_image(RGB, ROWS, WIDTH, 3)).tobytes()
    array = cupy.ndarray((ROWS, WIDTH, 3), Memory(len(RGB), RGB), cupy.Device(cupy, GPU))
    for name in "first", "second":
        made = gf.apply("blur:2", array, stream=9)
        ok(cupy.made_on == [(GPU, 9)] and seen.stream == 9 and download(made.data.ptr, len(want)) == want,
           "stream= of an array of CuPy on a GPU that is not current, the %s call" % name)
        cupy.made_on.clear()
    ok(cupy.device == 0 and cupy.streams == {GPU: 0}, "the device and the streams of CuPy are as before")
    cupy.streams[GPU] = 5
    gf.apply("blur:2", array)
    ok(cupy.made_on == [(GPU, 5)] and seen.stream == 5, "an array of CuPy is filtered on the current stream of its GPU")


def halves():
    count = ROWS * WIDTH * 3
    half = struct.pack("%de" % count, *(v / 255 for v in RGB))
    floats = struct.pack("%df" % count, *struct.unpack("%de" % count, half))
    want = gf.apply("gray blur:2", memoryview(floats).cast("f", (ROWS, WIDTH, 3))).tobytes()
    want = struct.pack("%de" % (count // 3), *struct.unpack("%df" % (count // 3), want))
    for name in "first", "second":
        made = gf.apply("gray blur:2", tensor(half, ROWS, WIDTH, 3, dtype="float16"))
        ok(made.dtype is torch.float16 and made.tobytes() == want, "half floats, the %s call" % name)
    made = gf.apply("gray blur:2", tensor(floats, ROWS, WIDTH, 3, dtype="float32"), dtype=torch.float16)
    ok(made.dtype is torch.float16 and made.tobytes() == want, "half floats as a result")
    refuses(lambda: gf.apply("gray", tensor(bytes(64), 4, 8, dtype="bfloat16")), "array.float()",
            "other half floats are refused")
    refuses(lambda: gf.apply("gray", host_image(RGB, ROWS, WIDTH, 3), dtype="float16"), "float32 or float64, not float16",
            "half floats of the host are refused")


def batches():
    many = samples(3 * ROWS * WIDTH * 3)
    chain = gf.Chain("noise:0.1 blur:1")
    host = chain(memoryview(many).cast("B", (3, ROWS, WIDTH, 3)))
    ok(host.shape == (3, ROWS, WIDTH, 3), "a batch of the host")
    for name in "first", "second":
        made = chain(tensor(many, 3, ROWS, WIDTH, 3))
        ok(made.shape == host.shape and made.tobytes() == host.tobytes(), "a batch of tensors, the %s call" % name)
    one = gf.Chain("blur:1")
    rows = ROWS * WIDTH * 3
    want = b"".join(one(host_image(many[i * rows:(i + 1) * rows], ROWS, WIDTH, 3)).tobytes() for i in range(3))
    ok(one(memoryview(many).cast("B", (3, ROWS, WIDTH, 3))).tobytes() == want, "a batch is its images")
    planes = b"".join(planes_of(many[i * rows:(i + 1) * rows], 3) for i in range(3))
    made = gf.apply("gray", tensor(planes, 3, 3, ROWS, WIDTH), layout="chw")
    ok(made.shape == (3, ROWS, WIDTH) and made.tobytes()
       == gf.apply("gray", memoryview(many).cast("B", (3, ROWS, WIDTH, 3))).tobytes(), "a batch of planes")
    none = gf.apply("gray", Tensor((0, ROWS, WIDTH, 3), torch.uint8, Memory(1)))
    ok(none.shape == (0, ROWS, WIDTH), "a batch of no image")
    refuses(lambda: gf.apply("stats", tensor(many, 3, ROWS, WIDTH, 3)), "a batch has no table",
            "a batch is not measured")
    out = torch.empty((2, ROWS, WIDTH, 3), torch.uint8, None)
    refuses(lambda: one(tensor(many, 3, ROWS, WIDTH, 3), out=out), "the result is uint8 3x23x31x3",
            "out= of another batch")


def others():
    want = gf.apply("blur:2", host_image(RGB, ROWS, WIDTH, 3)).tobytes()
    for versioned in False, True:
        array, before = DLPackArray(RGB, (ROWS, WIDTH, 3), versioned), seen.waits
        made = gf.apply("blur:2", array)
        name = "DLPack" + (" 1.0" if versioned else "")
        ok(isinstance(made, gf.GPUArray) and made.shape == (ROWS, WIDTH, 3) and made.dtype == "uint8"
           and download(made.address, len(want)) == want, name + ": the result of an array")
        ok(array.streams == [1] and array.deleted == 1 and seen.waits > before,
           name + ": the array is given back when the work has ended")
        kept = download(made.address, 4)
        capsule = made.__dlpack__(max_version=(1, 1) if versioned else None)
        address, capsule = made.address, (capsule, made.__dlpack_device__())
        del made
        ok(download(address, 4) == kept and capsule[1] == (2, GPU), name + ": a result outlives its array")
        allocated, capsule = seen.allocated, None
        ok(seen.allocated == allocated - 1, name + ": a capsule that nobody took frees the memory")
        made, allocated, problem = gf.apply("blur:2", array), seen.allocated, ""
        try:
            len(made.__dlpack__(max_version=(1, 1) if versioned else None))      # has no length, and nobody takes it
        except TypeError as e:
            problem = str(e)
        del made
        ok("has no len()" in problem and seen.allocated == allocated - 1,
           name + ": a capsule that is freed by a failing call leaves its exception")
        again = gf.apply("blur:2", gf.apply("blur:2", array))
        ok(isinstance(again, gf.GPUArray), name + ": a result is an input")
    memory = Memory(len(RGB), RGB)
    made = gf.apply("blur:2", CudaArray((ROWS, WIDTH, 3), "|u1", memory, stream=7))
    ok(seen.stream == 7 and download(made.address, len(want)) == want, "an array with __cuda_array_interface__")
    both = CudaArray((ROWS, WIDTH, 3), "|u1", memory, stream=7)
    refuses(lambda: gf.apply("blur:2", both, stream=9), "wait for stream 9, and pass stream=7",
            "an array with work on another stream than that of the call is refused")
    refuses(lambda: gf.apply("blur:2", tensor(RGB, ROWS, WIDTH, 3), stream=9, out=both), "pass stream=7",
            "out= with work on another stream is refused")
    ok(gf.apply("blur:2", both, stream=7) is not None and seen.stream == 7, "a call on the stream of its array")
    default = CudaArray((ROWS, WIDTH, 3), "|u1", memory, stream=1)
    ok(gf.apply("blur:2", default, stream=0) is not None, "the default stream has two numbers")
    face = made.__cuda_array_interface__
    ok(face["shape"] == (ROWS, WIDTH, 3) and face["typestr"] == "|u1" and face["data"] == (made.address, False),
       "a result has __cuda_array_interface__")
    with_strides = CudaArray((ROWS, WIDTH, 3), "|u1", memory, strides=(WIDTH * 3, 3, 1))
    made = gf.apply("blur:2", with_strides)
    ok(download(made.address, len(want)) == want, "strides of __cuda_array_interface__")
    refuses(lambda: gf.apply("blur:2", CudaArray((4, 4), "|u1", memory, mask=memory)), "has a mask",
            "a mask is refused")
    there = CudaArray((4, 4), "|u1", types.SimpleNamespace(address=ctypes.addressof(ctypes.create_string_buffer(16))))
    refuses(lambda: gf.apply("blur:2", there), "memory of no GPU", "an address of the host is refused")


def on_host():
    """Calls whose arrays are on the host, or nowhere."""
    image = host_image(RGB, ROWS, WIDTH, 3)
    halves = struct.pack("%de" % len(RGB), *(v / 255 for v in RGB))
    floats = memoryview(struct.pack("%df" % len(RGB), *struct.unpack("%de" % len(RGB), halves)))
    gf.write("host.png", image)
    gf.write("floats.png", floats.cast("B").cast("f", (ROWS, WIDTH, 3)))
    numba = CudaArray((ROWS, WIDTH, 3), "|u1", Memory(1))
    numba.copy_to_host = lambda: image
    for name, array, layout, file in (
            ("a tensor", tensor(RGB, ROWS, WIDTH, 3), "hwc", "host.png"),
            ("a tensor of planes", tensor(planes_of(RGB, 3), 3, ROWS, WIDTH), "chw", "host.png"),
            ("half floats", tensor(halves, ROWS, WIDTH, 3, dtype="float16"), "hwc", "floats.png"),
            ("an array of another package", numba, "hwc", "host.png")):
        gf.write("gpu.png", array, layout=layout)
        with open("gpu.png", "rb") as made, open(file, "rb") as wanted:
            ok(made.read() == wanted.read(), "write() copies " + name)
    refuses(lambda: gf.write("gpu.png", CudaArray((4, 4), "|u1", Memory(16))), "an array of the host, PyTorch",
            "write() refuses an array that cannot be copied")
    refuses(lambda: gf.write("gpu.png", tensor(RGB, 1, ROWS, WIDTH, 3)), "write each image", "write() refuses a batch")
    chain = gf.Chain("gray resize:20x")
    for name, array, layout in (("a tensor", tensor(RGB, ROWS, WIDTH, 3), "hwc"),
                                ("planes", tensor(RGB, 3, ROWS, WIDTH), "chw"),
                                ("a batch", tensor(RGB, 1, ROWS, WIDTH, 3), "hwc"),
                                ("a batch of planes", tensor(RGB, 1, 3, ROWS, WIDTH), "chw"),
                                ("half floats", tensor(halves, ROWS, WIDTH, 3, dtype="float16"), "hwc")):
        result, runs = chain(array, layout=layout), seen.runs
        made = chain.format(array, layout=layout)
        ok(made == chain.format(array.shape, array.dtype, layout=layout) and seen.runs == runs
           and made == (result.shape, result.dtype.name, None), "format() describes the result of " + name)
    ok(gf.Chain("blur:2").halo(tensor(halves, ROWS, WIDTH, 3, dtype="float16")) == gf.Chain("blur:2").halo(image),
       "halo() of half floats")
    refuses(lambda: list(chain.rows([tensor(RGB, ROWS, WIDTH, 3)], ROWS)), "array.cpu() of PyTorch",
            "rows() refuses a tensor, and says how to copy it")
    refuses(lambda: gf.Chain("gain:-3").stream(8000)(tensor(bytes(64), 16, dtype="float32")), "array.cpu() of PyTorch",
            "a stream refuses a tensor")


def given_back():
    want = gf.apply("blur:2", host_image(RGB, ROWS, WIDTH, 3)).tobytes()
    shape, chain = (ROWS, WIDTH, 3), gf.Chain("blur:2")
    for versioned in False, True:
        name = "DLPack" + (" 1.0" if versioned else "")
        for array in tensor(RGB, *shape), DLPackArray(RGB, shape, versioned):
            out, before = DLPackArray(bytes(len(RGB)), shape, versioned), seen.waits
            made = chain(array, out=out)
            ok(made is out and download(out.memory.address, len(want)) == want and out.deleted == 1
               and out.waits == before + 1, name + ": out= is given back after the run, from a " + type(array).__name__)
        array, before = DLPackArray(RGB, shape, versioned), seen.waits
        refuses(lambda: chain(array, out=tensor(RGB, 3, *shape)), "the result is", name + ": a call that fails half-way")
        ok(array.deleted == 1 and array.waits == before + 1, name + ": a call that fails waits and gives its array back")
        wide = DLPackArray(RGB, shape, versioned, lanes=4)
        refuses(lambda: chain(wide), "vectors of 4 lanes", name + ": vectors as samples are refused")
        ok(wide.deleted == 1, name + ": vectors are given back")
    later = DLPackArray(RGB, shape, True, major=2)
    refuses(lambda: chain(later), "version 2 of DLPack", "a later DLPack is refused")
    ok(later.deleted == 1, "a tensor of a later DLPack is given back")
    for out in DLPackArray(RGB, shape, True, flags=1), CudaArray(shape, "|u1", Memory(len(RGB), RGB), True):
        refuses(lambda: chain(tensor(RGB, *shape), out=out), "out: is read-only",
                "out= that is read-only is refused: " + type(out).__name__)
    ok(chain(DLPackArray(RGB, shape, True, flags=1)).shape == shape, "an input may be read-only")
    out = CudaArray(shape, "|u1", Memory(len(RGB)))
    before = seen.waits
    chain(tensor(RGB, *shape), out=out)
    ok(seen.waits == before + 1 and download(out.memory.address, len(want)) == want,
       "out= with __cuda_array_interface__ is awaited")
    none = chain(CudaArray((0, *shape), "|u1", types.SimpleNamespace(address=0)))
    ok(isinstance(none, gf.GPUArray) and none.shape == (0, *shape), "an array without samples and address is on a GPU")
    many = tensor(RGB * 3, 3, *shape)
    below = Tensor((2, *shape), torch.uint8, many.memory, offset=len(RGB))
    first = Tensor((2, *shape), torch.uint8, many.memory)
    refuses(lambda: chain(first, out=below), "overlaps an input", "out= over a later image of the batch is refused")


class Broken:
    """An array whose package fails."""

    def __init__(self):
        self.asked = 0

    def __dlpack_device__(self):
        self.asked += 1
        if self.asked > 1:
            raise ValueError("no device")
        return 2, GPU

    def __dlpack__(self, **options):
        raise AssertionError


def broken():
    unraisable = []
    sys.unraisablehook = unraisable.append
    try:
        gf.apply("gray", Broken())
    except ValueError:
        pass
    sys.unraisablehook = sys.__unraisablehook__
    ok(not unraisable, "an array whose package fails leaves nothing to give back")


def errors():
    refuses(lambda: gf.apply("gray", tensor(RGB, ROWS, WIDTH, 3), device="cpu"), "device cpu",
            "the CPU cannot be chosen")
    refuses(lambda: gf.apply("gray", tensor(RGB, ROWS, WIDTH, 3), layout="cwh"), "'hwc' or 'chw'",
            "a layout is refused")
    refuses(lambda: gf.apply("gray", host_image(RGB, ROWS, WIDTH, 3), stream=3), "arrays on a GPU",
            "a stream for an array of the host")
    refuses(lambda: gf.apply("gray", tensor(planes_of(RGB, 3), 3, ROWS, WIDTH)), "layout='chw'", "planes need a layout")
    refuses(lambda: gf.apply("gray", tensor(RGB, ROWS, WIDTH, 3), out=bytearray(ROWS * WIDTH)), "out: ",
            "out= of the host is refused")
    host = memoryview(bytearray(ROWS * WIDTH)).cast("B", (ROWS, WIDTH))
    refuses(lambda: gf.apply("gray", tensor(RGB, ROWS, WIDTH, 3), out=host), "memory of the host",
            "out= of the host is refused for its memory")
    failed = []

    def many_calls():
        chain = gf.Chain("gray blur:2")
        for _ in range(20):
            failed.append(chain(tensor(RGB, ROWS, WIDTH, 3)).tobytes() != WANT)

    threads = [threading.Thread(target=many_calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ok(len(failed) == 80 and not any(failed), "threads filter tensors")


WANT = gf.apply("gray blur:2", host_image(RGB, ROWS, WIDTH, 3)).tobytes()
torch_cases()
cupy_cases()
halves()
batches()
others()
on_host()
given_back()
broken()
errors()
end()
