# denoise, declick and dehum: known answers.
. "$(dirname "$0")/lib_answers.sh"

# noise NAME SECONDS AMPLITUDE TONE: writes NAME.wav, noise of 8000 Hz and a tone of 1000 Hz of that amplitude.
noise()
{
    frames 1 "$(${AWK:-awk} -v n=$(($2 * 8000)) -v a="$3" -v t="$4" 'BEGIN {
        srand(7)
        for (i = 0; i < n; i++) printf "%d ", a * (rand() + rand() + rand() - 1.5) + t * sin(i * 0.785398163) }')"
    mv in.wav "$1.wav"
}
level_at() { gf -i "$1" trim:$2,+$3 stats -t tsv | awk 'NR == 2 { print $8 }'; }
# less NAME A B LEAST: A is at least LEAST dB below B.
less()
{
    if awk -v a="$2" -v b="$3" -v l="$4" 'BEGIN { exit !(a <= b - l) }'; then pass "$1"; else fail "$1"; fi
    echo "$2 against $3" | note
}
noise hiss 3 400 0
noise tone 3 400 8000

gf -i hiss.wav denoise -o o.wav
less 'noise alone falls by almost the amount' "$(level_at o.wav 1 1)" "$(level_at hiss.wav 1 1)" 14
gf -i hiss.wav denoise:6 -o o.wav
less 'noise falls by no more than the amount' "$(level_at hiss.wav 1 1)" "$(level_at o.wav 1 1)" -6.1
gf -i hiss.wav trim:0,1 -o profile.wav
gf -i tone.wav denoise:profile=profile.wav -o o.wav
less 'a tone keeps its level with a profile' "$(level_at tone.wav 1 1)" "$(level_at o.wav 1 1)" -0.3
gf -i o.wav bandstop:900,1100 -o p.wav
gf -i tone.wav bandstop:900,1100 -o q.wav
less 'the noise around a tone falls' "$(level_at p.wav 1 1)" "$(level_at q.wav 1 1)" 12
gf -i tone.wav denoise:0 -t raw:type=f32 -o a.raw
gf -i tone.wav -t raw:type=f32 -o b.raw
is 'an amount of 0 changes nothing but last bits' "$(gf -f raw:rate=8000,type=f32 -i a.raw -o a.wav
    gf -i tone.wav gain:-6 -t raw:type=f32 | wc -c | tr -d ' '
    cmp -s a.raw b.raw; gf -i a.wav stats -t tsv | awk 'NR == 2 { printf "%.4f", $8 }')" \
    "$(echo 96000; gf -i tone.wav stats -t tsv | awk 'NR == 2 { printf "%.4f", $8 }')"
is 'the result is as long as the input' "$(for n in 1 31 32 33 127 128 1000; do
    gf -i tone.wav trim:0,${n}f denoise -t raw 2>/dev/null | wc -c | tr -d ' \n'; printf ' '; done)" \
    '2 62 64 66 254 256 2000 '
gf -i tone.wav denoise -t raw -o a.raw
for cut in '--segment 1k -j1' '--segment 7k --lanes 2' '--latency 100' '-j2'; do
    gf -i tone.wav denoise $cut -t raw -o o.raw
    same o.raw a.raw "denoise gives the same bytes with $cut"
done
gf <tone.wav denoise -t raw >o.raw
same o.raw a.raw 'denoise of a pipe gives the same bytes as of a file'
refuses 1 'the profile has 44100 Hz, but the audio has 8000 Hz' 'a noise profile with another rate' \
    gf -i tone.wav denoise:profile="$GPUFILTER_SAMPLES/sound.wav" -o o.wav
# Windows have 256 frames, and blocks of noise= 2048, so one block has all windows of the first quarter second.
gf -i tone.wav trim:0,0.25 -o part.wav
gf -i tone.wav denoise:profile=part.wav -t raw -o a.raw
gf -i tone.wav denoise:noise=0,0.25 -t raw -o o.raw
same o.raw a.raw 'noise= in the input gives the bytes of a profile of that part'
gf -i tone.wav denoise:noise=0.3,2.7 -t raw -o a.raw
for cut in '--segment 4k -j1' '--segment 9k --lanes 2' '--memory 1M'; do
    gf -i tone.wav denoise:noise=0.3,2.7 $cut -t raw -o o.raw
    same o.raw a.raw "noise= gives the same bytes with $cut"
done
gf <tone.wav denoise:noise=0.3,2.7 -t raw >o.raw
same o.raw a.raw 'noise= of a pipe gives the same bytes as of a file'
tail -c +45 tone.wav | gf -f raw:rate=8000,type=s16 denoise:noise=0.3,2.7 -t raw >o.raw
same o.raw a.raw 'noise= of a pipe of unknown length gives the same bytes'
gf -i hiss.wav denoise:noise=0.2,2 -o o.wav
less 'noise alone falls by the amount with noise=' "$(level_at o.wav 1 1)" "$(level_at hiss.wav 1 1)" 18
gf -i tone.wav fade:0.5 gain:20 --depth f32 -o loud.wav
is 'samples after the part with the noise are looked at' \
    "$(gf -i loud.wav denoise:noise=0,0.2 histogram -o o.tsv 2>&1 | cut -c 1-90)" \
    "$(gf -i loud.wav denoise histogram -o o.tsv 2>&1 | grep outside | cut -c 1-90)"
