# Metadata stays correct: thumbnails and sizes follow the image, orientation is found in all places,
# losses are named.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'

byte() { printf "\\$(printf %03o $(($1 % 256)))"; }
be16() { byte $(($1 / 256)); byte "$1"; }
be32() { be16 $(($1 / 65536)); be16 "$1"; }
le16() { byte "$1"; byte $(($1 / 256)); }
le32() { le16 "$1"; le16 $(($1 / 65536)); }
size() { wc -c <"$1" | tr -d ' '; }
# entry TAG TYPE COUNT VALUE: writes an entry of an EXIF directory.
entry() { le16 "$1"; le16 "$2"; le32 "$3"; le32 "$4"; }
# segment MARKER FILE...: writes a JPEG segment.
segment() { byte 255; byte "$1"; shift; cat "$@" >body; be16 $(($(size body) + 2)); cat body; }
# with JPEG SEGMENTS: writes the JPEG with segments after its first marker.
with() { head -c 2 "$1"; cat "$2"; tail -c +3 "$1"; }
crc32()
{
    gzip -c "$1" | tail -c 8 | head -c 4 | od -An -tu1 | { read -r a b c d; byte "$d"; byte "$c"; byte "$b"
        byte "$a"; }
}
# chunk NAME FILE: writes a PNG chunk.
chunk() { be32 "$(size "$2")"; { printf %s "$1"; cat "$2"; } >named; cat named; crc32 named; }
# png_with PNG CHUNKS: writes the PNG with chunks after its header.
png_with() { head -c 33 "$1"; cat "$2"; tail -c +34 "$1"; }
# block PNG: writes the content of its eXIf chunk.
block()
{
    at=$(grep -abo eXIf "$1" | head -n 1 | cut -d: -f1)
    [ -n "$at" ] || return 0
    n=$(tail -c +$((at - 3)) "$1" | head -c 4 | od -An -tu1 | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
    tail -c +$((at + 5)) "$1" | head -c "$n"
}
# warns NAME LINES COMMAND...: expects success and exactly LINES on standard error.
warns() { name=$1 lines=$2; shift 2; "$@" 2>errors; is "$name" "$? $(cat errors)" "0 $lines"; }
lost()
{
    echo "gpufilter: warning: $1: metadata is lost, because $2 cannot store it: $3; --strip drops all metadata "\
"without a \
warning"
}

image c.ppm 31 17 3 255 1
gf -i c.ppm --quality 95 -o plain.jpg
gf -i c.ppm -o plain.png
outputs='png jpg'
gf --version | grep -q '^images:.*libwebp' && outputs="$outputs webp"

# ---- EXIF with a thumbnail between its directories and the maker note

# exif ORIENTATION WIDTH HEIGHT: writes 164 bytes of EXIF. The thumbnail has 36 bytes, from 122 on.
exif()
{
    printf 'II*\0'; le32 8
    le16 3; entry 271 2 2 65; entry 274 3 1 "$1"; entry 34665 4 1 50; le32 "${next-92}"
    le16 3; entry 40962 4 1 "$2"; entry 40963 3 1 "$3"; entry 37500 7 6 158; le32 0
    if [ -n "$cleaned" ]; then
        head -c 66 /dev/zero
    else
        le16 2; entry 513 4 1 122; entry 514 4 1 36; le32 0
        printf 'THUMBNAILTHUMBNAILTHUMBNAILTHUMBNAIL'
    fi
    printf 'NOTES!'
}
exif_jpeg()
{
    { printf 'Exif\0\0'; exif "$@"; } >exif.body
    segment 225 exif.body >exif.segment
    with plain.jpg exif.segment
}
exif_jpeg 1 31 17 >one.jpg
exif_jpeg 6 31 17 >six.jpg
exif 1 31 17 >one.exif
works 'EXIF without a stage' gf -i one.jpg -o kept.png
block kept.png >found
same found one.exif 'EXIF without a stage is the same byte by byte'
works 'EXIF after a crop' gf -i one.jpg crop:20x10+3+2 -o crop.png
cleaned=1 next=0 exif 1 20 10 >wanted
block crop.png >found
same found wanted 'EXIF after a crop has a new size, no thumbnail, and its maker note in its place'
works 'a stage that keeps the size' gf -i one.jpg blur:1 -o blur.png
cleaned=1 next=0 exif 1 31 17 >wanted
block blur.png >found
same found wanted 'EXIF after a stage that keeps the size has no thumbnail'
works 'EXIF of an image that is set upright' gf -i six.jpg -o upright.png
cleaned=1 next=0 exif 1 17 31 >wanted
block upright.png >found
same found wanted 'the thumbnail does not lie beside it'
for to in $outputs; do
    works "EXIF after a crop into $to" gf -i one.jpg crop:20x10+3+2 -o crop.$to
    is "$to: no thumbnail, a maker note" "$(grep -ac THUMBNAIL crop.$to) $(grep -ac 'NOTES!' crop.$to)" '0 1'
    works "EXIF after a second crop, from $to" gf -i crop.$to crop:7x5+1+1 -o again.png
    cleaned=1 next=0 exif 1 7 5 >wanted
    block again.png >found
    same found wanted "EXIF after a second crop has its size, from $to"
done
works 'EXIF at a tee' gf -i one.jpg crop:20x10+0+0 tee:tee.png crop:8x4+0+0 -o end.png
cleaned=1 next=0 exif 1 20 10 >wanted
block tee.png >found
same found wanted 'EXIF at a tee has its own size'
cleaned=1 next=0 exif 1 8 4 >wanted
block end.png >found
same found wanted 'EXIF of the output after a tee has its own size'
cat one.jpg one.jpg one.jpg >three.jpg
works 'EXIF of several images' gf -i three.jpg crop:20x10+0+0 -o 'three-{n}.png'
cleaned=1 next=0 exif 1 20 10 >wanted
block three-3.png >found
same found wanted 'EXIF of the last of several images'

# A thumbnail at the end is removed. One inside a maker note is an independent JPEG.
{
    printf 'II*\0'; le32 8
    le16 1; entry 34665 4 1 26; le32 62
    le16 1; entry 37500 7 18 44; le32 0
    printf 'NT'; printf '\377\330\377\333\0\003x\377\332\0\002SEEN\377\331'
    le16 2; entry 513 4 1 92; entry 514 4 1 9; le32 0
    printf THUMBNAIL
} >end.exif
chunk eXIf end.exif >end.chunk
png_with plain.png end.chunk >end-in.png
works 'thumbnails in other places' gf -i end-in.png flip -o end-out.png
{
    printf 'II*\0'
    le32 8
    le16 1
    entry 34665 4 1 26
    le32 0
    le16 1
    entry 37500 7 18 44
    le32 0
    printf NT
    head -c 16 /dev/zero
} >wanted
block end-out.png >found
same found wanted 'the one at the end is cut off, the one in the maker note is zeroed'

# Many entries claim the same bytes. EXIF that cannot be cleaned is dropped.
{ printf 'II*\0'; le32 8; le16 40; i=0; while [ $i -lt 40 ]; do entry 700 1 480 8; i=$((i + 1)); done
    le32 0; } >claims.exif
chunk eXIf claims.exif >claims.chunk
png_with plain.png claims.chunk >claims.png
warns 'EXIF that is a trap' "gpufilter: warning: claims.png: its EXIF is damaged and is dropped; its thumbnail \
cannot be separated from the rest" \
    gf -i claims.png flip -o out.png
is 'EXIF that claims too much is dropped' "$(block out.png | wc -c | tr -d ' ')" 0

# ---- XMP: sizes, thumbnails, orientation

packet()
{
    printf '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description %s>%s</rdf:Description></x:xmpmeta>' "$1" "$2"
}
xmp_jpeg()
{
    { printf 'http://ns.adobe.com/xap/1.0/\0'; cat "$1"; } >xmp.body
    segment 225 xmp.body >xmp.segment
    with plain.jpg xmp.segment
}
thumbs='<xmp:Thumbnails><rdf:Alt><rdf:li xmpGImg:image="THUMBNAIL"/></rdf:Alt></xmp:Thumbnails>'
packet 'exif:PixelXDimension="31" tiff:ImageWidth="31" tiff:ImageLength = '"'17'" \
    "<exif:PixelYDimension>17</exif:PixelYDimension>$thumbs<a/>" >in.xmp
packet 'exif:PixelXDimension="5" tiff:ImageWidth="5" tiff:ImageLength = '"'120'" \
    '<exif:PixelYDimension>120</exif:PixelYDimension><a/>' >wanted.xmp
xmp_jpeg in.xmp >xmp.jpg
works 'XMP after a resize' gf -i xmp.jpg resize:5x120 -o xmp.png
is 'XMP after a resize has the new size and no thumbnail' "$(grep -acF "$(cat wanted.xmp)" xmp.png)" 1
works 'XMP without a stage' gf -i xmp.jpg -o xmp.png
is 'XMP without a stage is unchanged' "$(grep -acF "$(cat in.xmp)" xmp.png)" 1

gf -i c.ppm crop:4x2+0+0 -o small.png
head_of() { gf -i "$1" -t pnm | head -n 2 | tail -n 1; }
packet 'tiff:Orientation="6"' '' >six.xmp
{ printf 'XML:com.adobe.xmp\0\0\0\0\0'; cat six.xmp; } >body.xmp
chunk iTXt body.xmp >xmp.chunk
png_with small.png xmp.chunk >xmp6.png
is 'orientation in XMP alone' "$(head_of xmp6.png)" '2 4'
exif 1 4 2 >body.exif
{ chunk eXIf body.exif; cat xmp.chunk; } >both.chunk
png_with small.png both.chunk >both.png
is 'EXIF comes first' "$(head_of both.png)" '4 2'
xmp_jpeg six.xmp >six-xmp.jpg
is 'the orientation in the XMP of a JPEG' "$(head_of six-xmp.jpg)" '17 31'
gf -i six-xmp.jpg -o six-out.jpg
is 'the orientation in the XMP of a JPEG is applied once' "$(head_of six-out.jpg)" '17 31'
for to in webp tiff; do
    gf --version | grep -q "^images:.*lib$to" || continue
    gf -i six-out.jpg -o upright.$to
    sed 's/tiff:Orientation="1"/tiff:Orientation="6"/' upright.$to >turned.$to
    [ $to = tiff ] && wanted='17 31' || wanted='31 17'       # a TIFF has a tag for it, which comes first
    is "the orientation in the XMP of a $to" "$(head_of turned.$to)" "$wanted"
done

# ---- PNG texts that contain other metadata

# raw NAME FILE: writes a raw profile as ImageMagick does.
raw() { printf '\n%s\n%8d\n' "$1" "$(size "$2")"; od -An -v -tx1 -w36 "$2" | tr -d ' '; }
exif 6 4 2 >six.exif
{ printf 'Exif\0\0'; cat six.exif; } >six.app1
{ printf 'http://ns.adobe.com/xap/1.0/\0'; cat six.xmp; } >xmp.app1
for kind in 'exif six.exif eXIf' 'exif six.app1 eXIf' 'APP1 six.app1 eXIf' 'xmp six.xmp XML:com' \
    'APP1 xmp.app1 XML:com'; do
    set -- $kind
    { printf 'Raw profile type %s\0' "$1"; raw "$1" "$2"; } >text
    chunk tEXt text >text.chunk
    png_with small.png text.chunk >raw.png
    is "a text with $kind" "$(head_of raw.png)" '2 4'
    works "a text with $kind, as PNG" gf -i raw.png -o again.png
    is "a text with $kind becomes what it stands for" \
        "$(grep -ac 'Raw profile' again.png) $(grep -ac "$3" again.png) $(head_of again.png)" '0 1 2 4'
done
{ printf 'Raw profile type exif\0\nexif\n  99999\n4949'; } >text
chunk tEXt text >text.chunk
png_with small.png text.chunk >raw.png
works 'a text that looks like a raw profile but is none' gf -i raw.png -o again.png
is 'a text that looks like a raw profile but is none stays a text' "$(grep -ac 'Raw profile' again.png)" 1

# ---- IPTC

{ printf '8BIM\4\14\0\0\0\0\0\004THUM8BIM\4\4\0\0'; be32 9; printf '\034\002\170\0\004Text\0'; } >resources
{ printf 'Photoshop 3.0\0'; cat resources; } >body13
segment 237 body13 >segment13
with plain.jpg segment13 >iptc.jpg
{ printf 'Photoshop 3.0\0008BIM\4\4\0\0'; be32 9; printf '\034\002\170\0\004Text\0'; } >wanted13
works 'IPTC after a blur' gf -i iptc.jpg blur:1 -o iptc2.jpg
is 'IPTC is kept, the thumbnail beside it is not' "$(grep -ac Text iptc2.jpg) $(grep -ac THUM iptc2.jpg)" '1 0'
works 'IPTC from JPEG to PNG' gf -i iptc.jpg -o iptc.png
works 'IPTC from PNG back to JPEG' gf -i iptc.png -o iptc3.jpg
tail -c +21 iptc3.jpg | grep -abo 'Photoshop 3.0' | cut -d: -f1 >at
tail -c +$((21 + $(cat at))) iptc3.jpg | head -c "$(size wanted13)" >found
same found wanted13 'IPTC through a PNG is the same'
[ "$outputs" = 'png jpg' ] || warns 'IPTC is lost in WebP, with a warning' "$(lost iptc.jpg webp IPTC)" \
    gf -i iptc.jpg -o iptc.webp
{ printf 'Photoshop 3.0\0008BIM\7\320\0\0'; be32 2; printf ab; } >body13
segment 237 body13 >segment13
with plain.jpg segment13 >path.jpg
warns 'a clipping path' 'gpufilter: warning: path.jpg: its clipping paths are lost; gpufilter does not read them' \
    gf -i path.jpg -o path.png

# ---- metadata that an output cannot store

warns 'EXIF is lost in PPM, with a warning' "$(lost one.jpg ppm EXIF)" gf -i one.jpg -o a.ppm
mkdir many
warns 'QOI of two' "gpufilter: warning: one.jpg and 1 other file: $(lost one.jpg qoi EXIF | sed 's/.*jpg: //')" \
    gf -i one.jpg -i six.jpg -t qoi -o many/
warns 'EXIF is lost at a tee, with a warning' "$(lost one.jpg bmp EXIF)" gf -i one.jpg tee:t.bmp blur:1 -o a.png
for words in '-o a.png' '-o a.jpg' 'resize:50% -o a.png' '--strip -o a.ppm' '-q -o a.ppm' 'stats -o a.tsv' \
    '-t raw -o a.raw' '-t y4m -o a.y4m'; do
    warns "nothing with $words" '' gf -i one.jpg $words
done
warns 'no warning of lost metadata for a pipe' '' sh -c '"$0" -i one.jpg gray | cat >a' "$GPUFILTER"
warns 'no warning of lost metadata for a pipe of a named format' '' sh -c '"$0" -i one.jpg -t ppm | cat >a' "$GPUFILTER"
refuses 1 'one.jpg: metadata is lost' 'lost metadata is an error with --strict' gf --strict -i one.jpg -o strict.ppm
is 'lost metadata with --strict leaves no output' "$(ls strict.ppm 2>/dev/null)" ''
{ printf 'Exif\0\0II*\0'; le32 8; le16 2; entry 274 3 1 6; entry 296 3 1 2; le32 0; } >body1
segment 225 body1 >segment1
with plain.jpg segment1 >trivial.jpg
warns 'EXIF that holds orientation and resolution alone is not missed' '' gf -i trivial.jpg -o a.ppm

text_png() { printf '%s\0%s' "$2" "$3" >text; chunk tEXt text >text.chunk; png_with plain.png text.chunk >"$1"; }
text_png title.png Title 'A view'
text_png date.png date:create 2020
text_png gimp.png Comment 'Created with GIMP'
warns 'a text is lost in QOI, with a warning' "$(lost title.png qoi 'text (Title)')" gf -i title.png -o a.qoi
warns 'one that programs write' '' gf -i date.png -o a.qoi
warns 'a comment that programs write is lost without a warning' '' gf -i gimp.png -o a.qoi
if gf --version | grep -q '^images:.*libtiff'; then
    warns 'a text that TIFF has no tag for' "$(lost title.png tiff 'text (Title)')" gf -i title.png -o a.tif
fi
printf 'Title\0afterwards' >text
{ head -c $(($(size plain.png) - 12)) plain.png; chunk tEXt text; tail -c 12 plain.png; } >late.png
warns 'a text after the image, in a file' '' gf -i late.png -o a.png
is 'a text after the image, in a file, is kept' "$(grep -ac afterwards a.png)" 1
warns 'a text after the image, on a pipe, gives a warning' \
    'gpufilter: warning: standard input: metadata after the image is lost, because a pipe delivers it '\
'too late; -i FILE keeps it' \
    sh -c 'cat late.png | "$0" -o a.png' "$GPUFILTER"
warns 'a text after the image, on a pipe into a table, gives no warning' '' sh -c 'cat late.png | "$0" stats -o a.tsv' \
    "$GPUFILTER"

# EXIF of 70000 bytes fits into PNG, but not into JPEG.
{ exif 1 31 17; head -c 70000 /dev/zero | tr '\0' x; } >long.exif
chunk eXIf long.exif >long.chunk
png_with plain.png long.chunk >long.png
warns 'a long block' 'gpufilter: warning: long.png: metadata is lost, because it is too long for jpeg: EXIF; png '\
'stores more' \
    gf -i long.png -o a.jpg
works 'a long block of EXIF in PNG' gf -i long.png -o a.png
block a.png >found
same found long.exif 'a long block of EXIF in PNG is kept'
{ printf 'Exif\0\0'; head -c 60000 long.exif; } >body1
{ printf 'Exif\0\0'; tail -c +60001 long.exif; } >body2
{ segment 225 body1; segment 225 body2; } >segments
with plain.jpg segments >cut.jpg
works 'a long block of EXIF in two segments' gf -i cut.jpg -o a.png
block a.png >found
same found long.exif 'a long block of EXIF in two segments becomes one'

# ---- further images in a JPEG

# index CLASS MAIN FURTHER OFFSET: writes a list of two images.
index()
{
    printf 'MPF\0II*\0'; le32 8; le16 3
    le16 45056; le16 7; le32 4; printf 0100
    entry 45057 4 1 2; entry 45058 7 32 50; le32 0
    le32 537067520; le32 "$2"; le32 0; le32 0
    le32 "$1"; le32 "$3"; le32 "$4"; le32 0
}
gf -i c.ppm resize:8x8 -o second.jpg
# multi CLASS: writes a JPEG with a second image of that class.
multi()
{
    main=$(($(size plain.jpg) + 4 + 86))
    index "$1" $main "$(size second.jpg)" $((main - 10)) >bodyM
    segment 226 bodyM >segmentM
    with plain.jpg segmentM
    cat second.jpg
}
multi 65538 >preview.jpg
multi 0 >depth.jpg
multi 131074 >views.jpg
gf -i plain.jpg -o wanted.ppm
warns 'a preview in a JPEG gives no warning' '' gf -i preview.jpg -o a.ppm
same a.ppm wanted.ppm 'a preview in a JPEG is no image of its own'
warns 'a depth map in a JPEG gives a warning' \
    "gpufilter: warning: depth.jpg: further images in the file, such as depth or a gain map, are lost; only the main \
one is read" \
    gf -i depth.jpg -o a.ppm
same a.ppm wanted.ppm 'a depth map in a JPEG is no image of its own'
works 'the views of a JPEG' gf -i views.jpg -o 'view-{n}.ppm'
is 'the views of a JPEG are images' "$(ls view-*)" 'view-1.ppm
view-2.ppm'
cat preview.jpg second.jpg >more.jpg
works 'an image after the preview' gf -i more.jpg -o 'more-{n}.ppm'
is 'an image after the preview is read' "$(ls more-*) $(sed -n 2p more-2.ppm)" 'more-1.ppm
more-2.ppm 8 8'
multi 0 | head -c $main >stale.jpg
warns 'a list of what is no longer there' '' gf -i stale.jpg -o a.ppm
works 'a preview in a JPEG on a pipe' sh -c 'cat preview.jpg | "$0" -o a.ppm' "$GPUFILTER"
same a.ppm wanted.ppm 'a preview in a JPEG on a pipe is no image of its own'
packet 'hdrgm:Version="1.0"' '<Container:Directory><a/></Container:Directory>' >hdr.xmp
xmp_jpeg hdr.xmp >hdr.jpg
warns 'a gain map' 'gpufilter: warning: hdr.jpg: its gain map is lost; the result has standard dynamic range' \
    gf -i hdr.jpg -o a.jpg
is 'the XMP of an HDR image no longer announces its gain map' "$(grep -ac -e hdrgm -e Container a.jpg)" 0
packet 'GCamera:MotionPhoto="1"' '' >motion.xmp
xmp_jpeg motion.xmp >motion.jpg
warns 'the video of a motion photo is lost, with a warning' \
    'gpufilter: warning: motion.jpg: the video of this motion photo is lost; only the image is read' \
    gf -i motion.jpg -o a.jpg
{ printf 'JP\0\1\0\0\0\1\0\0\0\020jumb'; } >body11
segment 235 body11 >segment11
with plain.jpg segment11 >c2pa.jpg
warns 'content credentials are lost, with a warning' \
    "gpufilter: warning: c2pa.jpg: its content credentials (C2PA) are lost, because they are valid only for the \
bytes of the input" gf -i c2pa.jpg -o a.jpg

# ---- PNG color chunks without a profile

be32 100000 >gamma
chunk gAMA gamma >gamma.chunk
png_with plain.png gamma.chunk >linear.png
be32 45455 >gamma
chunk gAMA gamma >gamma.chunk
png_with plain.png gamma.chunk >usual.png
for n in 31270 32900 68000 32000 26500 69000 15000 6000; do be32 $n; done >chroma
chunk cHRM chroma >chroma.chunk
png_with plain.png chroma.chunk >wide.png
printf '\011\020\0\001' >cicp
chunk cICP cicp >cicp.chunk
png_with plain.png cicp.chunk >hdr.png
printf '\0' >srgb
{ cat chroma.chunk; chunk sRGB srgb; } >overruled.chunk
png_with plain.png overruled.chunk >overruled.png
# chunks FILE: prints the names of its color chunks.
chunks() { for name in gAMA cHRM cICP; do grep -aq $name "$1" && printf '%s ' $name; done; }
for pair in 'linear gAMA' 'wide cHRM' 'hdr cICP'; do
    works "${pair#* } to PNG" gf -i ${pair% *}.png flip -o a.png
    is "${pair#* } to PNG is kept" "$(chunks a.png)" "${pair#* } "
done
gf --version | grep -q '^images:.*lcms2' && hint='; --icc convert converts the colors to sRGB' ||
    hint='; the samples are taken as sRGB'
for file in linear wide; do
    warns "the gamma and primaries of $file.png are lost in QOI" \
        "gpufilter: warning: $file.png: its gamma and primaries (chunks gAMA, cHRM) are lost, because qoi cannot \
store them$hint" gf -i $file.png -o a.qoi
done
warns 'primaries of gray' '' gf -i wide.png gray -o a.pgm
warns 'cICP to QOI' 'gpufilter: warning: hdr.png: its color space (chunk cICP) is lost, because qoi cannot store it; '\
'the '\
'samples are taken as sRGB' gf -i hdr.png -o a.qoi
for file in usual overruled; do warns "the gamma and primaries of $file.png are not needed in QOI" '' \
    gf -i $file.png -o a.qoi; done
if gf --version | grep -q '^images:.*lcms2'; then
    works 'light is converted' gf -i linear.png --icc convert -o a.png
    is 'the gamma of light is dropped after its conversion' "$(chunks a.png)" ''
    gf -i a.png -t raw -o a.raw
    gf -i plain.png -t raw -o b.raw
    is 'light is converted by the curve of sRGB' "$(paste -d ' ' "$(od -An -v -w1 -tu1 b.raw >b.txt; echo b.txt)" \
        "$(od -An -v -w1 -tu1 a.raw >a.txt; echo a.txt)" |
        ${AWK:-awk} '{ v = $1 / 255; w = 255 * (v <= .0031308 ? 12.92 * v : 1.055 * v ^ (1 / 2.4) - .055)
               d = w - $2; d = d < 0 ? -d : d; worst = d > worst ? d : worst }
             END { print NR, worst <= 1 ? "near" : worst }')" '1581 near'
    warns 'cICP is not converted' 'gpufilter: warning: hdr.png: its color space (chunk cICP) is not converted; --icc '\
