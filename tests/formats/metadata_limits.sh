# Metadata counts under --memory and --max-memory, and reading much of it takes linear time.
. "$(dirname "$0")/../lib.sh"

byte() { printf "\\$(printf %03o $(($1 % 256)))"; }
be16() { byte $(($1 / 256)); byte "$1"; }
be32() { be16 $(($1 / 65536)); be16 "$1"; }
size() { wc -c <"$1" | tr -d ' '; }
crc32()
{
    gzip -c "$1" | tail -c 8 | head -c 4 | od -An -tu1 | { read -r a b c d; byte "$d"; byte "$c"; byte "$b"
        byte "$a"; }
}
# chunk NAME FILE: writes a PNG chunk.
chunk() { be32 "$(size "$2")"; { printf %s "$1"; cat "$2"; } >named; cat named; crc32 named; }
# packed BYTES: writes a zlib stream of the letter x, whose sum is known without reading it.
packed()
{
    printf '\170\234'
    head -c "$1" /dev/zero | tr '\0' x | gzip -9n | tail -c +11 | head -c -8
    be16 $((($1 + 120 * ($1 * ($1 + 1) / 2 % 65521)) % 65521))
    be16 $(((1 + 120 * $1) % 65521))
}
# png_with CHUNKS, jpeg_with SEGMENTS: write an image with metadata in its header.
png_with() { head -c 33 plain.png; cat "$1"; tail -c +34 plain.png; }
jpeg_with() { head -c 2 plain.jpg; cat "$1"; tail -c +3 plain.jpg; }
# copies COUNT FILE: writes the file COUNT times.
copies() { awk -v n="$1" -v f="$2" 'BEGIN { for (i = 0; i < n; i++) print f }' | xargs cat; }
warns() { name=$1 lines=$2; shift 2; "$@" 2>errors; is "$name" "$? $(cat errors)" "0 $lines"; }

image plain.ppm 8 8 3 255 1
gf -i plain.ppm -o plain.png

# ---- PNG

if gf --version | grep -q '^images:.*\(ISA-L\|zlib\)'; then
    { printf 'Title\0\0'; packed 200000; } >text
    chunk zTXt text >one
    copies 200 one >chunks
    png_with chunks >texts.png
    refuses 1 'texts.png: its metadata needs more than 10.0 MB; raise --max-memory to read it' \
        'texts of 40 MB in 60 KB' gf --max-memory 10M -i texts.png -o x.png
    refuses 1 'texts.png: its metadata needs more than 4.0 MB; raise --memory to read it' \
        'texts that need more than a quarter of --memory' gf --memory 16M -i texts.png -o x.png
    warns 'texts within the limits' '' gf --memory 256M -i texts.png -o texts-out.png
    is 'texts within the limits are all kept' \
        "$(gf -i texts-out.png --to png | grep -aco zTXt) $(grep -ac Title texts-out.png)" \
        "$(grep -aco zTXt texts-out.png) $(grep -ac Title texts-out.png)"
    { printf 'Title\0\0'; packed 5000000; } >text
    chunk zTXt text >one
    copies 50 one >chunks
    png_with chunks >long.png
    refuses 1 'long.png: its metadata needs more than' 'long texts count, although each is dropped' \
        gf --max-memory 10M -i long.png -o x.png
    { printf 'profile\0\0'; packed 3000000; } >profile
    chunk iCCP profile >one
    copies 40 one >chunks
    png_with chunks >profiles.png
    warns 'the second of several profiles is not unpacked' 'gpufilter: warning: profiles.png: its color profile is '\
'damaged and is dropped; the samples are taken as sRGB
gpufilter: warning: profiles.png: has several color profiles or XMP packets; only the first of each is kept' \
        gf --max-memory 10M -i profiles.png -o profiles-out.png
    { printf 'XML:com.adobe.xmp\0\1\0\0\0'; packed 3000000; } >packet
    chunk iTXt packet >one
    copies 40 one >chunks
    png_with chunks >packets.png
    warns 'the second of several packets of XMP is dropped' \
        'gpufilter: warning: packets.png: has several color profiles or XMP '\
'packets; only the first of each is kept' gf --max-memory 10M -i packets.png -o packets-out.png
    { printf 'Raw profile type exif\0\0'; packed 3000000; } >raw
    chunk zTXt raw >one
    copies 40 one >chunks
    png_with chunks >raws.png
    refuses 1 'raws.png: its metadata needs more than' 'raw profiles count' gf --max-memory 10M -i raws.png -o x.png
else
    skip 'PNG: built without a decoder of its own'
fi

# ---- TIFF and MP3: tags that a library reads whole

