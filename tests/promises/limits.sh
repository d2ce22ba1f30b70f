# --max-pixels limits animations and the results of stages, --max-seconds the CPU time, --max-output the outputs.
. "$(dirname "$0")/../lib.sh"

image in.ppm 100 100 3 255 1
sound in.wav 8000 1 1

# ---- many images in few bytes

# bomb FRAMES: writes a GIF of 1000x1000 pixels with frames of one pixel.
bomb()
{
    printf 'GIF89a\350\003\350\003\200\0\0\377\0\0\0\377\0'
    i=0
    while [ $i -lt "$1" ]; do
        printf '\054\0\0\0\0\001\0\001\0\0\002\002\104\001\0'
        i=$((i + 1))
    done
    printf ';'
}
bomb 40 >bomb.gif
refuses 1 'bomb.gif: its first 33 images have more than 32620000 pixels together, the limit for 620 bytes; raise' \
    '40 million pixels in 620 bytes' gf --max-pixels 2M -i bomb.gif -o x.y4m
refuses 1 'bomb.gif: its first 33 images have more than 32620000 pixels together' \
    '40 million pixels in 620 bytes, with --salvage' gf --salvage --max-pixels 2M -i bomb.gif -o x.y4m
refuses 1 'standard input: its first 33 images have more than 325[0-9]* pixels together' \
    '40 million pixels in 620 bytes, from a pipe' sh -c 'cat bomb.gif | "$0" --max-pixels 2M -o x.y4m' "$GPUFILTER"
works '40 million pixels in 620 bytes, within the limit' gf -q --max-pixels 3M -i bomb.gif -o x.y4m
i=0
while [ $i -lt 20 ]; do cat in.ppm; i=$((i + 1)); done >many.ppm
works 'many images in as many bytes' gf --max-pixels 10000 -i many.ppm -t pnm -o many-out.ppm
is 'many images in as many bytes are all read' "$(cmp many.ppm many-out.ppm)" ''
rm -f x.* many*

# ---- results of stages

refuses 1 'resize:1000000x1000000: its result of 1000000x1000000 has more than 4000000000 pixels; raise --max' \
    'a result of 10^12 pixels' gf -i in.ppm resize:1000000x1000000 -o x.ppm
refuses 1 'resize:16777216x16777216: its result of' 'a result of 2^48 pixels' \
    gf -i in.ppm resize:16777216x16777216 -o x.ppm
refuses 1 'pad:900000: its result of 1800100x1800100' 'a border that makes 10^12 pixels' \
    gf -i in.ppm pad:900000 -o x.ppm
refuses 1 'resize:200x200: its result of 200x200 has more than 20000 pixels' 'a lower limit' \
    gf --max-pixels 20000 -i in.ppm resize:200x200 -o x.ppm
refuses 1 'resize:200x200' 'a lower limit holds before a crop, too' \
    gf --max-pixels 20000 -i in.ppm resize:200x200 crop:5x5 -o x.ppm
works 'a result as large as the limit' gf --max-pixels 40000 -i in.ppm resize:200x200 -o x.ppm
refuses 1 'pad:2000h: adds more than 4000000000 sample frames; raise --max-pixels to allow it' 'months of silence' \
    gf -i in.wav pad:2000h -o x.wav
refuses 1 'pad:2000h: adds more than 4000000000 sample frames' 'months of silence, from a pipe' \
    sh -c 'cat in.wav | "$0" pad:2000h -o x.wav' "$GPUFILTER"
works 'a pipe of unknown length, whose length a stage needs' \
    sh -c '{ head -c 40 in.wav; printf "\377\377\377\377"; tail -c +45 in.wav; } | "$0" stats:true >x.tsv' "$GPUFILTER"
works 'silence within the limit' gf -i in.wav pad:1 -o x.wav
rm -f x.*

# ---- files larger than --max-memory, which some formats need whole

for format in png jpg gif bmp tga tif webp hdr qoi ppm pfm y4m; do
    case $format in
    gif) bomb 40 >large.gif ;;
    *) works "$format is written" gf -q -i in.ppm -o large.$format ;;
    esac
    size=$(wc -c <large.$format)
    for limit in 1 $((size - 1)); do
        gf -q --max-memory $limit -i large.$format -o x.pam 2>errors
        from_file=$?
        gf -q --max-memory $limit -f $format -o x.pam <large.$format 2>>errors
        from_pipe=$?
        is "$format: $limit bytes for $size, from a file and a pipe" \
            "$([ $from_file -le 1 ] && [ $from_pipe -le 1 ] && grep -vc '^gpufilter: ' errors)" 0
    done
