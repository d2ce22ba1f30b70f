# compress, gate, level, deess: known answers. Levels are those of square waves, whose magnitude is constant.
. "$(dirname "$0")/lib_answers.sh"

# square NAME SECONDS VALUE...: writes NAME.wav, a square wave of 500 Hz of each value, 8000 Hz.
square()
{
    name=$1 n=$(($2 * 1000))
    shift 2
    frames 1 "$(for v; do ${AWK:-awk} -v v="$v" -v n=$n 'BEGIN {
        for (i = 0; i < n; i++) printf "%d %d %d %d %d %d %d %d ", v, v, v, v, -v, -v, -v, -v }'; done)"
    mv in.wav "$name.wav"
}
# level_at FILE TIME: the RMS of 0.1 s in dB.
level_at() { gf -i "$1" trim:$2,+0.1 stats -t tsv | awk 'NR == 2 { printf "%.3f", $8 }'; }
# near NAME GOT WANTED [SLACK]
near()
{
    if awk -v a="$2" -v b="$3" -v s="${4:-0.05}" 'BEGIN { exit !(a != "" && (a - b) * (a - b) <= s * s) }'; then
        pass "$1"
    else
        fail "$1"
        echo "got $2, wanted $3" | note
    fi
}
# less_than VALUE DB: the level of a square wave of that value, less DB.
less_than() { awk -v v="$(level_of $1)" -v db="$2" 'BEGIN { print v - db }'; }
level_of() { awk -v v="$1" 'BEGIN { printf "%.3f", 20 * log(v / 32768) / log(10) }'; }

# 16384 is -6.02 dB: 13.98 above -20 become 3.49; 328 is -39.99 dB, below the threshold
square loud 1 16384
square both 1 328 16384
gf -i loud.wav compress:-20,4,knee=0 -o o.wav
near 'a level above the threshold is compressed by the ratio' "$(level_at o.wav 0.5)" -16.51
gf -i both.wav compress:-20,4,knee=0 -o o.wav
gf -i both.wav trim:0,0.9 -t raw -o a.raw
gf -i o.wav trim:0,0.9 -t raw -o b.raw
same a.raw b.raw 'a level below the threshold does not change'
gf -i loud.wav compress:-20,4,knee=0,makeup=6 -o o.wav
near 'makeup is added to the result' "$(level_at o.wav 0.5)" -10.51
gf -i loud.wav compress:-20,4,knee=0,rms=20ms -o o.wav
near 'the RMS of a square wave is its peak' "$(level_at o.wav 0.5)" -16.51
gf -i loud.wav compress:-6.0206,4,knee=12 -o o.wav
near 'at the threshold a knee of 12 dB takes 12/8 of the slope' "$(level_at o.wav 0.5)" -7.146
gf -i loud.wav compress:-20,1 -t raw -o a.raw
gf -i loud.wav -t raw -o b.raw
same a.raw b.raw 'a ratio of 1 changes nothing'

# the attack is a ramp of that length, before the jump if ahead is as long
gf -i both.wav compress:-20,1000,knee=0,attack=100ms -o o.wav
near 'half way through the attack the gain is half down' \
    "$(gf -i o.wav trim:1.05,+0.002 stats -t tsv | awk 'NR == 2 { print $8 }')" \
    "$(awk 'BEGIN { print -6.02 + 20 * log(.5 + .5 * 10 ^ (-13.98 / 20)) / log(10) }')" 0.2
gf -i both.wav compress:-20,1000,knee=0,attack=100ms,ahead=100ms -o o.wav
near 'with look-ahead nothing overshoots' \
    "$(gf -i o.wav trim:1,+0.002 stats -t tsv | awk 'NR == 2 { print $8 }')" -20 0.1
# the level falls by 10 dB in the release: 0.3 s after the end of -6.02 dB it is -16.02
square down 1 16384 328
gf -i down.wav compress:-26.02,1000,knee=0,attack=0,release=300ms -o o.wav
near 'the gain returns by 10 dB in the release time' \
    "$(gf -i o.wav trim:1.299,+0.002 stats -t tsv | awk 'NR == 2 { print $8 }')" -49.99 0.15

