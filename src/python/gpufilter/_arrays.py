"""Arrays of callers and of results: their places, shapes and layouts. Those of the host are read here."""
import ctypes
import os
import struct

from . import _library, _types
from ._library import Error

LAYOUTS = "hwc", "chw"
_ON_GPU = 2, 13                          # device types of DLPack: CUDA, and memory that CUDA manages


def need_numpy(why):
    try:
        import numpy
    except ImportError:
        raise Error(why + " needs numpy", "pip install numpy") from None
    return numpy


def steps(shape, size):
    """Return the strides of an array without gaps, whose samples have this size."""
    made = []
    for side in reversed(shape):
        made.insert(0, size)
        size *= side
    return tuple(made)


def is_on_gpu(array):
    """Return True if an array says so by a protocol."""
    device = getattr(array, "__dlpack_device__", None)
    if device is not None:
        return int(device()[0]) in _ON_GPU
    return hasattr(array, "__cuda_array_interface__") and not hasattr(array, "__array_interface__")


class Array:
    """An array of samples. numpy.asarray() reads it without a copy; from Python 3.12 on, memoryview() sees its bytes.

    Results are of this class if numpy is not installed.
    """

    def __init__(self, shape, typestr):
        self.shape, self.typestr = tuple(shape), typestr
        size = int(typestr[2:])
        for side in self.shape:
            size *= side
        self._bytes = bytearray(size)

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": self.shape, "typestr": self.typestr, "data": (self.address, False)}

    @property
    def address(self):
        return ctypes.addressof(ctypes.c_char.from_buffer(self._bytes)) if self._bytes else 0

    def tobytes(self):
        return bytes(self._bytes)

    def __buffer__(self, flags):
        return memoryview(self._bytes)


class Place:
    """The place of a caller's array: address, shape, strides in bytes, type; `keep` keeps it alive."""
    where = 0                            # 0: the host; otherwise the number of the GPU and 1
    stream = 0                           # its work comes on this stream of the GPU
    lent = False                         # by a package that may use the memory again after release()
    readonly = False

    def __init__(self, address, shape, strides, typestr, keep=None):
        self.address, self.shape, self.typestr, self.keep = address, tuple(shape), typestr, keep
        self.strides = steps(self.shape, int(typestr[2:] or 0)) if strides is None else tuple(strides)

    def release(self):
        """Give the array back to its package. Its work has ended then."""


class HostPlace(Place):
    """The place of an array of the host."""

    def __init__(self, given, writable=False):
        if is_pillow(given):
            given = from_pillow(given)
        interface = getattr(given, "__array_interface__", None)     # once: Pillow copies the image for it
        if interface is None and is_on_gpu(given):
            raise Error("an array of the host was expected, but this one is on a GPU",
                        "copy it: array.cpu() of PyTorch, array.get() of CuPy")
        if interface is None and hasattr(given, "__dlpack__"):
            given = need_numpy("an array that only has __dlpack__").from_dlpack(given)
            interface = given.__array_interface__
        if interface is None:
            interface = self._of_buffer(given)
        data, keep = interface.get("data"), given
        if isinstance(data, tuple):
            address, self.readonly = data
        else:
            view = memoryview(given if data is None else data)
            if not view.c_contiguous:
                raise Error("a buffer with gaps needs numpy", "use numpy.asarray()")
            address, self.readonly, keep = _library.address_of(view), view.readonly, (given, view)
        if writable and (self.readonly or is_pillow(given)):
            raise Error("out: is read-only")
        super().__init__(address, interface["shape"], interface.get("strides"), interface["typestr"], keep)

    @staticmethod
    def _of_buffer(given):
        try:
            view = memoryview(given)
        except TypeError:
            raise Error("expected an array, an image or a buffer, not " + type(given).__name__,
                        "read() reads a file" if isinstance(given, (str, os.PathLike)) else
                        "chain.map() takes images one by one, numpy.stack() makes a batch of them"
                        if hasattr(given, "__next__") or dimensions_of(given) > 1 else "") from None
        code = {"b": "i", "B": "u", "h": "i", "H": "u", "i": "i", "I": "u", "f": "f", "d": "f"}.get(view.format)
        if code is None:
            raise Error("a buffer of the format %r cannot be read" % view.format, "use an array with a shape")
        order = "|" if view.itemsize == 1 else "<"
        return {"shape": view.shape, "strides": view.strides if view.ndim else None,
                "typestr": "%s%s%d" % (order, code, view.itemsize), "data": None}


