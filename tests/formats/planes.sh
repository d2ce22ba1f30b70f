# Video in its planes: results worked out from the stored samples, and the ways that lead back to RGB.
. "$(dirname "$0")/../lib.sh"
choose_device
gf() { "$GPUFILTER" --device $device "$@"; }

# video FILE TAGS W H CHROMA_W CHROMA_H BITS FRAMES: writes noise, of all values that the depth has.
video()
{
    LC_ALL=C ${AWK:-awk} -v tags="$2" -v w=$3 -v h=$4 -v n=$(($3 * $4 + 2 * $5 * $6)) -v bits=$7 -v frames=$8 'BEGIN {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 %s\n", w, h, tags
        seed = 4711 + w
        for (k = 0; k < frames; k++) {
            printf "FRAME\n"
            for (i = 0; i < n; i++) {
                seed = seed * 16807 % 2147483647
                v = int(seed / 64) % 2 ^ bits
                printf "%s%s", C[v % 256], (bits > 8 ? C[int(v / 256)] : "")
            }
        }
    }' >"$1"
}
header() { head -n 1 "$1"; }
# samples FILE BITS: prints the samples of a video with one frame, one per line.
samples()
{
    tail -c +$(($(header "$1" | wc -c) + 7)) "$1" | od -An -v -tu$(($2 > 8 ? 2 : 1)) | tr -s ' ' '\n' | sed '/^$/d'
}
# farthest IN OUT STAGE W H SUB_X SUB_Y BITS: prints how far OUT is from what the stage makes of each
# stored sample, at most; "size" if there are too many or too few samples.
farthest()
{
    samples "$1" $8 >in.samples
    samples "$2" $8 >out.samples
    ${AWK:-awk} -v stage="$3" -v w=$4 -v h=$5 -v sx=$6 -v sy=$7 -v bits=$8 '
        function side(n, share) { return int((n + share - 1) / share) }
        function at(p, x, y) { return v[start[p] + y * wide[p] + x] }
        function clip(value) { return value < 0 ? 0 : value > most ? most : value }
        # Returns the sample at x, y of plane p of the result.
        function want(p, x, y,    s, zero, range, c)
        {
            zero = (p > 0 ? 128 : 16) * step; range = p > 0 ? 224 * step : 219 * step
            if (name == "flip") return at(p, x, high[p] - 1 - y)
            if (name == "flop") return at(p, wide[p] - 1 - x, y)
            if (name == "transpose") return at(p, y, x)
            if (name == "rotate") return arg[1] == 90 ? at(p, y, high[p] - 1 - x) \
                : arg[1] == 180 ? at(p, wide[p] - 1 - x, high[p] - 1 - y) : at(p, wide[p] - 1 - y, x)
            if (name == "crop") return at(p, x + arg[3] / (p > 0 ? sx : 1), y + arg[4] / (p > 0 ? sy : 1))
            if (name == "pad") {
                x -= arg[1] / (p > 0 ? sx : 1); y -= arg[2] / (p > 0 ? sy : 1)
                return x < 0 || y < 0 || x >= wide[p] || y >= high[p] ? zero : at(p, x, y)
            }
            s = at(p, x, y)
            c = p > 0 ? 0 : range                # what 1 adds
            if (name == "brightness") return clip(s + arg[1] * c)
            if (name == "contrast") return clip((s - zero) * arg[1] + zero + c * (1 - arg[1]) / 2)
            if (name == "invert") return clip(2 * zero + c - s)
            if (name == "levels") return clip((s - zero - arg[1] * c) / (arg[2] - arg[1]) + zero)
            if (name == "saturate") return p > 0 ? clip((s - zero) * arg[1] + zero) : s
            if (name == "gamma") return p > 0 ? s : s < zero ? zero \
                : clip(((s - zero) / range) ^ (1 / arg[1]) * range + zero)
            if (name == "gray") return clip((s - zero) / range * most)
        }
        BEGIN {
            most = 2 ^ bits - 1; step = 2 ^ (bits - 8)
            for (p = 0; p < 3; p++) {
                wide[p] = p > 0 ? side(w, sx) : w; high[p] = p > 0 ? side(h, sy) : h
                start[p] = p > 0 ? start[p - 1] + wide[p - 1] * high[p - 1] : 0
            }
            name = stage; sub(/:.*/, "", name)
            n = stage; sub(/[a-z]*:?/, "", n); split(n, arg, /[^0-9.-]/)
            turned = name == "transpose" || (name == "rotate" && arg[1] != 180)
            to_w = name == "crop" ? arg[1] : name == "pad" ? w + 2 * arg[1] : turned ? h : w
            to_h = name == "crop" ? arg[2] : name == "pad" ? h + 2 * arg[2] : turned ? w : h
        }
        NR == FNR { v[NR - 1] = $1; next }
        { got[n_got++] = $1 }
        END {
            for (p = 0; p < (name == "gray" ? 1 : 3); p++) {
                pw = p > 0 ? side(to_w, sx) : to_w; ph = p > 0 ? side(to_h, sy) : to_h
                for (y = 0; y < ph; y++)
                    for (x = 0; x < pw; x++) {
                        d = want(p, x, y) - got[i++]
                        far = d > far ? d : -d > far ? -d : far
                    }
            }
            print i == n_got ? far + 0 : "size"
        }' in.samples out.samples
}
# near LIMIT NUMBER: fails if the number is above.
near() { ${AWK:-awk} -v a="$1" -v b="$2" 'BEGIN { exit !(b == b + 0 && b <= a) }'; }
# follows LIMIT STAGE LAYOUT OPTIONS...: checks a stage on in.y4m, whose layout is W H SUB_X SUB_Y BITS.
follows()
{
    limit=$1 stage=$2 layout=$3
    shift 3
    works "planes, $layout: $stage${*:+ $*}" gf "$@" -i in.y4m $stage -o out.y4m
    far=$(farthest in.y4m out.y4m $stage $layout)
    is "planes, $layout: $stage${*:+ $*} has the result of the stored samples" \
        "$(near $limit "$far" && echo near || echo "$far away")" near
}
planes() { gf --explain "$@" -o plan.y4m 2>errors | grep -c 'filtered in its planes'; }

