# --join: the images of all inputs, in order, as those of one output.
. "$(dirname "$0")/../lib.sh"

# paint WIDTH HEIGHT MAXVAL SEED FILE: writes a PPM whose samples depend on SEED.
paint()
{
    awk -v w="$1" -v h="$2" -v max="$3" -v seed="$4" 'BEGIN {
        printf "P3 %d %d %d\n", w, h, max
        for (i = 0; i < w * h * 3; i++)
            print (seed = (seed * 69069 + 12345) % 65536) % (max + 1) }' >painted
    gf -q -i painted -t ppm -o "$5"
}

mkdir in
for i in 1 2 10; do
    paint 8 6 255 $i in/img$i.ppm
done
paint 10 5 255 4 wide.ppm
paint 4 6 255 5 narrow.ppm
paint 8 6 65535 6 deep.ppm
gf -q -i in/img2.ppm gray -o gray.pgm

# ---- samples and order ----
cat in/img1.ppm in/img2.ppm in/img10.ppm >known.ppm
works 'a folder becomes one stream' gf --join -i in -t ppm -o all.ppm
same all.ppm known.ppm 'a folder is in the order of its numbers'
gf --join -i 'in/*.ppm' -t ppm >piped.ppm
same piped.ppm known.ppm 'a pattern is in the order of its numbers'
printf '%s\n' in/img2.ppm in/img10.ppm in/img1.ppm >list
gf --join --files-from list -o listed.ppm
cat in/img2.ppm in/img10.ppm in/img1.ppm | cmp - listed.ppm >differs 2>&1
is 'a list keeps its order in one output' "$? $(cat differs)" '0 '
gf --join -i in/img1.ppm -i in/img10.ppm -i in/img2.ppm -o shell.ppm 2>errors
cat in/img1.ppm in/img10.ppm in/img2.ppm | cmp - shell.ppm >differs 2>&1
is 'the order of a shell is kept with a warning' "$? $(cat differs errors)" \
    '0 gpufilter: warning: in/img2.ppm: comes after in/img10.ppm, as the shell sorts; put the pattern in quotes for '\
'the order of numbers'
works 'another order is no mistake of a shell' gf --join -i in/img10.ppm -i in/img2.ppm -i in/img1.ppm -o back.ppm
gf --join -i known.ppm -i wide.ppm -i - -o mixed.ppm <in/img1.ppm
cat known.ppm wide.ppm in/img1.ppm | cmp - mixed.ppm >differs 2>&1
is 'all images of a file come before the next file' "$? $(cat differs)" '0 '
gf --join --images 1 -i known.ppm -i wide.ppm -o firsts.ppm
cat in/img1.ppm wide.ppm | cmp - firsts.ppm >differs 2>&1
is 'a number of images is for each file' "$? $(cat differs)" '0 '
gf --join -i in/img1.ppm -i gray.pgm -i deep.ppm -o types.pam
gf -q -i types.pam -o 'type-{n}.ppm'
gf -q -i gray.pgm -o gray.ppm
cat in/img1.ppm gray.ppm deep.ppm >known-types.ppm
cat type-1.ppm type-2.ppm type-3.ppm | cmp - known-types.ppm >differs 2>&1
is 'types of samples may differ where the output allows it' "$? $(cat differs)" '0 '

# ---- formats of the output ----
if command -v tiffinfo >/dev/null; then
    gf --join -i in -i wide.ppm -o pages.tif
    is 'pages of a TIFF' "$(tiffinfo pages.tif 2>/dev/null | awk '/Image Width/ { printf "%sx%s ", $3, $6 }')" \
        '8x6 8x6 8x6 10x5 '
else
    skip 'pages of a TIFF: no tiffinfo here'
