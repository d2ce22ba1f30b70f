# The workflows of gpufilter-workflows(7): their commands run without changes, and the results are
# correct.
. "$(dirname "$0")/../lib.sh"
cp "$GPUFILTER_SAMPLES"/* . 2>/dev/null
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH
page=$tree/man/gpufilter-workflows.7.in
[ -f "$page" ] || page=$tree/man/gpufilter-workflows.7

# Writes each block of commands to a file SECTION-N; the name of the section loses blanks and
# punctuation.
mkdir blocks
${AWK:-awk} '
/^\.SH/ { name = substr($0, 5); gsub(/[ ",?\047]/, "", name); n = 0 }
/^\.EX/ { file = "blocks/" name "-" ++n; next }
/^\.EE/ { close(file); file = ""; next }
file != "" { gsub(/\\-/, "-"); gsub(/\\\(aq/, "\047"); gsub(/\\e/, "\\"); print >file }' "$page"

# run BLOCK NAME: the commands must succeed and print nothing on standard error.
run()
{
    mv "blocks/$1" "$1.sh"
    works "$2" sh -e "./$1.sh"
}
# first_bin FILE STAGES...: prints how many samples of the first channel are in bin 0; last_bin: in
# the last bin.
first_bin() { file=$1; shift; gf -i "$file" "$@" | awk 'NR == 2 { print $2 }'; }
last_bin() { file=$1; shift; gf -i "$file" "$@" | awk 'END { print $2 }'; }
size_of() { gf -i "$1" --to ppm | awk 'NR == 2 { print $1 "x" $2; exit }'; }
is_true() { is "$1" "$(awk "BEGIN { print ($2) ? \"yes\" : \"no: $2\" }")" yes; }
# png_bits FILE: prints the bits of a sample, from the PNG header.
png_bits() { od -An -tu1 -j24 -N1 "$1" | tr -d ' '; }

run ASCANNEDPAGE-1 'a scanned page'
is 'the page is black and white' "$(gf -i page-ink.png histogram:256 | awk 'NR > 1 && $2 > 0 { printf "%d ", $1 }')" \
    '0 255 '
is_true 'the page had dust in the margin' "$(first_bin page.ppm gray threshold:otsu crop:10x180 histogram:2) > 10"
is 'the dust is gone' "$(first_bin page-ink.png crop:10x180 histogram:2)" 0
ink=$(first_bin page-ink.png histogram:2)
is_true 'the letters are there' "$ink > 4000 && $ink < 10000"
is_true 'the page in gray has many values' "$(gf -i page-gray.png histogram:256 | awk 'NR > 1 && $2 > 0' | wc -l) > 100"

run ASCANNEDPAGE-2 'a page in bad light'
is_true 'no single value would have served for a page in bad light' \
    "$(first_bin dark.ppm gray median:1 threshold:otsu histogram:2) > 2 * $ink"
is_true 'the letters are there, and nothing else' \
    "$(first_bin dark-ink.png histogram:2) > .8 * $ink && $(first_bin dark-ink.png histogram:2) < 1.2 * $ink"
is_true 'the letters of a page in bad light are in the same places' \
    "$(first_bin dark-ink.png diff:page-ink.png invert histogram:2) < .1 * $ink"

run ASCANNEDBOOK-1 'a scanned book'
is 'a scanned book has two pages in one file' "$(gf --info -i book.tif | sed 's/.* u8, //')" '2 images'
gf -i page.ppm rotate:1.5,fit=keep,edge=clamp -t ppm | gf rotate:-1.5,fit=inner crop:4:3 gray median:1 autolevel:0.5% \
    -o meant.pgm
gf -i book.tif -o 'leaf-{n}.pgm'
is 'a scanned book has pages of one size' "$(size_of leaf-1.pgm) $(size_of leaf-2.pgm)" '231x173 231x173'
same meant.pgm leaf-1.pgm 'a scanned book: the first page'
# Lines of text are level: between them are rows without ink, which a page that is turned hardly has.
empty_rows() { gf -i "$1" crop:100x150+8+8 threshold:otsu resize:1x150,filter=area -t tsv | awk '$3 == 255' | wc -l; }
gf -i book/page-1.ppm crop:4:3 gray median:1 autolevel:0.5% -o crooked.pgm
is_true 'a scanned book has level lines' "$(empty_rows leaf-1.pgm) > $(empty_rows crooked.pgm) + 5"

run AFACADEMADESTRAIGHT-1 'a facade made straight'
loss_of() { gf -i "$1" compare:page.ppm -t tsv | awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "psnr") c = i }
    $1 == "all" { print $c }'; }
is_true 'the photo of a facade is not like the facade' "$(loss_of facade.ppm) < 12"
is_true 'the straight facade is like the real one' "$(loss_of upright.png) > 20"
is 'a larger facade has the requested size' "$(size_of larger.png)" 400x300

mkdir holiday
cp photo.ppm holiday/one.ppm
gf -i scene.ppm -o holiday/two.png
gf -i chart.pgm -o holiday/three.tga
run IMAGESFORTHEWEB-1 'images for the web'
is 'images for the web: one file for each input' "$(ls web | tr '\n' ' ')" 'one.jpg three.jpg two.jpg '
is 'images for the web: the requested size' \
    "$(for f in web/*; do size_of "$f"; done | tr '\n' ' ')" '160x120 160x120 160x120 '
is_true 'images for the web: the brightness of the inputs' \
    "($(gf -i web/one.jpg gray stats | awk 'NR == 2 { print $4 }') - $(gf -i photo.ppm gray \
    stats | awk 'NR == 2 { print $4 }')) ^ 2 < .02 ^ 2"
for f in web/*; do touch -d '2001-01-01' "$f"; done
touch -d '2000-01-01' holiday/*
touch -d '2002-01-01' holiday/two.png
sh -e ./IMAGESFORTHEWEB-1.sh
: >mark; touch -d '2001-06-01' mark
is 'a second run makes only the changed file' "$(find web -newer mark -type f)" web/two.jpg

mkdir trip
gf -q -i photo.ppm temperature:6500,to=4000 -o trip/warm.jpg
gf -q -i scene.ppm exposure:-1.5 temperature:6500,to=9000 -o trip/dark.jpg
run ABATCHFROMACAMERA-1 'a batch from a camera'
is 'a batch from a camera: a photo for each one' "$(ls looks | tr '\n' ' ')" 'dark.jpg warm.jpg '
# mean FILE CHANNEL STAGES...: the mean of a channel.
mean() { file=$1 c=$2; shift 2; gf -i "$file" "$@" stats | awk -v c=$c '$1 == c { print $4 }'; }
is_true 'a batch from a camera: the warm photo was red' "$(mean trip/warm.jpg r) > $(mean trip/warm.jpg b) + .2"
is_true 'a batch from a camera: it is nearly neutral' \
    "($(mean looks/warm.jpg r) - $(mean looks/warm.jpg b)) ^ 2 < .08 ^ 2"
is_true 'a batch from a camera: the dark photo is lighter' \
    "$(mean looks/dark.jpg y gray) > 1.5 * $(mean trip/dark.jpg y gray)"
run ABATCHFROMACAMERA-2 'the tones of one photo for all'
is_true 'the tones of one photo: the mean of another one' \
    "($(mean same/warm.jpg g) - $(mean looks/dark.jpg g)) ^ 2 < .01 ^ 2"
run ACONTACTSHEET-1 'a sheet of thumbnails'
is 'two by two' "$(size_of sheet.png)" 356x320
is 'two by two: an empty last place' \
    "$(first_bin sheet.png gray crop:172x154,at=bottom-right invert levels:0,0.01 histogram:2)" $((172 * 154))
for at in 12+12 184+12 12+166; do
    is_true "two by two: an image at $at" "$(last_bin sheet.png gray crop:160x120+$at invert histogram:2) > 1000"
    is_true "two by two: a name below $at" \
        "$(last_bin sheet.png gray crop:160x22+${at%+*}+$((${at#*+} + 120)) invert histogram:2) > 100"
done
mkdir darks flats lights
for i in 1 2 3 4 5; do
    gf -q -i photo.ppm clamp:0.05,0.05 noise:0.01,seed=$i -o darks/$i.png
    gf -q -i photo.ppm clamp:0.7,0.7 vignette:60% brightness:0.05 noise:0.01,seed=1$i -o flats/$i.png
    gf -q -i photo.ppm levels:0,2 vignette:60% brightness:0.05 noise:0.03,seed=2$i -o lights/$i.png
done
run ANIGHTOFEXPOSURES-1 'one image of many exposures'
gf -q -i photo.ppm autolevel -o known.png
gf -q -i lights/1.png autolevel -o single.png
works 'the night is like the scene' gf -i night.png compare:known.png,min-psnr=24
refuses 1 'psnr.* 20' 'one exposure is not like the scene' gf -i single.png compare:known.png,min-psnr=20
gf -q -i scene.ppm gray blur:1.6 -o blurred.png
for i in 1 2 3; do
    gf -q -i blurred.png noise:0.02,seed=$i -o plane$i.png
done
gf -q --join -i plane1.png plane2.png plane3.png -o stack.tif
run ABLURREDMICROSCOPESTACK-1 'a blurred microscope stack'
for name in sharp smooth clean; do
    is "the stack $name has three planes" "$(gf -i $name.tif gray stats | tail -n +2 | wc -l | tr -d ' ')" 3
done
slope() { gf -q "$@" sobel stats -t tsv | awk 'END { print $5 }'; }      # the deviation: few are steep
is_true 'edges of the stack are steeper' "$(slope -i sharp.tif --images 1) > \
    1.5 * $(slope -i plane1.png background:20,level=0.02 autolevel:0.1%)"
refuses 1 'psnr.* 36' 'a plane has noise' gf -i plane1.png compare:blurred.png,min-psnr=36
works 'total variation removes it' gf -q -i smooth.tif --images 1 compare:blurred.png,min-psnr=39
works 'a guided filter keeps more texture' gf -q -i clean.tif --images 1 compare:blurred.png,min-psnr=40
if command -v make >/dev/null; then
    unset MAKEFLAGS MFLAGS MAKELEVEL             # those of the calling make would start a different number of jobs
    run WITHMAKE-1 'images by make'
    is 'images by make are small' "$(size_of made/one.jpg)" 100x75
else
    rm blocks/WITHMAKE-1
    skip 'no make here'
fi
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
    mkdir -p .parallel
    : >.parallel/will-cite
    PARALLEL_HOME=$PWD/.parallel
    export PARALLEL_HOME
    run WITHPARALLEL-1 'images by parallel'
    is 'each image of a table has its own size' \
        "$(for f in one two three; do size_of ordered/$f.jpg; done | tr '\n' ' ')" '100x75 60x45 40x30 '
    rm ordered/one.jpg
    sh -e ./WITHPARALLEL-1.sh
    is 'parallel remembers what is done' "$(ls ordered | tr '\n' ' ')" 'three.jpg two.jpg '
    rm orders.log
    mv holiday/two.png two.png
    sh -e ./WITHPARALLEL-1.sh 2>errors
    is 'parallel returns the failure of a missing image' "$? $(grep -c '^gpufilter: holiday/two.png: ' errors)" '1 1'
    mv two.png holiday/two.png
    sh -e ./WITHPARALLEL-1.sh
    is 'parallel repeats what failed' "$(ls ordered | tr '\n' ' ')" 'one.jpg three.jpg two.jpg '
else
    rm blocks/WITHPARALLEL-1
    skip 'no GNU parallel here'
fi
if command -v snakemake >/dev/null; then
    run WITHSNAKEMAKE-1 'images by Snakemake'
    is 'images by Snakemake are small' "$(size_of shots/one.jpg)" 100x75
else
    rm blocks/WITHSNAKEMAKE-1
    skip 'no Snakemake here'
fi

run EDGES-1 'a map of edges'
is 'a map of edges: no lines on an even wall' "$(last_bin lines.png crop:40x50+0+20 histogram:2)" 0
is_true 'a line where the red ball meets the wall' "$(last_bin lines.png crop:9x1+14+108 histogram:2) > 0"
is_true 'the map has shades' "$(gf -i edges.png histogram:256 | awk 'NR > 1 && $2 > 0' | wc -l) > 100"

run EXPOSURECHECK-1 'a histogram by value'
is 'a histogram by value: as many burnt out as one counts in the file' "$(cat burnt.txt)" \
   "$(tail -c 921600 photo.ppm | od -An -v -tu1 -w3 |
   awk '$1 == 255 { n++ } END { printf "%.2f %% of red is burnt out", 100 * n / NR }')"
if command -v jq >/dev/null; then
    run EXPOSURECHECK-2 'JSON as a condition'
    is_true 'the image was too dark, and became lighter' \
        "$(gf -i lighter.png gray stats | awk 'NR == 2 { print $4 }') > $(gf -i photo.ppm gray stats |
        awk 'NR == 2 { print $4 }') + .05"
else
    rm blocks/EXPOSURECHECK-2
    skip 'no jq here'
fi

# Columns of black and white: half the light is 0.7354 in sRGB, 48192 of 65535.
awk 'BEGIN { print "P2 64 64 65535"; for (i = 0; i < 4096; i++) print i % 2 * 65535 }' | gf --to png -o deep.png
run 16BITSANDLINEARLIGHT-1 '16 bits and linear light'
is '16 bits stay 16 bits' "$(png_bits deep.png) $(png_bits half.png) $(png_bits view.png)" '16 16 8'
is 'half of it' "$(size_of half.png)" 32x32
is_true 'black and white mix as light does' \
    "($(gf -i half.png crop:16x16+8+8 stats | awk 'NR == 2 { print $4 }') - .7354) ^ 2 < .005 ^ 2"

run ANIMAGELARGERTHANMEMORY-1 'an image larger than memory'
is 'the plan uses the disk' "$(grep -c 'input to disk' plan.txt)" 1
is 'a plan that uses the disk keeps to the ceiling' \
    "$(awk '/^memory:/ { print $3 == "MB" && $2 <= 16 || $3 == "KB" }' plan.txt)" 1
gf -i large.ppm blur:3 rotate:30 -o free.ppm
same free.ppm turned.ppm 'a run that uses the disk gives the same bytes as without a ceiling'

run AWATERMARK-1 'a mark on every image'
for name in photo.ppm chart.pgm; do
    marked=marked-${name%.*}.png size=$(size_of $name)
    wide=${size%x*} high=${size#*x}
    is "$name: below the mark the image is unchanged" \
        "$(gf -i $marked diff:$name crop:${wide}x10+0+$((high - 10)) stats --to tsv | cut -f 3 | tail -n 3 |
        tr '\n' ' ')" '0 0 0 '
    is "$name: and on its right" \
        "$(gf -i $marked diff:$name crop:10x$high+$((wide - 10))+0 stats --to tsv | cut -f 3 | tail -n 3 |
        tr '\n' ' ')" '0 0 0 '
    is_true "$name: but not under it" \
        "$(gf -i $marked diff:$name crop:240x180+$((wide - 250))+$((high - 190)) stats --to tsv |
        awk '$1 == "g" { print $4 * 1000 }') > 5"
done
run AWATERMARK-2 'the loss of an image'
is_true 'the loss of an image is not zero' "$(gf -i lost.png stats --to tsv | awk '$1 == "g" { print $3 * 1000 }') > 10"
is_true 'eight times more is shown' \
    "$(gf -i small.jpg diff:photo.ppm stats --to tsv | awk '$1 == "g" { print $4 * 8000 }') <= $(gf -i lost.png stats \
    --to tsv | awk '$1 == "g" { print $4 * 1000 + 2 }')"
run QUALITYCHECK-1 'the likeness of a good image'
is 'the likeness of a good image is in the last row of the table' \
    "$(awk '$1 == "all" { print ($3 >= 25 && $4 >= 0.85) }' likeness.tsv)" 1
refuses 1 'good.jpg: compare: ssim is 0' 'the likeness of a good image is below 0.999' \
    gf -i good.jpg compare:photo.ppm,min-ssim=0.999 -o likeness.tsv
run QUALITYCHECK-3 'a map of differences'
is_true 'red for small differences, white only for large ones' \
    "$(gf -i heat.png channel:r stats --to tsv | awk 'NR == 2 { print $4 }') > 2 * $(gf -i heat.png channel:g stats \
    --to tsv | awk 'NR == 2 { print $4 }')"
if command -v jq >/dev/null; then
    run QUALITYCHECK-2 'conditions of jq'
else
    rm -f blocks/QUALITYCHECK-2
    skip 'no jq here'
fi
run QUALITYCHECK-4 'the likeness of two videos'
is_true 'the mean of both frames' "$(cat mean-psnr.txt) > 25 && $(cat mean-psnr.txt) < 60"
is 'a table for both frames' "$(cut -f 1,3 psnr.tsv | tr '\t\n' ' ,')" \
    'frame channel,1 r,1 g,1 b,1 all,2 r,2 g,2 b,2 all,'
rm -f large.ppm free.ppm turned.ppm

if command -v ffmpeg >/dev/null && ffmpeg -v error -f lavfi -i testsrc=size=96x64:rate=10:duration=1 \
        -f lavfi -i sine=duration=1 -c:v mpeg4 -c:a aac in.mp4 2>errors </dev/null; then
    run VIDEOTHROUGHFFMPEG-1 'frames between two ffmpegs'
    ffmpeg -v error -i out.mp4 -f yuv4mpegpipe out.y4m </dev/null
    is 'ten frames of the same size' "$(head -n 1 out.y4m | cut -d ' ' -f 2-3) $(grep -ao FRAME out.y4m | wc -l)" \
        'W96 H64 10'
    ffmpeg -v error -i out.mp4 -vn out.wav </dev/null
    is_true 'a second of sound' "$(wc -c <out.wav) > 80000"
else
    rm blocks/VIDEOTHROUGHFFMPEG-1
    skip 'no ffmpeg here that encodes'
fi

mkdir frames
for i in 1 2 3; do gf -i photo.ppm brightness:0.$i -o frames/000$i.png; done
gf -i photo.ppm brightness:0.4 resize:300x300 -o frames/10.jpg
mkdir upload
gf -q -i photo.ppm -o 'upload/a photo.jpg'
gf -i photo.ppm resize:50x40 -o upload/small.png
gf -i cutout.pam -o 'upload/see-through[1].png'
if gf --version | grep -q '^sandbox: files (Landlock [0-9]*) and system calls$'; then
    run FILESFROMSTRANGERS-1 'thumbnails of files from strangers'
    is 'a thumbnail of each upload has its size' \
        "$(for f in thumbs/small* thumbs/a*; do size_of "$f"; done | tr '\n' ' ')" '50x40 320x240 '
    is 'named after them' "$(ls thumbs)" 'a photo.jpg.jpg
see-through[1].png.jpg
small.png.jpg'
    is 'nothing else is left' "$(ls -d new.* 2>/dev/null)" ''
    is 'each upload is done' "$(cat results.txt)" 'done upload/a photo.jpg
done upload/see-through[1].png
done upload/small.png'
    is_true 'a transparent upload is white' \
        "$(gf -i 'thumbs/see-through[1].png.jpg' crop:2x2+0+0 stats --to tsv | awk '$1 == "g" { print $2 }') > .97"
    rm -r thumbs logs results.txt upload/*
    head -c 1000 photo.ppm >upload/photo.ppm
    gf -i photo.ppm --to png | head -c 9000 >upload/cut.png
    printf 'GIF89a\1\0\1\0\0\0\0\054\0\0\0\0\1\0\1\0\0\2\2\104\1\0;' >upload/plain.gif
    # a pipe that nobody writes to
    mkfifo upload/slow.png
    sed 's/ 120 / 1 /' FILESFROMSTRANGERS-1.sh >impatient.sh
    works 'files that are refused do not end the script' sh -e ./impatient.sh
    is 'each upload has its result' "$(cat results.txt)" 'refused upload/cut.png
refused upload/photo.ppm
warning upload/plain.gif
killed upload/slow.png'
    is 'messages are kept for each' \
        "$(grep -c 'is PGM, PPM or PAM, and --from allows only jpeg,png,gif$' logs/photo.ppm.txt) $(grep -c \
        warning logs/*)" \
        '1 logs/cut.png.txt:0
logs/photo.ppm.txt:0
logs/plain.gif.txt:1
logs/slow.png.txt:0'
    rm -r thumbs logs results.txt upload/*
    gf -q -i photo.ppm -o upload/photo.jpg
    (ulimit -f 4; sh -e ./FILESFROMSTRANGERS-1.sh)
    is 'a disk without room is not the fault of the file' "$(cat results.txt) $(ls thumbs)" 'failed upload/photo.jpg '
    rm -r thumbs logs results.txt
else
    rm blocks/FILESFROMSTRANGERS-1
    skip 'thumbnails of files from strangers: this kernel has no whole sandbox'
fi
rm -r upload

run AVIDEOFROMIMAGES-1 'a film of images'
is 'a film of four images at its rate' "$(head -n 1 film.y4m) $(grep -ao FRAME film.y4m | wc -l | tr -d ' ')" \
    'YUV4MPEG2 W320 H240 F25:2 Ip A1:1 C420jpeg 4'
is 'the last image of a film has a border' \
    "$(gf -i film.y4m -o 'film-{n}.png'; gf -i film-4.png gray crop:30x240 stats | awk 'END { print $4 < 0.01 }')" 1
if command -v ffmpeg >/dev/null && ffmpeg -v error -i film.y4m -pix_fmt yuv420p try.mp4 2>errors </dev/null; then
    run AVIDEOFROMIMAGES-2 'a film of images for other programs'
    is 'a film for other programs has all frames' \
        "$(ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 film.mp4)" 4
else
    rm blocks/AVIDEOFROMIMAGES-2
    skip 'no ffmpeg here that encodes films of images'
fi

run AVIDEOFROMIMAGES-3 'a time lapse without flicker'
is 'a time lapse keeps its length, with half of the frames' \
    "$(gf --info calm.y4m | sed 's/.*range, //')" '2 images, 12.5 per second, 0.16 s'

run ANOISYNIGHTVIDEO-1 'a noisy night video'
is 'a night video without noise has all frames' "$(grep -ao FRAME calm.y4m | wc -l | tr -d ' ')" 4

run THEBRIGHTNESSOFAFILM-1 'the brightness of a film'
is 'the brightness of a film has a row for each frame' "$(cut -f 1-3 film.tsv | tr '\t\n' ' ,')" \
    'frame time channel,1 0 y,2 0.08 y,3 0.16 y,4 0.24 y,'
is 'the brightness of a film changes in each frame of the test' "$(cut -d ' ' -f 1,2 changes.txt | tr '\n' ' ')" \
    '0.08 s: 0.16 s: 0.24 s: '
mv blocks/THEBRIGHTNESSOFAFILM-2 head
is 'the columns of a film are those of the manual' "$(sed '1!d; s/  */ /g' head)" "$(sed '1!d' film.tsv | tr '\t' ' ')"
if command -v ffmpeg >/dev/null; then
    run THEBRIGHTNESSOFAFILM-3 'the brightness of a film on a pipe'
    is 'the brightness of a film on a pipe has a row for each frame' "$(cut -d , -f 1,2 small.csv | tr '\n' ' ')" \
        'frame,time 1,0 2,0.08 3,0.16 4,0.24 '
