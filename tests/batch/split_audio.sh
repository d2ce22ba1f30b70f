# split: the parts of a recording in files of their own.
. "$(dirname "$0")/../lib.sh"

raw() { for f in "$@"; do gf -q -i "$f" -t raw:type=s16 -o -; done; }
# counts FILE...: their frames, in one line.
counts() { for f in "$@"; do raw "$f" | wc -c; done | awk '{ printf "%d ", $1 / 4 }'; }
sound in.wav 10000 2 1
raw in.wav >known

works 'a recording is divided into equal parts' gf -i in.wav split:every=3000f -o 'part-{n}.wav'
is 'the last part has what is left' "$(counts part-*.wav)" '3000 3000 3000 1000 '
raw part-1.wav part-2.wav part-3.wav part-4.wav | cmp - known >differs 2>&1
is 'the parts together are the recording' "$? $(cat differs)" '0 '
gf -i in.wav split:every=5000f -o 'even-{n}.wav'
is 'an exact multiple makes no empty part' "$(counts even-*.wav)" '5000 5000 '
cat in.wav | gf split:every=5000f -o 'piped-{n}.wav'
is 'a pipe makes no empty part either' "$(counts piped-*.wav)" '5000 5000 '
gf -i 'in.wa*' split:1000f,0:00.1,9999f -o 'at-{n:2}.wav'
is 'parts begin at times' "$(counts at-*.wav)" '1000 3800 5199 1 '
raw at-01.wav at-02.wav at-03.wav at-04.wav | cmp - known >differs 2>&1
is 'parts at times have all samples' "$? $(cat differs)" '0 '

# A part is what trim makes of the recording, with its markers.
gf -i in.wav trim:3000f,6000f -o trimmed.wav
same part-2.wav trimmed.wav 'a part is the same file as by trim'
{ printf 'RIFF\274\234\0\0'; head -c 36 in.wav | tail -c 28; printf 'cue \64\0\0\0\2\0\0\0'
    printf '\1\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0\144\0\0\0'; printf '\2\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0\240\17\0\0'
    tail -c +37 in.wav; } >marked.wav
gf -i marked.wav split:every=3000f -o 'marked-{n}.wav' 2>errors
gf -i marked.wav trim:3000f,6000f -o trimmed.wav 2>errors
same marked-2.wav trimmed.wav 'markers of a part are those of trim'
is 'a marker is in the part that has it' "$(grep -l 'cue ' marked-*.wav | tr '\n' ' ')" 'marked-1.wav marked-2.wav '

gf -i marked.wav trim:50f resample:24k -o both.wav
gf -i both.wav split:1000f -o 'known-{n}.wav'
works 'markers and stages that change times are divided' \
    gf -i marked.wav trim:50f resample:24k split:1000f -o 'moved-{n}.wav'
same moved-2.wav known-2.wav 'markers follow through stages before the cut'
is 'the marker is where it was heard' "$(gf -i moved-2.wav -o - | od -An -tu4 -j68 -N4 | tr -d ' ')" 975
is 'the warning about markers comes once' "$(gf -i marked.wav split:1000f -o 'lost-{n}.flac' 2>&1)" \
    'gpufilter: warning: marked.wav: lost: 2 markers; --strip drops such data without a warning'

# Stages before work on all of it, those after on each part.
gf -q -i in.wav lowpass:2000 normalize:-3 -o whole.wav
for cut in '-j 1 --memory 4M' '-j 5'; do
    # shellcheck disable=SC2086
    gf -q $cut -i in.wav lowpass:2000 normalize:-3 split:2500f,6000f -o 'front-{n}.wav'
    raw front-1.wav front-2.wav front-3.wav >found
    raw whole.wav | cmp - found >differs 2>&1
    is "stages before the cut work on the whole recording with $cut" "$? $(cat differs)" '0 '