refuses 1 'the audio ends at 3 s' 'noise after the end' gf -i tone.wav denoise:noise=2,4 -o o.wav
refuses 1 'too short; must have at least 0.080 s' 'noise that is too short' \
    gf -i tone.wav denoise:noise=1,1.05 -o o.wav
refuses 2 'only one of profile= and noise=' 'a profile and noise' \
    gf -i tone.wav denoise:noise=1,2,profile=part.wav -o o.wav
is 'noise of a pipe with a latency is refused' "$(gf -i tone.wav -t wav | gf denoise:noise=1,2 --latency 100 2>&1 |
    grep -c 'needs the whole input')" 1
gf -i hiss.wav trim:0,100f -o short.wav
refuses 1 'the profile has 100 frames; must have at least 256' 'a noise profile that is too short' \
    gf -i tone.wav denoise:profile=short.wav -o o.wav

# A voice of syllables begins after half a second, 13 dB above noise: their SNR, that of their first 40 ms, and pauses.
# voice NAME NOISE: writes NAME.wav and its samples, NAME.
voice()
{
    frames 1 "$(${AWK:-awk} -v noise="$2" 'BEGIN {
        srand(5)
        for (i = 0; i < 28000; i++) {
            t = i / 8000 - 0.5; v = 0
            pitch += 6.2831853 * (110 + 40 * sin(3 * t)) / 8000
            for (k = 1; t > 0 && t % 0.4 < 0.25 && k <= 20; k++)
                v += 1500 / k * sin(k * pitch + k * k) * (1 + sin(k * 0.9 + int(t / 0.4)))
            printf "%d ", v + noise * (rand() + rand() + rand() - 1.5)
        } }')"
    mv in.wav "$1.wav"
    samples_of "$1"
}
samples_of() { gf -i "$1.wav" -t raw:type=s16 | od -An -v -t d2 | tr -s ' ' '\n' | grep . >"$1"; }
# heard_in NAME: the decibels of the signal to the error in syllables, in their first 40 ms, and the level of pauses.
heard_in()
{
    paste clean "$1" | ${AWK:-awk} 'NR > 4000 {
        place = (NR - 4001) % 3200; error = ($1 - $2) ^ 2
        if (place < 2000) { all += $1 ^ 2; off += error }
        if (place < 320) { early += $1 ^ 2; early_off += error }
        if (place > 2400) { rest += $2 ^ 2; n++ }
    } END { d = 10 / log(10); print d * log(all / off), d * log(early / early_off), d * log(rest / n) }'
}
voice clean 0
voice noisy 600
for mode in denoise denoise:noise=0,0.5; do
    gf -i noisy.wav $mode -o kept.wav
    samples_of kept
    set -- $(heard_in noisy) $(heard_in kept)
    less "$mode: syllables have a higher SNR than before" "$1" "$4" 3.2
    less "$mode: the SNR of first 40 ms rises, too" "$2" "$5" 2
    less "$mode: noise in pauses falls" "$6" "$3" 14
done

# dehum: 1000 Hz is a tone of 500 and of 1000 Hz, but not of 300
gf -i tone.wav dehum:500 -o o.wav
less 'a multiple of the frequency is removed' "$(level_at o.wav 2 1)" "$(level_at tone.wav 2 1)" 25
gf -i tone.wav dehum:500,1 -o o.wav
less 'one tone leaves its multiples' "$(level_at tone.wav 2 1)" "$(level_at o.wav 2 1)" -0.05
gf -i tone.wav dehum:300,16 -o o.wav
less 'other frequencies pass' "$(level_at tone.wav 2 1)" "$(level_at o.wav 2 1)" -0.05

# declick: a slow sine in both channels, and one sample of the first is 20000 too high
clicked() { ${AWK:-awk} -v at="$1" 'BEGIN { for (i = 0; i < 8000; i++) {
    v = 8000 * sin(i * 0.04); printf "%d %d ", v + (i == at ? 20000 : 0), v } }'; }
frames 2 "$(clicked 4050)"
gf -i in.wav declick remix:1-2 -t raw:type=f32 -o a.raw
less 'a click becomes what the audio was' "$(gf -f raw:rate=8000,type=f32 -i a.raw stats -t tsv |
    awk 'NR == 2 { print $7 }')" -50 0
gf -i in.wav declick remix:2,2 -t raw -o a.raw
gf -i in.wav remix:2,2 -t raw -o b.raw
same a.raw b.raw 'a channel without clicks does not change'
gf -i in.wav declick trim:0,0.5 -t raw -o a.raw
gf -i in.wav trim:0,0.5 -t raw -o b.raw
same a.raw b.raw 'audio far from a click does not change'
frames 2 "$(clicked 2)"
gf -i in.wav declick -t raw -o a.raw
gf -i in.wav -t raw -o b.raw
same a.raw b.raw 'a click at the start stays, for nothing is before it'
frames 2 "$(clicked 4050)"
for cut in '--segment 1k -j1' '--segment 7k --lanes 2' '--latency 30' '-j2'; do
    gf -i in.wav declick $cut -t raw -o o.raw
    gf -i in.wav declick -t raw -o a.raw
    same o.raw a.raw "declick gives the same bytes with $cut"
done
finish