else
    rm blocks/THEBRIGHTNESSOFAFILM-3
    skip 'no ffmpeg here for a film on a pipe'
fi

run AGIFFORAWEBPAGE-1 'a GIF for a web page'
is 'a GIF for a web page has four frames at their rate' \
    "$(head -c 6 lapse.gif) $(gf -q -i lapse.gif -t y4m | head -n 1 | cut -d ' ' -f 4) $(gf -q -i lapse.gif -t raw |
        wc -c)" \
    "GIF89a F25:2 $((4 * 160 * 120 * 4))"
if gf --list | grep -q webp; then
    run AGIFFORAWEBPAGE-2 'a WebP for a web page'
    is_true 'a WebP for a web page is smaller' "$(wc -c <lapse.webp) < $(wc -c <lapse.gif) / 4"
else
    rm blocks/AGIFFORAWEBPAGE-2
    skip 'no WebP here'
fi

mkdir -p archive/a archive/b
for i in 1 2 3 4; do gf -i chart.pgm -o "archive/a/$i.png"; done
for i in 1 2 3; do gf -i scene.ppm -o "archive/b/$i.png"; done
run ANARCHIVEONSEVERALMACHINES-1 'a list of the archive'
mv blocks/ANARCHIVEONSEVERALMACHINES-2 node.sh
N=3 before=0 shares=
export N
for K in 1 2 3; do
    export K
    works "node $K of $N" sh -e ./node.sh
    after=$(find thumbs -type f | wc -l)
    shares="$shares$((after - before)) "
    before=$after
