# Damaged JPEGs: a warning if samples may be wrong, none about what encoders write differently.
. "$(dirname "$0")/../lib.sh"
gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'

warning='is damaged, and parts of the image may be wrong: Corrupt JPEG data: '
image wide.ppm 157 90 3 255 1
image mono.pgm 83 61 1 255 2
gf -i wide.ppm --quality 90 -o wide.jpg
gf -i mono.pgm -o mono.jpg
gf -i wide.ppm --quality 90 --progressive -o progressive.jpg

# damage FILE: leaves out a sixth of a file, from the middle.
damage()
{
    size=$(wc -c <"$1")
    { head -c $((size / 2)) "$1"; tail -c $((size / 2 - size / 6)) "$1"; } >"damaged-$1"
}
# warns NAME FILE ARGUMENTS...: runs on a file and on a pipe, with exactly one warning about its damage.
warns()
{
    name=$1 file=$2
    shift 2
    gf -i "$file" "$@" -t pnm -o found.pnm 2>errors
    is "$name" "$? $(grep -c "^gpufilter: warning: $file: $warning" errors) $(wc -l <errors | tr -d ' ')" '0 1 1'
    gf "$@" -t pnm <"$file" >piped.pnm 2>errors
    is "$name: on a pipe" "$? $(grep -c "^gpufilter: warning: standard input: $warning" errors)" '0 1'
    same piped.pnm found.pnm "$name: a pipe gives the same"
}
# silent NAME FILE: decodes without a warning, and to the same as wide.jpg.
silent()
{
    gf -i "$2" -o found.ppm 2>errors
    is "$1" "$? $(cat errors)" '0 '
    same found.ppm wanted.ppm "$1: the pixels are those of the whole image"
}

for whole in wide.jpg mono.jpg progressive.jpg; do
    damage $whole
    warns "damage to $whole" damaged-$whole
    refuses 1 "$warning.*because of --strict" "damage to $whole: --strict" gf --strict -i damaged-$whole -o x.pnm
    is "damage to $whole: -q" "$(gf -q -i damaged-$whole -t pnm -o found.pnm 2>&1)" ''
    warns "damage to $whole: --salvage" damaged-$whole --salvage
done
warns 'damage above a part' damaged-wide.jpg crop:40x10+20+75
warns 'damage in a draft' damaged-wide.jpg resize:25%,draft
gf -i damaged-wide.jpg crop:157x20+0+0 -o found.ppm 2>errors
is 'damage below a part' "$? $(cat errors)" '0 '
gf -i damaged-wide.jpg -i wide.jpg -i damaged-mono.jpg invert -o 'found-{stem}.png' 2>errors
is 'each damaged file of a batch is named' "$? $(grep -c "$warning" errors)" '0 2'
cat wide.jpg damaged-wide.jpg >row.jpg
gf -i row.jpg -t pnm -o found.pnm 2>errors
is 'the second of two' "$? $(grep -c "row.jpg: $warning" errors)" '0 1'
gf -i wide.jpg -o wanted.ppm
{ head -c 1500 wide.jpg; head -c 200 wide.ppm | tr '\377' '\0'; tail -c +1501 wide.jpg; } >surplus.jpg
warns 'blocks too many' surplus.jpg

# harmless differences of encoders
size=$(wc -c <wide.jpg)
{ head -c $((size - 2)) wide.jpg; printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377\331'; } >padded.jpg
silent 'padding after the last block' padded.jpg
{ head -c 20 wide.jpg; printf 'surplus'; tail -c +21 wide.jpg; } >between.jpg
silent 'bytes between segments' between.jpg
{ head -c 11 wide.jpg; printf '\3'; tail -c +13 wide.jpg; } >version.jpg
silent 'an unknown version of JFIF' version.jpg
{ cat wide.jpg; printf 'data of a camera'; } >appended.jpg
silent 'data after the image' appended.jpg
for part in 2 3; do
    head -c $((size * part / 5)) wide.jpg >cut.jpg
    refuses 1 'cut.jpg: is cut short' "a file cut to $part fifths" gf -i cut.jpg -o x.ppm
    head -c $((size * part / 5)) progressive.jpg >cut.jpg
    refuses 1 'cut.jpg: is cut short' "a progressive file cut to $part fifths" gf -i cut.jpg -o x.ppm
done

# tag NUMBER TYPE COUNT VALUE: an entry of a TIFF directory.
byte() { printf "\\$(printf %03o $(($1 & 255)))"; }
short() { byte "$1"; byte $(($1 >> 8)); }
long() { short "$1"; short $(($1 >> 16)); }
tag() { short "$1"; short "$2"; long "$3"; long "$4"; }
# tiff FILE: prints a TIFF of one strip, which is a JPEG of gray samples.
tiff()
{
    printf 'II\052\0'; long 8; short 8
    tag 256 3 1 83; tag 257 3 1 61; tag 258 3 1 8; tag 259 3 1 7; tag 262 3 1 1; tag 273 4 1 110; tag 278 3 1 61
    tag 279 4 1 "$(wc -c <"$1")"; long 0; cat "$1"
}
if gf --version | grep -q '^images:.*libtiff'; then
    tiff mono.jpg >strip.tif
    gf -i mono.jpg -o wanted.pgm
    works 'a JPEG in a TIFF' gf -i strip.tif -o found.pgm
    same found.pgm wanted.pgm 'a JPEG in a TIFF has its pixels'
    { head -c 1500 mono.jpg; head -c 200 wide.ppm | tr '\377' '\0'; tail -c +1501 mono.jpg; } >surplus.jpg
    tiff surplus.jpg >strip.tif
    gf -i strip.tif -o found.pgm 2>errors
    is 'damage to it' "$? $(grep -c 'strip.tif: is damaged and is read as far as possible: ' errors)" '0 1'
else
    skip 'built without libtiff'
fi

if command -v cjpeg >/dev/null; then
    cjpeg -restart 1 -quality 90 wide.ppm >restart.jpg
    damage restart.jpg
    warns 'damage with restart markers' damaged-restart.jpg
else
    skip 'no cjpeg here'
fi
finish
