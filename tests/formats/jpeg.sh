# JPEG: images with known pixels, and comparison with djpeg and cjpeg if installed.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'

# bits STRING: writes the bits and fills the last byte with ones.
bits()
{
    printf '%b' "$(echo "$1" | ${AWK:-awk} '{
        gsub(/ /, "")
        while (length($0) % 8)
            $0 = $0 "1"
        for (i = 1; i <= length($0); i += 8) {
            v = 0
            for (j = 0; j < 8; j++)
                v = 2 * v + substr($0, i + j, 1)
            printf "\\0%03o", v
        }
    }')"
}
ones() { i=0; while [ $i -lt 64 ]; do printf '\001'; i=$((i + 1)); done; }

# Tables for the images below. Quantization is 1. DC lengths 10, 8 and 0 have the codes 00, 01 and
# 10; AC end-of-block has 0.
tables()
{
    printf '\377\333\0\103\0'
    ones
    printf '\377\304\0\026\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\012\010\0'
    printf '\377\304\0\024\020\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
}
# A flat block of 200 has the DC value 8 * (200 - 128) = 576, ten bits: 1001000000. The image is
# 8x8.
gray_jpeg()
{
    printf '\377\330'
    cat "$@" </dev/null
    tables
    printf "\\377\\300\\0\\013\\${precision:-010}\\0\\010\\0\\010\\001\\001\\021\\0"
    printf '\377\332\0\010\001\001\0\0\077\0'
    bits '00 1001000000 0'
}
# Four components of 200, 100, 50 and 128 have the DC values 576, -224, -624 and 0.
ink_jpeg()
{
    printf '\377\330'
    cat "$@" </dev/null
    tables
    printf '\377\300\0\024\010\0\010\0\010\004\001\021\0\002\021\0\003\021\0\004\021\0'
    printf '\377\332\0\016\004\001\0\002\0\003\0\004\0\0\077\0'
    bits '00 1001000000 0 01 00011111 0 00 0110001111 0 10 0'
    printf '\377\331'
}
flat() { ${AWK:-awk} -v v="$1" 'BEGIN { for (i = 0; i < 64; i++) printf "%s%s", v, i % 8 == 7 ? "\n" : " " }'; }
plain() { tail -n +4 "$1" | od -An -v -tu1 -w"$2" | sed 's/^ *//; s/  */ /g'; }

{ gray_jpeg; printf '\377\331'; } >gray.jpg
works 'a gray picture' gf -i gray.jpg -o gray.pgm
is 'a gray JPEG has the value 200' "$(plain gray.pgm 8)" "$(flat 200)"
is 'a gray JPEG has one channel in --explain' "$(gf --explain -i gray.jpg -o x.ppm | head -n 1)" \
    'input:  8x8 gray u8, JPEG'
gray_jpeg >endless.jpg
works 'a JPEG with all of its pixels and no end of image' gf -i endless.jpg -o endless.pgm
same gray.pgm endless.pgm 'a JPEG with no end of image has its pixels'
head -c $(($(wc -c <endless.jpg) - 2)) endless.jpg >cut.jpg
refuses 1 'cut.jpg: is cut short' 'one without pixels' gf -i cut.jpg -o cut.pgm
precision=014 gray_jpeg >deep.jpg
refuses 1 'deep.jpg: is a JPEG with 12 bits per sample; only 8 are supported' '12 bits a sample' \
    gf -i deep.jpg -o deep.pgm

ink_jpeg >inks.jpg
works 'a picture of inks' gf -q -i inks.jpg -o inks.ppm
is 'inks become light: (255 - 200) * (255 - 128) / 255 and so on' "$(plain inks.ppm 24 | head -n 1)" \
    '27 77 102 27 77 102 27 77 102 27 77 102 27 77 102 27 77 102 27 77 102 27 77 102'
printf '\377\356\0\016Adobe\0\144\0\0\0\0\0' >adobe
ink_jpeg adobe >adobe.jpg
works 'inks of Adobe' gf -q -i adobe.jpg -o adobe.ppm
is 'say what is left white: 200 * 128 / 255 and so on' "$(plain adobe.ppm 24 | head -n 1)" \
    '100 50 25 100 50 25 100 50 25 100 50 25 100 50 25 100 50 25 100 50 25 100 50 25'