done
is 'each node takes its share, and no input twice' "$shares" '3 2 2 '
is 'the thumbnails of the archive are all there' "$(cd thumbs/archive && ls a/* b/* | tr '\n' ' ')" \
    'a/1.jpg a/2.jpg a/3.jpg a/4.jpg b/1.jpg b/2.jpg b/3.jpg '
is 'the thumbnails of the archive are small' \
    "$(size_of thumbs/archive/a/4.jpg) $(size_of thumbs/archive/b/3.jpg)" '80x60 80x60'

# The scripts for Slurm, without it; tests/packages/slurm.sh runs them in it. srun starts the tasks of a job.
cat >bin/srun <<'SIM'
for task in 0 1 2; do SLURM_NTASKS=3 SLURM_PROCID=$task "$@" || exit; done
SIM
chmod +x bin/srun
mv thumbs thumbs.nodes
sed 's|/8"|/2"|' blocks/WITHSLURM-1 >array.sh
mv blocks/WITHSLURM-2 tasks.sh
rm blocks/WITHSLURM-1
for task in 1 2; do works "share $task of an array" env SLURM_ARRAY_TASK_ID=$task bash ./array.sh; done
nothing 'an array makes the thumbnails of the nodes' diff -r thumbs.nodes thumbs
rm -r thumbs
works 'a job with tasks of srun' env SLURM_CPUS_PER_TASK=2 bash ./tasks.sh
nothing 'tasks of srun make the thumbnails of the nodes' diff -r thumbs.nodes thumbs