'convert only supports profiles, gamma and primaries' \
        gf -i hdr.png --icc convert -o a.png
fi

# ---- pixels that are not square

{ be32 1; be32 2; printf '\0'; } >shape
chunk pHYs shape >shape.chunk
png_with plain.png shape.chunk >shape.png
gf --version | grep -q '^images:.*libtiff' && with_shape='png jpg tif' || with_shape='png jpg'
for to in $with_shape; do
    works "pixels twice as wide as high, to $to" gf -i shape.png flip -o shape2.$to
done
for to in $with_shape; do
    warns "pixels twice as wide as high, read from $to" \
        "gpufilter: warning: shape2.$to: its pixels are not square (2:1), and qoi cannot store that; resize makes \
them square" \
        gf -i shape2.$to -o a.qoi
done
is 'Y4M has it in its header' "$(gf -i shape.png -t y4m | head -n 1)" 'YUV4MPEG2 W31 H17 F25:1 Ip A2:1 C420jpeg'
warns 'pixels twice as wide as high, to QOI' \
    "gpufilter: warning: shape.png: its pixels are not square (2:1), and qoi cannot store that; resize makes them \
square" \
    gf -i shape.png -o a.qoi
warns 'pixels twice as wide as high, turned' \
    "gpufilter: warning: shape.png: its pixels are not square (1:2), and qoi cannot store that; resize makes them \
square" \
    gf -i shape.png transpose -o a.qoi
