# Known answers for audio filters, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"

frames 1  1000 -1000 30000 -32768 0
heard '-1000 1000 -30000 32767 0' invert
heard '708 -708 21238 -23198 0' gain:-3      # 10^(-3/20) = .7079458
heard '1995 -1995 32767 -32768 0' gain:6
heard '500 -500 15000 -16384 0' gain:-6.0205999133
heard '500 -500 15000 -16384 0' gain:50%
heard '500 -250 14750 -8884 -8192' 'fir:[0.5 0.25]'
frames 2  1000 2001  -5 -8  32767 32767
heard '1500 -6 32767' mono                   # 1500.5 and -6.5 round to even
heard '2000 4002 -1010 -2017 32767 32767' 'fir:[2 -1]' 
frames 1  0 0 16384 0 0
heard '0 0 16384 8192 4096' 'fir:[1 0.5 0.25]'
heard '0 0 8192 12288 6144' biquad:0.5,0.5,0,-0.5,0
heard '0 0 8192 12288 6144' biquad:0.5,0.5,0,-0.5,0 --segment 1 --lanes 3
heard '0 0 8192 12288 6144' biquad:1,1,0,-1,0,a0=2
heard '0 0 8192 4096 4096' biquad:0.5,0,0,0,-0.5 'fir:[1 0.5]'        # 8192 0 4096, and half of each a frame later
heard '0 0 16384 0 -4096' biquad:1,0,0,0,0.25
heard '0 0 16384 0 0' eq:1k,1,0 bass:0 treble:0,3k
frames 2  16384 0  0 16384  0 0
heard '16384 0 0 16384 4096 0' biquad:1,0,0,0,-0.25
refuses 2 'unstable' 'a biquad with poles beyond the unit circle' gf -i in.wav biquad:1,0,0,0,1.01 -o out.wav
refuses 2 'unstable' 'a biquad with poles on the unit circle' gf -i in.wav biquad:1,0,0,-2,1 -o out.wav
refuses 2 'a0=0' 'a biquad that divides by 0' gf -i in.wav biquad:1,0,0,0,0,a0=0 -o out.wav
for stage in eq:4k,1,3 bass:3,30k treble:1,4k; do
    refuses 1 "${stage%%:*}: .*below 4000" "$stage of 8 kHz" gf -i in.wav $stage -o out.wav
done
frames 1  0 0 16384 0 0
heard '0 0 16384 8192 4096 0 0' 'fir:[1 0.5 0.25],tail=keep'
heard '0 16384 32767 16384 0 0' 'fir:[1 2 1],align=center,tail=keep'
heard '0 0 12288 4096 0' 'fir:[1 0.5],wet=0.5,dry=25%'
heard '0 8192 32767 8192 0' 'fir:[1 2 1],align=center,wet=50%,dry=1'
heard '0 0 8192 8192 0' 'fir:[1 1],wet=-6.0205999133dB'
heard '0 0 4096 4096 8192' 'fir:[1 1 2],norm=sum'
heard '0 0 9830 13107 0' 'fir:[3 4],norm=energy'          # .6 and .8 of 16384
heard '0 0 8192 -8192 0' 'fir:[1 -1],norm=peak'           # 2 at half the rate
refuses 2 'divisor of the taps is 0' 'a sum of 0' gf -i in.wav 'fir:[1 -1],norm=sum' -o out.wav
frames 1  16384 8192
cp in.wav response.wav
frames 2  16384 8192  8192 4096
cp in.wav both.wav
frames 1  0 0 16384 0 0
heard '0 0 8192 4096 0' fir:response.wav
heard '0 0 12288 2048 0 0' reverb:response.wav,0.5,norm=none
heard '0 0 12288 2048 0' reverb:response.wav,50%,norm=none,tail=cut
heard '0 0 32767 8192 0 0' reverb:response.wav,dry=1,wet=2,norm=none
heard '0 0 14654 7327 0 0' reverb:response.wav,1          # .5 and .25 by the root of .3125
# Responses that cannot be used.
mkdir folder elsewhere
refuses 1 'fir: folder is a folder; name a file in it' 'fir of a folder' gf -i in.wav fir:folder -o elsewhere/out.wav
floats() { for v in "$@"; do printf "\\$(printf '%s' "$v" | sed 's/ /\\/g')"; done; }
for odd in '0 0 300 177' '0 0 200 177' '0 0 200 377'; do
    floats '0 0 200 77' '0 0 200 77' '0 0 200 77' '0 0 200 77' '0 0 0 0' "$odd" '0 0 200 77' '0 0 0 0' >odd.raw
    gf -f raw:rate=8000,channels=2,type=f32 -i odd.raw -o odd.wav
    refuses 2 'odd.wav: frame 2, channel 2, is not a number' "a response with the float $odd" \
        gf -i in.wav remix:1,1 fir:odd.wav -o out.wav
