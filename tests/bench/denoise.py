#!/usr/bin/env python3
"""Compares nlmeans with OpenCV, scikit-image and FFmpeg: time, and PSNR of photographs with known noise.

usage: denoise.py GPUFILTER [quality|growing]; needs opencv-python-headless, scikit-image with its images, and FFmpeg
as $FFMPEG or of imageio-ffmpeg. Times are of the processor, of two threads, the least of some runs that alternate."""
import itertools
import os
import resource
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from skimage import data
from skimage.restoration import denoise_nl_means

GPUFILTER = os.path.abspath(sys.argv[1])
SIGMAS = (10, 25, 50)
SIZES = ((3, 10), (5, 10), (7, 10), (5, 5))         # sides of patches, radii of windows
RUNS = 5


def ffmpeg():
    if "FFMPEG" in os.environ:
        return os.environ["FFMPEG"]
    import imageio_ffmpeg
    return imageio_ffmpeg.get_ffmpeg_exe()


def photographs():
    yield "camera", data.camera()[100:292, 180:372]
    yield "coat", data.camera()[250:442, 40:232]
    yield "astronaut", data.astronaut()[20:180, 140:300]
    yield "coffee", data.coffee()[100:260, 200:360]
    yield "cat", data.chelsea()[60:220, 100:260]


def noisy(image, sigma, growing=False):
    """Adds noise of this sigma; if it grows like that of light, it has it at middle gray."""
    noise = np.random.default_rng(1).normal(0, sigma, image.shape)
    return np.clip(np.round(image + noise * (image / 127.5) ** (0.5 * growing)), 0, 255).astype(np.uint8)


def psnr(a, b):
    return -10 * np.log10(np.mean((np.clip(a, 0, 1) - b / 255) ** 2))


def pnm(image):
    return b"P%d %d %d 255\n" % (5 if image.ndim == 2 else 6, image.shape[1], image.shape[0]) + image.tobytes()


def ours(image, stage):
    done = subprocess.run([GPUFILTER, "-q", "--device", "cpu", "-i", "-", stage, "-t", "pam"], input=pnm(image),
                          capture_output=True, check=True).stdout
    return np.frombuffer(done[-image.size:], np.uint8).reshape(image.shape) / 255


def opencv(image, h, side, window=21):
    if image.ndim == 2:
        return cv2.fastNlMeansDenoising(image, None, h, side, window)
    return cv2.fastNlMeansDenoisingColored(image, None, h, h, side, window)


def scikit(image, sigma, h, side, search):
    return denoise_nl_means(image / 255, side, search, h=h * sigma / 255, sigma=sigma / 255, fast_mode=False,
                            channel_axis=2 if image.ndim == 3 else None)


def quality():
    """Each program with one setting for all photographs of a sigma: for the others, the best h of some, too."""
    print("| sigma | patch | window | nlmeans | strength estimated | scikit-image, h=0.8σ | best h | OpenCV |\n"
          "|---:|---:|---:|---:|---:|---:|---:|---:|")
    for sigma, (side, search) in itertools.product(SIGMAS, SIZES):
        pairs = [(clean, noisy(clean, sigma)) for _, clean in photographs()]

        def mean(denoise):
            return np.mean([psnr(np.round(np.clip(denoise(z), 0, 1) * 255) / 255, clean) for clean, z in pairs])

        size = f"patch={side // 2},search={search}"
        by_h = {h: mean(lambda z: scikit(z, sigma, h, side, search)) for h in (.5, .6, .7, .8, .9)}
        best_cv = max(mean(lambda z: opencv(z, h * sigma, side, 2 * search + 1) / 255) for h in (.6, .7, .8, .9, 1))
        print(f"| {sigma} | {side}x{side} | {2 * search + 1}x{2 * search + 1} "
              f"| {mean(lambda z: ours(z, f'nlmeans:{sigma / 255},{size}')):.2f} "
              f"| {mean(lambda z: ours(z, f'nlmeans:{size}')):.2f} | {by_h[.8]:.2f} | {max(by_h.values()):.2f} "
              f"| {best_cv:.2f} |", flush=True)


def quality_growing():
    """Noise whose variance grows with brightness: strengths by its sigma at middle gray, estimated, and the best."""
    print("| sigma | strength sigma | strength estimated | best strength |\n|---:|---:|---:|---:|")
    for sigma in SIGMAS:
        pairs = [(clean, noisy(clean, sigma, True)) for _, clean in photographs()]
        by_strength = [[psnr(ours(z, f"nlmeans:{f * sigma / 255},search=5"), clean) for f in np.arange(.6, 1.6, .1)]
                       for clean, z in pairs]
        estimated = np.mean([psnr(ours(z, "nlmeans:search=5"), clean) for clean, z in pairs])
        best = np.mean(np.max(by_strength, 1))
        print(f"| {sigma} | {np.mean(by_strength, 0)[4]:.2f} | {estimated:.2f} | {best:.2f} |", flush=True)


def seconds(run):
    """Returns seconds of the processor, of this process and its children."""
    def used():
        return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))

    before = used()
    run()
    return used() - before


def times():
    cv2.setNumThreads(2)
    print("| image | nlmeans | OpenCV | ratio | FFmpeg | ratio |\n|---|---:|---:|---:|---:|---:|")
    for name, image in (("1024x1024 gray", data.astronaut().mean(2).astype(np.uint8)), ("1024x1024 rgb", data.astronaut())):
        z = noisy(np.tile(image, (2, 2) + (1,) * (image.ndim - 2)), 10)
        with open("in.pnm", "wb") as f:
            f.write(pnm(z))
        jobs = (lambda: subprocess.run([GPUFILTER, "-q", "--device", "cpu", "-i", "in.pnm", "nlmeans:0.04,patch=3",
                                        "-o", "out.pam"], check=True),
                lambda: opencv(z, 10, 7),
                lambda: subprocess.run([ffmpeg(), "-v", "error", "-filter_threads", "2", "-i", "in.pnm", "-vf",
                                        "nlmeans=s=10:p=7:r=21", "-f", "null", "-"], check=True))
        best = [min(t) for t in zip(*([seconds(job) for job in jobs] for _ in range(RUNS)))]
        print(f"| {name} | {best[0]:.3f} | {best[1]:.3f} | {best[0] / best[1]:.2f} | {best[2]:.3f} "
              f"| {best[0] / best[2]:.2f} |", flush=True)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    {"quality": quality, "growing": quality_growing}.get(" ".join(sys.argv[2:]), times)()