done
rm -f x.* large.*

# ---- sizes of outputs

gf -i in.wav pad:0,200 -o long.flac
larger='larger than --max-output 1.0 MB; raise it to write more$'
for format in wav aiff au caf w64 raw; do
    refuses 1 "^gpufilter: x.$format: $larger" "--max-output: audio as $format" \
        gf --max-output 1M -i long.flac -o x.$format
done
gf -q -i in.ppm resize:1000x1000 noise:0.5 -o large.pam
for format in ppm png jpg tif webp bmp tga qoi pfm y4m; do
    refuses 1 "^gpufilter: x.$format: $larger" "--max-output: an image as $format" \
        gf -q --max-output 1M --quality 100 -i large.pam -t $format -o x.$format
done
refuses 1 "^gpufilter: x.tsv: $larger" '--max-output: a table' \
    gf --max-output 1M -i in.wav pad:0,2 spectrogram:1000,1024 -o x.tsv
refuses 1 "^gpufilter: tee.wav: $larger" '--max-output: a file of tee' gf --max-output 1M -i long.flac tee:tee.wav \
    trim:0,1 -o x.wav
is '--max-output: no output is left' "$(ls -A | grep '^x[.]\|^tee\|^[.]gpufilter')" ''
cp long.flac old.wav
refuses 1 "^gpufilter: old.wav: $larger" '--max-output: in place' \
    gf --max-output 1M -i old.wav gain:-1 -t wav -o old.wav
same old.wav long.flac '--max-output: the old file is kept'
gf --max-output 1M -i long.flac -t wav >x.wav 2>errors
is '--max-output: standard output to a file' \
    "$? $(grep -c "^gpufilter: standard output: $larger" errors) $(wc -c <x.wav)" '1 1 0'
works '--max-output: a pipe has no limit' sh -c '"$0" --max-output 1M -i long.flac -t wav | wc -c >size' "$GPUFILTER"
is '--max-output: all of it comes' "$(tr -d ' ' <size)" 19216044
works '--max-output: within the limit' gf --max-output 19M -i long.flac -o x.wav
for folder in . /dev/shm; do
    # their space is reserved in advance
    refuses 1 'larger than --max-output 12.0 MB' "--max-output: a large file in $folder" \
        gf -q --max-output 12M -i in.ppm resize:3000x3000 -o $folder/gpufilter-test-$$.ppm
    is "--max-output: nothing is left in $folder" "$(ls -A $folder | grep "gpufilter-test-$$")" ''
done
refuses 1 "temporary data is larger than --max-output 1.0 MB; raise it, or raise --memory$" \
    '--max-output: temporary data' gf --max-output 1M --device cpu --memory 2M -i large.pam rotate:30 -o x.ppm
refuses 1 '^gpufilter: x.wav: File too large$' 'a lower limit of ulimit -f remains' \
    sh -c 'ulimit -f 100; exec "$0" --max-output 1M -i long.flac -o x.wav' "$GPUFILTER"
refuses 1 "^gpufilter: x.wav: $larger" 'a higher one does not' \
    sh -c 'ulimit -f 100000; exec "$0" --max-output 1M -i long.flac -o x.wav' "$GPUFILTER"
head -c 1000000 /dev/zero >log
gf --max-output 1M -i in.ppm -o x.ppm 2>>log
is '--max-output: a log without room is an error' "$? $(tail -c +1000001 log | cut -c 1-80)" \
    '1 gpufilter: --max-output 1.0 MB: standard error is a file that has no room for me'
refuses 2 '^gpufilter: --max-output: must be a size of 1M or more, as in 256M or 2G, not .100K' \
    '--max-output 100K is too low' gf --max-output 100K -i in.ppm -o x.ppm
