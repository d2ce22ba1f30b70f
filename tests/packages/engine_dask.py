"""Runs chains in Dask: all examples that have a halo, a large image, a killed worker, refusals, and a bag of files.

It prints TAP; dask.sh calls it in a folder with the samples.
"""
import os
import pathlib
import signal
import sys
import time
import warnings

sys.path.insert(1, str(pathlib.Path(__file__).parent.parent / "library"))
import gpufilter as gf
import halo
import large_image
import numpy as np
import dask.array
import dask.bag
import distributed
from halo import ok

RATE = 8000


def chains(kind):
    """Return chains of the examples of all stages, and some that are longer."""
    longer = ["median:2 unsharp:3 gray", "gray blur:2 sobel alpha:on", "box:40 sharpen:1", "blur:3 median:1 posterize:8"]
    return [chain for stage in gf.stages() if stage["kind"] == kind and stage["result"] == "signal"
            for chain in halo.examples(stage)] + (longer if kind == "image" else ["lowpass:500 gain:-3 mono"])


def compare(array, chunks, kind):
    """Return how many chains were cut, how many have no halo, and those whose chunks give other bytes."""
    cut, refused, unfit, wrong = 0, 0, 0, []
    rate = RATE if kind == "audio" else None
    for stages in chains(kind):
        chain = gf.Chain(stages, device="cpu", threads=1)
        try:
            wanted = chain(array, rate=rate)
        except gf.Error:    # The example is for an array of another size, rate or type.
            unfit += 1
            continue
        try:
            made = chain.map_overlap(dask.array.from_array(array, chunks=chunks), rate=rate)
        except gf.Error as e:
            if "no halo" in e.problem:
                refused += 1
            else:
                wrong.append("%s: %s" % (stages, e))
            continue
        found = made.compute()
        cut += 1
        if found.dtype != wanted.dtype or found.dtype != made.dtype or not made.shape == found.shape == wanted.shape or \
                found.tobytes() != wanted.tobytes():
            wrong.append(stages)
    print("# %s: %d chains cut, %d without a halo, %d for other arrays; wrong: %s" % (kind, cut, refused, unfit, wrong))
    if unfit > 10:
        wrong.append("%d chains are for other arrays" % unfit)
    return cut, refused, wrong


def examples(rng):
    color = rng.integers(0, 256, (311, 277, 3), "uint8")
    cut, refused, wrong = compare(color, ((40, 97, 5, 100, 69), (130, 1, 146), (1, 1, 1)), "image")
    ok(not wrong and cut >= 30 and refused >= 30, "uneven chunks of an image give the bytes of one run")
    cut, _, wrong = compare(color[..., 0].astype("float32") / 255, (64, 277), "image")
    ok(not wrong and cut >= 30, "chunks of floats without channels give the bytes of one run")
    sound = rng.uniform(-0.5, 0.5, (30000, 2)).astype("float32")
    cut, _, wrong = compare(sound, (7001, 1), "audio")
    ok(not wrong and cut >= 3, "chunks of sound give the bytes of one run")


def large(client):
    """Compare an image of 6000 x 5000 pixels, and count what workers prepare."""
    client.run(count_jobs)
    for stages in ("median:2 unsharp:3", "blur:4 sobel", "box:40 sharpen:1"):
        chain = gf.Chain(stages, device="cpu", threads=1)
        result = chain.map_overlap(large_image.image(6000, 5000, 1700, 1300))
        wanted, ended = large_image.of_one_run(chain, result.chunks)
        ok(ended and np.array_equal(large_image.of_chunks(result).compute(), wanted),
           "%s: chunks of an image of 6000 x 5000 pixels have the bytes of one run" % stages)
    client.run(reset)
    gf.Chain("blur:2", threads=1).map_overlap(large_image.image(30000, 100, 500, 100)).sum().compute()
    # The first chunk and the last one have less overlap than the 58 others: there are two formats.
    jobs = client.run(jobs_made)
    print("# jobs prepared by each worker:", list(jobs.values()))
    ok(max(jobs.values()) <= 3, "workers prepare a job once for each format, not for each chunk")
    arrays = [chain_of_page(large_image.image(700, 500, 130, 130)).compute(), gf.apply("blur:2", large_image.part((0, 700), (0, 500)))]
    ok(np.array_equal(*arrays), "map_overlap of dask itself works with halo()")


def chain_of_page(array):
    chain = gf.Chain("blur:2", threads=1)
    return array.map_overlap(chain, depth=chain.halo(array).depth, boundary="none", dtype=array.dtype)