# ---- metadata

# EXIF orientation 6 means a clockwise quarter turn. The comment is Latin-1. The resolution is
# 100x200 per inch.
printf '\377\340\0\020JFIF\0\001\001\001\0\144\0\310\0\0' >beside
printf '\377\341\0\042Exif\0\0MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0' >>beside
printf '\377\376\0\007gr\374\337' >>beside
printf '\0' >>beside
{ gray_jpeg beside; printf '\377\331'; } >beside.jpg
works 'a picture with things beside it' gf -i beside.jpg -o kept.jpg
is 'a JPEG on its side keeps its resolution, and its sides change places' \
    "$(head -c 18 kept.jpg | tail -c 5 | od -An -tu1 | tr -s ' ')" ' 1 0 200 0 100'
is 'a comment in Latin-1 becomes UTF-8' "$(tail -c +21 kept.jpg | grep -ac "$(printf 'gr\303\274\303\237')")" 1
printf 'Exif\0\0MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\001\0\0\0\0\0\0' >upright
is 'EXIF says that the image is upright' "$(od -An -v -tx1 kept.jpg | tr -d ' \n' \
    | grep -c "$(od -An -v -tx1 upright | tr -d ' \n')")" 1
works 'nothing of it with --strip' gf -i beside.jpg --strip -o stripped.jpg
is '--strip leaves no comment and no EXIF' "$(grep -ac 'Exif\|gr' stripped.jpg)" 0

# Two parts of a profile in reverse order.
profile()
{
    head -c 16 /dev/zero
    printf "$1"
    head -c 16 /dev/zero
    printf acsp
    head -c 100 /dev/zero | tr '\0' x
    printf end
}
profile 'GRAY' >profile
chunk() { printf "\\377\\342\\0\\$(printf %03o $(($(wc -c <"$2") + 16)))ICC_PROFILE\\0\\00$1\\002"; cat "$2"; }
head -c 70 profile >one
tail -c +71 profile >two
{ chunk 2 two; chunk 1 one; } >beside
{ gray_jpeg beside; printf '\377\331'; } >profiled.jpg
works 'a profile in two chunks' gf -i profiled.jpg -o profiled-out.jpg
is 'a profile in two chunks becomes one chunk' "$(od -An -v -tx1 profiled-out.jpg | tr -d ' \n' \
    | grep -c "$(od -An -v -tx1 profile | tr -d ' \n')")" 1

# ---- comparison with djpeg and cjpeg

if ! command -v djpeg >/dev/null || ! command -v cjpeg >/dev/null; then
    skip 'no djpeg and cjpeg here'
    finish
fi
image colour.ppm 83 61 3 255 1
image mono.pgm 83 61 1 255 2
image wide.ppm 1999 700 3 255 3

for options in '' '-progressive' '-optimize -quality 30' '-sample 2x2' '-sample 2x1' '-sample 1x1' '-sample 1x2' \
    '-rgb' '-restart 1' \
               '-arithmetic' '-grayscale -progressive'; do
    cjpeg $options colour.ppm >in.jpg 2>cjpeg.errors || continue
    djpeg in.jpg >wanted.ppm
    works "a JPEG that cjpeg $options wrote" gf -i in.jpg -t pnm -o found.ppm
    same found.ppm wanted.ppm "a JPEG that cjpeg $options wrote has the pixels that djpeg reads"
done
cjpeg -progressive wide.ppm >in.jpg
djpeg in.jpg >wanted.ppm
works 'a larger one from a pipe, in small segments' sh -c 'cat in.jpg | "$0" --segment 20K >found.ppm' "$GPUFILTER"
same found.ppm wanted.ppm 'a larger JPEG from a pipe, in small segments, has the pixels of djpeg'
refuses 1 'raise --max-memory' 'a progressive one that needs more memory than allowed' \
    gf --max-memory 1M -i in.jpg -o x.ppm
cjpeg wide.ppm >flow.jpg
works 'one that is not needs no memory' gf --max-memory 64K -i flow.jpg -o found.ppm
refuses 1 'raise --max-pixels' 'a JPEG of more pixels than allowed' gf --max-pixels 1M -i in.jpg -o x.ppm