# gate: 328 is -39.99 dB, 9.99 below -30, three times that
gf -i both.wav gate:-30,3,knee=0 -o o.wav
near 'a level below the threshold is expanded' "$(level_at o.wav 0.5)" -59.97 0.1
near 'a level above the threshold passes a gate' "$(level_at o.wav 1.5)" -6.02
gf -i both.wav gate:-30,100,most=15 -o o.wav
near 'a gate reduces by no more than most' "$(level_at o.wav 0.5)" -54.99 0.1

# another recording opens and closes
gf -i loud.wav gain:-40 -o quiet.wav
gf -i loud.wav compress:-20,4,knee=0,by=quiet.wav -t raw -o a.raw
same a.raw b.raw 'a quiet side chain does not compress'
gf -i quiet.wav compress:-20,4,knee=0,by=loud.wav -o o.wav
near 'a loud side chain compresses a quiet signal' "$(level_at o.wav 0.5)" -56.505 0.1
gf -i loud.wav pad:0,1 -o long.wav
gf -i long.wav compress:-20,4,by=loud.wav -t raw -o a.raw 2>errors
is 'a side chain may be shorter than the signal' "$(wc -c <a.raw | tr -d ' ')$(cat errors)" 32000
for cut in '--segment 1k -j1' '--segment 7k --lanes 2' '--latency 1' '-j2'; do
    gf -i both.wav compress:-30,8,by=loud.wav,rms=10ms,release=50ms $cut -t raw -o "o.raw" 2>errors
    gf -i both.wav compress:-30,8,by=loud.wav,rms=10ms,release=50ms -t raw -o a.raw
    same o.raw a.raw "a side chain gives the same bytes with $cut"
done
refuses 1 'sound.wav has 44100 Hz, but the audio has 8000 Hz' 'a side chain with another rate' \
    gf -i loud.wav compress:by="$GPUFILTER_SAMPLES/sound.wav" -o o.wav
refuses 1 'photo.ppm: is an image; the second input of an audio stage must be audio' 'an image as side chain' \
    gf -i loud.wav compress:by="$GPUFILTER_SAMPLES/photo.ppm" -o o.wav
refuses 1 'sound.wav: is audio; the second input of an image stage must be an image' 'audio over an image' \
    gf -i "$GPUFILTER_SAMPLES/photo.ppm" over:"$GPUFILTER_SAMPLES/sound.wav" -o o.ppm

# deess: a tone of 2000 Hz is all in the band from 1000 Hz: 0 dB is 9 above -9, and 0.75 of that go
frames 1 "$(awk 'BEGIN { for (i = 0; i < 2000; i++) printf "8000 8000 -8000 -8000 " }')"
mv in.wav ess.wav
gf -i ess.wav deess:1000 -o o.wav
near 'a tone in the band is reduced by the curve' "$(level_at o.wav 0.5)" "$(less_than 8000 6.75)"
gf -i ess.wav deess:1000,ratio=1000,most=5 -o o.wav
near 'sibilants are reduced by no more than most' "$(level_at o.wav 0.5)" "$(less_than 8000 5)"
gf -i ess.wav gain:-40 deess:1000 -o o.wav
near 'sibilants of soft speech are reduced alike' "$(level_at o.wav 0.5)" "$(less_than 80 6.75)" 0.2
gf -i loud.wav deess:1500,db=-1 -t raw -o a.raw
same a.raw b.raw 'audio mostly below the band does not change'

# level: soft and loud passages come to one loudness, and pauses do not
square passages 10 1000 8000 60
gf -i passages.wav level:-20,time=1s -o o.wav
lufs() { gf -i "$1" trim:$2,+3 stats -t tsv | awk 'NR == 2 { print $10 }'; }
near 'a soft passage comes to the loudness' "$(lufs o.wav 6)" -20 0.2
near 'a loud passage comes to the loudness' "$(lufs o.wav 16)" -20 0.2
near 'a pause keeps the gain of what was before it' "$(level_at o.wav 25)" \
    "$(awk -v a="$(level_at o.wav 19)" -v v="$(level_of 60)" -v l="$(level_of 8000)" 'BEGIN { print a - l + v }')" 0.7
gf -i passages.wav level:-20,time=1s,most=3 -o o.wav
near 'the gain is within most' "$(level_at o.wav 8)" "$(less_than 1000 -3)"
finish
