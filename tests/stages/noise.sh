# Known answers for noise, worked out by hand, and its distribution.
. "$(dirname "$0")/lib_answers.sh"

# noise: six numbers, computed from kernels/pixel/noise.h by another program.
gray 6 1  100 100 100 100 100 100
picture '91 87 120 94 113 102' noise:0.1,uniform
picture '137 65 107 134 81 84' noise:0.1
picture '76 122 121 122 116 125' noise:0.1,uniform,seed=7
picture '163 92 91 105 100 96' noise:0.1,seed=7
gray 3 2  100 100 100 100 100 100
is 'the position of noise counts across rows' "$(gf -i in.pgm noise:0.1 -t pgm | tail -c 6 | numbers u1)" \
    '137 65 107 134 81 84'
cat in.pgm in.pgm | gf noise:0.1,uniform -t pnm -o out.pnm
is 'the second image has other noise' "$(tail -c 6 out.pnm | numbers u1)" '95 102 124 79 92 121'
rgb 2 1  100 100 100 100 100 100
is 'each color has its own noise' \
    "$(gf -i in.ppm noise:0.1,uniform -t ppm | tail -c 6 | numbers u1)" '91 87 120 94 113 102'
picture '91 91 91 94 94 94' noise:0.1,uniform,mono
rm in.ppm
# The distribution of 786432 numbers.
printf 'P6\n512 512\n255\n' >flat.ppm
head -c 786432 /dev/zero | tr '\000' '\200' >>flat.ppm
# spread NAME LEAST MOST COLUMN ARGUMENT...: tests a column of stats for red.
spread()
{
    what=$1 least=$2 most=$3 column=$4
    shift 4
    found=$(gf -i flat.ppm brightness:-0.50196078 "$@" stats -t tsv |
        ${AWK:-awk} -v c="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } NR == 2 { print $at }')
    is "$* $what: $found" "$(${AWK:-awk} -v v="$found" -v l="$least" -v m="$most" \
        'BEGIN { print (v + 0 == v && v >= l && v <= m) }')" 1
}
for seed in 1 2; do
    spread "normal noise, seed $seed: mean of 0" -.006 .006 mean noise:1,seed=$seed
    spread 'standard deviation as requested' .994 1.006 sd noise:1,seed=$seed
    spread 'share above one: a sixth' .1557 .1617 mean noise:1,seed=$seed threshold:1
    spread 'share above two: 1 in 44' .0216 .0239 mean -q noise:1,seed=$seed threshold:2
    spread 'share above three: 1 in 740' .00105 .00165 mean -q noise:1,seed=$seed threshold:3
    spread 'share below minus one: a sixth' .1557 .1617 mean -q noise:1,seed=$seed invert threshold:2
    spread 'maximum between 4 and 6.67' 4 6.67 max noise:1,seed=$seed
    spread "uniform noise, seed $seed: mean of 0" -.006 .006 mean noise:1,uniform,seed=$seed
    spread 'standard deviation of a uniform distribution' .5743 .5804 sd noise:1,uniform,seed=$seed \
        # the root of a third
    spread 'maximum of 1' .9999 1 max noise:1,uniform,seed=$seed
    spread 'share of the last tenth: a tenth' .0482 .0518 mean noise:1,uniform,seed=$seed threshold:.9
done
# Two channels, two seeds and two neighbors are independent, so the squared differences are twice
# the variance.
spread 'difference of red and green' 1.405 1.423 sd noise:1 'matrix:[1 -1 0]'
spread 'difference of a pixel and the next' 1.405 1.423 sd noise:1 'conv:[1 -1 0]'
spread 'difference of a pixel and the one below' 1.405 1.423 sd noise:1 'conv1d:[1 -1 0],axis=y'
spread 'difference of two seeds' 1.405 1.423 sd noise:1 invert brightness:-1 noise:1,seed=3
spread 'mono: red is not above green' 0 0 max noise:1,mono 'matrix:[1 -1 0]'
spread 'mono: blue is not below green' 0 0 min noise:1,mono 'matrix:[0 -1 1]'
spread 'difference of one seed, twice' 0 .000001 sd noise:1 invert brightness:-1 noise:1
gf -i flat.ppm noise:.2 -o once.ppm
gf -i flat.ppm noise:.2 -o twice.ppm
same once.ppm twice.ppm 'noise: the same in every run'
cat flat.ppm flat.ppm flat.ppm | gf noise:.2 -t pnm -o three.ppm
head -c 786447 three.ppm | cmp - once.ppm >differs 2>&1
is 'the first frame has the noise of an image' "$(cat differs)" ''
is 'each frame has its own noise' \
    "$(for k in 1 2 3; do head -c $((k * 786447)) three.ppm | tail -c 786432 | cksum; done | sort -u | wc -l |
    tr -d ' ')" 3
