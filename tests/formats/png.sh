# PNG: any number of threads, exchange with other programs, orientation, metadata.
. "$(dirname "$0")/../lib.sh"

# ---- bands: the number of threads changes neither the file nor the samples

image strip.ppm 1000 9 3 255 3
# tall HEIGHT FILE: writes an image with rows of 3000 bytes that all differ.
tall()
{
    { printf 'P6\n1000 %d\n255\n' $1; i=0; while [ $i -lt $(($1 / 9 + 1)) ]; do tail -c 27000 strip.ppm; i=$((i + 1))
        done; } |
        head -c $((16 + 3000 * $1)) >"$2"
}
for rows in 173 174 175 348 349 700; do          # 174 rows make a band
    tall $rows tall.ppm
    works "a PNG of $rows rows" gf -j 1 -i tall.ppm -o one.png
    for threads in 2 3 7; do
        gf -j $threads -i tall.ppm -o many.png
        cmp -s one.png many.png || break
    done
    same one.png many.png "a PNG of $rows rows has the same bytes, however many threads"
    works "a PNG of $rows rows is read" gf -i one.png -o back.ppm
    same tall.ppm back.ppm "a PNG of $rows rows has the same samples"
done
for level in 0 1 5; do
    works "a PNG with --compression $level" gf --compression $level -i tall.ppm -o level$level.png
    gf -i level$level.png -o back.ppm
    same tall.ppm back.ppm "a PNG with --compression $level has the same samples"
done
is 'stored is larger' "$(($(wc -c <level0.png) > 700 * 3000 && $(wc -c <level5.png) < $(wc -c <level0.png)))" 1
is 'one row of the widest' "$(gf -i strip.ppm crop:1000x1 -t png | gf -t ppm | wc -c | tr -d ' ')" 3014

# ---- other programs

# seen NAME COMMAND...: expects the samples of tall.ppm.
seen()
{
    name=$1
    shift
    if [ "$1" = convert ] && ! have_convert; then
        skip 'convert is not ImageMagick here'
    elif command -v "$1" >/dev/null; then
        "$@" >seen.ppm 2>errors
        tail -c $((700 * 3000)) seen.ppm >seen.raw
        same tall.raw seen.raw "$name"
    else
        skip "no $1 here"
    fi
}
tail -c $((700 * 3000)) tall.ppm >tall.raw
seen 'pngtopnm reads a PNG of ours' pngtopnm one.png
seen 'ImageMagick reads a PNG of ours' convert one.png -depth 8 ppm:-
if command -v vips >/dev/null; then
    seen 'vips reads a PNG of ours' sh -c 'vips copy one.png vips.ppm && cat vips.ppm'
else
    skip 'no vips here'
fi
if command -v pnmtopng >/dev/null; then
    pnmtopng -interlace <tall.ppm >interlaced.png 2>errors
    gf -i interlaced.png -o back.ppm
    same tall.ppm back.ppm 'an interlaced one by pnmtopng'
else
    skip 'no pnmtopng here'
fi

# ---- orientations: abc over def, stored in eight ways

