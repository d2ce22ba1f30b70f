"""Runs the chains of all stages' examples on tensors of PyTorch and arrays of CuPy, and compares with the host's."""
import sys
import threading
import time

import cupy
import numpy as np
import torch

import gpufilter as gf
from python import chain_of
from tap import end, ok, refuses

WIDTH, ROWS = 301, 203
TYPES = {"uint8": np.uint8, "uint16": np.uint16, "float32": np.float32}
random = np.random.default_rng(3)


def image_of(name, channels, rows=ROWS, width=WIDTH):
    """Return an image with shapes and noise."""
    y, x = np.mgrid[0:rows, 0:width]
    base = 0.5 + 0.25 * np.sin(x / 7.0) + 0.2 * np.cos(y / 5.0) * (x > width // 3)
    made = np.stack([np.roll(base, 11 * c, 1) for c in range(channels)], 2)
    made = (made + random.normal(0, 0.03, made.shape)).clip(0, 1)
    if name == "float32":
        return made.astype(np.float32)
    return (made * np.iinfo(TYPES[name]).max).astype(TYPES[name])


def sound_of(name):
    t = np.arange(30000)[:, None] * np.array([[0.031, 0.047]])
    made = (0.4 * np.sin(t) + random.normal(0, 0.05, t.shape)).astype(np.float32)
    return made if name == "float32" else (made.clip(-1, 1) * 32000).astype(np.int16)


# ---- layouts: functions that return an array on the GPU with the samples of a host's array

def packed(image):
    return torch.from_numpy(image).cuda()


def planes(image):
    return torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))).cuda().permute(1, 2, 0)


def rows_with_gaps(image):
    room = torch.zeros((image.shape[0], image.shape[1] + 5, image.shape[2]), dtype=packed(image).dtype, device="cuda")
    view = room[:, 2:2 + image.shape[1]]
    view.copy_(packed(image))
    return view


def every_second_column(image):
    room = torch.zeros((image.shape[0], 2 * image.shape[1], image.shape[2]), dtype=packed(image).dtype, device="cuda")
    room[:, ::2] = packed(image)
    return room[:, ::2]


def at_an_odd_address(image):
    room = torch.zeros(image.size + 1, dtype=packed(image).dtype, device="cuda")
    room[1:] = packed(image).reshape(-1)
    return room[1:].view(image.shape)


def columns_first(image):
    return torch.from_numpy(np.ascontiguousarray(image.transpose(1, 0, 2))).cuda().permute(1, 0, 2)


def flipped(image):
    return cupy.asarray(np.ascontiguousarray(image[::-1]))[::-1]


LAYOUTS = packed, planes, rows_with_gaps, every_second_column, at_an_odd_address, columns_first, flipped


def on_host(array):
    return array.cpu().numpy() if isinstance(array, torch.Tensor) else cupy.asnumpy(array)


def same(stages, image, layout=packed, **options):
    """Compare a chain on the GPU with the CPU. None: the CPU refuses it, too."""
    try:
        want = gf.apply(stages, image, device="cpu", **options)
    except gf.Error as e:
        refused = str(e)
        want = None
    try:
        made = gf.apply(stages, layout(image), **options)
    except gf.Error as e:
        if want is None:
            return None
        print("# '%s', %s %s, %s: %s" % (stages, image.dtype, image.shape, layout.__name__, e))
        return False
    if want is None:
        print("# '%s', %s %s: the host says: %s" % (stages, image.dtype, image.shape, refused))
        return False
    if isinstance(want, dict):
        return repr(want) == repr(made)      # with values that are no number
    got = on_host(made)
    good = got.shape == want.shape and got.dtype == want.dtype and got.tobytes() == want.tobytes()
    if not good and got.shape == want.shape:
        wrong = got != want
        print("# '%s', %s %s, %s: %d samples differ, the first at %s: %r, not %r"
              % (stages, image.dtype, image.shape, layout.__name__, wrong.sum(), np.argwhere(wrong)[:1].tolist(),
                 got[wrong][:1], want[wrong][:1]))
    return good


def all_of(cases):
    results = [case for case in cases if case is not None]
    return bool(results) and all(results)


def examples(kind):
    found = {}
    for stage in gf.stages():
        for example in stage["examples"] if stage["kind"] == kind and stage["result"] != "drawing" and not stage["only_command"] else ():
            case = chain_of(example)
            if case is not None:
                found[case[1]] = None
    return found


