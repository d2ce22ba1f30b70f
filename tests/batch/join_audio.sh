# --join and --mix of audio, and the stage mix: answers of a slow program, and of sox if it is here.
. "$(dirname "$0")/../lib.sh"

# raw FILE: its samples as 16-bit integers. numbers FILE: the same as text, one in a line.
raw() { gf -q -i "$1" -t raw:type=s16 -o -; }
numbers() { raw "$1" | od -An -v -td2 -w2; }
# close A B: the largest difference of their 16-bit samples, or "other lengths".
close()
{
    numbers "$1" >left
    numbers "$2" >right
    paste left right | awk 'NF != 2 { bad = 1 } { d = $1 > $2 ? $1 - $2 : $2 - $1; most = d > most ? d : most }
        END { print bad ? "other lengths" : most + 0 }'
}
sound a.wav 5000 2 1
sound b.wav 3001 2 2
sound c.wav 9000 2 3
sound mono.wav 4000 1 4

# ---- one after another ----
{ raw a.wav; raw b.wav; raw c.wav; } >known.raw
works 'recordings are joined' gf --join -i a.wav -i b.wav -i c.wav -o joined.wav
raw joined.wav >joined.raw
same joined.raw known.raw 'joined recordings have all samples in order'
cat b.wav | gf --join -i a.wav -i - -i c.wav -t raw:type=s16 -o piped.raw
same piped.raw known.raw 'a pipe is joined with files'
for cut in '-j 1 --memory 4M' '-j 5' '--latency 20'; do
    # shellcheck disable=SC2086
    gf -q --join $cut -i a.wav -i b.wav -i c.wav lowpass:1000 gain:-3 -o cut.wav
    # shellcheck disable=SC2086
    gf -q $cut -i joined.wav lowpass:1000 gain:-3 -o whole.wav
    same cut.wav whole.wav "joined recordings are one recording with $cut"
done
gf -q -i b.wav gain:-40 --depth 24 -o deep.wav
gf -q --join -i a.wav -i deep.wav -o both.wav
is 'the deepest input decides about the depth' "$(gf --info -i both.wav | grep -c s24)" 1
gf -q -i both.wav trim:5000f -o rest.wav
gf -q -i deep.wav -t raw:type=s32 -o deep.raw
gf -q -i rest.wav -t raw:type=s32 -o rest.raw
same rest.raw deep.raw 'deeper samples are joined without change'
gf -q -i mono.wav resample:44100 -o other.wav
gf --join -i a.wav -i other.wav -o evened.wav 2>errors
is 'another rate and mono are evened with a note' "$(cat errors)" \
    'gpufilter: note: other.wav: is resampled from 44100 to 48000 Hz and remixed from 1 to 2 channels, like a.wav'
gf -q -i other.wav remix:1,1 resample:48000 -o by-hand.wav
gf -q -i evened.wav trim:5000f -o rest.wav
is 'an evened recording is the same as by the stages' "$(close rest.wav by-hand.wav)" 0

# ---- crossfades ----
# fade A B FRAMES CURVE: the numbers of a joined with b.
fade()
{
    { numbers "$1" | awk '{ print "a", $1 }'; numbers "$2" | awk '{ print "b", $1 }'; } | awk -v n="$3" -v linear="$4" '
        { v[$1, count[$1]++] = $2 }
        END {
            a = count["a"] / 2; b = count["b"] / 2
            for (i = 0; i < a + b - n; i++)
                for (c = 0; c < 2; c++) {
                    t = (i - (a - n) + .5) / n
                    if (i < a - n) x = v["a", 2 * i + c]
                    else if (i >= a) x = v["b", 2 * (i - a + n) + c]
                    else {
                        x = v["a", 2 * i + c] * (linear ? 1 - t : cos(t * 1.5707963267948966))
                        x += v["b", 2 * (i - a + n) + c] * (linear ? t : sin(t * 1.5707963267948966))
                    }
                    printf "%.3f\n", x
                } }'
}
for curve in power linear; do
    gf -q -i a.wav gain:-9 -o soft-a.wav
    gf -q -i b.wav gain:-9 -o soft-b.wav
    gf --join=fade=1000f,$curve -i soft-a.wav -i soft-b.wav -o faded.wav 2>errors
    is "a time in frames is refused for a crossfade, $curve" "$(grep -c 'must be fade=TIME' errors)" 1
    gf -q --join=fade=20ms,$curve -i soft-a.wav -i soft-b.wav -o faded.wav
    fade soft-a.wav soft-b.wav 960 "$([ $curve = linear ] && echo 1)" >known
    numbers faded.wav >found
    is "a crossfade has the gains of its curve, $curve" "$(paste known found | awk 'NF != 2 { bad = 1 }
        { d = $1 > $2 ? $1 - $2 : $2 - $1; bad = bad || d > .51 } END { print bad + 0, NR }')" '0 14082'