mkdir large
for i in 1 2 3; do
    tar -C archive/a -cf large/a$i.tar $i.png
    tar -C archive/b -cf large/b$i.tar $i.png 1.png
done
tar -cf large/deep.tar archive -C archive/b 3.png
run ABILLIONIMAGES-1 'a list of archives'
sed 's/1000/2/g' blocks/ABILLIONIMAGES-2 >tars.sh
rm blocks/ABILLIONIMAGES-2
printf 'no image' >2.png
tar -cf large/b2.tar 2.png -C archive/b 1.png
head -c 700 large/a2.tar >whole.tar && mv large/a2.tar a2.tar && mv whole.tar large/a2.tar
# share TASK: runs a share of the archives, and prints its status.
share() { SLURM_ARRAY_TASK_ID=$1 bash ./tars.sh >out 2>errors; echo $?; }
# jpegs TAR...: prints the images of archives.
jpegs() { for tar; do tar -tf "small/$tar.tar" | grep jpg | sort | tr '\n' ' '; done; }
is 'a share with a broken image has its status' "$(share 1) $(grep -c '2.png: ' errors)" '1 1'
is 'a share with a broken archive names it' "$(share 2) $(grep '^failed' errors)" '1 failed: a2.tar'
is 'each archive has its images' "$(jpegs a1 a3 b1 b2 b3)" './1.jpg ./3.jpg ./1.jpg ./1.jpg ./1.jpg ./3.jpg '
is 'a broken archive is not stored' "$(ls small | tr '\n' ' ')" 'a1.tar a3.tar b1.tar b2.tar b3.tar deep.tar '
is 'an archive with folders has their images' "$(jpegs deep)" "./3.jpg $(cd thumbs.nodes &&
    find ./archive -type f | sort | tr '\n' ' ')"
