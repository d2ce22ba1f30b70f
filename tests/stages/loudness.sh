# Loudness of audio: the signals of EBU Tech 3341 with their stated loudness, gates, true peaks, and
# a comparison with ffmpeg.
. "$(dirname "$0")/../lib.sh"

# tone FILE RATE PART...: writes 16 bits. A PART is SECONDS:DB,DB…, a sine of $hz with this level in
# each channel, starting at $turn of a period.
hz=997 turn=0
tone()
{
    file=$1 rate=$2
    shift 2
    echo "$*" | ${AWK:-awk} -v rate="$rate" -v hz=$hz -v turn=$turn '
    function le(v, bytes,    s) { for (s = ""; bytes-- > 0; v = int(v / 256)) s = s C[v % 256]; return s }
    {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        for (p = 1; p <= NF; p++) {
            split($p, at, ":")
            seconds[p] = at[1]
            channels = split(at[2], part, ",")
            for (c = 1; c <= channels; c++)
                level[p, c] = 32767 * 10 ^ (part[c] / 20)
            all += int(seconds[p] * rate)
        }
        printf "RIFF%sWAVEfmt %s%s%s%s%s%s%sdata%s", le(36 + all * channels * 2, 4), le(16, 4), le(1, 2), \
            le(channels, 2), \
               le(rate, 4), le(rate * channels * 2, 4), le(channels * 2, 2), le(16, 2), le(all * channels * 2, 4)
        for (p = 1; p <= NF; p++)
            for (i = 0; i < int(seconds[p] * rate); i++) {
                s = sin(6.283185307179586 * (hz * n / rate + turn))
                n++
                for (c = 1; c <= channels; c++) {
                    v = int(level[p, c] * s + 32768.5) - 32768
                    printf "%s", le(v < 0 ? v + 65536 : v, 2)
                }
            }
    }' >"$file"
}

# loud FILE CHANNEL ARGUMENT...: prints the LUFS. peak FILE CHANNEL ARGUMENT...: prints the true
# peak.
loud() { figure lufs stats "$@"; }
peak() { figure true_peak_db stats:true "$@"; }
figure()
{
    column=$1 stage=$2 file=$3 row=$4
    shift 4
    gf -i "$file" "$@" $stage -o out.tsv && ${AWK:-awk} -v row="$row" -v column=$column -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == row { print $at[column] }' out.tsv
}

# near NAME FOUND WANTED: tests within 0.1, as the EBU requires, or within $4.
near()
{
    is "$1 ($2)" "$(echo "$2 $3 ${4:-.1}" |
        ${AWK:-awk} '{ d = $1 - $2; print ($1 != "" && $1 != "nan" && d <= $3 && d >= -$3) }')" 1
}

tone one.wav 48000 2:-23,-23
near 'a sine of -23 dB in two channels' "$(loud one.wav all)" -23
near 'one channel alone' "$(loud one.wav 1)" -26.01
near 'a sine of -33 dB in one channel' "$(loud one.wav all gain:-10)" -33
tone five.wav 48000 1:-28,-28,-24,-30,-30
near 'five channels, with more weight for the surround channels' "$(loud five.wav all)" -23
tone six.wav 48000 1:-28,-28,-24,0,-30,-30
near 'the LFE channel does not count' "$(loud six.wav all)" -23
near 'the LFE channel counts if it is alone' "$(loud six.wav 4)" -3.01

# 8000 Hz, to save time. In one channel -20 dB is as loud as -23 dB in two.
tone gates.wav 8000 5:-33 30:-20 5:-33
near 'parts that are 13 dB softer are gated' "$(loud gates.wav all)" -23
tone silent.wav 8000 10:-20 30:-140
near 'silence is gated' "$(loud silent.wav all)" -23
tone soft.wav 8000 10:-60 10:-68
near 'parts under -70 LUFS are gated, although only 8 dB softer' "$(loud soft.wav all)" -63
is 'no loudness if all parts are gated' "$(loud soft.wav all gain:-8)" -inf
tone short.wav 8000 0.39:-20
is 'no loudness for less than 0.4 seconds' "$(loud short.wav all)" -inf
tone enough.wav 8000 0.4:-20
near 'four are enough' "$(loud enough.wav all)" -23 0.3
tone low.wav 3999 1:-20
is 'no loudness at too low a rate' "$(loud low.wav all)" nan

# Normalized to a loudness.
for lufs in -23 -14 -40.5; do
    gf -i six.wav normalize:lufs=$lufs -o n.wav --depth f32
    near "normalize:lufs=$lufs has that loudness" "$(loud n.wav all)" $lufs .001