warns 'pixels twice as wide as high, stretched' '' gf -i shape.png resize:62x17 -o a.qoi
works 'stretched to PNG' gf -i shape.png resize:62x17 -o a.png
is 'nothing is said of the shape' "$(grep -ac pHYs a.png)" 0
works 'pixels twice as wide as high, after a crop' gf -i shape.png crop:5x10+0+0 -o a.png
is 'pixels twice as wide as high, after a crop, keep their shape' \
    "$(tail -c +$(($(grep -abo pHYs a.png | cut -d: -f1) + 5)) a.png | head -c 9 | od -An -tu1 | tr -s ' ')" \
    ' 0 0 0 1 0 0 0 2 0'

text_png copy.png exif:Orientation 6
works 'orientation in a text' gf -i copy.png -o a.png
is 'orientation in a text is kept without a stage' "$(grep -ac exif:Orientation a.png)" 1
works 'orientation in a text, with a stage' gf -i copy.png flip -o a.png
is 'orientation in a text is dropped with a stage' "$(grep -ac exif:Orientation a.png)" 0

# ---- --strip=LIST

# placed: writes EXIF with a place, whose 24 bytes of latitude are readable, and a maker. cleared: without the place.
placed()
{
    printf 'II*\0'; le32 8
    le16 2; entry 271 2 2 65; entry 34853 4 1 38; le32 0
    le16 3; entry 0 1 4 770; entry 1 2 2 78; entry 2 5 3 80; le32 0
    printf 'LATITUDELATITUDELATITUDEEND!'
}
cleared()
{
    printf 'II*\0'; le32 8
    le16 1; entry 271 2 2 65; head -c 82 /dev/zero
    printf 'END!'
}
{ printf 'Exif\0\0'; placed; } >exif.body
segment 225 exif.body >parts.segment
cat >place.xmp <<'END'
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="1,2N" xmlns:dc="dc" dc:source="KEPT">
<exif:GPSLongitude>3,4E</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>
END
{ printf 'http://ns.adobe.com/xap/1.0/\0'; cat place.xmp; } >xmp.body
segment 225 xmp.body >>parts.segment
with plain.jpg parts.segment >placed.jpg
placed >place.exif
works 'a place is kept by default' gf -i placed.jpg -o a.png
block a.png >found
same found place.exif 'EXIF with a place is the same byte by byte'
is '--info names a place in EXIF' "$(gf --info placed.jpg | head -n 1 | sed 's/.*, //')" 'EXIF GPS XMP'
works 'the place of EXIF and XMP is dropped' gf -i placed.jpg --strip=gps -o a.jpg
is '--info names no place that is dropped' "$(gf --info a.jpg | head -n 1 | sed 's/.*, //')" 'EXIF XMP'
for to in $outputs; do
    works "no place in $to" gf -i placed.jpg --strip=gps -o a.$to
    is "$to has no place, in EXIF and XMP" "$(grep -ac 'LATITUDE\|1,2N\|3,4E' a.$to)" 0
    is "$to keeps the rest" "$(grep -aoc 'END!' a.$to) $(grep -aoc KEPT a.$to)" '1 1'
