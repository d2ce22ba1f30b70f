"""Runs stages that work on consecutive images on arrays, and compares with sums and with the program."""
import os
import subprocess
import sys

import gpufilter as gf
from tap import end, ok, refuses

PROGRAM = os.environ["GPUFILTER"]
COUNT, ROWS, COLUMNS = 7, 20, 30
STATE = 5


def number():
    """Return the next random number, 0 to 255."""
    global STATE
    STATE = (STATE * 1664525 + 1013904223) % (1 << 32)
    return STATE >> 24


FRAMES = [bytes(number() for _ in range(ROWS * COLUMNS * 3)) for _ in range(COUNT)]


def arrays():
    """Yield the frames as a caller has them."""
    for frame in FRAMES:
        yield memoryview(frame).cast("B", (ROWS, COLUMNS, 3))


def made_by(stages, **options):
    return [result.tobytes() for result in gf.Chain(stages, **options).map(arrays())]


def window(i, before, after):
    """Return the tuples of samples at each place of the frames around frame i."""
    return zip(*FRAMES[max(i - before, 0):i + after + 1])


def middle(values):
    """Return the median, or the mean of both if there are two."""
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def nearest(bytes_, exact):
    return all(abs(a - b) <= 0.5 for a, b in zip(bytes_, exact))


def pam(data, width=COLUMNS, height=ROWS):
    return b"P6\n%d %d\n255\n" % (width, height) + data


# ---- known answers

medians, means = made_by("tmedian:3"), made_by("tmean:5")
ok(len(medians) == COUNT and all(nearest(m, map(middle, window(i, 1, 1))) for i, m in enumerate(medians)),
   "each image of a sequence is the median of its window")
ok(len(means) == COUNT and all(nearest(m, (sum(v) / len(v) for v in window(i, 2, 2))) for i, m in enumerate(means)),
   "each image of a sequence is the mean of its window")

# ---- the bytes of the program

for i, frame in enumerate(FRAMES):
    with open("frame%d.ppm" % i, "wb") as file:
        file.write(pam(frame))
gf.run(["-q", "--join", "-i", *("frame%d.ppm" % i for i in range(COUNT)), "-o", "stack.tif"])
for stages in ("tmedian:3", "tmean:5", "deflicker", "nlmeans:frames=1,search=2", "blur:2 tmean:3 rotate:90 noise:0.1",
               "noise:0.1 tmean:3 tmedian:3 resize:50%", "flip deflicker"):
    wanted = subprocess.run([PROGRAM, "-q", "-i", "stack.tif", *stages.split(), "-t", "ppm", "-o", "-"],
                            stdout=subprocess.PIPE).stdout
    form = gf.Chain(stages).format((ROWS, COLUMNS, 3))
    same = [pam(data, form.shape[1], form.shape[0]) for data in made_by(stages)]
    ok(len(same) == COUNT and b"".join(same) == wanted, "%s: a sequence of arrays has the bytes of a stack" % stages)
    batch = gf.apply(stages, memoryview(b"".join(FRAMES)).cast("B", (COUNT, ROWS, COLUMNS, 3)))
    ok(batch.tobytes() == b"".join(made_by(stages)), "%s: a batch is a sequence of images" % stages)
ok(made_by("blur:2 tmean:3", threads=1, memory="1M") == made_by("blur:2 tmean:3", threads=4),
   "memory and threads do not change a sequence")
gf.run(["-q", "-i", "stack.tif", "gray", "--rate", "25", "-o", "gray.y4m"])
planes = subprocess.run([PROGRAM, "-q", "-i", "gray.y4m", "-t", "pgm", "-o", "-"], stdout=subprocess.PIPE).stdout
head = b"P5\n%d %d\n255\n" % (COLUMNS, ROWS)
grays = [memoryview(part).cast("B", (ROWS, COLUMNS)) for part in planes.split(head)[1:]]
wanted = subprocess.run([PROGRAM, "-q", "-i", "gray.y4m", "tmedian:3", "-t", "pgm", "-o", "-"],
                        stdout=subprocess.PIPE).stdout
# the first and the last median are means of two samples, which Y4M stores more coarsely than these images
ok(len(grays) == COUNT and [part[:ROWS * COLUMNS] for part in wanted.split(head)[2:-1]]
   == [result.tobytes() for result in gf.Chain("tmedian:3").map(grays)][1:-1],
   "gray images of a sequence have the bytes of a video")
logo = memoryview(bytes(range(200, 200 + 12))).cast("B", (2, 2, 3))
with open("logo.ppm", "wb") as file:
    file.write(pam(logo.tobytes(), 2, 2))
ok([r.tobytes() for r in gf.Chain("over:logo,3,4 tmean:3 over:logo").map(arrays(), logo=logo)]
   == made_by("over:logo.ppm,3,4 tmean:3 over:logo.ppm"), "second images are arrays before and after a window")

# ---- order and memory

given, ahead = [], []


def watched():
    for i, array in enumerate(arrays()):
        given.append(i)
        yield array


for i, _ in enumerate(gf.Chain("tmean:3").map(watched())):
    ahead.append(given[-1] - i)
ok(ahead == [1] * (COUNT - 1) + [0], "a result comes as soon as the images that it depends on are there")
early = gf.Chain("tmean:5").map(arrays())
next(early)
early.close()
ok(made_by("tmean:5") == means, "a loop over a sequence may end early")
ok(list(gf.Chain("tmean:3").map([])) == [], "a sequence may be empty")

code = "import resource, gpufilter as gf\n" \
    "image = lambda i: memoryview(bytes([i * 4]) * (1 << 22)).cast('B', (2048, 2048))\n" \
    "total = sum(r.tobytes()[9] for r in gf.Chain('tmean:3', threads=2).map(map(image, range(60))))\n" \
    "print(total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)\n"
total, peak = map(int, subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE).stdout.split())
ok(total == sum(range(0, 240, 4)) and peak < 200, "only the window of a long sequence is in memory")

# ---- what is refused

two = list(arrays())[:2]
refuses(lambda: gf.apply("tmedian:3", two[0]), "not on one alone; give it a batch or use map() in Python",
        "one image is no sequence")
refuses(lambda: gf.Chain("fps:25"), "fps: chooses frames by their times", "arrays have no times for fps")
refuses(lambda: list(gf.Chain("tmean:3").map([two[0], memoryview(bytes(60)).cast("B", (2, 10, 3))])),
        "is uint8 2x10x3, but the first one was uint8 20x30x3", "images of a sequence have one shape")
refuses(lambda: list(gf.Chain("tmean:3 stats").map(two)), "a sequence of images has no table",
        "a sequence has no table")
refuses(lambda: gf.Chain("tmean:3").halo(two[0]), "not on one alone", "a sequence cannot be cut")
end()