# lying ORIENTATION CRC FILE: writes a PNG with that EXIF orientation.
lying()
{
    printf '\211\120\116\107\015\012\032\012' >"$3"
    printf '\000\000\000\015\111\110\104\122\000\000\000\003\000\000\000\002\010\000\000\000\000\270\037\071\306' >>"$3"
    printf '\000\000\000\032\145\130\111\146\115\115\000\052' >>"$3"
    printf '\000\000\000\010\000\001\001\022\000\003\000\000\000\001' >>"$3"
    printf '\000'"$(printf '\\%03o' "$1")"'\000\000\000\000\000\000'"$2" >>"$3"
    printf '\000\000\000\023\111\104\101\124' >>"$3"
    printf '\170\001\001\010\000\367\377\000\141\142\143\000\144\145\146\011\106\002\126\170\045\122\106' >>"$3"
    printf '\000\000\000\000\111\105\116\104\256\102\140\202' >>"$3"
}
# stands ORIENTATION CRC SIZE PIXELS: expects an upright image.
stands()
{
    lying $1 "$2" o$1.png
    { printf 'P5\n%s\n255\n' "$3"; printf %s "$4"; } >want.pgm
    gf -i o$1.png -o got.pgm
    same want.pgm got.pgm "orientation $1 is applied"
    gf -i o$1.png -o again.png
    gf -i again.png -o got.pgm
    same want.pgm got.pgm "orientation $1 is applied once"
    gf -i o$1.png --strip -o got.pgm
    same want.pgm got.pgm "orientation $1 is applied with --strip"
}
orientations()
{
    stands 1 '\023\300\165\347' '3 2' abcdef
    stands 2 '\042\050\157\172' '3 2' cbafed
    stands 3 '\204\137\144\316' '3 2' fedcba
    stands 4 '\101\370\132\100' '3 2' defabc
    stands 5 '\347\217\121\364' '2 3' adbecf
    stands 6 '\326\147\113\151' '2 3' daebfc
    stands 7 '\160\020\100\335' '2 3' fcebda
    stands 8 '\206\130\060\064' '2 3' cfbead
    is 'EXIF is kept' "$(grep -c eXIf again.png)" 1
    gf -i o6.png --strip -o again.png
    is 'EXIF is dropped with --strip' "$(grep -c eXIf again.png)" 0
    gf -i o6.png crop:2x1 -o got.pgm
    printf 'P5\n2 1\n255\nda' >want.pgm
    same want.pgm got.pgm 'stages see it upright'
    gf -i o6.png -i o8.png -i o2.png -j 2 -o '{stem}.pgm'
    printf 'P5\n2 3\n255\ncfbead' >want.pgm
    same want.pgm o8.pgm 'each image of a batch has its own orientation'
    cat o6.png o8.png o2.png o1.png | gf -t pnm -j 3 >row.pnm
    printf 'P5\n2 3\n255\ndaebfcP5\n2 3\n255\ncfbeadP5\n3 2\n255\ncbafedP5\n3 2\n255\nabcdef' >want.pnm
    same want.pnm row.pnm 'each of several images on a pipe has its own orientation'
}
lying 6 '\000\000\000\000' wrong.png             # which only a reader that knows what stands beside a picture refuses
if gf -i wrong.png -t pgm >/dev/null 2>&1; then
    skip 'PNG is read by stb_image: nothing goes along'
else
    orientations
fi

# ---- a file that is cut short leaves no output

rm -f o.png
size=$(wc -c <level5.png)
failed=
at=1
while [ $at -lt $size ]; do
    head -c $at level5.png >cut.png
    gf -i cut.png -o o.png 2>errors </dev/null
    [ $? = 1 ] && [ "$(wc -l <errors)" = 1 ] && [ ! -e o.png ] || failed="$failed $at"
    at=$((at + size / 23 + 1))
done
is 'a PNG cut at 23 places is refused' "$failed" ''

# ---- 1, 2 and 4 bits

# bits_of FILE: prints the bit depth in its header.
bits_of() { od -An -tu1 -j24 -N1 "$1" | tr -d ' '; }
image bits.pgm 61 37 1 1 8
gf -i bits.pgm -o bits.pbm
for chain in '' flip rotate:90 invert dilate:1 crop:13x7+3+2 pad:3,bg=white threshold:0.5; do
    works "a bitmap $chain" gf -i bits.pbm $chain -o one.png
    is "a bitmap $chain is a PNG of 1 bit" "$(bits_of one.png)" 1
    gf -i bits.pbm $chain -o wanted.pbm
    gf -i one.png -o back.pbm
    same back.pbm wanted.pbm "a bitmap $chain has the same pixels as PNG"
    works "a bitmap $chain in segments" gf -i bits.pbm $chain --segment 64 --lanes 3 -o cut.png
    same cut.png one.png "a bitmap $chain in segments gives the same PNG"
