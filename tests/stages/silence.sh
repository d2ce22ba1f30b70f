# silence: known answers, and a comparison with ffmpeg.
. "$(dirname "$0")/lib_answers.sh"

# spans LENGTH:VALUE...: writes in.wav, runs of frames at 8000 Hz that are VALUE and -VALUE in turn.
spans()
{
    frames 1 "$(echo "$*" | ${AWK:-awk} '{
        for (i = 1; i <= NF; i++) {
            split($i, p, ":")
            for (k = 0; k < p[1]; k++)
                printf "%d ", k % 2 ? -p[2] : p[2] } }')"
}
table() { gf -i in.wav "$@" -t tsv 2>&1 | tr '\t\n' ' ;'; }
lengths() { gf -i in.wav "$@" -t raw 2>errors | wc -c | awk '{ printf "%d", $1 / 2 }'; cat errors; }

# Blocks have 40 frames. -50 dBFS is 103.6 of 32768.
spans 800:9000 400:103 800:9000 1200:0 40:104 400:50
is 'all silent spans of at least the length' "$(table silence:table,min=50ms)" \
    'span start end length;1 0.1 0.15 0.05;2 0.25 0.4 0.15;3 0.405 0.455 0.05;'
is 'shorter spans are left out' "$(table silence:table,min=0.1)" 'span start end length;1 0.25 0.4 0.15;'
is 'the level is an option' "$(table silence:table,-60,min=10ms)" 'span start end length;1 0.25 0.4 0.15;'
is 'a higher level joins spans' "$(table silence:table,-49dBFS,min=0.1)" 'span start end length;1 0.25 0.455 0.205;'
is 'half a second without a length' "$(table silence:table)" 'span start end length;'
is 'spans in JSON have a note with the level' "$(gf -i in.wav silence:table,min=0.1 -t json)" \
    '{"samples":3640,"spans":[{"name":"1","start":0.25,"end":0.4,"length":0.15}],'"\
\"notes\":[\"below -50.0 dBFS for 0.1 s or more\"]}"
is 'spans of several files in one table' "$(cp in.wav b.wav
    gf -i in.wav -i b.wav silence:table,min=0.1 -t csv | tr '\n' ';')" \
    'file,span,start,end,length;in.wav,1,0.25,0.4,0.15;b.wav,1,0.25,0.4,0.15;'
works 'a drawing of the spans' gf -i in.wav silence:table,min=0.1 -o spans.png

is 'trim cuts silence at the end' "$(lengths silence:trim)" 3240
spans 85:0 800:9000 400:0 800:9000 90:5
is 'trim keeps blocks with sound' "$(lengths silence:trim)" 2040
is 'trim keeps the samples between the ends' \
    "$(gf -i in.wav silence:trim -t raw | numbers d2 | tr ' ' '\n' | sed -n '1,7p' | tr '\n' ' ')" \
    '0 0 0 0 0 9000 -9000 '
is 'trim keeps some silence' "$(lengths silence:trim,keep=5ms)" 2120
is 'trim keeps no more than there is' "$(lengths silence:trim,keep=1)" 2175

spans 400:1000 1600:0 400:2000 800:0 400:3000 4000:0
is 'shorten cuts long pauses to the length that is kept' "$(lengths silence:shorten,min=0.15,keep=0.05)" 2800
is 'a pause that is not longer stays' "$(lengths silence:shorten,min=0.15,keep=0.1)" 3600
is 'shorten without keep makes pauses as long as min' "$(lengths silence:shorten,min=0.15)" 4400
is 'shorten keeps both halves of a pause' "$(table silence:shorten,min=0.15,keep=0.05 silence:table,min=20ms)" \
    'span start end length;1 0.05 0.1 0.05;2 0.15 0.25 0.1;3 0.3 0.35 0.05;'
frames 1 "$(${AWK:-awk} 'BEGIN { for (i = 0; i < 4000; i++)
    printf "%d ", (i < 1000 || i >= 3000 ? 500 + i : i % 90) }')"
is 'shorten copies samples around the cut' "$(gf -i in.wav silence:shorten,min=0.1,keep=20f -t raw | numbers d2)" \
    "$(gf -i in.wav -t raw | numbers d2 | tr ' ' '\n' | sed '1011,2990d' | tr '\n' ' ' | sed 's/ $//')"
gf -i in.wav silence:shorten,min=0.1,keep=20f -o whole.wav
is 'the result does not depend on the way' "$(for a in '-j 1' '-j 3' '--memory 1M'; do
    gf $a -i in.wav silence:shorten,min=0.1,keep=20f -o o.wav; cmp o.wav whole.wav
    gf $a silence:shorten,min=0.1,keep=20f <in.wav >p.wav; cmp p.wav whole.wav
    tail -c +45 in.wav | gf $a -f raw:rate=8000,type=s16 silence:shorten,min=0.1,keep=20f -t wav >p.wav
    cmp p.wav whole.wav
    done)" ''
