"""Runs whose input comes in pieces: streams of sound, and rows of an image."""
import ctypes

from . import _arrays, _library, _types
from ._library import Error

_PIECE = 1 << 20                          # bytes that are pulled at most


class Rows:
    """The rows of the result of a run whose input is pushed, in arrays of about a megabyte each."""

    def __init__(self, job, gray_3d):
        self._job, self._gray_3d, self._left = job, gray_3d, job.format.units
        self._begin()

    def _begin(self):
        f = _library.Format.from_buffer_copy(self._job.format)
        self._row = _arrays.unit_bytes(f)
        f.units = self._room = self._rows()
        self._made, self._address = _arrays.new_result(f, self._gray_3d)
        self._count = 0

    def _rows(self):
        return max(min(self._left, _PIECE // self._row), 1)

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


class Images(Rows):
    """The results of a run on images that are pushed one after another, in an array each."""

    def _rows(self):
        return self._job.format.units

    def results(self, layout, like):
        """Yield all results that are ready, as arrays of this layout, or as images of Pillow."""
        while self.take():
            for made in self.full():
                if layout == "chw" and len(made.shape) == 3:
                    numpy = _arrays.need_numpy("layout='chw' of a sequence")
                    made = numpy.ascontiguousarray(numpy.moveaxis(numpy.asarray(made), 2, 0))
                yield _arrays.to_pillow(made, self._job.format) if _arrays.is_pillow(like) else made


class Stream:
    """Sound in blocks: out = stream(block) for each, and stream.finish() for the rest.

    A result may be shorter or longer than the block, or empty, because stages look ahead; all of them together are
    what the chain makes of the whole. latency= is the length of a block of the stages, in milliseconds. The delay is
    longer if stages look ahead. A stream ends if a call of it fails, and at the end of a with.
    """

    def __init__(self, chain, rate, channels, dtype, latency, inputs):
        self._channels, self._rate, self._ended = channels, rate, False
        f = _library.Format(kind=1, type=_types.number_of_dtype(dtype, 1), channels=channels, width=1, units=-1,
                            rate=_arrays.rate_of(rate))
        self._job = chain._pushed(f, chain._second(inputs, rate), 0, latency)
        self._frame = _arrays.unit_bytes(self._job.format)
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
        return _arrays.of_bytes(b"".join(parts), self._job.format, self._channels > 1)

    def __call__(self, block):
        place = _arrays.HostPlace(block)
        f, array = _arrays.describe(place, self._rate, None, "block", 0)
        if f.channels != self._channels or f.type != self._job.given.type:
            wanted = _library.Format(kind=1, type=self._job.given.type, channels=self._channels, units=f.units)
            raise Error("block: is %s, but the stream takes %s"
                        % (_types.text_of(place), _types.text_of(_arrays.example_of(wanted, False))),
                        "channels come last" if place.shape[0] == self._channels < f.channels else "")
        packed, address = _arrays.without_gaps(place, f, array)
        return self._run(address, f.units, False)

    def finish(self):
        """End the sound, and return the rest."""
        return self._run(ctypes.addressof(self._piece), 0, True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ended = True
        self._job.cancel()
