"""Cuts images and sounds into pieces with their halo, runs them, trims them, and compares with one run of the whole.

The chains are made from the descriptors: the examples of each stage, the stage alone, and the stage with each value of
its choices and with several numbers from the ranges of its options.
"""
import array
import collections
import os
import random
import shlex
import wave

import gpufilter as gf
from tap import end, ok, refuses

WIDTH, ROWS, FRAMES, RATE = 97, 83, 30000, 8000
CODES = {"uint8": "B", "uint16": "H", "float32": "f"}


def noise(dtype, samples):
    rng = random.Random(43)
    if dtype == "float32":
        return array.array("f", (rng.uniform(-0.2, 1.2) for _ in range(samples)))
    return array.array(CODES[dtype], (rng.randrange(1 << 8 * array.array(CODES[dtype]).itemsize) for _ in range(samples)))


def view(samples, shape):
    return memoryview(samples).cast("B").cast(samples.typecode, shape)


def cuts(length, step, rng):
    """Return the starts of pieces, at multiples of the step, and the end."""
    starts = sorted({0} | {rng.randrange(length) // step * step for _ in range(3)})
    return starts + [length]


def part_of_image(samples, rows, columns, channels):
    part = array.array(samples.typecode)
    for y in range(*rows):
        at = y * WIDTH
        part.extend(samples[(at + columns[0]) * channels:(at + columns[1]) * channels])
    return part


def cut_image(chain, samples, channels, halo, made_channels, rng):
    """Run the chain on pieces, and return the result that they make together."""
    (above, below), (left, right) = halo.depth[:2]
    made = array.array(samples.typecode, bytes(ROWS * WIDTH * made_channels * samples.itemsize))
    down, across = cuts(ROWS, halo.step, rng), cuts(WIDTH, 1, rng)
    for y0, y1 in zip(down, down[1:]):
        for x0, x1 in zip(across, across[1:]):
            rows = max(0, y0 - above), min(ROWS, y1 + below)
            columns = max(0, x0 - left), min(WIDTH, x1 + right)
            part = part_of_image(samples, rows, columns, channels)
            width = columns[1] - columns[0]
            result = array.array(samples.typecode, chain(view(part, (rows[1] - rows[0], width, channels))).tobytes())
            for y in range(y0, y1):
                at = ((y - rows[0]) * width + x0 - columns[0]) * made_channels
                made[(y * WIDTH + x0) * made_channels:(y * WIDTH + x1) * made_channels] = \
                    result[at:at + (x1 - x0) * made_channels]
    return made


def cut_sound(chain, samples, channels, halo, made_channels, rng):
    before, after = halo.depth[0]
    made = array.array("f")
    starts = cuts(FRAMES, halo.step, rng)
    for a, b in zip(starts, starts[1:]):
        first, end = max(0, a - before), min(FRAMES, b + after)
        part = samples[first * channels:end * channels]
        result = array.array("f", chain(view(part, (end - first, channels)), rate=RATE).tobytes())
        made.extend(result[(a - first) * made_channels:(b - first) * made_channels])
    return made


def examples(stage):
    for example in stage["examples"]:
        words = shlex.split(example)
        if words[:2] == ["gpufilter", "-i"] and words.count("-i") == 1 and words[-2] == "-o":
            words = words[3:-2]
            if not any(w.startswith("-") or w in "|>&" or w.startswith("tee") for w in words):
                yield " ".join("'%s'" % w if " " in w and "[" not in w else w for w in words)


def chains(stage, rng):
    """Yield chains of one stage with options from its descriptor, and its examples."""
    yield from examples(stage)
    base = {}

    def values(o):
        return ["second.wav"] if o["type"] == "input" and stage["kind"] == "audio" else values_of(o, rng)

    for o in stage["options"]:
        if o["required"]:
            base[o["name"]] = values(o)[0]

    def written(**more):
        return stage["name"] + ":" * bool({**base, **more}) + ",".join("%s=%s" % p for p in {**base, **more}.items())

    yield written()
    for o in stage["options"]:
        for value in values(o):
            yield written(**{o["name"]: value})
            for other in stage["options"]:
                if other is not o and other.get("choices"):
                    yield written(**{o["name"]: value, other["name"]: rng.choice(other["choices"])})


def values_of(o, rng):
    """Return values that an option may have; those out of range are refused."""
    numbers = ["0", "1", "2.5", str(rng.randrange(3, 40)), "%.3f" % rng.uniform(0, 1)]
    values = {
        "integer": ["2", "1", "0", "30", str(rng.randrange(3, 40))], "decibel": ["-3", "6"],
        "number": ["300"] + numbers if o.get("unit") == "Hz" else ["0.5"] + numbers, "number or choice": numbers,
        "mask": ["[1 2 3; 4 5 7; 7 8 9]", "[1 -2 5]", "[1 0 0 1]", "[2]",
                 "[" + " ".join(str(rng.randrange(-9, 9)) for _ in range(150)) + "]"],
        "time": ["0.001", "100f"], "size": ["50%", "97x83"], "geometry": ["20x20+5+5", "97x83+0+0"], "color": ["red"],
        "output": ["out.png"], "range": ["0.1,0.9"], "flag": ["on", "off"], "input": ["second.pgm"], "text": ["1,1", "r"],
    }.get(o["type"], [])
    return values + o.get("choices", [])


STEPS = {"image": set(), "audio": set()}


def case(stages, kind, samples, channels, rng):
    """Return whether pieces give the whole, or the text of the refusal."""
    chain = gf.Chain(stages, device="cpu", threads=1)
    rate = RATE if kind == "audio" else None
    whole = view(samples, (FRAMES, channels) if rate else (ROWS, WIDTH, channels))
    wanted = chain(whole, rate=rate)
    try:
        halo = chain.halo(whole, rate=rate)
    except gf.Error as e:
        refuses = "no halo" in str(e) or "depends on what is in the image" in str(e)
        return str(e) if e.advice and refuses else False
    STEPS[kind].add(halo.step > 1)
    made_channels = wanted.shape[-1] if len(wanted.shape) == len(whole.shape) else 1
    cut = cut_sound if rate else cut_image
    return cut(chain, samples, channels, halo, made_channels, rng).tobytes() == wanted.tobytes()


CUT = {"image": [], "audio": []}         # chains that were cut


def try_chains(all_stages, kind, signals):
    """Return how many chains were cut and refused, and those whose pieces differ."""
    cut, refused, wrong = 0, 0, []
    for stages in all_stages:
        for dtype in CODES if kind == "image" else ("float32",):
            rng = random.Random("%s %s %s" % (stages, dtype, os.environ.get("GPUFILTER_SEED", 1)))
            channels = rng.choice((1, 3, 4)) if kind == "image" else rng.choice((1, 2))
            size = WIDTH * ROWS if kind == "image" else FRAMES
            try:
                good = case(stages, kind, signals[dtype][:size * channels], channels, rng)
            except gf.Error:
                continue                 # no chain for such an input
            cut += good is True
            refused += isinstance(good, str)
            if good is False:
                wrong.append("%s, %s, %d channels" % (stages, dtype, channels))
            elif good is True:
                CUT[kind].append(stages)
    for line in wrong:
        print("# pieces differ, or the refusal has no advice:", line)
    return cut, refused, wrong


def try_several(signals):
    """Try chains of two to four of the chains that were cut."""
    rng = random.Random(os.environ.get("GPUFILTER_SEED", 1))
    for kind, least in (("image", 90), ("audio", 30)):
        several = [" ".join(rng.sample(CUT[kind], rng.randrange(2, 5))) for _ in range(60)]
        cut, _, wrong = try_chains(several, kind, signals)
        print("# of several stages: %d cut" % cut)
        ok(not wrong and cut >= least, "%s: pieces go through several stages" % kind)


def every_stage():
    with open("second.pgm", "wb") as f:
        f.write(b"P5\n%d %d\n255\n" % (WIDTH, ROWS) + bytes(noise("uint8", WIDTH * ROWS)))
    with wave.open("second.wav", "wb") as f:
        f.setparams((1, 2, RATE, 0, "NONE", None))
        f.writeframes(bytes(noise("uint16", FRAMES)))
    signals = {dtype: noise(dtype, max(ROWS * WIDTH * 4, FRAMES * 2)) for dtype in CODES}
    total = {"image": [0, 0], "audio": [0, 0]}
    for stage in gf.stages():
        if stage["result"] != "signal" or stage["only_command"] or stage["name"] in ("tee", "deflicker"):
            continue
        cut, refused, wrong = try_chains(dict.fromkeys(chains(stage, random.Random(7))), stage["kind"], signals)
        total[stage["kind"]][0] += cut
        total[stage["kind"]][1] += refused
        ok(not wrong and cut + refused > 0, "%s, %s: %s" % (
            stage["kind"], stage["name"], "pieces give the bytes of the whole, or there is no halo"))
    try_several(signals)
    print("# cut and refused:", total)
    ok(total["image"][0] >= 800 and total["audio"][0] >= 60, "chains of images and of sound were cut")
    ok(total["image"][1] >= 800 and total["audio"][1] >= 60, "chains that cannot be cut were refused")
    ok(STEPS["image"] == STEPS["audio"] == {True, False}, "some pieces must begin at multiples of a step")


def sizes():
    """A stage that would treat pieces in another way than the whole has no halo."""
    Outline = collections.namedtuple("Outline", "shape dtype")
    for stages, shape in (("resize:97x83", (83, 97)), ("blur:20", (16, 1 << 25))):
        refuses(lambda: gf.Chain(stages).halo(Outline(shape, "uint8")), "changes the size of the image",
                "%s of an image of this size has no halo" % stages)
    refuses(lambda: gf.Chain("blur:20").halo(Outline((300, 300), "uint8")),
            "no halo; give it a radius=, or run the chain on the whole image", "a blur without a radius may get one")
    refuses(lambda: gf.Chain("resize:50%").halo(Outline((300, 300), "uint8")), "no halo; run the chain", "a resize has no radius")
    ok(gf.Chain("blur:2").halo(Outline((1000, 1000, 3), "float32")).depth[2] == (0, 0), "a halo needs a shape and a type")


if __name__ == "__main__":
    sizes()
    every_stage()
    end()