gf -i in.wav gain:-6 -o soft.wav --depth f32
gf -i soft.wav silence:shorten,-56,min=0.1,keep=20f gain:6 --depth 16 -o wanted.wav
is 'stages before and after work as in two runs' "$(gf -i in.wav gain:-6 silence:shorten,-56,min=0.1,keep=20f gain:6 \
    -o o.wav; cmp o.wav wanted.wav; 
    gf gain:-6 silence:shorten,-56,min=0.1,keep=20f gain:6 <in.wav | cmp - wanted.wav)" ''
is 'two cuts in one chain' "$(lengths silence:shorten,min=0.1,keep=20f silence:trim,-30 resample:4000)" \
    "$(gf -i whole.wav silence:trim,-30 resample:4000 -t raw | wc -c | awk '{ print $1 / 2 }')"
frames 2 "$(${AWK:-awk} 'BEGIN { for (i = 0; i < 1200; i++)
    printf "%d %d ", 9000 * (i < 400), -9000 * (i >= 800) }')"
is 'audio is silent if all channels are' "$(table silence:table,min=10ms)" 'span start end length;1 0.05 0.1 0.05;'
frames 1 "$(${AWK:-awk} 'BEGIN { srand(3); for (i = 0; i < 16000; i++)
    printf "%d ", 400 * (rand() - 0.5) + (i % 4000 < 2000 ? 3000 * sin(i * 0.5) : 0) }')"
is 'the level above the noise floor' "$(table silence:table,above=6,min=0.1)" \
    'span start end length;1 0.25 0.5 0.25;2 0.75 1 0.25;3 1.25 1.5 0.25;4 1.75 2 0.25;'
spans 400:0 400:9000 400:0 400:200 400:9000
is 'digital silence does not count as noise' "$(table silence:table,above=6,min=10ms)" \
    'span start end length;1 0 0.05 0.05;2 0.1 0.2 0.1;'
frames 1 ''
is 'empty audio stays empty' "$(gf -i in.wav silence:shorten -t raw | wc -c | tr -d ' ')
$(gf -i in.wav silence:table)" "0
span	start	end	length"
is 'texts stay, but not positions in time' \
    "$(gf -i "$GPUFILTER_SAMPLES/voice.wav" silence:trim,-30 -o o.wav; gf -i o.wav --info | grep -c 'A voice')" 1

spans 800:20
refuses 1 'nothing is left, because all of it is below -50.0' 'trim of silence alone' gf -i in.wav silence:trim -o o.wav
refuses 2 'takes no min=' 'a shortest span for trim' gf -i in.wav silence:trim,min=1 -o o.wav
refuses 2 'takes no keep=' 'a length to keep for a table' gf -i in.wav silence:table,keep=1
refuses 2 'only one of' 'two levels at once' gf -i in.wav silence:trim,-40,above=3 -o o.wav
refuses 2 'longer than min=' 'pauses that would get longer' gf -i in.wav silence:shorten,keep=1 -o o.wav
refuses 2 'trim, shorten or table' 'silence without a mode' gf -i in.wav silence -o o.wav
refuses 2 'works on audio' 'silence of an image' gf -i "$GPUFILTER_SAMPLES/chart.pgm" silence:trim -o o.png
refuses 2 'cannot be before silence' 'a file of samples before silence' gf -i in.wav tee:t.wav silence:trim -o o.wav
refuses 2 'needs all of in.wav' 'latency before silence' gf -i in.wav --latency 50 silence:trim -o o.wav
refuses 2 'makes a table' 'a stage after the table' gf -i in.wav silence:table gain:1 -o o.wav
is 'explain says that silence comes first' "$(gf -i in.wav silence:trim gain:3 --explain | head -n 1)" \
    'silence:trim works on the audio; if it cuts nothing:'

# Compared with ffmpeg, whose spans are exact to a frame.
if command -v ffmpeg >/dev/null && ffmpeg -hide_banner -v quiet -h filter=silencedetect | grep -q noise; then
    for rate in 8000 22050 44100 96000; do
        ffmpeg -v error -y -f lavfi -i "aevalsrc=0.0004*(random(0)-0.5)+gt(sin(t*t*0.9)\\,0.2)*0.3*sin(2000*t):\
s=$rate:d=12" -c:a pcm_s16le noise.wav
        ffmpeg -hide_banner -nostats -i noise.wav -af silencedetect=noise=-40dB:d=0.1 -f null - 2>&1 |
            ${AWK:-awk} '{ for (i = 1; i < NF; i++) if ($i == "silence_start:") s = $(i + 1)
                else if ($i == "silence_end:") print s, $(i + 1) }' >theirs
        gf -i noise.wav silence:table,-40,min=0.1 -t tsv | ${AWK:-awk} 'NR > 1 { print $2, $3 }' >ours
        is "spans as those of ffmpeg at $rate Hz" "$(paste -d ' ' ours theirs | ${AWK:-awk} '
            function off(a, b) { return a - b > 0.01 || b - a > 0.01 }
            NF != 4 || off($1, $3) || off($2, $4) { print }
            END { print (NR > 8 ? "many" : NR) }')" many
    done
else
    skip 'no ffmpeg with silencedetect'
fi
sound opus.wav 5000 1 7
gf -q -f raw:rate=44100,channels=1,type=s16 -i opus.wav -o opus44.wav
works 'stages before silence may change what the output can store' \
    gf -i opus44.wav resample:48k silence:trim -o opus.opus
finish
