# Signals larger than --memory pass through within the limit, from pipes and from files.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'it reserves more addresses than the tests allow'

# within KB COMMAND...: limits the address space to KB, which has to hold the program, its libraries
# and --memory.
within() { ( ulimit -v "$1" 2>/dev/null || exit 99; shift; "$@" ); }

if ! within 250000 gf --version >out 2>errors; then
    skip_all 'the memory of a process cannot be limited here'
fi
big() { printf 'P5\n5000 60000\n255\n'; head -c 300000000 /dev/zero; }
big >big.pgm
works '300 MB on a pipe, 32 MB of memory' \
    sh -c 'ulimit -v 250000; "$0" --device cpu --memory 32M -j 2 blur:3 <big.pgm | cmp - big.pgm' "$GPUFILTER"
works '300 MB from file to file, 32 MB of memory' \
    sh -c 'ulimit -v 250000; "$0" --device cpu --memory 32M -j 2 -i big.pgm blur:3 -o big-out.pgm' "$GPUFILTER"
same big.pgm big-out.pgm '300 MB from file to file, 32 MB of memory: the output is complete'
rm -f big.pgm big-out.pgm

# A small first frame does not show the size of later frames. Large frames run one at a time.
frames() { printf 'P5\n1 1\n255\n\377'; for n in 1 2 3; do printf 'P5\n8000 8000\n255\n'; head -c 64000000 /dev/zero;
    done; printf 'P5\n2 1\n255\n\001\002'; }
frames >frames.pgm
works 'frames that are larger than the first one, in 32 MB' \
    sh -c 'ulimit -v 270000; cat frames.pgm | "$0" --device cpu --memory 32M -j 2 invert invert | cmp - frames.pgm' \
    "$GPUFILTER"
printf 'P5\n1 1\n255\n\377P5\n60000 60000\n255\n\001' >hostile.pgm
refuses 1 'hostile.pgm' 'a frame with a false size' sh \
    -c 'ulimit -v 270000; exec "$0" --device cpu --memory 32M -j 2 -i hostile.pgm invert -o never.pgm' "$GPUFILTER"
rm -f frames.pgm hostile.pgm

# Rows of 10 MB: the PNG writer keeps a single band of them if there is no room for more.
{ printf 'P5\n10000000 12\n255\n'; head -c 120000000 /dev/zero; } >wide.pgm
works 'a PNG of very long rows, 64 MB of memory' \
    sh -c 'ulimit -v 320000; cat wide.pgm | "$0" --device cpu --memory 64M -j 2 invert --to png >wide.png' "$GPUFILTER"
rm -f wide.pgm wide.png

# A WAV of unknown length on a pipe: a header with the largest sizes, then zeros.
endless()
{
    printf 'RIFF\377\377\377\377WAVEfmt \020\0\0\0\001\0\002\0\200\273\0\0\0\356\002\0\004\0\020\0data\377\377\377\377'
    head -c 300000000 /dev/zero
}
cp "$GPUFILTER_SAMPLES"/taps.txt .
endless | within 250000 gf --device cpu --memory 32M -j 2 fir:taps.txt 2>errors | wc -c >bytes
is '300 MB of audio on a pipe' "$(cat bytes errors | tr -d ' ')" 300000044
endless | within 250000 gf --device cpu --memory 32M -j 2 bass:6 fir:taps.txt eq:1k,1,3 'fir:[1 2]' 2>errors |
    wc -c >bytes
is '300 MB of audio through filters that read back after filters with state' "$(cat bytes errors | tr -d ' ')" 300000044

head -c 300000000 /dev/zero | within 250000 gf --device cpu --memory 32M -j 2 -f raw:rate=48000,channels=2 \
    -t au 2>errors | wc -c >bytes
is '300 MB of raw samples to AU' "$(cat bytes errors | tr -d ' ')" 300000024

# The end of a recording waits for its crossfade: 180 MB of floats.
head -c 100000000 /dev/zero >long.raw
works 'a crossfade of 180 MB, 32 MB of memory' within 250000 gf --device cpu --memory 32M -j 2 \
    -f raw:rate=96000,channels=8 -i long.raw -i long.raw --join=fade=60 -o never.raw
is 'a crossfade of 180 MB, 32 MB of memory: the output is complete' "$(wc -c <never.raw | tr -d ' ')" \
    $((2 * 100000000 - 60 * 96000 * 8 * 2))
rm -f never.raw
# Silence after a sound waits until it is known to end the part or not: half of 100 MB here, with room for 184 MB.
printf '\177\177\177\177' | dd of=long.raw conv=notrunc 2>errors
within 200000 gf --device cpu --memory 32M -j 2 -f raw:rate=96000,channels=8,type=s32 -i long.raw \
    split:silence,min=60 -o 'never-{n}.raw' 2>errors