done
block a.png >found
cleared >wanted
same found wanted 'EXIF without its place keeps the places of all other bytes'
sed 's/exif:GPSLatitude/other:GPSLatitude/g; s/xmlns:exif=/xmlns:other=/' place.xmp >other.xmp
{ printf 'http://ns.adobe.com/xap/1.0/\0'; cat other.xmp; } >xmp.body
segment 225 xmp.body >other.segment
with plain.jpg other.segment >other.jpg
is '--info names a place in XMP' "$(gf --info other.jpg | sed 's/.*, //')" 'GPS XMP'
works 'a place with another name' gf -i other.jpg --strip=gps -o a.png
is 'a place with another name is dropped, the rest is not' \
    "$(grep -ac '1,2N\|3,4E' a.png) $(grep -ac KEPT a.png)" '0 1'
# xmp_photo FILE: writes a JPEG whose XMP is standard input.
xmp_photo()
{
    { printf 'http://ns.adobe.com/xap/1.0/\0'; cat; } >xmp.body
    segment 225 xmp.body >xmp.segment
    with plain.jpg xmp.segment >"$1"
}
{
    echo '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description photoshop:City="PLACE" exif:GPSPosition="PLACE"'
    echo 'dc:source="KEPT" photoshop:Credit="KEPT"><exif:GPSCoordinates>PLACE</exif:GPSCoordinates>'
    echo '<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City="PLACE"/></rdf:Bag></Iptc4xmpExt:LocationShown>'
    echo '<dc:description>no GPSLatitude here</dc:description></rdf:Description></rdf:RDF></x:xmpmeta>'
} | xmp_photo named.jpg
warns 'names of places, and a text with the name of a tag' '' gf -i named.jpg --strip=gps -o a.png
is 'names of places are dropped, other properties are not' \
    "$(grep -ac PLACE a.png) $(grep -ao 'KEPT\|no GPSLatitude here' a.png | grep -c .)" '0 3'
