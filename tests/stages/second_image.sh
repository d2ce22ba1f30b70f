# A second image: which image of its file is used, which errors there are, and where the image is
# stored.
. "$(dirname "$0")/../lib.sh"
choose_device
gf() { "$GPUFILTER" --device $device "$@"; }
numbers() { od -An -v -tu1 | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }

# flat FILE VALUE...: writes one gray image of 2 by 1 pixels for each value.
flat()
{
    file=$1
    shift
    for v in "$@"; do
        printf "P5\n2 1\n255\n\\$(printf %o $v)\\$(printf %o $v)"
    done >$file
}
# values: prints the values of several such images.
values() { tr '\n' ' ' | sed 's/P5 2 1 255 //g' | numbers; }

flat three.pgm 10 20 30
flat up.pgm 11 22 33
flat one.pgm 5
flat two.pgm 5 6
flat four.pgm 1 2 3 4
is 'the n-th image is combined with the n-th' "$(gf -i three.pgm diff:up.pgm -t pnm | values)" '1 1 2 2 3 3'
is 'the n-th image of a pipe is combined with the n-th' \
    "$(cat three.pgm | gf diff:up.pgm -t pnm | values)" '1 1 2 2 3 3'
is 'the n-th image is combined with the n-th by one worker' \
    "$(gf -j 1 --lanes 1 -i three.pgm diff:up.pgm -t pnm | values)" '1 1 2 2 3 3'
is 'one second image is combined with all images' "$(gf -i three.pgm diff:one.pgm -t pnm | values)" '5 5 15 15 25 25'
is 'extra images are ignored' "$(gf -i three.pgm diff:four.pgm -t pnm | values)" '9 9 18 18 27 27'
is 'the first of many with one' "$(gf -i one.pgm diff:up.pgm -t pnm | values)" '6 6'
is 'two files, and one twice' "$(gf -i three.pgm blend:up.pgm,add blend:one.pgm,add blend:up.pgm,subtract -t pnm |
    values)" '15 15 25 25 35 35'
refuses 1 'two.pgm: ends after image 2' 'a second file that ends before the input' \
    gf -i three.pgm diff:two.pgm -o ended.pgm
is 'a second file that ends before the input leaves no output' "$(ls | grep -c ended)" 0
is 'a second file that ends before the input ends a pipe after the last complete image' \
    "$(gf -i three.pgm diff:two.pgm -t pnm 2>errors | values)$(wc -l <errors)" '5 5 14 141'

flat a.pgm 100
flat b.pgm 200
flat a-beside.pgm 1
flat b-beside.pgm 3
gf -i a.pgm -i b.pgm diff:one.pgm -o 'all-{stem}.pgm' 2>errors
is 'one second image is combined with all inputs' "$(cat all-a.pgm all-b.pgm | values)" '95 95 195 195'
gf -i a.pgm -i b.pgm 'diff:{stem}-beside.pgm' -o 'own-{stem}.pgm' 2>errors
is 'each input has its own second image' "$(cat own-a.pgm own-b.pgm | values)" '99 99 197 197'
gf -i a.pgm -i b.pgm -i a.pgm diff:up.pgm -o 'first-{n}.pgm' 2>errors
is 'the file starts again with each input' "$(cat first-1.pgm first-2.pgm first-3.pgm | values)" '89 89 189 189 89 89'

# Second images of every format, set upright.
image turned.ppm 7 5 3 255 3
gf -i turned.ppm rotate:90 -o upright.ppm
gf -i upright.ppm levels:0,1 -o other.ppm
for ending in png pam bmp; do
    gf -i upright.ppm -o beside.$ending
    is "a second image in a .$ending" \
        "$(gf -i upright.ppm diff:beside.$ending -t pnm | tail -c 105 | numbers | tr -d ' ')" "$(printf '%0105d' 0)"
done
gf -i upright.ppm rotate:-90 -o lying.png
# An EXIF chunk with orientation 6 (rotated right), before the data.
exif() { printf '\000\000\000\032eXIfMM\000*\000\000\000\010\000\001'\
'\001\022\000\003\000\000\000\001\000\006\000\000\000\000\000\000'; }
crc() { exif | tail -c +5 | ${PYTHON:-python3} \
    -c 'import sys, zlib; sys.stdout.buffer.write(zlib.crc32(sys.stdin.buffer.read()).to_bytes(4, "big"))'; }
if command -v "${PYTHON:-python3}" >/dev/null; then
    { head -c 33 lying.png; exif; crc; tail -c +34 lying.png; } >turned.png
    works 'a second image with an orientation' gf -i upright.ppm diff:turned.png -o zero.ppm
    is 'a second image with an orientation is rotated upright' "$(tail -c 105 zero.ppm | numbers | tr -d ' ')" \
        "$(printf '%0105d' 0)"
else
    skip 'no python3 here'
fi
image deep.ppm 31 17 3 65535 4
gf -i deep.ppm diff:deep.ppm --depth f32 -o zero.pfm
is 'nothing is rounded between stages' "$(gf -i zero.pfm stats -t tsv | cut -f 2,3 | tail -n 3 | tr '\t\n' '  ')" \
    '0 0 0 0 0 0 '

