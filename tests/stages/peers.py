"""Compares stages with OpenCV, scikit-image and Pillow on random images; TAP. PEERS_SEED=N repeats a run."""
import fnmatch
import importlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import skimage
from PIL import Image, ImageChops
from scipy import interpolate, ndimage
from skimage import color, exposure, filters, metrics, restoration, transform, util

PROGRAM = os.environ.get("GPUFILTER", "gpufilter")
SEED = int(os.environ.get("PEERS_SEED") or 0) or int.from_bytes(os.urandom(4), "little")
CV_BORDERS = {"clamp": cv2.BORDER_REPLICATE, "reflect": cv2.BORDER_REFLECT, "mirror": cv2.BORDER_REFLECT_101,
              "wrap": cv2.BORDER_WRAP, "zero": cv2.BORDER_CONSTANT}
ND_BORDERS = {"clamp": "nearest", "reflect": "reflect", "mirror": "mirror", "wrap": "grid-wrap", "zero": "constant"}
folder = tempfile.mkdtemp(prefix="gpufilter-peers.")
tests = 0
ONLY = os.environ.get("ONLY", "")


def is_chosen(name):
    """As in lib.sh: a part of the name, a pattern for a part of it, or = and the whole name."""
    if ONLY.startswith("="):
        return name == ONLY[1:]
    return ONLY in name or fnmatch.fnmatchcase(name, f"*{ONLY}*")


def ok(good, name, why=""):
    global tests
    if not is_chosen(name):
        return
    tests += 1
    print(f"{'ok' if good else 'not ok'} {tests} - {name}")
    if not good:
        quoted = shlex.quote("=" + name).replace("$", "$$")
        print(f"# repeat: make check-one T=stages/peers PEERS_SEED={SEED} ONLY={quoted}")
        print(f"# {why}")


def header(picture):
    h, w = picture.shape[:2]
    c = 1 if picture.ndim == 2 else picture.shape[2]
    if c == 4:
        return f"P7\nWIDTH {w}\nHEIGHT {h}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n".encode()
    return f"P{5 if c == 1 else 6}\n{w} {h}\n255\n".encode()


def run(picture, *words):
    done = subprocess.run([PROGRAM, *words], input=header(picture) + picture.tobytes(),
                          capture_output=True, check=False)
    if done.returncode != 0 or done.stderr:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.decode()}")
    return done.stdout


def gf(picture, *words):
    """Returns the result of the stages in bytes."""
    kind, size, _, body = run(picture, *words, "-t", "pnm").split(b"\n", 3)
    w, h = (int(n) for n in size.split())
    return np.frombuffer(body, np.uint8).reshape((h, w) if kind == b"P5" else (h, w, 3))


def floats(picture, *words):
    """Returns the result in floats; white is 1. A PFM stores rows from bottom to top."""
    kind, size, _, body = run(picture, *words, "-t", "pfm").split(b"\n", 3)
    w, h = (int(n) for n in size.split())
    return np.frombuffer(body, "<f4").reshape((h, w) if kind == b"Pf" else (h, w, 3))[::-1]


def stored(values):
    return np.rint(np.clip(np.asarray(values, np.float64), 0, 255))


def near(name, found, wanted, steps=1.0, share=0.0):
    """Tests that results agree within `steps` of 8 bits; `share` of the samples may differ more."""
    if found.shape != wanted.shape:
        return ok(False, name, f"{found.shape}, wanted {wanted.shape}; seed {SEED}")
    off = np.abs(found.astype(np.float64) - wanted)
    far = np.mean(off > steps)
    return ok(far <= share, name, f"{off.max():.3f} off at most, {100 * far:.3f} % by more than {steps}; seed {SEED}")


def each(function, picture):
    """Applies a function for one channel to all channels."""
    return np.dstack([function(picture[:, :, c]) for c in range(3)]) if picture.ndim == 3 else function(picture)


def f32(picture):
    return picture.astype(np.float32)


# ---- each of these functions takes an image and its name for messages


def test_colours(p, what):
    if p.ndim == 2:
        return
    near(f"gray {what}: OpenCV", gf(p, "gray"), cv2.cvtColor(p, cv2.COLOR_RGB2GRAY))
    near(f"gray:rec709 {what}: scikit-image", gf(p, "gray:rec709"), stored(color.rgb2gray(p) * 255))
    sepia = np.array([[.393, .769, .189], [.349, .686, .168], [.272, .534, .131]])
    near(f"matrix {what}: OpenCV", gf(p, "matrix:[.393 .769 .189; .349 .686 .168; .272 .534 .131]"),
         stored(cv2.transform(f32(p), sepia)))
    near(f"sepia {what}: OpenCV", gf(p, "sepia"), stored(cv2.transform(f32(p), sepia)))
    near(f"sepia:30% {what}: OpenCV", gf(p, "sepia:30%"), stored(cv2.transform(f32(p), .3 * sepia + .7 * np.eye(3))))
    luma = np.array([.213, .715, .072])
    sine = np.array([[-.213, -.715, .928], [.143, .140, -.283], [-.787, .715, .072]])
    for degrees in (17, 120, -75, 200):
        turn = luma + np.cos(np.deg2rad(degrees)) * (np.eye(3) - luma) + np.sin(np.deg2rad(degrees)) * sine
        near(f"hue:{degrees} {what}: OpenCV, the matrix of hueRotate in SVG", gf(p, f"hue:{degrees}"),
             stored(cv2.transform(f32(p), turn)))
    to_xyz = color.rgb2xyz(np.eye(3).reshape(1, 3, 3))[0]
    near(f"linear {what}: scikit-image", gf(p, "linear"), stored(255 * (color.rgb2xyz(p) @ np.linalg.inv(to_xyz))))
    near(f"srgb {what}: scikit-image", gf(p, "srgb"), stored(255 * color.xyz2rgb((p / 255.0) @ to_xyz)))
    for i, letter in enumerate("rgb"):
        near(f"channel:{letter} {what}: NumPy", gf(p, f"channel:{letter}"), p[:, :, i], 0)
    veil = np.dstack([p, np.random.default_rng(SEED).integers(0, 256, p.shape[:2], np.uint8)])
    over = Image.alpha_composite(Image.new("RGBA", (p.shape[1], p.shape[0]), (255, 165, 0, 255)), Image.fromarray(veil))
    near(f"alpha:off,bg=orange {what}: Pillow", gf(veil, "alpha:off,bg=orange"), np.asarray(over)[:, :, :3])