echo '<rdf:Description><exif:GPSLatitude>1,2N</rdf:Description>' | xmp_photo open.jpg
warns 'XMP with a place that has no end is dropped, with a warning' "gpufilter: warning: open.jpg: its XMP is dropped, \
because the place cannot be separated from the rest" gf -i open.jpg --strip=gps -o a.png
is 'the place that had no end is gone' "$(grep -ac '1,2N' a.png)" 0
{
    printf 'Photoshop 3.0\0008BIM\4\4\0\0'; be32 30
    printf '\034\002\132\0\004City\034\002\170\0\004Text\034\002\145\0\007Country'
} >body13
segment 237 body13 >segment13
with plain.jpg segment13 >city.jpg
works 'the city in IPTC' gf -i city.jpg --strip=GPS -o a.jpg
is 'IPTC keeps its text without city and country' "$(grep -ac 'City\|Country' a.jpg) $(grep -ac Text a.jpg)" '0 1'
text_png texts.png exif:GPSLatitude 1,2N
works 'a place in a text' gf -i texts.png --strip=gps -o a.png
is 'the text is dropped' "$(grep -ac 1,2N a.png)" 0
works 'texts are stripped' gf -i texts.png --strip=text -o a.png
is 'all texts are dropped' "$(grep -ac GPSLat a.png)" 0
works 'a thumbnail is stripped' gf -i one.jpg --strip=thumbnail -o a.png
cleaned=1 next=0 exif 1 31 17 >wanted
block a.png >found
same found wanted 'EXIF without a stage loses only its thumbnail'
works 'no EXIF and no XMP' gf -i placed.jpg --strip=exif,xmp -o a.png
is 'there is neither' "$(grep -ac 'END!\|KEPT\|eXIf' a.png)" 0
warns 'what is stripped has no warning' '' gf -i placed.jpg --strip=exif --strip=xmp -o a.qoi
warns 'what is left has one' "$(lost placed.jpg qoi EXIF)" gf -i placed.jpg --strip=xmp -o a.qoi
for word in gps gps,thumbnail exif,xmp,iptc,icc,text; do
    works "--strip=$word of an image without metadata" gf -i plain.jpg --strip=$word -o a.png
