# XMP is kept between all formats that can store it.
. "$(dirname "$0")/../lib.sh"

image c8.ppm 31 17 3 255 1
image g8.pgm 31 17 1 255 1
packet='<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
packet=$packet'<rdf:Description xmp:Rating="5" tiff:Orientation="@">'
packet=$packet'<dc:title>sea & sky, h'$(printf '\303\244')'lfte</dc:title>'
packet=$packet'</rdf:Description></x:xmpmeta><?xpacket end="w"?>'
name=http://ns.adobe.com/xap/1.0/
long() { printf "\\$(printf %03o $(($1 / 256)))\\$(printf %03o $(($1 % 256)))"; }
said() { echo "$packet" | sed "s/@/$1/"; }

# found FILE: counts copies of the expected XMP, with orientation 1.
found() { grep -acF -- "$(said 1)" "$1"; }

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'
formats='png jpg'
gf --version | grep -q '^images:.*libtiff' && formats="$formats tif"
gf --version | grep -q '^images:.*libwebp' && formats="$formats webp"
gf -i c8.ppm -o plain.jpg
said 6 | tr -d '\n' >six
{
    head -c 2 plain.jpg
    printf '\377\341'
    long $((2 + 29 + $(wc -c <six)))
    printf '%s\0' $name
    cat six
    tail -c +3 plain.jpg
} >first.jpg

refuses 0 'warning: first.jpg: metadata is lost, because ppm cannot store it: XMP' 'a JPEG with XMP' gf -i first.jpg \
    -o out.ppm
for from in $formats; do
    works "XMP of a JPEG to $from" gf -i first.jpg -o from.$from
    is "XMP of a JPEG to $from is upright" "$(found from.$from)" 1
    for to in $formats; do
        works "XMP of $from to $to" gf -i from.$from blur:1 -o to.$to
        is "XMP of $from to $to is kept" "$(found to.$to)" 1
    done
    works "XMP of $from as gray" gf -i from.$from gray -o gray.$from
    is "XMP of $from as gray is kept" "$(found gray.$from)" 1
    works "XMP of $from with --strip" gf -i from.$from --strip -o none.$from
    is "XMP of $from is dropped with --strip" "$(grep -ac xmpmeta none.$from)" 0
    case $from in
    png | tif)
        gf -q -i from.$from -o with.ppm
        gf -i none.$from -o without.ppm
        same with.ppm without.ppm "XMP of $from is dropped with --strip, and the pixels are the same"
    esac
done

if command -v vips >/dev/null && command -v base64 >/dev/null; then
    said 1 | tr -d '\n' >one
    for from in $formats; do
        is "vips finds it in $from" "$(vipsheader -f xmp-data from.$from 2>/dev/null | base64 -d 2>/dev/null \
            | tr -d '\0')" "$(cat one)"
    done
else
    skip 'no vips here'
fi

# One JPEG marker is too small for this packet. Other formats can store it.
{ said 1 | tr -d '\n'; head -c 70000 /dev/zero | tr '\0' ' '; } >large
{ printf 'XML:com.adobe.xmp\0\0\0\0\0'; cat large; } >body
crc32()
{
    gzip -c "$1" | tail -c 8 | head -c 4 | od -An -tu1 | { read -r a b c d
        printf "\\$(printf %03o "$d")\\$(printf %03o "$c")\\$(printf %03o "$b")\\$(printf %03o "$a")"; }
}
gf -i c8.ppm -o plain.png
{ printf iTXt; cat body; } >chunk
size=$(wc -c <body)
{
    head -c 33 plain.png
    printf "\\0\\$(printf %03o $((size / 65536)))"
    long $((size % 65536))
    cat chunk
    crc32 chunk
    tail -c +34 plain.png
} >large.png
works 'a long one in PNG' gf -i large.png -o again.png
is 'a long packet of XMP in PNG is kept' "$(found again.png) $(($(wc -c <again.png) > 70000))" '1 1'
refuses 0 'warning: large.png: metadata is lost, because it is too long for jpeg: XMP' \
    'a long packet of XMP into JPEG' gf -i large.png -o small.jpg
is 'a long packet of XMP is left out of a JPEG' "$(found small.jpg)" 0
finish