def test_blur(p, what):
    for sigma in (.5, 1.5, 2.7, 6, 20):
        r = int(np.ceil(3 * sigma))
        for edge in ("clamp", "reflect", "mirror", "zero") if sigma == 2.7 else ("clamp",):
            near(f"blur:{sigma},edge={edge} {what}: OpenCV", gf(p, f"blur:{sigma},edge={edge}"),
                 stored(cv2.GaussianBlur(f32(p), (2 * r + 1, 2 * r + 1), sigma, borderType=CV_BORDERS[edge])))
        near(f"blur:{sigma} {what}: scikit-image, as far as ours", gf(p, f"blur:{sigma}"),
             stored(each(lambda c, s=sigma, t=r / sigma: filters.gaussian(f32(c), s, mode="nearest", truncate=t), p)))
        near(f"blur:{sigma} {what}: scikit-image, 4 sigmas far (documented: 2 steps)", gf(p, f"blur:{sigma}"),
             stored(each(lambda c, s=sigma: filters.gaussian(f32(c), s, mode="nearest"), p)), 2)
    near(f"blur:2,edge=wrap {what}: SciPy", gf(p, "blur:2,edge=wrap"),
         stored(each(lambda c: ndimage.gaussian_filter(f32(c), 2, mode="wrap", radius=6), p)))
    for r in (1, 4, 13):
        near(f"box:{r} {what}: OpenCV", gf(p, f"box:{r}"),
             stored(cv2.blur(f32(p), (2 * r + 1, 2 * r + 1), borderType=cv2.BORDER_REPLICATE)))
    soft = cv2.GaussianBlur(f32(p), (7, 7), 1, borderType=cv2.BORDER_REPLICATE)
    near(f"sharpen {what}: OpenCV", gf(p, "sharpen"), stored(2 * f32(p) - soft))
    near(f"sharpen:0.5,2 {what}: scikit-image, 4 sigmas far (documented: 2 steps)", gf(p, "sharpen:0.5,2,edge=reflect"),
         stored(each(lambda c: filters.unsharp_mask(c, 2, .5), p) * 255), 2)
    if shutil.which("convert"):
        for word, share in (("0x1.5+1+0", 0), ("0x0.6+2.5+0", 0), ("3x2+0.7+0", 0), ("0x1.5+1+0.1", .005),
                            ("0x2", .005)):
            done = subprocess.run(["convert", "pnm:-", "-unsharp", word, "-depth", "8",
                                   "ppm:-" if p.ndim == 3 else "pgm:-"], input=header(p) + p.tobytes(),
                                  capture_output=True, check=True)
            wanted = np.frombuffer(done.stdout[-p.size:], np.uint8).reshape(p.shape)
            near(f"unsharp:{word} {what}: ImageMagick{', but for what is at the threshold' if share else ''}",
                 gf(p, f"unsharp:{word}"), wanted, 1, share)
    for low, high in ((1, 2), (.8, 5), (3, 1)):
        wanted = None
        if low < high:
            wanted = each(lambda c, s=low, t=high: filters.difference_of_gaussians(c, s, t, mode="mirror"), p)
        a, b = (cv2.GaussianBlur(f32(p), (2 * r + 1, 2 * r + 1), s, borderType=cv2.BORDER_REFLECT_101)
                for s, r in ((low, int(np.ceil(3 * low))), (high, int(np.ceil(3 * high)))))
        found = gf(p, f"dog:{low},{high},offset=0.5,edge=mirror")
        near(f"dog:{low},{high} {what}: OpenCV", found, stored(a - b + 127.5))
        if low < high:
            near(f"dog:{low},{high} {what}: scikit-image, 4 sigmas far", found, stored(255 * wanted + 127.5))
    near(f"dog:1.5 {what}: scikit-image, 4 sigmas far", gf(p, "dog:1.5,offset=0.5"),
         stored(255 * each(lambda c: filters.difference_of_gaussians(c, 1.5), p) + 127.5))