def count_jobs():
    """Count the jobs that this worker prepares from now on."""
    prepare = gf._Job._prepare

    def counted(self, *arguments):
        gf.jobs_made = getattr(gf, "jobs_made", 0) + 1
        prepare(self, *arguments)

    gf._Job._prepare = counted


def reset():
    gf.jobs_made = 0


def jobs_made():
    return gf.jobs_made


def marked(block, folder, block_id=None):
    """Return the block, later, after writing a file that says that it was begun."""
    pathlib.Path(folder, "%d-%d-%d" % (*block_id, os.getpid())).touch()
    time.sleep(0.05)
    return block


def killed(client):
    """Kill a worker that has results which others need."""
    folder = pathlib.Path("begun")
    folder.mkdir()
    chain = gf.Chain("median:2 unsharp:3", device="cpu", threads=1)
    array = large_image.image(3000, 3000, 300, 300).map_blocks(marked, str(folder.resolve()), dtype="uint8")
    result = chain.map_overlap(array)
    future = client.compute(result)
    victim = list(client.run(os.getpid).values())[0]
    deadline = time.monotonic() + 60
    while sum(name.name.endswith("-%d" % victim) for name in folder.iterdir()) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    before = len(list(folder.iterdir()))
    os.kill(victim, signal.SIGKILL)
    found = future.result(timeout=120)
    made = len(list(folder.iterdir()))
    print("# %d of 100 chunks were begun before, %d had to be begun again" % (before, made - 100))
    ok(before < 100 < made, "a worker is killed in the middle, and its chunks are computed again")
    ok(np.array_equal(found, chain(large_image.part((0, 3000), (0, 3000)))),
       "the result is whole and the same after a worker was killed")


def refusals():
    image = dask.array.zeros((400, 300, 3), chunks=100, dtype="uint8")
    for stages, words in (("stats", "measures"), ("equalize", "measures"), ("rotate:30", "size"), ("resize:50%", "size"),
                          ("noise:0.1", "positions"), ("vignette:50%", "positions")):
        refuse(stages, words, image)
    sound = dask.array.zeros((9000, 2), chunks=1000, dtype="float32")
    refuse("dither:16", "positions", sound, rate=RATE)
    refuse("normalize", "measures", sound, rate=RATE)


def refuse(stages, words, array, **options):
    try:
        gf.Chain(stages).map_overlap(array, **options)
        ok(False, "%s is refused" % stages)
    except gf.Error as e:
        print("#", e)
        ok(words in e.problem and stages.split(":")[0] in e.problem and "whole" in e.advice, "%s is refused" % stages)


def filter_file(file, chain):
    """Filter one file, and return what is wrong with it, if anything is."""
    try:
        gf.write("bag/%s.png" % pathlib.Path(file).stem, chain(gf.read(file)))
    except gf.Error as e:
        return "%s: %s" % (file, e.problem)


def bag(rng):
    os.mkdir("files")
    os.mkdir("bag")
    for i in range(40):
        gf.write("files/%02d.png" % i, rng.integers(0, 256, (50 + i, 60, 3), "uint8"))
    data = pathlib.Path("files/17.png").read_bytes()
    pathlib.Path("files/17.png").write_bytes(data[:len(data) // 2])
    files = [str(file.resolve()) for file in sorted(pathlib.Path("files").iterdir())]
    chain = gf.Chain("resize:50% sharpen:1", device="cpu", threads=1)
    here = os.getcwd()
    distributed.default_client().run(os.chdir, here)
    said = [text for text in dask.bag.from_sequence(files, npartitions=8).map(filter_file, chain).compute() if text]
    print("#", said)
    ok(len(said) == 1 and "17.png" in said[0], "a bag of files reports the broken one")
    made = sorted(file.name for file in pathlib.Path("bag").iterdir())
    ok(made == ["%02d.png" % i for i in range(40) if i != 17], "a bag of files makes all outputs, and no half one")
    gf.run(["-q", "-i", "files/03.png", *chain.stages.split(), "-o", "one.png"])
    ok(np.array_equal(gf.read("one.png"), gf.read("bag/03.png")), "an output of a bag is that of the program")


def main():
    warnings.simplefilter("error", gf.Warning)
    rng = np.random.default_rng(44)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster, \
            distributed.Client(cluster) as client:
        large(client)
        bag(rng)
        killed(client)
    examples(rng)
    refusals()
    print("1..%d" % halo.count)
    sys.exit(halo.failed > 0)


if __name__ == "__main__":
    main()
