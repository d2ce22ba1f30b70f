# Losses of TIFF are named: damaged tags, metadata, resolution without a unit, CMYK profiles, images
# of a stack.
. "$(dirname "$0")/lib_tiff.sh"

gf --version | grep -q '^images:.*libtiff' || skip_all 'built without libtiff'
w2='256,3,1,2 257,3,1,1'

# ---- tags that cannot be read

# A palette of 1 bit: red, green and blue of both colors, 16 bits each.
map='\377\377\000\000\000\000\377\377\000\000\000\000'
page "$map"'\100' $w2 258,3,1,1 262,3,1,3 273,4,1,@12 277,3,1,1 278,3,1,1 279,4,1,1 320,3,6,@ >palette.tif
works 'a palette' gf -i palette.tif -o x.ppm
is 'red and green' "$(plain x.ppm)" ' 255 0 0 0 255 0 '
page "\\001\\000$map" $w2 258,3,1,8 262,3,1,3 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 320,3,768,@2 >cut.tif
refuses 1 'cut.tif: can.t be decoded: its tag ColorMap is damaged or cut short' 'a palette that is cut short' \
    gf -i cut.tif -o x.ppm
page '\001\002' $w2 258,3,1,8 262,3,1,3 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 >none.tif
refuses 1 'none.tif: can.t be decoded: its palette has no colors' 'a palette without colours' gf -i none.tif -o x.ppm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 65000,4,4,90000 >private.tif
works 'a private tag that is cut short' gf -i private.tif -o x.pgm
page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 282,5,1,90000 >resolution.tif
warns 'warning: resolution.tif: its tag XResolution is damaged and is ignored' 'a resolution that is cut short' \
    gf -i resolution.tif -o x.pgm

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
works 'not with --strip' gf -i unit.tif --strip -o x.png
page '\001\002\000\000\000\001\000\000\000\001' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 \
    282,5,1,@2 283,5,1,@2 296,3,1,1 >unit.tif
works '1 by 1 says nothing' gf -i unit.tif -o x.png

# ---- EXIF, GPS, IPTC, GeoTIFF

page '\001\002' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 34665,4,1,8 34853,4,1,8 >exif.tif
warns 'warning: exif.tif: its EXIF, GPS metadata is lost' 'EXIF and GPS' gf -i exif.tif -o x.png
warns 'exif.tif: its EXIF, GPS metadata is lost' 'TIFF to TIFF' gf -i exif.tif -o x.tif
works 'not with --strip' gf -i exif.tif --strip -o x.png
works 'nor for a pipe' sh -c '"$0" -i exif.tif | cat >x.pgm' "$GPUFILTER"
refuses 1 'an error because of --strict' 'an error with --strict' gf --strict -i exif.tif -o strict.png
is 'and no output' "$(ls strict.png 2>/dev/null)" ''
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
    works 'to TIFF, which has a place for the orientation' gf -i exif.jpg -o x.tif
    works 'not with --strip' gf -i exif.jpg --strip -o x.tif
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
    refuses 1 'inks.tif: its color profile is damaged; --icc keep reads' 'is used with --icc convert' gf -i inks.tif \
        --icc convert -o x.ppm
else
    skip 'built without lcms2'
fi
text='ImageJ=1.53\012images=7\012\000'
page "\\001\\002$text" $w2 258,3,1,8 262,3,1,1 270,2,22,@2 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 >stack.tif
warns 'warning: stack.tif: claims 7 images, but describes only the first' 'a stack' gf -i stack.tif -o x.pgm
finish
