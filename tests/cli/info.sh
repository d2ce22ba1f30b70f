# --info: what files are, by their headers, in all forms; compared with known values and with
# ImageMagick, SoX and FFmpeg.
. "$(dirname "$0")/../lib.sh"

gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" resize:83x61 -o in.ppm
gf -q -i "$GPUFILTER_SAMPLES/cutout.pam" resize:83x61 -o in.pam
gf -q -i in.ppm gray -o in.pgm
gf -q -i "$GPUFILTER_SAMPLES/voice.wav" resample:48000 trim:0,0.5 -o in.wav

# cells FILE COLUMN...: prints these cells of a file's row, with blanks between them; an empty one is "-".
cells()
{
    file=$1
    shift
    gf --info "$file" -t tsv | awk -F '\t' -v want="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        { n = split(want, w, " ")
          for (i = 1; i <= n; i++) printf "%s%s", $column[w[i]] == "" ? "-" : $column[w[i]], i < n ? " " : "\n" }'
}

# ---- all formats that are written

image='format kind width height channels alpha type depth frames orientation'
while read -r name from want; do
    gf -q -i "$from" -o "x.$name" || fail "$name is written"
    is "what a file in $name is" "$(cells "x.$name" $image)" "$want"
    works "$name is found by --from, too" gf --info --from "${want%% *}" "x.$name"
done <<'END'
png in.pam png image 83 61 4 1 u8 8 1 1
jpg in.ppm jpeg image 83 61 3 0 u8 8 1 1
tiff in.pam tiff image 83 61 4 1 u8 8 1 1
webp in.pam webp image 83 61 4 1 u8 8 1 1
qoi in.ppm qoi image 83 61 3 0 u8 8 1 1
bmp in.ppm bmp image 83 61 3 0 u8 8 1 1
tga in.ppm tga image 83 61 3 0 u8 8 1 1
hdr in.ppm hdr image 83 61 3 0 f32 32 1 1
pfm in.pgm pnm image 83 61 1 0 f32 32 1 1
pbm in.pgm pnm image 83 61 1 0 u8 1 1 1
pgm in.pgm pnm image 83 61 1 0 u8 8 1 1
ppm in.ppm pnm image 83 61 3 0 u8 8 1 1
pam in.pam pnm image 83 61 4 1 u8 8 1 1
y4m in.ppm y4m image 83 61 3 0 u8 8 1 1
END
while read -r name format depth; do
    gf -q -i in.wav -o "x.$name" || fail "$name is written"
    is "what audio in $name is" "$(cells "x.$name" format kind width channels depth frames rate seconds)" \
       "$format audio - 1 $depth 24000 48000 0.5"
done <<'END'
wav wav 24
rf64 wav 24
flac flac 24
aiff aiff 24
au au 24
caf caf 24
w64 w64 24
ogg ogg -
opus ogg -
mp3 mp3 -
END
for depth in 2 16; do
    gf -q -i in.pgm --depth $depth -o d.png
    is "the depth of a PNG of $depth bits" "$(cells d.png channels depth)" "1 $depth"
done

# ---- other programs

if command -v identify >/dev/null; then
    for name in png jpg tiff webp bmp tga ppm; do
        is "ImageMagick finds the same size and depth in $name" "$(cells x.$name width height depth)" \
            "$(identify -format '%w %h %z' x.$name)"
    done
    convert in.ppm -orient RightTop -units PixelsPerInch -density 300x150 i.tiff
    is "orientation and resolution of ImageMagick's TIFF" "$(cells i.tiff width height orientation x_dpi y_dpi)" \
       '83 61 6 300 150'
    convert in.ppm -set Title 'one
two; three' i.png
    is 'a text of a PNG, on one line' "$(cells i.png texts | grep -c 'Title=one.ntwo; three')" 1
else
    skip 'no ImageMagick here'
fi
if command -v soxi >/dev/null; then
    for name in wav flac aiff au ogg; do
        is "SoX finds the same length, rate and channels in $name" "$(cells x.$name frames rate channels)" \
            "$(soxi -s x.$name) $(soxi -r x.$name) $(soxi -c x.$name)"
    done
else
    skip 'no SoX here'
