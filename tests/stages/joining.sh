# Stages that make one image of many, montage, append, untile and stack: known answers, geometry, errors.
. "$(dirname "$0")/lib_answers.sh"

# gray_file NAME WIDTH HEIGHT VALUE...: writes a PGM.
gray_file() { name=$1; shift; gray "$@"; mv in.pgm "$name"; }
# samples FILE: prints the size and the samples of a PNM.
samples()
{
    echo "$(sed -n 2p "$1"): $(tail -c +$(($(head -n 3 "$1" | wc -c) + 1)) "$1" | numbers u1)"
}
# joined WANTED ARGUMENT...: tests the result for a.pgm, b.pgm and c.pgm.
joined()
{
    wanted=$1
    shift
    gf -i a.pgm -i b.pgm -i c.pgm "$@" -t pnm -o out.pnm 2>errors
    is "$*" "$(samples out.pnm)$(cat errors)" "$wanted"
}

# ---- places ----
gray_file a.pgm 2 1  10 20
gray_file b.pgm 1 2  30 40
gray_file c.pgm 1 1  50
joined '4 2: 10 20 30 50 0 0 40 0' append:x
joined '4 2: 0 0 30 0 10 20 40 50' append:x,align=end
joined '6 2: 10 20 255 30 255 50 255 255 255 40 255 255' append:x,gap=1,bg=white
joined '2 4: 10 20 30 0 40 0 50 0' append:y
joined '2 4: 10 20 0 30 0 40 0 50' append:y,align=center
joined '4 3: 0 0 0 30 10 20 0 40 0 50 0 0' montage:2
joined '5 4: 0 0 0 0 30 10 20 0 0 40 0 0 0 0 0 0 50 0 0 0' montage:2,gap=1
joined '4 2: 245 235 225 205 0 0 215 0' invert append:x
joined '4 2: 50 30 20 10 0 40 0 0' append:x flop
joined '2 4: 10 20 0 30 0 40 0 50' montage:1
gray_file wide.pgm 4 2  1 2 3 4 5 6 7 8
gf -i wide.pgm montage:1,size=2x2 -o small.pgm
is 'images keep their proportions in a tile' \
    "$(gf -i wide.pgm montage:1,size=2x2 --explain | grep -c 'output: 2x1')" 1
gf -i wide.pgm resize:2x1 -o known.pgm
is 'an image is in the middle of its tile' "$(samples small.pgm)" \
    "2 2: 0 0 $(samples known.pgm | sed 's/.*: //')"

# ---- formats ----
rgb 1 1  1 2 3
mv in.ppm color.ppm
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\100' >veil.pam
printf 'P5 1 1 65535\n\001\002' >deep.pgm
gf -i c.pgm -i color.ppm append:x -o out.ppm
is 'gray beside color becomes color' "$(samples out.ppm)" '2 1: 50 50 50 1 2 3'
gf -i color.ppm -i veil.pam append:x -o out.pam
is 'alpha beside color' "$(tail -c 8 out.pam | numbers u1)" '1 2 3 255 200 200 200 64'
gf -i color.ppm -i veil.pam append:x,gap=1 -o out.pam
is 'a gap is transparent if there is alpha' "$(tail -c 12 out.pam | numbers u1)" '1 2 3 255 0 0 0 0 200 200 200 64'
gf -i c.pgm -i deep.pgm append:x -o out.pgm
is '8 bits beside 16' "$(head -n 3 out.pgm | tail -n 1) $(tail -c 4 out.pgm | numbers u1)" '65535 50 50 1 2'
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE DATA\nENDHDR\n12' >two.pam
refuses 1 'image 2 has 2 channels, and others have 3' 'channels that do not fit' \
    gf -i color.ppm -i two.pam append:x -o o.pam

# ---- several results, and a background ----
gf -i a.pgm -i b.pgm -i c.pgm montage:1,rows=2 -o 'sheet-{n}.pgm'
is 'a sheet has as many rows as it may' "$(samples sheet-1.pgm)" '2 3: 10 20 0 30 0 40'
is 'the last sheet has the rest' "$(samples sheet-2.pgm)" '1 1: 50'
gf -i a.pgm -i b.pgm -i c.pgm montage:1,rows=2 -o sheets.pgm
cat sheet-1.pgm sheet-2.pgm | cmp - sheets.pgm >differs 2>&1
is 'all sheets in one file' "$? $(cat differs)" '0 '
is 'a table has the number of the sheet' \
    "$(gf -i a.pgm -i b.pgm -i c.pgm montage:1,rows=2 stats -t tsv | cut -f 1 | tr '\n' ' ')" 'frame 1 2 '
