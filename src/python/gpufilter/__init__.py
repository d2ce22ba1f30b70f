"""Chains of filters for images and audio, on CPU cores and NVIDIA GPUs.

    import gpufilter as gf
    out = gf.apply("gray blur:2 rotate:30", image)     # numpy, Pillow, or anything with a buffer
    sharpen = gf.Chain("median:2 unsharp")             # also gf.median(2) | gf.unsharp()
    out = sharpen(image)                               # prepared once for each format

Images are arrays of rows, columns and channels. Sound is an array of frames and channels, and has a rate=.
Each stage is a function here: help(gf.blur) is its entry in the manual.
"""
import collections
import concurrent.futures
import contextlib
import ctypes
import functools
import inspect
import itertools
import json
import keyword
import math
import os
import re
import shlex
import shutil
import struct
import subprocess
import threading
import time
import types
import warnings

from . import _gpu, _library
from ._gpu import GPUArray
from ._library import Error, Warning

__all__ = ["apply", "table", "Chain", "Stream", "Format", "Error", "Warning", "Array", "GPUArray", "read", "write",
           "run", "stages", "version"]


def version():
    """Return the version of the library."""
    return _library.load().gpufilter_version().decode()


# ---- arrays

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


class _Place:
    """The place of a caller's array: address, shape, strides in bytes, type; `keep` keeps it alive."""

    def __init__(self, given, writable=False):
        if _is_pillow(given):
            given = _from_pillow(given)
        interface = getattr(given, "__array_interface__", None)     # once: Pillow copies the image for it
        if interface is None and _gpu.kind_of(given) is not None:
            raise Error("an array of the host was expected, but this one is on a GPU",
                        "copy it: array.cpu() of PyTorch, array.get() of CuPy")
        if interface is None and hasattr(given, "__dlpack__"):
            given = _numpy("an array that only has __dlpack__").from_dlpack(given)
            interface = given.__array_interface__
        if interface is None:
            interface = self._of_buffer(given)
        self.keep = given
        self.shape = tuple(interface["shape"])
        self.typestr = interface["typestr"]
        data = interface.get("data")
        if isinstance(data, tuple):
            self.address, readonly = data
        else:
            view = memoryview(given if data is None else data)
            readonly = view.readonly
            if not view.c_contiguous:
                raise Error("a buffer with gaps needs numpy", "use numpy.asarray()")
            self.keep = given, view
            self.address = _library.address_of(view)
        if writable and (readonly or _is_pillow(given)):
            raise Error("out: is read-only")
        size = int(self.typestr[2:] or 0)
        strides = interface.get("strides")
        if strides is None:
            strides, step = [], size
            for side in reversed(self.shape):
                strides.insert(0, step)
                step *= side
        self.strides = tuple(strides)

    @staticmethod
    def _of_buffer(given):
        try:
            view = memoryview(given)
        except TypeError:
            raise Error("expected an array, an image or a buffer, not " + type(given).__name__,
                        "read() reads a file" if isinstance(given, (str, os.PathLike)) else "") from None
        code = {"b": "i", "B": "u", "h": "i", "H": "u", "i": "i", "I": "u", "f": "f", "d": "f"}.get(view.format)
        if code is None:
            raise Error("a buffer of the format %r cannot be read" % view.format, "use an array with a shape")
        order = "|" if view.itemsize == 1 else "<"
        return {"shape": view.shape, "strides": view.strides if view.ndim else None,
                "typestr": "%s%s%d" % (order, code, view.itemsize), "data": None}


class _Outline:
    """Shape and type of an array that is not read."""

    def __init__(self, given):
        dtype = given.dtype
        self.shape = tuple(map(int, given.shape))
        self.typestr = getattr(dtype, "str", None) or "<" + {**_NAMES, "float16": "f2"}.get(str(dtype).split(".")[-1], "?0")
        self.typestr = self.typestr.replace("f2", "f4")          # as chains read them
        self.address, strides, step = 1, [], int(self.typestr[2:] or 0)
        for side in reversed(self.shape):
            strides.insert(0, step)
            step *= side
        self.strides = tuple(strides)


def _numpy(why):
    try:
        import numpy
    except ImportError:
        raise Error(why + " needs numpy", "pip install numpy") from None
    return numpy


_TYPES = {"u1": 1, "u2": 2, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "f2": 7}
_TYPESTRS = ("", "|u1", "<u2", "<i2", "<i4", "<f4", "<f8", "<f2")      # by number
_BYTES = (0, 1, 2, 2, 4, 4, 8, 2)       # by number
_PIECE = 1 << 20                        # bytes that are pulled at most
_NAMES = {"uint8": "u1", "uint16": "u2", "int16": "i2", "int32": "i4", "float32": "f4", "float64": "f8"}


_FOR = ("uint8", "uint16", "float32", "float64"), ("int16", "int32", "float32", "float64")     # images; sound
_CODES = tuple([_NAMES[name] for name in names] for names in _FOR)


def _kind(rate):
    return "an image" if rate is None else "sound"


def _seen(place):
    """Return type and shape of an array as text: uint8 40x50x3."""
    code = place.typestr[1:]
    name = {"u": "uint", "i": "int", "f": "float", "b": "bool", "c": "complex"}.get(code[0])
    name = {"b1": "bool", "O": "object"}.get(code) or (name + str(8 * int(code[1:])) if name else place.typestr)
    return name + " " + ("x".join(map(str, place.shape)) or "without a dimension")


def _type_of(place, rate, what):
    """Return the number of the type of an array."""
    code = place.typestr[1:]
    if place.typestr[0] == ">" and code[1:] != "1":
        raise Error("%s: samples of the other byte order cannot be read" % what,
                    "use array.astype(array.dtype.newbyteorder('='))")
    if code not in _CODES[rate is not None] and not (code == "f2" and getattr(place, "where", 0)):
        other = what == "array" and code in _CODES[rate is None]
        raise Error("%s: is %s, but %s must be %s" % (what, _seen(place), _kind(rate), _either(_FOR[rate is not None])),
                    ("sound needs a rate=" if rate is None else "an image has no rate=") if other else "")
    return _TYPES[code]


def _either(names):
    return ", ".join(names[:-1]) + " or " + names[-1]