cat flat.ppm flat.ppm flat.ppm | gf --lanes 1 -j 1 noise:.2 -t pnm -o other.ppm
same three.ppm other.ppm 'the noise of frames is the same for any number of lanes'
gf -i flat.ppm -i once.ppm noise:.2 -o '{stem}.pnm'
same once.ppm flat.pnm 'every input starts from the beginning'

# dither of silence: 0 with probability 3/4, one step up or down with probability 1/8 each.
frames 1  0
gf -i in.wav pad:0,16000f trim:1f -o silence.wav
counts() { tail -c +45 "$1" | od -An -v -t d2 -w2 | ${AWK:-awk} -v "low=$2" -v "high=$3" '{ n[$1 + 0]++; sum += $1 }
    END { print (n[0] > 11700 && n[0] < 12300), (n[1] > 1850 && n[1] < 2150), (n[-1] + n[0] + n[1] == 16000),
        (sum > low && sum < high) }'; }
gf -i silence.wav dither -o noise.wav
is 'dither: of silence' "$(counts noise.wav -200 200)" '1 1 1 1'
# a quarter of a step becomes one step in one of four samples
gf -i silence.wav dcshift:0.00000762939453125 dither -o quarter.wav
is 'dither: the mean is kept' "$(counts quarter.wav 3800 4200 | cut -d ' ' -f 4)" 1
gf -i silence.wav dither:8 -o eight.wav
is 'dither:8: multiples of 256' "$(tail -c +45 eight.wav | od -An -v -t d2 -w2 | sort -un | tr -d ' ' | tr '\n' ' ')" \
    '-256 0 256 '
gf -i silence.wav --depth 8 dither -o byte.wav
is 'dither: as --depth says' "$(tail -c +45 byte.wav | od -An -v -t u1 -w1 | sort -un | tr -d ' ' | tr '\n' ' ')" \
    '127 128 129 '
gf -i silence.wav dither:16,seed=2 -o other.wav
is 'dither: another seed, another noise' "$(cmp -s noise.wav other.wav; echo $?)" 1
steps() { od -An -v "$@" | sort -un | tr -d ' ' | tr '\n' ' '; }
gf -i silence.wav dither -t raw:type=s8 -o byte.raw
is 'dither: as the type of raw samples says' "$(steps -t d1 -w1 byte.raw)" '-1 0 1 '
gf -i silence.wav dither -t raw:type=s24 -o three.raw
is 'dither: and of 24 bits' "$(steps -t u1 -w1 three.raw)" '0 1 255 '
gf -i silence.wav -t raw:type=f32 -o silence.f32
gf -f raw:rate=8000,channels=1,type=f32 -i silence.f32 dither -o 24.flac
gf -i 24.flac -t raw:type=s24 -o three.raw
is 'dither: floats in a FLAC have 24 bits' "$(steps -t u1 -w1 three.raw)" '0 1 255 '
refuses 1 'dither:16' 'floats stay floats' gf -f raw:rate=8000,channels=1,type=f32 -i silence.f32 dither -o out.wav
refuses 2 'dither:16' 'a lossy format has no bits' gf -i silence.wav dither -o out.ogg
refuses 2 'give the bits' 'dither of floats' gf -i silence.wav dither --depth f32 -o out.wav

finish