# Videos combined with themselves: luma and chroma, without rounding between stages.
cat turned.ppm turned.ppm turned.ppm turned.ppm | gf invert -t y4m -o film.y4m
gf -i film.y4m diff:film.y4m,scale=1000000 --depth 8 -t pnm -o zero.ppm
is 'a video is like itself' "$(gf -i zero.ppm crop:1x1+0+0 -t pnm | tail -c 3 | numbers)" '0 0 0'
is 'a video is like itself in all of its frames' "$(tr -d '\n' <zero.ppm | tr -c 'P' ' ' | tr -d ' ')" PPPP
is 'a video is like itself: the result is black' "$(tail -c 105 zero.ppm | numbers | tr -d ' ')" "$(printf '%0105d' 0)"
works 'a mark on all frames' gf -i film.y4m over:one.pgm,1,2 -o marked.y4m
is 'a mark on all frames keeps their number' "$(grep -ao FRAME marked.y4m | wc -l)" 4

refuses 1 'over: top.pgm: No such file' 'over with a file that is not there' gf -i a.pgm over:top.pgm -o none.pgm
with() { [ $1 = blend ] && echo "$1:$2,normal" || echo "$1:$2"; }      # STAGE FILE: blend needs a mode, too
for stage in blend mask diff compare; do
    refuses 1 "$stage: top.pgm: No such file" "$stage: a file that is not there" gf -i a.pgm $(with $stage top.pgm) \
        -o none.pgm
done
refuses 2 'at=corner: must be' 'over at an unknown position' gf -i a.pgm over:b.pgm,at=corner -o none.pgm
printf 'P5\n2 1\n255\na' >short.pgm
refuses 1 short.pgm 'over with a file that is cut short' gf -i a.pgm over:short.pgm -o none.pgm
printf 'words\n' >words.txt
refuses 1 words.txt 'over with a text file' gf -i a.pgm over:words.txt -o none.pgm
sound sound.wav 100 1 1
refuses 1 'sound.wav: is audio' 'over with a recording' gf -i a.pgm over:sound.wav -o none.pgm
refuses 2 'over works on images' 'over of audio' gf -i sound.wav over:a.pgm -o none.wav
for stage in blend mask diff; do
    refuses 1 'upright.ppm is 5x7, but the image is 2x1 here' "$stage: a second image of another size" gf -i a.pgm \
        $(with $stage upright.ppm) -o none.pgm
    refuses 2 "$stage: missing value for file" "$stage without a second image" gf -i a.pgm $stage -o none.pgm
    refuses 2 'missing the name of an' "$stage: the second image on standard input" \
        gf -i a.pgm $(with $stage -) -o none.pgm
done
# Two channels that are not alpha cannot be paired with one or three.
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE CHANNELS\nENDHDR\n\001\002\003\004' >pair.pam
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CHANNELS\nENDHDR\nabcdefgh' >quartet.pam
printf 'P6 2 1 255\nABCDEF' >colors.ppm
for stage in over blend diff compare; do
    refuses 1 "$stage: pair.pam has 2 color channels, but the image has 3 here" "$stage: two channels with three" \
        gf -i colors.ppm $(with $stage pair.pam) -o none.pgm
    refuses 1 "$stage: colors.ppm has 3 color channels, but the image has 2 here" "$stage: three channels with two" \
        gf -i pair.pam $(with $stage colors.ppm) -o none.pgm
    works "$stage: two channels with two" gf -i pair.pam $(with $stage pair.pam) -o -
done
refuses 1 'mask: pair.pam has 2 color channels' 'mask: a file of two channels' gf -i a.pgm mask:pair.pam -o none.pam
refuses 1 'mask: the image has 4 color channels; must be gray or RGB' 'mask: an image of four channels' \
    gf -i quartet.pam mask:a.pgm -o none.pam
works 'mask: two channels by a color file' gf -i pair.pam mask:colors.ppm -o -
refuses 2 "blend: mode" 'blend with an unknown mode' gf -i a.pgm blend:b.pgm,burned -o none.pgm
refuses 2 "opacity" 'blend with an opacity above 1' gf -i a.pgm blend:b.pgm,add,1.5 -o none.pgm
refuses 2 'a chain can read at most 8' 'a chain with nine second images' \
    gf -i a.pgm over:a.pgm over:b.pgm over:one.pgm over:two.pgm over:three.pgm over:four.pgm over:up.pgm \
    over:own-a.pgm over:own-b.pgm -o none.pgm
is 'refused second images leave no files' "$(ls | grep -c none)" 0
is '--explain names the second image' "$(gf -i a.pgm over:b.pgm --explain | grep -c 'b.pgm, 2x1 gray u8')" 1

# If memory is short, the second image is stored on disk; the bytes stay the same.
image large.ppm 700 900 3 255 7
image other.ppm 700 900 3 255 8
gf -i large.ppm blur:2 blend:other.ppm,screen rotate:10 -o roomy.ppm
works 'a second image in 4 MB of memory' gf --memory 4M -i large.ppm blur:2 blend:other.ppm,screen rotate:10 -o \
    narrow.ppm
same roomy.ppm narrow.ppm 'a second image in 4 MB of memory gives the same bytes'
is 'a second image in 4 MB of memory is read from disk' \
    "$(gf --memory 4M -i large.ppm blend:other.ppm,normal --explain |
    grep -c "^second image.* in ${TMPDIR:-/var/tmp}")" 1
finish