def _dtype_name(dtype, kind=None, half=False):
    """Return the short name of a type, which one of the kind may have: 0 image, 1 sound, None any; or a half float."""
    name = getattr(dtype, "__name__", None) or getattr(dtype, "name", None) or str(dtype).split(".")[-1]
    name = {code: full for full, code in _NAMES.items()}.get(name, name)
    if half and name in ("float16", "half", "f2"):
        return "f2"
    names = tuple(_NAMES) if kind is None else _FOR[kind]
    if name not in names:
        whose = "" if kind is None else (" of an image", " of sound")[kind]
        raise Error("the dtype%s must be %s, not %s" % (whose, _either(names), name),
                    "sound needs a rate=" if kind == 0 and name in _FOR[1] else "")
    return _NAMES[name]


def _dtype_code(dtype, kind=None, half=False):
    """Return the number of a result's type; 0: that of the input."""
    return 0 if dtype is None else _TYPES[_dtype_name(dtype, kind, half)]


def _rate_of(rate):
    try:
        if 0 < rate < 1 << 31 and int(rate) == rate:
            return int(rate)
    except TypeError:
        pass
    raise Error("rate must be a whole number of frames per second, not %r" % (rate,))


def _describe(place, rate, alpha, what="array", least=1):
    """Return the format and the array of a caller's array, which has at least so many rows or frames."""
    ndim, seen = len(place.shape), (2, 3) if rate is None else (1, 2)
    if ndim not in seen:
        raise Error("%s: has %d dimension%s, but %s has %d or %d" % (what, ndim, "s" * (ndim != 1), _kind(rate), *seen),
                    "" if what != "array" else "sound needs a rate=" if ndim == 1 else
                    "an image has no rate=" if rate is not None and ndim == 3 else "")
    if 0 in place.shape[1:] or place.shape[0] < least:
        raise Error("%s is empty: its shape is %s" % (what, "x".join(map(str, place.shape))))
    kind = _type_of(place, rate, what)
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
    if channels > most:
        raise Error("%s: is %s, but %s has 1 to %d channels" % (what, _seen(place), _kind(rate), most),
                    "channels come last, or use layout='chw'" if shape[0] <= most else "")
    if alpha is None:
        alpha = rate is None and channels in (2, 4)
    f = _library.Format(kind=0 if rate is None else 1, type=kind, channels=channels, alpha=int(alpha), width=width,
                        units=units, rate=0 if rate is None else _rate_of(rate))
    a = _library.Array(data=place.address, unit=unit, pixel=pixel, channel=step)
    if not (unit or pixel or step):
        # strides that are all 0 would mean an array without gaps
        a.channel = size if channels == 1 else 0
        if not a.channel:
            raise Error("%s repeats one sample" % what, "use numpy.ascontiguousarray()")
    return f, a


class _View:
    """An image of a batch, or an image whose channels come first, as rows, columns and channels."""

    def __init__(self, place, shape, strides):
        self.address, self.typestr, self.shape, self.strides = place.address, place.typestr, shape, strides
        self.where = getattr(place, "where", 0)


_LAYOUTS = "hwc", "chw"


def _one_of(place, rate, layout):
    """Return the place of the first image of a batch, the number of images or None, and their distance."""
    if layout not in _LAYOUTS:
        raise Error("layout must be 'hwc' or 'chw', not %r" % (layout,))
    if rate is not None:
        if layout != "hwc":
            raise Error("sound has no layout=", "frames come first")
        return place, None, 0
    shape, strides, count, step = tuple(place.shape), tuple(place.strides), None, 0
    if len(shape) == 4:
        count, step, shape, strides = shape[0], strides[0], shape[1:], strides[1:]
    if layout == "chw" and len(shape) == 3:
        shape, strides = shape[1:] + shape[:1], strides[1:] + strides[:1]
    return (place if shape is place.shape else _View(place, shape, strides)), count, step


def _arranged(shape, layout, count):
    """Return the shape of a result for the caller."""
    if layout == "chw" and len(shape) == 3:
        shape = shape[2:] + shape[:2]
    return shape if count is None else (count, *shape)


def _packed(address, f, layout):
    """Return the array of a result without gaps."""
    size, array = _BYTES[f.type], _library.Array(data=address)
    if layout == "chw":
        array.unit, array.pixel, array.channel = size * f.width, size, size * f.width * f.units
    return array


def _unit_bytes(f):
    """Return the size of a row or frame without gaps."""
    return _BYTES[f.type] * f.channels * f.width


def _shape_of(f, gray_3d):
    shape = (f.units, f.width) if f.kind == 0 else (f.units,)
    return shape + (f.channels,) if f.channels > 1 or gray_3d else shape


def _result(f, gray_3d):
    """Make an array for a result."""
    return _on_host(_shape_of(f, gray_3d), _TYPESTRS[f.type])


def _on_host(shape, typestr):
    """Make an array of the host, and return its address, too."""
    try:
        import numpy
    except ImportError:
        made = Array(shape, typestr)
        return made, made.address
    made = numpy.empty(shape, numpy.dtype(typestr))
    return made, made.ctypes.data


def _as_floats(place):
    """Return the place of a mask whose numbers are integers, as floats."""
    given = place.keep[0] if isinstance(place.keep, tuple) else place.keep
    if not hasattr(given, "tolist") or 0 in place.shape:
        return place
    values = given.tolist()
    for _ in place.shape[1:]:
        values = [v for row in values for v in row]
    return _Place(memoryview(struct.pack("%dd" % len(values), *values)).cast("d", place.shape))


def _example(f, gray_3d):
    """Return shape and type of a result."""
    return types.SimpleNamespace(shape=_shape_of(f, gray_3d), typestr=_TYPESTRS[f.type])


def _without_gaps(block, place, f, array):
    """Return an array of the same samples without gaps, and its address."""
    size = _BYTES[f.type]
    row = size * f.channels * f.width
    if array.unit == row and (f.width == 1 or array.pixel == size * f.channels) \
            and (f.channels == 1 or array.channel == size):
        return place, array.data
    packed = _numpy("a block with gaps").ascontiguousarray(block)
    return packed, packed.ctypes.data