tar -C small -xf small/b3.tar
same small/3.jpg thumbs.nodes/archive/b/3.jpg 'an image of an archive is that of a node'
mv a2.tar large
rm small/deep.tar
# This gpufilter makes one image and is killed.
mv bin/gpufilter bin/whole
printf '#!/bin/sh\nhead -n 1 | whole "$@"\nkill -9 $$\n' >bin/gpufilter
chmod +x bin/gpufilter
is 'a share whose gpufilter is killed ends' "$(share 1)" 137
is 'an archive is not stored if gpufilter is killed' "$(ls small | grep deep)" ''
mv bin/whole bin/gpufilter
is 'a share that was killed is completed' "$(share 1) $(share 2) $(jpegs deep a2 | wc -w)" '0 0 9'
run ABILLIONIMAGES-3 'a list for each share'
is 'a list for each share has its names' "$(cat names.0001 names.0007 | tr '\n' ' ')$(cat names.* | wc -l)" \
    'archive/a/1.png archive/b/3.png 7'

# The scripts for GPUs, on two nodes with two GPUs each; the device is auto, because there may be no GPU.
for i in 1 2; do
    sed 's/--device [a-z]*/--device auto/; s|ID/4|ID/2|; s/4 \* count/2 * count/' \
        "blocks/SEVERALGPUSANDCLUSTERS-$i" >"job$i.sh"
    is "script $i names a device" "$(grep -c -- '--device auto' "job$i.sh")" 1
    rm "blocks/SEVERALGPUSANDCLUSTERS-$i"
done
# job SCRIPT TASK NAME: runs a task of the array.
job()
{
    works "$3" env SLURM_ARRAY_TASK_ID="$2" CUDA_VISIBLE_DEVICES=0,1 bash "./$1"
}
if command -v bash >/dev/null; then
    rm -r thumbs
    job job1.sh 1 'the first node processes its images'
    is 'the first node makes its thumbnails' "$(find thumbs -type f | wc -l | tr -d ' ')" 4
    job job1.sh 2 'the second node processes its images'
    is 'the second node makes the others' "$(find thumbs -type f | wc -l | tr -d ' ')" 7
else
    skip 'no bash here'
