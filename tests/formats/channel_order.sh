# Channel order: Vorbis and Opus have their own, and exchange with other programs must be correct.
. "$(dirname "$0")/../lib.sh"

# The tone is low enough for an LFE channel to keep. Each channel is 6 dB quieter than the previous
# one.
${AWK:-awk} 'BEGIN { for (i = 0; i < 256; i++) C[i] = sprintf("%c", i)
    for (i = 0; i < 96000; i++) { v = int(16000 * sin(6.283185307179586 * 60 * i / 48000) + 32768) - 32768
        v = v < 0 ? v + 65536 : v; printf "%s%s", C[v % 256], C[int(v / 256)] } }' >tone.raw
gf -f raw:rate=48000 -i tone.raw -o tone.wav

# steps FILE: prints for each channel how many steps of 6 dB it is below 16000; 99 if it is not a
# whole number of steps.
steps()
{
    gf -i "$1" stats -t csv 2>>errors | ${AWK:-awk} -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "rms") at = i }
        NR > 1 && $1 != "all" { d = log(16000 / 32768 / sqrt(2) / $at) / log(2); n = int(d + .5)
                                printf "%s ", d - n < .3 && n - d < .3 ? n : 99 }'
}

for channels in 2 3 4 5 6 7 8; do
    outputs=1 want='0 '
    for c in 1 2 3 4 5 6 7; do
        [ $c -lt $channels ] || break
        outputs="$outputs,$(${AWK:-awk} -v c=$c 'BEGIN { print 1 / 2 ^ c }')*1"
        want="$want$c "
    done
    gf -i tone.wav "remix:$outputs" -o steps.wav 2>errors
    is "$channels channels" "$(steps steps.wav)$(cat errors)" "$want"
    for format in ogg opus flac; do
        : >errors
        gf -i steps.wav -o ours.$format 2>errors
        is "$channels channels: $format gives back each in its place" "$(steps ours.$format)$(cat errors)" "$want"
        if command -v ffmpeg >/dev/null; then
            ffmpeg -v error -i ours.$format -c:a pcm_s16le theirs.wav -y </dev/null 2>errors
            is "$channels channels: ffmpeg finds each of our $format" "$(steps theirs.wav)$(cat errors)" "$want"
        else
            skip 'ffmpeg is not here'
        fi
    done
    # Some versions of ffmpeg have no order for seven channels in Opus.
    for codec in libvorbis:ogg libopus:opus flac:flac; do
        ffmpeg -v error -i steps.wav -c:a ${codec%:*} -mapping_family 1 theirs.${codec#*:} -y </dev/null >errors 2>&1 ||
            ffmpeg -v error -i steps.wav -c:a ${codec%:*} theirs.${codec#*:} -y </dev/null >errors 2>&1 \
                || { skip "no ${codec%:*} of $channels channels here"; continue; }
        : >errors
        is "$channels channels: each of ffmpeg's ${codec#*:}" "$(steps theirs.${codec#*:})$(cat errors)" "$want"
    done
done

# Loudness gives rear channels more weight and ignores the fourth channel, in every format alike.
gf -i tone.wav remix:.01*1,0,0,1,.02*1,0 -o low.wav
loudness()
{
    gf -i "$1" stats -t csv | ${AWK:-awk} -F, \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "lufs") at = i } $1 == "all" { printf "%.0f", $at }'
}
want=$(loudness low.wav)
for format in ogg opus flac; do
    gf -i low.wav -o low.$format
    is "loudness of 5.1 in $format" "$(loudness low.$format)" "$want"
done
if command -v ffprobe >/dev/null; then
    gf -i theirs.wav remix:1,2,3,4,5,6,7 -o seven.wav
    is 'seven are what ffmpeg and FLAC call 6.1' "$(ffprobe -v error -show_entries stream=channel_layout -of csv=p=0 \
        seven.wav)" 6.1
else
    skip 'ffprobe is not here'
fi
finish
