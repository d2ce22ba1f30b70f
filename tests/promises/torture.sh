# Calls of the C library fail in turn: allocations, reads, writes, links, threads. Each run makes the
# same bytes, or prints one clear error and keeps the old output. `make torture` sets
# GPUFILTER_TORTURE to the number of runs for each job and each kind of calls.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'it would report allocations that fail'
tools=$(dirname "$GPUFILTER")/tests/promises
known=$here/torture.known
[ -x "$tools/torture" ] || { fail 'tests/promises/torture has not been made: make check TESTS= makes it'; finish; }
TORTURE_LIBRARY=$tools/failing_calls.so
export TORTURE_LIBRARY GPUFILTER
FAILING_CALLS=memory:1+ LD_PRELOAD=$TORTURE_LIBRARY "$GPUFILTER" --list >list 2>&1 &&
    skip_all 'this C library does not let memory be refused'

# ---- inputs

image in.ppm 37 29 3 255 1
image second.pam 20 20 4 255 2
image in.pgm 24 18 1 255 3
sound in.wav 3000 2 1
sound room.wav 200 1 2
mkdir in chains "$scratch/user-config"
for i in 1 2 3 4; do
    image in/$i.ppm 20 10 3 255 $i
    sound in/$i.wav 400 1 $i
done
ls in/*.ppm | sed 's,^,../,' >list
ls in/*.wav | sed 's,^,../,' >sounds
printf 'args radius\nblur:$radius invert\n' >chains/own
printf '1 2 1\n2 4 2\n1 2 1\n' >mask.txt
printf '0.25 0.5 0.25\n' >taps.txt
{ printf 'YUV4MPEG2 W4 H8 F25:1 It C444\n'; for i in 1 2 3; do printf 'FRAME\n%096d' $i; done; } >film.y4m
printf 'GIF89a\002\000\002\000\200\000\000\000\000\000\377\377\377!\377\013NETSCAPE2.0\003\001\000\000\000' >in.gif
for i in 1 2; do
    printf '!\371\004\000\012\000\000\000,\000\000\000\000\002\000\002\000\000\002\003D\002\005\000' >>in.gif
done
printf ';' >>in.gif
{ printf '8BPS\000\001\000\000\000\000\000\000\000\003\000\000\000\002\000\000\000\002\000\010\000\003'
  printf '\000\000\000\000\000\000\000\000\000\000\000\000\000\000ABCDEFGHIJKL'; } >in.psd
cat in.ppm in.ppm >two.ppm
for format in png jpg tiff webp bmp tga hdr qoi pfm pam; do
    gf --device cpu -i in.ppm -o in.$format 2>errors || gf -i in.ppm srgb -o in.$format 2>errors || cat errors >&2
done
gf --device cpu -i in.pgm threshold:0.5 -o in.pbm
bytes() { for octal in "$@"; do printf "\\$octal"; done; }
{ printf FORM; bytes 0 0 0 214; printf 8SVXVHDR; bytes 0 0 0 24 0 0 0 144 0 0 0 0 0 0 0 0 37 100 1 0 0 1 0 0
  printf BODY; bytes 0 0 0 144; head -c 100 in.ppm; } >in.svx
{ printf 'Creative Voice File\032'; bytes 32 0 24 1 37 21 11 240 0 0 100 37 0 0 20 1 4 0 0 0 0 0
  head -c 148 in.ppm; bytes 0; } >in.voc
{ printf 'NIST_1A\n   1024\nsample_count -i 100\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 01\n'
  printf 'sample_rate -i 8000\nsample_coding -s3 pcm\nend_head\n'; cat in.ppm; } | head -c 1224 >in.nist
for format in flac ogg opus mp3 aiff au caf w64 rf64; do
    gf --device cpu -q -i in.wav mono resample:48k -o in.$format
done

# ---- jobs

# job NAME OUTPUTS FLAGS STDIN ARGUMENT...: adds a line to the file of jobs. Each run has a folder of
# its own, so inputs are in the folder above.
job()
{
    printf '%s' "$1"
    shift
    printf '\t%s' "$@"
    echo
}
{
    job 'neighborhood' out.ppm old - --device cpu -i ../in.ppm blur:2 rotate:20 -o out.ppm
    job 'a measured stage and a second image' out.pam old - \
        --device cpu -i ../in.ppm equalize over:../second.pam,3,3 -o out.pam
    job 'a table for each input' out.json '' - -i ../in.ppm stats -o out.json
    job 'a joined table' out.tsv 'old many rows' - -j 3 --files-from ../sounds stats -o out.tsv
    job 'a sheet of images' out.png 'old many' - --device cpu --files-from ../list \
        montage:2,size=30x30,label,gap=2 blur:1 -o out.png
    job 'a stack of images' out.png 'old many' - --device cpu -q --files-from ../list stack:median -o out.png
    job 'sums of images' out.pfm 'old many' - --device cpu -q --files-from ../list blur:1 stack:sigma -o out.pfm
    job 'a drawing' out.svg old - -i ../in.ppm histogram -o out.svg
    job 'a spectrogram' out.png old - -i ../in.wav spectrogram:64 -o out.png
    for pair in png:jpg jpg:png tiff:tiff webp:webp psd:qoi bmp:tga tga:bmp hdr:pfm qoi:pam pfm:hdr pbm:pgm; do
        job "images: $pair" out.${pair#*:} old - --device cpu -q -i ../in.${pair%:*} invert -o out.${pair#*:}
    done
    for pair in wav:flac flac:wav wav:ogg ogg:wav wav:opus opus:au mp3:wav wav:mp3 aiff:caf au:aiff caf:w64 w64:rf64 \
        rf64:wav voc:wav nist:wav svx:wav; do
        job "audio: $pair" out.${pair#*:} old - --device cpu -q -i ../in.${pair%:*} mono gain:-3 -o out.${pair#*:}
    done
    job 'normalized audio' out.wav old - -i ../in.wav normalize fade:0.01 -o out.wav
    job 'audio without silence' out.wav old - -i ../in.wav gain:-1 silence:shorten,-30,min=0 silence:trim -o out.wav
    job 'a pipe without silence' stdout '' in.wav silence:trim
    job 'noise in a part of the input' out.wav old - -i ../in.wav pad:0.2 denoise:noise=0,0.2 -o out.wav
    job 'long filters' out.wav old - -i ../in.wav lowpass:1k reverb:../room.wav gain:-12 reverse -o out.wav
    job 'raw samples' out.f32 old - --from raw:s16,44100,2 -i ../in.wav gain:-1 --to raw:f32 -o out.f32
    job 'masks in files' out.ppm old - --device cpu -i ../in.ppm conv:../mask.txt -o out.ppm
    job 'an impulse response in a file' out.wav old - -i ../in.wav fir:../taps.txt -o out.wav
    job 'a chain in a file' out.qoi old - --device cpu -i ../in.ppm @../chains/own:2 -o out.qoi
    job 'tee' 'out.ppm part.ppm' 'old many' - --device cpu -i ../in.ppm blur:1 tee:part.ppm invert -o out.ppm
    job 'an animation that is written' out.gif old - --device cpu -i ../in.gif invert -o out.gif
    job 'an APNG that is written' out.png old - --device cpu -i ../in.gif invert -o out.png
    job 'an animation' out.pam old - --device cpu -i ../in.gif invert -o out.pam
    job 'video' out.y4m old - --device cpu --interlaced fields -i ../film.y4m blur:1 -o out.y4m
    job 'video to images' '1.png 2.png 3.png' many - --device cpu -q -i ../film.y4m -o '{n}.png'
    job 'several images' out.ppm old - --device cpu -i ../two.ppm blur:1 -o out.ppm
    job 'pipes' stdout '' in.ppm --device cpu blur:1
    job 'a pipe that is measured' stdout '' in.wav normalize
    job 'a table to a terminal' stdout '' - -i ../in.ppm stats
    job 'an image in a terminal' stdout '' - -i ../in.ppm -o term:
    job 'a batch' 'out/1.png out/2.png out/3.png out/4.png' 'old many' - \
        --device cpu -q -j 3 --files-from ../list invert -o 'out/{stem}.png'
    job 'a batch into a new folder' 'new/1.ppm new/2.ppm new/3.ppm new/4.ppm' many - \
        --device cpu -q -j 2 --files-from ../list invert -o new/
    job 'a batch that shares memory' 'new/1.tsv new/2.tsv new/3.tsv new/4.tsv' many - -q \
        --device cpu -j 3 --memory 8M --files-from ../list histogram:65536 -o new/
    job 'a tree of folders' 'new/1.ppm new/2.ppm new/3.ppm new/4.ppm' many - \
        --device cpu -q -j 2 -i '../in/**/*.ppm' invert -o new/
    job 'tiles of an image' 'new/1.png new/2.png new/3.png new/4.png' many - \
        --device cpu -q -j 2 -i ../in.ppm blur:1 tile:20x15,overlap=3 -o 'new/{n}.png'
    job 'reports' 'out.ppm ?trace.json' many - --device cpu -i ../in.ppm blur:1 --trace trace.json -o out.ppm
    job 'a plan' stdout '' - --device cpu --explain -i ../in.ppm blur:1 -o out.ppm
    job 'help' stdout '' - --help blur
} >jobs
"$tools/torture" jobs "$known" "${GPUFILTER_TORTURE:-3}"
finished=$?
[ $finished = 0 ] || exit $finished
