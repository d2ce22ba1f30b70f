#!/usr/bin/env python3
"""Times warps, lenses, maps and rotations of arrays beside OpenCV and mapim of vips, and prints rows for RESULTS.md.

usage: warps.py [THREADS [ROUNDS [WORD...]]]

Needs numpy, OpenCV (module cv2) and, for the column of vips, pyvips. The library and the package are found as
`man/python.md` says. WORDs select rows. Images have 4000 x 3000 pixels. Times are those of all threads of a CPU together,
in ms, so that other work on the machine matters little: each is the least of some calls that alternate. All write into an
array that exists, and maps are made before. PSNR compares the first two results.
"""
import os
import resource
import sys
import tempfile

import cv2
import numpy as np

import gpufilter as gf

threads, rounds = (int(word) for word in (sys.argv[1:] + ["2", "9"][len(sys.argv[1:3]):])[:2])
WIDTH, HEIGHT = 4000, 3000
MIDDLE = (WIDTH - 1) / 2, (HEIGHT - 1) / 2
FROM = [[300, 200], [3700, 100], [3900, 2900], [100, 2800]]
SHEAR = np.float64([[1, .2, -300], [.05, 1, -100]])
FILTERS = {"linear": cv2.INTER_LINEAR, "cubic": cv2.INTER_CUBIC, "nearest": cv2.INTER_NEAREST}
cv2.setNumThreads(threads)
os.environ["VIPS_CONCURRENCY"] = str(threads)    # read when pyvips is imported


def make_images():
    bytes3 = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), "uint8")
    bytes3 = gf.apply("blur:1 normalize", bytes3)
    floats3 = bytes3.astype("f4") / 255
    return {"u8": bytes3[..., 1].copy(), "u8 rgb": bytes3, "f32": floats3[..., 1].copy(), "f32 rgb": floats3}


def maps():
    """Return the positions of a lens and those of waves."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype("f4")
    u, v = x - MIDDLE[0], y - MIDDLE[1]
    q = (u * u + v * v) / (MIDDLE[0] ** 2 + MIDDLE[1] ** 2)
    f = 1 - .1 * q + .02 * q * q
    return [np.float32(m) for m in (u * f + MIDDLE[0], v * f + MIDDLE[1])], \
        [np.float32(m) for m in (x + 8 * np.sin(y / 40), y + 8 * np.cos(x / 50))]


def write_map(name, x, y):
    values = np.zeros((HEIGHT, WIDTH, 3), "f4")
    values[..., 0], values[..., 1] = x, y
    with open(name, "wb") as file:
        file.write(b"PF\n%d %d\n-1.0\n" % (WIDTH, HEIGHT) + values[::-1].tobytes())


def cpu_ms(work):
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def psnr(ours, theirs):
    white, error = 255 if ours.dtype == np.uint8 else 1, np.mean((ours.astype("f8") - theirs) ** 2)
    return "%.1f" % (10 * np.log10(white ** 2 / error)) if error > 0 else "equal"


def vips_call(image, x, y, how):
    """Return a function that runs mapim, or None; its cubic filter is vips's bicubic."""
    try:
        import pyvips
    except ImportError:
        return None
    if how == "nearest":
        return None
    source = pyvips.Image.new_from_memory(image.tobytes(), WIDTH, HEIGHT, image.ndim == 3 and 3 or 1,
                                          "uchar" if image.dtype == np.uint8 else "float")
    index = pyvips.Image.new_from_memory(np.stack([x, y], -1).tobytes(), WIDTH, HEIGHT, 2, "float")
    filter_ = pyvips.Interpolate.new("bilinear" if how == "linear" else "bicubic")
    return lambda: source.mapim(index, interpolate=filter_).write_to_memory()


def main():
    front = cv2.getPerspectiveTransform(np.float32(FROM), np.float32([[0, 0], [WIDTH - 1, 0], [WIDTH - 1, HEIGHT - 1],
                                                                      [0, HEIGHT - 1]]))
    turn, size, (lens, waves) = cv2.getRotationMatrix2D(MIDDLE, -30, 1), (WIDTH, HEIGHT), maps()
    images = make_images()
    points = "; ".join("%d %d" % tuple(p) for p in FROM)
    print("OpenCV", cv2.__version__)
    print("| stages | samples | ours, ms | OpenCV, ms | ours / OpenCV | vips, ms | PSNR, dB |\n" + 7 * "|---" + "|")
    with tempfile.NamedTemporaryFile(suffix=".pfm") as file:
        write_map(file.name, *waves)
        jobs = (("warp:from=[%s]" % points, lambda a, b, f: cv2.warpPerspective(a, front, size, b, f), None),
                ("warp:[1 0.2 -300; 0.05 1 -100]", lambda a, b, f: cv2.warpAffine(a, SHEAR, size, b, f), None),
                ("rotate:30,fit=keep", lambda a, b, f: cv2.warpAffine(a, turn, size, b, f), None),
                ("lens:-0.1,0.02", lambda a, b, f: cv2.remap(a, *lens, f, b), lens),
                ("remap:" + file.name, lambda a, b, f: cv2.remap(a, *waves, f, b), waves))
        for stage, theirs, positions in jobs:
            for how, flag in FILTERS.items():
                for kind, image in images.items():
                    name = (stage.replace(file.name, "waves.pfm") + ("" if how == "linear" else ",filter=" + how))
                    if all(word in name + " " + kind for word in sys.argv[3:]):
                        time_row(name, stage + ",filter=" + how, kind, image, lambda b: theirs(image, b, flag),
                                 vips_call(image, *positions, how) if positions else None)


def time_row(name, stage, kind, image, theirs, vips):
    chain = gf.Chain(stage, device="cpu", threads=threads)
    out, other = chain(image), theirs(np.empty_like(image))
    times = [(cpu_ms(lambda: chain(image, out=out)), cpu_ms(lambda: theirs(other))) for _ in range(rounds)]
    ours, its = (min(column) for column in zip(*times))
    least = "%.0f" % min(cpu_ms(vips) for _ in range(3)) if vips else "-"
    print("| `%s` | %s | %.1f | %.1f | %.2f | %s | %s |"
          % (name, kind, ours, its, ours / its, least, psnr(out, other)), flush=True)


main()
