# Known answers for audio, worked out by hand: drawings and tables, and stages that move or scale
# frames.
. "$(dirname "$0")/lib_answers.sh"

# Two columns of three frames each: their minimum, maximum and RMS sample.
frames 1  16384 -16384 0  8192 8192 -16384
gf -i in.wav waveform:2 -o out.tsv
is 'waveform:2 has the extremes and the RMS of each column' \
    "$(sed 1d out.tsv | tr '\t\n' ' ;')" '0 1 -0.5 0.5 0.408248 0;0.000375 1 -0.5 0.25 0.353553 0;'
gf -i in.wav waveform:2 -o out.json
is 'waveform:2 as JSON' "$(cat out.json)" '{"columns":2,"seconds":0.00075,"fields":["min","max","rms","clipped"],'\
'"channels":[{"name":"1","levels":[[-0.5,0.5,0.408248,0],[-0.5,0.25,0.353553,0]]}]}'
frames 2  32767 0  -32768 5  1 32766  32767 -5  1 -5  1 -5
is 'waveform counts the clipped samples of each channel' \
    "$(gf -i in.wav waveform:2 -t csv | cut -d , -f 2,6 | tr '\n' ' ')" 'channel,clipped 1,2 2,0 1,1 2,0 '
is 'waveform counts computed samples of 1 and more as clipped' \
    "$(gf -i in.wav gain:-1 waveform:2 -t csv | cut -d , -f 6 | tr '\n' ' ')$(gf -i in.wav gain:1 waveform:2 -t csv |
    cut -d , -f 6 | tr '\n' ' ')" \
    'clipped 0 0 0 0 clipped 2 1 1 0 '
# A sine at half of full scale with a period of eight frames is at an eighth of the sample rate and
# at -6.02 dB. A constant is at 0 Hz.
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '0 11585 16384 11585 0 -11585 -16384 -11585 '; i=$((i + 1)); done)
gf -i in.wav spectrogram:4,64 -o out.tsv
is 'a spectrogram of four columns: each is a quarter' \
    "$(awk 'NR > 1 { printf "%s ", $1 }' out.tsv)" '0 0.128 0.256 0.384 '
is 'a spectrogram has half of full scale at 1000 Hz' \
    "$(awk 'NR == 1 { for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 3 {
    for (i = 3; i <= NF; i++) if ($i > -60 && (i < at - 1 || i > at + 1)) bad = i; printf "%.2f%s", $at, bad }' \
        out.tsv)" -6.02
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '8192 8192 8192 8192 8192 8192 8192 8192 '; i=$((i + 1)); done)
is 'a spectrogram has a constant at 0 Hz' \
    "$(gf -i in.wav spectrogram:4,64 --to tsv | awk 'NR == 3 { printf "%.2f", $3 }')" -12.04
# A column that is longer than one block: silence, then half of full scale.
{ head -c 200000 /dev/zero; head -c 200000 /dev/zero | tr '\000' '\100'; printf '\0\300'; } >long.raw
is 'a waveform of 200001 frames in one column' \
    "$(gf -f raw:type=s16,rate=8000,channels=1 -i long.raw waveform:1 --to tsv | sed 1d | tr '\t' ' ')" \
    '0 1 -0.5 0.501953 0.354935 0'
is 'the spectrum of 200001 frames in one column: half of the power' \
    "$(gf -f raw:type=s16,rate=8000,channels=1 -i long.raw spectrogram:1,64 --to tsv |
    awk 'NR == 2 { printf "%.1f", $3 }')" -9.0
rm -f long.raw
gf -i in.wav spectrogram | head -c 4 >out.png
is 'a drawing is a PNG where nothing names a format' "$(tail -c 3 out.png)" PNG
frames 1
refuses 1 'no audio frames to draw' 'a drawing of no audio frames' "$GPUFILTER" -i in.wav waveform -o none.png
refuses 2 'power of two' 'a spectrogram with a window of 100' "$GPUFILTER" -i in.wav spectrogram:10,100 -o none.png

frames 2  1 -2  30000 4  5 -32768
heard '5 -32768 30000 4 1 -2' reverse
sound known.wav 5000 2 7                     # the same from a pipe of unknown length
{ printf 'RIFF\377\377\377\377'; head -c 40 known.wav | tail -c +9; printf '\377\377\377\377'; tail -c +45 known.wav;
    } >open.wav
