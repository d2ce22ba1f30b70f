# The plugin for VapourSynth: frames are those of the command, in several formats and with several chains. The wheel
# of VapourSynth is downloaded, or GPUFILTER_VAPOURSYNTH names it. tests/packages/vapoursynth_host.c uses its library,
# which works with each Python; the module needs Python 3.12.
. "$(dirname "$0")/../lib.sh"
need_python
[ -n "$MAKE" ] || skip_all 'only make check-packages and make check-one can build the plugin'
wheel=$GPUFILTER_VAPOURSYNTH
if [ -z "$wheel" ]; then
    python3 -m pip download -q --no-deps --python-version 3.12 --only-binary=:all: 'vapoursynth>=73' >log 2>&1 ||
        skip_all "pip cannot download the wheel of VapourSynth: $(tail -n 1 log)"
    wheel=$(ls "$PWD"/*.whl)
fi
python3 -m zipfile -e "$wheel" wheel || skip_all "$wheel is not a wheel"
vapour=$PWD/wheel/vapoursynth
build=$(dirname "$GPUFILTER")
LD_LIBRARY_PATH=$build
export LD_LIBRARY_PATH

# python3 frames.py make FAMILY BITS SUB_X SUB_Y WIDTH HEIGHT: makes in.y4m, in.pam or in.pfm, and planes in in.raw.
# python3 frames.py planes FILE: prints the planes of a result of the command.
cat >frames.py <<'END'
import array, random, struct, sys

def planes(data):
    """The planes of all frames of a Y4M, or of one image, in the byte order of this machine."""
    if data.startswith(b"YUV4MPEG2"):
        return b"".join(part for part in data.split(b"FRAME\n")[1:])
    if data.startswith(b"P7"):
        head, body = data.split(b"ENDHDR\n", 1)
        words = dict(line.split(b" ", 1) for line in head.split(b"\n") if b" " in line and line[:1] != b"#")
        samples = array.array("H" if int(words[b"MAXVAL"]) > 255 else "B", body)
        if samples.itemsize == 2:
            samples.byteswap()
        return b"".join(samples[c::int(words[b"DEPTH"])].tobytes() for c in range(int(words[b"DEPTH"])))
    kind, size, scale, body = data.split(b"\n", 3)
    width, height = map(int, size.split())
    depth = 3 if kind == b"PF" else 1
    samples, row = array.array("f", body), width * depth
    rows = [samples[y * row:(y + 1) * row] for y in reversed(range(height))]
    return b"".join(r[c::depth].tobytes() for c in range(depth) for r in rows)

def make(family, bits, sub_x, sub_y, width, height):
    draw = random.Random(bits * 100 + family)
    most, kind = (1 << bits) - 1, "B" if bits == 8 else "H"
    def plane(w, h, start):
        return array.array(kind, [int(most * (0.1 + 0.4 * x / w + 0.2 * y / h + 0.2 * draw.random() + start))
                                  for y in range(h) for x in range(w)]).tobytes()
    if family == 2 or bits == 32:
        depth = 1 if family == 1 else 3
        if bits == 32:
            data = b"P%s\n%d %d\n-1\n" % (b"f" if depth == 1 else b"F", width, height) + struct.pack(
                "<%df" % (width * height * depth), *[draw.random() * 1.2 - 0.1 for _ in range(width * height * depth)])
        else:
            body = array.array(kind, [int(draw.random() * most) for _ in range(width * height * depth)])
            if bits > 8:
                body.byteswap()
            data = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 3\nMAXVAL %d\nTUPLTYPE RGB\nENDHDR\n" % (width, height, most) \
                + body.tobytes()
        return data
    word = "mono" if family == 1 else {(1, 1): "420", (1, 0): "422", (0, 0): "444", (2, 0): "411"}[sub_x, sub_y]
    word += ("" if bits == 8 else str(bits)) if family == 1 else ("" if bits == 8 else "p%d" % bits)
    data = b"YUV4MPEG2 W%d H%d F25:1 Ip C%s\n" % (width, height, word.encode())
    for n in range(5):
        data += b"FRAME\n" + plane(width, height, n / 50)
        for _ in range(2 if family == 3 else 0):
            data += plane(width >> sub_x, height >> sub_y, n / 50)
    return data

if sys.argv[1] == "make":
    data = make(*map(int, sys.argv[2:]))
    open("in." + {b"Y": "y4m", b"P7"[:1]: "pfm" if data[1:2] != b"7" else "pam"}[data[:1]], "wb").write(data)
    open("in.raw", "wb").write(planes(data))
else:
    sys.stdout.buffer.write(planes(open(sys.argv[2], "rb").read()))
END

# chain STAGES WORD...: runs the plugin on in.raw; the format of the result is then in "said".
chain() { ./host "$vapour/libvapoursynth.so.4" "$build/gpufilter_vapoursynth.so" "$@" <in.raw 2>said; }

# compare NAME FORMAT STAGES...: tests that the plugin gives the bytes of the command, for each text of stages.
compare()
{
    name=$1 format=$2
    shift 2
    rm -f in.*
    python3 frames.py make $format && file=$(ls in.y4m in.pam in.pfm 2>/dev/null)
    wrong=
    for stages; do
        eval "gf -q -i $file $stages -o ours.${file#in.}" 2>errors || wrong="$wrong $stages: $(cat errors)"
        python3 frames.py planes "ours.${file#in.}" >ours.raw
        chain "$stages" $format >theirs.raw || wrong="$wrong $stages: $(cat said)"
        cmp -s ours.raw theirs.raw && [ -s ours.raw ] || wrong="$wrong [$stages]"
    done
    is "frames are those of the command: $name" "$wrong" ''
}

works 'the plugin for VapourSynth is built' \
    $MAKE -s -C "$build" vapoursynth PKG_CONFIG_PATH="$vapour/pkgconfig"
works 'a host in C is compiled' ${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -O1 -I"$vapour/include" \
    "$tree/tests/packages/vapoursynth_host.c" -o host -ldl -pthread
python3 frames.py make 3 8 1 1 64 48 && gf -q -i in.y4m invert -o second.y4m

all='invert blur:2 gray resize:50x38 rotate:90 noise:0.1 equalize'
compare '4:2:0 of 8 bits' '3 8 1 1 64 48' '' $all 'sharpen:0.6 saturate:1.2' crop:20x10+4+6 \
    'noise:0.2 blend:second.y4m,multiply'
compare '4:2:2 of 10 bits' '3 10 1 0 64 48' $all 'sharpen:0.6 saturate:1.2'
compare '4:4:4 of 16 bits' '3 16 0 0 61 47' $all 'sharpen:0.6 saturate:1.2'
compare '4:1:1 of 8 bits' '3 8 2 0 64 48' invert blur:2 gray resize:48x38 noise:0.1 equalize
compare 'gray of 8 bits' '1 8 0 0 61 47' $all sharpen:0.6
compare 'gray of 12 bits' '1 12 0 0 61 47' $all sharpen:0.6
compare 'RGB of 8 bits' '2 8 0 0 61 47' $all 'sharpen:0.6 saturate:1.2'
compare 'RGB of 16 bits' '2 16 0 0 61 47' $all 'sharpen:0.6 saturate:1.2'
compare 'RGB of floats' '2 32 0 0 61 47' invert blur:2 gray resize:50x38 rotate:90 sharpen:0.6
compare 'gray of floats' '1 32 0 0 61 47' invert blur:2 resize:50x38 rotate:90 sharpen:0.6

rm -f in.*
python3 frames.py make 3 8 1 1 64 48
chain rotate:90 3 8 1 1 64 48 >/dev/null
is 'the result has the size of the chain' "$(tail -n 1 said)" '3 8 1 1 48 64'
chain gray 3 8 1 1 64 48 >/dev/null
is 'gray of a color clip has no chroma' "$(tail -n 1 said)" '1 8 0 0 64 48'
sed '1s/Ip/Ip XCOLORRANGE=FULL/' in.y4m >full.y4m
gf -q -i full.y4m brightness:0.1 -o ours.y4m && python3 frames.py planes ours.y4m >ours.raw
chain brightness:0.1 3 8 1 1 64 48 _ColorRange=0 >theirs.raw
same ours.raw theirs.raw 'the range is that of the frame'
chain brightness:0.1 3 8 1 1 64 48 >limited.raw
chain saturate:2 3 8 1 1 64 48 >601.raw
chain saturate:2 3 8 1 1 64 48 _Matrix=1 >709.raw
is 'range and matrix of a frame matter' \
    "$(cmp -s limited.raw theirs.raw; echo $?) $(cmp -s 601.raw 709.raw; echo $?)" '1 1'

# The module, as users call it. The first frame of a blank clip says which samples it has.
for python in python3 python3.12 python3.13 python3.14 none; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && break
done
if [ $python = none ]; then
    skip 'the module of VapourSynth needs Python 3.12'
else
    cat >module.py <<'END'
import sys, vapoursynth as vs
vs.core.std.LoadPlugin(sys.argv[1])
clip = vs.core.std.BlankClip(format=vs.YUV420P8, width=64, height=48, length=3, color=[50, 90, 200])
for name, stages in ("blank.y4m", None), ("result.y4m", "noise:0.2 gray"):
    with open(name, "wb") as to:
        (clip if stages is None else vs.core.gpufilter.Chain(clip, stages)).output(to, y4m=True)
try:
    vs.core.gpufilter.Chain(clip, "stats")
except vs.Error as e:
    print(e)
END
    PYTHONPATH=$PWD/wheel "$python" module.py "$build/gpufilter_vapoursynth.so" >printed 2>errors
    gf -q -i blank.y4m noise:0.2 gray -o ours.y4m
    for file in ours result; do python3 frames.py planes $file.y4m >$file.raw; done
    same ours.raw result.raw 'the module for Python gives the frames of the command'
    is 'the module for Python raises the error of the library' "$(cut -c-30 printed)" 'gpufilter: the chain measures,'
fi

# error PATTERN STAGES WORD...: the last line that the host prints.
error()
{
    pattern=$1
    shift
    ! chain "$@" >/dev/null && tail -n 1 said | grep -q "^gpufilter: .*$pattern"
}
chain_of() { error "$@" 3 8 1 1 64 48; }
works 'a chain that measures is refused' chain_of 'measures' stats
works 'a misspelled stage has the advice of the library' chain_of "did you mean 'blur'" blurr:2
works 'a stage of audio is refused' chain_of 'bass' bass:3
works 'a value out of range is refused' chain_of 'must be' blur:-1
works 'a file that is written is refused' chain_of 'tee' tee:out.png
works 'a size that chroma does not fit is refused' chain_of 'chroma' crop:31x31+0+0
works 'interlaced frames are refused' error 'interlaced' invert 3 8 1 1 64 48 _FieldBased=2
works 'another matrix is refused' error '_Matrix' invert 3 8 1 1 64 48 _Matrix=9
works 'floats of luma and chroma are refused' error 'floats' invert 3 32 0 0 16 16
head -c $(($(head -n 1 in.y4m | wc -c) + 2 * (6 + 64 * 48 * 3 / 2))) in.y4m >short.y4m
works 'a second input that is shorter is refused' chain_of 'ends after image' blend:short.y4m,multiply
finish
