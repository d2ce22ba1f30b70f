# BMP, TGA and PSD: generated variants with pixels computed from the definitions of the formats,
# errors and warnings.
# HDR, PIC, PFM, PNM and QOI: warnings about header fields that are ignored.
. "$(dirname "$0")/../lib.sh"

# le BYTES NUMBER, be BYTES NUMBER: print a little-endian or big-endian number as octal escapes.
le()
{
    le_n=$1 le_v=$2; while [ "$le_n" -gt 0 ]; do printf '\\%03o' $((le_v & 255))
        le_v=$((le_v >> 8)) le_n=$((le_n - 1)); done
}
be() { be_n=$1; while [ "$be_n" -gt 0 ]; do be_n=$((be_n - 1)); printf '\\%03o' $(($2 >> 8 * be_n & 255)); done; }
# bytes NUMBER...: prints bytes as octal escapes.
bytes() { [ $# = 0 ] || printf '\\%03o' "$@"; }
# size ESCAPES: prints the number of bytes that octal escapes stand for.
size() { echo $((${#1} / 4)); }
zeros() { bytes $(yes 0 | head -n "$1"); }

# pixels NAME FILE WANTED [-q]: compares the samples of an image, read from a file and from a pipe.
# Without -q, expects no warnings.
pixels()
{
    works "$1" gf $4 -i "$2" -t pam -o found.pam
    is "$1: pixels" "$(sed '1,/^ENDHDR$/d' found.pam | od -An -v -tu1 | tr -s '\n ' ' ' | sed 's/^ //;s/ $//')" "$3"
    cat "$2" | gf $4 -t pam -o piped.pam
    same piped.pam found.pam "$1: from a pipe"
}

# warns NAME TEXT COMMAND...: expects success and one line on standard error, a warning with TEXT.
warns()
{
    name=$1 text=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 gpufilter: warning: $text"
    refuses 1 'an error because of --strict' "$name: with --strict" "$@" --strict
}

# silent NAME COMMAND...: expects success and nothing on standard error.
silent() { name=$1; shift; "$@" >out 2>errors </dev/null; is "$name" "$? $(cat errors)" '0 '; }

# ---- TGA

# tga TYPE WIDTH HEIGHT BITS DESCRIPTOR MAP DATA: writes x.tga. MAP is empty, or the first index,
# length and entry size of the palette, then its bytes.
tga()
{
    tga_map=${6#* * * }
    if [ -n "$6" ]; then
        set -- "$@" $6
        head=$(bytes 0 1 "$1"; le 2 "$8"; le 2 "$9"; shift 9; bytes "$1")
    else
        head=$(bytes 0 0 "$1" 0 0 0 0 0)
    fi
    printf "$head$(bytes 0 0 0 0; le 2 "$2"; le 2 "$3"; bytes "$4" "$5")${tga_map:-}$7" >x.tga
}

# Four pixels in two rows, stored as 1 2, then 3 4. Descriptor bit 5 means top to bottom, bit 4
# right to left.
four=$(bytes 1 2 3 4)
for origin in '0 3 4 1 2' '16 4 3 2 1' '32 1 2 3 4' '48 2 1 4 3'; do
    wanted=${origin#* }
    tga 3 2 2 8 ${origin% ? ? ? ?} '' "$four"
    pixels "TGA, descriptor $origin" x.tga "$wanted"
    tga 11 2 2 8 ${origin% ? ? ? ?} '' "$(bytes 0 1 2 2 3 4)"
    pixels "TGA in runs, descriptor $origin" x.tga "$wanted"
    tga 1 2 2 8 ${origin% ? ? ? ?} "1 4 24 $(bytes 1 1 1 2 2 2 3 3 3 4 4 4)" "$four"
    pixels "TGA with a palette, descriptor $origin" x.tga "$(echo $(for i in $wanted; do echo $i $i $i; done))"
done
tga 10 3 2 24 32 '' "$(bytes 131 1 2 3 1 4 5 6 7 8 9)"
pixels 'a run that goes on in the next row' x.tga '3 2 1 3 2 1 3 2 1 3 2 1 6 5 4 9 8 7'
# The values 31, 16 and 7 of 31 are 255, 131.6 and 57.6 of 255.
tga 2 2 1 16 33 '' "$(le 2 $((0x8000 | 1 << 10 | 2 << 5 | 3)); le 2 $((31 << 10 | 16 << 5 | 7)))"
pixels '16 bits with a bit of alpha' x.tga '8 16 25 255 255 132 58 0'
tga 2 1 1 16 33 '' "$(le 2 $((31 << 10)))"
pixels 'a bit of alpha that is never set is none' x.tga '255 0 0'
tga 2 1 1 16 32 '' "$(le 2 $((0x8000 | 31 << 10)))"
pixels 'a bit that the header does not count is none either' x.tga '255 0 0'
tga 2 2 1 32 40 '' "$(bytes 1 2 3 0 4 5 6 0)"
pixels '8 bits of alpha, all 0' x.tga '3 2 1 0 6 5 4 0'
tga 2 2 1 32 32 '' "$(bytes 1 2 3 0 4 5 6 0)"
pixels 'a fourth byte that the header does not count, all 0' x.tga '3 2 1 6 5 4'
tga 2 2 1 32 32 '' "$(bytes 1 2 3 0 4 5 6 9)"
pixels 'a TGA with a fourth byte that the header does not count' x.tga '3 2 1 0 6 5 4 9' -q
taken='the last byte of each pixel is interpreted as alpha, although its header does not say so; alpha:off drops it'
warns 'a TGA with a fourth byte that the header does not count: a warning' "x.tga: $taken" gf -i x.tga -o x.png
tga 2 2 1 32 32 '' "$(bytes 1 2 3 255 4 5 6 255)"
pixels 'a TGA with a fourth byte that is opaque everywhere' x.tga '3 2 1 255 6 5 4 255'
silent 'a TGA with a fourth byte that is opaque everywhere: no warning' gf -i x.tga -o x.png
tga 3 2 1 16 32 '' "$(bytes 1 255 2 9)"
warns 'gray with a second byte that the header does not count' "x.tga: $taken" gf -i x.tga -o x.png
tga 2 2 1 32 40 '' "$(bytes 1 2 3 0 4 5 6 9)"
silent 'gray with a second byte that the header counts' gf -i x.tga -o x.png
tga 1 2 1 8 32 "5 2 24 $(bytes 1 2 3 4 5 6)" "$(bytes 6 5)"
pixels 'a palette that begins at 5' x.tga '6 5 4 3 2 1'
tga 1 2 1 8 32 "0 1 24 $(bytes 1 2 3)" "$(bytes 0 1)"
warns 'a TGA with an index beyond the palette' 'x.tga: is damaged: pixels with an index outside the palette are black' \
    gf -i x.tga -o x.ppm
tga 1 2 1 8 32 "5 2 24 $(bytes 1 2 3 4 5 6)" "$(bytes 4 6)"
warns 'an index before the palette' 'x.tga: is damaged: pixels with an index outside the palette are black' \
    gf -i x.tga -o x.ppm
pixels 'a TGA with an index before the palette is black there' x.tga '0 0 0 6 5 4' -q
tga 1 1 1 8 32 "5 2 24 $(bytes 1 2 3 4 5 6)" "$(bytes 5)"
silent 'the first colour' gf -i x.tga -o x.ppm
tga 11 1 1 8 32 '' "$(bytes 129 1)"
warns 'a run beyond the image' 'x.tga: is damaged: pixels outside the image are ignored' gf -i x.tga -o x.pgm
# extension BYTES KIND: prints an extension after 4 bytes of pixels. Its first two bytes are its
# length.
# An extension has 495 bytes and ends with the type of alpha. Type 4 means premultiplied colors: 64
# · 255 / 128 = 127.5.
extension() { le 2 "$1"; zeros 492; bytes "$2"; le 4 22; le 4 0; printf 'TRUEVISION-XFILE.\\000'; }
tga 2 1 1 32 40 '' "$(bytes 64 128 200 128; extension 495 4)"
pixels 'colours multiplied by alpha' x.tga '255 255 128 128'
tga 2 1 1 32 40 '' "$(bytes 64 128 200 0; extension 495 4)"
pixels 'multiplied by 0' x.tga '0 0 0 0'
# Types 0 to 2: no alpha; undefined and may be ignored; undefined and to be retained. Type 3: alpha.
tga 2 1 1 32 40 '' "$(bytes 1 2 3 9; extension 495 0)"
pixels 'an extension without alpha: the byte in its place is dropped' x.tga '3 2 1' -q
warns 'although the header counts it' \
    'x.tga: alpha is dropped: its header has 8 bits of alpha, but its extension says that there is none' \
    gf -i x.tga -o x.png
tga 2 1 1 32 32 '' "$(bytes 1 2 3 9; extension 495 0)"
pixels 'an extension without alpha, and a header that counts none' x.tga '3 2 1'
silent 'an extension and a header without alpha: no warning' gf -i x.tga -o x.png
tga 2 1 1 32 40 '' "$(bytes 1 2 3 9; extension 495 1)"
pixels 'an extension with undefined alpha that may be ignored' x.tga '3 2 1'
silent 'an extension with undefined alpha that may be ignored: no warning' gf -i x.tga -o x.png
tga 2 1 1 32 40 '' "$(bytes 1 2 3 9; extension 495 2)"
pixels 'undefined alpha that is to be retained' x.tga '3 2 1' -q
warns 'an extension with undefined alpha that is to be retained: a warning' \
    'x.tga: data in place of alpha is dropped, because its header says that it is not alpha' gf -i x.tga -o x.png
tga 2 1 1 32 40 '' "$(bytes 1 2 3 9; extension 495 3)"
pixels 'alpha by the extension' x.tga '3 2 1 9'
silent 'alpha in the extension and the header: no warning' gf -i x.tga -o x.png
tga 2 1 1 32 40 '' "$(bytes 1 2 3 9; extension 494 1)"
pixels 'an extension that is too short says nothing' x.tga '3 2 1 9'
tga 2 1 1 24 128 '' "$(bytes 1 2 3)"
refuses 1 'x.tga: interleaved TGA is not supported' 'an interleaved TGA' gf -f tga -i x.tga -o x.ppm
tga 32 1 1 24 0 '' "$(bytes 1 2 3)"
refuses 1 'x.tga: TGA of type 32 is not supported' 'a TGA with Huffman codes' gf -f tga -i x.tga -o x.ppm

# ---- BMP

# bmp HEADER_BYTES WIDTH HEIGHT BITS COMPRESSION REST PALETTE DATA: writes x.bmp. REST follows the
# first 20 bytes of the header. After a header of 40 bytes, PALETTE begins with the masks.
bmp()
{
    if [ "$1" = 12 ]; then
        head=$(le 4 12; le 2 "$2"; le 2 "$3"; le 2 1; le 2 "$4")
    else
        head=$(le 4 "$1"; le 4 "$2"; le 4 "$3"; le 2 1; le 2 "$4"; le 4 "$5")
    fi
    head=$(printf %s "$head" | cut -c 1-$((4 * $1)))$6
    rest=$(zeros $(($1 - $(size "$head"))))
    printf "BM$(le 4 0; le 4 0; le 4 $((14 + $1 + $(size "$7"))))$head$rest$7$8" >x.bmp
}

colours=$(bytes 0 0 0 0 3 2 1 0 6 5 4 0 9 8 7 0)                    # black, 1 2 3, 4 5 6, 7 8 9
few="$(zeros 12)$(le 4 4)"                                          # size, resolution; four colours
bmp 40 3 2 8 0 "$few" "$colours" "$(bytes 1 2 3 0 3 2 1 0)"
pixels 'a BMP of 8 bits' x.bmp '7 8 9 4 5 6 1 2 3 1 2 3 4 5 6 7 8 9'
bmp 40 3 -2 8 0 "$few" "$colours" "$(bytes 1 2 3 0 3 2 1 0)"
pixels 'a BMP from top to bottom' x.bmp '1 2 3 4 5 6 7 8 9 7 8 9 4 5 6 1 2 3'
bmp 40 3 1 2 0 "$few" "$colours" "$(bytes 108 0 0 0)"               # 01 10 11
pixels 'a BMP of 2 bits' x.bmp '1 2 3 4 5 6 7 8 9'
bmp 40 3 1 4 0 "$few" "$colours" "$(bytes 18 48 0 0)"
pixels 'a BMP of 4 bits' x.bmp '1 2 3 4 5 6 7 8 9'
bmp 16 2 1 1 0 '' "$(bytes 3 2 1 0 6 5 4 0)" "$(bytes 64 0 0 0)"
pixels 'OS/2 2 with a header of 16 bytes' x.bmp '1 2 3 4 5 6'
bmp 64 3 1 8 0 "$few" "$colours" "$(bytes 1 2 3 0)"
pixels 'OS/2 2 with a header of 64 bytes' x.bmp '1 2 3 4 5 6 7 8 9'
bmp 12 1 1 1 0 '' "$(bytes 3 2 1 6 5 4)" "$(bytes 128 0 0 0)"
pixels 'a BMP of OS/2 1' x.bmp '4 5 6'
bmp 40 1 1 24 0 "$few" "$colours" "$(bytes 3 2 1 0)"
pixels 'a palette before 24 bits' x.bmp '1 2 3'
bmp 40 1 1 16 0 "$few" "$colours" "$(le 2 $((31 << 10 | 16 << 5 | 7)); le 2 0)"
pixels 'a palette before 16 bits' x.bmp '255 132 58'

# Runs: two pixels of index 1; three single pixels 2 3 1 and a padding byte. The end of the row is
# missing.
bmp 40 6 2 8 1 "$few" "$colours" "$(bytes 2 1 0 3 2 3 1 0 0 0 6 2 0 1)"
pixels 'a BMP with RLE8' x.bmp '4 5 6 4 5 6 4 5 6 4 5 6 4 5 6 4 5 6 1 2 3 1 2 3 4 5 6 7 8 9 1 2 3 0 0 0'
# A jump by one right and one up, from 1, 0 to 2, 1.
bmp 40 4 2 8 1 "$few" "$colours" "$(bytes 1 1 0 2 1 1 2 3 0 1)"
pixels 'RLE8 with a jump' x.bmp '0 0 0 0 0 0 7 8 9 7 8 9 1 2 3 0 0 0 0 0 0 0 0 0'
# A run that alternates 1 2 1, then single pixels 3 2 1 in two bytes.
bmp 40 6 1 4 2 "$few" "$colours" "$(bytes 3 18 0 3 50 16 0 1)"
pixels 'a BMP with RLE4' x.bmp '1 2 3 4 5 6 1 2 3 7 8 9 4 5 6 1 2 3'
bmp 40 2 1 8 1 "$few" "$colours" "$(bytes 2 1)"
pixels 'a missing mark of the end' x.bmp '1 2 3 1 2 3'
bmp 64 5 1 24 4 '' '' "$(bytes 2 3 2 1 0 3 6 5 4 9 8 7 3 2 1 0 0 1)"
pixels 'RLE24 of OS/2' x.bmp '1 2 3 1 2 3 4 5 6 7 8 9 1 2 3'
bmp 40 2 1 8 1 "$few" "$colours" "$(bytes 3 1 0 1)"
warns 'a run beyond its row' 'x.bmp: is damaged: pixels outside the image are ignored' gf -i x.bmp -o x.ppm

# Masks. The values 21 of 31, 33 of 63 and 1 of 31 are 172.7, 133.6 and 8.2 of 255.
bmp 40 2 1 16 3 '' "$(le 4 $((0xF800)); le 4 $((0x7E0)); le 4 $((0x1F)))" "$(le 2 $((21 << 11 | 33 << 5 | 1))
    le 2 $((31 << 11)))"
pixels '5, 6 and 5 bits' x.bmp '173 134 8 255 0 0'
bmp 40 1 1 16 6 '' "$(le 4 $((0xF00)); le 4 $((0xF0)); le 4 15; le 4 $((0xF000)))" "$(le 2 $((0x8421)); le 2 0)"
pixels '4 bits each, with alpha' x.bmp '68 34 17 136'
masks="$(le 4 0; le 4 0; le 4 0; le 4 0; le 4 0; le 4 $((0x3FF00000)); le 4 $((0xFFC00)); le 4 $((0x3FF))
    le 4 $((0xC0000000)))"
bmp 56 1 1 32 3 "$masks" '' "$(le 4 $((2 << 30 | 1 << 20 | 512 << 10 | 1023)))"
# The values 1, 512 and 1023 of 1023 and 2 of 3 are 64.06, 32799.6, 65535 and 43690 of 65535.
pixels '10 bits a colour become 16' x.bmp '0 64 128 32 255 255 170 170'
bmp 40 2 1 32 0 '' '' "$(bytes 3 2 1 0 6 5 4 0)"
pixels '32 bits padded with 0' x.bmp '1 2 3 4 5 6'
bmp 40 2 1 32 0 '' '' "$(bytes 3 2 1 0 6 5 4 9)"
pixels '32 bits with alpha' x.bmp '1 2 3 0 4 5 6 9' -q
warns '32 bits with alpha that the header does not declare: a warning' "x.bmp: $taken" gf -i x.bmp -o x.png
bmp 40 2 1 32 0 '' '' "$(bytes 3 2 1 255 6 5 4 255)"
pixels '32 bits, all opaque' x.bmp '1 2 3 255 4 5 6 255'
silent '32 bits, all opaque: no warning' gf -i x.bmp -o x.png
bmp 40 2 2 32 0 '' '' "$(bytes 3 2 1 255 6 5 4 255 3 2 1 255 6 5 4 254)"
warns 'a last pixel that is not opaque' "x.bmp: $taken" gf -i x.bmp -o x.png
bmp 56 1 1 32 3 "$(zeros 20; le 4 $((0xFF0000)); le 4 $((0xFF00)); le 4 255; le 4 $((0xFF000000)))" '' \
    "$(bytes 3 2 1 9)"
pixels '32 bits with a mask of alpha' x.bmp '1 2 3 9'
silent '32 bits with a mask of alpha: no warning' gf -i x.bmp -o x.png

bmp 40 1 1 8 0 "$few" "$colours" "$(bytes 4 0 0 0)"
warns 'a BMP with an index beyond the palette' 'x.bmp: is damaged: pixels with an index outside the palette are black' \
    gf -i x.bmp -o x.ppm
bmp 40 1 1 24 0 '' '' "$(bytes 3 2 1 0)"
cp x.bmp one.bmp
cat one.bmp one.bmp >two.bmp
silent 'a second image' gf -i two.bmp -o x.ppm
is 'a second image: both are read' "$(gf -i two.bmp -t ppm | grep -ao P6 | wc -l)" 2

# refused BITS COMPRESSION TEXT [HEADER_BYTES]: expects an error that begins with TEXT.
refused()
{
    bmp "${4:-40}" 1 1 "$1" "$2" '' "$(zeros 8)" "$(zeros 8)"
    refuses 1 "^gpufilter: x.bmp: $3" "$3" gf -i x.bmp -o x.ppm
}
refused 24 4 'JPEG inside BMP is not supported'
refused 0 5 'PNG inside BMP is not supported'
refused 1 3 'BMP with Huffman 1D compression is not supported' 64
refused 32 11 'CMYK BMP is not supported'
refused 64 0 'BMP with 64 bits per pixel is not supported'
refused 24 7 'BMP compression 7 is unknown'
refused 8 2 'is damaged: BMP compression 2 with 8 bits per pixel'
refused 8 0 'BMP with a header of 13 bytes is not supported' 13

# Resolution and profile are read.
bmp 40 1 1 24 0 "$(zeros 4; le 4 2835; le 4 5670)" '' "$(bytes 3 2 1 0)"
works 'the resolution of a BMP' gf -i x.bmp -o x.png
is 'the resolution of a BMP is in the PNG' "$(od -An -v -tu1 x.png | tr -d '\n' | tr -s ' ' \
    | grep -c ' 112 72 89 115 0 0 11 19 0 0 22 38 1 ')" 1
# A profile for RGB: 128 bytes of header and no tags. It begins after the pixels, 142 bytes after
# the header's start.
profile="$(be 4 132; zeros 8)mntrRGB XYZ $(zeros 12)acsp$(zeros 88; be 4 0)"
v5() { bmp 124 1 1 24 0 "$(zeros 36)$2$(zeros 52; le 4 128; le 4 132)" '' "$(bytes 3 2 1 0)$1"; }
v5 "$profile" "$(bytes 68 69 66 77)"
works 'the profile of a BMP' gf -i x.bmp -o x.png
is 'the profile is in the PNG' "$(grep -ac iCCP x.png)" 1
v5 'c:/monitor.icc' "$(bytes 75 78 73 76)"
warns 'a linked profile' 'x.bmp: its color profile is in another file and is ignored; colors are interpreted as sRGB' \
    gf -i x.bmp -o x.ppm

# ---- PSD

# psd VERSION MODE DEPTH CHANNELS WIDTH HEIGHT COLOURS RESOURCES LAYERS DATA: writes x.psd.
psd()
{
    n=4
    [ "$1" = 1 ] || n=8
    printf "8BPS$(be 2 "$1"; zeros 6; be 2 "$4"; be 4 "$6"; be 4 "$5"; be 2 "$3"; be 2 "$2"
        be 4 "$(size "$7")")$7$(be 4 \
        "$(size "$8")")$8$(be $n "$(size "$9")")$9${10}" >x.psd
}
# resource NUMBER ESCAPES: prints a resource of even size, without a name.
resource() { printf '\\070\\102\\111\\115%s%s%s%s' "$(be 2 "$1")" "$(be 2 0)" "$(be 4 "$(size "$2")")" "$2"; }

raw=$(be 2 0)
psd 1 3 8 3 2 1 '' '' '' "$raw$(bytes 1 4 2 5 3 6)"
pixels 'an RGB PSD' x.psd '1 2 3 4 5 6'
psd 2 3 8 3 2 1 '' '' '' "$raw$(bytes 1 4 2 5 3 6)"
pixels 'a PSB, a PSD with longer sizes' x.psd '1 2 3 4 5 6'
# Row lengths; a run of 3 and one byte; a byte without meaning and 4 bytes.
psd 1 1 8 1 4 2 '' '' '' "$(be 2 1; be 2 4; be 2 6; bytes 254 7 0 8 128 3 1 2 3 4)"
pixels 'a PSD with PackBits' x.psd '7 7 7 8 1 2 3 4'
psd 1 1 16 1 2 1 '' '' '' "$(be 2 1; be 2 5; bytes 3 1 2 3 4)"
pixels '16 bits in PackBits' x.psd '1 2 3 4'
psd 2 1 8 1 4 1 '' '' '' "$(be 2 1; be 4 2; bytes 253 7)"
pixels 'PackBits of a PSB' x.psd '7 7 7 7'
psd 1 0 1 1 9 1 '' '' '' "$raw$(bytes 85 128)"
pixels 'a PSD with a bitmap' x.psd '1 0 1 0 1 0 1 0 0'
palette="$(bytes 10 20; zeros 254; bytes 30 40; zeros 254; bytes 50 60; zeros 254)"
psd 1 2 8 1 2 1 "$palette" '' '' "$raw$(bytes 1 0)"
pixels 'a PSD with a palette' x.psd '20 40 60 10 30 50'
psd 1 2 8 1 2 1 "$palette" "$(resource 1047 "$(be 2 1)")" '' "$raw$(bytes 1 0)"
pixels 'a palette with a transparent colour' x.psd '20 40 60 0 10 30 50 255'

# A layer count of -1 means that alpha belongs to the merged image, whose colors are blended with
# white: 100 · 128/255 + 127 = 177.2. The color for 177 is (177 - 127) · 255/128 = 99.6. With alpha
# 0, white remains.
layers="$(be 4 4; be 2 65535; be 2 0)"
psd 1 1 8 2 3 1 '' '' "$layers" "$raw$(bytes 177 255 30 128 0 255)"
pixels 'colours over white' x.psd '100 128 255 0 30 255'
# Blended with white, a black pixel of alpha 128 would be 127 rather than 100, so these colors are
# not blended.
psd 1 1 8 2 3 1 '' '' "$layers" "$raw$(bytes 177 100 30 128 128 255)"
pixels 'colours that are not over white' x.psd '177 128 100 128 30 255'
psd 1 1 8 2 2 1 '' '' '' "$raw$(bytes 177 30 128 255)"
pixels 'alpha without layers' x.psd '177 128 30 255' -q
maybe='is interpreted as alpha; if it is a saved selection, add the stage alpha:off'
warns 'may be a selection' "x.psd: channel 2 $maybe" gf -i x.psd -o x.png
psd 1 3 8 4 1 1 '' "$(resource 1006 "$(bytes 3 67 27 116)")" "$(be 4 4; be 2 1; be 2 0)" "$raw$(bytes 1 2 3 4)"
pixels 'layers without merged alpha' x.psd '1 2 3 4' -q
warns 'a channel with a name' "x.psd: channel 4 (C?t) $maybe" gf -i x.psd -o x.png
psd 1 3 8 4 1 1 '' '' "$layers" "$raw$(bytes 255 255 255 4)"
silent 'alpha that is declared' gf -i x.psd -o x.png
# 40000 · 32768/65535 + 32767 = 52767.3. The color for 52767 is (52767 - 32767) · 65535/32768 =
# 39999.4.
psd 1 1 16 2 1 1 '' '' "$(be 4 0; be 4 0)\\070\\102\\111\\115\\115\\164\\061\\066$(be 4 0)" \
    "$raw$(be 2 52767; be 2 32768)"
pixels '16 bits over white' x.psd "$((39999 >> 8)) $((39999 & 255)) 128 0"

psd 1 3 8 6 1 1 '' "$(resource 1006 "$(bytes 5 65 108 112 104 97 3 67 117 116 4 83 27 111 116 0)")" "$layers" \
    "$raw$(bytes 1 2 3 4 5 6)"
warns 'channels after alpha' 'x.psd: channels other than colors and alpha are ignored: Cut, S?ot' gf -i x.psd -o x.png
psd 1 1 8 3 1 1 '' '' "$layers" "$raw$(bytes 1 2 3)"
warns 'a PSD with channels after alpha that have no names' \
    'x.psd: channels other than colors and alpha are ignored: 1' gf -i x.psd -o x.png
psd 1 1 8 1 1 1 '' "$(resource 1057 "$(be 4 1; bytes 0 0)")" '' "$raw$(bytes 255)"
refuses 1 'x.psd: has layers but no merged image; save it with "Maximize compatibility"' 'a PSD with no merged image' \
    gf -i x.psd -o x.png
for mode in '4 CMYK' '7 multichannel' '8 duotone' '9 Lab'; do
    psd 1 ${mode% *} 8 4 1 1 '' '' '' "$raw$(zeros 4)"
    refuses 1 "^gpufilter: x.psd: ${mode#* } PSD is not supported" "a PSD of the mode ${mode#* }" gf -i x.psd -o x.png
done
psd 1 1 8 1 1 1 '' '' '' "$(be 2 2)"
refuses 1 'PSD with ZIP compression is not supported' 'a PSD with ZIP compression' gf -i x.psd -o x.png
# 300 pixels per inch with 16 fractional bits are 11811 per meter.
psd 1 1 8 1 1 1 '' "$(resource 1005 "$(be 4 $((300 << 16)); be 4 0; be 4 $((300 << 16)); be 4 0)")" '' "$raw$(bytes 9)"
works 'the resolution of a PSD' gf -i x.psd -o x.png
is 'the resolution of a PSD is in the PNG' "$(od -An -v -tu1 x.png | tr -d '\n' | tr -s ' ' \
    | grep -c ' 112 72 89 115 0 0 46 35 0 0 46 35 1 ')" 1

# ---- files that end early are refused, wherever they end

bmp 40 3 2 8 1 "$few" "$colours" "$(bytes 3 1 0 0 0 3 2 3 1 0 0 1)"
tga 10 3 2 24 32 '' "$(bytes 131 1 2 3 1 4 5 6 7 8 9)"
psd 1 1 8 1 4 2 '' '' '' "$(be 2 1; be 2 4; be 2 6; bytes 254 7 0 8 128 3 1 2 3 4)"
for ending in bmp tga psd; do
    all=$(wc -c <x.$ending)
    [ $ending = bmp ] && all=$((all - 2))                           # the mark of the end may be missing
    n=1 accepted=
    while [ $n -lt "$all" ]; do
        head -c $n x.$ending | gf -q -f $ending -t pnm -o /dev/null 2>errors && accepted="$accepted $n"
        n=$((n + 3))
    done
    is "each start of a $ending is refused" "$accepted" ''
done

# ---- --from

image a.ppm 8 8 3 255 1
for ending in bmp psd hdr pic tga qoi jpeg; do
    refuses 1 "^gpufilter: a.ppm: is PNM, not $(echo $ending | tr a-z A-Z); leave out --from $ending$" \
        "a PNM with --from $ending" \
        gf -f $ending -i a.ppm -o x.png
done
gf -i a.ppm -o a.png
refuses 1 'a.png: is PNG, not BMP' 'a PNG is not read as BMP' gf -f bmp -i a.png -o x.ppm
sound a.wav 100 1 1
refuses 1 'a.wav: is WAV, not BMP' 'a WAV is not read as BMP' gf -f bmp -i a.wav -o x.ppm
works 'the right one' gf -f png -i a.png -o x.ppm
works 'raw takes anything' gf -f raw:size=58x1,channels=1 -i one.bmp -o x.pgm

# ---- HDR, PIC, PFM, PNM

hdr() { printf "#?RADIANCE\n$1\n\n$2\n\200\100\000\201" >x.hdr; }
rgbe='FORMAT=32-bit_rle_rgbe'
hdr "EXPOSURE=1.0\n$rgbe" '-Y 1 +X 1'
works 'HDR with an exposure of 1' gf -i x.hdr -o x.pfm
hdr "EXPOSURE=2.5\n$rgbe" '-Y 1 +X 1'
warns 'HDR with an exposure' 'x.hdr: the header line EXPOSURE is ignored; values are read as stored' \
    gf -i x.hdr -o x.pfm
for order in '+Y 1 +X 1' '-Y 1 -X 1' '+X 1 -Y 1'; do
    hdr "$rgbe" "$order"
    refuses 1 'x.hdr: HDR is only supported with rows from top to bottom' "HDR with $order" gf -i x.hdr -o x.pfm
done
hdr FORMAT=32-bit_rle_xyze '-Y 1 +X 1'
refuses 1 'x.hdr: HDR with XYZ colors is not supported' 'HDR with XYZ colors' gf -i x.hdr -o x.pfm
# pic FIELDS: writes two pixels: single bytes of red, green and blue, and a run of alpha 7.
pic()
{
    printf "\123\200\366\064$(zeros 84)PICT$(be 2 2; be 2 1; zeros 4; be 2 "$1"; zeros 2; bytes 1 8 0 224 0 8 2 16
        bytes 1 2 3 4 5 6 2 7)" >x.pic
}
pic 1
refuses 1 'x.pic: PIC with a single field of an interlaced image is not supported' 'a field of a PIC' \
    gf -i x.pic -o x.png
printf 'Pf\n1 1\n-0.5\n\000\000\200\076' >x.pfm
warns 'a PFM with a scale' 'x.pfm: its scale, 0.5, is ignored; samples are read as stored' gf -i x.pfm -o y.pfm
printf 'Pf\n1 1\n-1\n\000\000\200\076' >x.pfm
works 'a scale of 1' gf -i x.pfm -o y.pfm
printf 'qoif\0\0\0\001\0\0\0\001\003\001\376\001\002\003\0\0\0\0\0\0\0\001' >x.qoi
warns 'a QOI with linear values' \
    'x.qoi: its header says that values are linear, but they are read as sRGB; add the stage srgb' \
    gf -i x.qoi -o y.ppm
printf 'P5 2 1 100 \144\145' >x.pgm
warns 'a sample above the maxval' 'x.pgm: samples above its maxval, 100, are clipped' gf -i x.pgm -o y.pgm
printf 'P2 2 1 100 100 101\n' >x.pgm
warns 'a sample above the maxval in plain text' 'x.pgm: samples above its maxval, 100, are clipped' gf -i x.pgm -o y.pgm
printf 'P5 2 1 100 \144\143' >x.pgm
works 'no sample above the maxval' gf -i x.pgm -o y.pgm

finish