def test_bilateral(p, what):
    """OpenCV uses a disc: with a radius of four sigmas it leaves out almost nothing. It adds up
    the differences of channels, so only one channel differs."""
    red = p if p.ndim == 2 else np.dstack([p[:, :, 0], np.full_like(p[:, :, 1:], 77)])
    for sigma, spread, edge in (((1, .2, "clamp"), (2, .1, "reflect"), (3, .05, "mirror"))
                                + (((1.5, .4, "zero"),) if p.ndim == 2 else ())):
        r = int(4 * sigma)
        wanted = cv2.bilateralFilter(f32(red) / 255, 2 * r + 1, spread, sigma, borderType=CV_BORDERS[edge])
        near(f"bilateral:{sigma},{spread},edge={edge} {what}: OpenCV, a wide disc",
             gf(red, f"bilateral:{sigma},{spread},radius={r},edge={edge}"), stored(255 * wanted))


MASKS = {"sobel-x": [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], "sobel-y": [[-1, -2, -1], [0, 0, 0], [1, 2, 1]],
         "prewitt-x": [[-1, 0, 1]] * 3, "prewitt-y": [[-1] * 3, [0] * 3, [1] * 3],
         "scharr-x": [[-3, 0, 3], [-10, 0, 10], [-3, 0, 3]], "scharr-y": [[-3, -10, -3], [0, 0, 0], [3, 10, 3]]}


def test_masks(p, what):
    for name, mask in MASKS.items():
        near(f"conv:{name} {what}: OpenCV", gf(p, f"conv:{name}"),
             stored(cv2.filter2D(f32(p), -1, np.array(mask, np.float32), borderType=cv2.BORDER_REPLICATE)))
    odd = np.array([[1, 2, 0, -3], [4, -5, 1, 2], [.5, .25, 2, -1]], np.float32)
    conv = "conv:[1 2 0 -3; 4 -5 1 2; .5 .25 2 -1],scale=1,edge="
    for edge, border in ND_BORDERS.items():
        wanted = each(lambda c, b=border: ndimage.correlate(f32(c), odd, mode=b, origin=0), p)
        near(f"conv 4x3 edge={edge} {what}: SciPy", gf(p, conv + edge),
             stored(wanted))
    near(f"conv 4x3 {what}: OpenCV", gf(p, conv + "mirror"),
         stored(cv2.filter2D(f32(p), -1, odd)))
    x, y = (cv2.Sobel(f32(p), cv2.CV_32F, *d, borderType=cv2.BORDER_REPLICATE) for d in ((1, 0), (0, 1)))
    near(f"sobel:x {what}: OpenCV", gf(p, "sobel:x"), stored(x))
    near(f"sobel:y {what}: OpenCV", gf(p, "sobel:y"), stored(y))
    near(f"sobel {what}: OpenCV", gf(p, "sobel"), stored(np.hypot(x, y)))
    near(f"sobel {what}: scikit-image times 4√2 (documented)", gf(p, "sobel:edge=reflect"),
         stored(each(lambda c: filters.sobel(f32(c)) * 4 * np.sqrt(2), p)))
    near(f"scharr {what}: scikit-image times 16 (documented)", gf(p, "conv:scharr-x,edge=reflect"),
         stored(each(lambda c: filters.scharr_v(f32(c)) * 16, p)))
    near(f"prewitt {what}: scikit-image times 3 (documented)", gf(p, "conv:prewitt-y,edge=reflect"),
         stored(each(lambda c: filters.prewitt_h(f32(c)) * 3, p)))
    near(f"laplacian {what}: OpenCV", gf(p, "laplacian"),
         stored(cv2.Laplacian(f32(p), cv2.CV_32F, borderType=cv2.BORDER_REPLICATE)))
    near(f"laplacian {what}: scikit-image with the other sign (documented)", gf(p, "laplacian:edge=reflect"),
         stored(each(lambda c: -filters.laplace(f32(c)), p)))


def test_canny(p, what):
    gray = p if p.ndim == 2 else cv2.cvtColor(p, cv2.COLOR_RGB2GRAY)
    for low, high in ((20.5, 90.5), (150.5, 300.5), (60.5, 60.5)):
        near(f"canny:0,{low}/255,{high}/255 {what}: OpenCV", gf(gray, f"canny:0,{low / 255!r},{high / 255!r}"),
             cv2.Canny(gray, low, high, L2gradient=True), 0)
        soft = gf(p, "gray", "blur:1")           # the same, except that it is rounded to 8 bits
        near(f"canny:1 {what}: OpenCV behind our blur, in bytes", gf(p, f"canny:1,{low / 1020!r},{high / 1020!r}"),
             cv2.Canny(soft, low / 4, high / 4, L2gradient=True), 0, .12)


def test_ranks(p, what):
    for r in (1, 2, 5):
        square = np.ones((2 * r + 1, 2 * r + 1), np.uint8)
        near(f"median:{r} {what}: OpenCV", gf(p, f"median:{r}"), cv2.medianBlur(p, 2 * r + 1), 0)
        near(f"erode:{r} {what}: OpenCV", gf(p, f"erode:{r}"), cv2.erode(p, square), 0)
        near(f"dilate:{r} {what}: OpenCV", gf(p, f"dilate:{r}"), cv2.dilate(p, square), 0)
        near(f"open:{r} {what}: OpenCV", gf(p, f"open:{r}"), cv2.morphologyEx(p, cv2.MORPH_OPEN, square), 0)
        near(f"close:{r} {what}: OpenCV", gf(p, f"close:{r}"), cv2.morphologyEx(p, cv2.MORPH_CLOSE, square), 0)
    near(f"median:3 {what}: scikit-image", gf(p, "median:3"),
         each(lambda c: filters.median(c, np.ones((7, 7)), mode="nearest"), p), 0)