done
refuses 2 'norm=sum: the divisor of the taps is 0' 'taps of no sum' gf -i in.wav 'fir:[1 -1],norm=sum' -o out.wav
for norm in sum energy peak; do
    refuses 2 "norm=$norm: the taps are too large" "taps beyond all sums, $norm" gf -i in.wav \
        "fir:[1e308 1e308 1e308],norm=$norm" -o out.wav
done
refuses 2 'too large' 'fir with taps too large for single precision' gf -i in.wav 'fir:[1 1e40]' -o out.wav
refuses 1 'there are 2 channels of taps, but 1 channel;' 'two responses for one channel' gf -i in.wav fir:both.wav \
    -o out.wav
refuses 2 'dry=' 'a room that is too loud' gf -i in.wav reverb:response.wav,2 -o out.wav
cp in.wav slow.wav && printf '\200\076' | dd of=slow.wav bs=1 seek=24 conv=notrunc 2>/dev/null
refuses 1 'the response has 16000 Hz, but the audio has' 'a response of another rate' gf -i in.wav fir:slow.wav \
    -o out.wav
image dot.pam 1 1 2 255 1
refuses 2 "dot.pam: is PGM, PPM or PAM; a response must be an audio file" 'an image as a response' gf -i in.wav \
    fir:dot.pam -o out.wav
# a header of 21058x12617 pixels, which would need 1 GB to decode
printf '\0\0\12\0\0\0\0\0\0\0\0\0BRI1 \10' >vast.tga
refuses 2 'vast.tga: is TGA; a response' 'a vast image as a response is not decoded' gf -i in.wav fir:vast.tga \
    -o out.wav
frames 2  0 0  16384 16384  0 0
heard '0 0 8192 4096 4096 2048' fir:both.wav
# 40000 frames of silence except for one frame; 20000 taps that are 0 except for two. The transforms
# must leave exact zeros.
{ echo 1; yes 0 | head -n 19998; echo -1; } >far.txt
sound noise.wav 40000 1 3
gf -i noise.wav fir:far.txt,tail=keep -o far.wav
is 'a long tail is kept: 59999 frames' \
    "$(gf -i far.wav stats -t json | tr -d ' \n' | sed 's/.*"samples":\([0-9]*\).*/\1/')" 59999
gf -i noise.wav invert -o second.wav
is 'far taps: before the second tap, the input' "$(tail -c +45 far.wav | head -c 20000 | cksum)" \
    "$(tail -c +45 noise.wav | head -c 20000 | cksum)"
is 'far taps: after the end, the inverted input' "$(tail -c 20000 far.wav | cksum)" \
    "$(tail -c 20000 second.wav | cksum)"
gf <noise.wav fir:far.txt,tail=keep | cat >piped.wav
is 'far taps: a pipe gives the same as a file' "$(tail -c +45 piped.wav | cksum)" "$(tail -c +45 far.wav | cksum)"
{ printf 'RIFF\377\377\377\377'; head -c 40 noise.wav | tail -c +9; printf '\377\377\377\377'; tail -c +45 noise.wav;
    } >open.wav
cat open.wav | gf fir:far.txt,tail=keep | cat >piped.wav
is 'far taps: a pipe of unknown length gives the same as a file' "$(tail -c +45 piped.wav | cksum)" \
    "$(tail -c +45 far.wav | cksum)"
