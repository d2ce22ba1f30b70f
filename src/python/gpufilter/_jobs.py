"""Prepared jobs of the C library, and those of a chain that wait for its next call."""
import collections
import ctypes
import math
import os
import threading
import time

from . import _arrays, _library
from ._library import Error


class Job:
    """A prepared job, with what its arrays need."""

    def __init__(self, chain, session, f, inputs, dtype, latency, path=None, where=0, look=None):
        lib = _library.load()
        self.where, self.queue = where, 0
        self.session, self.chain, self.format, self.keep = session, chain, _library.Format(), []
        self.given = f
        self.seconds = math.inf              # of the last run
        if path is None:
            self._prepare(lib, f, inputs, dtype, latency, where, look)
        else:
            _library.call(lib.gpufilter_prepare_file, session.handle, chain, os.fsencode(path), dtype, owner=self)
        _library.call(lib.gpufilter_format_of, self.handle, ctypes.byref(self.format))
        self.looked = lib.gpufilter_looked(self.handle) == 1
        self.measures = lib.gpufilter_measures(self.handle) == 1

    def _prepare(self, lib, f, inputs, dtype, latency, where, look):
        given = (_library.Input * max(len(inputs), 1))()
        for row, (name, (place, form, array)) in zip(given, inputs.items()):
            row.size, row.name = ctypes.sizeof(row), name.encode()
            row.format, row.array = ctypes.addressof(form), ctypes.addressof(array)
            self.keep.append(place)
        request = _library.Request(format=ctypes.addressof(f), inputs=given, count=len(inputs), type=dtype,
                                   latency=latency, where=where,
                                   look=ctypes.addressof(look) if look is not None else None)
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
            done += self._pushed("push", address + done * _arrays.unit_bytes(self.given), count - done)

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


class Ready:
    """All that a call needs for arrays of one package, shape and type on a GPU: the next call only sets addresses."""

    def __init__(self, taken, package, given, count, in_step, layout, gray_3d, array):
        self.taken, self.job, self.package, self.given = taken, taken[0], package, given
        f = self.job.format
        self.count, self.in_step = count, in_step
        self.out_step = _arrays.unit_bytes(f) * f.units
        self.to = _arrays.packed_array(None, f, layout)
        self.to.where = given.where
        example = _arrays.example_of(f, gray_3d, layout, count)
        self.make = package.maker(example.shape, example.typestr, array)
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


class Idle:
    """What waits in a chain to be used again, with its memory: jobs, and what a call on a GPU needs beside its job."""

    _KEPT = 2                            # formats

    def __init__(self):
        self._waiting = collections.OrderedDict()
        self._lock, self._process = threading.Lock(), os.getpid()

    def _begin(self):
        """Return the lock. In a forked process, a thread that held it is gone, and jobs are those of the parent."""
        if self._process != os.getpid():
            self.__init__()
        return self._lock

    def take(self, key):
        """Return one, or None. The caller has it for itself until it gives it back."""
        with self._begin():
            waiting = self._waiting.get(key)
            return waiting.pop() if waiting else None

    def give(self, key, one):
        with self._begin():
            self._waiting.setdefault(key, []).append(one)
            self._waiting.move_to_end(key)
            while len(self._waiting) > self._KEPT:
                self._waiting.popitem(last=False)


class Runs:
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