def guided(guide, p, r, eps):
    """The guided filter as He, Sun and Tang define it, in double precision; borders repeat the last pixel."""
    def mean(v):
        return cv2.blur(v, (2 * r + 1, 2 * r + 1), borderType=cv2.BORDER_REPLICATE)
    a = (mean(guide * p) - mean(guide) * mean(p)) / (mean(guide * guide) - mean(guide) ** 2 + eps)
    return mean(a) * guide + mean(mean(p) - a * mean(guide))


def test_restoration(p, what):
    name = os.path.join(folder, "guide.pnm")
    guide = cv2.flip(p, 1)
    with open(name, "wb") as f:
        f.write(header(guide) + guide.tobytes())
    gray = (guide if p.ndim == 2 else guide @ np.array([.299, .587, .114])) / 255
    for r, eps in ((1, .01), (6, 1e-4), (40, 1e-6)):
        near(f"guided:{r},{eps} {what}: NumPy", floats(p, f"guided:{r},{eps}"),
             each(lambda c, r=r, eps=eps: guided(c / 255, c / 255, r, eps), p), 1e-5)
        near(f"guided:{r},{eps},by= {what}: NumPy", floats(p, f"guided:{r},{eps},by={name}"),
             each(lambda c, r=r, eps=eps: guided(gray, c / 255, r, eps), p), 1e-5)
    line = np.exp(-.5 * (np.arange(-5, 6) / 1.5) ** 2)
    large = os.path.join(folder, "psf.txt")
    disc = (np.hypot(*np.mgrid[-12:13, -12:13]) <= 12.3) * (1 + np.arange(25) / 50)
    np.savetxt(large, disc, fmt="%.9g")
    mask = np.loadtxt(large)
    near(f"conv:25x25 {what}: SciPy", floats(p, f"conv:{large},scale=auto,edge=reflect"),
         each(lambda c: ndimage.correlate(c / 255, mask / mask.sum(), mode="reflect"), p), 1e-6)
    for psf, words in ((np.outer(line, line) / line.sum() ** 2, "1.5"), (mask / mask.sum(), f"psf={large}"),
                       (np.array([[0, 1, 3], [2, 5, 1], [4, 0, 1]]) / 17, "psf=[0 1 3; 2 5 1; 4 0 1]")):
        wanted = each(lambda c, psf=psf: restoration.richardson_lucy(c / 255, psf, 12, clip=False), p)
        name = "deconvolve:" + words.replace(large, "25x25") + " " + what
        near(f"{name}: scikit-image", floats(p, f"deconvolve:{words},iterations=12,edge=zero"), wanted, 1e-5)
        if len(psf) > 20:                        # too little of the image is far from the border
            continue
        near(f"{name}, far from the border: scikit-image",
             floats(p, f"deconvolve:{words},iterations=2")[20:-20, 20:-20],
             each(lambda c, psf=psf: restoration.richardson_lucy(c / 255, psf, 2, clip=False), p)[20:-20, 20:-20], 1e-5)
    for weight, steps in ((.1, 1), (.1, 20), (.4, 60)):
        wanted = restoration.denoise_tv_chambolle(p / 255, weight, eps=0, max_num_iter=steps,
                                                  channel_axis=-1 if p.ndim == 3 else None)
        near(f"tv:{weight},iterations={steps} {what}: scikit-image", floats(p, f"tv:{weight},iterations={steps}"),
             wanted, 1e-5)
    for r in (1, 4, 11):
        square = np.ones((2 * r + 1, 2 * r + 1), np.uint8)
        near(f"tophat:{r} {what}: OpenCV", gf(p, f"tophat:{r}"), cv2.morphologyEx(p, cv2.MORPH_TOPHAT, square), 0)
        near(f"tophat:{r},black {what}: OpenCV", gf(p, f"tophat:{r},black"),
             cv2.morphologyEx(p, cv2.MORPH_BLACKHAT, square), 0)
        ground = cv2.blur(p / 255, (3, 3), borderType=cv2.BORDER_REPLICATE)
        ground = cv2.morphologyEx(ground, cv2.MORPH_OPEN, square, borderType=cv2.BORDER_REPLICATE)
        ground = cv2.blur(ground, square.shape, borderType=cv2.BORDER_REPLICATE)
        near(f"background:{r} {what}: OpenCV", 255 * floats(p, f"background:{r}"), p - 255 * ground, 0.001)