frames 2  1 -2  30000 4  5 -32768
heard '1 -2 30000 4 5 -32768' resample:8k # the rate of the input
heard '1 -2 30000 4 5 -32768' resample:8kHz
# A constant signal stays constant at any rate, with half or twice the number of frames.
sox -n -r 48000 -b 16 -c 1 dc.wav trim 0 4800s dcshift 0.5 2>/dev/null || skip 'no sox'
for to in 24000:2400 96000:9600 44100:4410 32001:3201; do
    [ -s dc.wav ] || break
    gf -i dc.wav resample:${to%:*} -t au -o dc.au
    is "frames at ${to%:*} Hz" $((($(wc -c <dc.au) - 24) / 2)) ${to#*:}
done
# A warning says that samples were clipped to integers, but not for a few peaks, not if samples only
# move, and not with -q.
frames 1  $(i=0; while [ $i -lt 40 ]; do printf '20000 20000 20000 20000 -20000 100 '; i=$((i + 1)); done)
gf -i in.wav gain:6 -o loud.wav 2>told
is 'clipping is counted' "$(grep -o '[0-9]* samples or more' told)" '80 samples or more'
works 'no warning of clipping with -q' "$GPUFILTER" -q -i in.wav gain:6 -o loud.wav
works 'no warning of clipping if samples only move' "$GPUFILTER" -i loud.wav reverse -o moved.wav
works 'no warning of clipping if nothing is clipped' "$GPUFILTER" -i in.wav gain:4 -o soft.wav
works 'no warning of clipping in floats' "$GPUFILTER" -i in.wav gain:6 --depth f32 -o float.wav
gf -i in.wav gain:6 tee:loud.wav gain:-6 -o calm.wav 2>told
is 'clipping in a tee is counted' "$(grep -o '^gpufilter: warning: [a-z]*.wav: [0-9]* samples or more' told)" \
    'gpufilter: warning: loud.wav: 80 samples or more'
works 'no warning of clipping for input that was already clipped' \
    "$GPUFILTER" -i loud.wav tee:same.wav gain:-6 -o calm.wav
# When a high tone is clipped, no three neighbors are at full scale.
if command -v sox >/dev/null; then
    sox -n -r 48000 -b 32 -e float high.wav synth 0.5 sine 12000 gain -0.1 2>/dev/null
    gf -i high.wav gain:3 --depth 16 -o loud.wav 2>told
    is 'a high tone' "$(grep -c 'loud.wav: 1[0-9]* samples or more' told)" 1
else
    skip 'no sox'
fi
# Two clipped samples in each of four runs of four, after silence: 40000 / 32768 is 1.73 dB. They
# are few, so only the stage that raised them is named.
frames 1  $(i=0; while [ $i -lt 4 ]; do printf '20000 20000 20000 20000 -20000 100 1 1 1 1 1 1 1 1 1 1 '; i=$((i + 1));
    done)
works 'no warning of clipping for a few samples' "$GPUFILTER" -i in.wav gain:6.0206 -o loud.wav
for stage in normalize:1.732 normalize:rms=$(gf -i in.wav gain:6.0206 stats -t csv |
    ${AWK:-awk} -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rms_db") at = i } NR == 2 { print $at }'); do
    gf -i in.wav $stage -o loud.wav 2>&1 | tail -n 1 >told
    is "clipping by $stage is explained" "$(cat told)" \
        "gpufilter: warning: loud.wav: 8 samples or more were clipped at full "\
"scale; $stage raises peaks 1.7 dB above it; add limit:-1 as the last stage"
done
works "no warning of clipping with limit after $stage" "$GPUFILTER" -i in.wav $stage limit:-1 -o soft.wav
works "no warning of clipping in floats after $stage" "$GPUFILTER" -i in.wav $stage --depth f32 -o soft.wav
gf -i in.wav tee:same.wav gain:9 tee:loud.wav $stage gain:-6 -o soft.wav 2>told
is 'the warning of clipping names no stage after a tee' "$(grep -c 'normalize:rms' told)" 0
# A stage that raised the peaks of one file is not named for the next one.
cp in.wav first.wav
frames 1  $(for i in 1 2 3 4; do printf '20000 20000 20000 20000 -20000 20000 1 1 1 1 1 1 1 1 1 1 '; done)
gf --strict -i in.wav $stage -o alone.wav 2>&1 | sed 's/.*raises/raises/' >alone
gf --strict -j 1 -i first.wav -i in.wav $stage -o '{stem}-batch.wav' 2>&1 | grep 'in-batch' |
    sed 's/.*raises/raises/' >batch
is 'the warning is there' "$(grep -c raises alone)" 1
same alone batch 'a batch names the same stage as one file'
# The count is the same at every bit depth, at both limits, and for every cut: all samples of a run
# except the first two.
frames 2  $(i=0; while [ $i -lt 40 ]; do printf '20000 1 20000 1 20000 1 20000 1 20000 -20000 20000 -20000 1 -20000 ';
    i=$((i + 1)); done)
for bits in 8 16 24 32; do
    for cut in '--segment 8K' '--segment 1' '--segment 24 -j 3' '--segment 40 --latency 1'; do
        for to in wav flac; do
            [ $bits$to = 32flac ] && continue
            gf -i in.wav $cut --depth $bits gain:6 -o loud.$to 2>told
            is "clipping at $bits bits in $to is counted, $cut" \
                "$(grep -o '[0-9]* samples or more' told)" '200 samples or more'
        done
    done
done
gf -i in.wav $cut --depth 8 gain:4 -o soft.wav 2>told
is 'no warning of clipping at 8 bits' "$(cat told)" ''
# Three taps of a lowpass at a quarter of the rate: sinc(1/2) = 2/pi in a Blackman window, .34 1
# .34, scaled to a sum of 1.
frames 1  0 0 16384 0 0
heard '0 2475 11434 2475 0' lowpass:2k,taps=3
heard '0 -2475 4950 -2475 0' highpass:2k,taps=3
heard '0 0 16384 0 0' bandstop:1k,3k,taps=1
heard '0 0 0 0 0' bandpass:1k,3k,taps=1
# A sine of a quarter of full scale at 1000 Hz: an edge at 1000 Hz passes half of it. Then a
# constant.
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '0 5793 8192 5793 0 -5793 -8192 -5793 '; i=$((i + 1)); done)
for stage in lowpass:1k highpass:1k,width=200 bandpass:1k,2k bandpass:500,1k,taps=801 bandstop:1k,2k; do
    is "half of it after $stage" "$(gf -i in.wav $stage trim:0.2,0.3 spectrogram:1,512 --to tsv | awk 'NR == 1 {
        for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 2 { printf "%.1f", $at }')" \
            "$(gf -i in.wav gain:-6.0206 trim:0.2,0.3 spectrogram:1,512 --to tsv |
        awk 'NR == 1 { for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 2 { printf "%.1f", $at }')"
