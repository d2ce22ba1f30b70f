#!/usr/bin/env python3
"""Times calls on tensors that are already on a GPU, beside CuPy, torchvision, kornia and CV-CUDA.

usage: gpu_arrays.py [ROUNDS [WORD...]]

Needs PyTorch; the library and the package are found as `man/python.md` says. Only rows with one of the WORDs are
timed, such as blur, u8, 3 or 12. Each cell is the median of ROUNDS calls (15) in microseconds: events of CUDA around
the call, after five calls that are not counted. The programs take turns, and each round begins with another one. Ours
takes rows, columns and channels, and `planes` is ours with channels first, as torchvision and kornia have them. kornia
has floats only, so its calls on u8 convert to them and back. Results are not compared: filters have the same sizes, but
edges and rounding differ. A `-` is something that a package does not have, and `failed` one that raised an error, which
a line after the table shows.
"""
import importlib
import statistics
import sys

import numpy

SIZES = {"0.3": (480, 640), "2": (1080, 1920), "12": (3000, 4000)}          # megapixels: rows, columns
WARM = 5


class Ours:
    """gpufilter, on pixels or on planes."""

    def __init__(self, gf, layout):
        self.name, self.layout = "gpufilter" if layout == "hwc" else "planes", layout
        self.chains = {job: gf.Chain(stages) for job, (stages, _) in JOBS.items()}

    def prepare(self, pixels, job):
        given = pixels if self.layout == "hwc" else pixels.permute(2, 0, 1).contiguous()
        chain = self.chains[job]
        return lambda: chain(given, layout=self.layout)


class CuPy:
    """Filters of cupyx.scipy.ndimage, which take any number of dimensions."""
    name = "CuPy"

    def __init__(self):
        self.cupy, self.ndimage = importlib.import_module("cupy"), importlib.import_module("cupyx.scipy.ndimage")

    def prepare(self, pixels, job):
        n, a = self.ndimage, self.cupy.from_dlpack(pixels)

        def slope():
            return self.cupy.hypot(n.sobel(a, 0, "float32", "nearest"), n.sobel(a, 1, "float32", "nearest"))

        return {"gaussian": lambda: n.gaussian_filter(a, (2, 2, 0), mode="nearest", truncate=3),
                "median": lambda: n.median_filter(a, (5, 5, 1), mode="nearest"),
                "rotate": lambda: n.rotate(a, 30, reshape=False, order=1),
                "sobel": slope}.get(job)