def test_moves(p, what):
    h, w = p.shape[:2]
    for words, wanted in ((("flip",), p[::-1]), (("flop",), p[:, ::-1]), (("transpose",), np.swapaxes(p, 0, 1)),
                          (("rotate:90",), np.rot90(p, -1)),
                          (("rotate:180",), np.rot90(p, 2)), (("rotate:270",), np.rot90(p)),
                          ((f"crop:{w - 5}x{h - 4}+3+1",), p[1:h - 3, 3:w - 2])):
        near(f"{words[0]} {what}: NumPy", gf(p, *words), wanted, 0)
    for edge, border in CV_BORDERS.items():
        near(f"pad edge={edge} {what}: OpenCV", gf(p, f"pad:5,3,7,2,edge={edge}"),
             cv2.copyMakeBorder(p, 3, 2, 5, 7, border), 0)
    for degrees in (30, -77.3, 171):
        for name, order in (("linear", 1), ("cubic", 3)):
            wanted = each(lambda c, d=degrees, o=order: transform.rotate(f32(c), -d, order=o, mode="edge",
                                                                         preserve_range=True), p)
            near(f"rotate:{degrees},filter={name} {what}: scikit-image",
                 gf(p, f"rotate:{degrees},fit=keep,filter={name},edge=clamp"), stored(wanted))
        wanted = each(lambda c, d=degrees: transform.rotate(f32(c), -d, order=0, mode="edge", preserve_range=True), p)
        near(f"rotate:{degrees},filter=nearest {what}: scikit-image, but ties",
             gf(p, f"rotate:{degrees},fit=keep,filter=nearest,edge=clamp"),
             stored(wanted), 0, .005)
        turn = cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), -degrees, 1)
        near(f"rotate:{degrees} {what}: OpenCV, to 1/32 of a pixel (documented: 9 steps)",
             gf(p, f"rotate:{degrees},fit=keep,edge=clamp"),
             cv2.warpAffine(p, turn, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), 9)
    tilt = np.float64([[1.05, .1, -3], [.04, .9, 2], [.1 / w, -.2 / h, 1]])
    words = "; ".join(" ".join(map(repr, map(float, row))) for row in tilt)
    near(f"warp {what}: OpenCV, to 1/32 of a pixel (documented: 9 steps)", gf(p, f"warp:[{words}],edge=clamp"),
         cv2.warpPerspective(p, tilt, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), 9)
    near(f"warp,filter=nearest {what}: OpenCV, but ties", gf(p, f"warp:[{words}],edge=clamp,filter=nearest"),
         cv2.warpPerspective(p, tilt, (w, h), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE), 0, .02)


def pillow(picture, w, h, way):
    return each(lambda c: np.asarray(Image.fromarray(f32(c)).resize((w, h), way)), picture)