def outline(given):
    """Return a place with shape and type of an array that is not read. Half floats are floats, as chains read them."""
    dtype = given.dtype
    typestr = getattr(dtype, "str", None) or "<" + _types.CODES.get(str(dtype).split(".")[-1], "?0")
    return Place(1, map(int, given.shape), None, typestr.replace("f2", "f4"))


def rate_of(rate):
    try:
        if 0 < rate < 1 << 31 and int(rate) == rate:
            return int(rate)
    except TypeError:
        pass
    raise Error("rate must be a whole number of frames per second, not %r" % (rate,))


def describe(place, rate, alpha, what="array", least=1):
    """Return the format and the array of a caller's array, which has at least so many rows or frames."""
    ndim, seen = len(place.shape), (2, 3) if rate is None else (1, 2)
    if ndim not in seen:
        raise Error("%s: has %d dimension%s, but %s has %d or %d"
                    % (what, ndim, "s" * (ndim != 1), _types.kind_name(rate), *seen),
                    "" if what != "array" else "sound needs a rate=" if ndim == 1 else
                    "an image has no rate=" if rate is not None and ndim == 3 else "")
    if 0 in place.shape[1:] or place.shape[0] < least:
        raise Error("%s is empty: its shape is %s" % (what, "x".join(map(str, place.shape))))
    kind = _types.number_of(place, rate, what)
    size = int(place.typestr[2:])
    shape, strides = place.shape, place.strides
    if rate is None:
        units, width = shape[0], shape[1]
        channels, step = (shape[2], strides[2]) if ndim == 3 else (1, size)
        unit, pixel = strides[0], strides[1]
    else:
        units, width = shape[0], 1
        channels, step = (shape[1], strides[1]) if ndim == 2 else (1, size)
        unit, pixel = strides[0], 0
    most = 4 if rate is None else 64
    gray = what == "array" and ndim == 3 and not isinstance(place.keep, Place)      # in the layout of the caller
    if channels > most:
        raise Error("%s: is %s, but %s has 1 to %d channels"
                    % (what, _types.text_of(place), _types.kind_name(rate), most),
                    "; ".join(["channels come last, or use layout='chw'"] * (shape[0] <= most)
                              + ["a batch of gray images has 4 dimensions: array[..., None]"] * gray))
    if alpha is None:
        alpha = rate is None and channels in (2, 4)
    f = _library.Format(kind=0 if rate is None else 1, type=kind, channels=channels, alpha=int(alpha), width=width,
                        units=units, rate=0 if rate is None else rate_of(rate))
    a = _library.Array(data=place.address, unit=unit, pixel=pixel, channel=step)
    if not (unit or pixel or step):
        # strides that are all 0 would mean an array without gaps
        a.channel = size if channels == 1 else 0
        if not a.channel:
            raise Error("%s repeats one sample" % what, "use numpy.ascontiguousarray()")
    return f, a


def first_of(place, rate, layout):
    """Return the place of the first image of a batch, the number of images or None, and their distance."""
    if layout not in LAYOUTS:
        raise Error("layout must be 'hwc' or 'chw', not %r" % (layout,))
    if rate is not None:
        if layout != "hwc":
            raise Error("sound has no layout=", "frames come first")
        return place, None, 0
    shape, strides, count, step = place.shape, place.strides, None, 0
    if len(shape) == 4:
        count, step, shape, strides = shape[0], strides[0], shape[1:], strides[1:]
    if layout == "chw" and len(shape) == 3:
        shape, strides = shape[1:] + shape[:1], strides[1:] + strides[:1]
    if shape == place.shape:
        return place, count, step
    first = Place(place.address, shape, strides, place.typestr, place)
    first.where = place.where
    return first, count, step


def arranged(shape, layout, count):
    """Return the shape of a result for the caller."""
    if layout == "chw" and len(shape) == 3:
        shape = shape[2:] + shape[:2]
    return shape if count is None else (count, *shape)


