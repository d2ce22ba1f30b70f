#!/usr/bin/env python3
"""Times stages that repair images beside scikit-image and OpenCV, and prints rows for RESULTS.md.

usage: restoration.py BUILD [THREADS]

BUILD is the folder of gpufilter. Each row is an image of floats, 2048 by 1536. Times are those of all threads of a CPU
together, so that other work on the machine matters little: ours is a run less one without stages, theirs is the call.
Both are the least of some runs that alternate. PSNR compares the two results.
"""
import os, resource, subprocess, sys, tempfile, time

import cv2
import numpy as np
from scipy import signal
from skimage import restoration

build, threads = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ['2'])[0])
WIDTH, ROWS, ROUNDS = 2048, 1536, 3
cv2.setNumThreads(threads)


def make_image():
    dice = np.random.default_rng(1)
    shapes = cv2.GaussianBlur(dice.normal(0, 1, (ROWS, WIDTH)), (0, 0), 4)
    return np.clip(.5 + .15 * shapes / shapes.std() + dice.normal(0, .02, shapes.shape), 0, 1).astype(np.float32)


def gauss(sigma):
    reach = int(np.ceil(3 * sigma))
    line = np.exp(-.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return (np.outer(line, line) / line.sum() ** 2).astype(np.float32)


def guided(v, r, eps):
    def mean(a):
        return cv2.blur(a, (2 * r + 1, 2 * r + 1), borderType=cv2.BORDER_REPLICATE)
    m = mean(v)
    a = mean(v * v) - m * m
    a = a / (a + eps)
    return mean(a) * v + mean(m - a * m)


def tophat(v, r):
    return cv2.morphologyEx(v, cv2.MORPH_TOPHAT, np.ones((2 * r + 1, 2 * r + 1), np.uint8))


def weights(name):
    return np.loadtxt(name, dtype=np.float32)


def lucy(v, name):
    return restoration.richardson_lucy(v, weights(name), 10, clip=False)


CASES = (
    ('tophat:15', 'OpenCV', lambda v: tophat(v, 15)),
    ('guided:8,0.01', 'OpenCV and NumPy', lambda v: guided(v, 8, .01)),
    ('guided:60,0.01', 'OpenCV and NumPy', lambda v: guided(v, 60, .01)),
    ('tv:0.1,iterations=10', 'scikit-image',
     lambda v: restoration.denoise_tv_chambolle(v, .1, eps=0, max_num_iter=10)),
    ('tv:0.1,iterations=50', 'scikit-image',
     lambda v: restoration.denoise_tv_chambolle(v, .1, eps=0, max_num_iter=50)),
    ('deconvolve:2,10,edge=zero', 'scikit-image',
     lambda v: restoration.richardson_lucy(v, gauss(2), 10, clip=False)),
    ('deconvolve:psf=9x9.txt,iterations=10,edge=zero', 'scikit-image',
     lambda v: lucy(v, '9x9.txt')),
    *((f'deconvolve:psf={n}x{n}.txt,iterations=10,edge=zero', 'scikit-image', lambda v, n=n: lucy(v, f'{n}x{n}.txt'))
      for n in (25, 61)),
    *((f'conv:{n}x{n}.txt,edge=zero', peer, call) for n in (17, 31, 61, 127) for peer, call in (
        ('OpenCV', lambda v, n=n: cv2.filter2D(v, -1, weights(f'{n}x{n}.txt'), borderType=cv2.BORDER_CONSTANT)),
        ('SciPy', lambda v, n=n: signal.fftconvolve(v, weights(f'{n}x{n}.txt')[::-1, ::-1], mode='same')))),
)


def seconds_of_runs():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ours(*stages):
    """Returns the seconds of a run, and the result."""
    before = seconds_of_runs()
    subprocess.run([f'{build}/gpufilter', '-q', '--device', 'cpu', '-j', str(threads), '-i', 'in.pfm', *stages, '-o',
                    'out.pfm'], check=True)
    took = seconds_of_runs() - before
    with open('out.pfm', 'rb') as f:
        body = f.read().split(b'\n', 3)[3]
    return took, np.frombuffer(body, '<f4').reshape(ROWS, WIDTH)[::-1]


def main():
    image = make_image()
    with open('in.pfm', 'wb') as f:
        f.write(b'Pf\n%d %d\n-1.0\n' % (WIDTH, ROWS) + np.ascontiguousarray(image[::-1]).tobytes())
    for n in (9, 17, 25, 31, 61, 127):
        disc = np.hypot(*np.mgrid[-(n // 2):n // 2 + 1, -(n // 2):n // 2 + 1]) <= n // 2 + .2
        np.savetxt(f'{n}x{n}.txt', disc / disc.sum())
    alone = min(ours()[0] for _ in range(ROUNDS))
    print('| stages | ours, ms | peer | its ms | ours / peer | PSNR, dB |\n|---|---|---|---|---|---|')
    for stage, peer, call in CASES:
        least = [1e9, 1e9]
        for _ in range(ROUNDS):
            seconds, found = ours(stage)
            start = time.process_time()
            wanted = call(image)
            least = [min(least[0], seconds - alone), min(least[1], time.process_time() - start)]
        error = np.mean((found.astype(np.float64) - wanted) ** 2)
        psnr = f'{-10 * np.log10(error):.0f}' if error > 0 else 'equal'
        print(f'| `{stage}` | {1000 * least[0]:.1f} | {peer} | {1000 * least[1]:.1f} | {least[0] / least[1]:.2f} '
              f'| {psnr} |', flush=True)


with tempfile.TemporaryDirectory(dir='/dev/shm' if os.path.isdir('/dev/shm') else None) as folder:
    os.chdir(folder)
    main()