done
is 'a narrow stop band leaves nothing in its middle' \
    "$(gf -i in.wav bandstop:980,1020 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { print $6 < 1e-4 }')" 1
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '8192 8192 8192 8192 8192 8192 8192 8192 '; i=$((i + 1)); done)
is 'a constant passes lowpass' \
    "$(gf -i in.wav lowpass:500 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { printf "%.6f %.6f", $2, $3 }')" \
    '0.250000 0.250000'
is 'a constant passes bandstop' "$(gf -i in.wav bandstop:500,900 trim:0.2,0.3 stats --to tsv |
    awk 'NR == 2 { printf "%.6f %.6f", $2, $3 }')" '0.250000 0.250000'
is 'a constant does not pass highpass' \
    "$(gf -i in.wav highpass:500 trim:0.2,0.3 stats --to tsv |
    awk 'NR == 2 { print $2 ^ 2 < 1e-14, $3 ^ 2 < 1e-14 }')" '1 1'
refuses 2 'must be odd' 'lowpass with taps=100, which is even' "$GPUFILTER" -i in.wav lowpass:500,taps=100 -o none.wav
refuses 1 'below 4000' 'an edge beyond half the rate' "$GPUFILTER" -i in.wav highpass:4k -o none.wav
refuses 2 'is not a band' 'edges in the wrong order' "$GPUFILTER" -i in.wav bandpass:900,300 -o none.wav
refuses 2 'one of them' 'taps and width' "$GPUFILTER" -i in.wav lowpass:900,taps=3,width=100 -o none.wav

finish