done
gf -i plain.jpg -o b.png
same a.png b.png 'an image without metadata stays the same'
# EXIF, XMP and JFIF with 300 dots per inch
{
    printf 'Exif\0\0II*\0'; le32 8; le16 4; entry 271 2 4 4410192; entry 282 5 1 62; entry 283 5 1 62; entry 296 3 1 2
    le32 0; le32 300; le32 1
} >body1
segment 225 body1 >dots.segment
printf 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description
    tiff:XResolution="300/1" tiff:YResolution="300/1" dc:source="KEPT"><tiff:ResolutionUnit>2</tiff:ResolutionUnit>
    </rdf:Description></rdf:RDF></x:xmpmeta>' >body2
segment 225 body2 >>dots.segment
{ head -c 13 plain.jpg; printf '\001\001\054\001\054'; tail -c +19 plain.jpg; } >jfif.jpg
with jfif.jpg dots.segment >dots.jpg
is 'a resolution without --strip' "$(gf --info dots.jpg | grep -o '[0-9]* dpi')" '300 dpi'
for to in png jpg tif; do
    works "the resolution is stripped in $to" gf -i dots.jpg --strip=resolution -o a.$to
    is "$to has no resolution, but EXIF and XMP" "$(grep -ac 'XResolution\|YResolution\|ResolutionUnit' a.$to)\
$(gf --info a.$to | grep -o 'dpi\|EXIF\|XMP' | tr '\n' ' ')" '0EXIF XMP '
done
block a.png >found
is 'EXIF has no resolution' "$(dd if=found bs=1 skip=8 count=2 2>/dev/null | od -An -tu1 | tr -d ' ')" 10
# the same EXIF in a JPEG whose JFIF has no unit, and in one without JFIF
segment 225 body1 >exif.segment
with plain.jpg exif.segment >only.jpg
{ head -c 2 plain.jpg; cat exif.segment; tail -c +21 plain.jpg; } >bare.jpg
for from in only.jpg bare.jpg; do
    is "the resolution of EXIF alone in $from" "$(gf --info $from | grep -o '[0-9]* dpi')" '300 dpi'
    for to in png tif; do
        gf -i $from resize:5x5 -o a.$to
        is "the resolution of EXIF in $from arrives in $to" \
            "$(gf --info a.$to | grep -o '[0-9.]* dpi' | sed 's/299[.]999/300/')" '300 dpi'   # PNG: 11811/m
    done
    gf -i $from --strip=resolution -o a.tif
    is "the resolution of EXIF in $from is stripped" "$(gf --info a.tif | grep -o 'dpi')" ''
