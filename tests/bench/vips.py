#!/usr/bin/env python3
"""Times whole jobs of gpufilter, from start to end, beside libvips in this process, and compares results with a reference.

usage: vips.py GPUFILTER FOLDER [ROUNDS [JOB...]]

Needs pyvips and numpy. FOLDER gets the inputs of jobs.py (300 MB). The start of libvips is not part of its time. Both
go from file to file, libvips with VIPS_CONCURRENCY threads (2), gpufilter with one for each core; libvips reads and
writes .v, its own format without compression, where gpufilter has PPM. JPEG has libvips's default quality, and
TIFF is not compressed. The programs take turns, ROUNDS times (7). The
last columns have the distance of both results from a result in float64, as PSNR in dB; "same": every sample is the
reference rounded.
"""
import os, subprocess, sys, time
os.environ.setdefault('VIPS_CONCURRENCY', '2')
import numpy, pyvips

gpufilter, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
rounds, wanted = int((sys.argv[3:] or [7])[0]), sys.argv[4:]
pyvips.cache_set_max(0)

def convolve(a, mask):
    """A separable convolution of an image that is continued at its borders."""
    half = len(mask) // 2
    for axis in 0, 1:
        wide = numpy.pad(a, [(half, half) if k == axis else (0, 0) for k in range(3)], 'edge')
        size = a.shape[axis]
        a = sum(w * numpy.take(wide, range(k, k + size), axis) for k, w in enumerate(mask))
    return a

def gauss(sigma):
    def blurred(a):
        x = numpy.arange(-int(6 * sigma + 1), int(6 * sigma + 2))
        mask = numpy.exp(-x * x / (2 * sigma * sigma))
        return convolve(a, mask / mask.sum())
    return blurred

def lanczos(scale):
    """Lanczos with three lobes, as wide as the scale asks for."""
    def resized(a):
        for axis in 0, 1:
            size = a.shape[axis]
            stretch = max(1, 1 / scale)
            out = []
            for i in range(round(size * scale)):
                centre = (i + .5) / scale - .5
                taps = numpy.arange(int(numpy.floor(centre - 3 * stretch)) + 1, int(numpy.floor(centre + 3 * stretch)) + 1)
                x = (taps - centre) / stretch
                weights = numpy.sinc(x) * numpy.sinc(x / 3)
                rows = numpy.take(a, numpy.clip(taps, 0, size - 1), axis)
                out.append(numpy.tensordot(weights / weights.sum(), rows, (0, axis)))
            a = numpy.stack(out, axis)
        return a
    return resized

def median5(image):
    return image.rank(5, 5, 12)

# arguments of gpufilter, libvips, a reference, and for other formats the input, the extension of the output, and
# what libvips is told about the output; gpufilter deflates TIFF unless an option says otherwise
jobs = {
    'copy': ('', lambda i: i, lambda a: a),
    'invert': ('invert', lambda i: i.invert(), lambda a: 255 - a),
    'gamma': ('gamma:1.4', lambda i: i.gamma(exponent=1.4), lambda a: 255 * (a / 255) ** (1 / 1.4)),
    'equalize': ('equalize', lambda i: i.hist_equal(), None),
    'resize:50%': ('resize:50%', lambda i: i.resize(.5), lanczos(.5)),
    'resize:200%': ('resize:200%', lambda i: i.resize(2), None),
    'blur:2': ('blur:2', lambda i: i.gaussblur(2, min_ampl=.01), gauss(2)),
    'blur:2, float': ('blur:2', lambda i: i.gaussblur(2, min_ampl=.01, precision='float').cast('uchar'), gauss(2)),
    'blur:20': ('blur:20', lambda i: i.gaussblur(20, min_ampl=.01), gauss(20)),
    'median:2': ('median:2', median5, None),
    'rotate:30': ('rotate:30', lambda i: i.rotate(30), None),
    'thumbnail, JPEG': ('resize:320', 'thumbnail', None, 'photo.jpg', 'jpg'),
    'thumbnail, draft': ('resize:320,draft', 'thumbnail', None, 'photo.jpg', 'jpg'),
    'blur, JPEG': ('blur:2 --quality 75', lambda i: i.gaussblur(2, min_ampl=.01), None, 'photo.jpg', 'jpg'),
    'copy, PNG': ('', lambda i: i, None, 'photo.png', 'png'),
    'resize:50%, TIFF': ('resize:50% --compression 0', lambda i: i.resize(.5), None, 'p.tif', 'tif'),
    'resize:50%, deflated TIFF': ('resize:50%', lambda i: i.resize(.5), None, 'p.tif', 'tif', '[compression=deflate]'),
    'resize:50%, WebP': ('resize:50%', lambda i: i.resize(.5), None, 'photo.jpg', 'webp'),
}

