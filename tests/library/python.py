"""Runs the chains of all stages' examples on arrays and by the program, and compares the samples."""
import ctypes
import multiprocessing
import os
import pickle
import shlex
import signal
import struct
import subprocess
import sys
import threading
import time

import gpufilter as gf

count = failed = 0
PROGRAM = os.environ["GPUFILTER"]


def ok(good, name):
    global count, failed
    only = os.environ.get("ONLY", "")
    if only and only.lstrip("=") not in name:
        return
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, name), flush=True)


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
    if any(word.startswith("-") or word in ("|", ">") or word.startswith("tee") for word in stages):
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
        if stage["result"] != "signal":
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
    ok(bytes(pickle.loads(pickle.dumps(gf.Chain("invert")))(row).tobytes()) == bytes([255, 155, 55, 0]),
       "a chain can be sent to another process")
    ok("Gaussian" in gf.blur.__doc__ and "sigma" in gf.blur.__doc__, "a function has the text of the manual")
    try:
        gf.apply("blurr:2", row)
        ok(False, "an unknown stage is an error")
    except gf.Error as e:
        ok("blurr" in e.problem and "blur" in e.advice, "an unknown stage is an error")


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
    for name, call in (("read", lambda: gf.read("nothing.png")), ("written", lambda: gf.write("photo.nope", image))):
        try:
            call()
            ok(False, "a file that cannot be %s is an error" % name)
        except gf.Error as e:
            ok("no" in e.problem, "a file that cannot be %s is an error" % name)
    ok(not os.path.exists("photo.nope"), "a file that cannot be written does not exist")


def streams():
    frames = 20000
    samples = struct.pack("<%df" % frames, *[(i * 7919 % 2001 - 1000) / 2000 for i in range(frames)])
    whole = gf.apply("gain:-3 delay:100f", memoryview(samples).cast("f"), rate=48000)
    with gf.Chain("gain:-3 delay:100f").stream(rate=48000) as stream:
        parts = [stream(memoryview(samples[i:i + 4 * 700]).cast("f")) for i in range(0, len(samples), 4 * 700)]
        parts.append(stream.finish())
    ok(b"".join(bytes(p.tobytes()) for p in parts) == bytes(whole.tobytes()), "a stream is the sound of the whole")


def misuse():
    row = memoryview(bytes(range(12))).cast("B", (2, 2, 3))
    writable = memoryview(bytearray(12)).cast("B", (2, 2, 3))
    for name, call in (
            ("a result in read-only memory is refused", lambda: gf.apply("flip", row, out=row)),
            ("a result over the input is refused", lambda: gf.apply("flip", writable, out=writable)),
            ("an empty array is refused", lambda: gf.apply("flip", memoryview(b""))),
            ("a list is refused", lambda: gf.apply("flip", [[1, 2], [3, 4]])),
            ("a zero byte in a chain is refused", lambda: gf.Chain("blur\0:2"))):
        try:
            call()
            ok(False, name)
        except gf.Error:
            ok(True, name)
    stream = gf.Chain("gain:1").stream(rate=8000)
    stream.finish()
    try:
        stream(memoryview(struct.pack("<2f", 0, 0)).cast("f"))
        ok(False, "a stream that has ended takes no block")
    except gf.Error:
        ok(True, "a stream that has ended takes no block")
    with open("half.pgm", "wb") as f:
        f.write(b"P5\n2 1\n100\n" + bytes([0, 100]))
    ok(bytes(gf.read("half.pgm").tobytes()) == bytes([0, 255]), "white is 255, whatever the file calls it")


class Strided:
    """Bytes from 0 to 23, seen with strides from a first one."""

    def __init__(self, shape, strides, first=0):
        self.bytes = (ctypes.c_ubyte * 24)(*range(24))
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": "|u1", "strides": strides,
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
    return time.monotonic()


def interrupts():
    side, slow = 3000, ["median:9", "bilateral:9,0.1"]       # ten seconds of work
    image = memoryview(bytes(range(256)) * (side * side // 256 + 1))[:side * side].cast("B", (side, side))
    chain = gf.Chain(" ".join(slow), device="cpu")
    os.mkdir("interrupted")
    gf.write("large.pgm", image)
    for name, call in (("a long call", lambda: chain(image)), ("writing a file", lambda: gf.write("interrupted/a.png", image, stages=chain)),
                       ("reading a file", lambda: gf.read("large.pgm", str(chain))),
                       ("the program", lambda: gf.run(["-i", "large.pgm", *slow, "-o", "interrupted/b.png"]))):
        start = interrupt_soon()
        try:
            call()
            ok(False, "an interrupt ends " + name)
        except KeyboardInterrupt:
            ok(time.monotonic() - start < 3, "an interrupt ends " + name)
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
    misuse()
    strides()
    streams()
    threads()
    forks()
    subinterpreters()
    interrupts()
    memory()
    compare_examples()
    print("1..%d" % count)
    sys.exit(failed > 0)