is 'silence of up to 184 MB that waits, 32 MB of memory' "$? $(grep -c 'so there is one part' errors)" '0 1'
same long.raw never-1.raw 'silence of up to 184 MB that waits: the output is complete'
rm -f long.raw never-1.raw

# Drawings: one column may be as long as the recording. The plan counts the records that are kept,
# once.
head -c 100000000 /dev/zero >long.raw
for drawing in waveform:1 spectrogram:1; do
    works "$drawing of 100 MB, 16 MB of memory" within 250000 gf --device cpu --memory 16M -j 2 \
        -f raw:rate=48000,channels=2 -i long.raw $drawing -o long.png
done
rm -f long.raw
head -c 40000 /dev/zero >short.raw
refuses 1 'spectrogram:5000,4096: needs .* to keep part of the signal' \
    'a spectrogram of more columns than there is room for' \
    gf --device cpu --memory 32M -f raw:rate=48000,channels=2 -i short.raw spectrogram:5000,4096 -o never.png
works 'a spectrogram of as many columns as memory allows' within 320000 \
    gf --device cpu --memory 100M -j 2 -f raw:rate=48000,channels=2 -i short.raw spectrogram:5000,4096 -o short.tsv
is 'a spectrogram of as many columns as memory allows has all of them' "$(wc -l <short.tsv | tr -d ' ')" 10001
rm -f short.raw short.tsv

# Long filters: the plan counts their spectra, and a segment has whole blocks. The length of blocks does not depend on
# --memory, so neither does any byte.
noise() { awk -v n="$1" 'BEGIN { srand(5); for (i = 0; i < n; i++) printf "%.4f ", rand() - .5 }'; }
noise 300000 >long.txt
head -c 12000000 /dev/zero >quiet.raw
gf --device cpu --memory 64M -j 2 -f raw:rate=48000,channels=2 -i quiet.raw fir:long.txt --explain -o never.wav \
    >plan.txt 2>errors
is "300000 taps, 64M: segments of whole blocks" \
    "$(awk '/segments of/ { print ($3 >= 32768 && $3 % $5 == 0) }' plan.txt)" 1
is '300000 taps, 64M: the plan keeps to the limit' "$(awk '/^memory:/ { print ($2 <= 64 && $2 > 4.8) }' plan.txt)" 1
works '300000 taps, 64M: the run keeps to the limit' within 280000 \
    gf --device cpu --memory 64M -j 2 -f raw:rate=48000,channels=2 -i quiet.raw fir:long.txt -o quiet.wav

sound loud.wav 20011 2 3
# same_in MEMORY...: runs $stage in each, which gives the bytes of a run without a limit or, in less than 64M, may fail.
same_in()
{
    gf --device cpu -i loud.wav $stage --depth f32 -o all.wav 2>errors
    for memory in "$@"; do
        rm -f some.wav
        gf --device cpu --memory $memory -i loud.wav $stage --depth f32 -o some.wav 2>errors
        if [ $? = 0 ] || [ $memory = 64M ]; then
            same all.wav some.wav "$stage, $memory: the same samples"
        else
            is "$stage, $memory: refused" \
                "$(wc -l <errors | tr -d ' ') $(sed -n 's/.*; //p' errors)" '1 raise --memory'
        fi
    done
}
for stage in highpass:1000 lowpass:50 'bandpass:300,3000 clamp:-0.3,0.3' fir:long.txt; do
    same_in 1M 2M 8M 24M 64M
done
rm -f quiet.wav quiet.raw
head -c 400 /dev/zero >quiet.raw
refuses 1 'raise --memory' 'more taps than fit into 4 MB' gf --device cpu --memory 4M -f raw:rate=48000,channels=2 \
    -i quiet.raw fir:long.txt -o never.wav
rm -f quiet.raw

# Formats whose header is written at the end: data that does not fit into memory waits on disk.
if gf --list | grep -q ' aiff'; then
    head -c 100000000 "$GPUFILTER_SAMPLES"/photo.ppm >some.raw
    while [ "$(wc -c <some.raw)" -lt 100000000 ]; do cat some.raw some.raw some.raw some.raw >more.raw;
        head -c 100000000 more.raw >some.raw; done
    rm -f more.raw
    for type in aiff caf w64; do
        gf --device cpu -f raw:rate=48000,channels=2 -i some.raw -o whole.$type 2>errors
        cat some.raw | within 250000 gf --device cpu --memory 16M -j 2 -f raw:rate=48000,channels=2 -t $type 2>>errors |
            cat >piped.$type
        same whole.$type piped.$type "100 MB as $type on a pipe, 16 MB of memory"
        rm -f whole.$type piped.$type
    done
    TMPDIR=/nowhere refuses 0 TMPDIR 'as aiff, without room on disk' \
        sh -c '"$GPUFILTER" --device cpu --memory 16M -f raw:rate=48000,channels=2 -i some.raw -t aiff | cat '\