def run_vips(steps, source, output):
    if steps == 'thumbnail':
        image = pyvips.Image.thumbnail(source, 320)
    else:
        turned = steps.__name__ == 'median5' or 'rotate' in steps.__code__.co_names
        image = steps(pyvips.Image.new_from_file(source, access='random' if turned else 'sequential'))
    image.write_to_file(output)

def samples(path):
    if path.endswith('.ppm'):
        data = open(path, 'rb').read()
        _, size, _, _ = data.split(b'\n', 3)
        width, height = map(int, size.split())
        return numpy.frombuffer(data, numpy.uint8)[-width * height * 3:].reshape(height, width, 3)
    return pyvips.Image.new_from_file(path).numpy()

def distance(a, wanted):
    """Returns the PSNR, 'same', or the size if it is another one."""
    if a.shape != wanted.shape:
        return f'{a.shape[1]}x{a.shape[0]}'
    if (a == numpy.clip(numpy.floor(wanted + .5), 0, 255)).all():
        return 'same'
    return f'{10 * numpy.log10(255 ** 2 / ((a - numpy.clip(wanted, 0, 255)) ** 2).mean()):.1f}'

def clock(work, *arguments):
    start = time.perf_counter()
    work(*arguments)
    return (time.perf_counter() - start) * 1000

os.makedirs(folder, exist_ok=True)
os.chdir(folder)
if not os.path.exists('photo.jpg'):
    sys.exit(f'{folder} has no inputs; run jobs.py with this folder')
gf = [gpufilter, '-q', '--device', 'cpu']
if not os.path.exists('p.tif'):
    subprocess.run(gf + ['-i', 'p.ppm', '-o', 'p.tif', '--compression', '0'], check=True)
def store(data, width, height):
    pyvips.Image.new_from_memory(data, width, height, 3, 'uchar').copy(interpretation='srgb').write_to_file('p.v')
if not os.path.exists('p.v'):
    a = samples('p.ppm')
    store(a.tobytes(), a.shape[1], a.shape[0])
print('libvips ' + '.'.join(str(pyvips.version(k)) for k in range(3)))
print('job\tours ms\tlibvips ms\tratio\tours dB\tlibvips dB')
for name, (words, steps, reference, *files) in jobs.items():
    if wanted and not any(word in name for word in wanted):
        continue
    ours_in, ending, *options = files or ('p.ppm', 'ppm')
    theirs_in, theirs_out = (ours_in, 'v.' + ending + ''.join(options)) if files else ('p.v', 'v.v')
    best = [1e9, 1e9]
    for _ in range(rounds):
        command = gf + ['-i', ours_in] + words.split() + ['-o', 'o.' + ending]
        best[0] = min(best[0], clock(lambda: subprocess.run(command, check=True)))
        best[1] = min(best[1], clock(run_vips, steps, theirs_in, theirs_out))
    quality = '\t'
    if reference is not None:
        part = samples('p.ppm')[:768]
        result = reference(part.astype(float))
        keep = result.shape[0] * 3 // 4
        quality = '\t'.join(distance(samples(f)[:keep].astype(float), result[:keep]) for f in ('o.ppm', 'v.v'))
    print(f'{name}\t{best[0]:.0f}\t{best[1]:.0f}\t{best[0] / best[1]:.2f}\t{quality}', flush=True)