fi
if command -v bash >/dev/null && [ -f in.mp4 ]; then
    mkdir videos
    for name in a 'b c' d e f; do cp in.mp4 "videos/$name.mp4"; done
    job job2.sh 1 'the first node filters its videos'
    is 'two GPUs of four take their videos' "$(ls filtered | tr '\n' ' ')" 'a.mp4 b c.mp4 f.mp4 '
    : >mark
    job job2.sh 2 'the second node filters its videos'
    is 'the others take the rest' "$(ls filtered | tr '\n' ' ')" 'a.mp4 b c.mp4 d.mp4 e.mp4 f.mp4 '
    ffmpeg -v error -i filtered/e.mp4 -f yuv4mpegpipe -y out.y4m </dev/null
    is 'a filtered film has all frames' "$(grep -ao FRAME out.y4m | wc -l | tr -d ' ')" 10
    job job2.sh 1 'the first node filters its videos again'
    is 'a second run makes nothing again' "$(find filtered -newer mark -type f | sort | tr '\n' ' ')" \
        'filtered/d.mp4 filtered/e.mp4 '
    head -c 2000 in.mp4 >videos/broken.mp4
    SLURM_ARRAY_TASK_ID=2 CUDA_VISIBLE_DEVICES=0,1 bash ./job2.sh >out 2>errors
    is 'a video that fails is named' \
        "$(grep -c '^failed: videos/broken.mp4$' errors) $(ls filtered/broken.mp4 2>/dev/null)" '1 '
else
    skip 'no bash, or no ffmpeg that encodes'
fi

run AHISTOGRAMOFAPIPE-1 'a histogram over a pipe'
is 'a bar for each bin' "$(awk 'END { print NR, $1 }' bars.txt)" '16 15'
bars=$(awk '{ n += length($2) } END { print n }' bars.txt)
is_true 'the bars are as long as the image has pixels' "$bars >= 307200 / 2000 && $bars < 307200 / 2000 + 16"

# ---- audio

# figure FILE COLUMN STAGES...: prints a column of stats for all channels. tones FILE LOW HIGH
# STAGES...: prints the level of the strongest line between two frequencies, in dB.
figure()
{
    file=$1 column=$2
    shift 2
    gf -i "$file" "$@" stats --to tsv |
        awk -v name="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } END { print $c }'
}
tones()
{
    file=$1 low=$2 high=$3
    shift 3
    gf -i "$file" "$@" spectrogram:1,8192 --to tsv | awk -v low="$low" -v high="$high" '
        NR == 1 { for (i = 3; i <= NF; i++) if ($i >= low && $i <= high) in_band[i] }
        NR == 2 { most = -999; for (i in in_band) if ($i > most) most = $i; print most }'
}
frames_of() { gf -i "$1" --to raw:type=s16 | wc -c | awk -v c="${2:-2}" '{ print $1 / 2 / c }'; }
near() { is_true "$1" "(${2:-nothing} - ($3)) ^ 2 < ($4) ^ 2 && \"$2\" != \"\""; }

run ROOMCORRECTION-1 'a room evened out'
is 'a room evened out has the same length' "$(frames_of even.wav)" 88200
# White noise through the response, compared with the noise: 60 Hz is about 8 dB lower, 110 Hz about
# 4 dB higher, 1 kHz unchanged.
awk 'BEGIN { seed = 7; for (i = 0; i < 88200; i++) { seed = seed * 16807 % 2147483647; print int(seed / 2147483647 * '\
'256) } }' |
    awk '{ printf "%c", $1 % 127 + 1 }' >noise.raw
gf -f raw:rate=44100,type=u8 -i noise.raw --to wav --depth 24 -o noise.wav
gf -i noise.wav fir:correction.wav,align=center,norm=sum --depth f32 -o shaped.wav
gf -i noise.wav fir:correction.wav,align=center,norm=peak --depth f32 -o lower.wav
band() { figure "$1" rms_db "bandpass:$2" trim:0.5,-0.5; }
for hz in 60:57,63:-7.7:.6 110:106,114:4.2:.6 1000:900,1100:0:.05; do
    IFS=: read -r at band want within <<HZ
$hz
HZ
    near "at $at Hz it changes the level by $want dB" "$(band shaped.wav "$band")" "$(band noise.wav "$band") + $want" \
        "$within"
done
near 'norm=peak keeps the level of the frequency that is raised most' "$(band lower.wav 106,114)" \
    "$(band noise.wav 106,114)" .3
near 'the table shows the effect of the response' \
    "$(awk 'NR == 1 { for (i = 3; i < NF; i++) if ($i < 60) low = i; else if ($i < 1000) mid = i }
    NR == 2 { print $low - $mid }' correction.tsv)" -7.7 1.2
gf -i sound.wav resample:48000 -o other.wav
refuses 1 'resample:44100' 'a response of another rate' gf -i other.wav fir:correction.wav -o never.wav

run EDITINGAPODCAST-1 'a podcast edited'
near 'a podcast has the requested loudness' "$(awk 'END { print $10 }' spoken.tsv)" -16 .5
is 'a podcast has pauses at both ends' "$(awk 'NR > 1 { print ($2 == 0) ($3 == 3) }' pauses.tsv | tr '\n' ' ')" '10 01 '
is 'the pauses of a podcast are as long as requested' "$(frames_of spoken.wav 1)" \
    "$(awk 'NR > 1 { cut += $4 - 0.3 } END { print 144000 - cut * 48000 }' pauses.tsv)"
is_true 'a podcast has no peak beyond -1 dB' "$(awk 'END { print $7 }' spoken.tsv) < -.99"
is_true 'the pauses of a podcast are quieter' "$(for f in spoken voice; do
    gf -i $f.wav trim:0.05,0.15 stats -t tsv | awk 'END { printf "%s - ", $8 }'
    gf -i $f.wav stats -t tsv | awk -v f=$f 'END { printf "%s %s", $8, f == "spoken" ? "+ 5 < " : "" }'; done)"
is_true 'music steps back for a podcast' "$(gf -i music.wav stats -t tsv | awk 'END { print $8 }') \
    < $(gf -i sound.wav mono gain:-6 stats -t tsv | awk 'END { print $8 }') - 4"