def test_sizes(p, what):
    h, w = p.shape[:2]
    for to_w, to_h in ((w // 2, h // 3), (w * 2 // 5, h - 7), (2 * w + 1, 3 * h - 2), (w // 4, 2 * h)):
        size = f"resize:{to_w}x{to_h}"
        for name, way in (("linear", Image.Resampling.BILINEAR), ("cubic", Image.Resampling.BICUBIC),
                          ("lanczos", Image.Resampling.LANCZOS)):
            near(f"{size},filter={name} {what}: Pillow", gf(p, f"{size},filter={name}"),
                 stored(pillow(p, to_w, to_h, way)))
    for to_w, to_h in ((w // 2, h // 3), (w * 2 // 5, h - 7)):
        near(f"resize:{to_w}x{to_h},filter=area {what}: OpenCV", gf(p, f"resize:{to_w}x{to_h},filter=area"),
             stored(cv2.resize(f32(p), (to_w, to_h), interpolation=cv2.INTER_AREA)))
    large = f"resize:{2 * w}x{3 * h}"
    near(f"{large},filter=linear {what}: OpenCV", gf(p, f"{large},filter=linear"),
         stored(cv2.resize(f32(p), (2 * w, 3 * h), interpolation=cv2.INTER_LINEAR)))
    near(f"{large},filter=linear {what}: scikit-image", gf(p, f"{large},filter=linear"),
         stored(transform.resize(f32(p), (3 * h, 2 * w), order=1, mode="edge", anti_aliasing=False,
                                 preserve_range=True)))
    near(f"{large},filter=nearest {what}: NumPy", gf(p, f"{large},filter=nearest"), p.repeat(3, 0).repeat(2, 1), 0)
    near(f"{large},filter=cubic {what}: OpenCV, a = -0.75 (documented: 28 steps)", gf(p, f"{large},filter=cubic"),
         stored(cv2.resize(f32(p), (2 * w, 3 * h), interpolation=cv2.INTER_CUBIC)), 28)


def test_levels(p, what):
    near(f"invert {what}: OpenCV", gf(p, "invert"), cv2.bitwise_not(p), 0)
    near(f"invert {what}: scikit-image", gf(p, "invert"), util.invert(p), 0)
    for g in (.45, 2.2):
        near(f"gamma:{g} {what}: scikit-image, power 1/{g}", gf(p, f"gamma:{g}"), exposure.adjust_gamma(p, 1 / g))
    near(f"levels:0.2,0.7 {what}: scikit-image", gf(p, "levels:0.2,0.7"),
         stored(exposure.rescale_intensity(p / 255.0, in_range=(.2, .7), out_range=(0, 255))))
    near(f"posterize:5 {what}: NumPy", gf(p, "posterize:5"), stored(np.rint(p / 255.0 * 4) / 4 * 255))
    for t in (1, 100, 255):
        near(f"threshold of {t} {what}: OpenCV, above {t - 1} (documented)", gf(p, f"threshold:{t / 255:.9f}"),
             cv2.threshold(p, t - 1, 255, cv2.THRESH_BINARY)[1], 0)
    near(f"equalize:rgb {what}: OpenCV", gf(p, "equalize:rgb"), each(cv2.equalizeHist, p))
    near(f"normalize {what}: OpenCV", gf(p, "normalize"), stored(cv2.normalize(f32(p), None, 0, 255, cv2.NORM_MINMAX)))
    near(f"autolevel:0,rgb {what}: scikit-image", gf(p, "autolevel:0,rgb"),
         each(lambda c: stored(exposure.rescale_intensity(c.astype(float), in_range="image", out_range=(0, 255))), p))
    if p.ndim == 2:
        near(f"threshold:otsu {what}: OpenCV", gf(p, "threshold:otsu"), cv2.threshold(p, 0, 255, cv2.THRESH_OTSU)[1], 0)
        near(f"threshold:otsu {what}: scikit-image", gf(p, "threshold:otsu"), 255 * (p > filters.threshold_otsu(p)), 0)
        low, n = p.min(), p.size
        near(f"equalize {what}: scikit-image, lowest bin to its share (documented)", gf(p, "equalize"),
             stored(exposure.equalize_hist(p, 256) * 255), 1 + 255 * np.mean(p == low) + 255 / n)


def within(name, found, wanted, most):
    off = np.abs(found - wanted).max()
    ok(off <= most, name, f"{off} off; seed {SEED}")


def test_color(p, what):
    """Tests curves, light and Lab in floats, and histograms; scikit-image clips colors outside the gamut."""
    points = np.array([[0, .1], [.2, .15], [.5, .7], [.8, .75], [1, .9]])
    words = "curves:[" + "; ".join(f"{x} {y}" for x, y in points) + "]"
    within(f"{words} {what}: SciPy", floats(p, words), interpolate.PchipInterpolator(*points.T)(p / 255.0), 1e-6)
    within(f"exposure:0.7 {what}: NumPy", floats(p, "exposure:0.7"),
           srgb_of(linear_of(p / 255.0) * 2 ** .7), 2e-6)
    if p.ndim == 2:
        return
    lab = color.rgb2lab(p)
    for s in (0, .4, 1.3, 2):
        found = floats(p, f"saturate:{s},in=lab")
        inside = ((found >= 0) & (found <= 1)).all(2)
        within(f"saturate:{s},in=lab {what}: scikit-image, of 100", color.rgb2lab(found)[inside] / 100,
               (lab * [1, s, s])[inside] / 100, 1e-4)
    within(f"saturate:1.5,in=oklab {what}: NumPy", floats(p, "saturate:1.5,in=oklab"), oklab(p / 255.0, 1.5), 5e-5)
    other = np.rint(p[::-1, :, ::-1] ** 1.1 / 2).astype(np.uint8)
    with open(os.path.join(folder, "other.ppm"), "wb") as to:
        to.write(header(other) + other.tobytes())
    near(f"match {what}: scikit-image", gf(p, f"match:{os.path.join(folder, 'other.ppm')}"),
         stored(exposure.match_histograms(p, other, channel_axis=2)))


def linear_of(v):
    return np.where(v <= .04045, v / 12.92, ((v + .055) / 1.055) ** 2.4)


def srgb_of(v):
    return np.where(v <= .0031308, v * 12.92, 1.055 * np.maximum(v, 1e-9) ** (1 / 2.4) - .055)


def oklab(p, factor):
    """Multiplies both axes of hue; the matrices are those of Ottosson."""
    lms = np.array([[.4122214708, .5363325363, .0514459929], [.2119034982, .6806995451, .1073969566],
                    [.0883024619, .2817188376, .6299787005]])
    axes = np.array([[.2104542553, .7936177850, -.0040720468], [1.9779984951, -2.4285922050, .4505937099],
                     [.0259040371, .7827717662, -.8086757660]])
    roots = np.cbrt(linear_of(p) @ lms.T) @ axes.T * [1, factor, factor] @ np.linalg.inv(axes).T
    return srgb_of(roots ** 3 @ np.linalg.inv(lms).T)


def find_ffmpeg():
    """Returns FFmpeg, from imageio-ffmpeg or as it is installed, or None."""
    try:
        return importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except ImportError:
        return shutil.which("ffmpeg")


def test_lut(p, what):
    """Tests a random cube in 16 bits, with the tetrahedra of FFmpeg."""
    ffmpeg = find_ffmpeg()
    if p.ndim == 2 or ffmpeg is None:
        return
    dice = np.random.default_rng(SEED + 2)
    wide = (p.astype(int) * 257 + dice.integers(-128, 128, p.shape)).clip(0, 65535).astype(np.uint16)
    for n in (2, 17, 33):
        name = os.path.join(folder, f"table{n}.cube")
        with open(name, "w") as to:
            print(f"LUT_3D_SIZE {n}", file=to)
            np.savetxt(to, dice.random((n ** 3, 3)), "%.6f")
        head = f"P6\n{p.shape[1]} {p.shape[0]}\n65535\n".encode()
        ours = subprocess.run([PROGRAM, f"lut:{name}", "-t", "pnm"], input=head + wide.astype(">u2").tobytes(),
                              capture_output=True, check=True).stdout
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", f"{p.shape[1]}x{p.shape[0]}"]
        theirs = subprocess.run([ffmpeg, "-loglevel", "error", *raw, "-i", "-", "-vf",
                                 f"lut3d={name}:interp=tetrahedral", *raw, "-"],
                                input=wide.astype("<u2").tobytes(), capture_output=True, check=True).stdout
        ours = np.frombuffer(ours[-wide.nbytes:], ">u2").astype(int)
        off = np.abs(ours - np.frombuffer(theirs, "<u2").astype(int)).max()
        ok(off <= 1, f"lut of {n} entries {what}: FFmpeg, in 16 bits", f"{off} steps off; seed {SEED}")


def test_clahe(p, what):
    if p.ndim == 2:                              # so large that integer counts are precise enough
        tiled = cv2.resize(p, (512, 384), interpolation=cv2.INTER_CUBIC)
        near(f"clahe {what}: OpenCV, sides of whole tiles", gf(tiled, "clahe"),
             cv2.createCLAHE(2, (8, 8)).apply(tiled), 2, .005)
        near(f"clahe:4,3 {what}: OpenCV, sides of whole tiles", gf(tiled, "clahe:4,3"),
             cv2.createCLAHE(3, (4, 4)).apply(tiled), 2, .005)


def test_sums(p, what):
    def close(name, found, wanted):
        off = np.abs(found - wanted).max() / np.abs(wanted).max()
        ok(off < 1e-6, name, f"{off} off; seed {SEED}")

    close(f"integral {what}: OpenCV", floats(p, "integral"), cv2.integral(p, sdepth=cv2.CV_64F)[1:, 1:] / 255)
    close(f"cumsum {what}: NumPy", floats(p, "cumsum"), np.cumsum(p / 255.0, 1))
    close(f"cumsum:y {what}: NumPy", floats(p, "cumsum:y"), np.cumsum(p / 255.0, 0))
    rows = np.array([[int(n) for n in line.split()] for line in run(p, "histogram").decode().splitlines()[1:]])
    channels = [p] if p.ndim == 2 else [p[:, :, c] for c in range(3)]
    counts = np.stack([cv2.calcHist([np.ascontiguousarray(c)], [0], None, [256],
                                    [0, 256]).reshape(-1) for c in channels], 1)
    ok(np.array_equal(rows[:, 1:], counts), f"histogram {what}: OpenCV", f"seed {SEED}")
    table = [line.split("\t") for line in run(p, "stats").decode().splitlines()]
    for line, c in zip(table[1:], channels):
        said = dict(zip(table[0], line))
        v = c / 255.0
        wanted = {"min": v.min(), "max": v.max(), "mean": v.mean(), "sd": v.std(),
                  "median": np.sort(v, axis=None)[(v.size - 1) // 2]}
        off = {k: (said.get(k), n) for k, n in wanted.items() if k not in said or abs(float(said[k]) - n) > 1e-5}
        ok(not off, f"stats {what}: NumPy", f"{off}; seed {SEED}")


def vips(under, top, mode):
    """Returns the result of vips composite for two opaque images."""
    names = [os.path.join(folder, name) for name in ("under.png", "top.png", "out.png")]
    Image.fromarray(under).save(names[0])
    Image.fromarray(top).save(names[1])
    subprocess.run(["vips", "composite2", *names, mode], check=True, capture_output=True)
    return np.asarray(Image.open(names[2]).convert("L" if under.ndim == 2 else "RGB"))


def test_second(p, what):
    dice = np.random.default_rng(SEED + 1)
    h, w = p.shape[:2]
    top, name = np.ascontiguousarray(np.roll(p[::-1], 7, 1)), os.path.join(folder, "top.pnm")
    with open(name, "wb") as f:
        f.write(header(top) + top.tobytes())
    pillow_modes = {"multiply": ImageChops.multiply, "screen": ImageChops.screen, "overlay": ImageChops.overlay,
                    "hardlight": ImageChops.hard_light,
                    "darken": ImageChops.darker, "lighten": ImageChops.lighter, "difference": ImageChops.difference,
                    "add": ImageChops.add, "subtract": ImageChops.subtract}
    a, b = Image.fromarray(p), Image.fromarray(top)
    for mode, function in pillow_modes.items():
        near(f"blend:{mode} {what}: Pillow", gf(p, f"blend:{name},{mode}"), np.asarray(function(a, b)))
        if mode != "subtract":                                        # Pillow clips before it mixes
            near(f"blend:{mode},30% {what}: Pillow", gf(p, f"blend:{name},{mode},30%"),
                 np.asarray(Image.blend(a, function(a, b), .3)))
    near(f"blend:subtract,30% {what}: numpy", gf(p, f"blend:{name},subtract,30%"),
         np.rint(np.clip(p - .3 * top, 0, 255)))
    quotient = np.divide(p, top, out=np.zeros(p.shape), where=top > 0)
    near(f"blend:divide {what}: numpy", gf(p, f"blend:{name},divide"), np.rint(np.clip(255 * quotient, 0, 255)))
    near(f"blend:subtract and divide {what}: numpy", gf(p, f"blend:{name},subtract", "invert", f"blend:{name},divide,50%"),
         np.rint(np.clip(.5 * (255. - p + top) + .5 * 255 * np.divide(255. - p + top, top, out=np.zeros(p.shape),
                                                                   where=top > 0), 0, 255)))
    near(f"diff {what}: Pillow", gf(p, f"diff:{name}"), np.asarray(ImageChops.difference(a, b)), 0)
    inner, few = np.clip(p, 1, 254), np.clip(top, 1, 254)         # vips divides by 0 here, unlike the W3C formula
    with open(name, "wb") as f:
        f.write(header(few) + few.tobytes())
    for mode, peer in {"normal": "over", "multiply": "multiply", "screen": "screen", "overlay": "overlay",
                       "darken": "darken", "lighten": "lighten",
                       "difference": "difference", "exclusion": "exclusion", "softlight": "soft-light",
                           "hardlight": "hard-light",
                       "dodge": "colour-dodge", "burn": "colour-burn"}.items() if shutil.which("vips") else ():
        near(f"blend:{mode} {what}: vips", gf(inner, f"blend:{name},{mode}"), vips(inner, few, peer))
    if p.ndim == 2:
        return
    veil = dice.integers(0, 256, (h // 2, w // 2, 4), np.uint8)
    veil[:3, :, 3], veil[3:6, :, 3] = 0, 255
    with open(name, "wb") as f:
        f.write(header(veil) + veil.tobytes())
    for x, y in ((0, 0), (11, 5), (w - 20, h - 9)):
        layer = Image.new("RGBA", (w, h), (0, 0, 0, 0))
        layer.paste(Image.fromarray(veil), (x, y))
        near(f"over:FILE,{x},{y} {what}: Pillow", gf(p, f"over:{name},{x},{y}"),
             np.asarray(Image.alpha_composite(a.convert("RGBA"), layer))[:, :, :3])
    glass = np.dstack([p, dice.integers(1, 256, (h, w), np.uint8)])
    wanted = np.asarray(Image.alpha_composite(Image.fromarray(glass), layer))
    near(f"over, both with alpha, {what}: Pillow, colours", gf(glass, f"over:{name},{x},{y}", "alpha:off"),
         wanted[:, :, :3])
    near(f"over, both with alpha, {what}: Pillow, alpha", gf(glass, f"over:{name},{x},{y}", "channel:a"),
         wanted[:, :, 3])


def test_compare(p, what):
    """Tests MSE, PSNR and SSIM of each channel and of all, for 8 bits, 16 bits, flat images and floats."""
    dice = np.random.default_rng(SEED + 1)
    solid = p.reshape(*p.shape[:2], -1).astype(int)
    soft = np.rint(cv2.GaussianBlur(f32(p), (0, 0), 1)).reshape(solid.shape)
    fine = np.rint(np.clip(solid * 257.0 + dice.normal(0, 300, solid.shape), 0, 65535))
    flat = np.full(solid.shape, 65535.0)
    for name, x, y, most in (("a blur", solid, soft, 255), ("noise", solid, dice.integers(0, 256, solid.shape), 255),
                             ("itself", solid, solid, 255), ("16 bits", solid * 257, fine, 65535),
                                 ("flat and nearly so", flat, flat - 1, 65535),
                             ("flat, far off", flat, flat * .25 // 1, 65535)):
        files = [os.path.join(folder, name) for name in ("x.pnm", "y.pnm")]
        for file, v in zip(files, (x, y)):
            with open(file, "wb") as to:
                to.write(f"P{5 if v.shape[2] == 1 else 6}\n{v.shape[1]} {v.shape[0]}\n{most}\n".encode()
                         + v.astype(">u2" if most > 255 else "u1").tobytes())
        done = subprocess.run([PROGRAM, "-i", files[0], f"compare:{files[1]}"], capture_output=True, check=True)
        table = [line.split("\t") for line in done.stdout.decode().splitlines()]
        x, y = x / most, y / most
        off = {}
        for k, line in enumerate(table[1:]):
            a, b = (x, y) if line[0] == "all" else (x[..., k:k + 1], y[..., k:k + 1])
            said = dict(zip(table[0], line))
            with np.errstate(divide="ignore"):
                wanted = {"mse": metrics.mean_squared_error(a, b),
                          "psnr": metrics.peak_signal_noise_ratio(a, b, data_range=1),
                          "ssim": metrics.structural_similarity(a, b, channel_axis=2, gaussian_weights=True, sigma=1.5,
                                                                use_sample_covariance=False, data_range=1),
                                                                    "max": np.abs(a - b).max()}
            off.update({(line[0], f): (said[f], v) for f,
                        v in wanted.items() if not np.isclose(float(said[f]), v, 1e-6, 1e-7)})
        ok(not off and len(table) == x.shape[2] + 2, f"compare {what}, {name}: scikit-image", f"{off}; seed {SEED}")


def pictures():
    """Yields noise over soft shapes, in gray and in color, with odd sizes."""
    dice = np.random.default_rng(SEED)
    for channels in (1, 3):
        h, w = (int(n) | 1 for n in dice.integers(64, 130, 2))
        shapes = cv2.GaussianBlur(dice.normal(0, 1, (h, w, channels)), (0, 0), 8).reshape(h, w, channels)
        p = 128 + 60 * shapes / shapes.std() + dice.normal(0, 20, shapes.shape)
        image = np.rint(np.clip(p, 0, 255)).astype(np.uint8).reshape((h, w) if channels == 1 else (h, w, 3))
        yield image, f"{w}x{h}x{channels}"


def main():
    print(f"# seed {SEED}; OpenCV {cv2.__version__}, scikit-image {skimage.__version__}, NumPy {np.__version__}")
    for p, what in pictures():
        for test in (test_colours, test_blur, test_bilateral, test_masks, test_canny, test_ranks, test_restoration,
                     test_moves, test_sizes, test_levels, test_color, test_lut, test_clahe, test_sums, test_second,
                     test_compare):
            try:
                test(p, what)
            except Exception as e:               # a function that cannot run is a failure; the others continue
                ok(False, f"{test.__name__} {what}", f"{type(e).__name__}: {e}; seed {SEED}")
    skipped = bool(ONLY and os.environ.get("GPUFILTER_SKIP_UNMATCHED"))
    if tests == 0 and not skipped:
        print(f"not ok 1 - no case matches ONLY={ONLY}")
    print(f"1..{tests or (0 if skipped else 1)}"
          + (f" # SKIP no case matches ONLY={ONLY}" if tests == 0 and skipped else ""))
    shutil.rmtree(folder)
    return 0


sys.exit(main())