def _of_bytes(data, f, gray_3d):
    """Return an array of the rows or frames that these bytes are."""
    made = _library.Format(kind=f.kind, type=f.type, channels=f.channels, width=f.width, rate=f.rate,
                           units=len(data) // (_BYTES[f.type] * f.channels * max(f.width, 1)))
    array, address = _result(made, gray_3d)
    if data:
        ctypes.memmove(address, data, len(data))
    return array


def _is_pillow(given):
    return type(given).__module__.split(".")[0] == "PIL"


def _from_pillow(image):
    """Pillow's modes that are no plain samples become those that are."""
    if image.mode == "I" or image.mode.startswith("I;16") and image.mode != "I;16":
        raise Error("an image of the mode %s cannot be read" % image.mode, "use image.convert('I;16') or convert('F')")
    if image.mode not in ("L", "LA", "RGB", "RGBA", "F", "I;16"):
        image = image.convert("RGBA" if "A" in image.mode or "transparency" in image.info
                              else "L" if image.mode == "1" else "RGB")
    return image


# ---- chains

class Halo(collections.namedtuple("Halo", "depth step")):
    """The input around a piece of a result that the piece depends on.

    depth   for each dimension of the array, what is needed before and after the piece; dask calls it so, too
    step    pieces begin at rows or frames that are multiples of it, and so does the input of each piece
    """


class _Job:
    """A prepared job, with what its arrays need."""

    def __init__(self, chain, session, f, inputs, dtype, latency, path=None, where=0):
        lib = _library.load()
        self.where, self.queue = where, 0
        self.session, self.chain, self.format, self.keep = session, chain, _library.Format(), []
        self.given = f
        self.seconds = math.inf              # of the last run
        if path is None:
            self._prepare(lib, f, inputs, dtype, latency, where)
        else:
            _library.call(lib.gpufilter_prepare_file, session.handle, chain, os.fsencode(path), dtype, owner=self)
        _library.call(lib.gpufilter_format_of, self.handle, ctypes.byref(self.format))
        self.measures = lib.gpufilter_measures(self.handle) == 1

    def _prepare(self, lib, f, inputs, dtype, latency, where):
        given = (_library.Input * max(len(inputs), 1))()
        for row, (name, (place, form, array)) in zip(given, inputs.items()):
            row.size, row.name = ctypes.sizeof(row), name.encode()
            row.format, row.array = ctypes.addressof(form), ctypes.addressof(array)
            self.keep.append(place)
        request = _library.Request(format=ctypes.addressof(f), inputs=given, count=len(inputs), type=dtype,
                                   latency=latency, where=where)
        _library.call(lib.gpufilter_prepare, self.session.handle, self.chain, ctypes.byref(request), owner=self)

    def __del__(self):
        # When Python ends, a chain that another module holds may outlive this one, whose names are then None.
        if _library is not None and getattr(self, "handle", None) and self.session.is_ours():
            _library.load().gpufilter_job_free(self.handle)

    def call(self, name, *arguments):
        """Call a function that runs the job. Ctrl-C ends it, unless the last run was too short for that to matter."""
        lib, start = _library.load(), time.perf_counter()
        function = getattr(lib, name)
        if self.seconds > 0.05 and not self.where and threading.current_thread() is threading.main_thread():
            function = _library.interruptible(function, lambda: lib.gpufilter_stop(self.handle))
        _library.call(function, self.handle, *arguments)
        self.seconds = time.perf_counter() - start

    def run(self, array, out):
        self.call("gpufilter_run", ctypes.byref(array), ctypes.byref(out) if out is not None else None)

    def run_batch(self, array, out, count, in_step, out_step):
        self.call("gpufilter_run_batch", ctypes.byref(array), ctypes.byref(out), count, in_step, out_step)

    def use_stream(self, stream):
        """Queue the next runs on a stream."""
        if stream != self.queue:
            _library.call(_library.load().gpufilter_set_stream, self.handle, stream)
            self.queue = stream

    def _pushed(self, name, *arguments):
        return _library.call(getattr(_library.load(), "gpufilter_" + name), self.handle, *arguments,
                             said=self.session.said)

    def push(self, address, count):
        """Give rows or frames to the run. Yields whenever some of the result must be taken before the rest fits in."""
        done = self._pushed("push", address, count)
        while done < count:
            yield
            done += self._pushed("push", address + done * _unit_bytes(self.given), count - done)

    def pull(self, address, count):
        """Write the next rows or frames of the result to an address. Returns their number; 0: the run needs input."""
        return self._pushed("pull", address, count)

    def finish(self):
        """End the input."""
        self._pushed("finish")

    def cancel(self):
        _library.load().gpufilter_cancel(self.handle)

    def table(self):
        t = _library.Table()
        _library.call(_library.load().gpufilter_table_of, self.handle, ctypes.byref(t))
        return _read_table(t)


def _read_table(t):
    names = [t.channel_names[c].decode() for c in range(t.channels)]
    if t.fields:
        fields = [t.field_names[i].decode() for i in range(t.fields)]
        table = {name: {field: t.values[c * t.fields + i] for i, field in enumerate(fields)}
                 for c, name in enumerate(names)}
    elif t.bins:
        table = {"low": t.low, "high": t.high}
        for c, name in enumerate(names):
            table[name] = t.counts[c * t.bins:(c + 1) * t.bins]
    else:
        row = t.cells * t.channels
        table = {"seconds": t.seconds, "cells": t.cells}
        for c, name in enumerate(names):
            table[name] = [t.timeline[k * row + c * t.cells:k * row + (c + 1) * t.cells] for k in range(t.columns)]
    if t.unmet:
        raise Error(t.unmet.decode())
    return table


def _joined(stages):
    if isinstance(stages, str):
        return stages
    for part in stages if isinstance(stages, (list, tuple)) else (stages,):
        if not isinstance(part, (str, Chain)):
            raise Error("stages must be a text, a chain, or a list of them, not %s" % type(part).__name__,
                        "apply(stages, array) takes the array second")
    return " ".join(map(str, stages)) if isinstance(stages, (list, tuple)) else str(stages)


class _Ready:
    """All that a call needs for arrays of one package, shape and type on a GPU: the next call only sets addresses."""

    def __init__(self, key, taken, package, given, count, in_step, layout, gray_3d, array):
        self.key, self.taken, self.job, self.package, self.given = key, taken, taken[0], package, given
        f = self.job.format
        self.count, self.in_step = count, in_step
        self.out_step = _unit_bytes(f) * f.units
        self.to = _packed(None, f, layout)
        self.to.where = given.where
        self.make = package.maker(_arranged(_shape_of(f, gray_3d), layout, count), _TYPESTRS[f.type], array)
        self.failure = _library.Failure()
        self.arguments = self.job.handle, ctypes.byref(given), ctypes.byref(self.to), ctypes.byref(self.failure)
        self.function = _library.load().gpufilter_run

    def run(self, array, stream):
        """Return the result."""
        package = self.package
        if stream is None:
            stream, made = package.stream(array), self.make()
        else:
            with package.on(stream, array):
                made = self.make()
        if stream != self.job.queue:
            self.job.use_stream(stream)
        self.given.data, self.to.data = package.address(array), package.address(made)
        if self.count is not None:
            if self.count > 0:
                self.job.run_batch(self.given, self.to, self.count, self.in_step, self.out_step)
        elif self.function(*self.arguments) != 0:
            raise _library.error_of(self.failure)
        return made


Format = collections.namedtuple("Format", "shape dtype rate")
Format.__doc__ = "Shape, type and rate of a result. The rate of an image is None."


class Chain:
    """Stages, parsed once. Call it with arrays; it prepares itself once for each format.

    stages   as on the command line: "gray blur:2 rotate:30"; or a list of such
    device   "auto", "cpu", "cuda" or "cuda:N"
    memory   limit of the working memory, in bytes or as "512M"
    threads  of the CPU; 0: one for each core

    Chains may be used by any number of threads.
    """

    _KEPT = 2                            # formats whose jobs, with their memory, wait to be used again

    def __init__(self, stages, device="auto", memory=None, threads=0):
        self.stages = _joined(stages)
        if "\0" in self.stages:
            raise Error("a chain cannot contain a zero byte")
        self._options = (device, _library.bytes_of(memory), threads)
        self._lock, self._process = threading.Lock(), os.getpid()
        self._idle = collections.OrderedDict()
        self._ready = collections.OrderedDict()
        self._handles = {}
        self._parsed()

    def _parsed(self):
        """Return the session and the chain of this process."""
        session = _library.session(*self._options)
        if self._process != os.getpid():     # of a fork: a thread that is gone may have held the lock
            self._lock, self._process = threading.Lock(), os.getpid()
        with self._lock:
            if session not in self._handles:
                self._idle.clear()
                self._ready.clear()
                self._handles = {session: _library.ChainHandle(session, self.stages)}
            return session, self._handles[session]

    def __repr__(self):
        return "gpufilter.Chain(%r)" % self.stages

    def __str__(self):
        return self.stages

    def __reduce__(self):
        """Copies and unpickled chains are those that the process has, so that workers prepare a job once."""
        return _kept, (self.stages, *self._options)

    def __or__(self, other):
        chain = Chain.__new__(Chain)
        chain.__init__(self.stages + " " + str(other), *self._options)
        return chain

    def _read_by(self, *types):
        """Return the names of arrays or files in the text that stages read for options of these types."""
        names = "|".join(row["name"] for row in stages() if any(o["type"] in types for o in row["options"]))
        return re.findall(r"(?:^|[\s'\"])(?:%s):(?:[\w-]+=)?([^\W\d][\w-]*)(?=[\s,'\"]|$)" % names, self.stages)

    @contextlib.contextmanager
    def _explained(self, inputs):
        """Explain the error that a name is that of no file: it may be the name of an array."""
        try:
            yield
        except Error as e:
            read = self._read_by("input", "mask")
            missing = [name for name in read if name not in inputs and name in e.problem and not os.path.exists(name)]
            if not missing:
                raise
            for name in inputs:
                if name not in read:
                    raise Error("no stage reads an array called %s" % name, "the stages read %s" % missing[0],
                                e.status) from None
            advice = "give an array: " + ("%s=…" if missing[0].isidentifier() else "inputs={%r: …}") % missing[0]
            if e.advice:
                advice = e.advice + (" Or " if e.advice.endswith("?") else "; or ") + advice
            raise Error(e.problem, advice, e.status) from None

    def _take(self, key, f, inputs, dtype, latency=0, where=0):
        session, handle = self._parsed()
        with self._lock:
            jobs = self._idle.get(key)
            if jobs and not inputs:
                return jobs.pop()
        with self._explained(inputs):
            return _Job(handle.handle, session, f, inputs, dtype, latency, where=where), handle

    def _second(self, inputs, rate):
        """Return the place, format and array of each second input, which is of the kind of the first."""
        second = {}
        for name, array in inputs.items():
            if isinstance(array, (str, int, float, bool)):
                raise Error("%s= is no argument of a chain, and %r is no array" % (name, array))
            package = _gpu.kind_of(array)
            place = _Place(array if package is None else package.on_host(array))
            if rate is None and place.typestr[1] in "biu" and name in self._read_by("mask"):
                place = _as_floats(place)
            second[name] = (place, *_describe(place, rate, None, name))
        return second

    def _job(self, f, inputs, dtype, latency=0, where=0):
        key = (bytes(f), dtype, latency, where)
        taken = self._take(key, f, inputs, dtype, latency, where)
        return key, taken

    def _pushed(self, f, inputs, dtype, latency=0):
        """Return a job whose input is pushed. It has a session of its own, and so its own warnings."""
        session = _library.Session(*self._options)
        handle = _library.ChainHandle(session, self.stages)
        with self._explained(inputs):
            return _Job(handle.handle, session, f, inputs, dtype, latency)

    def _give_back(self, key, taken):
        with self._lock:
            self._idle.setdefault(key, []).append(taken)
            self._idle.move_to_end(key)
            while len(self._idle) > self._KEPT:
                self._idle.popitem(last=False)

    def __call__(self, array, rate=None, alpha=None, dtype=None, out=None, inputs=None, layout="hwc", stream=None,
                 **named):
        """Run the stages on an image, or with rate= on sound. Returns an array, or a dict if the chain measures.

        An array on a GPU is filtered there, and the result is one of the same package. Four dimensions are a batch of
        images, and so is the result.

        alpha   whether the last channel is alpha; by default if there are 2 or 4
        dtype   of the result: "uint8", "float32", …; by default that of the input
        out     an array for the result
        layout  of images and results: "hwc", or "chw" if channels come first
        stream  of CUDA for an array on a GPU, or its number; by default the current one of its package
        NAME=   a second image, for a stage such as over:NAME, or the numbers of fir:NAME; or inputs={NAME: array}
        """
        return self._filter(None, array, rate, alpha, dtype, out, inputs, layout, stream, **named)

    def _filter(self, runs, array, /, rate=None, alpha=None, dtype=None, out=None, inputs=None, layout="hwc",
                stream=None, **named):
        """Run the stages on an array; `runs` may stop it."""
        package = _gpu.kind_of(array)
        if stream is not None:
            stream = _gpu.number_of(stream)
        if package is None:
            place = _Place(array)
        else:
            ready = self._take_ready(package, array, rate, alpha, dtype, layout) \
                if out is None and not inputs and not named else None
            if ready is not None:
                return self._run_ready(runs, ready, array, stream)
            place = package.place(array, stream)
        first, count, step = _one_of(place, rate, layout)
        f, given = _describe(first, rate, alpha)
        given.where = getattr(place, "where", 0)
        second = self._second({**(inputs or {}), **named}, rate)
        key, taken = self._job(f, second, _dtype_code(dtype, f.kind, given.where > 0), where=given.where)
        job = taken[0]
        if runs is not None:
            runs.begin(job)
        if given.where:
            job.use_stream(place.stream)
        elif stream is not None:
            raise Error("stream= is for arrays on a GPU")
        # a single channel has no dimension of its own, unless that of the input has
        gray_3d = f.channels == 1 and len(first.shape) == (3 if rate is None else 2)
        places = [place]                     # and that of out=
        try:
            with package.on(stream, array) if stream is not None and hasattr(package, "on") \
                    else contextlib.nullcontext():
                result = self._run(job, given, out, gray_3d, layout, count, step, package, array, places)
        except BaseException:
            with contextlib.suppress(Error):
                self._settle(job, places)
            raise
        self._settle(job, places)
        if hasattr(package, "finish") and out is None and not job.measures:
            result = package.finish(result, array)
        if runs is not None:
            runs.end(job)
        if not second and package is not None and hasattr(package, "maker") and out is None and not job.measures:
            key = package.key(array), rate, alpha, dtype, layout
            self._keep_ready(_Ready(key, taken, package, given, count, step, layout, gray_3d, array))
        elif not second:
            self._give_back(key, taken)
        return _to_pillow(result, job.format) if _is_pillow(array) and not job.measures else result

    @staticmethod
    def _settle(job, places):
        """Wait for a run on arrays of packages that are not known, even one that failed, and give the arrays back."""
        lent = [place for place in places if getattr(place, "lent", False)]
        if lent:
            try:
                _library.call(_library.load().gpufilter_wait, job.handle)
            finally:
                for place in lent:
                    place.release()

    def _take_ready(self, package, array, rate, alpha, dtype, layout):
        """Return what an earlier call on such an array has left, or None."""
        if not self._ready or not hasattr(package, "maker"):
            return None
        try:
            with self._lock:
                ready = self._ready[package.key(array), rate, alpha, dtype, layout].pop()
        except (KeyError, IndexError, TypeError):
            return None
        return ready if ready.job.session.is_ours() else None

    def _keep_ready(self, ready):
        with self._lock:
            self._ready.setdefault(ready.key, []).append(ready)
            self._ready.move_to_end(ready.key)
            while len(self._ready) > self._KEPT:
                self._ready.popitem(last=False)

    def _run_ready(self, runs, ready, array, stream):
        if runs is not None:
            runs.begin(ready.job)
        result = ready.run(array, stream)
        if runs is not None:
            runs.end(ready.job)
        self._keep_ready(ready)
        return result

    def halo(self, array, rate=None, alpha=None, dtype=None, inputs=None, **named):
        """Return the Halo of the stages for such an array: what a piece of the result needs around it.

        Only the shape and the dtype of the array are used, so that arrays of other packages need no memory. Raises
        Error if the stages cannot run piece by piece.
        """
        place = _Outline(array) if hasattr(array, "shape") and hasattr(array, "dtype") else _Place(array)
        f, _ = _describe(place, rate, alpha)
        second = self._second({**(inputs or {}), **named}, rate)
        key, taken = self._job(f, second, _dtype_code(dtype, f.kind))
        h = _library.Halo()
        _library.call(_library.load().gpufilter_halo_of, taken[0].handle, ctypes.byref(h))
        if not second:
            self._give_back(key, taken)
        depth = [(h.before, h.after), (h.left, h.right), (0, 0)] if rate is None else [(h.before, h.after), (0, 0)]
        return Halo(tuple(depth[:len(place.shape)]), h.step)

    def map_overlap(self, array, rate=None, alpha=None, dtype=None, inputs=None, **named):
        """Run the stages on the chunks of a dask array. Returns a dask array, which has the bytes of one run.

        The chunks overlap by halo(). They change if they are smaller than that, or begin at no multiple of its step.
        Raises Error if the stages cannot run piece by piece.
        """
        inputs = {**(inputs or {}), **named}
        halo = self.halo(array, rate, alpha, dtype, inputs)
        made = self.format(array.shape, array.dtype, rate, alpha, inputs)
        form = _numpy("a dask array").empty((0,) * len(made.shape), dtype or made.dtype)
        cut = 1 if rate is not None else 2                  # dimensions; channels stay together
        array = array.rechunk(tuple(
            _chunks(sizes, max(depth), halo.step if axis == 0 else 1) if axis < cut else -1
            for axis, (sizes, depth) in enumerate(zip(array.chunks, halo.depth))))
        counts = array.numblocks[:cut]
        return array.map_overlap(
            functools.partial(_piece, self, halo.depth, counts, inputs), trim=False, boundary="none", meta=form,
            depth={axis: halo.depth[axis] if counts[axis] > 1 else 0 for axis in range(cut)},
            chunks=array.chunks[:cut] + tuple((size,) for size in made.shape[cut:]),
            drop_axis=list(range(len(made.shape), array.ndim)), new_axis=list(range(array.ndim, len(made.shape))),
            rate=rate, alpha=alpha, dtype_=dtype)

    @staticmethod
    def _run(job, given, out, gray_3d, layout, count, step, package, array, places):
        """Run a job, and return the result, or a table. Appends the place of `out`."""
        f = job.format
        if job.measures:
            if count is not None:
                raise Error("a batch has no table", "call the chain for each image")
            job.run(given, None)
            return job.table()
        shape, typestr, out_step = _arranged(_shape_of(f, gray_3d), layout, count), _TYPESTRS[f.type], \
            _unit_bytes(f) * f.units
        if out is not None:
            made, (to, out_step) = out, Chain._place_out(job, out, gray_3d, layout, count, places)
        elif package is None:
            made, address = _on_host(shape, typestr)
            to = _packed(address, f, layout)
        elif hasattr(package, "maker"):
            made = package.maker(shape, typestr, array)()
            to = _packed(package.address(made), f, layout)
            to.where = given.where
        else:
            made = GPUArray(job, shape, typestr, count)
            to = _packed(made.address, f, layout)
            to.where = given.where
        if count is None:
            job.run(given, to)
        elif count > 0:
            job.run_batch(given, to, count, step, out_step)
        return made

    @staticmethod
    def _place_out(job, out, gray_3d, layout, count, places):
        """Return the array of a caller for the result, and the distance of its images. Appends its place."""
        want, package = job.format, _gpu.kind_of(out)
        place = _Place(out, writable=True) if package is None else package.place(out, job.queue)
        places.append(place)
        if getattr(place, "readonly", False):
            raise Error("out: is read-only")
        first, images, step = _one_of(place, want.rate or None, layout)
        form, to = _describe(first, want.rate or None, bool(want.alpha), "out")
        to.where = getattr(place, "where", 0)
        if (form.type, form.channels, form.width, form.units, images) != \
                (want.type, want.channels, want.width, want.units, count):
            example = types.SimpleNamespace(shape=_arranged(_shape_of(want, gray_3d), layout, count),
                                            typestr=_TYPESTRS[want.type])
            raise Error("out: is %s, but the result is %s" % (_seen(place), _seen(example)))
        return to, step

    def map(self, arrays, workers=None, **options):
        """Run the stages on each array of an iterable, several at once; results come in order.

        Options are those of a call. If the loop over the results ends early, the runs are stopped.
        """
        workers = workers or min(8, os.cpu_count() or 1)
        runs, waiting = _Runs(), collections.deque()
        pool = concurrent.futures.ThreadPoolExecutor(workers)
        try:
            for array in arrays:
                package = _gpu.kind_of(array)
                if hasattr(package, "stream") and options.get("stream") is None:     # that of this thread
                    own = {**options, "stream": package.stream(array)}
                else:
                    own = options
                waiting.append(pool.submit(self._filter, runs, array, **own))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            runs.stop()
            pool.shutdown(cancel_futures=True)

    def stream(self, rate, channels=1, dtype="float32", latency=20, inputs=None, **named):
        """Return a Stream: call it with blocks of sound, of any length. NAME=array is for fir:NAME."""
        return Stream(self, rate, channels, dtype, latency, {**(inputs or {}), **named})

    def rows(self, blocks, height, alpha=None, dtype=None, inputs=None, **named):
        """Run the stages on an image that comes as blocks of rows, such as from a generator.

        Yields blocks of rows of the result, of about a megabyte each. height is the number of rows of the whole image. A
        block is an array of any number of rows.
        """
        job, made, rows = None, None, 0
        try:
            for block in blocks:
                place = _Place(block)
                f, array = _describe(place, None, alpha, "block")
                count, f.units = f.units, height
                if job is None:
                    job = self._pushed(f, self._second({**(inputs or {}), **named}, None), _dtype_code(dtype, 0))
                    if job.measures:
                        raise Error("%s makes a table, not rows" % self)
                    made, first = _Rows(job, f.channels == 1 and len(place.shape) == 3), _seen(place)
                elif bytes(f) != bytes(job.given):
                    raise Error("block: is %s, but the first one was %s" % (_seen(place), first),
                                "only their rows may differ")
                rows += count
                if rows > height:
                    raise Error("the blocks have more rows than height=%d" % height)
                packed, address = _without_gaps(block, place, f, array)
                for _ in job.push(address, count):
                    made.take()
                    yield from made.full()
            if rows < height:
                raise Error("the blocks have only %d of height=%d rows" % (rows, height))
            job.finish()
            while made.take():
                yield from made.full()
        finally:
            if job is not None:
                job.cancel()

    def format(self, shape, dtype=None, rate=None, alpha=None, inputs=None, layout="hwc", **named):
        """Return the Format of the result for arrays of this shape and type: its shape, dtype and rate.

        An array may stand for its shape and type. Nothing of it is read, wherever it is. float16 is that of arrays on
        a GPU. Four dimensions are a batch of images.
        """
        if hasattr(shape, "shape"):
            shape, dtype = shape.shape, dtype or shape.dtype
        code = _dtype_name(dtype or ("uint8" if rate is None else "float32"), int(rate is not None), True)
        half = code == "f2"
        given = types.SimpleNamespace(shape=tuple(shape), typestr="=f4" if half else "=" + code,
                                      strides=(1,) * len(shape), address=0)
        first, count, _ = _one_of(given, rate, layout)
        f, _ = _describe(first, rate, alpha)
        second = self._second({**(inputs or {}), **named}, rate)
        key, taken = self._job(f, second, 0)
        made = taken[0].format
        if taken[0].measures:
            raise Error("%s makes a table, not an array" % self)
        if not second:
            self._give_back(key, taken)
        gray_3d = f.channels == 1 and len(first.shape) == (3 if rate is None else 2)
        name = [name for name in _NAMES if _TYPES[_NAMES[name]] == made.type][0]
        return Format(_arranged(_shape_of(made, gray_3d), layout, count),
                      "float16" if half and name == "float32" else name, made.rate or None)


def _chunks(sizes, least, step):
    """Return sizes of chunks that are near these, begin at multiples of the step, and have at least so many units."""
    ends, total = [0], sum(sizes)
    for end in itertools.accumulate(sizes):
        end = end // step * step
        if end - ends[-1] >= max(least, 1) and (total - end >= max(least, 1) or end == total):
            ends.append(end)
    if ends[-1] < total:
        ends.append(total)
    return tuple(end - start for start, end in zip(ends, ends[1:]))


def _piece(chain, depth, counts, inputs, block, block_id, dtype_, **options):
    """Run a chain on a chunk and its overlap with others, and return the result of the chunk alone."""
    result = chain(block, dtype=dtype_, inputs=inputs, **options)
    return result[tuple(slice(before if i > 0 else 0, size - (after if i + 1 < count else 0)) for
                        (before, after), i, count, size in zip(depth, block_id, counts, block.shape))]


def _to_pillow(result, f):
    from PIL import Image
    mode = {(1, 1): "L", (2, 1): "LA", (3, 1): "RGB", (4, 1): "RGBA", (1, 5): "F",
            (1, 2): "I;16"}.get((f.channels, f.type))
    if mode is None:                     # Pillow has no such images
        return result
    data = result if hasattr(result, "ctypes") else result.tobytes()
    return Image.frombuffer(mode, (f.width, f.units), data, "raw", mode, 0, 1)


class _Runs:
    """The runs of a map(), which end with it."""

    def __init__(self):
        self._lock, self._jobs, self._stopped = threading.Lock(), set(), False

    def begin(self, job):
        self._change(self._jobs.add, job)

    def end(self, job):
        """A job that was stopped does not come back, because its next run might fail."""
        self._change(self._jobs.remove, job)

    def _change(self, change, job):
        with self._lock:
            if self._stopped:
                raise Error("stopped")
            change(job)

    def stop(self):
        with self._lock:
            self._stopped = True
            for job in self._jobs:
                _library.load().gpufilter_stop(job.handle)


class _Rows:
    """The rows of the result of a run whose input is pushed, in arrays of about a megabyte each."""

    def __init__(self, job, gray_3d):
        self._job, self._gray_3d, self._left = job, gray_3d, job.format.units
        self._begin()

    def _begin(self):
        f = _library.Format.from_buffer_copy(self._job.format)
        self._row = _unit_bytes(f)
        f.units = self._room = max(min(self._left, _PIECE // self._row), 1)
        self._made, self._address = _result(f, self._gray_3d)
        self._count = 0

    def take(self):
        """Pull rows. Returns how many came."""
        count = self._job.pull(self._address + self._count * self._row, self._room - self._count)
        self._count += count
        self._left -= count
        return count

    def full(self):
        """Yield the array if it is full."""
        if self._count == self._room:
            made = self._made
            self._begin()
            yield made


class Stream:
    """Sound in blocks: out = stream(block) for each, and stream.finish() for the rest.

    A result may be shorter or longer than the block, or empty, because stages look ahead; all of them together are
    what the chain makes of the whole. latency= is the length of a block of the stages, in milliseconds. The delay is
    longer if stages look ahead. A stream ends if a call of it fails, and at the end of a with.
    """

    def __init__(self, chain, rate, channels, dtype, latency, inputs):
        self._channels, self._rate, self._ended = channels, rate, False
        f = _library.Format(kind=1, type=_dtype_code(dtype, 1), channels=channels, width=1, units=-1,
                            rate=_rate_of(rate))
        self._job = chain._pushed(f, chain._second(inputs, rate), 0, latency)
        self._frame = _unit_bytes(self._job.format)
        self._room = max(_PIECE // self._frame, 1)
        self._piece = ctypes.create_string_buffer(self._room * self._frame)

    @property
    def rate(self):
        """The rate of the results."""
        return self._job.format.rate

    def _run(self, address, count, end):
        """Push frames, and return the frames that are ready."""
        if not self._job.session.is_ours():
            raise Error("the stream belongs to another process", "make it after fork()")
        if self._ended:
            raise Error("the stream has ended", "make a new one")
        self._ended, parts = True, []

        def take():
            frames = self._job.pull(self._piece, self._room)
            parts.append(ctypes.string_at(self._piece, frames * self._frame))
            return frames

        try:
            for _ in self._job.push(address or ctypes.addressof(self._piece), count):
                take()
            if end:
                self._job.finish()
            while take():
                pass
            self._ended = end
        finally:
            if self._ended:
                self._job.cancel()
        return _of_bytes(b"".join(parts), self._job.format, self._channels > 1)

    def __call__(self, block):
        place = _Place(block)
        f, array = _describe(place, self._rate, None, "block", 0)
        if f.channels != self._channels or f.type != self._job.given.type:
            wanted = _library.Format(kind=1, type=self._job.given.type, channels=self._channels, units=f.units)
            raise Error("block: is %s, but the stream takes %s" % (_seen(place), _seen(_example(wanted, False))),
                        "channels come last" if place.shape[0] == self._channels < f.channels else "")
        packed, address = _without_gaps(block, place, f, array)
        return self._run(address, f.units, False)

    def finish(self):
        """End the sound, and return the rest."""
        return self._run(ctypes.addressof(self._piece), 0, True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ended = True
        self._job.cancel()


_chains = collections.OrderedDict()
_chains_lock = threading.Lock()


def _unlock():
    """In a forked process, a thread that held the lock is gone."""
    global _chains_lock
    _chains_lock = threading.Lock()


os.register_at_fork(after_in_child=_unlock)


def _kept(stages, device, memory, threads):
    """Return the chain of this process that has these stages and options."""
    key = (_joined(stages), device, _library.bytes_of(memory), threads)
    with _chains_lock:
        chain = _chains.pop(key, None)
    chain = chain or Chain(*key)
    with _chains_lock:
        chain = _chains.setdefault(key, chain)
        while len(_chains) > 16:
            _chains.popitem(last=False)
    return chain


def apply(stages, array, device="auto", memory=None, threads=0, **options):
    """Run stages on an array once: Chain(stages, …)(array, …). Chains are kept, so that a loop prepares one job."""
    return _kept(stages, device, memory, threads)(array, **options)


def table(stages, array, **options):
    """Run stages that end in a measurement, and return it as a dict: table("stats", image)["r"]["mean"]."""
    result = apply(stages, array, **options)
    if not isinstance(result, dict):
        raise Error("%s makes no table" % stages, "end it with stats, histogram or another stage that measures")
    return result


# ---- files

def read(path, stages="", dtype=None, **options):
    """Read the first image of a file as an array, or a recording as an array and its rate.

    The stages run while it is decoded, so read("large.jpg", "resize:400x") decodes less. The file is decoded in
    this process, without the sandbox: files of strangers belong to run().
    """
    chain = Chain(stages, **options)
    session, handle = chain._parsed()
    job = _Job(handle.handle, session, None, {}, _dtype_code(dtype), 0, path)
    f = job.format
    if job.measures:
        job.call("gpufilter_run", None, None)
        return job.table()
    if dtype is None and f.kind == 0 and f.type in (1, 2) and f.maxval != (1 << 8 * _BYTES[f.type]) - 1:
        return read(path, stages, ("uint8", "uint16")[f.type - 1], **options)      # white is the largest value
    if f.units >= 0:
        made, address = _result(f, False)
        job.call("gpufilter_run", None, ctypes.byref(_library.Array(data=address)))
        return made if f.kind == 0 else (made, f.rate)
    return _read_parts(job, f)


def _read_parts(job, f):
    """Read a recording that does not say how long it is."""
    parts, frame = [], _BYTES[f.type] * f.channels

    def take(_, units, count):
        parts.append(ctypes.string_at(units, count * frame))
        return 0

    _library.call(_library.load().gpufilter_run_io, job.handle, ctypes.cast(None, _library.READ), _library.WRITE(take),
                  None)
    return _of_bytes(b"".join(parts), f, False), f.rate


def write(path, array, rate=None, stages="", alpha=None, layout="hwc", **options):
    """Write an image, or with rate= sound, in the format of the file's name. The file is complete, or unchanged.

    A folder that does not exist is made. An array on a GPU is copied to the host first.
    """
    chain = Chain(stages, **options)
    session, handle = chain._parsed()
    package = _gpu.kind_of(array)
    place = _Place(array if package is None else package.on_host(array))
    first, count, _ = _one_of(place, rate, layout)
    if count is not None:
        raise Error("a batch of images is not written to one file", "write each image")
    f, given = _describe(first, rate, alpha)
    job = _Job(handle.handle, session, f, {}, 0, 0)
    job.call("gpufilter_write", ctypes.byref(given), os.fsencode(path))


# ---- the program

def _program():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gpufilter")
    found = os.environ.get("GPUFILTER") or (here if os.path.exists(here) else shutil.which("gpufilter"))
    if not found:
        raise Error("the program gpufilter is not installed", "put it into PATH")
    return found


def run(arguments, **options):
    """Run the program: run(["-i", "in.png", "gray", "-o", "out.png"]). It reads files in a sandbox.

    Options are those of subprocess.run(). Raises Error if the program fails. The program writes messages for people,
    and run() is the only function that reads them: lines that begin with "gpufilter: warning: " are warnings, and the
    last line of a program that fails is the .problem, with the advice. For other uses of stderr, pass stderr=.
    """
    if isinstance(arguments, str):
        raise Error("run() takes a list", "use run(%r)" % shlex.split(arguments))
    options.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run([_program(), *arguments], **options)
    said = done.stderr or ""
    lines = (said.decode(errors="replace") if isinstance(said, bytes) else said).splitlines()
    if done.returncode != 0:
        raise Error(lines[-1].replace("gpufilter: ", "", 1) if lines else "gpufilter failed", status=done.returncode)
    for line in lines:
        if line.startswith("gpufilter: warning: "):
            warnings.warn(line[len("gpufilter: warning: "):], Warning, stacklevel=2)
    return done


# ---- stages as functions

_described = None


def stages():
    """Return the descriptions of all stages: a list of dicts with name, kind, summary, text and options."""
    global _described
    if _described is None:
        lib = _library.load()
        text = lib.gpufilter_stages()
        if not text:
            raise MemoryError
        _described = json.loads(ctypes.string_at(text).decode())["stages"]
        _library.free(text)
    return _described


def _write_value(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        rows = value if value and isinstance(value[0], (list, tuple)) else [value]
        return "[" + "; ".join(" ".join(_write_value(v) for v in row) for row in rows) + "]"
    if isinstance(value, float):
        return "%d" % value if math.isfinite(value) and value == int(value) and abs(value) < 1e15 else "%.17g" % value
    text = str(value)
    return '"%s"' % text if " " in text and "[" not in text else text


def _document(rows):
    parts = []
    for row in rows:
        parts.append("%s (%s)" % (row["summary"], "images" if row["kind"] == "image" else "audio"))
        for o in row["options"]:
            parts.append("    %s: %s; takes %s" % (o["name"], o["text"], o["range"]))
        if row["text"]:
            parts.append("")
            parts.append(row["text"])
        parts.append("")
    return "\n".join(parts).strip()


def _parameters(rows):
    """Return the options of stages of one name, by the names that they have in Python."""
    found = {}
    for row in rows:
        for o in row["options"]:
            name = o["name"].replace("-", "_")
            found.setdefault(name + "_" if keyword.iskeyword(name) else name, o)
    return found


def _signature(parameters):
    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    made = [inspect.Parameter(name, kinds[o["key_only"]], default=o.get("default")) for name, o in parameters.items()]
    return inspect.Signature(sorted(made, key=lambda p: p.kind))


def _make(name, rows):
    parameters = _parameters(rows)
    by_place = [o for o in parameters.values() if not o["key_only"]]

    def function(*values, **named):
        for o, value in [*zip(by_place, values), *((parameters.get(key), value) for key, value in named.items())]:
            if o is not None and o["type"] == "input" and not isinstance(value, (str, os.PathLike)):
                raise Error("%s: a chain has the name of an image, not the image" % name,
                            "give a name: gf.%s('b')(image, b=array)" % name)
        words = [_write_value(v) for v in values]
        words += ["%s=%s" % (parameters[key]["name"] if key in parameters else key, _write_value(v))
                  for key, v in named.items()]
        return Chain(name + (":" + ",".join(words) if words else ""))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = _document(rows)
    function.__signature__ = _signature(parameters)
    return function


def __getattr__(name):
    if name == "__version__":
        return version()
    rows = [row for row in stages() if row["name"] == name] if not name.startswith("_") else []
    if not rows:
        raise AttributeError("module 'gpufilter' has no attribute %r" % name)
    globals()[name] = _make(name, rows)
    return globals()[name]


def __dir__():
    return sorted(set(__all__) | {row["name"] for row in stages()})