# Each crossfade takes 0.3 s.
mv blocks/ASHOWWITHMUSIC-1 show.sh
sh -e ./show.sh 2>errors
is 'a show with music says what it resampled' "$? $(grep -c 'note: .*is resampled' errors) $(wc -l <errors)" '0 2 2'
near 'a show is as loud as requested' "$(gf -i show.wav stats -t tsv | awk 'END { print $10 }')" -16 .5
is 'a show has all its parts' "$(frames_of show.wav 2)" $((2 * 88200 + 132300 - 2 * 13230))
run ASHOWWITHMUSIC-2 'a show divided again'
is 'parts of a show' "$(frames_of track-1.wav 2) $(frames_of track-2.wav 2)" '22050 22050'
mv blocks/AJINGLEINANEPISODE-1 episode.sh
sh -e ./episode.sh 2>errors
is 'an episode says what it resampled' "$? $(grep -c 'note: .*is resampled' errors) $(wc -l <errors)" '0 1 1'
is 'an episode has all its parts' "$(frames_of episode.wav 1)" $((144000 + 2 * 96000 - 2 * 2400))
near 'an episode is as loud as requested' "$(gf -i episode.wav stats -t tsv | awk 'END { print $10 }')" -16 .5
run ARECORDINTOTRACKS-1 'a record divided into tracks'
is 'a side has two pauses' "$(awk 'NR > 1 { printf "%.2f ", $4 }' out)" '2.00 2.00 '
is 'a side has three tracks' "$(ls track-0*.flac | tr '\n' ' ')" 'track-01.flac track-02.flac track-03.flac '
for n in 1 2 3; do
    gf -q -i track-0$n.flac -o track.wav
    near "track $n has a song, and what is left of its pauses" "$(frames_of track.wav 2)" \
        $((88200 + 8820 * (1 + (n == 2)))) 441
done
run AVOICERECORDING-1 'a voice made clean'
is 'a clean voice has 16 bits' "$(od -An -tu2 -j34 -N2 clean.wav | tr -d ' ')" 16
is 'a clean voice is cut at both ends' "$(frames_of clean.wav 1)" $((144000 - 9600))
near 'with the requested loudness' "$(awk 'END { print $10 }' clean.tsv)" -16 .2
is_true 'a clean voice has no peak beyond -1 dB' \
    "$(awk 'END { print $7 }' clean.tsv) < -.99 && $(awk 'END { print $11 }' clean.tsv) == 0"
is 'an image of it' "$(head -c 4 clean.png | tail -c 3)" PNG
# The quiet before the first word: the hum relative to the loudest part of the voice, before and
# after.
raised=$(awk "BEGIN { print $(tones clean.wav 600 900 trim:0.4,0.8) - $(tones voice.wav 600 900 trim:0.5,0.9) }")
for hz in 50 150; do
    before=$(tones voice.wav $((hz - 5)) $((hz + 5)) trim:0.15,+8192f)
    after=$(tones clean.wav $((hz - 5)) $((hz + 5)) trim:0.05,+8192f)
    is_true "the hum at $hz Hz is 40 dB lower relative to the voice" "$after - ($raised) < $before - 40"
done
gf -i voice.wav trim:0.1,-0.1 highpass:80 fade:50ms,200ms normalize:lufs=-16 limit:-1 -o hum.wav
is_true 'the hum at 150 Hz is removed by bandstop' "$(tones hum.wav 145 155 trim:0.05,+8192f) - ($raised) > $before - 3"

run CUTTINGOUTAPART-1 'a part left out'
is 'shorter by as much' "$(frames_of without.wav 2)" $((88200 - 22050))
gf -i sound.wav trim:0,0.78 -o one.wav
gf -i without.wav trim:0,0.78 -o two.wav
same one.wav two.wav 'a recording with a part left out is unchanged before it'
gf -i sound.wav trim:1.32 -o one.wav
gf -i without.wav trim:0.82 -o two.wav
same one.wav two.wav 'a recording with a part left out is unchanged after it'

mkdir recordings
gf -i voice.wav -o recordings/voice.wav
gf -i sound.wav -o recordings/sound.aiff
gf -i sound.wav resample:96k gain:-20 --depth 24 -o recordings/soft.flac
run ABATCHOFRECORDINGS-1 'recordings in a batch'
is 'recordings in a batch: one file for each input' "$(ls flac podcasts | tr '\n' ' ')" \
    'flac: soft.flac sound.flac voice.flac  podcasts: soft.ogg sound.ogg voice.ogg '
gf -i flac/voice.flac -o back.wav
is 'recordings in a batch have one rate, 16 bits and their tags' \
    "$(od -An -tu4 -j24 -N4 back.wav | tr -d ' ') $(od -An -tu2 -j34 -N2 back.wav |
    tr -d ' ') $(grep -ac 'A voice' back.wav)" '44100 16 1'