cjpeg -sample 1x1 colour.ppm >one.jpg
cjpeg mono.pgm >two.jpg
cat one.jpg two.jpg one.jpg >row.jpg
{ djpeg one.jpg; djpeg two.jpg; djpeg one.jpg; } >wanted.pnm
works 'several in a row' gf -i row.jpg -t pnm -o found.pnm
same found.pnm wanted.pnm 'several JPEGs after each other come out in order'
works 'several from a pipe' sh -c 'cat row.jpg | "$0" -t pnm >found.pnm' "$GPUFILTER"
same found.pnm wanted.pnm 'several JPEGs from a pipe come out in order'
gf -i mono.pgm -o two.png
cat one.jpg two.png one.jpg >joined
{ djpeg one.jpg; cat mono.pgm; djpeg one.jpg; } >wanted.pnm
works 'a PNG between JPEGs' gf -i joined -t pnm -o found.pnm
same found.pnm wanted.pnm 'a PNG between JPEGs comes out between them'
works 'crop of each' sh -c '"$0" crop:5x5+0+0 -t pnm <row.jpg >found.pnm' "$GPUFILTER"
djpeg two.jpg | gf crop:5x5+0+0 >wanted.pgm
is 'a crop of several JPEGs has the second one right' "$(head -c 122 found.pnm | tail -c 36 | od -An -tu1)" \
    "$(od -An -tu1 wanted.pgm)"

for part in 1000 20000 100000; do
    for file in in flow; do
        head -c $part $file.jpg >short.jpg
        refuses 1 'short.jpg: is cut short' "a cut after $part bytes, of $file" gf -i short.jpg -o x.ppm
    done
done
is 'cut JPEGs leave no output' "$(ls x.* 2>/dev/null)" ''

# as_cjpeg OPTIONS CJPEG_OPTIONS FILE: compares the output with that of cjpeg, byte by byte.
as_cjpeg()
{
    cjpeg $2 "$3" >wanted.jpg && works "a JPEG written with $1" gf -i "$3" $1 -o found.jpg \
        && same found.jpg wanted.jpg "a JPEG written with $1 has the bytes of cjpeg $2"
}
as_cjpeg '' '-quality 92 -sample 1x1' colour.ppm
as_cjpeg '--quality 90' '-quality 90 -sample 2x2' colour.ppm
as_cjpeg '--quality 100 --subsampling 420' '-quality 100 -sample 2x2' colour.ppm
as_cjpeg '--quality 50 --subsampling 422' '-quality 50 -sample 2x1' colour.ppm
as_cjpeg '--quality 50 --subsampling 444' '-quality 50 -sample 1x1' colour.ppm
as_cjpeg '--quality 80 --progressive' '-quality 80 -progressive' wide.ppm
as_cjpeg '--quality 80 --segment 1K --lanes 3' '-quality 80' wide.ppm
as_cjpeg '--quality 75' '-quality 75 -grayscale' mono.pgm
image clear.pam 20 10 4 255 4
works 'an image with alpha as JPEG' gf -i clear.pam --quality 75 -o found.jpg
gf -i clear.pam -o over.ppm
cjpeg -quality 75 over.ppm >wanted.jpg
same found.jpg wanted.jpg 'an image with alpha as JPEG is over black'
refuses 2 'subsampling' 'a JPEG with an unknown subsampling' gf -i colour.ppm --subsampling 411 -o x.jpg
image tall.pgm 1 65501 1 255 1
refuses 1 '1x65501 is too large for JPEG' 'an image of more rows than a JPEG can have' gf -i tall.pgm -o x.jpg
refuses 1 '' 'a full disk' gf -i wide.ppm -t jpeg -o /dev/full
refuses 1 'cut.ppm' 'an incomplete image as JPEG' sh -c 'head -c 9000 wide.ppm >cut.ppm; "$0" -i cut.ppm -o x.jpg' \
    "$GPUFILTER"
is 'an incomplete image as JPEG leaves no output' "$(ls x.* 2>/dev/null)" ''
finish