'>never.aiff; exit 0'
    # Such formats are also read from a pipe, which has to be stored whole.
    for type in flac aiff w64; do
        gf --device cpu -f raw:rate=48000,channels=2 -i some.raw -t $type -o whole 2>errors
        cat whole | within 250000 gf --device cpu --memory 16M -j 2 gain:6 gain:-6 -t raw 2>>errors |
            cmp - some.raw >>errors 2>&1
        is "100 MB of $type from a pipe, 16 MB of memory" "$(cat errors)" ''
        TMPDIR=/nowhere refuses 1 TMPDIR "$type from a pipe, without room on disk" sh \
            -c 'cat whole | "$0" --device cpu --memory 16M -t raw >never.raw' "$GPUFILTER"
    done
    rm -f some.raw whole
fi

# Stages that need the whole signal, if it does not fit into memory: a file is read again, a pipe
# and a rotation go to disk. The bytes stay the same.
cp "$GPUFILTER_SAMPLES"/photo.ppm .
for chain in equalize rotate:30 'blur:2 equalize rotate:-7,filter=cubic flip' 'blur:3,edge=wrap rotate:90' \
    'resize:60% rotate:20 resize:170%' 'blur:2 lens:-0.1,filter=cubic'; do
    gf --device cpu -i photo.ppm $chain -o with.ppm 2>errors
    works "$chain with 4 MB" gf --device cpu --memory 4M -i photo.ppm $chain -o little.ppm
    same with.ppm little.ppm "$chain: from a file"
    cat photo.ppm | gf --device cpu --memory 4M -j 1 $chain >piped.ppm 2>errors
    same with.ppm piped.ppm "$chain: from a pipe"
done
gf --device cpu -i photo.ppm rotate:30 -o with.ppm 2>errors
works 'rotate:30 with 1 MB' gf --device cpu --memory 1M -i photo.ppm rotate:30 -o little.ppm
same with.ppm little.ppm 'rotate:30: packed bytes from disk'
gf --device cpu --memory 4M -i photo.ppm rotate:30,filter=cubic --explain >plan.txt
works 'the plan names the folder' grep -q "kept in ${TMPDIR:-/var/tmp}" plan.txt
TMPDIR=/nowhere refuses 1 TMPDIR 'a folder for spools that is not there' gf --device cpu --memory 4M -i photo.ppm \
    rotate:30,filter=cubic -o never.ppm

refuses 1 'cannot map .*ulimit -v' 'an address space limit is not reported as a full disk' \
    sh -c 'ulimit -v 100000; exec "$0" --device cpu --memory 4M -i photo.ppm resize:6000x6000 rotate:30 -o never.ppm' \
    "$GPUFILTER"

# In a chain of many passes, memory contains only the input and the output of one pass: 24 MB each,
# 400 MB for all.
{ printf 'P5\n3000 2000\n255\n'; head -c 6000000 /dev/zero; } >gray.pgm
four='rotate:10,fit=keep rotate:10,fit=keep rotate:10,fit=keep rotate:10,fit=keep'
works 'sixteen rotations, 128 MB of memory' \
    sh -c 'ulimit -v 330000; "$0" --device cpu --memory 128M -j 2 -i gray.pgm "$@" -o turned.pgm' "$GPUFILTER" $four \
    $four $four $four
rm -f gray.pgm turned.pgm

# A video as the second input: each of its images is unpacked in memory that is then released.
{ printf 'YUV4MPEG2 W1500 H1500 F25:1 C420jpeg\n'; for frame in 1 2 3 4 5 6 7 8 9 10 11 12; do printf 'FRAME\n';
    head -c 3375000 /dev/zero; done; } >video.y4m
works 'two videos, 64 MB of memory and eight stacks' \
    sh -c 'ulimit -d 260000; "$0" --device cpu --memory 64M -j 8 -i video.y4m diff:video.y4m -o apart.y4m' "$GPUFILTER"
rm -f video.y4m apart.y4m

works 'the plan states its memory' sh -c '"$0" --device cpu --memory 32M -i "$1" blur:3 --explain >plan.txt' \
    "$GPUFILTER" "$GPUFILTER_SAMPLES"/photo.ppm
is 'the memory that the plan states is less than allowed' \
    "$(${AWK:-awk} '/^memory:/ { print ($3 == "KB" || $2 <= 32) }' plan.txt)" 1
finish
