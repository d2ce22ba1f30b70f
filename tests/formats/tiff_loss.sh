# Losses of TIFF are named: damaged tags, metadata, resolution without a unit, CMYK profiles, images
# of a stack.
. "$(dirname "$0")/lib_tiff.sh"

gf --version | grep -q '^images:.*libtiff' || skip_all 'built without libtiff'
w2='256,3,1,2 257,3,1,1'

# ---- tags that cannot be read

# A palette of 1 bit: red, green and blue of both colors, 16 bits each.
map='\377\377\000\000\000\000\377\377\000\000\000\000'
page "$map"'\100' $w2 258,3,1,1 262,3,1,3 273,4,1,@12 277,3,1,1 278,3,1,1 279,4,1,1 320,3,6,@ >palette.tif
works 'a palette of 16-bit colors' gf -i palette.tif -o x.ppm
is 'red and green' "$(plain x.ppm)" ' 255 0 0 0 255 0 '
page '\000\377\000\000\000\000\000\377\000\001\000\002\100' $w2 258,3,1,1 262,3,1,3 273,4,1,@12 277,3,1,1 278,3,1,1 \
    279,4,1,1 320,3,6,@ >small.tif
warns 'warning: small.tif: the colors of its palette are at most 255 of 65535; they are read as 8-bit colors' \
    'a palette that may have 8-bit colors' gf -i small.tif -o x.ppm
is 'a palette of 8-bit colors is read as such' "$(plain x.ppm)" ' 255 0 1 0 255 2 '
page "\\001\\000$map" $w2 258,3,1,8 262,3,1,3 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 320,3,768,@2 >cut.tif
refuses 1 'cut.tif: can.t be decoded: its tag ColorMap is damaged or cut short' 'a palette that is cut short' \
    gf -i cut.tif -o x.ppm
page '\001\002' $w2 258,3,1,8 262,3,1,3 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 >none.tif
refuses 1 'none.tif: can.t be decoded: its palette has no colors' 'a palette without colours' gf -i none.tif -o x.ppm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 65000,4,4,90000 >private.tif
works 'a private tag that is cut short' gf -i private.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 282,5,1,90000 >resolution.tif
warns 'warning: resolution.tif: its tag XResolution is damaged, and is lost' 'a resolution that is cut short' \
    gf -i resolution.tif -o x.pgm

usual='277,3,1,1 278,3,1,1 279,4,1,2'
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ $usual 339,3,1,9 >format.tif
refuses 1 'format.tif: can.t be decoded: .*SampleFormat' 'a sample format that does not exist' \
    gf -i format.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 266,3,1,9 273,4,1,@ $usual >order.tif
refuses 1 'order.tif: can.t be decoded: its tag FillOrder is damaged' 'an order of bits that does not exist' \
    gf -i order.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 274,3,1,9 $usual >lies.tif
warns 'warning: lies.tif: its tag Orientation is damaged, and is lost' 'an orientation that does not exist' \
    gf -i lies.tif -o x.pgm
page '\100' $w2 258,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,1 >none.tif
warns 'none.tif: its tag PhotometricInterpretation is missing; it is read as gray, in which 0 is black' \
    'colors that are not stated' gf -i none.tif -o x.pgm
is 'colors that are not stated are gray' "$(plain x.pgm)" ' 0 255 '
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,1 >short.tif
warns 'short.tif: is damaged and is read as far as possible: the sizes of its strips are wrong' \
    'a strip that says it is shorter than its row' gf -i short.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ $usual 32997,4,1,2 >deep.tif
refuses 1 'deep.tif: has 2 slices in depth, but only flat images are supported' 'an image with depth' \
    gf -i deep.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,8 $usual | head -c 106 >last.tif
warns 'last.tif: its directory is cut short; if more pages follow, they are not read' 'a directory without its end' \
    gf -i last.tif -o x.pgm
{ page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ $usual | head -c 106; printf '\0\0\0\010\001\002'; } >loop.tif
warns 'loop.tif: its list of pages returns to an earlier page; each is read once' 'a page after which it comes again' \
    gf -i loop.tif -t pnm -o x.pgm
is 'a list of pages that returns is read once' "$(tail -c 2 x.pgm | od -An -tu1 | tr -s ' ')" ' 1 2'

printf 'MM\0\052\0\0\0\010\0\0\0\0\0\0' >empty.tif
refuses 1 'empty.tif: can.t be decoded: ' 'a directory without entries' gf -i empty.tif -o x.pgm

# ---- resolution without a unit: 3.5 by 2