done
gf -q --join=fade=20ms -i soft-a.wav -i soft-b.wav -i c.wav -o whole.wav
cat soft-b.wav | gf -q --join=fade=20ms -j 3 --memory 4M -i soft-a.wav -i - -i c.wav | cat >piped.wav
numbers piped.wav >found
numbers whole.wav >known
same found known 'a crossfade from a pipe is the same as from a file'
refuses 1 'c.wav: is shorter than the crossfade of 1 s' 'a recording shorter than its crossfade' \
    gf --join=fade=1 -i c.wav -i c.wav -o none.wav
refuses 2 'write --join=fade=1s' 'a time without fade=' gf --join=1s -i a.wav -i b.wav -o none.wav
refuses 2 'write --join=fade=0:02' 'a time with a colon without fade=' gf --join=0:02 -i a.wav -i b.wav -o none.wav
refuses 2 'must have no value' 'a word that is no way to join' gf --join=soon -i a.wav -i b.wav -o none.wav
refuses 2 'must be fade=TIME of at most 60 s' 'a crossfade without a time' gf --join=fade -i a.wav -i b.wav -o none.wav

# ---- all at the same time ----
gf -q --mix -i a.wav -i b.wav -i c.wav -o mixed.wav
for f in a b c; do numbers $f.wav >$f.txt; done
paste c.txt a.txt b.txt | awk -F '\t' '{ printf "%.3f\n", ($1 + $2 + $3) / 3 }' >known
numbers mixed.wav >found
is 'a mix is the mean of all inputs' "$(paste known found | awk 'NF != 2 { bad = 1 }
    { d = $1 > $2 ? $1 - $2 : $2 - $1; bad = bad || d > .51 } END { print bad + 0, NR }')" '0 18000'
cat c.wav | gf -q --mix -j 4 -i a.wav -i b.wav -i - -o piped.wav
is 'a mix of a pipe is the same' "$(close piped.wav mixed.wav)" 0
# A mix of many files adds most of them before. a.wav is 44 times in it, b.wav once.
{ echo b.wav; for i in $(seq 44); do echo a.wav; done } >list
(ulimit -n 28; gf -q --mix --files-from list -o many.wav) 2>errors
paste a.txt b.txt | awk -F '\t' '{ printf "%.3f\n", ($1 * 44 + $2) / 45 }' >known
numbers many.wav >found
is 'a mix of more files than may be open is the mean of all' "$(cat errors; paste known found | awk 'NF != 2 { bad = 1 }
    { d = $1 > $2 ? $1 - $2 : $2 - $1; bad = bad || d > .51 } END { print bad + 0, NR }')" '0 10000'
# shellcheck disable=SC2046
cat b.wav | gf -q --mix -i - $(sed '1d; s/^/-i /' list) -o piped.wav
same piped.wav many.wav 'a mix of many files with a pipe is the same'
# shellcheck disable=SC2046
cat b.wav | gf -q --latency 50 --mix -i - $(sed '1d; s/^/-i /' list) -t wav | gf -q -i - -o live.wav
is 'a mix of many files with a latency is the same' "$(close live.wav many.wav)" 0
sed 's/a.wav/other.wav/' list >others
gf -q --mix --depth f32 --files-from others -o many.wav
gf -q --mix --depth f32 -j 1 --memory 4M --files-from others -o few.wav
same few.wav many.wav 'a mix of many resampled files is the same with one thread'
if command -v sox >/dev/null; then
    sox a.wav b.wav c.wav by-sox.wav
    is 'joined recordings are those of sox' "$(close joined.wav by-sox.wav)" 0
    sox -D -m a.wav b.wav c.wav by-sox.wav
    is 'a mix is that of sox within one level' "$(close mixed.wav by-sox.wav | sed 's/1/0/')" 0
else
    skip 'joined recordings are those of sox: no sox here'
fi

# ---- the stage mix ----
gf -q -i a.wav mix:b.wav,-6,at=500f -o added.wav
paste a.txt b.txt | awk -F '\t' 'BEGIN { g = 10 ^ (-6 / 20) }
    { a[NR - 1] = $1; b[NR - 1] = $2; n += $1 != "" }
    END { for (i = 0; i < n; i++) {
        v = a[i] + (i >= 1000 ? g * b[i - 1000] : 0)
        printf "%.3f\n", (v > 32767 ? 32767 : v < -32768 ? -32768 : v) } }' >known
numbers added.wav >found
is 'mix adds a recording with a gain at a time' "$(paste known found | awk 'NF != 2 { bad = 1 }
    { d = $1 > $2 ? $1 - $2 : $2 - $1; bad = bad || d > .51 } END { print bad + 0, NR }')" '0 10000'