# ---- results of the stored samples: moved exactly, changed to the nearest level

for case in 'C420jpeg 2 2 8' 'C422 2 1 8' 'C444 1 1 8' 'C411 4 1 8' 'C420p10 2 2 10' \
    'C422p10 2 1 10' 'C444p12 1 1 12'; do
    set -- $case
    video in.y4m $1 32 24 $((32 / $2)) $((24 / $3)) $4 1
    layout="32 24 $2 $3 $4"
    for stage in flip crop:8x12+4+6 crop:28x22+4+2; do
        follows 0 $stage "$layout"
    done
    for stage in brightness:0.13 brightness:-0.4 contrast:1.7 contrast:-0.6 invert levels:0.1,0.7 saturate:1.4; do
        follows 0.501 $stage "$layout"
    done
    follows 0.501 gray:rec601 "$layout"
    is "gray video has luma only, $layout" "$(header out.y4m | cut -d ' ' -f 7 | cut -c 1-5)" Cmono
    follows 0.501 gamma:1.8 "$layout" --video planes
    works "a wide border, $layout" gf -i in.y4m pad:8,4 -o out.y4m
    follows 0 pad:8,4 "$layout" --video planes
    follows 0 flop "$layout" --video planes
done
for case in 'C420jpeg 2 8' 'C444 1 8' 'C420p10 2 10'; do
    set -- $case
    video in.y4m $1 32 24 $((32 / $2)) $((24 / $2)) $3 1
    for stage in flop transpose rotate:90 rotate:180 rotate:270 pad:8,4; do
        follows 0 $stage "32 24 $2 $2 $3"
    done
done

# ---- by default, results are within a level of those on RGB, as far as chroma is not resampled