fi
gf --join -i in -i wide.ppm -o pages.tif
gf -q -i pages.tif -o 'page-{n}.ppm'
cat page-1.ppm page-2.ppm page-3.ppm page-4.ppm >pages.ppm
cat known.ppm wide.ppm | cmp - pages.ppm >differs 2>&1
is 'pages of a TIFF have the samples' "$? $(cat differs)" '0 '
gf --join -i in -r 12.5 -o film.y4m
gf -q -i known.ppm -r 12.5 -o film2.y4m
same film.y4m film2.y4m 'frames of a video are those of a stream'
is 'a video has the rate' "$(head -n 1 film.y4m | tr ' ' '\n' | grep ^F)" F25:2
if command -v ffprobe >/dev/null; then
    is 'another program counts the frames' "$(ffprobe -v error -count_frames -show_entries \
        stream=nb_read_frames,r_frame_rate -of csv=p=0 film.y4m)" 25/2,3
else
    skip 'another program counts the frames: no ffprobe here'
fi
gf -q -i film.y4m -o 'frames/{n:4}.y4m'
gf --join -i frames -o again.y4m
same again.y4m film.y4m 'frames of a video in files and back'
gf -q -i pages.tif -o 'stack/{n:4}.tif'
gf --join -i stack -o stack.tif
gf -q -i stack.tif -t ppm -o stack.ppm
same stack.ppm pages.ppm 'pages of a TIFF in files and back'
gf --join -i in -i film.y4m -o 'image-{n:3}.ppm' 2>errors
is 'the images of all inputs have numbers' "$(ls image-*.ppm | tr '\n' ' ')" \
    'image-001.ppm image-002.ppm image-003.ppm image-004.ppm image-005.ppm image-006.ppm '
same image-003.ppm in/img10.ppm 'a number counts images of all inputs'

# ---- sizes ----
refuses 1 '^gpufilter: wide.ppm: x.y4m: .*after 1 of 8x6 follows one of 10x5' 'sizes that differ in a video' \
    gf --join -i in/img1.ppm -i wide.ppm -i in/img2.ppm -o x.y4m
works 'gray among colors in a video' gf --join -i in/img1.ppm -i gray.pgm -o gray.y4m
gf -q -i gray.y4m -o 'frame-{n}.ppm'
gf -q -i gray.pgm -o tinted.ppm
works 'it has the colors of gray' gf -i frame-2.ppm compare:tinted.ppm,min-psnr=45
refuses 1 '^gpufilter: in/img1.ppm: x.y4m: ' 'colors among gray in a video' \
    gf --join -i gray.pgm -i in/img1.ppm -o x.y4m
gf --join=fit -i in/img1.ppm -i wide.ppm -i narrow.ppm -i in/img2.ppm -o fit.ppm
gf -q -i wide.ppm resize:8x6,fit=inside pad:size=8x6,at=center -o fit-2.ppm
gf -q -i narrow.ppm pad:2,0 -o fit-3.ppm
cat in/img1.ppm fit-2.ppm fit-3.ppm in/img2.ppm >known-fit.ppm
same fit.ppm known-fit.ppm 'images are scaled into the size of the first'
gf --join=pad -i in/img1.ppm -i narrow.ppm -i in/img2.ppm -o pad.ppm
cat in/img1.ppm fit-3.ppm in/img2.ppm >known-pad.ppm
same pad.ppm known-pad.ppm 'images get a border up to the size of the first'
refuses 1 '^gpufilter: wide.ppm: --join: pad: the image is 10x5 here, larger than 8x6' 'a border for a larger image' \
    gf --join=pad -i in/img1.ppm -i wide.ppm -o x.ppm
gf --join=fit -i wide.ppm -i in/img1.ppm resize:50% rotate:90 -o turned.ppm
is 'the size is that of the first result' "$(gf -q -i turned.ppm -o 'turned-{n}.ppm'; head -c 9 turned-2.ppm |
    tr '\n' ' ')" "$(gf -q -i wide.ppm resize:50% rotate:90 -t ppm | head -c 9 | tr '\n' ' ')"

