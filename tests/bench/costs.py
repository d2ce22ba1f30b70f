#!/usr/bin/env python3
"""Measures what operations cost, in light operations for each sample, and prints it as rows for their descriptors.

usage: costs.py BUILD [cpu|cuda [OPERATION...]]

BUILD is the folder of gpufilter and gpufilter-bench. Each series runs one stage with several values on an image of 12
megapixels, all cores or one lane of a GPU, and takes the operation's own time from --stats. The rates of the device come
from gpufilter-bench --rates in the same run, because a light operation is what takes one byte of result at that rate.
Lines end with a straight line through the rows: its start in light operations, and its slope for each unit of the value,
in light operations and in weights (struct gf_cost). Run it on an idle machine. Most series take a second, all a minute.
"""
import json, os, subprocess, sys, tempfile

build, device = os.path.abspath(sys.argv[1]), (sys.argv[2:] or ['cpu'])[0]
wanted = sys.argv[3:]
WIDTH, ROWS, ROUNDS = 4096, 3072, 3

# operation, what varies, image, stage, values, and those for which a CPU works on samples as they are stored, not on floats
ALL = None
SERIES = (
    ('rank', 'median, bytes: radius', 'u8', 'median:{}', (1, 2, 3, 4, 5, 7, 15, 25, 50), ALL),
    ('rank', 'median, 16 bits: radius', 'u16', 'median:{}', (1, 2, 3, 4, 5, 10, 20), ALL),
    ('rank', 'median, floats: radius', 'f32', 'median:{}', (1, 2, 3, 4, 5, 10, 20), ()),
    ('rank', 'maximum, bytes: radius', 'u8', 'dilate:{}', (1, 5, 20, 50), ALL),
    ('rank', 'maximum, floats: radius', 'f32', 'dilate:{}', (1, 3, 20, 50), ()),
    ('tophat', 'bytes: radius', 'u8', 'tophat:{}', (1, 5, 20, 50), ALL),
    ('tophat', 'floats: radius', 'f32', 'tophat:{}', (1, 3, 20, 50), ()),
    ('conv', 'separable: radius', 'u8', 'blur:2,radius={}', (2, 4, 6, 12, 24, 31), ALL),
    ('conv', 'long: radius', 'u8', 'blur:20,radius={}', (40, 60, 90), ()),
    ('box', 'mean: radius', 'u8', 'box:{}', (10, 20, 60, 200), (10, 20)),
    ('guided', 'radius', 'u8', 'guided:{},0.01', (4, 8, 20, 60, 120), ()),
    ('tv', 'iterations', 'u8', 'tv:0.1,iterations={}', (5, 10, 20), ()),
    ('lucy', 'iterations, two lines of 7', 'u8', 'deconvolve:1,{}', (2, 4, 8), ()),
    ('fftmask', 'side', 'u8', 'conv:{}.txt,scale=auto', (17, 31, 61, 127), ()),
    ('lucy', 'side, 4 iterations in tiles', 'u8', 'deconvolve:psf={}.txt,iterations=4', (31, 61, 127), ()),
    ('bilateral', 'radius', 'u8', 'bilateral:5,0.1,radius={}', (3, 6, 9, 15), ()),
    ('nlmeans', 'search', 'u8', 'nlmeans:0.1,search={}', (3, 5, 10), ()),
    ('nlmeans', 'patch', 'u8', 'nlmeans:0.1,search=5,patch={}', (1, 2, 3, 5), ()),
    ('sample', 'filter', 'u8', 'rotate:30,filter={}', ('nearest', 'linear', 'cubic'), ('linear',)),
    ('resize', 'percent', 'u8', 'resize:{}%', (10, 22, 25, 50, 150, 200, 230), ALL),
    ('resize', 'percent, floats', 'f32', 'resize:{}%', (10, 22, 25, 50, 150, 200, 230), ()),
    ('move', 'turn', 'u8', '{}', ('flip', 'flop', 'transpose'), ALL),
    ('blend', 'mode', 'u8', 'blend:u8.ppm,{}', ('normal', 'screen', 'softlight'), ALL),
    ('point', 'program', 'u8', '{}', ('brightness:0.1', 'gamma:1.4', 'hue:30', 'posterize:4', 'equalize'), ALL),
    ('noise', 'kind', 'u8', 'noise:0.1,kind={}', ('uniform', 'gaussian'), ()),
    ('vignette', 'strength', 'u8', 'vignette:{}', (0.5,), ()),
    ('thin', 'canny', 'u8', '{}', ('canny',), ()), ('seams', 'canny', 'u8', '{}', ('canny',), ()),
    ('connect', 'canny', 'u8', '{}', ('canny',), ()),
    ('histogram', 'bytes', 'u8', '{}', ('equalize',), ALL), ('reduce', 'bytes', 'u8', '{}', ('autolevel',), ALL),
    ('lattice', 'tiles', 'u8', 'clahe:{}', (8,), ()), ('prefix', 'sums', 'u8', '{}', ('integral',), ()),
)
BYTES = {'u8': 1, 'u16': 2, 'f32': 4}
NAMES = {'u8': 'u8.ppm', 'u16': 'u16.ppm', 'f32': 'f32.pfm'}