# apart FILE1 FILE2 BITS: prints by how much samples differ at most.
apart()
{
    samples "$1" $3 >a.samples
    samples "$2" $3 >b.samples
    paste a.samples b.samples \
        | ${AWK:-awk} '{ d = $1 - $2; d = d < 0 ? -d : d; if (d > far) far = d } END { print far + 0 }'
}
for case in 'C444 8' 'C444p10 10' 'C444,XCOLORRANGE=FULL 8' 'Cmono,XCOLORRANGE=FULL 8' 'Cmono10 10'; do
    set -- $case
    tags=$(echo $1 | tr , ' ') full=32
    case $1 in Cmono*) full=0 ;; esac
    video in.y4m "$tags" 32 24 $full $((full * 24 / 32)) $2 1
    for stages in 'flip flop' 'transpose crop:9x7+3+5' 'brightness:0.1 contrast:1.3' 'rotate:90 levels:0.2,0.9 invert' \
        'gray:rec601 brightness:-0.1' 'pad:3,bg=white saturate:0.4'; do
        is "$1, $stages: in planes" "$(planes -i in.y4m $stages)" 1
        gf -i in.y4m $stages -o planes.y4m 2>errors
        gf --video rgb -i in.y4m $stages -o rgb.y4m 2>errors
        is "$1, $stages: planes and RGB are at most a level apart" \
            "$(apart planes.y4m rgb.y4m $2 | sed 's/^[01]$/near/')" near
        is "$1, $stages: planes and RGB have the same header" "$(header planes.y4m)" "$(header rgb.y4m)"
    done
done

# ---- colors of all kinds, most of them outside of RGB: stages on values are in planes only if no result differs

# colors FILE TAGS W H: writes all triples of 64 values, the extremes among them, in a frame of 2^18 pixels.
colors()
{
    LC_ALL=C ${AWK:-awk} -v tags="$2" -v w=$3 -v h=$4 'BEGIN {
        n = split("0 1 2 8 14 15 16 17 18 127 128 129 234 235 236 238 239 240 241 242 253 254 255", own, " ")
        for (i = 1; i <= n; i++)
            taken[own[i]]
        for (i = 4; n < 64; i += 5)
            if (!(i in taken))
                own[++n] = i
        printf "YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C444 %s\nFRAME\n", w, h, tags
        for (each = 4096; each >= 1; each /= 64)
            for (i = 0; i < 4096 / each; i++)
                for (k = 1; k <= 64; k++)
                    for (j = 0; j < each; j++)
                        printf "%c", own[k]
    }' >"$1"
}
# differ FILE1 FILE2: prints by how much bytes differ at most.
differ()
{
    cmp -l "$1" "$2" | ${AWK:-awk} '
        function value(octal) { return int(octal / 100) * 64 + int(octal % 100 / 10) * 8 + octal % 10 }
        { d = value($2) - value($3); d = d < 0 ? -d : d; if (d > far) far = d } END { print far + 0 }'
}
# The stages, and how they are done by default below 720 rows and from 720 rows on.
while read -r stage low high; do
    for case in "512 512 $low" "256 1024 $high"; do
        set -- $case
        for tags in '' XCOLORRANGE=FULL; do
            [ -f colors$1$tags ] || colors colors$1$tags "$tags" $1 $2
            gf -i colors$1$tags -t y4m $stage -o default.y4m 2>errors
            gf --video rgb -i colors$1$tags -t y4m $stage -o rgb.y4m 2>errors
            gf --video planes -i colors$1$tags -t y4m $stage -o planes.y4m 2>errors
            far=$(differ planes.y4m rgb.y4m)
            is "$stage, $2 rows $tags" "$([ "$far" -le 1 ] && echo planes || echo rgb)" $3
            same $3.y4m default.y4m "$stage, $2 rows $tags: the default"
        done
    done
done <<'END'
brightness:0.1 planes planes
brightness:-0.7 planes planes
contrast:1.3 planes planes
contrast:4 planes planes
contrast:-0.6 planes planes
invert planes planes
levels:0.2,0.9 planes planes
levels:0.45,0.55 planes planes
levels:0.2,0.9,1.4 rgb rgb
gamma:1.8 rgb rgb
saturate:1.4 planes rgb
saturate:4 planes rgb
saturate:0 planes rgb
gray planes rgb
gray:rec709 rgb planes
END

# ---- with --video planes, each plane is filtered as a gray image; chroma with lengths on its own grid