done
with jfif.jpg exif.segment | sed 's/\x01\x01\x2c\x01\x2c/\x01\x00\x64\x00\x64/' >jfif100.jpg
is 'the resolution of JFIF counts before that of EXIF' "$(gf --info jfif100.jpg | grep -o '[0-9]* dpi')" '100 dpi'
if gf --version | grep -q '^images:.*libwebp'; then
    gf -i only.jpg -o only.webp
    is 'the resolution of EXIF in WebP' "$(gf --info only.webp | grep -o '[0-9]* dpi')" '300 dpi'
fi
refuses 2 "unknown 'gsp'; did you mean 'gps'" 'a part with a mistake' gf -i plain.jpg --strip=gsp -o a.png
refuses 2 "must be gps, thumbnail, exif, xmp, iptc, icc, text or resolution, or several with commas" 'an unknown part' \
    gf -i plain.jpg --strip=everything -o a.png

# ---- positions after a perspective or a lens

{
    echo '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description'
    echo 'tiff:XResolution="300/1" tiff:YResolution="72/1"'
    echo 'exif:FocalPlaneXResolution="300/1" exif:FocalPlaneYResolution="72/1" dc:source="KEPT"/></rdf:RDF></x:xmpmeta>'
} | xmp_photo plane.jpg
for words in 'lens:0.1' 'lens:0.1 lens:0.1' 'rotate:45 lens:0.1' 'rotate:-45 lens:0.1'; do
    # shellcheck disable=SC2086
    works "positions are unknown after $words" gf -i plane.jpg $words -o a.png
    is "the density to print with stays, that of the sensor does not, after $words" \
        "$(grep -ao '[a-z:]*[FX][A-Za-z]*Resolution="[0-9]*/' a.png) $(grep -ac KEPT a.png)" 'tiff:XResolution="300/ 1'
done

# ---- other programs

if command -v exiftool >/dev/null; then
    is 'exiftool reads what is left of EXIF' "$(exiftool -s3 -warning -ExifImageWidth -ExifImageHeight -Make \
        crop.jpg)" '20
10
A'
    is 'exiftool reads IPTC' "$(exiftool -s3 -IPTC:Caption-Abstract iptc2.jpg iptc.png | grep Text)" 'Text
Text'
else
    skip 'no exiftool here'
fi
finish