if gf --version | grep -q '^sandbox: files (Landlock [0-9]*) and system calls$'; then
    refuses 1 "^gpufilter: x.wav: $larger" '--max-output with --untrusted' gf --untrusted --max-output 1M -i long.flac \
        -o x.wav
    gf -f raw:rate=48000,channels=64,type=u8 -i /dev/zero trim:0,90 -o quiet.flac 2>errors ||
        gf -f raw:rate=384000,channels=8,type=u8 -i /dev/zero trim:0,90 -o quiet.flac
    refuses 1 'x.wav: larger than --max-output 1.0 GB; raise it' '--untrusted: 1 GB by default' \
        gf --untrusted -i quiet.flac -o x.wav --depth f32
else
    skip '--max-output with --untrusted: this kernel has no whole sandbox'
fi
is '--help has it' "$(gf --help | grep -c -- '--max-output SIZE')" 1
rm -f x.* large.* long.* old.* log size quiet.*

# ---- CPU time

cp in.ppm target.ppm
for to in x.ppm x.png target.ppm; do
    gf --device cpu --max-seconds 1 -i in.ppm resize:30000x30000 bilateral:9,0.5 -o "$to" 2>errors
    is "$to: stopped after a second" "$? $(cat errors)" \
        '1 gpufilter: stopped after 1 second of CPU time; raise --max-seconds'
done
is 'a run that is stopped leaves no output' "$(ls -A | grep '^x\|^[.]gpufilter')$(cmp target.ppm in.ppm)" ''
i=0
while [ $i -lt 20 ]; do cp in.ppm many-$i.ppm; i=$((i + 1)); done
image many-2-large.ppm 2000 2000 3 255 1
gf -j 1 --device cpu --max-seconds 2 -i 'many-*.ppm' resize:10000x10000 bilateral:9,0.5 -o done/ 2>errors
is 'a batch: how many files were done' "$? $(sed 's/with [0-9]* of/with N of/' errors | grep -c \
    '^gpufilter: stopped after 2 seconds of CPU time, with N of 21 files done; raise --max-seconds$')" '1 1'
rm -rf many-* done
for limit in 1s 5 5s 1m 1:30 2h; do
    works "--max-seconds $limit is accepted" gf --max-seconds $limit -i in.ppm invert -o x.ppm
done
for limit in 0 0.5 1.5 500ms 100f -1 1e99 60000h000 ''; do
    refuses 2 "^gpufilter: --max-seconds: must be whole seconds from 1 to 1000000000, as in 60, .*, not '$limit'" \
        "--max-seconds '$limit' is refused" gf --max-seconds "$limit" -i in.ppm -o x.ppm
done
for limit in 9K 9k 0.009m 0.009M; do
    refuses 1 'in.ppm: 100x100 is more than 9000 pixels' "--max-pixels $limit is 9000 pixels" \
        gf --max-pixels $limit -i in.ppm -o x.ppm
done

# ---- stacks

# Threads have stacks of their own size, so a small limit for stacks changes nothing. A sanitizer needs more for itself.
stack=64
gf --version | grep -q '^sanitizer: ' && stack=1024
stacked() { sh -c 'ulimit -s "$1"; shift; exec "$@"' - $stack "$GPUFILTER" "$@"; }
cp "$GPUFILTER_SAMPLES"/photo.ppm "$GPUFILTER_SAMPLES"/sound.wav .
for job in 'sound.wav spectrogram x.png' 'sound.wav stats x.tsv' 'sound.wav bass:3 x.wav' \
    'sound.wav resample:32k x.flac' 'sound.wav lowpass:100 x.au' 'sound.wav waveform x.svg' 'photo.ppm canny:1 x.png' \
    'photo.ppm clahe x.tif' 'photo.ppm integral x.pfm' 'photo.ppm dog:2 x.ppm' 'photo.ppm rotate:30 x.jpg' \
    'photo.ppm equalize x.qoi' 'photo.ppm histogram x.tsv'; do
    set -- $job
    for lanes in 1 2; do
        gf --device cpu -j $lanes -i $1 $2 -o $3 && mv $3 large
        works "a stack of $stack KB, $lanes lanes: $job" stacked --device cpu -j $lanes -i $1 $2 -o $3
        same large $3 "a stack of $stack KB, $lanes lanes: $job has the same result"
        rm -f large $3
    done
done
works 'a plan, too' stacked --device cpu -i photo.ppm blur:2 --explain -o x.png
works 'a short run' gf --max-seconds 5 -i in.ppm invert -o x.ppm
refuses 2 'max-seconds' '--max-seconds with no time at all' gf --max-seconds 0 -i in.ppm -o x.ppm
finish
