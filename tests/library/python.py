"""Runs the chains of all stages' examples on arrays and by the program, and compares the samples."""
import array
import collections
import ctypes
import inspect
import math
import multiprocessing
import os
import pickle
import re
import shlex
import signal
import struct
import subprocess
import threading
import time
import warnings

import gpufilter as gf
from gpufilter import _library
from tap import end, ok, refuses

PROGRAM = os.environ["GPUFILTER"]


def program(*arguments):
    """Return what the program writes, or None if it refuses."""
    done = subprocess.run([PROGRAM, "-q", *arguments, "-o", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout if done.returncode == 0 else None


def read_pam(data):
    """Return height, width, channels, maxval, the kind of channels, and the samples of a PAM."""
    head, _, samples = data.partition(b"ENDHDR\n")
    facts = dict(line.split(b" ", 1) for line in head.split(b"\n") if b" " in line)
    return (int(facts[b"HEIGHT"]), int(facts[b"WIDTH"]), int(facts[b"DEPTH"]), int(facts[b"MAXVAL"]),
            facts.get(b"TUPLTYPE", b"").endswith(b"ALPHA"), samples)


def read_au(data):
    """Return rate, channels and the samples of an AU file of 16 bits, in the byte order of the machine."""
    offset, _, kind, rate, channels = struct.unpack(">5I", data[4:24])
    samples = bytearray(data[offset:])
    if kind != 3:
        return None
    samples[0::2], samples[1::2] = samples[1::2], samples[0::2]
    return rate, channels, bytes(samples)


def chain_of(example):
    """Return the input and the stages of a command, or None if it is more than that."""
    words = shlex.split(example)
    if words[0] != "gpufilter" or words.count("-i") != 1 or words[-2] != "-o" or words[1] != "-i":
        return None
    stages = words[3:-2]
    if any(word.startswith("-") or word in ("|", ">") or word.startswith("tee") or ":area=" in word for word in stages):
        return None
    return words[2], " ".join("'%s'" % word if " " in word and "[" not in word else word for word in stages)


def image_case(source, stages):
    whole = program("-i", source, "-t", "pam")
    wanted = program("-i", source, *shlex.split(stages), "-t", "pam")
    if whole is None or wanted is None or not whole.startswith(b"P7"):
        return None
    height, width, channels, maxval, alpha, samples = read_pam(whole)
    if maxval != 255:
        return None
    array = memoryview(samples).cast("B", (height, width, channels))
    made = gf.apply(stages, array, alpha=alpha)
    return read_pam(wanted)[5] == bytes(made.tobytes())


def sound_case(source, stages):
    whole = program("-i", source, "--depth", "16", "-t", "au")
    if whole is None or not whole.startswith(b".snd"):
        return None
    with open("case.au", "wb") as f:
        f.write(whole)
    wanted = program("-i", "case.au", *shlex.split(stages), "-t", "au")
    if wanted is None or not wanted.startswith(b".snd"):
        return None
    rate, channels, samples = read_au(whole)
    array = memoryview(samples).cast("h").cast("B").cast("h", (len(samples) // 2 // channels, channels))
    made = gf.apply(stages, array, rate=rate)
    found = read_au(wanted)
    return found is not None and found[2] == bytes(made.tobytes())


def compare_examples():
    compared = {"image": 0, "audio": 0}
    for stage in gf.stages():
        if stage["result"] != "signal" or stage["only_command"] or stage["name"] == "silence":
            continue
        for example in stage["examples"]:
            case = chain_of(example)
            if case is None:
                continue
            try:
                same = (image_case if stage["kind"] == "image" else sound_case)(*case)
            except gf.Error as e:
                same = False
                print("#", e)
            if same is not None:
                compared[stage["kind"]] += 1
                ok(same, "%s, %s: an array has the bytes of the program" % (stage["kind"], case[1]))
    ok(compared["image"] >= 60 and compared["audio"] >= 20, "examples of images and of sound were compared")


def known_answers():
    row = memoryview(bytes([0, 100, 200, 255])).cast("B", (2, 2))
    made = gf.apply("invert", row)
    ok(bytes(made.tobytes()) == bytes([255, 155, 55, 0]), "bytes are inverted from Python")
    ok([row["max"] for row in gf.table("stats", row).values()] == [1], "stats are a dict")
    ok(str(gf.blur(2) | gf.gray()) == "blur:2 gray", "stages are functions")
    ok(str(gf.compare("b", min_psnr=30)) == "compare:b,min-psnr=30", "options with a dash have names in Python")
    ok(str(gf.tmedian(3) | gf.nlmeans(0.1) | gf.silence("table")) == "tmedian:3 nlmeans:0.1 silence:table",
       "stages for consecutive images and for tables are functions")
    for name, call in (("montage", lambda: gf.montage(3)), ("split", lambda: gf.split(3)), ("insert", lambda: gf.insert("b")),
                       ("fps", lambda: gf.fps(25))):
        refuses(call, "which only the command", "the function of a stage that needs the command says so: " + name)
    only = {row["name"] for row in gf.stages() if row["only_command"]}
    ok({"montage", "append", "untile", "stack", "split", "insert", "fps"} == only and not only & set(dir(gf)),
       "stages that need the command are marked")
    for name, wanted in (("gaussian", "did you mean 'blur'?"), ("negate", "write Chain('negate')"), ("_gray", "")):
        try:
            getattr(gf, name)
            ok(False, "an unknown function is explained: " + name)
        except AttributeError as e:
            ok(str(e).endswith(wanted or "'_gray'"), "an unknown function is explained: " + name)
    names = [stage["name"] for stage in gf.stages()]
    taken, wrong = set(), []
    for stage in names:
        function = getattr(gf, stage)
        for name in inspect.signature(function).parameters:
            taken.add(name)
            try:
                function(**{name: "?"})
            except gf.Error as e:
                if "unknown option" in str(e) and names.count(stage) == 1:      # or it may be one of its namesake
                    wrong.append((stage, name))
    ok("min_psnr" in taken and not wrong, "each name in a signature is that of an option: %s" % wrong)
    limits = {(row["name"], o["name"]): (o.get("min"), o.get("max")) for row in gf.stages() for o in row["options"]}
    ok([limits[key] for key in (("blur", "sigma"), ("gain", "db"), ("conv", "scale"), ("conv", "mask"), ("over", "file"))]
       == [(0, 500), (-300, 300), (-1e9, 1e9), (None, None), (None, None)], "options that are numbers have limits")
    ok(str(gf.Chain([gf.blur(2), "gray"])) == "blur:2 gray", "a chain is made from a list of stages")
    ok(gf.__version__ == gf.version(), "the package has a version")
    ok(bytes(pickle.loads(pickle.dumps(gf.Chain("invert")))(row).tobytes()) == bytes([255, 155, 55, 0]),
       "a chain can be sent to another process")
    sent = [pickle.loads(pickle.dumps(gf.Chain("invert", memory=memory))) for memory in ("64M", 64 << 20, None)]
    ok(sent[0] is sent[1] is not sent[2], "chains that are sent to a process are one if their options are the same")
    ok("Gaussian" in gf.blur.__doc__ and "sigma" in gf.blur.__doc__, "a function has the text of the manual")
    refuses(lambda: gf.apply("blurr:2", row), "no stage is called 'blurr'; did you mean 'blur'?",
            "an unknown stage is an error")


def files():
    image = gf.read("photo.ppm")
    height, width, _, _, _, samples = read_pam(program("-i", "photo.ppm", "-t", "pam"))
    ok(image.shape == (height, width, 3) and bytes(image.tobytes()) == samples, "an image is read from a file")
    gf.write("written.png", image)
    ok(program("-i", "written.png", "-t", "pam") == program("-i", "photo.ppm", "-t", "pam"), "an image is written to a file")
    small = gf.read("photo.ppm", "resize:50% gray")
    ok(bytes(small.tobytes()) == read_pam(program("-i", "photo.ppm", "resize:50%", "gray", "-t", "pam"))[5],
       "stages run while a file is read")
    sound, rate = gf.read("sound.wav")
    gf.write("written.flac", sound, rate=rate)
    ok(program("-i", "written.flac", "-t", "au") == program("-i", "sound.wav", "-t", "au"), "sound is read and written")
    ok(set(gf.read("photo.ppm", "stats")) == {"r", "g", "b"}, "a file is measured")
    refuses(lambda: gf.read("nothing.png"), "nothing.png: No such file", "a file that cannot be read is an error")
    refuses(lambda: gf.write("photo.nope", image), "unknown extension .nope", "a file that cannot be written is an error")
    ok(not os.path.exists("photo.nope"), "a file that cannot be written does not exist")


def streams():
    frames = 20000
    samples = struct.pack("<%df" % frames, *[(i * 7919 % 2001 - 1000) / 2000 for i in range(frames)])
    whole = gf.apply("gain:-3 delay:100f", memoryview(samples).cast("f"), rate=48000)
    with gf.Chain("gain:-3 delay:100f").stream(rate=48000) as stream:
        parts = [stream(memoryview(samples[i:i + 4 * 700]).cast("f")) for i in range(0, len(samples), 4 * 700)]
        parts.append(stream.finish())
    ok(b"".join(bytes(p.tobytes()) for p in parts) == bytes(whole.tobytes()), "a stream is the sound of the whole")
    block = memoryview(samples).cast("f")[:700]
    with gf.Chain("trim:0,100f").stream(rate=48000) as stream:
        ok(len(stream(block).tobytes()) == 400, "a stream may end before its input")
        refuses(lambda: stream(block), "ended", "a stream that trims takes no more blocks")
    refuses(stream.finish, "the stream has ended", "a stream has ended after a with")
    stream = gf.Chain("pad:100f,100f").stream(rate=48000)
    ok(stream.finish().tobytes() == bytes(800), "a stream without a block gives what stages add")
    refuses(lambda: stream(block), "the stream has ended", "a stream that has ended takes no block")
    parts, empty = [], 0
    with gf.Chain("limit:-1").stream(48000, 2) as first, gf.Chain("gain:6").stream(48000, 2) as second:
        for i in range(0, len(samples), 8 * 100):
            made = first(memoryview(samples[i:i + 8 * 100]).cast("B").cast("f", (100, 2)))
            empty += made.shape[0] == 0
            parts.append(second(made))
        parts += [second(first.finish()), second.finish()]
    ok(empty > 0 and b"".join(part.tobytes() for part in parts)
       == gf.apply("limit:-1 gain:6", memoryview(samples).cast("B").cast("f", (frames // 2, 2)), rate=48000).tobytes(),
       "a stream takes the results of another one, empty ones too")
    stream = gf.Chain("gain:1").stream(rate=48000)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            stream(block)
        except gf.Error as e:
            os._exit(str(e) != "the stream belongs to another process; make it after fork()")
        os._exit(2)
    ok(os.waitpid(child, 0)[1] == 0, "a stream of another process is an error, and no call waits for ever")
    ok(len(stream(block).tobytes()) + len(stream.finish().tobytes()) == 2800, "a stream goes on after a fork")


def rows():
    high, narrow = 300, memoryview(bytes(9)).cast("B", (1, 3, 3))
    whole = memoryview(bytes(i * 7919 % 251 for i in range(high * 200 * 3))).cast("B", (high, 200, 3))
    blocks = [memoryview(bytes(whole)[at * 600:at * 600 + 7 * 600]).cast("B", (min(7, high - at), 200, 3))
              for at in range(0, high, 7)]
    for stages in ("blur:9", "transpose gray", "equalize", "resize:800x"):
        chain = gf.Chain(stages, memory="16M")
        made, wanted = list(chain.rows(iter(blocks), high)), chain(whole)
        ok(b"".join(m.tobytes() for m in made) == wanted.tobytes() and {m.shape[1:] for m in made} == {wanted.shape[1:]},
           "blocks of rows give the bytes of the whole image: " + stages)
        ok(chain.format(whole.shape) == (tuple(wanted.shape), "uint8", None),
           "the format of a result is known before: " + stages)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        nothing = memoryview(struct.pack("<4f", *[math.nan] * 4)).cast("B").cast("f", (2, 2))
        list(gf.Chain("invert").rows([nothing], 2, dtype="uint8"))
    ok("not finite" in str(said[0].message if said else ""), "a run over rows passes warnings on")
    run = chain.rows(iter(blocks), high)
    next(run)
    run.close()
    ok(gf.Chain("invert")(whole).tobytes()[:1] == b"\xff", "a run over rows can be left early")
    for name, call, words in (
            ("too few rows are an error", lambda: chain.rows(blocks, high + 1), "only 300 of height=301"),
            ("too many rows are an error", lambda: chain.rows(blocks, high - 1), "more rows than height=299"),
            ("no rows are an error", lambda: chain.rows([], high), "only 0 of height=300"),
            ("rows of another width are an error", lambda: chain.rows([blocks[0], narrow], high),
             "block: is uint8 1x3x3, but the first one was uint8 7x200x3; only their rows may differ"),
            ("a chain that measures has no rows", lambda: gf.Chain("stats").rows(blocks, high), "a table, not rows"),
            ("a chain that measures has no format", lambda: gf.Chain("stats").format(whole.shape), "a table, not an array")):
        refuses(lambda: list(call()), words, name)
    wide = memoryview(bytes(i * 7919 % 251 for i in range(700 * 3000))).cast("B", (700, 3000))
    blocks = [wide.cast("B")[at:at + 3000 * 99].cast("B", (min(99, 700 - at // 3000), 3000))
              for at in range(0, 700 * 3000, 3000 * 99)]
    made = list(gf.Chain("blur:2").rows(blocks, 700))
    ok([m.shape for m in made] == [(349, 3000), (349, 3000), (2, 3000)]
       and b"".join(m.tobytes() for m in made) == gf.apply("blur:2", wide).tobytes(),
       "rows come in arrays of a megabyte, however many are pushed at once")


def pushed_warnings():
    """A run whose input is pushed has a thread of its own, which may warn while other calls go on."""
    nothing = memoryview(struct.pack("<f", math.nan) * 100000).cast("B").cast("f", (100, 1000))
    row, given, parts = memoryview(bytes(4)).cast("B", (2, 2)), [], []

    def blocks():
        yield from [nothing] * 25
        given.append(True)

    run = gf.Chain("median:3", threads=1).rows(blocks(), 2500, dtype="uint8")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        while not given:
            parts.append(next(run))
    with warnings.catch_warnings():
        warnings.simplefilter("error", gf.Warning)
        try:
            for _ in range(50):          # the run ends in the meantime
                gf.apply("invert", row)
                time.sleep(0.01)
            ok(True, "a warning of a pushed run does not end another call")
        except gf.Warning:
            ok(False, "a warning of a pushed run does not end another call")
    with warnings.catch_warnings(record=True) as more:
        warnings.simplefilter("always")
        parts += run
    said += more
    ok(sum(map(len, (p.tobytes() for p in parts))) == 2500000 and ["not finite" in str(w.message) for w in said] == [True],
       "a pushed run has its own warnings")
    with warnings.catch_warnings():
        warnings.simplefilter("error", gf.Warning)
        refuses(lambda: _library.call(_library.load().gpufilter_finish, None, said=collections.deque(["a loss"])),
                "a handle is NULL", "an error is raised even if warnings are errors")


def parts_of_errors():
    """The advice of an error begins where the library says, in bytes, not at the first semicolon."""
    for name, call, problem, advice in (
            ("letters of several bytes", lambda: gf.Chain("blür:2"), "no stage is called 'blür'", "did you mean 'blur'?"),
            ("a semicolon in a name", lambda: gf.read("a; b.png"), "a; b.png: No such file or directory", ""),
            ("a semicolon in a name, for the program", lambda: gf.run(["-i", "a; b.png", "-o", "c.png"]), "a; b.png: ", ""),
            ("a text of the package", lambda: gf.apply("flip", "photo.ppm"),
             "expected an array, an image or a buffer, not str", "read() reads a file")):
        try:
            call()
            ok(False, "problem and advice of an error: " + name)
        except gf.Error as e:
            e = pickle.loads(pickle.dumps(e))
            ok(e.problem.startswith(problem) and e.advice == advice
               and str(e) == e.problem + ("; " + e.advice if e.advice else ""), "problem and advice of an error: " + name)


def rates():
    sound = memoryview(bytes(4 * 4800)).cast("h", (4800, 2))
    chain = gf.Chain("resample:16k")
    ok(chain.format(sound.shape, "int16", rate=48000) == (tuple(chain(sound, rate=48000).shape), "int16", 16000),
       "the rate of a result is known")
    with chain.stream(48000, 2) as stream:
        ok(stream.rate == 16000, "a stream knows the rate of its results")


def advice():
    """No advice names options of the command line."""
    row = memoryview(bytes(range(12))).cast("B", (2, 2, 3))
    with open("unknown.txt", "wb") as f:
        f.write(b"neither image nor audio")
    with open("film.mp4", "wb") as f:
        f.write(b"neither image nor audio")
    for name, call, wanted in (
            ("memory", lambda: gf.Chain("blur:9", device="cpu", memory=1000)(row), "limit of memory"),
            ("an unknown stage", lambda: gf.Chain("frobnicate"), "stages()"),
            ("a file as a stage", lambda: gf.Chain("photo.ppm"), ""),
            ("an option of a stage", lambda: gf.Chain("rotate:30,fit=none"), ""),
            ("a GPU that is not there", lambda: gf.Chain("blur", device="cuda:99"), "device cpu"),
            ("a format that is not known", lambda: gf.read("unknown.txt"), ""),
            ("a format that other programs read", lambda: gf.read("film.mp4"), ""),
            ("a mask that is not known", lambda: gf.apply("conv:frobnicate", row), ""),
            ("a mask that is nearly known", lambda: gf.apply("conv:embos", row), "did you mean"),
            ("a filter of another program", lambda: gf.Chain("crossfade"), ""),
            ("a command of another program", lambda: gf.Chain("loop"), ""),
            ("a name with dashes", lambda: gf.apply("over:'a --b.png'", row), ""),
            ("a stream of unknown length", lambda: gf.Chain("normalize").stream(48000), "whole array")):
        try:
            call()
            ok(False, "advice suits a caller: " + name)
        except gf.Error as e:
            print("#", e)
            ok((wanted in e.advice if wanted else "stages()" not in e.advice or " is a file" in e.problem)
               and not set("-|") & set(e.advice) and ("--" not in e.problem or "dashes" in name), "advice suits a caller: " + name)


def second_inputs():
    sound = memoryview(struct.pack("<2000f", *[(i * 7919 % 2001 - 1000) / 2000 for i in range(2000)])).cast("f")
    pairs = memoryview(bytes(sound)).cast("f", (1000, 2))
    taps = memoryview(struct.pack("<3f", 0.25, 0.5, 0.25)).cast("f")
    wanted = bytes(gf.apply("gain:-3 'fir:[0.25 0.5 0.25]' invert", sound, rate=8000).tobytes())
    ok(bytes(gf.apply("gain:-3 fir:taps invert", sound, rate=8000, taps=taps).tobytes()) == wanted,
       "taps of a filter in the middle of a chain are an array")
    gf.write("response.wav", pairs, rate=8000)
    ok(bytes(gf.apply("reverb:response", pairs, rate=8000, response=pairs).tobytes())
       == bytes(gf.apply("reverb:response.wav", pairs, rate=8000).tobytes()),
       "a response of two channels is an array of frames and channels")
    with gf.Chain("gain:-3 fir:taps invert").stream(8000, inputs={"taps": taps}) as stream:
        parts = [stream(sound[:700]), stream(sound[700:]), stream.finish()]
    ok(b"".join(bytes(p.tobytes()) for p in parts) == wanted, "a stream takes taps as an array")
    square = memoryview(struct.pack("<9f", 1, 2, 1, 2, 4, 2, 1, 2, 1)).cast("B").cast("f", (3, 3))
    image = memoryview(bytes(range(200))).cast("B", (10, 20))
    color = memoryview(bytes(27)).cast("B", (3, 3, 3))
    ok(bytes(gf.apply("conv:square,scale=auto", image, square=square).tobytes())
       == bytes(gf.apply("'conv:[1 2 1; 2 4 2; 1 2 1],scale=auto'", image).tobytes()), "a mask is an array")
    whole = memoryview(struct.pack("9i", 1, 2, 1, 2, 4, 2, 1, 2, 1)).cast("B").cast("i", (3, 3))
    short = memoryview(bytes(whole.cast("B")[::4])).cast("B", (3, 3))
    ok(gf.apply("conv:mask=square,scale=auto", image, square=whole).tobytes()
       == gf.apply("conv:square,scale=auto", image, square=square).tobytes()
       == gf.apply("conv:square,scale=auto", image, square=short).tobytes(),
       "the numbers of a mask may be integers")
    photo = memoryview(bytes(range(0, 240, 2))).cast("B", (5, 8, 3))
    strange = memoryview(bytes(24)).cast("B", (2, 4, 3))
    ok(gf.apply("lut:row", photo, row=memoryview(bytes(range(255, -1, -1))).cast("B", (1, 256))).tobytes()
       == gf.apply("invert", photo).tobytes(), "a table of colors is an array of one row, whose integers are levels")
    refuses(lambda: gf.apply("lut:cube", photo, cube=strange), "cube is 4x2; must be", "a table of another shape")
    ok(gf.apply("match:other", photo, other=photo).tobytes() == photo.tobytes(), "an image to match is an array")
    wanted = gf.apply("conv:square,scale=auto", image, square=square).tobytes()
    chain = gf.Chain("conv:square,scale=auto")
    for name, inputs in (("by name", {"square": square}), ("by inputs=", {"inputs": {"square": square}})):
        ok(b"".join(part.tobytes() for part in chain.rows([image], 10, **inputs)) == wanted
           and chain.format((10, 20), **inputs).shape == (10, 20) and chain.halo(image, **inputs).step == 1
           and [m.tobytes() for m in chain.map([image], **inputs)] == [wanted],
           "methods take arrays %s" % name)
    with gf.Chain("fir:taps").stream(8000, taps=taps) as stream:
        ok(len(stream(sound).tobytes()) + len(stream.finish().tobytes()) == 8000, "a stream takes an array by its name")
    for name, call, words in (
            ("without an array", lambda: gf.apply("fir:taps", sound, rate=8000), "or give an array: taps=…"),
            ("of another name", lambda: gf.apply("fir:taps", sound, rate=8000, tap=taps),
             "no stage reads an array called tap; the stages read taps"),
            ("whose mask is missing", lambda: gf.apply("'conv:mask=my-mask'", image),
             "conv: no mask or file is called 'my-mask'; give an array: inputs={'my-mask': …}"),
            ("with a second image that is missing", lambda: gf.apply("compare:b", image),
             "compare: b: No such file or directory; give an array: b=…"),
            ("with a mask that is misspelled", lambda: gf.apply("conv:embos", image),
             "did you mean 'emboss'? Or give an array: embos=…"),
            ("with an array as a word", lambda: gf.compare(image), "give a name: gf.compare('b')(image, b=array)"),
            ("with an array as a named word", lambda: gf.over(file=image),
             "give a name: gf.over('b')(image, b=array)"),
            ("of another kind", lambda: gf.apply("conv:image", image, image=color), "floats of one channel"),
            ("with an array that no stage reads", lambda: gf.apply("gray", image, y=image), "array called y")):
        refuses(call, words, "a filter %s is an error" % name)


def looking():
    framed = memoryview(bytes(9 if x in (0, 7) or y in (0, 5) else 10 * y + x for y in range(6) for x in range(8)))
    framed = framed.cast("B", (6, 8))
    crop = gf.autocrop()
    ok(bytes(gf.apply("crop:6x4+1+1", framed).tobytes()) == bytes(crop(framed).tobytes()), "autocrop looks at an array")
    narrow = memoryview(bytes([9, 9, 9, 9, 1, 9, 9, 9, 9])).cast("B", (3, 3))
    ok(bytes(crop(narrow).tobytes()) == b"\x01", "autocrop looks at each array anew")
    ok([a.shape for a in crop.map([framed, narrow, framed])] == [(4, 6), (1, 1), (4, 6)],
       "autocrop looks at each array of map()")


def misuse():
    row = memoryview(bytes(range(12))).cast("B", (2, 2, 3))
    writable = memoryview(bytearray(12)).cast("B", (2, 2, 3))
    flat, sound = memoryview(bytearray(12)).cast("B", (2, 6)), array.array("h", [1, 2])
    for name, call, words in (
            ("a look after another stage is refused", lambda: gf.apply("blur:1 autocrop", row), "must be the first stage"),
            ("a look at rows that come later is refused", lambda: list(gf.Chain("autocrop").rows([row], 2)),
             "one whole image of the host"),
            ("the name of a file as an array is refused", lambda: gf.apply("flip", "photo.ppm"), "read() reads a file"),
            ("sound without a rate is refused", lambda: gf.apply("gain:3", row.cast("B").cast("h", (3, 2))), "needs a rate="),
            ("a command in one text is refused", lambda: gf.run("-i photo.ppm flip"), "['-i', 'photo.ppm', 'flip']"),
            ("a result in read-only memory is refused", lambda: gf.apply("flip", row, out=row), "read-only"),
            ("a result over the input is refused", lambda: gf.apply("flip", writable, out=writable), "overlaps the input"),
            ("an array of one dimension is refused", lambda: gf.apply("flip", memoryview(b"")),
             "array: has 1 dimension, but an image has 2 or 3; sound needs a rate="),
            ("a block of one dimension is refused", lambda: list(gf.Chain("flip").rows([memoryview(b"1")], 1)),
             "block: has 1 dimension, but an image has 2 or 3"),
            ("sound of three dimensions is refused", lambda: gf.apply("gain:3", row, rate=8000),
             "array: has 3 dimensions, but sound has 1 or 2; an image has no rate="),
            ("an array with channels first is refused", lambda: gf.apply("flip", row.cast("B").cast("B", (1, 2, 6))),
             "array: is uint8 1x2x6, but an image has 1 to 4 channels; channels come last"),
            ("a result of another shape is refused", lambda: gf.apply("flip", row, out=flat),
             "out: is uint8 2x6, but the result is uint8 2x2x3"),
            ("a result of another type is refused", lambda: gf.apply("flip", row, dtype="float32", out=writable),
             "out: is uint8 2x2x3, but the result is float32 2x2x3"),
            ("a block of another type is refused", lambda: gf.Chain("gain:3").stream(8000, 2)(array.array("h", [1, 2])),
             "block: is int16 2, but the stream takes float32 2x2"),
            ("a block with channels first is refused", lambda: gf.Chain("gain:3").stream(8000, 2, "int16")(
                memoryview(bytes(12)).cast("B").cast("h", (2, 3))), "channels come last"),
            ("an image of int16 is refused", lambda: gf.apply("flip", row, dtype="int16"),
             "the dtype of an image must be uint8, uint16, float32 or float64, not int16; sound needs a rate="),
            ("a stream of uint8 is refused", lambda: gf.Chain("gain:3").stream(8000, dtype="uint8"),
             "the dtype of sound must be int16, int32, float32 or float64, not uint8"),
            ("an array of objects is refused", lambda: gf.apply("flip", Strided((2, 2), None, typestr="|O")),
             "is object 2x2"),
            ("an array of int64 is refused", lambda: gf.apply("over:b", row, b=Strided((2, 2), None, typestr="<i8")),
             "b: is int64 2x2, but an image must be uint8"),
            ("a stream without a rate is refused", lambda: gf.Chain("gain:3").stream(0), "not 0"),
            ("a rate with a fraction is refused", lambda: gf.Chain("gain:3").stream(44100.5),
             "rate must be a whole number of frames per second, not 44100.5"),
            ("a rate that is no number is refused", lambda: gf.apply("gain:3", sound, rate="8000"), "not '8000'"),
            ("an infinite rate is refused", lambda: gf.apply("gain:3", sound, rate=math.inf), "not inf"),
            ("an array in place of stages is refused", lambda: gf.apply(row, "flip"), "takes the array second"),
            ("an empty array is refused", lambda: gf.apply("gain:3", array.array("h"), rate=8000), "is empty"),
            ("a list is refused", lambda: gf.apply("flip", [[1, 2], [3, 4]]), "not list"),
            ("a zero byte in a chain is refused", lambda: gf.Chain("blur\0:2"), "a zero byte")):
        refuses(call, words, name)
    with open("half.pgm", "wb") as f:
        f.write(b"P5\n2 1\n100\n" + bytes([0, 100]))
    ok(bytes(gf.read("half.pgm").tobytes()) == bytes([0, 255]), "white is 255, whatever the file calls it")


def places_of_arguments():
    """Arrays in the place of values, and values in the place of arrays, are refused with what to write."""
    image, gray = memoryview(bytes(12)).cast("B", (2, 2, 3)), memoryview(bytes(12)).cast("B", (2, 6))
    frames, deep = memoryview(bytes(30)).cast("B", (5, 2, 3)), memoryview(bytes(6)).cast("B", (1, 1, 6))
    sound, pixels = array.array("h", [1, 2]), Strided((2, 2, 3), None)
    pixels.shape = 2, 2, 3
    for name, call, words in (
            ("an image before values is refused", lambda: gf.blur(image, 2),
             "blur takes values, not an image; write gf.blur(2)(image)"),
            ("a gray image as a value is refused", lambda: gf.blur(gray, sigma=2), "write gf.blur(sigma=2)(image)"),
            ("an image for a stage without options is refused", lambda: gf.invert(image), "write gf.invert()(image)"),
            ("an array that has a shape is no value", lambda: gf.blur(sigma=pixels), "blur takes values, not an image"),
            ("an image for a mask is refused", lambda: gf.conv(image), "conv takes values, not an image"),
            ("a list of frames as a value is refused", lambda: gf.tmean([gray, gray], 5), "write gf.tmean(5)(image)"),
            ("bytes as a value are refused", lambda: gf.blur(bytes(9)), "blur takes values, not an image"),
            ("sound before values is refused", lambda: gf.gain(sound, 3, rate=8000),
             "gain takes values, not sound; write gf.gain(3)(sound, rate=…)"),
            ("a value before the image is refused", lambda: gf.apply("blur", 2, image),
             "not memoryview; values of stages are in their text, as in apply('blur:2', image)"),
            ("a number as a device is refused", lambda: gf.Chain("blur", device=1),
             "device must be 'auto', 'cpu', 'cuda' or 'cuda:N', not int"),
            ("a list of images is refused", lambda: gf.apply("tmean:5", [gray, gray]),
             "not list; chain.map() takes images one by one, numpy.stack() makes a batch of them"),
            ("a generator of images is refused", lambda: gf.apply("flip", iter([gray])), "chain.map() takes images"),
            ("gray frames of three dimensions are refused", lambda: gf.apply("tmean:5", deep),
             "use layout='chw'; a batch of gray images has 4 dimensions: array[..., None]"),
            ("a batch for one file is refused", lambda: gf.write("x.gif", frames.cast("B").cast("B", (5, 2, 3, 1))),
             "write each image; run(['--join', '-i', *names, '--rate', '10', '-o', 'a.gif']) animates files")):
        refuses(call, words, name)
    weights = memoryview(struct.pack("4d", 1, 2, 3, 4)).cast("B").cast("d", (2, 2))
    ok([str(gf.conv(weights)), str(gf.fir(sound))] == ["conv:[1 2; 3 4]", "fir:[1 2]"], "numbers of arrays are values")
    for i in range(3):
        gf.write("cell-%d.png" % i, memoryview(bytes([80 * i] * 12)).cast("B", (2, 6)))
    gf.run(["--join", "-i", *("cell-%d.png" % i for i in range(3)), "--rate", "10", "-o", "cells.gif"])
    ok(b", 3 images, " in gf.run(["--info", "cells.gif"], stdout=subprocess.PIPE).stdout, "images are joined to a GIF")


class Strided:
    """Bytes from 0 to 23, seen with strides from a first one."""

    def __init__(self, shape, strides, first=0, typestr="|u1"):
        self.bytes = (ctypes.c_ubyte * 24)(*range(24))
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": typestr, "strides": strides,
                                    "data": (ctypes.addressof(self.bytes) + first, True)}


def strides():
    for name, shape, steps, first, wanted in (
            ("the order of Fortran", (2, 3), (1, 2), 0, [0, 2, 4, 1, 3, 5]),
            ("backwards, with gaps", (2, 3), (-8, -2), 20, [20, 18, 16, 12, 10, 8]),
            ("a row that is repeated", (3, 2), (0, 1), 5, [5, 6, 5, 6, 5, 6]),
            ("planes", (1, 2, 3), (2, 1, 8), 0, [0, 8, 16, 1, 9, 17])):
        made = gf.apply("invert", Strided(shape, steps, first))
        ok(list(made.tobytes()) == [255 - v for v in wanted], "strides of an array: " + name)
    made = memoryview(bytearray(6)).cast("B", (2, 3))
    ok(gf.apply("invert", Strided((2, 3), (1, 2)), out=made) is made and bytes(made) == bytes([255, 253, 251, 254, 252, 250]),
       "a result goes to the caller's memory")


def threads():
    row = memoryview(bytes(range(256)) * 48).cast("B", (64, 64, 3))
    chain = gf.Chain("median:1 unsharp")
    wanted = bytes(chain(row).tobytes())
    right = []

    def work():
        right.append(all(bytes(chain(row).tobytes()) == wanted for _ in range(50)))

    workers = [threading.Thread(target=work) for _ in range(8)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    ok(right == [True] * 8, "eight threads share a chain")
    ok([bytes(m.tobytes()) for m in chain.map([row] * 20)] == [wanted] * 20, "a map keeps the order")


def forks():
    row = memoryview(bytes(12)).cast("B", (2, 2, 3))
    chain = gf.Chain("invert", threads=1)
    chain(row)
    child = os.fork()
    if child == 0:
        os._exit(0 if set(bytes(chain(row).tobytes())) == {255} else 1)
    ok(os.waitpid(child, 0)[1] == 0, "a forked process opens a session of its own")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        ok(set(bytes(pool.apply(chain, (chain(row),)).tobytes())) == {0}, "a spawned process is sent a chain and an array")


def subinterpreters():
    name = "a subinterpreter is refused with advice"
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        try:
            import _interpreters as interpreters
        except ImportError:
            print("ok - %s # SKIP this Python has none" % name)
            return
    interpreters.run_string(interpreters.create(), """
try:
    import gpufilter
except ImportError as e:
    with open("refused", "w") as f:
        f.write(str(e))
""")
    with open("refused") as f:
        ok("subinterpreter" in f.read(), name)


def interrupt_soon():
    """Send this process an interrupt, as Ctrl-C does."""
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return spent()


def spent():
    """The CPU time of this process and its children: of work that goes on, a machine with much to do has the same."""
    return sum(os.times()[:4])


def interrupts():
    signal.signal(signal.SIGINT, signal.default_int_handler)        # a shell may have it ignored in the background
    side, slow = 3000, ["median:9", "bilateral:9,0.1"]       # ten seconds of work
    image = memoryview(bytes(range(256)) * (side * side // 256 + 1))[:side * side].cast("B", (side, side))
    chain = gf.Chain(" ".join(slow), device="cpu", threads=1)
    os.mkdir("interrupted")
    gf.write("large.pgm", image)
    for name, call in (
            ("a long call", lambda: chain(image)),
            ("writing a file", lambda: gf.write("interrupted/a.png", image, stages=chain)),
            ("reading a file", lambda: gf.read("large.pgm", str(chain), device="cpu", threads=1)),
            ("the program", lambda: gf.run(["--device", "cpu", "-j", "1", "-i", "large.pgm", *slow,
                                            "-o", "interrupted/b.png"]))):
        start = interrupt_soon()
        try:
            call()
            ok(False, "an interrupt ends " + name)
        except KeyboardInterrupt:
            ok(spent() - start < 3, "an interrupt ends " + name)
    start = interrupt_soon()
    try:
        for _ in chain.map([image] * 3, workers=2):
            pass
        ok(False, "an interrupt ends the runs of a map")
    except KeyboardInterrupt:
        ok(spent() - start < 3, "an interrupt ends the runs of a map")
    small, start = memoryview(bytes(64)).cast("B", (8, 8)), spent()
    wanted = chain(small).tobytes()
    for made in chain.map([small] + [image] * 3, workers=2):
        break
    ok(spent() - start < 3, "a loop over a map that ends early stops its runs")
    ok([chain(small).tobytes() for _ in range(3)] == [wanted] * 3, "a chain works after its map was stopped")
    ok(os.listdir("interrupted") == [], "no half file is left after an interrupt")
    ok(bytes(gf.Chain("invert")(memoryview(bytes(4)).cast("B", (2, 2))).tobytes()) == bytes([255] * 4),
       "calls work after an interrupt")


def memory():
    def resident():
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * 4096

    row = memoryview(bytes(64 * 64 * 3)).cast("B", (64, 64, 3))
    chain = gf.Chain("blur:1", threads=1)
    for _ in range(500):
        chain(row)
    before = resident()
    for _ in range(100000):
        chain(row)
    for i in range(200):
        gf.Chain("blur:%d" % (i % 9 + 1), threads=1)(row)
    ok(resident() - before < 20 << 20, "a hundred thousand calls take no more memory")


if __name__ == "__main__":               # a spawned process imports this file
    known_answers()
    files()
    looking()
    misuse()
    strides()
    places_of_arguments()
    streams()
    rows()
    pushed_warnings()
    parts_of_errors()
    rates()
    advice()
    second_inputs()
    threads()
    forks()
    subinterpreters()
    interrupts()
    memory()
    compare_examples()
    end()