gf -i known.wav reverse -o back.wav
cat open.wav | gf reverse | cat >piped.wav
same back.wav piped.wav 'reverse of a pipe gives the same as of a file'
cat open.wav | TMPDIR=/nowhere "$GPUFILTER" reverse | cat >piped.wav
same back.wav piped.wav 'reverse keeps a little of a pipe in memory'
gf -i known.wav pad:0,4 -o large.wav
open_large() { head -c 40 large.wav; printf '\377\377\377\377'; tail -c +45 large.wav; }
gf -i large.wav reverse -o back.wav
open_large | gf --memory 1M reverse | cat >piped.wav
is 'reverse keeps more of a pipe on disk' "$(tail -c +45 piped.wav | cksum)" "$(tail -c +45 back.wav | cksum)"
open_large >large-open.wav
refuses 1 TMPDIR 'reverse without room to keep a pipe' sh \
    -c 'cat large-open.wav | TMPDIR=/nowhere "$GPUFILTER" --memory 1M reverse -o /dev/null'
silent()                                     # a pipe with data and no end yet
{
    rm -f silent
    mkfifo silent
    exec 3<>silent
    cat open.wav >&3
    timeout 10 "$GPUFILTER" "$@" <silent
}
refuses 1 'no channel 3' 'a pipe that has not ended: a stage that does not fit the signal' silent reverse channel:3 \
    -o piped.wav
refuses 2 'piped.png' 'a pipe that has not ended: a wrong output' silent normalize -o piped.png
refuses 2 'audio needs 8 bits or more' 'a pipe that has not ended: a wrong depth' silent reverse --depth 4 -o piped.wav
refuses 2 'dither:16' 'a pipe that has not ended: dither for floats' silent reverse dither --depth f32 -o piped.wav
for stage in reverse normalize normalize:lufs=-20 equalize waveform spectrogram spectrogram:100 trim:0,-1f \
    trim:10000000,-10000000; do
    is "a pipe that has not ended: --explain says that $stage buffers it" \
        "$(silent --explain gain:1 $stage | grep -c "buffered first.* ${stage%%:*} ")" 1
done
exec 3>&-
echo 1 2 1 >taps3.txt
for stage in trim:0,1000f trim:100f,+900f 'fir:taps3.txt,align=center trim:50f,+100f' 'fade:10f,20f trim:0,77f' \
    'resample:32k trim:10f,90f' \
    'eq:1k,1,3 delay:9f trim:5f,200f mono'; do
    for waits in 'normalize gain:-1' reverse trim:0,-3f; do
        rm -f part.raw whole.raw
        { cat open.wav; tail -c +45 known.wav; } | timeout 20 "$GPUFILTER" $stage $waits -o part.wav
        gf -i part.wav -o part.raw
        gf -i known.wav pad:0,5000f $stage $waits -o whole.raw
        same whole.raw part.raw "$stage $waits: all the same"
    done
done
is 'normalize reads only as much of an endless pipe as it takes' \
    "$({ cat open.wav; while cat known.wav; do :; done; } 2>endless.txt |
    timeout 20 "$GPUFILTER" trim:0,100f normalize stats --to tsv |
        awk '$1 == "all" { print ($2 == -1 || $3 > 0.999) }')" 1
refuses 2 'needs the length of the input' 'reverse of a live pipe' sh \
    -c 'cat open.wav | "$GPUFILTER" --latency 10 reverse -o /dev/null'

