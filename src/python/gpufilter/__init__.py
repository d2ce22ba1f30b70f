"""Chains of filters for images and audio, on CPU cores and NVIDIA GPUs.

    import gpufilter as gf
    out = gf.apply("gray blur:2 rotate:30", image)     # numpy, Pillow, or anything with a buffer
    sharpen = gf.Chain("median:2 unsharp")             # also gf.median(2) | gf.unsharp()
    out = sharpen(image)                               # prepared once for each format

Images are arrays of rows, columns and channels. Sound is an array of frames and channels, and has a rate=.
Each stage is a function here: help(gf.blur) is its entry in the manual.
"""
from . import _functions, _library
from ._arrays import Array
from ._chains import Chain, Format, Halo, kept as _kept
from ._files import read, write
from ._gpu import GPUArray
from ._library import Error, Warning
from ._program import run
from ._stages import stages
from ._stream import Stream

__all__ = ["apply", "table", "Chain", "Stream", "Format", "Halo", "Error", "Warning", "Array", "GPUArray", "read",
           "write", "run", "stages", "version"]


def version():
    """Return the version of the library."""
    return _library.load().gpufilter_version().decode()


def apply(stages, array, device="auto", memory=None, threads=0, **options):
    """Run stages on an array once: Chain(stages, …)(array, …). Chains are kept, so that a loop prepares one job."""
    return _kept(stages, device, memory, threads)(array, **options)


def table(stages, array, **options):
    """Run stages that end in a measurement, and return it as a dict: table("stats", image)["r"]["mean"]."""
    result = apply(stages, array, **options)
    if not isinstance(result, dict):
        raise Error("%s makes no table" % stages, "end it with stats, histogram or another stage that measures")
    return result


def _explanation_of(name):
    """Return what the library says about a name that is no stage's, such as gaussian."""
    if name.startswith("_"):
        return ""
    try:
        Chain(name)
    except Error as e:
        return ": %s" % e
    return ": write Chain(%r)" % name


def __getattr__(name):
    if name == "__version__":
        return version()
    rows = [row for row in stages() if row["name"] == name] if not name.startswith("_") else []
    if not rows:
        raise AttributeError("module 'gpufilter' has no attribute %r%s" % (name, _explanation_of(name)))
    globals()[name] = _functions.make_function(name, rows)
    return globals()[name]


def __dir__():
    return sorted(set(__all__) | {row["name"] for row in stages() if not row["only_command"]})
