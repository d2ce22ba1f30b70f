# TIFF: a page keeps the kind of compression of its input, which other programs need. The tags are read from the bytes.
. "$(dirname "$0")/lib_tiff.sh"

gf --version | grep -q '^images:.*libtiff' || skip_all 'built without libtiff'

# packing FILE: prints the compression and the predictor of each page, "1/- 5/2 ". Offsets are below 2^24, in
# little-endian order.
packing()
{
    od -An -v -tu1 -w1 "$1" | ${AWK:-awk} '
    { b[NR - 1] = $1 }
    function two(at) { return b[at] + 256 * b[at + 1] }
    function four(at) { return two(at) + 65536 * b[at + 2] }
    END {
        for (at = four(4); at != 0; at = four(at)) {
            compression = predictor = "-"
            count = two(at)
            for (at += 2; count-- > 0; at += 12) {
                if (two(at) == 259)
                    compression = two(at + 8)
                if (two(at) == 317)
                    predictor = two(at + 8)
            }
            printf "%s/%s ", compression, predictor
        }
    }'
}

image c.ppm 40 30 3 255 1
gf -i c.ppm -o deflate.tif
is 'other inputs: deflate with differences' "$(packing deflate.tif)" '8/2 '
gf -i c.ppm --depth f32 -o float.tif
is 'other inputs: floats' "$(packing float.tif)" '8/3 '
is 'deflate stays deflate after a stage' "$(gf -i deflate.tif blur:1 -o x.tif; packing x.tif)" '8/2 '
is 'the predictor for floats stays' "$(gf -i float.tif blur:1 -o x.tif; packing x.tif)" '8/3 '
is 'the predictor for floats becomes that for integers' "$(gf -i float.tif --depth 16 -o x.tif; packing x.tif)" '8/2 '
is 'floats of integers have no predictor' "$(gf -i deflate.tif --depth f32 -o x.tif; packing x.tif)" '8/- '

# Files without compression, and with PackBits and LZW: two rows of three pixels, or one of floats, made by hand.
size='256,3,1,3 257,3,1,2'
page '\001\002\003\0104\0105\0377' $size 258,3,1,8 259,3,1,1 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,2 279,4,1,6 >none.tif
page '\0376\007\0376\010' $size 258,3,1,8 259,3,1,32773 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,2 279,4,1,4 >bits.tif
# LZW: codes of 9 bits, 256 7 7 7 8 8 8 257.
page '\0200\001\0300\0340\0160\0100\0040\0020\0101' $size 258,3,1,8 259,3,1,5 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,2 \
    279,4,1,9 >lzw.tif
page '\0077\0\0\0\0\0\0\0' 256,3,1,2 257,3,1,1 258,3,1,32 259,3,1,1 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,8 \
    339,3,1,3 >plain.tif
is 'PackBits is read' "$(gf -i bits.tif -o x.pgm; plain x.pgm)" ' 7 7 7 8 8 8 '
is 'LZW is read' "$(gf -i lzw.tif -o x.pgm; plain x.pgm)" ' 7 7 7 8 8 8 '

# keeps NAME FILE PACKING OPTION...: tests the result of a stage, and its samples.
keeps()
{
    name=$1 file=$2 wanted=$3
    shift 3
    works "$name" gf -i $file invert "$@" -o x.tif
    is "$name: its tags" "$(packing x.tif)" "$wanted"
    gf -i $file invert -t pam -o wanted.pam
    gf -i x.tif -t pam -o found.pam
    same found.pam wanted.pam "$name: its samples"
}
keeps 'no compression stays so' none.tif '1/- '
keeps 'no compression of floats stays so' plain.tif '1/- ' --depth f32
keeps PackBits bits.tif '32773/- '
keeps LZW lzw.tif '5/- '
keeps 'LZW with --strip stays so' lzw.tif '5/- ' --strip
keeps '--compression 6 comes first' none.tif '8/2 ' --compression 6
keeps '--compression 9 comes first' lzw.tif '8/2 ' --compression 9
keeps '--compression 0 comes first' lzw.tif '1/- ' --compression 0
is 'LZW on a pipe stays so' "$(gf -i lzw.tif invert -t tiff >x.tif; packing x.tif)" '5/- '
is 'LZW at a tee stays so' "$(gf -i lzw.tif tee:x.tif invert -o y.ppm; packing x.tif)" '5/- '
is 'floats that do not change' "$(gf -i plain.tif -o x.tif; packing x.tif; gf -i x.tif -t raw | od -An -tx1)" \
    '1/-  00 00 00 3f 00 00 00 00'
cat none.tif lzw.tif deflate.tif bits.tif >x
is 'each page keeps its own compression' "$(gf -i x -o x.tif; packing x.tif)" '1/- 5/- 8/2 32773/- '

# A fax becomes gray of 8 bits. This one is a white row in Group 4.
page '\0200' 256,3,1,8 257,3,1,1 258,3,1,1 259,3,1,4 262,3,1,0 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,1 >fax.tif
keeps 'fax becomes deflate' fax.tif '8/2 '

if command -v tiffcp >/dev/null; then
    for kind in lzma:34925 zstd:50000; do
        tiffcp -c ${kind%:*}:1 deflate.tif in.tif 2>/dev/null || continue
        keeps "tiffcp -c ${kind%:*}" in.tif "${kind#*:}/- "
        tiffcp -c ${kind%:*}:2 deflate.tif in.tif
        keeps "tiffcp -c ${kind%:*}:2" in.tif "${kind#*:}/2 "
    done
    for options in '-c zip:1' '-c zip:1 -8' '-c zip:1 -t -w 16 -l 16' '-c zip:1 -B'; do
        tiffcp $options deflate.tif in.tif
        keeps "deflate of tiffcp $options stays so" in.tif '8/- '
    done
    tiffcp -c jpeg deflate.tif in.tif 2>/dev/null && keeps 'JPEG becomes deflate' in.tif '8/2 '
    gf -i c.ppm -o deflate.tif
    tiffcp -c lzw:2 -8 deflate.tif in.tif
    keeps 'LZW of a BigTIFF stays so' in.tif '5/2 '
else
    skip 'no tiffcp here'
fi
finish
