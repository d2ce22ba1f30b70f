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

gf -i in.wav split:1 -o 'late-{n}.wav' 2>errors
is 'a time after the end is warned about' "$(cat errors)" \
    'gpufilter: warning: in.wav: split: it is 0.2083 s long, so nothing begins at 1 s'
refuses 2 'times must rise' 'times that fall' gf -i in.wav split:2,1 -o 'none-{n}.wav'
refuses 2 'must be seconds' 'a time that is none' gf -i in.wav split:soon -o 'none-{n}.wav'
refuses 2 'takes either times or every=TIME' 'split without a time' gf -i in.wav split -o 'none-{n}.wav'
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