frames 1  1000 -1000 30000 -32768 0
heard '17384 15384 32767 -16384 16384' dcshift:0.5
heard '1000 -1000 16384 -8192 0' clamp:-0.25,0.5
heard '1000 -1000 16384 -16384 0' gain:200% clamp gain:50%           # 30000 is clamped to half of full scale
frames 2  1 -2  30000 4  5 -32768
heard '1 30000 5' channel:1
heard '-2 4 -32768' channel:2
refuses 1 'no channel 3' 'channel:3 of stereo' gf -i in.wav channel:3 -o out.wav
heard '-2 1 4 30000 -32768 5' remix:2,1
heard '-1 30004 -32763' remix:1+2
heard '2 14998 16386' remix:.5*1-.5*2            # 1.5 and 16386.5 round to even
many '-2 0 -2 1 4 0 4 30000 -32768 0 -32768 5' remix:2,0,2,1
heard '-4 -1 8 -30000 -32768 -5' 'remix:[0 2; -1 0]'
heard '-1 2 -30000 -4 -5 32767' remix:-1,-1*2
refuses 1 'no channel 3' 'remix of a third channel' gf -i in.wav remix:1,3 -o out.wav
refuses 2 'is not a sum' 'remix with text' gf -i in.wav remix:left -o out.wav
refuses 2 'is not a sum' 'remix of an open sum' gf -i in.wav remix:1+ -o out.wav
frames 6  1 2 3 4 5 6  10 20 30 40 50 60
heard '21 210' remix:1+2+3+4+5+6
many '6 5 4 3 2 1 60 50 40 30 20 10' remix:6,5,4,3,2,1
many '5 5 2 0 5 2 5 50 50 20 0 50 20 50' remix:6-1,2+3,.5*4,0,5,2*1,6-1

frames 1  1 2 3 4 5 6 7 8                        # at 8000 Hz
heard '3 4 5 6 7 8' trim:2f
heard '3 4 5' trim:2f,5f
heard '3 4 5' trim:0.25ms,+0.000375
heard '3 4 5 6 7 8' trim:0:00.00025,1:00:00
heard '6 7 8' trim:-3f
heard '2 3 4 5 6' trim:1f,-2f
{ head -c 40 in.wav; printf '\377\377\377\377'; tail -c +45 in.wav; } >open.wav
is 'trim from the end to a time, of a pipe that does not state its length' \
    "$(cat open.wav | gf trim:-3f,1 | tail -c +45 | numbers d2)" '6 7 8'
heard '6 5 4' reverse trim:2f,+3f
heard '0 0 1 2 3 4 5 6 7 8 0' pad:2f,1f
heard '0 0 0 1 2 3 4 5 6 7 8' delay:3f
heard '2 3 0 0' trim:1f,3f pad:0,2f
heard '2 3 0 0' trim:1f,3f pad:end=2f
heard '2 3 0 0' trim:1f,3f pad:,2f
head -c 40 in.wav >empty.wav
printf '\0\0\0\0LIST\4\0\0\0INFO' >>empty.wav        # no samples: another chunk follows
head -c 2200 /dev/zero >silence.raw
for stage in pad:600f,500f delay:1100f echo:1100f,0.5 'delay:600f gain:-6 pad:500f'; do
    works "$stage of an empty recording" gf --segment 1 --lanes 2 -i empty.wav $stage -t raw -o filled.raw
    same silence.raw filled.raw "$stage of an empty recording is silence"
done
refuses 1 'nothing is left' 'trim after the end' gf -i in.wav trim:8f -o out.wav
refuses 1 'the start is at 10 s, but the audio ends at 0.001 s' 'trim after the end: the message has both times' \
    gf -i in.wav trim:10,15 -o out.wav
refuses 2 'from 10 s to 5 s' 'trim that ends before it begins, as typed' gf -i in.wav trim:10,5 -o out.wav
refuses 2 'from -1 s to -2 s' 'trim from the end that ends before it begins' gf -i in.wav trim:-1,-2 -o out.wav
refuses 1 'nothing is left' 'trim that ends before it begins, which only the signal shows' \
    gf -i in.wav trim:6f,-4f -o out.wav
tail -c +45 in.wav >in.raw
for chain in 'trim:8f' 'trim:8f,20f' 'gain:-3 trim:3f trim:5f' 'trim:8f stats --to tsv' 'trim:10f,12f fade:1f,1f' \
    'trim:8f reverse' 'trim:8f tee:tee.wav'; do
    refuses 1 'trim: nothing is left: the start is at .* s, but the audio ends at 0.00' \
        "trim after the end of a pipe of unknown length, $chain" \
        sh -c 'cat in.raw | "$0" -f raw:rate=8000 $1 -o out' "$GPUFILTER" "$chain"
    mv errors told
    gf -f raw:rate=8000 -i in.raw $chain -o out 2>errors
    same errors told "trim after the end of a pipe: the message is that of a file, $chain"