for f in podcasts/*; do near "$f is as loud as the others" "$(figure "$f" lufs)" -16 1; done
is_true 'recordings in a batch were not equally loud before' \
    "$(figure recordings/sound.aiff lufs) - ($(figure recordings/soft.flac lufs)) > 15"
run ABATCHOFRECORDINGS-2 'one table of all of them'
is 'a table of recordings has a row for each channel and one for all' "$(cut -f 1,2 loud.tsv | tr '\t\n' ': ')" \
   'file:channel podcasts/soft.ogg:1 podcasts/soft.ogg:2 podcasts/soft.ogg:all podcasts/sound.ogg:1 '\
'podcasts/sound.ogg:2 podcasts/sound.ogg:all podcasts/voice.ogg:1 podcasts/voice.ogg:all '
is 'no recording is louder than the others' "$(cat others.txt)" ''
gf -i podcasts/sound.ogg gain:6 -o podcasts/loud.ogg
sh -e ./ABATCHOFRECORDINGS-2.sh
is 'a louder recording is named' "$(cut -d ' ' -f 1,2 others.txt)" 'podcasts/loud.ogg has'
rm podcasts/loud.ogg
touch -d 2001-01-01 flac/*
touch -d 2000-01-01 recordings/*
head -c 3000 recordings/soft.flac >recordings/broken.flac
gf -i sound.wav gain:-6 -o recordings/new.wav
head -n 1 ABATCHOFRECORDINGS-1.sh >first.sh
sh ./first.sh 2>errors
is 'a bad one is named' "$? $(grep -c broken.flac errors)" '1 1'
: >mark; touch -d 2001-06-01 mark
is 'the new one is made, the others are left' "$(find flac -newer mark -type f)" flac/new.flac

if command -v sox >/dev/null; then
    run ASPECTROGRAMOFAPIPE-1 'a look at a pipe'
    is 'a look at a pipe makes drawings' "$(head -c 4 spectra.png | tail -c 3; head -c 4 wave.svg)" 'PNG<svg'
    is 'the tone rises from 200 Hz by 1800 a second' "$(awk 'NR == 1 { for (i = 3; i <= NF; i++) hz[i] = $i }
        NR > 60 && NR < 170 { best = 0; for (i = 3; i <= NF; i++) if (hz[i] > 600 && (!best || $i > $best)) best = i
            n++; ok += (hz[best] - 200 - 1800 * $1) ^ 2 < 60 ^ 2 } END { print n - ok }' spectra.tsv)" 0
else
    rm blocks/ASPECTROGRAMOFAPIPE-1
    skip 'no sox here'
fi

if command -v sox >/dev/null && [ -f in.mp4 ]; then
    run PIPESWITHSOXANDFFMPEG-1 'sox and ffmpeg on either side'
    near 'faster, so shorter' "$(frames_of quick.aiff)" 70560 50
    ffmpeg -v error -i in.mp4 -map 0:v -c copy -f framemd5 - </dev/null >pictures.before
    ffmpeg -v error -i out.mp4 -map 0:v -c copy -f framemd5 - </dev/null >pictures.after
    same pictures.before pictures.after 'the images are unchanged'
    ffmpeg -v error -y -i out.mp4 -vn out.wav </dev/null
    near 'the audio is louder' "$(figure out.wav lufs)" -16 1
    near 'and as long' "$(frames_of out.wav 1)" 44100 2100
else
    rm blocks/PIPESWITHSOXANDFFMPEG-1
    skip 'no sox, or no ffmpeg that encodes'
fi

# Replaces the audio devices. arecord sends 10 ms (1764 bytes) at a time and waits until the data it
# sent 30 ms earlier has come out; aplay receives it.
cat >bin/arecord <<'SIM'
head -c 44 sound.wav
i=0
while [ $i -lt 40 ]; do
    tail -c +$((45 + i * 1764)) sound.wav | head -c 1764
    i=$((i + 1)) tries=0
    [ $i -lt 4 ] || while [ "$(cat heard 2>/dev/null | wc -c)" -lt $((44 + (i - 3) * 1764)) ]; do
        tries=$((tries + 1))
        [ $tries -lt 3000 ] || { echo "after $i" >late; exit; }
        sleep 0.01
    done
done
tail -c +$((45 + i * 1764)) sound.wav
SIM
echo 'exec cat >heard' >bin/aplay
chmod +x bin/arecord bin/aplay
mkdir tapes
cp voice.wav tapes
gf -i sound.wav -o tapes/whole.flac
head -c $(($(wc -c <tapes/whole.flac) / 2)) tapes/whole.flac >tapes/cut.flac
run ADAMAGEDRECORDING-1 'a damaged recording'
is 'one file is damaged' "$(grep -c '^gpufilter: tapes/cut.flac: ' damaged.txt) $(tail -n 1 damaged.txt)" \
    '1 gpufilter: 1 of 3 inputs failed'
is 'the others are in the table' "$(cut -f 1 tapes.tsv | LC_ALL=C sort -u | tr '\n' ' ')" \
    'file tapes/voice.wav tapes/whole.flac '
is 'a damaged tape is named' "$(grep -c '^gpufilter: warning: tapes/cut.flac: ' lost.txt)" 1
is_true 'about half is saved' "$(frames_of saved/cut.flac 1) > .3 * $(frames_of sound.wav 1) && \
    $(frames_of saved/cut.flac 1) < .7 * $(frames_of sound.wav 1)"
run LIVEMONITORING-1 'audible while recording'
is 'monitoring: each 10 ms is audible within 30 ms' "$(cat late 2>/dev/null)" ''
is 'monitoring: all of the recording is audible' "$(wc -c <heard)" "$(wc -c <sound.wav)"
same sound.wav take.wav 'monitoring: the recording is stored unchanged'
gf -i sound.wav bass:-6,120 eq:3k,1,4 gain:6 limit:-1,ahead=1ms -o whole.wav
same whole.wav heard 'monitoring: the result is that of a file'

run ALONGRECORDING-1 'hours of audio'
is 'two hours of it' "$(frames_of long.wav 1)" 57600000
is 'hours of audio stay within the memory limit' \
    "$(awk '/^memory:/ { print $3 == "MB" && $2 <= 8 || $3 == "KB" }' plan.txt)" 1
near 'as loud as asked for, but for passages at the gate of -70' "$(figure long.wav lufs)" -19 .5
gf -i hours.wav highpass:80 normalize:lufs=-19 | cmp - long.wav >differs 2>&1
is 'hours of audio give the same bytes without a ceiling' "$?$(cat differs)" 0
rm -f hours.wav long.wav

run ANAMEDCHAIN-1 "a chain of one's own"
gf -i page.ppm gray median:1 autolevel:0.5% threshold:otsu -o meant.png
same meant.png page-ink.png "a chain of one's own has the result of its stages"
gf -i page.ppm gray median:2 autolevel:2% threshold:otsu -o meant.png
same meant.png page-bold.png "a chain of one's own takes arguments"
is '--help describes both' "$(grep -c 'default 1$\|default 0.5%' scan.txt)" 2
run ANAMEDCHAIN-2 'a chain in a chain'
gf -i page.ppm crop:100x180 gray median:2 autolevel:0.5% threshold:otsu -o meant.png
same meant.png left.png 'a chain in a chain has the result of the stages of both'
sed 's/crop:.*/crop:none/' book.chain >wrong.chain
refuses 2 '^gpufilter: wrong.chain:3: crop: ' 'a wrong line of a chain is reported' \
    gf -i page.ppm @wrong.chain -o wrong.png

mkdir photos
gf -i photo.ppm -o photos/one.png
gf -i scene.ppm -o photos/two.png
mkdir -m 700 runtime
XDG_RUNTIME_DIR=$PWD/runtime run AGPUFORMANYSHORTRUNS-1 'a GPU for many short runs'
gf -i photos/two.png gray blur:2 rotate:30 -o meant.png
same meant.png tilted/two.png 'a GPU for many short runs gives the same result'

is 'every workflow of the manual is tested here' "$(ls blocks)" ''
finish