done
cat in.wav | gf -q lowpass:2000 normalize:-3 split:2500f,6000f -o 'front-{n}.wav'
raw front-1.wav front-2.wav front-3.wav >found
raw whole.wav | cmp - found >differs 2>&1
is 'stages before the cut work on a pipe' "$? $(cat differs)" '0 '
gf -q -i in.wav split:every=3000f reverse trim:0,1000f -o 'after-{n}.wav'
gf -q -i part-3.wav reverse trim:0,1000f -o known.wav
same after-3.wav known.wav 'stages after the cut work on each part'
cat in.wav | gf -q split:every=3000f reverse trim:0,1000f -o 'open-{n}.wav'
same open-3.wav known.wav 'stages after the cut work on parts of a pipe'
sound bed.wav 4000 2 2
gf -i in.wav mix:bed.wav,-9,at=9000f split:every=6000f -o 'mixed-{n}.wav' 2>errors
is 'notes of stages before the cut are printed' "$(grep -c 'of bed.wav come after the end' errors)" 1
gf -q -i in.wav split:every=4000f stats -o 'levels-{n}.tsv'
is 'each part has its own table' "$(ls levels-*.tsv | tr '\n' ' ')" 'levels-1.tsv levels-2.tsv levels-3.tsv '
gf -q --join -i in.wav -i bed.wav split:every=7000f -o 'joined-{n}.wav'
is 'joined recordings are divided' "$(counts joined-*.wav)" '7000 7000 '

# ---- silence ----
# part FROM FRAMES: of the known samples. hush FRAMES.
part() { tail -c "+$((4 * $1 + 1))" known | head -c $((4 * $2)); }
hush() { head -c $((4 * $1)) /dev/zero; }
raw in.wav >known
{ hush 2500; part 0 4000; hush 2000; part 4000 2000; hush 900; part 6000 1000; hush 7001; part 7000 3000; hush 2000; } \
    >songs.raw
songs='raw:rate=48000,channels=2,type=s16'
gf -q -f $songs -i songs.raw -o songs.wav
works 'a recording is divided at silence' gf -i songs.wav split:silence,min=1500f -o 'song-{n}.wav'
is 'cuts are in the middle of silence, or min before the sound' "$(counts song-*.wav)" '7500 10401 6500 '
raw song-1.wav song-2.wav song-3.wav | cmp - songs.raw >differs 2>&1
is 'parts between silence are the recording' "$? $(cat differs)" '0 '
for cut in '-j 1 --memory 4M' '-j 5' '--latency 20'; do
    # shellcheck disable=SC2086
    cat songs.raw | gf -q $cut -f $songs remix:2,1 split:silence,min=1500f lowpass:900 -o 'piped-{n}.wav'
    # shellcheck disable=SC2086
    gf -q $cut -i song-2.wav remix:2,1 lowpass:900 -o whole.wav
    raw whole.wav >whole.raw
    raw piped-2.wav >found
    same found whole.raw "silence in a pipe with $cut"
done
is 'a pipe has as many parts' "$(ls piped-*.wav | wc -l)" 3
gf -q -i songs.wav split:silence,min=900f -o 'short-{n}.wav'
is 'silence of exactly the length counts' "$(counts short-*.wav)" '7600 3350 7551 5900 '
gf -q -i songs.wav split:silence,min=1500f silence:trim -o 'trimmed-{n}.wav'
gf -q -i song-2.wav silence:trim -o whole.wav
same trimmed-2.wav whole.wav 'parts between silence without it'
gf -q -i song-2.wav normalize:-3 reverse -o whole.wav
gf -q -i songs.wav split:silence,min=1500f normalize:-3 reverse -o 'whole-{n}.wav'
same whole-2.wav whole.wav 'stages that need the length of a part'
for depth in 24 32 f32; do
    gf -q -i songs.wav --depth $depth -o deep.wav
    gf -q -i deep.wav split:silence,min=1500f -o 'deep-{n}.wav'
    is "parts of samples of $depth" "$(counts deep-?.wav)" '7500 10401 6500 '
done
# At full scale, a level of -6.0206 dBFS is half of it: 16384 is not silent, 16383 is.
{ part 0 100; yes "$(printf '\377\077\001\300')" | tr -d '\n' | head -c 4000; part 0 100; } >half.raw
gf -q -f $songs -i half.raw split:silence,db=-6.0205,min=1000f -o 'half-{n}.wav'
is 'samples below the level are silent' "$(ls half-*.wav | wc -l)" 2
{ part 0 100; yes "$(printf '\377\077\001\100')" | tr -d '\n' | head -c 4000; part 0 100; } >half.raw
gf -f $songs -i half.raw split:silence,db=-6.0207,min=1000f -o 'loud-{n}.wav' 2>errors
is 'a recording without silence is one part with a warning' "$(cat errors; ls loud-*.wav)" \
"gpufilter: warning: half.raw: split: has no silence of 0.02083 s below -6.021 dBFS between sounds, so there is one \
part; silence:table,above=6 --to json reports the level 6 dB above the noise, to try as db=
loud-1.wav"
# Two sounds are beside noise at -40 dB.
gf -q -i in.wav gain:-40 -o noise.wav
gf -q --join -i noise.wav -i in.wav -i noise.wav -i in.wav -i noise.wav -o noisy.wav
gf -i noisy.wav split:silence,min=0.1 -o 'noisy-{n}.wav' 2>errors
is 'a noisy recording is one part with a warning' "$(grep -c 'there is one part; silence:table' errors)" 1
db=$(gf -i noisy.wav silence:table,above=6 --to json | sed -n 's/.*below \([-0-9.]*\) dBFS.*/\1/p')
works 'the level that the warning refers to divides the recording' \
    gf --strict -i noisy.wav "split:silence,min=0.1,db=$db" -o 'noisy-{n}.wav'