done
gf -i gates.wav normalize:lufs=-30 -o n.wav
near 'normalize:lufs=-30 of audio with gated parts' "$(loud n.wav all)" -30 .01
gf -i short.wav normalize:lufs=-30 -o n.wav
same short.wav n.wav 'short audio is unchanged'
tone s.wav 8000 2:-140
gf -i s.wav normalize:lufs=-30 -o n.wav
same s.wav n.wav 'normalize:lufs=-30 leaves silence unchanged'
refuses 1 '4000' 'normalize:lufs=-30 of audio with too low a rate' gf -i low.wav normalize:lufs=-30 -o n.wav
{ head -c 24 s.wav; printf '\377\377\377\177'; tail -c +29 s.wav; } >high.wav            # a header may state any size
refuses 1 'to 10000000 Hz; this audio has 2147483647' 'normalize:lufs=-30 of audio with too high a rate, at once' \
    timeout 5 "$GPUFILTER" -i high.wav normalize:lufs=-30 -o n.wav
is 'audio with too high a rate has no loudness' \
    "$(timeout 5 "$GPUFILTER" -i high.wav stats -t json | grep -o '"lufs":null' | wc -l)" 2
refuses 2 'takes only one of a peak' 'normalize takes one of peak, RMS and loudness' \
    gf -i one.wav normalize:-1,lufs=-30 -o n.wav
refuses 2 'takes only one of a peak' 'normalize does not take two keys' gf -i one.wav normalize:rms=-1,lufs=-30 -o n.wav

# A pipe of unknown length gives the same result, in little memory too.
data() { tail -c +45 "$1"; }
{ printf 'RIFF\377\377\377\377WAVE'; head -c 40 gates.wav | tail -c +13; printf '\377\377\377\377'; data gates.wav;
    } >endless.wav
for stage in normalize:-3 normalize:lufs=-30 equalize; do
    gf -i gates.wav $stage -o n.wav
    data n.wav >wanted.raw
    for option in '' '--memory 3M' '--segment 5000 --lanes 3'; do
        cat endless.wav | gf $option $stage >p.wav
        data p.wav >got.raw
        same wanted.raw got.raw "$stage of a pipe $option"
    done
done
cat endless.wav | gf --latency 20 normalize >p.wav 2>errors
is 'normalize cannot keep a latency' \
    "$(grep -c 'latency: normalize needs the length of the input' errors)" 1

# Peaks between samples. At a fourth of the rate all samples of the sine are 3.01 dB below its
# peaks, at a sixth 1.25 dB.
gentle=fade:20ms,20ms
hz=12000 turn=.125
tone quarter.wav 48000 .2:0,-20
is 'a sine with peaks between samples' "$(figure peak_db stats quarter.wav 1 | ${AWK:-awk} '{ printf "%.2f", $1 }')" \
    -3.01
near 'a sine with peaks between samples: its true peak' "$(peak quarter.wav 1 $gentle)" 0 .01
near 'a sine with peaks between samples: the true peak of a softer channel' "$(peak quarter.wav 2 $gentle)" -20 .01
near 'a sine with peaks between samples: the true peak of both channels' "$(peak quarter.wav all $gentle)" 0 .01
near 'a sine with peaks between samples: a true peak beyond full scale' "$(peak quarter.wav all $gentle gain:2)" 2 .01
hz=8000 turn=.16666667
tone sixth.wav 48000 .2:-6
near 'a sixth of the rate' "$(peak sixth.wav all $gentle)" -6 .01
hz=20000 turn=0
tone high.wav 48000 .2:-6
near 'a high sine' "$(peak high.wav all $gentle)" -6 .02
hz=600 turn=0
tone tiny.wav 2400 .2:-6
near 'a sine at a low rate: its true peak' "$(peak tiny.wav all $gentle)" -6 .01
is 'a true peak is no less than the highest sample' "$(gf -i high.wav stats:true |
    ${AWK:-awk} 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 { print ($at["true_peak_db"] >= $at["peak_db"]) }' | tr '\n' ' ')" '1 1 '
gf -i sixth.wav stats:true -t csv >true.csv
is 'stats:true has all other columns of stats' "$(gf -i sixth.wav stats -t csv)" "$(cut -d , -f 1-13 true.csv)"
gf -i sixth.wav stats:true -t json >true.json
is 'samples are counted once' "$(grep -o '"samples":[0-9]*' true.json)" '"samples":9600'
tone none.wav 8000 .1:-400
is 'silence has no peak' "$(peak none.wav all)" -inf
cat quarter.wav | gf stats:true >piped.tsv
gf -i quarter.wav stats:true >filed.tsv
same filed.tsv piped.tsv 'true peaks of a pipe'
cat endless.wav | gf --memory 3M stats:true >piped.tsv
gf -i gates.wav stats:true >filed.tsv
same filed.tsv piped.tsv 'true peaks of a pipe of unknown length'