fi
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    for name in gif apng y4m; do
        ffmpeg -v error -y -f lavfi -i testsrc=duration=1.5:size=64x48:rate=10 -pix_fmt \
            "$(case $name in y4m) echo yuv420p ;; gif) echo pal8 ;; *) echo rgb24 ;; esac)" v.$name
        is "frames and duration of FFmpeg's $name" "$(cells v.$name width height frames rate seconds)" \
            '64 48 15 10 1.5'
    done
    is 'the images of an animation in a pipe are not counted' \
        "$(cat v.gif | gf --info)" 'standard input: GIF, 64x48 rgba u8, unknown number of images, 10 per second'
    is 'the images of an APNG are in its header, also in a pipe' "$(cat v.apng | gf --info | grep -c ' 15 images')" 1
    if ffmpeg -v error -y -i in.wav -ac 2 -b:a 128k -write_xing 0 m.mp3 2>errors; then
        # FFmpeg counts the bytes of the frames, and this program their samples
        ffprobe -v error -show_entries format=duration -of csv=p=0 m.mp3 >theirs 2>/dev/null
        is 'the length of an MP3 that does not state it' "$(cells m.mp3 seconds | awk '{ printf "%.2f", $1 }')" \
            "$(awk '{ printf "%.2f", $1 }' theirs)"
    else
        skip 'FFmpeg writes no MP3 here'
    fi
else
    skip 'no FFmpeg here'
fi

# ---- metadata

be16() { printf "\\$(printf %03o $(($1 / 256)))\\$(printf %03o $(($1 % 256)))"; }
be32() { be16 $(($1 / 65536)); be16 $(($1 % 65536)); }
# entry TAG TYPE COUNT VALUE: an entry of EXIF with a number; SHORTs are left-aligned.
entry() { be16 "$1"; be16 "$2"; be32 "$3"; if [ "$2" = 3 ]; then be16 "$4"; be16 0; else be32 "$4"; fi; }
{
    printf 'Exif\0\0MM\0*\0\0\0\10'
    be16 4
    entry 271 2 6 62                                       # Make, after this directory
    entry 272 2 4 0 | head -c 8; printf 'X1 \0'            # Model, inside the entry, with a blank at its end
    entry 274 3 1 8                                        # orientation
    entry 34665 4 1 68                                     # the directory of EXIF
    be32 0
    printf 'Canon\0'
    be16 1
    entry 36867 2 20 86
    be32 0
    printf '2024:05:06 07:08:09\0'
} >app1
{ printf '\377\330\377\341'; be16 $(($(wc -c <app1) + 2)); cat app1; tail -c +3 x.jpg; } >exif.jpg
is 'camera, time and orientation of EXIF' "$(cells exif.jpg orientation blocks) $(cells exif.jpg texts)" \
    '8 EXIF Make=Canon; Model=X1; DateTimeOriginal=2024:05:06 07:08:09'
is 'a line for people, and the texts' "$(gf --info exif.jpg)" 'exif.jpg: JPEG, 83x61 rgb u8, orientation 8, EXIF
  Make: Canon
  Model: X1
  DateTimeOriginal: 2024:05:06 07:08:09'
is 'several files have a line each' "$(gf --info exif.jpg x.flac)" \
    'exif.jpg: JPEG, 83x61 rgb u8, orientation 8, EXIF
x.flac: FLAC, 48000 Hz, 1 channel s24, 0.5 s'
is '--verbose adds the texts' "$(gf --info -v --no-sandbox exif.jpg x.png 2>/dev/null | grep -c '^  M')" 2

# profile KIND: an ICC profile that has only a name, in the form of version 2 or 4.
profile()
{
    head -c 128 /dev/zero
    be32 1
    printf 'desc'
    be32 144
    if [ "$1" = 2 ]; then
        be32 30
        printf 'desc\0\0\0\0'
        be32 7
        printf 'Plain 2\0\0\0\0\0\0\0\0\0\0\0'
    else
        be32 36
        printf 'mluc\0\0\0\0'
        be32 1
        be32 12
        printf 'enUS'
        be32 8
        be32 28
        printf '\0W\0\344\040\254\0r'
    fi
}
for version in 2 4; do
    profile $version >p.icc
    {
        printf '\377\330\377\342'
        be16 $(($(wc -c <p.icc) + 16))
        printf 'ICC_PROFILE\0\1\1'
        cat p.icc
        tail -c +3 x.jpg
    } >icc$version.jpg
done
is 'the name of a profile of version 2' "$(cells icc2.jpg profile)" 'Plain 2'
is 'the name of a profile of version 4' "$(cells icc4.jpg profile)" 'Wä€r'

# ---- headers only

{ head -c 3000 /dev/zero | tr '\0' '\252'; } >noise
{ head -c 60 x.png; head -c 100 noise; tail -c +161 x.png; } >hurt.png
refuses 1 'damaged\|decoded' 'an image whose data is damaged' gf -i hurt.png -o o.ppm
is 'it is listed, because its data is not decoded' "$(cells hurt.png width height channels)" '83 61 4'
printf 'P7\nWIDTH 30\nHEIGHT 2\nDEPTH 7\nMAXVAL 255\nENDHDR\n' >seven.pam
head -c 420 /dev/zero >>seven.pam
is 'more channels than an image may have' "$(gf --info seven.pam)" 'seven.pam: PNM, 30x2 7 channels u8'
cat x.ppm x.pam x.pgm >three.pnm
is 'images of a sequence of PNM' "$(cells three.pnm channels frames)" '3 3'
printf 'P5\n70000 70000\n255\n' >huge.pgm
truncate -s 4900000019 huge.pgm
is 'an image above the default limit of pixels' "$(gf --info huge.pgm)" 'huge.pgm: PNM, 70000x70000 gray u8'
refuses 1 'raise --max-pixels' 'a limit that is given' gf --info --max-pixels 1M huge.pgm
rm -f huge.pgm