done
refuses 1 's before the first frame' 'trim before the first frame' gf -i in.wav trim:-9f -o out.wav
refuses 2 'seconds, m:s' 'trim with a time that is text' gf -i in.wav trim:soon -o out.wav
refuses 2 'seconds, m:s' 'trim with a minute of 75 seconds' gf -i in.wav trim:1:75 -o out.wav
for stage in trim:2f,5f trim:-3f,-1f trim:2f,+100f pad:2f,3f delay:3f reverse echo:3f,0.5 fade:3f,4f limit:-80,ahead=2f;
    do
    gf -i in.wav $stage -o known.wav
    { head -c 40 in.wav; printf '\377\377\377\377'; tail -c +45 in.wav; } | gf $stage | cat >piped.wav
    is "$stage of a pipe" "$(tail -c +45 piped.wav | numbers d2)" "$(tail -c +45 known.wav | numbers d2)"
done
endless() { { head -c 40 in.wav; printf '\377\377\377\377'; while tail -c +45 in.wav; do :; done; } 2>endless.txt; }
is 'trim of a pipe without an end' "$(endless | gf trim:6f,+4f | tail -c +45 | numbers d2)" '7 8 1 2'
frames 1  1024 0 0 0 512 0 0 0  # halved from frame to frame: 1024 512 256 128 576 288 144 72, and 36 in the next round
heard '144 72' biquad:1,0,0,-0.5,0 trim:6f
heard '576 288' biquad:1,0,0,-0.5,0 trim:1f trim:3f,5f --segment 1 --lanes 3
is 'trim after a stage with state' \
    "$(endless | gf --segment 1 biquad:1,0,0,-0.5,0 trim:6f,+4f | tail -c +45 | numbers d2)" '144 72 1060 530'
is 'trim after a stage with state, of a pipe with an end' \
    "$({ head -c 40 in.wav; printf '\377\377\377\377'; tail -c +45 in.wav; } | gf biquad:1,0,0,-0.5,0 trim:6f |
    tail -c +45 | numbers d2)" '144 72'

frames 1  1000 0 0 0
heard '1000 0 500 0 0 0' echo:2f,0.5
frames 1  1000 2000 0
heard '1000 2500 750 -500 0' echo:1f,0.5,2f,-0.25
frames 1  1000 1000 1000 1000 1000 1000 1000 1000
heard '0 250 500 750 1000 1000 1000 500' fade:4f,2f
heard '0 383 707 924 1000 1000 1000 1000' fade:4f,shape=quarter      # sines of 22.5°, 45°, 67.5°
heard '0 146 500 854 1000 1000 1000 1000' fade:4f,shape=half
heard '0 0 3 56 1000 1000 1000 1000' fade:4f,shape=log               # 10^-5, 10^-3.75, 10^-2.5, 10^-1.25
heard '0 438 750 938 1000 1000 1000 1000' fade:4f,shape=parabola
heard '1000 1000 1000 1000 1000 750 500 250' fade:0,4f
heard '0 188 250 188' trim:0,4f fade:4f,4f                            # 3/16, 4/16, 3/16
# limit: the lowest gain, ½, lasts two frames on both sides. The means of three of means of three
# are 17/18, 15/18, 12/18, 10/18.
frames 1  9000 9000 9000 9000 9000 9000 -32768 9000 9000 9000 9000 9000 9000
heard '9000 9000 8500 7500 6000 5000 -16384 5000 6000 7500 8500 9000 9000' limit:-6.0205999133,ahead=2f
heard '9000 9000 9000 9000 9000 9000 -16384 9000 9000 9000 9000 9000 9000' limit:-6.0205999133,ahead=0
sound loud.wav 20000 2 5
is 'limit: no sample passes' "$(gf -i loud.wav gain:14 limit:-6 stats -o - | ${AWK:-awk} '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && ($at["max"] > .5011873 || $at["min"] < -.5011873) { print }
    NR > 1 && $at["max"] > .5 { n++ }
    END { print n }')" 3                         # both channels, and the row for all
is 'limit: lower levels are unchanged' "$(gf -i loud.wav gain:-6 limit:-1 -o - | numbers d2)" \
    "$(gf -i loud.wav gain:-6 -o - | numbers d2)"

gf -f raw:rate=8000,type=s16 -i /dev/zero trim:0,100f -o silence.wav
is 'the crest of silence is no number, without a sign' \
    "$(gf -i silence.wav stats --to tsv | awk 'NR == 2 { print $9, $7 }')" 'nan -inf'
finish