# Samples that are not finite count as 0 there, and interpolated values after the last sample count.
raw=raw:rate=48000,type=f32,channels
bytes() { for octal in "$@"; do printf "\\$octal"; done; }
{ head -c 12 /dev/zero; bytes 0 0 200 76 0 0 300 177; head -c 12 /dev/zero; } >nan.raw           # 0.25, NaN
is 'a sample that is not a number leaves the others' \
    "$(gf --from $raw=1 -i nan.raw stats:true -t csv | cut -d , -f 7,13,14 | sed -n 2p)" '-12.0411998,1,-12.0411998'
{ head -c 400 /dev/zero; bytes 0 0 0 77 0 0 0 277; } >end.raw                                    # 0.5, -0.5
{ cat end.raw; head -c 400 /dev/zero; } >inside.raw
is 'peaks after the last sample count' "$(gf --from $raw=1 -i end.raw stats:true -t csv | cut -d , -f 14)" \
    "$(gf --from $raw=1 -i inside.raw stats:true -t csv | cut -d , -f 14)"
head -c 42240 /dev/zero >wide.raw
refuses 1 'true peaks are measured in at most 32 channels; this audio has 33' 'true peaks of too many channels' \
    gf --from $raw=33 -i wide.raw stats:true -o wide.tsv
works 'true peaks of as many channels as possible' gf --from $raw=32 -i wide.raw stats:true -o wide.tsv

# A limiter for true peaks. The second check measures at 384000 Hz, through the longer filter of
# resample.
is 'plain limit does not limit peaks between samples' \
    "$(peak quarter.wav all $gentle gain:6 limit:-1 | ${AWK:-awk} '{ print ($1 > 1.9) }')" 1
near 'limit with true peaks limits peaks between samples' "$(peak quarter.wav all $gentle gain:6 limit:-1,true)" -1
near 'limit with true peaks, measured with another filter' \
    "$(figure peak_db "resample:384k stats" quarter.wav all $gentle gain:6 limit:-1,true)" -1
sound rough.wav 40000 2 5
for stage in limit:-6,true limit:-6,true,ahead=1ms limit:-6,true,ahead=50ms; do
    gf -i rough.wav resample:48k lowpass:18k normalize gain:3 $stage --depth f32 -o held.wav
    near "noise, $stage: its true peak" "$(peak held.wav all)" -6
    near "noise, $stage: its true peak, measured with another filter" \
        "$(figure peak_db "resample:384k stats" held.wav all)" -6
done
is 'limit:-6 does not' "$(peak rough.wav all resample:48k lowpass:18k normalize gain:3 limit:-6 |
    ${AWK:-awk} '{ print ($1 > -5.7) }')" 1
gf -i rough.wav gain:-12 -o soft.wav
gf -i rough.wav gain:-12 limit:-3,true -o held.wav
same soft.wav held.wav 'lower levels are unchanged'
gf -i quarter.wav pad:1000f,1000f limit:-1,true -o held.wav
gf -i quarter.wav pad:1000f,1000f -o whole.wav
for part in trim:0,500f trim:-500f; do
    gf -i held.wav $part -o got.wav
    gf -i whole.wav $part -o wanted.wav
    same wanted.wav got.wav "samples far from peaks are unchanged, $part"
done

# Compared with ffmpeg, on noise of changing level at many rates.
if command -v ffmpeg >/dev/null && ffmpeg -hide_banner -v quiet -h filter=ebur128 | grep -q metadata; then
    for rate in 8000 16000 32000 44100 48000 96000 192000; do
        ffmpeg -v error -y -f lavfi -i "anoisesrc=r=$rate:a=0.3:d=6:c=pink:seed=$rate,"\
"aeval='val(0)*(0.05+0.95*lt(mod(t,2),1.3))|val(0)*0.3+0.1'" \
            -c:a pcm_s24le noise.wav </dev/null
        theirs=$(ffmpeg -hide_banner -nostats -v quiet -i noise.wav -af \
            ebur128=metadata=1,ametadata=print:key=lavfi.r128.I:file=- -f null - </dev/null |
            sed -n 's/^lavfi.r128.I=//p' | tail -n 1)
        near "the loudness that ffmpeg measures, $rate Hz: $theirs" "$(loud noise.wav all)" "$theirs" .05
        [ $rate -le 96000 ] || continue          # ffmpeg measures at 192000 Hz
        theirs=$(ffmpeg -hide_banner -nostats -v quiet -i noise.wav -af \
            ebur128=metadata=1:peak=true,ametadata=print:key=lavfi.r128.true_peak:file=- \
                -f null - </dev/null | sed -n 's/^lavfi.r128.true_peak=//p' | tail -n 1 |
                ${AWK:-awk} '{ print 20 * log($1) / log(10) }')
        near "the true peak that ffmpeg measures, $rate Hz: $theirs" "$(peak noise.wav all)" "$theirs" .2
    done
else
    skip 'no ffmpeg with ebur128 here'
fi
finish