page '\001\002\000\000\000\007\000\000\000\002\000\000\000\004\000\000\000\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ \
    277,3,1,1 278,3,1,1 279,4,1,2 282,5,1,@2 \
    283,5,1,@10 296,3,1,1 >unit.tif
works 'a resolution without a unit' gf -i unit.tif -o kept.tif
works 'PNG has a place for the shape of pixels' gf -i kept.tif -o x.png
warns 'warning: kept.tif: its pixels are not square (4:7), and pgm cannot store that' 'it is named where it is lost' \
    gf -i kept.tif -o x.pgm
warns 'warning: x.png: its pixels are not square (4:7), and pgm cannot store that' 'also from PNG' gf -i x.png -o x.pgm
gf -i unit.tif transpose -o kept.tif
works 'a resolution in an unknown unit gives no warning with --strip' gf -i unit.tif --strip -o x.png
page '\001\002\000\000\000\001\000\000\000\001' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 \
    282,5,1,@2 283,5,1,@2 296,3,1,1 >unit.tif
works '1 by 1 says nothing' gf -i unit.tif -o x.png

# ---- EXIF, GPS, IPTC, GeoTIFF

page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 33723,7,4,1 34853,4,1,8 >exif.tif
warns 'warning: exif.tif: its IPTC metadata is lost' 'IPTC of a TIFF' gf -i exif.tif --strip=exif -o x.png
works 'IPTC and GPS of a TIFF give no warning with --strip' gf -i exif.tif --strip -o x.png
works 'IPTC and GPS of a TIFF give no warning on a pipe' sh -c '"$0" -i exif.tif | cat >x.pgm' "$GPUFILTER"
refuses 1 'an error because of --strict' 'an error with --strict' gf --strict -i exif.tif -o strict.png
is 'IPTC and GPS of a TIFF with --strict leave no output' "$(ls strict.png 2>/dev/null)" ''
page '\001\002\000\001\000\001\000\000' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 \
    34735,3,4,@ >geo.tif
warns 'geo.tif: its GeoTIFF metadata is lost' 'where it lies on earth' gf -i geo.tif -o x.tif

if gf --version | grep -q '^images:.*jpeg'; then
    image c.ppm 8 8 3 255 1
    gf -i c.ppm -o c.jpg
    {
        head -c 2 c.jpg
        printf '\377\341\0\042Exif\0\0MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\001\0\0\0\0\0\0'
        tail -c +3 c.jpg
    } >exif.jpg
    works 'EXIF of a JPEG to PNG' gf -i exif.jpg -o x.png
    works 'EXIF of a JPEG to TIFF, which has a place for the orientation' gf -i exif.jpg -o x.tif
    works 'EXIF of a JPEG to TIFF with --strip' gf -i exif.jpg --strip -o x.tif
else
    skip 'built without libjpeg'
fi

# ---- a CMYK profile; a stack with a page for only one image

# 132 bytes of a profile that claims CMYK and is otherwise damaged.
profile=$(${AWK:-awk} 'BEGIN { for (i = 0; i < 132; i++) printf "%s", (i == 16 ? "CMYK" : i == 36 ? "acsp" : \
    int(i / 4) == 4 || int(i / 4) == 9 ? "" : "\\000") }')
page "\\000\\010\\000\\010\\000\\010\\000\\010$profile"'\000\000\000\000\000\000\000\000' $w2 258,3,4,@ 262,3,1,5 \
    273,4,1,@140 277,3,1,4 278,3,1,1 279,4,1,8 \
    34675,7,132,@8 >inks.tif
page '\000\010\000\010\000\010\000\010\000\000\000\000\000\000\000\000' $w2 258,3,4,@ 262,3,1,5 273,4,1,@8 277,3,1,4 \
    278,3,1,1 279,4,1,8 >plain.tif
warns 'warning: plain.tif: CMYK without a color profile is converted to RGB by a simple formula' \
    'inks without a profile' gf -i plain.tif -o x.ppm
warns 'warning: inks.tif: its CMYK is converted to RGB without its color profile' 'a profile of inks' \
    gf -i inks.tif -o x.ppm
if gf --version | grep -q lcms; then
    refuses 1 'inks.tif: its color profile is damaged; --icc keep reads' \
        'a damaged profile of inks with --icc convert' gf -i inks.tif --icc convert -o x.ppm
else
    skip 'built without lcms2'
fi
text='ImageJ=1.53\012images=7\012\000'
page "\\001\\002$text" $w2 258,3,1,8 262,3,1,1 270,2,22,@2 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 >stack.tif
warns 'warning: stack.tif: claims 7 images, but describes only the first' 'a stack' gf -i stack.tif -o x.pgm
finish