# ---- what is refused ----
refuses 2 'leave out {stem}' 'a name of an input in the output of all' gf --join -i in -o '{stem}.pam'
refuses 2 'leave out {stem}' 'a name of an input in a second output' gf --join -i in 'tee:{stem}.ppm' -o x.pam
refuses 2 'leave out {stem}' 'a name of an input in a second image' gf --join -i in 'over:{dir}/m.ppm' -o x.pam
refuses 2 'is a folder' 'a folder for the output of all' gf --join -i in -o out/
refuses 2 'so --shard cannot divide' 'joined inputs on several machines' gf --join -i in --shard 1/2 -o x.pam
refuses 2 'must have no value, =fit, =pad or =fade=TIME' 'an unknown way to join' gf --join=crop -i in -o x.pam
refuses 2 'qoi stores only one image' 'a format of one image for several' gf --join -i in -o x.qoi
refuses 2 'qoi stores only one image' 'a format of one image for several, with --to' gf --join -i in -t qoi -o x
refuses 2 'x.mp4: .*gpufilter --join ... -t y4m | ffmpeg' 'a video that FFmpeg writes' gf --join -i in -o x.mp4
refuses 1 'would replace in/img1.ppm' 'an output that replaces the first input' gf --join -i in -o in/img1.ppm
gf -q -i "$GPUFILTER_SAMPLES/voice.wav" trim:0,0.1 -o s.wav
refuses 1 '^gpufilter: s.wav: is audio, but the inputs before are images' 'audio after an image' \
    gf --join -i in -i s.wav -o x.pam
works 'one input can be joined' gf --join -i in/img1.ppm -o one.qoi

# ---- failures ----
head -c 100 in/img2.ppm >broken.ppm
for jobs in 1 4; do
    refuses 1 '^gpufilter: broken.ppm: ends after row' "a broken file in the middle, -j $jobs" \
        gf --join -j $jobs -i in -i broken.ppm -i in -o x.y4m
    refuses 1 '^gpufilter: absent.ppm: No such file' "a missing file in the middle, -j $jobs" \
        gf --join -j $jobs -i in -i absent.ppm -i in -o x.tif
done
is 'a failure leaves no output' "$(ls -A | grep '^\.\|^x\.')" ''
cat in/img10.ppm broken.ppm >cut.ppm
cp cut.ppm cut2.ppm
gf --join --salvage -i in/img1.ppm -i cut.ppm -i cut2.ppm -i in/img2.ppm -o saved.ppm 2>errors
cat in/img1.ppm in/img10.ppm in/img10.ppm in/img2.ppm | cmp - saved.ppm >differs 2>&1
is 'what is left of damaged files is joined' "$? $(cat differs; cut -d : -f 1-3 errors)" "0 gpufilter: warning: cut.ppm
gpufilter: warning: cut2.ppm"

# ---- PNG and JPEG: a worker reads a file that surely has one image ----
mkdir coded
for i in 1 2 10; do
    gf -q -i in/img$i.ppm -o coded/$i.png
    gf -q -i in/img$i.ppm -o coded/$i.jpg
done
cat coded/1.png coded/2.png >coded/3.png
cat coded/1.jpg coded/2.png >coded/4.jpg
cat coded/2.jpg coded/10.jpg >coded/5.jpg
cat coded/10.png coded/1.jpg >coded/6.png
(cat coded/1.png; printf 'more') >coded/7.png
(cat coded/1.jpg; printf 'more') >coded/8.jpg
gf --join -i coded noise:0.2 -j 1 -o coded-1.pam
for i in 1 2 3; do
    gf --join -i coded noise:0.2 -j 4 -o coded-4.pam
    same coded-4.pam coded-1.pam "files of one image and of several, on one thread and on four: $i"
done
cat coded/1.jpg coded/1.png coded/2.jpg coded/2.png coded/3.png coded/4.jpg coded/5.jpg coded/6.png coded/7.png |
    gf -q -f png,jpeg -t ppm >coded.ppm