done
gf -i bits.pbm -o one.png
works 'a PNG of 1 bit stays one' gf -i one.png flop flop -o again.png
same again.png one.png 'byte by byte'
works 'a PNG of 1 bit as PGM' gf -i one.png -o white.pgm
is 'white is 255' "$(sed -n 3p white.pgm)" 255
for chain in blur:1 resize:50% gamma:2; do
    gf -i bits.pbm $chain -o soft.png
    is "$chain takes 8 bits" "$(bits_of soft.png)" 8
    gf -i one.png $chain -o softer.png
    is "$chain takes 8 bits of a PNG of 1 bit, too" "$(bits_of softer.png)" 8
done
image four.pgm 61 37 1 15 9
gf -i four.pgm -o four.png
gf -i four.png --depth 4 -o back.pgm
is 'a PNG of 4 bits' "$(bits_of four.png)" 4
same back.pgm four.pgm 'a PNG of 4 bits has the same samples'
image two.pgm 6 37 1 3 9
gf -i two.pgm -o two.png
gf -i two.png --depth 2 -o back.pgm
is 'a PNG of 2 bits' "$(bits_of two.png)" 2
same back.pgm two.pgm 'a PNG of 2 bits has the same samples'
{ echo 'P2 9 1 255'; echo '0 63 64 127 128 191 192 254 255'; } >ramp.pgm
gf -i ramp.pgm --depth 1 -o ramp.png
gf -i ramp.png -o ramp1.pgm
is '--depth 1 rounds' "$(tail -c 9 ramp1.pgm | od -An -tu1 | tr -s ' ')" ' 0 0 0 0 255 255 255 255 255'
gf -i ramp.pgm threshold:0.75 --depth 1 -o ramp.png
is '--depth 1 of a threshold' "$(bits_of ramp.png)" 1
gf -i ramp.pgm --depth 2 -o ramp.png
gf -i ramp.png -o ramp2.pgm
is '--depth 2 rounds' "$(tail -c 9 ramp2.pgm | od -An -tu1 | tr -s ' ')" ' 0 85 85 85 170 170 170 255 255'
gf -i ramp.pgm --depth 4 -o ramp4.pgm
is '--depth 4 as PGM' "$(sed -n 3p ramp4.pgm)" 15
refuses 2 '1-bit PNG must be gray without alpha' 'bits of colours' gf -i tall.ppm --depth 1 -o o.png
refuses 2 'use 8 or 16' 'bits as Y4M' gf -i ramp.pgm --depth 1 -o o.y4m
sound beep.wav 100 1 1
refuses 2 'is for images; audio needs 8 bits or more' 'bits of sound' gf -i beep.wav --depth 4 -o o.wav
if have_convert; then
    for file in one four two; do
        convert $file.png pgm:- | gf -o other.pgm
        gf -i $file.png -o ours.pgm
        gf -i other.pgm --depth 8 -o other8.pgm
        gf -i ours.pgm --depth 8 -o ours8.pgm
        same ours8.pgm other8.pgm "ImageMagick sees the same in $file.png"
    done
else
    skip 'no ImageMagick here'
fi

# ---- an image of another format after a PNG is not read, and that is said
gf -i tall.ppm -o after.png
gf -i tall.ppm -o after.qoi
gf -i tall.ppm -o after.jpg
for second in qoi png; do
    first=$([ $second = qoi ] && echo png || echo qoi)
    cat after.$first after.$second >mixed.$first
    gf -i mixed.$first -o out.pam 2>errors
    is "$second after $first: a warning" \
        "$(grep -ci "warning: mixed.$first: the data after image 1 is ignored; it begins like $second" errors)" 1
done
cat after.png after.jpg | gf >out.pam 2>errors
is 'PNG and JPEG can be mixed: no warning' "$(cat errors)" ''
{ cat after.png; echo 'text after the image'; } | gf >out.pam 2>errors
is 'other data after an image: no warning' "$(cat errors)" ''
for format in tiff bmp tga webp hdr pfm pam; do
    gf -i tall.ppm -o alone.$format && gf --strict -i alone.$format -o out.pam 2>errors
    is "one image as $format: no warning" "$? $(cat errors)" '0 '
    gf --strict <alone.$format >out.pam 2>errors
    is "one image as $format from a pipe: no warning" "$? $(cat errors)" '0 '
done
finish