is 'the sounds of a noisy recording are parts' "$(ls noisy-*.wav | wc -l)" 2
hush 5000 | gf -f $songs split:silence,min=1000f -o 'none-{n}.wav' 2>errors
is 'silence alone is one part' "$(grep -c 'there is one part' errors) $(counts none-*.wav)" '1 5000 '
printf '\0\0\300\177' >nan
{ part 0 100; hush 500; } >front
{ gf -q -f $songs -i front -t raw:type=f32 -o -; cat nan nan; hush 2000
    gf -q -f $songs -i front -t raw:type=f32 -o -; } >nan.raw
gf -f raw:rate=48000,channels=2,type=f32 -i nan.raw split:silence,min=900f -t raw:type=f32 -o 'nan-{n}.raw' 2>errors
is 'NaN is no silence' "$(cat nan-*.raw | cmp - nan.raw && ls nan-?.raw | wc -l)" 2
if command -v ffmpeg >/dev/null; then
    gf -q -i songs.wav split:silence,db=-40,min=30ms -o 'ours-{n}.wav'
    ffmpeg -nostdin -hide_banner -i songs.wav -af silencedetect=n=-40dB:d=0.03 -f null - 2>&1 |
        sed -n 's/.*silence_end: \([0-9.]*\) | silence_duration: \([0-9.]*\).*/\1 \2/p' |
        awk '$1 - $2 > 0 { lead = $2 / 2 < .03 ? $2 / 2 : .03; print ($1 - lead) * 48000 }' | sed '$d' >theirs
    counts ours-*.wav | tr ' ' '\n' | sed '/^$/d' | awk '{ sum += $1; print sum }' | sed '$d' >ours
    is 'cuts are where ffmpeg finds silence' "$(paste ours theirs | awk 'NF != 2 { bad = 1 }
        { d = $1 - $2; bad = bad || d > 48 || d < -48 } END { print bad + 0, NR }')" '0 2'
else
    skip 'cuts are where ffmpeg finds silence: no ffmpeg here'
fi
refuses 1 'full-2.raw: ' 'a disk that is full for the second part' \
    sh -c 'ulimit -f 80; exec "$0" -i songs.wav split:silence,min=1500f -t raw:type=s16 -o "full-{n}.raw"' "$GPUFILTER"
is 'the part before remains, and nothing of the other' "$(ls full-*)" full-1.raw
refuses 2 'db= and min= are for split:silence' 'a level without silence' gf -i in.wav split:1,db=-40 -o 'none-{n}.wav'
refuses 2 'db= and min= are for split:silence' 'a length without silence' \
    gf -i in.wav split:every=1,min=2 -o 'none-{n}.wav'
refuses 2 'silence must have at least one frame' 'no length of silence' \
    gf -i in.wav split:silence,min=0 -o 'none-{n}.wav'
refuses 2 'the level is db=LEVEL, the length min=TIME' 'silence and a time' \
    gf -i in.wav split:silence,3 -o 'none-{n}.wav'
refuses 2 'takes either times or every=TIME or silence' 'silence and parts of one length' \
    gf -i in.wav split:silence,every=3 -o 'none-{n}.wav'

# ---- losses of all parts ----
# A pipe delivers markers after the samples too late.
{ cat in.wav; printf 'cue \34\0\0\0\1\0\0\0'
    printf '\1\0\0\0\0\0\0\0data\0\0\0\0\0\0\0\0\144\0\0\0'; } >after.wav
lost='gpufilter: warning: standard input: lost: 1 marker; --strip drops such data without a warning'
for stage in split:3000f split:every=5000f 'normalize split:3000f' split:silence silence:trim; do
    # shellcheck disable=SC2086
    is "markers after the samples of a pipe are lost by $stage" \
        "$(cat after.wav | gf $stage --depth f32 -o 'after-{n}.wav' 2>&1 | grep lost:)" "$lost"
