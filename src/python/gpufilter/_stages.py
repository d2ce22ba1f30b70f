"""The descriptions of all stages, from the C library."""
import ctypes
import json

from . import _library

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
