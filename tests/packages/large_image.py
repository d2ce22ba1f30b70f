"""Filters a large image with Dask and with one run of the library, and compares them by a hash of each chunk.

    large_image.py [--rows N] [--columns N] [--chunk N] [--workers N] [--stages STAGES]

The image is a function of the position, so that it needs neither memory nor disk. Prints what was done, and the seconds.
"""
import argparse
import hashlib
import itertools
import sys
import time

import gpufilter as gf
import numpy as np


def numbers(start, end):
    """Return bytes that depend on the number of the row or column alone."""
    mixed = np.arange(start, end, dtype="uint64") * np.uint64(0x9E3779B97F4A7C15)
    return (mixed >> np.uint64(40)).astype("uint8")


def part(rows, columns):
    """Return a part of the image."""
    return np.bitwise_xor.outer(numbers(*rows), numbers(*columns))


def make(block_info=None):
    return part(*block_info[None]["array-location"])


def image(rows, columns, *chunk):
    """Return the image as a dask array; its chunks have these numbers of rows and columns."""
    import dask.array
    chunks = dask.array.core.normalize_chunks(chunk, (rows, columns), dtype="uint8")
    return dask.array.map_blocks(make, chunks=chunks, dtype="uint8", meta=np.empty((0, 0), "uint8"))


def digest(block):
    made = hashlib.blake2b(np.ascontiguousarray(block), digest_size=8).digest()
    return np.frombuffer(made, "uint64").reshape(1, 1)


def of_chunks(array):
    """Return a dask array with a hash of each chunk."""
    return array.map_blocks(digest, chunks=tuple((1,) * len(sizes) for sizes in array.chunks),
                            meta=np.empty((0, 0), "uint64"))


def of_one_run(chain, chunks):
    """Return the same hashes of one run, whose rows come from a generator and are not kept."""
    height, width = map(sum, chunks)
    ends = list(itertools.accumulate(chunks[1], initial=0))
    blocks = chain.rows((part((top, min(top + 64, height)), (0, width)) for top in range(0, height, 64)), height)
    left, hashes = np.empty((0, width), "uint8"), np.empty(tuple(map(len, chunks)), "uint64")
    for i, rows in enumerate(chunks[0]):
        made = [hashlib.blake2b(digest_size=8) for _ in chunks[1]]
        while rows > 0:
            if len(left) == 0:
                left = next(blocks)
            here, left = left[:rows], left[rows:]
            rows -= len(here)
            for one, start, end in zip(made, ends, ends[1:]):
                one.update(np.ascontiguousarray(here[:, start:end]))
        hashes[i] = [int.from_bytes(one.digest(), sys.byteorder) for one in made]
    return hashes, len(left) + sum(map(len, blocks)) == 0


def main():
    import distributed
    parser = argparse.ArgumentParser()
    for name, default in (("rows", 6000), ("columns", 5000), ("chunk", 1000), ("workers", 2)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--stages", default="median:2 unsharp:3")
    given = parser.parse_args()
    chain = gf.Chain(given.stages, device="cpu", threads=1)
    with distributed.LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=":0") as cluster, \
            distributed.Client(cluster):
        image(64, 64, 32, 32).sum().compute()
        start = time.perf_counter()
        result = chain.map_overlap(image(given.rows, given.columns, given.chunk, given.chunk))
        hashes = of_chunks(result).compute()
        print("%d x %d, %s, %d chunks, %d workers: %.1f s" % (
            given.rows, given.columns, chain, hashes.size, given.workers, time.perf_counter() - start), flush=True)
    start = time.perf_counter()
    wanted, ended = of_one_run(gf.Chain(given.stages, device="cpu", threads=given.workers), result.chunks)
    print("one run of %d threads: %.1f s" % (given.workers, time.perf_counter() - start))
    equal = ended and np.array_equal(hashes, wanted) and len(np.unique(hashes)) == hashes.size
    print("equal" if equal else "%d chunks differ" % np.sum(hashes != wanted))
    sys.exit(not equal)


if __name__ == "__main__":
    main()