# ---- many files, failures

printf 'no image' >text.xyz
head -c 20 x.jpg >cut.jpg
gf --info x.png nothere.png text.xyz cut.jpg x.wav >out 2>errors
is 'failures: the exit status' "$?" 1
is 'failures: the others are listed' "$(cut -d : -f 1 out | tr '\n' ' ')" 'x.png x.wav '
is 'failures: a line for each, and one for all' "$(cut -d : -f 2 errors | tr '\n' ' ')" \
    ' nothere.png  text.xyz  cut.jpg  3 of 5 inputs failed '
refuses 1 'nothere.png: No such file' 'one missing file' gf --info nothere.png
gf --info --fail-fast -j1 nothere.png x.png >out 2>errors
is '--fail-fast: the exit status' "$?" 1
mkdir -p many
for i in $(seq 600); do ln x.png many/$i.png; done
ln x.wav many/7.wav
gf --info -i many -j 1 >one
gf --info -j 7 many >seven
same one seven 'the same list from one thread and from seven'
is 'files of a folder are in their order' "$(sed -n '2p;7p;8p;601p' one | cut -d : -f 1 | tr '\n' ' ')" \
    'many/2.png many/7.png many/7.wav many/600.png '
is 'a shard of them' "$(gf --info many --shard 2/3 | wc -l)" 200
printf 'x.png\nx.wav\n' | gf --info --files-from - >out
is 'names from a list' "$(cut -d : -f 1 out | tr '\n' ' ')" 'x.png x.wav '
is 'a file before the option' "$(gf x.png --info x.wav | cut -d : -f 1 | tr '\n' ' ')" 'x.png x.wav '
is 'standard input has a name' "$(gf --info <x.png)" 'standard input: PNG, 83x61 rgba u8'

# ---- forms

gf --info x.png -o list.csv
gf --info x.png -t csv >out
same out list.csv 'an output file'
is 'a row of CSV' "$(tail -n 1 out)" 'x.png,png,image,83,61,4,1,u8,8,1,,,,1,,,,,'
refuses 1 'would replace x.png' 'a list that would replace an input' gf --info x.png -o x.png -t tsv
refuses 2 'TSV, CSV or JSON' 'a list as a drawing' gf --info x.png -t svg
refuses 2 'cannot be combined' 'two requests at once' gf --info --list
esc=$(printf '\033')
hostile="a${esc}[31m	\"b\"
c,.png"
cp x.png "$hostile"
is 'a hostile name in the text' "$(gf --info "$hostile")" 'a\x1b[31m\t"b"\nc,.png: PNG, 83x61 rgba u8'
is 'a hostile name in TSV is quoted' "$(gf --info "$hostile" -t tsv | tail -n +2)" \
    "\"a${esc}[31m	\"\"b\"\"
c,.png\"	png	image	83	61	4	1	u8	8	1				1					"
if command -v script >/dev/null; then
    for form in tsv csv json; do
        script -qec "'$GPUFILTER' --info -t $form \"\$HOSTILE\"" /dev/null </dev/null >out 2>&1 ||
            HOSTILE=$hostile script -qec "'$GPUFILTER' --info -t $form \"\$HOSTILE\"" /dev/null </dev/null >out 2>&1
        is "a hostile name in $form on a terminal" "$(grep -c "$esc" out) $(grep -c png out)" "0 1"
    done
else
    skip 'no script here, which makes a terminal'
fi
if command -v python3 >/dev/null; then
    for file in "$hostile" exif.jpg icc4.jpg nothere; do
        gf -q --info x.wav "$file" x.pam -t json >list.json 2>errors
        works "JSON with $(printf '%s' "${file%%.*}" | tr -c 'a-z0-9' ' ') is valid" python3 -m json.tool list.json
    done
    gf --info nothere -t json >out 2>errors
    is 'JSON without any file' "$(cat out)" '[]'
    gf --info exif.jpg x.mp3 -t json >out
    is 'values in JSON' "$(python3 -c '
import json
photo, song = json.load(open("out"))
print(photo["width"], photo["texts"][0], "type" in song, song["rate"], song["seconds"])')" \
        "83 {'key': 'Make', 'value': 'Canon'} False 48000 0.5"
else
    skip 'no python3 here'
fi

finish