if gf --version | grep -q '^images:.*libtiff'; then
    # A description of 60 MB of zero bytes, in a file without them on disk.
    gf -i plain.ppm gray -o gray.tif
    {
        printf 'II\052\0\020\0\0\0\001\002\0\0\0\0\0\0\011\0'
        for entry in '\0\001\003\0\001\0\0\0\002' '\001\001\003\0\001\0\0\0\001' '\002\001\003\0\001\0\0\0\010' \
            '\006\001\003\0\001\0\0\0\001' '\016\001\002\0\0\0\300\003\0\020' \
            '\021\001\004\0\001\0\0\0\010' '\025\001\003\0\001\0\0\0\001' \
            '\026\001\003\0\001\0\0\0\001' '\027\001\004\0\001\0\0\0\002'; do
            printf "$entry" >entry
            head -c 12 entry
            head -c $((12 - $(size entry))) /dev/zero
        done
        head -c 4000 /dev/zero
    } >long.tif
    truncate -s 64M long.tif
    refuses 1 'long.tif: .*needs more than 1.0 MB; raise --max-memory to read it' 'a description of 60 MB' \
        gf --max-memory 1M -i long.tif -o x.pgm
else
    skip 'TIFF: built without libtiff'
fi
if gf --version | grep -q '^sound:.*libsndfile-1.[1-9]'; then
    gf -i "$GPUFILTER_SAMPLES/sound.wav" -o sound.mp3
    { printf 'ID3\003\0\0\003\0\0\012TIT2\0\140\0\0\0\0\0'; head -c 6291455 /dev/zero | tr '\0' x; } >id3.mp3
    cat sound.mp3 >>id3.mp3
    refuses 1 'id3.mp3: its metadata needs more than 1.0 MB; raise --max-memory to read it' 'a tag of 6 MB' \
        gf --max-memory 1M -i id3.mp3 -o x.wav
    works 'a tag of 6 MB within the limit' gf -q -i id3.mp3 -o x.wav
fi

# ---- JPEG

gf --version | grep -q '^images:.*libjpeg' || { skip 'JPEG: built without libjpeg'; finish; }
gf -i plain.ppm -o plain.jpg
printf '\377\376\0\003c' >one
copies 500 one >comments
jpeg_with comments >some.jpg
warns '500 comments give no warning' '' gf -i some.jpg -o some-out.jpg
is '500 comments are kept' "$(od -An -v -tx1 some-out.jpg | tr -d ' \n' | grep -o fffe000363 | wc -l | tr -d ' ')" 500
copies 1000 one >thousand
copies 300 thousand >comments
jpeg_with comments >many.jpg
warns '300000 comments take no time' 'gpufilter: warning: many.jpg: some of its texts are lost: they are damaged, '\
'longer than 256 KB, or beyond the first 1000' timeout 10 "$GPUFILTER" -i many.jpg -o many-out.jpg
is 'the first 1000 of 300000 comments are kept' \
    "$(od -An -v -tx1 many-out.jpg | tr -d ' \n' | grep -o fffe000363 | wc -l | tr -d ' ')" 1000
{ printf '\377\341'; be16 60008; printf 'Exif\0\0'; head -c 60000 /dev/zero; } >one
copies 50 one >blocks
jpeg_with blocks >exif.jpg
refuses 1 'exif.jpg: its metadata needs more than 1.0 MB; raise --max-memory to read it' 'EXIF of 3 MB' \
    gf --max-memory 1M -i exif.jpg -o x.jpg
works 'EXIF of 3 MB within the limit' gf -q --max-memory 8M -i exif.jpg -o x.png
printf '\377\341\0\012Exif\0\0ab' >one
copies 5000 one >blocks
jpeg_with blocks >blocks.jpg
refuses 1 'blocks.jpg: has more than 4096 markers with metadata, the most that are read' 'EXIF in 5000 parts' \
    gf -i blocks.jpg -o x.png
{ printf '\377\342\0\024ICC_PROFILE\0\001\002'; printf ICCP; } >one
jpeg_with one >half.jpg
warns 'a profile of which a part is missing' 'gpufilter: warning: half.jpg: its color profile is damaged and is '\
'dropped; the samples are taken as sRGB' gf -i half.jpg -o half.png
# Markers of parts that are only reported are not kept in memory.
{ printf '\377\353\0\026JP\0\1\0\0\0\1\0\0\0\020jumbabcd'; } >one
copies 1000 one >thousand
copies 100 thousand >boxes
jpeg_with boxes >boxes.jpg
works '100000 boxes of credentials' gf -q --max-memory 3M -i boxes.jpg -o x.ppm
rm -f ./*.jpg ./*.png
finish
