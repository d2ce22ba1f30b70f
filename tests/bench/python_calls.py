#!/usr/bin/env python3
"""Times calls from Python on arrays of numpy: images of 12 megapixels beside OpenCV, and 1000 small images in one warm
session beside a process for each.

usage: python_calls.py GPUFILTER [DEVICE [ROUNDS [JOB...]]]

GPUFILTER is the program; the library and the package are found as `man/python.md` says. DEVICE is cpu (default) or cuda.
THREADS in the environment limits both to so many threads. With CLOCK=cpu, times are those of all threads of a CPU together,
for machines that do other work. A job may begin with a type of samples, as in "u16 gamma:1.4". Needs numpy. OpenCV (module cv2) takes turns with gpufilter,
ROUNDS times (15); each column has the best time. Both write into an array that exists. For a GPU, PyTorch or
CuPy times the copies of the same bytes between pinned memory and the GPU, and --stats of the program the kernels: ours
/ parts is the call over upload + kernels + download.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy

import gpufilter as gf

try:
    import cv2
except ImportError:
    cv2 = None

HEIGHT, WIDTH, SMALL = 3000, 4000, 256
TURN = "cv2.getRotationMatrix2D((a.shape[1] / 2 - .5, a.shape[0] / 2 - .5), 30, 1)"
FRONT = ("cv2.getPerspectiveTransform(numpy.float32([[300, 200], [3700, 100], [3900, 2900], [100, 2800]]), "
         "numpy.float32([[0, 0], [3999, 0], [3999, 2999], [0, 2999]]))")
LEVELS = "t if 't' in globals() else (t := (%s(numpy.linspace(0, 1, 65536)) * 65535 + .5).astype('H'))"
CURVE = "curves:[0 0; 0.25 0.2; 0.75 0.8; 1 1]"
JOBS = {                                 # stages, and the same by OpenCV from a to b
    "invert": "cv2.bitwise_not(a, b)",
    "gray": "cv2.cvtColor(a, cv2.COLOR_RGB2GRAY, b)",
    "gamma:1.4": "cv2.LUT(a, (numpy.linspace(0, 1, 256) ** (1 / 1.4) * 255 + .5).astype('B'), b)",
    "flip": "cv2.flip(a, 0, b)",
    "transpose": "cv2.transpose(a, b)",
    "blur:0.66": "cv2.GaussianBlur(a, (5, 5), .66, b)",
    "blur:2": "cv2.GaussianBlur(a, (13, 13), 2, b)",
    "blur:10": "cv2.GaussianBlur(a, (61, 61), 10, b)",
    "sharpen": "cv2.addWeighted(a, 2, cv2.GaussianBlur(a, (7, 7), 1), -1, 0, b)",
    "box:2": "cv2.blur(a, (5, 5), b)",
    "median:1": "cv2.medianBlur(a, 3, b)",
    "median:2": "cv2.medianBlur(a, 5, b)",
    "dilate:2": "cv2.dilate(a, numpy.ones((5, 5), 'B'), b)",
    "bilateral:1.4,0.1,radius=3": "cv2.bilateralFilter(a, 7, 25.5, 1.4, b)",
    "resize:50%,filter=lanczos": "cv2.resize(a, None, b, .5, .5, cv2.INTER_LANCZOS4)",
    "resize:50%,filter=cubic": "cv2.resize(a, None, b, .5, .5, cv2.INTER_CUBIC)",
    "resize:50%,filter=area": "cv2.resize(a, None, b, .5, .5, cv2.INTER_AREA)",
    "resize:200%,filter=cubic": "cv2.resize(a, None, b, 2, 2, cv2.INTER_CUBIC)",
    "rotate:30,fit=keep": "cv2.warpAffine(a, %s, (a.shape[1], a.shape[0]), b, cv2.INTER_LINEAR)" % TURN,
    "warp:from=[300 200; 3700 100; 3900 2900; 100 2800]":
        "cv2.warpPerspective(a, %s, (a.shape[1], a.shape[0]), b, cv2.INTER_LINEAR)" % FRONT,
    "warp:from=[300 200; 3700 100; 3900 2900; 100 2800],filter=cubic":
        "cv2.warpPerspective(a, %s, (a.shape[1], a.shape[0]), b, cv2.INTER_CUBIC)" % FRONT,
    "warp:[1 0.2 -300; 0.05 1 -100]":
        "cv2.warpAffine(a, numpy.float64([[1, .2, -300], [.05, 1, -100]]), (a.shape[1], a.shape[0]), b, "
        "cv2.INTER_LINEAR)",
    "gray blur:2 rotate:30,fit=keep": "cv2.warpAffine(cv2.GaussianBlur(cv2.cvtColor(a, cv2.COLOR_RGB2GRAY), "
                                      "(13, 13), 2), %s, (a.shape[1], a.shape[0]), b, cv2.INTER_LINEAR)" % TURN,
    "saturate:1.1,in=lab": "cv2.cvtColor(cv2.cvtColor(a, cv2.COLOR_RGB2LAB), cv2.COLOR_LAB2RGB, b)",
    "f32 saturate:1.1,in=lab": "cv2.cvtColor(cv2.cvtColor(a, cv2.COLOR_RGB2LAB), cv2.COLOR_LAB2RGB, b)",
    "f32 gamma:1.4": "cv2.pow(a, 1 / 1.4, b)",
    "u16 gamma:1.4": "cv2.LUT(a, %s, b)" % LEVELS % "(lambda v: v ** (1 / 1.4))",
    "u16 " + CURVE: "cv2.LUT(a, %s, b)" % LEVELS % "(lambda v: numpy.interp(v, [0, .25, .75, 1], [0, .2, .8, 1]))",
    "u16 levels:0.1,0.9": "cv2.LUT(a, %s, b)" % LEVELS % "(lambda v: ((v - .1) / .8).clip(0, 1))",
    "u16 exposure:0.5": "cv2.LUT(a, %s, b)" % LEVELS % "(lambda v: (v * 1.2).clip(0, 1))",
    "u16 invert": "cv2.bitwise_not(a, b)",
}


def clock(work):
    start = CLOCK()
    work()
    return CLOCK() - start


def typed(image, kind):
    """Return an image of bytes in another type, with noise in the bits after the first 8."""
    noise = numpy.random.default_rng(3).integers(0, 256, image.shape, "uint16")
    wide = image.astype("uint16") << 8 | noise
    return {"u16": wide, "f32": wide.astype("float32") / 65535}.get(kind, image)


def best(works, rounds):
    """Return the best time of each; they take turns."""
    times = [[clock(work) for work in works] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]


def copier(up, down):
    """Return a function that copies bytes to the GPU, and one that copies bytes back, from and to pinned memory."""
    try:
        import torch
        host = [torch.empty(n, dtype=torch.uint8, pin_memory=True) for n in (up, down)]
        there = [torch.empty(n, dtype=torch.uint8, device="cuda") for n in (up, down)]
        return (lambda: (there[0].copy_(host[0], non_blocking=True), torch.cuda.synchronize()),
                lambda: (host[1].copy_(there[1], non_blocking=True), torch.cuda.synchronize()))
    except ImportError:
        import cupy
        host = [numpy.frombuffer(cupy.cuda.alloc_pinned_memory(n), "B", n) for n in (up, down)]
        there = [cupy.empty(n, "B") for n in (up, down)]
        return (lambda: (there[0].set(host[0]), cupy.cuda.Device().synchronize()),
                lambda: (there[1].get(out=host[1]), cupy.cuda.Device().synchronize()))


def kernels(stages, image, folder):
    """Return the seconds that kernels take for an image, from a run of the program over ten of them."""
    path = os.path.join(folder, "ten.ppm")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            for _ in range(10):
                file.write(b"P6\n%d %d\n255\n" % (image.shape[1], image.shape[0]) + image.tobytes())
    with open(path, "rb") as file:
        command = [PROGRAM, "-q", "--device", DEVICE, *stages.split(), "-t", "pnm", "--stats=json"]
        said = subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True).stderr
    stats = json.loads(said[said.index(b"{"):])
    return sum(a["busy_seconds"] for a in stats["activities"] if a["name"] == "kernels") / stats["signals"]


def large_images(rounds, wanted, folder):
    image = numpy.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), "uint8")
    bytes_image = gf.apply("blur:1 normalize", image)
    print("OpenCV " + cv2.__version__ if cv2 else "no OpenCV", "-", "%dx%d, rgb, u8, on %s" % (WIDTH, HEIGHT, DEVICE))
    print("stages\tours ms\tOpenCV ms\tours / OpenCV" + ("\tupload\tkernels\tdownload\tours / parts" if GPU else ""))
    for stages, theirs in JOBS.items():
        if wanted and not any(word in stages for word in wanted):
            continue
        kind = stages.split()[0] if stages.startswith(("u16 ", "f32 ")) else "u8"
        if GPU and kind != "u8":
            continue
        chain = gf.Chain(stages.removeprefix(kind + " "), device=DEVICE, threads=THREADS)
        image = typed(bytes_image, kind)
        out = chain(image)
        works = [lambda: chain(image, out=out)]
        if cv2:
            names = {"cv2": cv2, "numpy": numpy, "a": image, "b": None}
            names["b"], code = eval(theirs, names), compile(theirs, stages, "eval")
            works.append(lambda: eval(code, names))
        if GPU:
            works += copier(image.nbytes, out.nbytes)
        times = [1e3 * t for t in best(works, rounds)]
        row = ["%.2f" % times[0]] + (["%.2f" % times[1], "%.2f" % (times[0] / times[1])] if cv2 else ["-", "-"])
        if GPU:
            up, down, middle = times[-2], times[-1], 1e3 * kernels(stages, image, folder)
            row += ["%.2f" % up, "%.2f" % middle, "%.2f" % down, "%.2f" % (times[0] / (up + middle + down))]
        print(stages, *row, sep="\t", flush=True)


def many_images(folder):
    """1000 images of 256 x 256, and a process for each of them, or for 100 of them on a GPU."""
    images = numpy.random.default_rng(2).integers(0, 256, (1000, SMALL, SMALL, 3), "uint8")
    path = os.path.join(folder, "small.ppm")
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (SMALL, SMALL) + images[0].tobytes())
    count = 100 if GPU else 1000
    command = [PROGRAM, "-q", "--device", DEVICE, "-i", path, "blur:2", "-o", os.path.join(folder, "out.ppm")]
    subprocess.run(command, check=True)
    processes = clock(lambda: [subprocess.run(command, check=True) for _ in range(count)]) * 1000 / count
    for name, threads, run in (("one after another", 0, lambda chain: [chain(image) for image in images]),
                               ("one after another, threads=1", 1, lambda chain: [chain(image) for image in images]),
                               ("map()", 1, lambda chain: list(chain.map(images)))):
        chain = gf.Chain("blur:2", device=DEVICE, threads=threads)
        run(chain)
        session = min(clock(lambda: run(chain)) for _ in range(3))
        measured = " (from %d)" % count if count < 1000 else ""
        print("1000 images of %dx%d, blur:2, %s: %.3f s; 1000 processes%s: %.1f s; %.0f times as long"
              % (SMALL, SMALL, name, session, measured, processes, processes / session))


def one_call():
    image = numpy.zeros((8, 8), "uint8")
    chain, out = gf.Chain("invert", device="cpu", threads=1), numpy.empty((8, 8), "uint8")
    chain(image, out=out)
    print("a call on 8x8: %.1f µs" % min(clock(lambda: [chain(image, out=out) for _ in range(1000)]) * 1e3
                                         for _ in range(20)))


if __name__ == "__main__":
    PROGRAM, DEVICE = os.path.abspath(sys.argv[1]), (sys.argv[2:] or ["cpu"])[0]
    CLOCK = time.process_time if os.environ.get("CLOCK") == "cpu" else time.perf_counter
    GPU, THREADS = DEVICE.startswith("cuda"), int(os.environ.get("THREADS", 0))
    if cv2:
        cv2.setNumThreads(THREADS or os.cpu_count())
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as made:
        large_images(int((sys.argv[3:] or [15])[0]), sys.argv[4:], made)
        many_images(made)
        one_call()