# split FILE W H CHROMA_W CHROMA_H: writes the planes as y.pgm, u.pgm and v.pgm.
split()
{
    tail -c +$(($(header "$1" | wc -c) + 7)) "$1" >bare
    { printf 'P5\n%d %d\n255\n' $2 $3; head -c $(($2 * $3)) bare; } >y.pgm
    { printf 'P5\n%d %d\n255\n' $4 $5; tail -c +$(($2 * $3 + 1)) bare | head -c $(($4 * $5)); } >u.pgm
    { printf 'P5\n%d %d\n255\n' $4 $5; tail -c +$(($2 * $3 + $4 * $5 + 1)) bare | head -c $(($4 * $5)); } >v.pgm
}
video in.y4m C420jpeg 32 24 16 12 8 1
split in.y4m 32 24 16 12
while read -r stage chroma; do
    is "$stage: RGB by default" "$(planes -i in.y4m $stage)" 0
    works "$stage: in planes on request" gf --video planes -i in.y4m $stage -o out.y4m
    rm -f joined
    for plane in y u v; do
        gf -i $plane.pgm $([ $plane = y ] && echo $stage || echo $chroma) -o part.pgm
        tail -n +4 part.pgm >>joined
    done
    tail -c +$(($(header out.y4m | wc -c) + 7)) out.y4m >bare
    same joined bare "$stage: each plane by itself"
    gf --video planes --segment 1 --lanes 3 -i in.y4m $stage -o part.y4m
    same out.y4m part.y4m "$stage: planes in segments"
    gf --video planes $stage <in.y4m >part.y4m
    same out.y4m part.y4m "$stage: planes from a pipe"
done <<'END'
blur:2 blur:1
blur:2,radius=5 blur:1,radius=3
box:3 box:2
median:1 median:1
median:4 median:2
sharpen:1.5,2 sharpen:1.5,1
unsharp:4x2+1.2+0 unsharp:2x1+1.2+0
resize:16x12 resize:8x6
resize:64x48,filter=cubic resize:32x24,filter=cubic
END
is 'planes of another depth' "$(planes --depth 16 -i in.y4m flip)" 1
gf --depth 16 -i in.y4m flip -o deep.y4m
is 'planes of 8 bits are multiplied by 256 for 16 bits' \
    "$(samples deep.y4m 16 | ${AWK:-awk} '{ print $1 % 256 }' | sort -u)" 0
gf --depth 8 -i deep.y4m flip -o out.y4m
is 'planes of 16 bits become 8 bits again' "$(apart in.y4m out.y4m 8)" 0
sed '1s/420jpeg/420mpeg2/' in.y4m >left.y4m
is 'chroma would be elsewhere: RGB' "$(planes --depth 16 -i left.y4m flip)" 0
video in.y4m 'C420jpeg' 32 24 16 12 8 5
gf -i in.y4m flip brightness:0.1 -o out.y4m
for way in '-j 1 --lanes 1' '-j 3' '--segment 1 --lanes 2'; do
    gf $way -i in.y4m flip brightness:0.1 -o part.y4m
    same out.y4m part.y4m "five frames, $way"
done

# ---- what planes cannot do is done on RGB, and --video planes says so

# returns STAGES...: in.y4m, which is $layout, needs RGB, whatever --video says.
returns()
{
    is "$layout, $*: RGB" "$(planes -i in.y4m "$@") $(planes --video planes -i in.y4m "$@")" '0 0'
    gf --video planes -i in.y4m "$@" -o out.y4m 2>errors
    is "$layout, $*: RGB in spite of --video planes gives a warning" \
        "$(grep -c 'warning: .*--video planes has no effect: .* cannot work on these planes' errors)" 1
    gf -i in.y4m "$@" -o rgb.y4m 2>errors
    same rgb.y4m out.y4m "$layout, $*: RGB in spite of --video planes gives the result of RGB"
    refuses 1 'no effect' "$layout, $*: --video planes is an error with --strict" \
        gf --strict --video planes -i in.y4m "$@" -o never.y4m
}
layout=4:2:0
for stages in crop:8x8+1+2 crop:8x8+2+1 crop:7x8 pad:1,2 'pad:2,bg=#102030' hue:30 blur:2,edge=zero 'flip equalize' \
    resize:15x12 resize:50%,light=linear rotate:30 gray:average; do
    returns $stages
