# The workflows of gpufilter-workflows(7): the commands run as they stand, and what comes out is right.
. "$(dirname "$0")/lib.sh"
cp "$GPUFILTER_SAMPLES"/* . 2>/dev/null
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH
page=$here/../man/gpufilter-workflows.7.in
[ -f "$page" ] || page=$here/../man/gpufilter-workflows.7

# Each block of commands in a file, SECTION-N, where blanks and commas of the section's name are left out.
mkdir blocks
${AWK:-awk} '
/^\.SH/ { name = substr($0, 5); gsub(/[ ",]/, "", name); n = 0 }
/^\.EX/ { file = "blocks/" name "-" ++n; next }
/^\.EE/ { close(file); file = ""; next }
file != "" { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); print >file }' "$page"

# run BLOCK WHAT: it must succeed and say nothing on standard error.
run()
{
    mv "blocks/$1" "$1.sh"
    works "$2" sh -e "./$1.sh"
}
# first_bin FILE STAGES...: how many samples of its first channel lie in bin 0; last_bin: in the last one.
first_bin() { file=$1; shift; gf -i "$file" "$@" | awk 'NR == 2 { print $2 }'; }
last_bin() { file=$1; shift; gf -i "$file" "$@" | awk 'END { print $2 }'; }
size_of() { gf -i "$1" --to ppm | awk 'NR == 2 { print $1 "x" $2; exit }'; }
is_true() { is "$1" "$(awk "BEGIN { print ($2) ? \"yes\" : \"no: $2\" }")" yes; }
# bits of a PNG's sample, which its header tells
png_bits() { od -An -tu1 -j24 -N1 "$1" | tr -d ' '; }

run ASCANNEDPAGE-1 'a scanned page'
is 'the page is black and white' "$(gf -i page-ink.png histogram:256 | awk 'NR > 1 && $2 > 0 { printf "%d ", $1 }')" '0 255 '
is_true 'there was dust in the margin' "$(first_bin page.ppm gray threshold:otsu crop:10x180 histogram:2) > 10"
is 'there is none any more' "$(first_bin page-ink.png crop:10x180 histogram:2)" 0
ink=$(first_bin page-ink.png histogram:2)
is_true 'the letters are there' "$ink > 4000 && $ink < 10000"
is_true 'the page in gray has many values' "$(gf -i page-gray.png histogram:256 | awk 'NR > 1 && $2 > 0' | wc -l) > 100"

mkdir holiday
cp photo.ppm holiday/one.ppm
gf -i scene.ppm -o holiday/two.png
gf -i chart.pgm -o holiday/three.tga
run PICTURESFORTHEWEB-1 'pictures for the web'
is 'one for each' "$(ls web | tr '\n' ' ')" 'one.jpg three.jpg two.jpg '
is 'in their shape' "$(for f in web/*; do size_of "$f"; done | tr '\n' ' ')" '160x120 160x120 160x120 '
is_true 'in their brightness' "($(gf -i web/one.jpg gray stats | awk 'NR == 2 { print $4 }') - $(gf -i photo.ppm gray stats | awk 'NR == 2 { print $4 }')) ^ 2 < .02 ^ 2"
for f in web/*; do touch -d '2001-01-01' "$f"; done
touch -d '2000-01-01' holiday/*
touch -d '2002-01-01' holiday/two.png
sh -e ./PICTURESFORTHEWEB-1.sh
: >mark; touch -d '2001-06-01' mark
is 'run again, only the one that changed is made' "$(find web -newer mark -type f)" web/two.jpg

run AMAPOFEDGES-1 'a map of edges'
is 'no lines on an even wall' "$(last_bin lines.png crop:40x50+0+20 histogram:2)" 0
is_true 'a line where the red ball meets the wall' "$(last_bin lines.png crop:9x1+14+108 histogram:2) > 0"
is_true 'the map has shades' "$(gf -i edges.png histogram:256 | awk 'NR > 1 && $2 > 0' | wc -l) > 100"

run EXPOSURECHECKEDBYASCRIPT-1 'a histogram by value'
is 'as many burnt out as one counts in the file' "$(cat burnt.txt)" \
   "$(tail -c 921600 photo.ppm | od -An -v -tu1 -w3 | awk '$1 == 255 { n++ } END { printf "%.2f %% of red is burnt out", 100 * n / NR }')"
if command -v jq >/dev/null; then
    run EXPOSURECHECKEDBYASCRIPT-2 'JSON as a condition'
    is_true 'the picture was too dark, and became lighter' \
        "$(gf -i lighter.png gray stats | awk 'NR == 2 { print $4 }') > $(gf -i photo.ppm gray stats | awk 'NR == 2 { print $4 }') + .05"
else
    rm blocks/EXPOSURECHECKEDBYASCRIPT-2
    skip 'no jq here'
fi

# Columns of black and white: half the light is 0.7354 in sRGB, 48192 of 65535.
awk 'BEGIN { print "P2 64 64 65535"; for (i = 0; i < 4096; i++) print i % 2 * 65535 }' | gf --to png -o deep.png
run 16BITSANDLINEARLIGHT-1 '16 bits and linear light'
is '16 bits stay 16 bits' "$(png_bits deep.png) $(png_bits half.png) $(png_bits view.png)" '16 16 8'
is 'half of it' "$(size_of half.png)" 32x32
is_true 'black and white mix as light does' "($(gf -i half.png crop:16x16+8+8 stats | awk 'NR == 2 { print $4 }') - .7354) ^ 2 < .005 ^ 2"

run APICTURELARGERTHANMEMORY-1 'a picture larger than memory'
is 'the plan goes by the disk' "$(grep -c 'input to disk' plan.txt)" 1
is 'and keeps to the ceiling' "$(awk '/^memory:/ { print $3 == "MB" && $2 <= 16 || $3 == "KB" }' plan.txt)" 1
gf -i large.ppm blur:3 rotate:30 -o free.ppm
same free.ppm turned.ppm 'the same bytes as without a ceiling'
rm -f large.ppm free.ppm turned.ppm

if command -v ffmpeg >/dev/null && ffmpeg -v error -f lavfi -i testsrc=size=96x64:rate=10:duration=1 \
        -f lavfi -i sine=duration=1 -c:v mpeg4 -c:a aac in.mp4 2>errors </dev/null; then
    run FRAMESBETWEENTWOFFMPEGS-1 'frames between two ffmpegs'
    ffmpeg -v error -i out.mp4 -f yuv4mpegpipe out.y4m </dev/null
    is 'ten frames of the same size' "$(head -n 1 out.y4m | cut -d ' ' -f 2-3) $(grep -ao FRAME out.y4m | wc -l)" 'W96 H64 10'
    ffmpeg -v error -i out.mp4 -vn out.wav </dev/null
    is_true 'a second of sound' "$(wc -c <out.wav) > 80000"
else
    rm blocks/FRAMESBETWEENTWOFFMPEGS-1
    skip 'no ffmpeg here that encodes'
fi

mkdir -p archive/a archive/b
for i in 1 2 3 4; do gf -i chart.pgm -o "archive/a/$i.png"; done
for i in 1 2 3; do gf -i scene.ppm -o "archive/b/$i.png"; done
run ANARCHIVEONMANYMACHINES-1 'a list, and folders'
mv blocks/ANARCHIVEONMANYMACHINES-2 node.sh
N=3 before=0 shares=
export N
for K in 1 2 3; do
    export K
    works "node $K of $N" sh -e ./node.sh
    after=$(find thumbs -type f | wc -l)
    shares="$shares$((after - before)) "
    before=$after
done
is 'each takes its share, and none twice' "$shares" '3 2 2 '
is 'all are there' "$(cd thumbs/archive && ls a/* b/* | tr '\n' ' ')" 'a/1.jpg a/2.jpg a/3.jpg a/4.jpg b/1.jpg b/2.jpg b/3.jpg '
is 'small' "$(size_of thumbs/archive/a/4.jpg) $(size_of thumbs/archive/b/3.jpg)" '80x60 80x60'

run AHISTOGRAMOVERAPIPE-1 'a histogram over a pipe'
is 'a bar for each bin' "$(awk 'END { print NR, $1 }' bars.txt)" '16 15'
bars=$(awk '{ n += length($2) } END { print n }' bars.txt)
is_true 'as long as there are pixels' "$bars >= 307200 / 2000 && $bars < 307200 / 2000 + 16"

is 'no workflow is left over' "$(ls blocks)" ''
finish
