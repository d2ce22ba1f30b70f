"""Files that are read and written in this process."""
import ctypes
import os

from . import _arrays, _gpu, _jobs, _library, _types
from ._chains import Chain
from ._library import Error


def read(path, stages="", dtype=None, **options):
    """Read the first image of a file as an array, or a recording as an array and its rate.

    The stages run while it is decoded, so read("large.jpg", "resize:400x") decodes less. The file is decoded in
    this process, without the sandbox: files of strangers belong to run().
    """
    chain = Chain(stages, **options)
    session, handle = chain._parsed()
    job = _jobs.Job(handle.handle, session, None, {}, _types.number_of_dtype(dtype), 0, path)
    f = job.format
    if job.measures:
        job.call("gpufilter_run", None, None)
        return job.table()
    if dtype is None and f.kind == 0 and f.type in (1, 2) and f.maxval != (1 << 8 * _types.BYTES[f.type]) - 1:
        return read(path, stages, ("uint8", "uint16")[f.type - 1], **options)      # white is the largest value
    if f.units >= 0:
        made, address = _arrays.new_result(f, False)
        job.call("gpufilter_run", None, ctypes.byref(_library.Array(data=address)))
        return made if f.kind == 0 else (made, f.rate)
    return _read_parts(job, f)


def _read_parts(job, f):
    """Read a recording that does not say how long it is."""
    parts, frame = [], _arrays.unit_bytes(f)

    def take(_, units, count):
        parts.append(ctypes.string_at(units, count * frame))
        return 0

    _library.call(_library.load().gpufilter_run_io, job.handle, ctypes.cast(None, _library.READ), _library.WRITE(take),
                  None)
    return _arrays.of_bytes(b"".join(parts), f, False), f.rate


def write(path, array, rate=None, stages="", alpha=None, layout="hwc", **options):
    """Write an image, or with rate= sound, in the format of the file's name. The file is complete, or unchanged.

    A folder that does not exist is made. An array on a GPU is copied to the host first.
    """
    chain = Chain(stages, **options)
    session, handle = chain._parsed()
    package = _gpu.kind_of(array)
    place = _arrays.HostPlace(array if package is None else package.on_host(array))
    first, count, _ = _arrays.first_of(place, rate, layout)
    if count is not None:
        raise Error("a batch of images is not written to one file",
                    "write each image; run(['--join', '-i', *names, '--rate', '10', '-o', 'a.gif']) animates files")
    f, given = _arrays.describe(first, rate, alpha)
    job = _jobs.Job(handle.handle, session, f, {}, 0, 0)
    job.call("gpufilter_write", ctypes.byref(given), os.fsencode(path))
