"""Chains of stages: parsed once, and prepared once for each format."""
import collections
import concurrent.futures
import contextlib
import ctypes
import functools
import itertools
import os
import re
import threading

from . import _arrays, _gpu, _jobs, _library, _stages, _stream, _types
from ._library import Error


class Halo(collections.namedtuple("Halo", "depth step")):
    """The input around a piece of a result that the piece depends on.

    depth   for each dimension of the array, what is needed before and after the piece; dask calls it so, too
    step    pieces begin at rows or frames that are multiples of it, and so does the input of each piece
    """


Format = collections.namedtuple("Format", "shape dtype rate")
Format.__doc__ = "Shape, type and rate of a result. The rate of an image is None."


def _joined(stages):
    if isinstance(stages, str):
        return stages
    for part in stages if isinstance(stages, (list, tuple)) else (stages,):
        if not isinstance(part, (str, Chain)):
            raise Error("stages must be a text, a chain, or a list of them, not %s" % type(part).__name__,
                        "apply(stages, array) takes the array second")
    return " ".join(map(str, stages)) if isinstance(stages, (list, tuple)) else str(stages)


class Chain:
    """Stages, parsed once. Call it with arrays; it prepares itself once for each format.

    stages   as on the command line: "gray blur:2 rotate:30"; or a list of such
    device   "auto", "cpu", "cuda" or "cuda:N"
    memory   limit of the working memory, in bytes or as "512M"
    threads  of the CPU; 0: one for each core

    Chains may be used by any number of threads.
    """

    def __init__(self, stages, device="auto", memory=None, threads=0):
        self.stages = _joined(stages)
        if "\0" in self.stages:
            raise Error("a chain cannot contain a zero byte")
        self._options = (_library.device_name(device), _library.bytes_of(memory), threads)
        self._idle, self._ready = _jobs.Idle(), _jobs.Idle()
        self._own = None, None               # session and parsed chain
        self._parsed()

    def _parsed(self):
        """Return the session and the chain of this process."""
        session, (known, handle) = _library.session(*self._options), self._own
        if session is not known:             # at first, and in a forked process
            handle = _library.ChainHandle(session, self.stages)
            self._own = session, handle
        return session, handle

    def __repr__(self):
        return "gpufilter.Chain(%r)" % self.stages

    def __str__(self):
        return self.stages

    def __reduce__(self):
        """Copies and unpickled chains are those that the process has, so that workers prepare a job once."""
        return kept, (self.stages, *self._options)

    def __or__(self, other):
        chain = Chain.__new__(Chain)
        chain.__init__(self.stages + " " + str(other), *self._options)
        return chain

    def _read_by(self, *types):
        """Return the names of arrays or files in the text that stages read for options of these types."""
        names = "|".join(row["name"] for row in _stages.stages() if any(o["type"] in types for o in row["options"]))
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

    def _second(self, inputs, rate):
        """Return the place, format and array of each second input, which is of the kind of the first."""
        second = {}
        for name, array in inputs.items():
            if isinstance(array, (str, int, float, bool)):
                raise Error("%s= is no argument of a chain, and %r is no array" % (name, array))
            package = _gpu.kind_of(array)
            place = _arrays.HostPlace(array if package is None else package.on_host(array))
            if rate is None and place.typestr[1] in "biu" and name in self._read_by("mask"):
                place = _arrays.as_floats(place)
            second[name] = (place, *_arrays.describe(place, rate, None, name))
        return second

    def _job(self, f, inputs, dtype, where=0, look=None):
        """Return a job that nobody uses, with the chain that it needs, and its key for _give_back().

        The first stage may look at an image, for which alone the job is right then.
        """
        key = None if inputs else (bytes(f), dtype, where)
        taken = self._idle.take(key)
        if taken is None:
            session, handle = self._parsed()
            with self._explained(inputs):
                taken = _jobs.Job(handle.handle, session, f, inputs, dtype, 0, where=where, look=look), handle
        return None if taken[0].looked else key, taken

    def _give_back(self, key, taken):
        """Keep a job for the next call, unless it has second inputs, which are its own."""
        if key is not None:
            self._idle.give(key, taken)

    def _pushed(self, f, inputs, dtype, latency=0):
        """Return a job whose input is pushed. It has a session of its own, and so its own warnings."""
        session = _library.Session(*self._options)
        handle = _library.ChainHandle(session, self.stages)
        with self._explained(inputs):
            return _jobs.Job(handle.handle, session, f, inputs, dtype, latency)

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
        plain = hasattr(package, "maker") and out is None and not inputs and not named
        call = plain and (package.key(array), rate, alpha, dtype, layout)
        ready = self._ready.take(call) if plain else None
        if ready is not None:
            return self._run_ready(runs, call, ready, array, stream)
        place = _arrays.HostPlace(array) if package is None else package.place(array, stream)
        first, count, step = _arrays.first_of(place, rate, layout)
        f, given = _arrays.describe(first, rate, alpha)
        given.where = place.where
        second = self._second({**(inputs or {}), **named}, rate)
        key, taken = self._job(f, second, _types.number_of_dtype(dtype, f.kind, given.where > 0), where=given.where,
                               look=given if count is None and not given.where else None)
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
        if plain and not job.measures:
            self._ready.give(call, _jobs.Ready(taken, package, given, count, step, layout, gray_3d, array))
        else:
            self._give_back(key, taken)
        return _arrays.to_pillow(result, job.format) if _arrays.is_pillow(array) and not job.measures else result

    @staticmethod
    def _settle(job, places):
        """Wait for a run on arrays of packages that are not known, even one that failed, and give the arrays back."""
        lent = [place for place in places if place.lent]
        if lent:
            try:
                _library.call(_library.load().gpufilter_wait, job.handle)
            finally:
                for place in lent:
                    place.release()

    def _run_ready(self, runs, call, ready, array, stream):
        if runs is not None:
            runs.begin(ready.job)
        result = ready.run(array, stream)
        if runs is not None:
            runs.end(ready.job)
        self._ready.give(call, ready)
        return result

    def halo(self, array, rate=None, alpha=None, dtype=None, inputs=None, **named):
        """Return the Halo of the stages for such an array: what a piece of the result needs around it.

        Only the shape and the dtype of the array are used, so that arrays of other packages need no memory. Raises
        Error if the stages cannot run piece by piece.
        """
        place = _arrays.outline(array) if hasattr(array, "shape") and hasattr(array, "dtype") \
            else _arrays.HostPlace(array)
        f, _ = _arrays.describe(place, rate, alpha)
        second = self._second({**(inputs or {}), **named}, rate)
        key, taken = self._job(f, second, _types.number_of_dtype(dtype, f.kind))
        h = _library.Halo()
        _library.call(_library.load().gpufilter_halo_of, taken[0].handle, ctypes.byref(h))
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
        form = _arrays.need_numpy("a dask array").empty((0,) * len(made.shape), dtype or made.dtype)
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
        wanted, out_step = _arrays.example_of(f, gray_3d, layout, count), _arrays.unit_bytes(f) * f.units
        if out is not None:
            made, (to, out_step) = out, Chain._place_out(job, out, wanted, layout, count, places)
        elif package is None:
            made, address = _arrays.new_array(wanted.shape, wanted.typestr)
            to = _arrays.packed_array(address, f, layout)
        elif hasattr(package, "maker"):
            made = package.maker(wanted.shape, wanted.typestr, array)()
            to = _arrays.packed_array(package.address(made), f, layout)
            to.where = given.where
        else:
            made = _gpu.GPUArray(job, wanted.shape, wanted.typestr, count)
            to = _arrays.packed_array(made.address, f, layout)
            to.where = given.where
        if count is None:
            job.run(given, to)
        elif count > 0:
            job.run_batch(given, to, count, step, out_step)
        return made

    @staticmethod
    def _place_out(job, out, wanted, layout, count, places):
        """Return the array of a caller for the result, and the distance of its images. Appends its place."""
        want, package = job.format, _gpu.kind_of(out)
        place = _arrays.HostPlace(out, writable=True) if package is None else package.place(out, job.queue)
        places.append(place)
        if place.readonly:
            raise Error("out: is read-only")
        first, images, step = _arrays.first_of(place, want.rate or None, layout)
        form, to = _arrays.describe(first, want.rate or None, bool(want.alpha), "out")
        to.where = place.where
        if (form.type, form.channels, form.width, form.units, images) != \
                (want.type, want.channels, want.width, want.units, count):
            raise Error("out: is %s, but the result is %s" % (_types.text_of(place), _types.text_of(wanted)))
        return to, step

    def map(self, arrays, workers=None, **options):
        """Run the stages on each array of an iterable, several at once; results come in order.

        Options are those of a call. If the loop over the results ends early, the runs are stopped.

        If stages work on consecutive images, as tmean:3 does, the arrays are a sequence of images of the same shape and
        type. The result of an image comes when the images that it depends on are there.
        """
        if _library.load().gpufilter_needs_sequence(self._parsed()[1].handle):
            yield from self._sequence(arrays, **options)
            return
        workers = workers or min(8, os.cpu_count() or 1)
        runs, waiting = _jobs.Runs(), collections.deque()
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

    def _sequence(self, arrays, rate=None, alpha=None, dtype=None, inputs=None, layout="hwc", **named):
        """Run the stages on a sequence of images. Only the images of the window are kept."""
        job, made = None, None
        try:
            for array in arrays:
                place, count, _ = _arrays.first_of(_arrays.HostPlace(array), rate, layout)
                if count is not None:
                    raise Error("map() takes a sequence of images, not of batches", "call the chain with a batch")
                f, given = _arrays.describe(place, rate, alpha)
                if job is None:
                    job = self._pushed(f, self._second({**(inputs or {}), **named}, rate),
                                       _types.number_of_dtype(dtype, f.kind))
                    made, first = _stream.Images(job, f.channels == 1 and len(place.shape) == 3), _types.text_of(place)
                elif bytes(f) != bytes(job.given):
                    raise Error("array: is %s, but the first one was %s" % (_types.text_of(place), first),
                                "images of a sequence have one shape and type")
                packed, address = _arrays.without_gaps(place, f, given)
                for _ in job.push(address, f.units):
                    yield from made.results(layout, array)
                yield from made.results(layout, array)
            if job is not None:
                job.finish()
                yield from made.results(layout, array)
        finally:
            if job is not None:
                job.cancel()

    def stream(self, rate, channels=1, dtype="float32", latency=20, inputs=None, **named):
        """Return a Stream: call it with blocks of sound, of any length. NAME=array is for fir:NAME."""
        return _stream.Stream(self, rate, channels, dtype, latency, {**(inputs or {}), **named})

    def rows(self, blocks, height, alpha=None, dtype=None, inputs=None, **named):
        """Run the stages on an image that comes as blocks of rows, such as from a generator.

        Yields blocks of rows of the result, of about a megabyte each. height is the number of rows of the whole image.
        A block is an array of any number of rows.
        """
        job, made, rows = None, None, 0
        try:
            for block in blocks:
                place = _arrays.HostPlace(block)
                f, array = _arrays.describe(place, None, alpha, "block")
                count, f.units = f.units, height
                if job is None:
                    job = self._pushed(f, self._second({**(inputs or {}), **named}, None),
                                       _types.number_of_dtype(dtype, 0))
                    if job.measures:
                        raise Error("%s makes a table, not rows" % self)
                    made, first = _stream.Rows(job, f.channels == 1 and len(place.shape) == 3), _types.text_of(place)
                elif bytes(f) != bytes(job.given):
                    raise Error("block: is %s, but the first one was %s" % (_types.text_of(place), first),
                                "only their rows may differ")
                rows += count
                if rows > height:
                    raise Error("the blocks have more rows than height=%d" % height)
                packed, address = _arrays.without_gaps(place, f, array)
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
        code = _types.code_of(dtype or ("uint8" if rate is None else "float32"), int(rate is not None), True)
        half = code == "f2"
        first, count, _ = _arrays.first_of(_arrays.Place(1, shape, None, "<f4" if half else "<" + code), rate, layout)
        f, _ = _arrays.describe(first, rate, alpha)
        key, (job, handle) = self._job(f, self._second({**(inputs or {}), **named}, rate), 0)
        made = job.format
        if job.measures:
            raise Error("%s makes a table, not an array" % self)
        self._give_back(key, (job, handle))
        gray_3d = f.channels == 1 and len(first.shape) == (3 if rate is None else 2)
        name = _types.NAMES[made.type]
        return Format(_arrays.example_of(made, gray_3d, layout, count).shape,
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


_kept = collections.OrderedDict()
_kept_lock = threading.Lock()


def _unlock():
    """In a forked process, a thread that held the lock is gone."""
    global _kept_lock
    _kept_lock = threading.Lock()


os.register_at_fork(after_in_child=_unlock)


def kept(stages, device, memory, threads):
    """Return the chain of this process that has these stages and options."""
    key = (_joined(stages), _library.device_name(device), _library.bytes_of(memory), threads)
    with _kept_lock:
        chain = _kept.pop(key, None)
    chain = chain or Chain(*key)
    with _kept_lock:
        chain = _kept.setdefault(key, chain)
        while len(_kept) > 16:
            _kept.popitem(last=False)
    return chain
