# --latency: gpufilter writes the result of what it has read before it reads more, however slow the
# sender is.
. "$(dirname "$0")/../lib.sh"

# The sender waits for the answer to each piece before it sends the next one, so the test needs no
# clock: a delayed piece delays everything. The sender gives up after this many tenths of a second.
patience=300

# come BYTES: waits until BYTES bytes of output have arrived.
come()
{
    tries=0
    while [ "$(wc -c <got)" -lt "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt $((patience * 10)) ] || return 1
        sleep 0.01
    done
}

# talk HEAD PIECE TIMES OUT-HEAD OUT-PIECE STAGES...: prints how many pieces of `sent` were answered
# in time.
talk()
{
    head=$1 piece=$2 times=$3 out_head=$4 out_piece=$5
    shift 5
    rm -f line
    mkfifo line
    : >got
    gf -q --device cpu "$@" <line 2>errors | cat >got &
    exec 3>line
    head -c "$head" sent >&3
    answered=0
    while [ $answered -lt "$times" ]; do
        tail -c +$((head + answered * piece + 1)) sent | head -c "$piece" >&3
        come $((out_head + (answered + 1) * out_piece)) || { patience=10; break; }
        answered=$((answered + 1))
    done
    tail -c +$((head + times * piece + 1)) sent >&3
    exec 3>&-
    wait
    cat errors
    echo $answered
}

# Audio: 16 bits, two channels, 48000 Hz, so 10 ms are 1920 bytes.
sound known.wav 96000 2 5
{ printf 'RIFF\377\377\377\377'; head -c 40 known.wav | tail -c +9; printf '\377\377\377\377'; tail -c +45 known.wav;
    } >open.wav
for sent in known open; do
    cp $sent.wav sent
    is "$sent length: every 10 ms are answered" "$(talk 44 1920 30 44 1920 --latency 10 gain:-3)" 30
    cat sent | gf --device cpu gain:-3 | cat >whole.wav
    same whole.wav got "$sent length: the answers have the same samples"
    is "$sent length: every 10 ms are answered without stages" "$(talk 44 1920 10 44 1920 --latency 10)" 10
    is "$sent length: every 10 ms are answered in one lane" \
        "$(talk 44 1920 10 44 1920 --latency 10 --lanes 1 gain:-3)" 10
    is "$sent length: a filter that looks back" "$(talk 44 1920 10 44 1920 --latency 10 'fir:[.5 .25 .25]')" 10
    is "$sent length: filters after filters with state" \
        "$(talk 44 1920 10 44 1920 --latency 10 bass:6 'fir:[.5 .25 .25]' eq:1k,1,3 'fir:[1 2]')" 10
    is "$sent length: filters that look ahead" \
        "$(talk 44 1920 10 44 960 --latency 5 treble:3 "fir:[$(seq -s ' ' 1 481)],align=center" gain:-6 bass:2)" 10
    # The filter looks 240 frames ahead, which is 5 ms.
    is "$sent length: a filter that looks ahead answers that much later" \
        "$(talk 44 1920 10 44 960 --latency 5 "fir:[$(seq -s ' ' 1 481)],align=center")" 10
    # The filter works in blocks of 256 frames. Of 480 frames, one block is complete; the others
    # wait for the next 10 ms.
    is "$sent length: a long filter answers as early" \
        "$(talk 44 1920 10 44 1024 --latency 10 "fir:[$(seq -s ' ' 1 3000)]")" 10
done
patience=10
is 'the first 10 ms wait for more input without --latency' "$(talk 44 1920 30 44 1920 gain:-3)" 0
patience=300
cp known.wav sent
is 'a longer latency takes longer pieces' "$(talk 44 19200 5 44 19200 --latency 100 gain:-3)" 5

# Several images in one stream: each is answered before the next one begins.
for i in 1 2 3 4 5; do
    image frame.ppm 64 48 3 255 $i
    cat frame.ppm
done >sent
size=$(($(wc -c <sent) / 5))
is 'every frame is answered' "$(talk 0 $size 5 0 $size --latency 40 blur:2)" 5
gf --device cpu blur:2 <sent >whole.ppm
same whole.ppm got 'answered frames are the same images'
is 'frames that are measured first' "$(talk 0 $size 5 0 $size --latency 40 equalize)" 5
is 'frames that are rotated' "$(talk 0 $size 5 0 $size --latency 40 flip)" 5
is 'every frame is answered with many lanes' "$(talk 0 $size 5 0 $size --latency 40 -j 3 --lanes 3 blur:2)" 5

# Output files of the images of a pipe appear one by one.
rm -f line
mkfifo line
gf --device cpu --latency 40 invert -o 'one-{n}.ppm' <line 2>errors &
exec 3>line
head -c "$size" sent >&3
tries=0
while [ ! -f one-1.ppm ] && [ $tries -lt 3000 ]; do
    tries=$((tries + 1))
    sleep 0.01
done
is 'an output file exists before the next image arrives' "$(ls one-*)" one-1.ppm
tail -c +$((size + 1)) sent >&3
exec 3>&-
wait
is 'outputs after the first one follow' "$(cat errors; ls one-* | wc -l | tr -d ' ')" 5

# An encoder collects a bounded number of frames, and --explain prints the bound. All input frames
# except that number can be decoded from the output at any time.
# lags FORMAT BOUND FRAMES...: sends the input up to each FRAMES and prints where the output lags by
# more than BOUND.
lags()
{
    format=$1 bound=$2
    shift 2
    rm -f line
    mkfifo line
    : >got
    gf -q --device cpu -f raw:rate=48000,channels=2,type=s16 --latency 10 gain:-3 -t "$format" <line 2>errors |
        cat >got &
    exec 3>line
    before=0 lag=
    for frames in "$@"; do
        tail -c +$((before * 4 + 1)) sent | head -c $(((frames - before) * 4)) >&3
        before=$frames tries=0
        until here=$(cat got | gf --salvage -t raw:type=s16 2>/dev/null | wc -c) &&
            [ $((frames - here / 4)) -le "$bound" ]; do
            tries=$((tries + 1))
            [ $tries -lt $patience ] || { lag="$lag $((frames - here / 4)) of $frames" patience=10; break; }
            sleep 0.1
        done
    done
    exec 3>&-
    wait
    cat errors
    echo "late:$lag"
}
# told FORMAT: prints the bound in frames at 48000 Hz.
told() { head -c 192000 sent | gf --device cpu -f raw:rate=48000,channels=2,type=s16 --latency 10 gain:-3 -t "$1" \
    --explain |
    sed -n 's/^latency: \([0-9.]*\) s at most.*/\1/p' | ${AWK:-awk} '{ print int($1 * 48000 + .5) }'; }
gf -i known.wav -t raw -o noise
head -c 384000 /dev/zero >silence
for sent in noise silence; do
    cp $sent sent
    for format in wav:480 au:480 raw:480 flac:4577 opus:3736; do
        bound=${format#*:} format=${format%:*}
        is "$format of $sent: --explain prints the bound" "$(told $format)" "$bound"
        [ $format = raw ] && continue
        is "$format of $sent comes within the bound" "$(lags $format "$bound" 24480 48000 72960)" 'late:'
    done
done
is 'ogg has no bound' "$(head -c 192000 sent | gf --device cpu -f raw:rate=48000 --latency 10 -t ogg --explain |
    grep -c '^latency: no limit')" 1

# A stage that would have to wait longer is an error.
cp known.wav sent
through_pipes() { { cat sent | gf --device cpu --latency 10 "$@"; echo $? >status; } | cat; return "$(cat status)"; }
refused() { pattern=$1 name=$2; shift 2; refuses 2 "$pattern" "$name" through_pipes "$@"; }
refused '--latency: stats' 'statistics of a pipe' stats
refused 'aiff is written to a pipe only at the end; use one of AU, FLAC' 'an output that comes at the end' -t aiff
refused 'ogg is written to a pipe only when a page is full' 'an output that comes when it will' -t ogg
gf -i known.wav -o known.flac
through_pipes -t flac >pieces.flac 2>errors
gf -i known.wav -t raw -o known.raw
works 'FLAC to a pipe' gf -i pieces.flac -t raw -o pieces.raw
same known.raw pieces.raw "$format in pieces has the same samples"
cp known.flac sent
refused '--latency: standard input' 'an input that is decoded as a whole' gain:-3
image noise.ppm 600 500 3 255 1
cp noise.ppm sent
refused '--latency: rotate' 'a picture that goes to disk' --memory 1M rotate:30
refuses 2 '1 to 60000' '--latency of no milliseconds' gf --latency 0 -i known.wav -o o.wav
for word in 0.5 10.5ms 61s 60001 ms s '' -3 1e1 ' 5' 10m 10sms 1k; do
    refuses 2 "whole milliseconds from 1 to 60000, as in 20 or 20ms, not '$word'" \
        "'$word' is not a number of milliseconds" gf --latency "$word" -i known.wav -o o.wav
done
for word in 10ms 0.01s .01s 10.0 10; do
    is "$word means 10 ms" "$(gf --device cpu --latency $word -i known.wav gain:-3 --explain |
        grep -c 'segments of 480 frames')" 1
done
is '60s are a minute' "$(gf --device cpu --latency 60s -i known.wav gain:-3 --explain | grep -c '^latency')" 1
works 'a file may be measured as a whole' gf --latency 10 -i known.wav stats -o o.tsv
works 'a file may be decoded as a whole' gf --latency 10 -i known.flac gain:-3 -o o.flac
is 'the plan has short segments' \
    "$(gf --device cpu --latency 10 -i known.wav gain:-3 --explain | grep -c 'segments of 480 frames')" 1
finish