class Torchvision:
    """torchvision.transforms.v2.functional, on planes."""
    name = "torchvision"

    def __init__(self):
        self.f = importlib.import_module("torchvision.transforms.v2.functional")
        self.bilinear = importlib.import_module("torchvision.transforms").InterpolationMode.BILINEAR

    def prepare(self, pixels, job):
        f, a = self.f, pixels.permute(2, 0, 1).contiguous()
        half = [pixels.shape[0] // 2, pixels.shape[1] // 2]
        return {"gaussian": lambda: f.gaussian_blur(a, [13, 13], [2.0, 2.0]),
                "resize": lambda: f.resize(a, half, self.bilinear, antialias=True),
                "rotate": lambda: f.rotate(a, -30, self.bilinear),
                "equalize": lambda: f.equalize(a),
                "perspective": lambda: f.perspective(a, None, None, self.bilinear, coefficients=PERSPECTIVE),
                "gray": (lambda: f.rgb_to_grayscale(a)) if pixels.shape[2] == 3 else None}.get(job)


class Kornia:
    """kornia, on a batch of one image in planes of floats."""
    name = "kornia"

    def __init__(self):
        self.kornia, self.torch = importlib.import_module("kornia"), importlib.import_module("torch")

    def prepare(self, pixels, job):
        k, torch, a = self.kornia, self.torch, pixels.permute(2, 0, 1)[None].contiguous()
        half, angle = (pixels.shape[0] // 2, pixels.shape[1] // 2), torch.tensor([-30.0], device=pixels.device)
        matrix = torch.tensor(places_in_result(), device=pixels.device)[None]
        work = {"gaussian": lambda t: k.filters.gaussian_blur2d(t, (13, 13), (2.0, 2.0), "replicate"),
                "median": lambda t: k.filters.median_blur(t, (5, 5)),
                "resize": lambda t: k.geometry.transform.resize(t, half, antialias=True),
                "rotate": lambda t: k.geometry.transform.rotate(t, angle),
                "sobel": lambda t: k.filters.sobel(t, normalized=False),
                "equalize": lambda t: k.enhance.equalize(t),
                "gray": (lambda t: k.color.rgb_to_grayscale(t)) if pixels.shape[2] == 3 else None,
                "lab": lambda t: k.color.lab_to_rgb(k.color.rgb_to_lab(t)),
                "perspective": lambda t: k.geometry.transform.warp_perspective(t, matrix, pixels.shape[:2]),
                "bilateral": lambda t: k.filters.bilateral_blur(t, (7, 7), 0.1, (1.4, 1.4))}.get(job)
        if work is None or a.dtype != torch.uint8:
            return work and (lambda: work(a))
        return lambda: (work(a.float() / 255).clamp(0, 1) * 255).round().to(torch.uint8)


class CvCuda:
    """CV-CUDA, on pixels, on the current stream of PyTorch."""
    name = "CV-CUDA"

    def __init__(self):
        self.cv, self.torch = importlib.import_module("cvcuda"), importlib.import_module("torch")

    def prepare(self, pixels, job):
        cv, (rows, columns, channels) = self.cv, pixels.shape
        a = cv.as_tensor(pixels[None].contiguous(), "NHWC")
        on = {"stream": cv.as_stream(self.torch.cuda.current_stream())}
        of_255 = pixels.dtype == self.torch.uint8
        matrix, black = (numpy.array(numbers, "float32") for numbers in (places_in_result(), [0] * channels))
        self.keep = pixels               # the tensor of CV-CUDA has the same memory
        return {"gaussian": lambda: cv.gaussian(a, (13, 13), (2.0, 2.0), cv.Border.REPLICATE, **on),
                "median": lambda: cv.median_blur(a, (5, 5), **on),
                "resize": lambda: cv.hq_resize(a, (rows // 2, columns // 2), antialias=True,
                                               interpolation=cv.Interp.LINEAR, **on),
                "rotate": lambda: cv.rotate(a, -30.0, (0.0, 0.0), cv.Interp.LINEAR, **on),
                "equalize": (lambda: cv.histogrameq(a, a.dtype, **on)) if of_255 else None,
                "gray": (lambda: cv.cvtcolor(a, cv.ColorConversion.RGB2GRAY, **on)) if channels == 3 else None,
                "lab": lambda: cv.cvtcolor(cv.cvtcolor(a, cv.ColorConversion.RGB2Lab, **on),
                                           cv.ColorConversion.Lab2RGB, **on),
                "perspective": lambda: cv.warp_perspective(a, matrix, cv.Interp.LINEAR,
                                                           border_mode=cv.Border.CONSTANT, border_value=black, **on),
                "bilateral": lambda: cv.bilateral_filter(a, 7, 25.5 if of_255 else 0.1, 1.4, **on)}.get(job)


# A position of the result gives one of the image: eight numbers of rows of three; the last one is 1.
PERSPECTIVE = [0.92, -0.05, 20.0, 0.01, 0.85, 30.0, 2e-5, 1e-5]


def places_in_result():
    """Return the inverse, which gives the position in the result."""
    return numpy.linalg.inv(numpy.array([*PERSPECTIVE, 1.0]).reshape(3, 3)).astype("float32").tolist()


def warp_stage():
    """Return the stage that moves pixels by it."""
    return "warp:[%s]" % "; ".join(" ".join("%.9g" % v for v in row) for row in places_in_result())


JOBS = {                                 # stages, and the channels of images
    "gaussian": ("blur:2", (1, 3)),
    "median": ("median:2", (1, 3)),
    "resize": ("resize:50%,filter=linear", (1, 3)),
    "rotate": ("rotate:30,fit=keep", (1, 3)),
    "sobel": ("sobel", (1, 3)),
    "equalize": ("equalize:rgb", (1, 3)),
    "gray": ("gray", (3,)),
    "bilateral": ("bilateral:1.4,0.1,radius=3", (1, 3)),
    "perspective": (warp_stage(), (1, 3)),
    "lab": ("saturate:1.1,in=lab", (3,)),
}


def skip(why):
    print("gpu_arrays.py: " + why, file=sys.stderr)
    sys.exit(77)


def find_peers():
    """Return the packages that can be imported, and the names of others."""
    peers, missing = [], []
    for kind in CuPy, Torchvision, Kornia, CvCuda:
        try:
            peers.append(kind())
        except (ImportError, OSError):               # OSError: a library of the package is missing
            missing.append(kind.name)
    return peers, missing


def clock(torch, work):
    """Return the microseconds of a call on the GPU."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    end.synchronize()
    return 1e3 * start.elapsed_time(end)


def medians(torch, works, rounds):
    """Return the median of each call as text, and the errors of calls that failed."""
    times, problems = {name: [] for name in works}, {}
    turns = list(works.items())
    for turn in range(WARM + rounds):
        for name, work in turns[turn % len(turns):] + turns[:turn % len(turns)]:
            if work is None or name in problems:
                continue
            try:
                time = clock(torch, work)
            except Exception as e:                   # of any package
                problems[name] = (str(e).splitlines() or [type(e).__name__])[0]
                continue
            if turn >= WARM:
                times[name].append(time)
    return ["failed" if name in problems else "%.1f" % statistics.median(made) if made else "-"
            for name, made in times.items()], problems


def prepared(one, image, job):
    """Return the call of a package. One that the package cannot even prepare fails when it is called."""
    try:
        return one.prepare(image, job)
    except Exception as e:
        problem = e

        def fail():
            raise problem
        return fail


def images(torch, wanted):
    """Yield the cells that describe a row, its job, and its image."""
    made = torch.Generator(device="cuda").manual_seed(1)
    for job, (_, all_channels) in JOBS.items():
        for kind in "u8", "f32":
            for channels in all_channels:
                for size, shape in SIZES.items():
                    cells = [job, kind, str(channels), size]
                    if wanted and not set(wanted) & set(cells + JOBS[job][0].split(":")[:1]):
                        continue
                    image = torch.rand((*shape, channels), generator=made, device="cuda")
                    yield cells, job, (image * 255).to(torch.uint8) if kind == "u8" else image


def main(rounds, wanted):
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        skip("python3 has no torch")
    if not torch.cuda.is_available():
        skip("there is no GPU that PyTorch can use")
    gf = importlib.import_module("gpufilter")
    peers, missing = find_peers()
    everybody, notes = [Ours(gf, "hwc"), Ours(gf, "chw"), *peers], []
    print("# %s; gpufilter %s, PyTorch %s; not here: %s"
          % (torch.cuda.get_device_name(), gf.version(), torch.__version__, ", ".join(missing) or "none"))
    print("job", "type", "channels", "megapixels", *(one.name for one in everybody), sep="\t")
    for cells, job, image in images(torch, wanted):
        row, problems = medians(torch, {one.name: prepared(one, image, job) for one in everybody}, rounds)
        notes += ["# %s, %s: %s" % (" ".join(cells), name, problem) for name, problem in problems.items()]
        print(*cells, *row, sep="\t", flush=True)
    print(*notes, sep="\n", end="\n" if notes else "")


if __name__ == "__main__":
    main(int((sys.argv[1:] or [15])[0]), sys.argv[2:])