def compare_examples():
    images = {(name, c): image_of(name, c) for name, c in (("uint8", 3), ("uint8", 1), ("uint8", 4), ("uint16", 3),
                                                           ("float32", 3), ("float32", 1))}
    count = 0
    for stages in examples("image"):
        results = [same(stages, image) for image in images.values()]
        results += [same(stages, images["uint8", 3], layout) for layout in (rows_with_gaps, at_an_odd_address, planes)]
        results += [same(stages, images["float32", 3], layout) for layout in (rows_with_gaps, planes)]
        if any(result is not None for result in results):
            ok(all_of(results), "images on a GPU, '%s'" % stages)
            count += 1
    for stages in examples("audio"):
        results = [same(stages, sound_of(name), rate=48000) for name in ("float32", "int16")]
        if any(result is not None for result in results):
            ok(all_of(results), "sound on a GPU, '%s'" % stages)
            count += 1
    ok(count > 80, "more than 80 examples were compared on a GPU")


def compare_layouts():
    for layout in LAYOUTS:
        cases = [same(stages, image_of(name, channels), layout) for name in TYPES for channels in (1, 3)
                 for stages in ("", "blur:2", "gray", "median:1", "rotate:90", "rotate:30", "equalize", "clahe",
                                "normalize", "resize:100x", "unsharp", "blur:20", "bilateral:2,0.1", "hflip invert")]
        ok(all_of(cases), "a layout on a GPU: " + layout.__name__)
    image = image_of("uint8", 3)
    tensor = torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))).cuda()
    want = gf.apply("blur:2", image, device="cpu")
    ok(on_host(gf.apply("blur:2", tensor, layout="chw")).tobytes() == want.transpose(2, 0, 1).tobytes(),
       "planes on a GPU by layout=")
    for make in rows_with_gaps, every_second_column, planes, columns_first:
        out = make(np.zeros_like(image))
        ok(gf.apply("blur:2", packed(image), out=out) is out and np.array_equal(on_host(out), want),
           "a result on a GPU in " + make.__name__)
    many = np.stack([image_of("uint8", 3) for _ in range(5)])
    made = gf.apply("blur:2", torch.from_numpy(many).cuda())
    ok(all(np.array_equal(on_host(made[i]), gf.apply("blur:2", many[i], device="cpu")) for i in range(5)),
       "a batch on a GPU")
    planar = torch.from_numpy(many).cuda().permute(0, 3, 1, 2).contiguous()
    ok(np.array_equal(on_host(gf.apply("blur:2", planar, layout="chw")), on_host(made).transpose(0, 3, 1, 2)),
       "a batch of planes on a GPU")
    large = image_of("uint8", 3, 3000, 4001)
    ok(same("blur:2 median:1 rotate:10", large), "an image of 12 megapixels on a GPU")


def packages():
    image = image_of("uint8", 3)
    want = gf.apply("gray blur:2", image, device="cpu")
    ok(isinstance(gf.apply("gray blur:2", cupy.asarray(image)), cupy.ndarray), "CuPy gets arrays of CuPy")
    ok(isinstance(gf.apply("gray blur:2", packed(image)), torch.Tensor), "PyTorch gets tensors")

    class Other:                         # as of a package that is not known
        def __init__(self, tensor):
            self.__dlpack__, self.__dlpack_device__ = tensor.__dlpack__, tensor.__dlpack_device__

    made = gf.apply("gray blur:2", Other(packed(image)))
    ok(isinstance(made, gf.GPUArray) and np.array_equal(on_host(torch.from_dlpack(made)), want)
       and np.array_equal(cupy.asnumpy(cupy.from_dlpack(made)), want)
       and np.array_equal(cupy.asnumpy(cupy.asarray(made)), want), "other packages get arrays with DLPack")
    view, made = torch.from_dlpack(made), None
    other = [gf.apply("gray blur:2", Other(packed(255 - image))) for _ in range(3)]
    ok(np.array_equal(on_host(view), want) and len(other) == 3, "a view of a result outlives it")

    class Face:
        def __init__(self, array):
            self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__

    ok(np.array_equal(cupy.asnumpy(cupy.asarray(gf.apply("gray blur:2", Face(cupy.asarray(image))))), want),
       "an array with __cuda_array_interface__ on a GPU")
    over = image_of("uint8", 3, 20, 30)
    ok(np.array_equal(on_host(gf.apply("over:top,5,7", packed(image), top=packed(over))),
                      gf.apply("over:top,5,7", image, top=over, device="cpu")), "a second input on a GPU")
    half = packed(image_of("float32", 3)).half()
    made = gf.apply("blur:2", half)
    want = torch.from_numpy(gf.apply("blur:2", half.float().cpu().numpy(), device="cpu")).half()
    ok(made.dtype is torch.float16 and torch.equal(made.cpu(), want), "half floats on a GPU")
    ok(torch.equal(gf.apply("blur:2", half.permute(2, 0, 1).contiguous(), layout="chw").cpu(), want.permute(2, 0, 1)),
       "half floats in planes on a GPU")
    refuses(lambda: gf.apply("blur:2", half.bfloat16()), "array.float()", "other half floats on a GPU are refused")
    ok(repr(gf.apply("stats", packed(image))) == repr(gf.apply("stats", image, device="cpu")),
       "a table of an image on a GPU")


