"""Prints NAME|same for each animation that Pillow reads as it was meant: animations.py GPUFILTER FORMAT..."""
import subprocess
import sys

from PIL import Image

WIDTH, HEIGHT, FRAMES = 40, 30, 7
DURATIONS = [20 + 10 * i for i in range(FRAMES)]


def pixel(kind, i, x, y):
    """Returns the RGBA of a pixel of frame i."""
    inside = 3 * i <= x < 3 * i + 9 and 5 <= y < 15
    if kind == 'block':
        return (200, 10 * i, 7, 255) if inside else (40, 0, 5 * (y // 10), 255)
    if kind == 'clear':
        return (200, 10 * i, 7, 255) if inside or (x > 30 and y > 20) else (0, 0, 0, 0)
    return (x * 6, y * 8, (x * y + 9 * i) % 256, 255)


def picture(kind, i):
    """Returns a frame."""
    image = Image.new('RGBA', (WIDTH, HEIGHT))
    image.putdata([pixel(kind, i, x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    return image


def frames(path):
    """Returns the pixels and durations of all frames, and what the file says about repetitions."""
    image = Image.open(path)
    pixels, durations = [], []
    for i in range(image.n_frames):
        image.seek(i)
        data = image.convert('RGBA').tobytes()
        clear = [data[k:k + 4] if data[k + 3] else b'\0\0\0\0' for k in range(0, len(data), 4)]
        pixels.append(b''.join(clear))
        durations.append(image.info['duration'])
    return pixels, durations, image.info.get('loop')


def own(gpufilter, path):
    """Returns the pixels of all frames as gpufilter reads them."""
    raw = subprocess.run([gpufilter, '-q', '-i', path, 'alpha:on', '-t', 'raw:type=u8', '-o', '-'],
                         stdout=subprocess.PIPE, check=True).stdout
    each = 4 * WIDTH * HEIGHT
    found = []
    for at in range(0, len(raw), each):
        found.append(b''.join(raw[k:k + 4] if raw[k + 3] else b'\0\0\0\0' for k in range(at, at + each, 4)))
    return found


def check(gpufilter, kind, plays, form):
    """Compares one animation."""
    made = [picture(kind, i) for i in range(FRAMES)]
    made[0].save('made.png', save_all=True, append_images=made[1:], duration=DURATIONS, loop=plays)
    out = 'out.' + form
    subprocess.run([gpufilter, '-q', '--quality', '100', '-i', 'made.png', '-o', out], check=True)
    pixels, durations, loop = frames(out)
    wanted = own(gpufilter, 'made.png')
    stated = {'gif': None if plays == 1 else max(plays - 1, 0)}.get(form, plays)
    exact = form != 'gif' or kind != 'many'
    print('Pillow: %s in %s, %d plays|%s' % (kind, form, plays, 'same' if (
        pixels == own(gpufilter, out) and (not exact or pixels == wanted) and len(pixels) == FRAMES
        and durations == DURATIONS and loop == stated) else (durations, loop, len(pixels), pixels == wanted)))


for name in sys.argv[2:]:
    for kind_of in ('block', 'clear', 'many'):
        for times in (0, 1, 3):
            check(sys.argv[1], kind_of, times, name)