cat a.wav | gf -q -j 3 --memory 4M mix:b.wav,-6,at=500f | cat >piped.wav
is 'mix on a pipe is the same as on a file' "$(close piped.wav added.wav)" 0
gf -q -i c.wav mix:b.wav,-6,at=500f,loop -o looped.wav
paste c.txt b.txt | awk -F '\t' 'BEGIN { g = 10 ^ (-6 / 20) }
    { a[NR - 1] = $1; b[NR - 1] = $2; n += $1 != ""; m += $2 != "" }
    END { for (i = 0; i < n; i++) {
        v = a[i] + (i >= 1000 ? g * b[(i - 1000) % m] : 0)
        printf "%.3f\n", (v > 32767 ? 32767 : v < -32768 ? -32768 : v) } }' >known
numbers looped.wav >found
is 'a loop begins again after its last frame' "$(paste known found | awk 'NF != 2 { bad = 1 }
    { d = $1 > $2 ? $1 - $2 : $2 - $1; bad = bad || d > .51 } END { print bad + 0, NR }')" '0 18000'
cat c.wav | gf -q -j 3 --memory 4M mix:b.wav,-6,at=500f,loop | cat >piped.wav
is 'a loop on a pipe is the same as on a file' "$(close piped.wav looped.wav)" 0
cat c.wav | gf -q --latency 10 mix:b.wav,-6,at=500f,loop | cat >piped.wav
is 'a loop with a latency is the same' "$(close piped.wav looped.wav)" 0
gf -q -i a.wav trim:0,1f -o frame.wav
gf -q -i c.wav mix:frame.wav,-20,loop -o looped.wav
is 'a loop of one frame is a constant' "$(numbers looped.wav | paste - c.txt |
    awk -v l="$(sed -n 1p a.txt)" -v r="$(sed -n 2p a.txt)" '
        { v = $2 + .1 * (NR % 2 ? l : r); v = v > 32767 ? 32767 : v < -32768 ? -32768 : v }
        { d = $1 - v; bad = bad || d > .51 || d < -.51 } END { print bad + 0 }')" 0
gf -i a.wav mix:c.wav,-30,loop -o none.wav 2>errors
is 'nothing is said about the rest of a loop' "$(cat errors)" ''
gf -i mono.wav mix:c.wav -o none.wav 2>errors
is 'mix evens its file and says what is left out' "$(sed 's/^.*: note: //; /clipped/d' errors | tr '\n' ';')" \
"c.wav: is remixed from 2 to 1 channel, like mono.wav;mono.wav: mix: the last 0.104 s of c.wav come after the end of "\
"the audio and are left out; pad:end=0.105 before mix keeps them;"
gf -q -i a.wav resample:22050 mono mix:c.wav -o after.wav
gf -q -i c.wav mono resample:22050 --depth f32 -o c22.wav
gf -q -i a.wav resample:22050 mono mix:c22.wav -o by-hand.wav
is 'mix evens its file to the place in the chain' "$(close after.wav by-hand.wav)" 0
gf -i b.wav mix:a.wav,at=2 -o none.wav 2>errors
is 'mix after the end warns' "$(cat errors)" \
    'gpufilter: warning: b.wav: mix: the audio ends before a.wav starts, so nothing is added'

# ---- bad input ----
gf -q -i a.wav spectrogram:20 -o image.png
refuses 1 'image.png: is an image, but a.wav is audio' 'an image among recordings' \
    gf --join -i a.wav -i image.png -o none.wav
refuses 1 'a.wav: is audio, but the inputs before are images' 'a recording among images' \
    gf --join -i image.png -i a.wav -o none.tif
refuses 2 'is an image, but --mix is for audio' 'a mix of images' gf --mix -i image.png -i image.png -o none.png
refuses 2 '--join=fit and --join=pad are for sizes of images' 'audio and sizes' \
    gf --join=fit -i a.wav -i b.wav -o none.wav
refuses 2 '--join and --mix exclude each other' 'a mix and a sequence' gf --join --mix -i a.wav -i b.wav -o none.wav
refuses 1 'missing.wav: No such file' 'a missing recording among others' gf --join -i a.wav -i missing.wav -o none.wav
gf -q -i a.wav remix:1,2,1 -o three.wav
refuses 1 'three.wav: has 3 channels, but a.wav has 2' 'channels that nothing makes equal' \
    gf --mix -i a.wav -i three.wav -o none.wav
refuses 1 'image.png: is an image; the second input of an audio stage must be audio' 'an image for mix' \
    gf -i a.wav mix:image.png -o none.wav
finish