done
# reason STAGE TEXT: the warning says why.
reason()
{
    gf --video planes -i in.y4m "$1" -o out.y4m 2>errors
    is "$1: the warning says why --video planes has no effect" \
        "$(sed -n 's/.*no effect: \(.*\); frames are converted.*/\1/p' errors)" "$1 cannot work on these planes$2"
}
grid='in 4:2:0, sizes and positions must be multiples of 2 columns and 2 rows'
reason crop:8x7 " (32x24 to 8x7); $grid"
reason crop:8x8+1+2 " (32x24 to 8x8); $grid"
reason hue:30 ''
reason blur:2,edge=zero ''
video in.y4m 'C420jpeg It' 32 24 16 12 8 1
reason crop:8x6 ' (32x24 to 8x6); in 4:2:0, sizes and positions must be multiples of 2 columns and 4 rows'
video in.y4m C422 32 24 16 24 8 1
reason blur:2 ' of 4:2:2, which have fewer columns but not fewer rows'
reason crop:7x8 ' (32x24 to 7x8); in 4:2:2, sizes and positions must be multiples of 2 columns'
video in.y4m C420jpeg 31 23 16 12 8 1
layout='4:2:0 of odd sizes'
for stages in flip flop resize:16x12 rotate:90; do
    returns $stages
done
is 'odd sizes can be transposed' "$(planes -i in.y4m transpose)" 1
follows 0 transpose '31 23 2 2 8'
video in.y4m C422 32 24 16 24 8 1
layout=4:2:2
for stages in transpose rotate:90 blur:2 median:1; do
    returns $stages
done
video in.y4m C420mpeg2 32 24 16 12 8 1
for stages in flop transpose rotate:90; do
    is "chroma on the left, $stages: not by default" "$(planes -i in.y4m $stages)" 0
    is "chroma on the left, $stages: planes on request" "$(planes --video planes -i in.y4m $stages)" 1
done
is 'flip is in planes' "$(planes -i in.y4m flip)" 1
is 'flip with --video rgb is not in planes' "$(planes --video rgb -i in.y4m flip)" 0
gf -i in.y4m flip -o out.png
gf --video planes -i out.png flip -o again.png 2>errors
is '--video planes for an image gives a warning' "$(grep -c 'no effect: only Y4M has planes' errors)" 1
gf --video planes -i in.y4m nlmeans:frames=2 fps:10 -o out.gif 2>errors
is '--video planes for stages of several frames and a GIF gives a warning with its reason' \
    "$(grep -c 'and only until a stage or the output needs red, green and blue' errors)" 1
gf --video planes -i in.y4m flip -o out.png 2>errors
is '--video planes for a PNG output gives a warning' \
    "$(grep -c 'the output does not have the planes of the input' errors)" 1
video in.y4m C420jpeg 32 720 16 360 8 1
is 'a crop that changes the matrix is in RGB' "$(planes -i in.y4m crop:32x360)" 0
is 'the plan says that the matrix changes' "$(gf --explain -i in.y4m crop:32x360 -o out.y4m | grep '^video')" \
    'video:  converted to red, green and blue, from BT.709 to BT.601 because of the new height'
gf --video planes -i in.y4m crop:32x360 -o out.y4m 2>errors
is '--video planes for a crop that changes the matrix gives a warning' \
    "$(grep -c 'keeps colors of BT.709, but players expect BT.601' errors)" 1
# Rows of chroma belong to alternate fields, so a crop moves by two of them.
video in.y4m C420jpeg 32 24 16 12 8 1
sed '1s/Ip/It/' in.y4m >it.y4m
is 'a crop of interlaced 4:2:0' "$(planes -i it.y4m crop:32x8+0+4) $(planes -i it.y4m crop:32x8+0+2)" '1 0'
is 'a flip of interlaced 4:2:0' "$(planes -i it.y4m flip)" 1
is 'the plan names the stage' "$(gf --explain -i in.y4m flip hue:30 blur -o out.y4m | grep '^video')" \
    'video:  converted to red, green and blue for hue:30'
works 'a crop of interlaced 4:2:0 mixes no fields' gf --strict -i it.y4m crop:32x8+0+4 -o out.y4m
finish
