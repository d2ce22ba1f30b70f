#!/bin/sh
# Times long recordings, WAV to WAV, with gpufilter, SoX and FFmpeg in turn, and prints medians:
#   sound.sh GPUFILTER [ROUNDS [SECONDS]]
set -eu
gpufilter=${1:?the program}
rounds=${2:-5}
seconds=${3:-600}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export LC_ALL=C

# Makes stereo noise, and impulse responses of decaying noise as text and as the recordings that FFmpeg reads.
sox -D -R -n -r 48000 -c 2 -b 16 in.wav synth "$seconds" pinknoise vol 0.5 2>errors
for n in 255 8191 65535; do
    awk -v n=$n 'BEGIN { srand(n); for (i = 0; i < n; i++) printf "%.9g\n", (rand() - .5) * exp(-5 * i / n) * 4 / '\
'sqrt(n) }' >$n.txt
    awk 'BEGIN { print "; Sample Rate 48000"; print "; Channels 1" } { printf "%.9f %s\n", (NR - 1) / 48000, $1 }' \
        $n.txt |
        sox -t dat - -e float -b 32 $n.wav 2>>errors
done

# time_of COMMAND...: prints its wall time in milliseconds, or nothing if it fails.
time_of()
{
    start=$(date +%s%N)
    "$@" >/dev/null 2>>errors </dev/null || return 0
    echo $((($(date +%s%N) - start) / 1000000))
}
median() { sort -n | awk '{ v[NR] = $1 } END { if (NR > 0) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# Runs a job with gpufilter, SoX or FFmpeg. A missing program is left out.
run()
{
    case $1 in
    gpufilter) "$gpufilter" --device cpu -i in.wav $2 -o ${table:-ours.wav} ;;
    sox) if [ -n "$table" ]; then sox in.wav -n $3; else sox -D in.wav sox.wav $3; fi ;;
    *) ffmpeg -v error -y -i in.wav $4 -c:a pcm_s16le $([ -n "$table" ] && echo '-f null -' || echo ffmpeg.wav) ;;
    esac
}

table=                                        # the name of the table, if the result is only a table
# job NAME OURS SOX FFMPEG: prints a line of the table.
job()
{
    rm -f times.*
    round=0
    while [ $round -lt "$rounds" ]; do
        for program in gpufilter sox ffmpeg; do
            [ $program != sox ] || [ -n "$3" ] || continue
            [ $program != ffmpeg ] || [ -n "$4" ] || continue
            time_of run $program "$2" "$3" "$4" >>times.$program
        done
        round=$((round + 1))
    done
    ours=$(median <times.gpufilter)
    line="| $1 | \`$2\` | $ours |"
    for program in sox ffmpeg; do
        peer=$([ -s times.$program ] && median <times.$program || echo -)
        line="$line $peer | $(echo "$ours $peer" | awk '$2 > 0 { printf "%.2f", $1 / $2; exit } { printf "-" }') |"
    done
    echo "$line"
}

echo "| job | ours | ms | SoX, ms | ours / SoX | FFmpeg, ms | ours / FFmpeg |"
echo "|---|---|---|---|---|---|---|"
for n in 255 8191 65535; do
    job "$n taps" "fir:$n.txt" "fir $n.txt" "-i $n.wav -filter_complex [0][1]afir=gtype=none:irfmt=mono"
done
job 'sinc, 300 Hz wide, 74 dB' lowpass:3k 'sinc -a 74 -t 300 -3000' ''
job 'another rate, SoX at its default (high)' resample:44100 'rate -h 44100' ''
job 'another rate, SoX at its best' resample:44100 'rate -v 44100' '-af aresample=44100:resampler=soxr:precision=28'
job 'equalizer' eq:1k,1,6 'equalizer 1000 1q 6' '-af equalizer=f=1000:t=q:w=1:g=6'
table=ours.tsv
job 'loudness measured' stats 'stats' '-af ebur128'
table=
job 'loudness set to -23 LUFS; by peak; in one go' normalize:lufs=-23 'norm -3' '-af loudnorm=I=-23'