gf -i veil.pam -i color.ppm append:x,bg=white -o out.ppm
is 'an opaque background is under transparent images' "$(samples out.ppm)" '2 1: 241 241 241 1 2 3'
gf -i veil.pam -i veil.pam append:x,bg=#808080 -o out.pgm
is 'a gray background is under gray images' "$(samples out.pgm)" '2 1: 146 146'
gf -i veil.pam -i color.ppm blur:1 append:x -o out.ppm 2>errors
is 'alpha is not lost in silence' "$(grep -c 'transparent pixels become black' errors)" 1

# ---- many images of one file, and pipes ----
gf --join -i a.pgm -i c.pgm -i b.pgm -o frames.pgm
gf -i frames.pgm append:x -o out.pgm
is 'all images of a file are joined' "$(samples out.pgm)" '4 2: 10 20 50 30 0 0 0 40'
gf append:x <frames.pgm >piped.pgm
same piped.pgm out.pgm 'images of a pipe are joined'
gf -i frames.pgm -i c.pgm --images 1 append:x -o out.pgm
is 'a number of images is for each file before a stage joins' "$(samples out.pgm)" '3 1: 10 20 50'

# ---- tiles of one image ----
image whole.ppm 21 13 3 255 4
for part in 0+0 10+0 20+0 0+6 10+6 20+6 0+12 10+12 20+12; do
    x=${part%+*} y=${part#*+}
    left=$((x > 0 ? x - 2 : 0)) top=$((y > 0 ? y - 2 : 0))
    right=$((x + 12 < 21 ? x + 12 : 21)) bottom=$((y + 8 < 13 ? y + 8 : 13))
    gf -i whole.ppm crop:$((right - left))x$((bottom - top))+$left+$top -o "tile-$y-$x.ppm"
done
gf -i 'tile-*.ppm' untile:3,overlap=2 -o out.ppm
same out.ppm whole.ppm 'tiles with an overlap become the image again'
for part in 12+0 24+8 22+28; do
    gf -i whole.ppm resize:50x6 -o wide.ppm
    gf -i wide.ppm crop:${part%+*}x6+${part#*+}+0 -o "uneven-${part#*+}.ppm"
done
gf -i 'uneven-*.ppm' untile:3,overlap=2 -o out.ppm
same out.ppm wide.ppm 'tiles of several widths with an overlap'
refuses 1 'untile: 9 tiles do not fill rows of 4' 'tiles that do not fill the last row' \
    gf -i 'tile-*.ppm' untile:4 -o o.ppm
refuses 1 'untile: tile 2 is 13 pixels wide, but another one in its column is 12' 'tiles of other widths' \
    gf -i tile-0-0.ppm -i tile-0-10.ppm -i tile-0-20.ppm untile:1 -o o.ppm
refuses 1 'tile 3 is 3x8, too small for overlap=5' 'tiles smaller than the overlap' \
    gf -i tile-0-0.ppm -i tile-0-10.ppm -i tile-0-20.ppm untile:3,overlap=5 -o o.ppm

# ---- labels ----
gf -i c.pgm -i c.pgm montage:2,label,size=60x20 -o labels.pgm
is 'a label makes tiles higher' "$(sed -n 2p labels.pgm)" '120 42'
gf -i labels.pgm crop:60x22+0+20 -o one.pgm
gf -i labels.pgm crop:60x22+60+20 -o two.pgm
is 'letters are brighter than a dark background' \
    "$(gf -i one.pgm stats -t tsv | awk 'NR == 2 { print ($2 == 0), ($3 > 0.5) }')" '1 1'
is 'further images of a file have a number' "$(cmp -s one.pgm two.pgm || echo differ)" differ
gf -i c.pgm -i c.pgm montage:2,label,size=60x20,bg=white -o bright.pgm
gf -i bright.pgm crop:60x22+0+20 invert -o ink.pgm
same ink.pgm one.pgm 'letters are black on a bright background'
cp c.pgm a-long-name-that-does-not-fit.pgm
works 'a long name is cut' gf -i a-long-name-that-does-not-fit.pgm montage:1,label,size=30x20 -o cut.pgm
is 'a long name does not widen its tile' "$(sed -n 2p cut.pgm)" '30 42'

# ---- stacks ----
gray_file a.pgm 3 1  10 20 255
gray_file b.pgm 3 1  12 60 255
gray_file c.pgm 3 1  30 40 0
joined '3 1: 17 40 170' stack:mean
joined '3 1: 12 40 255' stack:median
joined '3 1: 10 20 0' stack:min
joined '3 1: 30 60 255' stack:max
joined '3 1: 9 16 120' stack:sigma
joined '3 1: 11 40 255' stack:clip,1
joined '3 1: 17 40 170' levels:0,3 stack:sum
is 'an even number has two in the middle' \
    "$(gf -i a.pgm -i b.pgm stack:median -t pgm | tail -c 3 | numbers u1)" '11 40 255'
gf -i a.pgm -i b.pgm stack:sum -o sum.pfm
is 'a sum may exceed white' \
    "$(tail -c 12 sum.pfm | numbers f4 | awk '{ printf "%.4f %.4f %g", $1 * 255, $2 * 255, $3 }')" \
    '22.0000 80.0000 2'
gf -i a.pgm -i b.pgm stack:sum -o clipped.pgm 2>errors
is 'a sum that is clipped causes a warning' "$(grep -c 'lie outside 0 to 1' errors)" 1
printf 'P5 1 1 65535\n\377\377' >white.pgm
gf -i white.pgm -i white.pgm -i white.pgm stack:mean -o out.pgm
is '16 bits stay 16 bits' "$(tail -c 2 out.pgm | numbers u1)" '255 255'
is 'the depth is that of the images' \
    "$(gf -i a.pgm blur:1 stack:mean -o o.png -v 2>&1 | grep '^output' | tail -n 1)" \
    'output: 3x1 gray u8'
printf 'Pf\n2 1\n-1\n\0\0\300\177\0\0\200\077' >missing.pfm
printf 'Pf\n2 1\n-1\n\0\0\200\077\0\0\0\100' >there.pfm
for value in mean median min max sum sigma clip; do
    gf -q -i there.pfm -i missing.pfm -i there.pfm stack:$value -o out.pfm 2>errors
    is "not a number in stack:$value" "$(tail -c 8 out.pfm | numbers f4 | awk '{ print $1 }' | tr -d -- -)" nan
done
refuses 1 'b.pgm: is 2x1 here, but a.pgm is 3x1; stack needs images of one size' 'images of several sizes' \
    sh -c '"$GPUFILTER" -q -i wide.pgm resize:2x1 -o b.pgm; "$GPUFILTER" -i a.pgm -i b.pgm stack:mean -o o.pgm'
refuses 1 'color.ppm: has 3 channels here, but c.pgm has 1' 'images of several channels' \
    sh -c '"$GPUFILTER" -q -i c.pgm resize:1x1! -o /dev/null 2>/dev/null; "$GPUFILTER" -q -i c.pgm resize:1x1 -o c.pgm
           "$GPUFILTER" -i c.pgm -i color.ppm stack:mean -o o.pgm'

# ---- the rest of the command ----
refuses 2 'append: montage has made one image of all before' 'two joining stages' \
    gf -i a.pgm montage:1 append:x -o o.pgm
refuses 2 'tee: cannot be before stack' 'a tee before a joining stage' gf -i a.pgm tee:t.pgm stack:mean -o o.pgm
refuses 2 'size= must be the size of a tile, such as 200x150' 'a share of a size' \
    gf -i a.pgm montage:1,size=20% -o o.pgm
gf -i a.pgm montage:1,size=20 -o square.pgm
is 'one side is that of a square' "$(sed -n 2p square.pgm)" '20 20'
refuses 1 'montage: size=: resize: 3x1 to 16777217x5592406 is too large' 'a size that is too large' \
    gf -i a.pgm montage:1,size=16777217x16777217 -o o.pgm
refuses 2 'kappa= is for clip, not for mean' 'a kappa without clip' gf -i a.pgm stack:mean,2 -o o.pgm
refuses 1 'append: its result of 5x1 has more than 4 pixels' 'too many pixels together' \
    gf -i a.pgm -i b.pgm append:x --max-pixels 4 -o o.pgm
refuses 1 'deep.pgm: has samples up to 65535, but c.pgm has samples up to 255; put clamp before stack' \
    'images of two depths' gf -i c.pgm -i deep.pgm stack:mean -o o.pgm
works 'the advice about two depths' gf -i c.pgm -i deep.pgm clamp stack:mean -o clamped.png
is 'the larger depth is that of the output' \
    "$(gf -i c.pgm -i deep.pgm clamp stack:mean -o o.png -v 2>&1 | grep '^output' | tail -n 1)" 'output: 1x1 gray u16'
touch there.png
refuses 1 'there.png: already exists' 'an output that exists' gf -n -i a.pgm -i b.pgm append:x -o there.png
printf 'Pf\n1 1\n-1\n\0\0\240\100' >five.pfm
gf -i c.pgm -i five.pfm clamp:0,9 append:x -o clipped.png 2>errors
is 'floats beside integers are not clipped in silence' "$(grep -c 'lie outside 0 to 1' errors)" 1
refuses 2 'all inputs make one output; leave out {stem}' 'a name for each input' gf -i a.pgm montage:1 -o '{stem}.png'
refuses 2 'is a folder, but all inputs make one output; name a file$' 'a folder for one output' \
    gf -i a.pgm montage:1 -o o/
refuses 2 'montage makes one output of all inputs, so --shard cannot' 'shards of one output' gf -i a.pgm montage:1 \
    --shard 1/2 -o o.pgm
refuses 2 'montage: joins the images itself' 'a size of all before a joining stage' gf --join=fit -i a.pgm montage:1 \
    -o o.pgm
refuses 1 'crop: 9x9+0+0 is not inside the image, which is 3x1' 'a wrong stage after a stack' \
    gf -i a.pgm stack:median crop:9x9+0+0 -o o.pgm
is 'nothing is left of what was refused' "$(ls o.pgm o 2>/dev/null)" ''
is 'a table of what images became' "$(gf -i a.pgm stack:mean stats -t tsv | awk 'NR == 2 { print $3 * 255 }')" 255
image noise.ppm 200 150 3 255 7
image other.ppm 200 150 3 255 8
gf -i noise.ppm -i other.ppm blur:2 stack:mean sharpen -o plain.png
for how in '-j 1' '-j 4' '--memory 1M' '--segment 7'; do
    works "stack:mean with $how" gf -i noise.ppm -i other.ppm blur:2 stack:mean sharpen $how -o cut.png
    same cut.png plain.png "the same bytes with $how"
done
gf -i noise.ppm -i other.ppm -i noise.ppm stack:median -o plain.png
TMPDIR=$PWD gf --memory 1M -i noise.ppm -i other.ppm -i noise.ppm stack:median -o cut.png 2>errors
same cut.png plain.png 'the same bytes with images on disk'
is 'a note says how much is on disk' \
    "$(grep -c 'note: stack: keeps all images until the end, about 263.7 KB in' errors)" 1
sleep 1
touch a.pgm
works 'an output to be updated' gf --update -i a.pgm -i noise.ppm append:x -o updated.png
is 'it is up to date' "$(gf -v --update -i a.pgm -i noise.ppm append:x -o updated.png 2>&1 | grep -c 'up to date')" 1

# ---- other programs ----
if command -v montage >/dev/null && command -v convert >/dev/null; then
    for n in 1 2 3 4 5; do
        image "m$n.ppm" $((20 + 3 * n)) $((30 - 4 * n)) 3 255 $n
    done
    convert m1.ppm m2.ppm m3.ppm +append theirs.ppm
    gf -i m1.ppm -i m2.ppm -i m3.ppm append:x,bg=white -o ours.ppm
    same ours.ppm theirs.ppm 'ImageMagick appends to the right'
    convert -background white m1.ppm m2.ppm m3.ppm -append theirs.ppm
    gf -i m1.ppm -i m2.ppm -i m3.ppm append:y,bg=white -o ours.ppm
    same ours.ppm theirs.ppm 'ImageMagick appends below'
    montage -background black -geometry 40x30+3+3 -tile 2x m?.ppm theirs.ppm
    gf -i 'm?.ppm' montage:2,size=40x30,gap=6 pad:3 -o ours.ppm
    is 'ImageMagick arranges tiles of the same size' "$(sed -n 2p ours.ppm)" "$(sed -n 2p theirs.ppm)"
    gf -i ours.ppm compare:theirs.ppm,min-psnr=25 >out 2>&1
    is 'images are at the same places' "$?" 0
    convert m1.ppm -resize 23x26! n1.ppm
    convert m2.ppm -resize 23x26! n2.ppm
    for value in mean median min max; do
        convert n1.ppm n2.ppm n1.ppm n2.ppm n2.ppm -evaluate-sequence $value -depth 16 theirs.ppm
        gf -i n1.ppm -i n2.ppm -i n1.ppm -i n2.ppm -i n2.ppm stack:$value --depth 16 -o ours.ppm
        gf -i ours.ppm compare:theirs.ppm,min-psnr=90 >out 2>&1
        is "ImageMagick evaluates a sequence: $value" "$?" 0
    done
else
    skip 'places and values of ImageMagick: it is not here'
fi
finish