def run(*arguments, **more):
    return subprocess.run([f'{build}/gpufilter', '-q', *arguments], check=True, stdout=subprocess.DEVNULL, **more)


def make_images():
    for form in ('u8', 'u16'):
        with open(NAMES[form], 'wb') as f:
            f.write(b'P6\n%d %d\n%d\n' % (WIDTH, ROWS, 255 if form == 'u8' else 65535))
            f.write(os.urandom(WIDTH * ROWS * 3 * BYTES[form]))
    run('--device', 'cpu', '-i', NAMES['u8'], 'gamma:1.1', '-o', NAMES['f32'])
    for side in (17, 31, 61, 127):
        with open(f'{side}.txt', 'w') as f:
            for y in range(side):
                print(*(x * y % 7 + 1 for x in range(side)), file=f)


def light_rate():
    """Returns the bytes per second of light operations of a core or of the GPU, and those of convolutions."""
    subprocess.run([f'{build}/gpufilter-bench', '--rates', '--device', device], check=True, stdout=subprocess.DEVNULL)
    for line in open(os.environ['XDG_CACHE_HOME'] + '/gpufilter/rates'):
        words = line.split()
        if words[0].startswith(device):
            share = len(os.sched_getaffinity(0)) if device == 'cpu' else 1
            return float(words[6]) / share, float(words[7]) / share
    sys.exit(f'costs.py: no rates for {device}')


def seconds_per_byte(operation, form, stage, stored):
    """Returns the seconds of an operation for each byte of its result as floats, the least of some runs."""
    to = ['-t', 'pfm' if form == 'f32' or stage == 'integral' else 'ppm', '-o', '/dev/null']
    lanes = ['--lanes', '1'] if device == 'cuda' else []
    best = None
    for _ in range(ROUNDS):
        r = run('--device', device, *lanes, '--stats=json', '-i', NAMES[form], stage, *to, stderr=subprocess.PIPE)
        steps = [s for s in json.loads(r.stderr)['steps'] if s['operation'] == operation]
        if not steps:
            return None                          # another operation does it on this device
        packed = stored or (device == 'cuda' and stage != 'integral')
        took = sum(s['seconds'] for s in steps) / sum(s['bytes'] for s in steps) / (4 / BYTES[form] if packed else 1)
        best = took if best is None else min(best, took)
    return best


def line_through(rows):
    n, sx, sy = len(rows), sum(x for x, _ in rows), sum(y for _, y in rows)
    slope = (n * sum(x * y for x, y in rows) - sx * sy) / (n * sum(x * x for x, _ in rows) - sx * sx)
    return (sy - slope * sx) / n, slope


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.environ['XDG_CACHE_HOME'] = folder
    make_images()
    light, conv = light_rate()
    print(f'{device}: {light / 1e9:.1f} GB/s of light operations, {conv / 1e9:.1f} GB/s of convolution')
    for operation, what, form, stage, values, stored in SERIES:
        if wanted and operation not in wanted:
            continue
        rows = [(v, seconds_per_byte(operation, form, stage.format(v), stored is ALL or v in stored))
                for v in values]
        rows = [(v, t * light) for v, t in rows if t is not None]
        print(f'{operation}, {what}:', ', '.join(f'{{ {v}, {y:.3g} }}' for v, y in rows), end='')
        if len(rows) > 1 and all(isinstance(v, (int, float)) for v, _ in rows):
            start, slope = line_through(rows)
            print(f'; {start:.2g} + {slope:.2g} each, in weights {slope * conv / light if conv else 0:.2g}', end='')
        print(flush=True)