done
refuses 1 'lost: 1 marker' 'markers after the samples of a pipe with --strict' \
    sh -c 'cat after.wav | "$0" --strict split:3000f -o "after-{n}.wav"' "$GPUFILTER"
gf -q -i in.wav gain:6 --depth f32 -o loud.wav
gf -i loud.wav split:every=3000f --depth 16 -o 'clipped-{n}.wav' 2>errors
gf -i loud.wav --depth 16 -o clipped.wav 2>wanted
same errors wanted 'clipped samples of all parts are counted'
gf -i in.wav split:every=3000f gain:6 -o 'clipped-{n}.wav' 2>errors
gf -i in.wav gain:6 -o clipped.wav 2>wanted
is 'clipped samples of all results are counted' "$(sed 's/clipped-{n}.wav: [0-9]* /clipped.wav: N /' errors)" \
    "$(sed 's/: [0-9]* /: N /' wanted)"
refuses 1 'an error because of --strict' 'clipped samples of a part with --strict' \
    gf --strict -i loud.wav split:every=3000f --depth 16 -o 'strict-{n}.wav'
is 'no part of a failed run remains' "$(ls strict-*.wav 2>/dev/null)" ''
# A thread reads ahead for the stages before split, and finds the end of the pipe while early parts are written.
while IFS='|' read -r parts stages; do
    rm -f strict-*.wav
    # shellcheck disable=SC2086
    head -c 30044 in.wav | gf --strict --salvage $stages split:every=1000f -o 'strict-{n}.wav' 2>errors
    is "with --strict, only the part at the end of a cut pipe fails${stages:+, after $stages}" \
        "$(grep -c 'ends after frame 7500 of 10000' errors) $(ls strict-*.wav | wc -l | tr -d ' ')" "1 $parts"
done <<'.'
7|
7|gain:-1
6|resample:44100
17|insert:in.wav gain:-1
.

times=$(awk 'BEGIN { for (i = 1; i < 200; i++) printf "%d.25,", i; print "200.25" }')
is 'many times have a line of their own in the plan' \
    "$(gf -q --explain -i in.wav split:$times -o 'late-{n}.wav' | grep -c '200.25 divides the audio; .*part:$')" 1
gf -i in.wav split:1 -o 'late-{n}.wav' 2>errors
is 'a time after the end is warned about' "$(cat errors)" \
    'gpufilter: warning: in.wav: split: it is 0.2083 s long, so nothing begins at 1 s'
refuses 2 'times must rise' 'times that fall' gf -i in.wav split:2,1 -o 'none-{n}.wav'
refuses 2 'must be seconds' 'a time that is none' gf -i in.wav split:soon -o 'none-{n}.wav'
refuses 2 'takes either times or every=TIME or silence' 'split without a time' gf -i in.wav split -o 'none-{n}.wav'
refuses 2 'every=0: a file must have at least one frame' 'parts without a length' \
    gf -i in.wav split:every=0 -o 'none-{n}.wav'
refuses 2 'use {n}, such as' 'one name for all parts' gf -i in.wav split:1 -o none.wav
refuses 2 'makes several files of one input, but there are 2' 'several inputs to divide' \
    gf -i in.wav -i bed.wav split:1 -o 'none-{n}.wav'
refuses 2 'the audio is divided already' 'parts of parts' gf -i in.wav split:1 split:1 -o 'none-{n}.wav'
refuses 2 'tee' 'a file of a tee before the cut' gf -i in.wav tee:t.wav split:1 -o 'none-{n}.wav'
{ gf -q -i in.wav gain:-200 trim:0,2000f -o -; } >hush.wav
gf -q --join -i hush.wav -i in.wav -o late.wav
gf -q -i late.wav silence:trim -o cut.wav
gf -q -i cut.wav split:3000f -o 'known-{n}.wav'
works 'silence is cut before the audio is divided' gf -q -i late.wav silence:trim split:3000f -o 'cut-{n}.wav'
same cut-2.wav known-2.wav 'parts of what silence keeps'
gf -q -i late.wav trim:0,3000f -o first.wav
gf -q -i first.wav silence:trim -o known.wav
works 'silence is cut from parts' gf -q -i late.wav split:3000f silence:trim -o 'ends-{n}.wav'
same ends-1.wav known.wav 'a part without the silence before it'
refuses 2 'makes a table, so nothing' 'a table before the cut' gf -i in.wav stats split:1 -o 'none-{n}.wav'
refuses 2 'makes a table, so' 'a table before silence is cut' gf -i in.wav stats silence:trim -o none.wav
finish
