# insert: another recording in the audio, against samples that are put together by hand, and crossfades of --join.
. "$(dirname "$0")/../lib.sh"

# raw FILE: its samples as 16-bit integers. bytes A FROM [END]: frames of a raw file of two channels.
raw() { gf -q -i "$1" -t raw:type=s16 -o -; }
bytes() { tail -c "+$((4 * $2 + 1))" "$1" | head -c "$((4 * (${3:-1000000} - $2)))"; }
# piped ARGUMENT...: runs with a.raw as a pipe, which states no length.
piped() { cat a.raw | gf -f raw:rate=48000,channels=2,type=s16 "$@"; }
# le4 N...: numbers of 32 bits. marked RAW FILE FRAME...: a WAV of two channels with a marker m1, m2 at each frame.
le4()
{
    for n in "$@"; do
        # shellcheck disable=SC2059
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24)))"
    done
}
marked()
{
    from=$1 to=$2
    shift 2
    { printf 'RIFF'; le4 $((36 + 12 + 24 * $# + 12 + 12 * $# + $(wc -c <"$from"))); printf 'WAVEfmt '
        le4 16 131073 48000 192000 1048580; printf 'cue '; le4 $((4 + 24 * $#)) $#
        i=0
        for at in "$@"; do
            i=$((i + 1))
            le4 $i "$at"; printf data; le4 0 0 "$at"
        done
        printf 'LIST'; le4 $((4 + 12 * $#)); printf 'adtl'
        i=0
        for at in "$@"; do
            i=$((i + 1))
            printf 'note'; le4 4 $i
        done
        printf 'data'; le4 "$(wc -c <"$from")"; cat "$from"; } >"$to"
}
# markers FILE: ids and frames of its markers, in one line, and the ids of its labels.
markers()
{
    od -An -v -tu1 -w1 "$1" | ${AWK:-awk} '
        { b[NR - 1] = $1 }
        function le(at) { return b[at] + 256 * (b[at + 1] + 256 * (b[at + 2] + 256 * b[at + 3])) }
        END { for (at = 12; at + 8 <= NR; at += 8 + size + size % 2) {
            size = le(at + 4)
            if (b[at] == 99 && b[at + 1] == 117)                             # "cu"
                for (i = 0; i < le(at + 8); i++)
                    out = out le(at + 12 + 24 * i) ":" le(at + 32 + 24 * i) " "
            if (b[at] == 76 && b[at + 1] == 73 && b[at + 8] == 97)           # "LI", "a"
                for (i = at + 12; i < at + 8 + size; i += 12)
                    out = out "n" le(i + 8) " "
        } print out }'
}
sound a.wav 10000 2 1
sound b.wav 3001 2 2
raw a.wav >a.raw
raw b.wav >b.raw

# ---- samples ----
for at in 0 1 4097 9999; do
    { bytes a.raw 0 $at; cat b.raw; bytes a.raw $at; } >known
    gf -i a.wav insert:b.wav,at=${at}f -t raw:type=s16 -o found 2>errors
    same found known "a recording is inserted at frame $at"
    piped insert:b.wav,at=${at}f -t raw:type=s16 2>errors | cat >found
    same found known "a recording is inserted into a pipe of unknown length at frame $at"
done
cat a.raw b.raw >known
for at in end 10000f -0; do
    gf -i a.wav insert:b.wav,at=$at -t raw:type=s16 -o found 2>errors
    same found known "a recording is inserted at the end, $at"
done
piped insert:b.wav,end -t raw:type=s16 2>errors | cat >found
same found known 'a recording follows a pipe'
{ bytes a.raw 0 9000; cat b.raw; bytes a.raw 9000; } >known
gf -i a.wav insert:b.wav,-1000f -t raw:type=s16 -o found
same found known 'a time from the end'
{ bytes a.raw 0 4800; cat b.raw; bytes a.raw 4800; } >known
gf -i a.wav insert:b.wav,100ms -t raw:type=s16 -o found
same found known 'a time in milliseconds'
mkfifo pipe
cat b.wav >pipe &
gf -i a.wav insert:pipe,at=4800f -t raw:type=s16 -o found
same found known 'a named pipe is inserted'
cp b.wav a-jingle.wav
gf -i a.wav 'insert:{stem}-jingle.wav,at=0.1' -t raw:type=s16 -o found
same found known 'a name with a field is filled in'
piped insert:b.wav,at=4800f trim:0,4900f -t raw:type=s16 | cat >found
bytes known 0 4900 >part
same found part 'stages after the insertion end a pipe'
if command -v sox >/dev/null; then
    sox a.wav first.wav trim 0 4800s
    sox a.wav last.wav trim 4800s
    sox first.wav b.wav last.wav by-sox.wav
    raw by-sox.wav >found
    same found known 'an insertion is that of sox'
else
    skip 'an insertion is that of sox: no sox here'
fi

# ---- stages before and after ----
for cut in '-j 1 --memory 4M' '-j 5' '--latency 20'; do
    # shellcheck disable=SC2086
    gf -q $cut -i a.wav lowpass:3000 gain:-9 --depth f32 -o front.wav
    gf -q -i front.wav insert:b.wav,at=5000f --depth f32 -o with.wav
    # shellcheck disable=SC2086
    gf -q $cut -i with.wav highpass:500 gain:-3 --depth f32 -o known.wav
    # shellcheck disable=SC2086
    gf -q $cut -i a.wav lowpass:3000 gain:-9 insert:b.wav,at=5000f highpass:500 gain:-3 --depth f32 -o cut.wav
    same cut.wav known.wav "stages before and after an insertion with $cut"
done
gf -q -i a.wav normalize:-3 --depth f32 -o front.wav
gf -q -i front.wav insert:b.wav,at=5000f --depth f32 -o known.wav
piped -q normalize:-3 insert:b.wav,at=5000f --depth f32 -o found.wav
same found.wav known.wav 'stages before that need the length of a pipe'
refuses 2 '--latency: ' 'a length that a live pipe cannot state' \
    piped --latency 20 normalize:-3 insert:b.wav,at=5000f -o none.wav
gf -q -i b.wav gain:-40 --depth 24 -o deep.wav
gf -q -i a.wav insert:deep.wav,at=5000f -o both.wav
is 'the deepest recording decides about the depth' "$(gf --info -i both.wav | grep -c s24)" 1
gf -q -i a.wav resample:44100 mono --depth f32 -o other.wav
gf -i other.wav insert:b.wav,at=1000f -o evened.wav 2>errors
is 'another rate and stereo are evened with a note' "$(cat errors)" \
    'gpufilter: note: b.wav: is resampled from 48000 to 44100 Hz and remixed from 2 to 1 channel, like other.wav'
gf -q -i b.wav resample:32000 -o b32.wav
gf -i a.wav insert:b32.wav,0 insert:other.wav,0 -o twice.wav 2>errors
gf -i a.wav -i b.wav insert:b32.wav -o 'each-{n}.wav' 2>each
is 'a recording that is inserted into several inputs is noted once' "$(cat each)" \
    'gpufilter: note: b32.wav: is resampled from 32000 to 48000 Hz, like a.wav'
cat each >>errors
is 'notes of unequal changes stay apart' "$(grep -c 'b32.wav: is resampled from 32000 to 48000 Hz, like a.wav' errors) \
$(grep -c 'other.wav: is resampled from 44100 to 48000 Hz and' errors) $(grep -c 'other file' errors)" '2 1 0'
is 'explain shows each stage that inserts or divides' \
    "$(gf -q -i a.wav gain:-3 insert:b.wav insert:b.wav,end split:0.1 --explain -o 'p-{n}.wav' | grep ':$')" \
'insert:b.wav lengthens the audio; after that:
insert:b.wav,end lengthens the audio; after that:
split:0.1 divides the audio; for the first part:'
is 'explain says why stages before them run on the CPU' \
    "$(gf -q -i a.wav gain:-3 insert:b.wav --explain -o p.wav | grep -c '^device: cpu, where stages before insert')" 1
is 'a heading between plans is no note of a library' \
    "$(gf -v -i a.wav insert:b.wav -o p.wav 2>&1 | grep -c '^insert:b.wav lengthens the audio; after that:$')" 1
gf -q -i b.wav mono resample:44100 --depth f32 -o b44.wav
gf -q -i other.wav insert:b44.wav,at=1000f -o known.wav
same evened.wav known.wav 'an evened recording is the same as by the stages'
gf -q -i a.wav resample:44100 mono insert:b.wav,at=1000f --depth f32 -o late.wav
gf -q -i evened.wav --depth f32 -o known.wav
same late.wav known.wav 'a recording is evened to the place in the chain'

# ---- several ----
{ bytes a.raw 0 100; cat b.raw; bytes a.raw 100; } >once
{ bytes once 0 2000; cat b.raw; bytes once 2000; cat a.raw; } >known
gf -q -i a.wav insert:b.wav,at=100f insert:b.wav,at=2000f insert:a.wav,end -t raw:type=s16 -o found
same found known 'insertions count from those before'
gf -q -i a.wav split:every=4000f insert:b.wav gain:-3 -o 'part-{n}.wav'
gf -q -i a.wav trim:4000f,8000f -o second.wav
gf -q --join -i b.wav -i second.wav gain:-3 -o known.wav
same part-2.wav known.wav 'each part gets a recording'
gf -q -i a.wav split:every=4000f highpass:100 insert:b.wav,at=50f,fade=1ms gain:-3 -o 'part-{n}.wav'
gf -q -i second.wav highpass:100 insert:b.wav,at=50f,fade=1ms gain:-3 -o known.wav
same part-2.wav known.wav 'stages between a cut and an insertion work on each part'
gf -q -i a.wav insert:b.wav,at=2000f split:4000f -o 'all-{n}.wav'
{ bytes a.raw 0 2000; cat b.raw; bytes a.raw 2000; } >known
{ raw all-1.wav; raw all-2.wav; } >found
same found known 'an insertion is divided'
{ head -c 8000 /dev/zero; cat a.raw; head -c 8000 /dev/zero; } >hushed.raw
gf -q -f raw:rate=48000,channels=2,type=s16 -i hushed.raw -o hushed.wav
gf -q -i hushed.wav silence:trim -o cut.wav
gf -q -i cut.wav insert:b.wav,at=1f -o known.wav
gf -q -i hushed.wav silence:trim insert:b.wav,at=1f -o found.wav
same found.wav known.wav 'silence is cut before an insertion'
gf -q -i hushed.wav insert:b.wav,at=1f silence:trim -o found.wav
gf -q -i hushed.wav insert:b.wav,at=1f -o with.wav
gf -q -i with.wav silence:trim -o known.wav
same found.wav known.wav 'silence is cut after an insertion'

# ---- crossfades ----
gf -q -i a.wav trim:0,4000f -o first.wav
gf -q -i a.wav trim:4000f -o last.wav
gf -q --join=fade=20ms -i first.wav -i b.wav -i last.wav -o known.wav
gf -q -i a.wav insert:b.wav,at=4000f,fade=20ms -o found.wav
same found.wav known.wav 'an insertion with crossfades'
piped -q insert:b.wav,at=4000f,fade=20ms -t raw:type=s16 | cat >found
raw known.wav >known
same found known 'an insertion with crossfades into a pipe'
gf -q --join=fade=20ms -i b.wav -i a.wav -o known.wav
gf -q -i a.wav insert:b.wav,fade=20ms -o found.wav
same found.wav known.wav 'a crossfade into the audio'
refuses 1 'a.wav: a part of it is shorter than the crossfade of 0.5 s' 'a part that is too short to fade' \
    gf -i a.wav insert:b.wav,at=1000f,fade=500ms -o none.wav
refuses 1 'b.wav: is shorter than the crossfade of 0.1 s' 'a file that is too short to fade' \
    gf -i a.wav insert:b.wav,at=5000f,fade=100ms -o none.wav
refuses 1 'input: a part of it is shorter than the crossfade of 0.02 s' 'a pipe that ends within a crossfade' \
    piped insert:b.wav,at=9900f,fade=20ms -o none.wav

# ---- markers ----
marked a.raw am.wav 100 4000 9000
marked b.raw bm.wav 0 1500
works 'recordings with markers' gf -i am.wav insert:bm.wav,at=4000f -o found.wav
is 'markers move, and are in the order of time' "$(markers found.wav)" \
    '1:100 2:4000 3:5500 4:7001 5:12001 n1 n4 n5 n2 n3 '
gf -q -i am.wav insert:bm.wav -o found.wav
is 'markers of an insertion before the audio' "$(markers found.wav)" '1:0 2:1500 3:3101 4:7001 5:12001 n3 n4 n5 n1 n2 '
gf -q -i am.wav insert:bm.wav,end trim:100f -o found.wav
is 'markers of an insertion after the audio, cut' "$(markers found.wav)" \
    '1:0 2:3900 3:8900 4:9900 5:11400 n1 n2 n3 n4 n5 '
gf -q -i am.wav insert:bm.wav,at=5000f,fade=10ms -o found.wav
is 'markers and crossfades' "$(markers found.wav)" '1:100 2:4000 3:4520 4:6020 5:11041 n1 n2 n5 n3 n4 '
gf -q -i am.wav trim:50f resample:24k insert:bm.wav,at=1000f -o found.wav 2>errors
is 'markers and stages before' "$(markers found.wav)" '1:25 2:1000 3:1750 4:3476 5:5976 n1 n4 n5 n2 n3 '
cat a.raw | gf -f raw:rate=48000,channels=2,type=s16 insert:bm.wav,end -o found.wav 2>errors
is 'markers after a pipe of unknown length are named' "$(cat errors)" \
    'gpufilter: warning: bm.wav: lost: 2 markers; --strip drops such data without a warning'
gf -q --join -i am.wav -i bm.wav -i am.wav -o found.wav
is 'markers of joined recordings' "$(markers found.wav)" \
    '1:100 2:4000 3:9000 4:10000 5:11500 6:13101 7:17001 8:22001 n1 n2 n3 n4 n5 n6 n7 n8 '
gf -q --join=fade=10ms -i am.wav -i bm.wav -o found.wav
is 'markers of a crossfade' "$(markers found.wav)" '1:100 2:4000 3:9000 4:9520 5:11020 n1 n2 n3 n4 n5 '
gf -q --mix -i am.wav -i bm.wav -o found.wav
is 'markers of a mix' "$(markers found.wav)" '1:0 2:100 3:1500 4:4000 5:9000 n2 n4 n5 n1 n3 '
gf -i am.wav insert:bm.wav,at=4000f -o found.flac 2>errors
is 'markers that are lost are counted' "$(cat errors)" \
    'gpufilter: warning: am.wav: lost: 3 markers; --strip drops such data without a warning
gpufilter: warning: bm.wav: lost: 2 markers; --strip drops such data without a warning'
gf -i am.wav insert:a.wav,at=4000f reverse -o found.wav 2>errors
is 'markers that cannot follow are named' "$(cat errors)" \
    'gpufilter: warning: am.wav: lost: 3 markers; --strip drops such data without a warning'

{ cat a.wav; tail -c +37 am.wav | head -c 84; } >after.wav
for stage in insert:b.wav,end insert:b.wav,at=4000f insert:b.wav,at=4000f,fade=1ms '--join -i - -i b.wav' \
    '--join=fade=1ms -i - -i b.wav' '--mix -i - -i b.wav'; do
    # shellcheck disable=SC2086
    is "markers after the samples of a pipe are lost by $stage" "$(cat after.wav | gf $stage -o found.wav 2>&1)" \
        'gpufilter: warning: standard input: lost: 3 markers; --strip drops such data without a warning'
done

# ---- bad input ----
late='it is 0.2083 s long, so b.wav is not inserted at 1 s; at=end puts it after the audio'
gf -i a.wav insert:b.wav,at=1 -t raw:type=s16 -o found 2>errors
is 'a time after the end is warned about' "$(cat errors)" "gpufilter: warning: a.wav: insert: $late"
same found a.raw 'a time after the end changes nothing'
piped insert:b.wav,at=1 -t raw:type=s16 -o found 2>errors
is 'a time after the end of a pipe is warned about' "$(cat errors)" "gpufilter: warning: standard input: insert: $late"
same found a.raw 'a time after the end of a pipe changes nothing'
piped -q insert:b.wav,at=1,fade=1ms -t raw:type=s16 -o found
same found a.raw 'a time after the end of a pipe makes no crossfade'
refuses 1 "$late" 'a time after the end with --strict' gf --strict -i a.wav insert:b.wav,at=1 -o none.wav
refuses 1 'missing.wav: No such file' 'a missing recording' gf -i a.wav insert:missing.wav -o none.wav
refuses 2 'insert: missing' 'insert without a file' gf -i a.wav insert -o none.wav
refuses 2 'only the input may be a pipe' 'standard input as the file' gf -i a.wav insert:- -o none.wav
refuses 2 'a position, not a length' 'a length as the time' gf -i a.wav insert:b.wav,+1 -o none.wav
refuses 1 'at= is 0.791667 s before the first frame' 'a time before the start' \
    gf -i a.wav insert:b.wav,at=-1 -o none.wav
refuses 1 'needs the length of the audio' 'a time from the end of a pipe' \
    piped insert:b.wav,at=-1 -o none.wav
gf -q -i a.wav spectrogram:20 -o image.png
refuses 1 'image.png: is an image; only audio can be inserted' 'an image as the recording' \
    gf -i a.wav insert:image.png -o none.wav
gf -q -i a.wav remix:1,2,1 -o three.wav
refuses 1 'three.wav: has 3 channels, but a.wav has 2' 'channels that nothing makes equal' \
    gf -i a.wav insert:three.wav -o none.wav
refuses 2 'tee: cannot be before insert, which puts other audio into it' 'a file of a tee before' \
    gf -i a.wav tee:t.wav insert:b.wav -o none.wav
refuses 2 'album measures whole inputs, so insert' 'an album after an insertion' \
    gf -i a.wav -i b.wav insert:b.wav normalize:lufs=-20,album -o 'none-{stem}.wav'
refuses 2 'makes a table, so nothing' 'a table before' gf -i a.wav stats insert:b.wav -o none.wav
head -c 6000 b.wav >short.wav
refuses 1 'short.wav: ends after frame' 'a truncated recording' gf -i a.wav insert:short.wav,at=100f -o none.wav
printf '\0\0\200\77\0\0\300\177\0\0\0\77\0\0\0\277' >nan.raw
gf -q -f raw:rate=48000,channels=2,type=f32 -i nan.raw -o nan.wav 2>errors
gf -i a.wav insert:nan.wav,at=100f --depth 16 -o found.wav 2>errors
is 'a recording with NaN is warned about' "$(cat errors)" \
    'gpufilter: warning: a.wav: 1 sample is not finite; NaN is stored as 0, infinity as the end of the range'
if [ -w /dev/full ]; then
    refuses 1 'No space left' 'a full disk' gf -i a.wav gain:-3 insert:b.wav,at=100f -t raw:type=s16 -o /dev/full
fi
mkfifo once.pipe
cat b.wav >once.pipe &
refuses 1 'once.pipe: cannot be read again for each part' 'a named pipe for several parts' \
    gf -q -i a.wav split:4000f insert:once.pipe -o 'none-{n}.wav'
wait
finish