def slow(stream, seconds=0.05):
    """Keep a stream busy."""
    with torch.cuda.stream(stream):
        torch.cuda._sleep(int(seconds * 1.5e9))


def streams():
    image = image_of("uint8", 3, 1200, 1600)
    chain = gf.Chain("blur:2 median:1")
    want = gf.apply("blur:2 median:1", image, device="cpu")
    tensor, zeros = packed(image), torch.zeros(image.shape, dtype=torch.uint8, device="cuda")
    chain(tensor)
    good = []
    for stream in [torch.cuda.Stream() for _ in range(4)] + [torch.cuda.current_stream()]:
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            given = zeros.clone()
            slow(stream)
            given.copy_(tensor)              # after the pause
            start = time.monotonic()
            made = chain(given)
            called = time.monotonic() - start
            after = made.clone()
            given.zero_()
            stream.synchronize()
            good.append(np.array_equal(on_host(after), want) and called < 0.03)
            if not good[-1]:
                print("# the call took %.3f s" % called)
    ok(all(good), "a call is work on the current stream, and returns before it is done")
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    good = []
    for i in range(20):
        with torch.cuda.stream(first):
            a = chain(tensor)
        with torch.cuda.stream(second):
            b = chain(tensor)
        torch.cuda.synchronize()
        good += [torch.equal(a, b) and np.array_equal(on_host(a), want)]
    ok(all(good), "one job on two streams")
    differing = [gf.Chain("blur:%g" % (1 + i / 3)) for i in range(9)]
    wants = [gf.apply(str(c), image, device="cpu") for c in differing]
    wrong = []

    def work(number):
        with torch.cuda.stream(torch.cuda.Stream()):
            for i in range(30):
                k = (number + i) % len(differing)
                if not np.array_equal(on_host(differing[k](tensor)), wants[k]):
                    wrong.append(k)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ok(not wrong, "masks of several chains in several threads and streams")
    with cupy.cuda.Stream(non_blocking=True) as stream:
        made = chain(cupy.asarray(image))
        stream.synchronize()
    ok(np.array_equal(cupy.asnumpy(made), want), "a stream of CuPy")


def threshold():
    pool = cupy.cuda.runtime.deviceGetDefaultMemPool(0)
    return cupy.cuda.runtime.memPoolGetAttribute(pool, cupy.cuda.runtime.cudaMemPoolAttrReleaseThreshold)


def memory():
    ok(THRESHOLD == threshold(), "the default pool of the GPU stays as it was")
    ok(torch.cuda.current_device() == 0 and cupy.cuda.runtime.getDevice() == 0, "the current GPU stays")
    chain = gf.Chain("gray equalize blur:3")
    tensor = packed(image_of("uint8", 3))
    for _ in range(20):
        chain(tensor)
    torch.cuda.synchronize()
    free = torch.cuda.mem_get_info()[0]
    for _ in range(2000):
        chain(tensor)
    torch.cuda.synchronize()
    ok(free - torch.cuda.mem_get_info()[0] < 4 << 20, "two thousand calls take no more memory of the GPU")


torch.cuda.init()
THRESHOLD = threshold()
for part in packages, compare_layouts, streams, memory, compare_examples:
    start = time.monotonic()
    try:
        part()
    except Exception as e:                   # other parts say more
        import traceback
        traceback.print_exc(file=sys.stdout)
        ok(False, "%s on a GPU: %s" % (part.__name__, str(e).split("\n")[0]))
    print("# %s: %.1f s" % (part.__name__, time.monotonic() - start), flush=True)
end()