gf --join -j 4 -q --files-from - -t ppm <<'END' >coded-4.ppm
coded/1.jpg
coded/1.png
coded/2.jpg
coded/2.png
coded/3.png
coded/4.jpg
coded/5.jpg
coded/6.png
coded/7.png
END
same coded-4.ppm coded.ppm 'images of many files are those of one pipe'
head -c 150 coded/10.png >short.png
head -c 400 coded/10.jpg >short.jpg
for type in png jpg; do
    refuses 1 "^gpufilter: short.$type: " "a file that is cut short among others: $type" \
        gf --join -j 4 -i "coded/*.$type" -i short.$type -i "coded/*.$type" -o x.y4m
done
gf --join -j 4 --images 1 -i coded -o x.pam
is 'the first images of files of several' "$(grep -ac '^ENDHDR' x.pam)" 12
rm -f x.pam

# ---- warnings ----
if gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" resize:8x6 -o a.jpg 2>/dev/null && command -v exiftool >/dev/null; then
    for i in 1 2 3; do
        cp a.jpg exif$i.jpg
        exiftool -q -overwrite_original -Artist=A exif$i.jpg
    done
    gf --join -i 'exif*.jpg' -o x.pam 2>errors
    is 'a warning counts the files' "$(sed 's/ files: .*/ files/' errors)" \
        'gpufilter: warning: exif1.jpg and 2 other files'
else
    skip 'a warning counts the files: no exiftool here'
fi

# ---- outputs that are up to date ----
touch -d '2020-01-01' in/*.ppm
gf --join -i in --update -o new.pam
touch -d '2021-01-01' new.pam
before=$(stat -c %Y new.pam)
gf --join -i in --update -o new.pam
is 'an output that is newer than all inputs is kept' "$(stat -c %Y new.pam)" "$before"
touch in/img2.ppm
gf --join -i in --update -o new.pam
is 'one newer input makes the output out of date' "$([ "$(stat -c %Y new.pam)" = "$before" ] && echo kept)" ''

# ---- many files, threads, signals ----
mkdir many
paint 640 480 255 7 many/0.ppm
for i in $(seq 1 9); do
    gf -q -i many/0.ppm brightness:0.0$i -o many/$i.ppm
done
for i in $(seq 10 999); do
    ln many/$((i % 10)).ppm many/$i.ppm
done
for jobs in 1 4; do
    gf --join -i 'many/??.ppm' gray resize:25% -j $jobs -o j$jobs.y4m
    gf --join -i 'many/??.ppm' resize:25% -j $jobs -o j$jobs.tif
done
same j1.y4m j4.y4m 'a video of many files on one thread and on four'
same j1.tif j4.tif 'a TIFF of many files on one thread and on four'
if command -v /usr/bin/time >/dev/null && ! gf --version | grep -q '^sanitizer: '; then
    for name in big.y4m big.tif; do
        /usr/bin/time -f %M -o kb "$GPUFILTER" --device cpu --join -i many -j 2 --compression 0 -q -o $name
        [ "$(tail -n 1 kb)" -lt 60000 ] && pass "memory of a thousand files into $name" \
            || { fail "memory of a thousand files into $name"; note <kb; }
    done
    size=$((640 * 480 * 3 / 2 + 6))
    is 'a video of a thousand files has all frames' "$(head -n 1 big.y4m | wc -c | awk -v all="$(wc -c <big.y4m)" \
        -v frame=$size '{ print (all - $1) / frame }')" 1000
else
    skip 'memory of a thousand files'
fi
if gf --version | grep -q '^sanitizer: .*[Tt]hread'; then
    skip 'ThreadSanitizer delays a signal until the pipe without a writer is open'
else
    mkfifo waits
    for signal in INT TERM; do
        timeout -s $signal 1 "$GPUFILTER" --join -i in -i waits -j 2 -o killed.y4m
        is "a signal leaves nothing: $signal" "$? $(ls -A | grep killed)" '124 '
    done
fi
finish