def packed_array(address, f, layout):
    """Return the array of a result without gaps."""
    size, array = _types.BYTES[f.type], _library.Array(data=address)
    if layout == "chw":
        array.unit, array.pixel, array.channel = size * f.width, size, size * f.width * f.units
    return array


def unit_bytes(f):
    """Return the size of a row or frame without gaps."""
    return _types.BYTES[f.type] * f.channels * f.width


def shape_of(f, gray_3d):
    shape = (f.units, f.width) if f.kind == 0 else (f.units,)
    return shape + (f.channels,) if f.channels > 1 or gray_3d else shape


def new_result(f, gray_3d):
    """Make an array for a result."""
    return new_array(shape_of(f, gray_3d), _types.TYPESTRS[f.type])


def new_array(shape, typestr):
    """Make an array of the host, and return its address, too."""
    try:
        import numpy
    except ImportError:
        made = Array(shape, typestr)
        return made, made.address
    made = numpy.empty(shape, numpy.dtype(typestr))
    return made, made.ctypes.data


def as_floats(place):
    """Return the place of a mask whose numbers are integers, as floats."""
    given = place.keep[0] if isinstance(place.keep, tuple) else place.keep
    if not hasattr(given, "tolist") or 0 in place.shape:
        return place
    values = given.tolist()
    for _ in place.shape[1:]:
        values = [v for row in values for v in row]
    return HostPlace(memoryview(struct.pack("%dd" % len(values), *values)).cast("d", place.shape))


def example_of(f, gray_3d, layout="hwc", count=None):
    """Return shape and type of a result."""
    return Place(0, arranged(shape_of(f, gray_3d), layout, count), None, _types.TYPESTRS[f.type])


class _Strided:
    """What numpy reads at a place."""

    def __init__(self, place):
        self.keep = place
        self.__array_interface__ = {"version": 3, "shape": place.shape, "strides": place.strides,
                                    "typestr": place.typestr, "data": (place.address, True)}


def without_gaps(place, f, array):
    """Return an array of the same samples without gaps, and its address."""
    size = _types.BYTES[f.type]
    if array.unit == unit_bytes(f) and (f.width == 1 or array.pixel == size * f.channels) \
            and (f.channels == 1 or array.channel == size):
        return place, array.data
    packed = need_numpy("a block with gaps").ascontiguousarray(_Strided(place))
    return packed, packed.ctypes.data


def of_bytes(data, f, gray_3d):
    """Return an array of the rows or frames that these bytes are."""
    made = _library.Format(kind=f.kind, type=f.type, channels=f.channels, width=f.width, rate=f.rate,
                           units=len(data) // max(unit_bytes(f), 1))
    array, address = new_result(made, gray_3d)
    if data:
        ctypes.memmove(address, data, len(data))
    return array


def dimensions_of(value):
    """Return the number of dimensions of an array, an image, a buffer, or a list of such; 0: it is none."""
    if isinstance(value, (list, tuple)):
        inner = dimensions_of(value[0]) if value else 0
        return inner + 1 if inner > 0 else 0
    if is_pillow(value):
        return 3
    if hasattr(value, "shape"):
        return len(value.shape)
    try:
        return memoryview(value).ndim
    except TypeError:
        return 0


def is_pillow(given):
    return type(given).__module__.split(".")[0] == "PIL"


def from_pillow(image):
    """Pillow's modes that are no plain samples become those that are."""
    if image.mode == "I" or image.mode.startswith("I;16") and image.mode != "I;16":
        raise Error("an image of the mode %s cannot be read" % image.mode, "use image.convert('I;16') or convert('F')")
    if image.mode not in ("L", "LA", "RGB", "RGBA", "F", "I;16"):
        image = image.convert("RGBA" if "A" in image.mode or "transparency" in image.info
                              else "L" if image.mode == "1" else "RGB")
    return image


def to_pillow(result, f):
    from PIL import Image
    mode = {(1, 1): "L", (2, 1): "LA", (3, 1): "RGB", (4, 1): "RGBA", (1, 5): "F",
            (1, 2): "I;16"}.get((f.channels, f.type))
    if mode is None:                     # Pillow has no such images
        return result
    data = result if hasattr(result, "ctypes") else result.tobytes()
    return Image.frombuffer(mode, (f.width, f.units), data, "raw", mode, 0, 1)
