# Commands for video in messages and pages, run as they are printed: the audio stays, in its full length.
. "$(dirname "$0")/../lib.sh"

encodes='libx264 aac mpeg4 libmp3lame libvpx-vp9 libopus'
for codec in $encodes; do
    ffmpeg -hide_banner -encoders 2>/dev/null | grep -q " $codec " || skip_all "no ffmpeg with $codec"
done
command -v ffprobe >out || skip_all 'ffprobe is not here'
ff() { ffmpeg -v error -nostdin -y "$@"; }
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter
printf '#!/bin/sh\nexec %s -v error -nostdin -y "$@"\n' "$(command -v ffmpeg)" >bin/ffmpeg
chmod +x bin/ffmpeg
PATH=$scratch/bin:$PATH

ff -f lavfi -i testsrc=size=96x64:rate=25:duration=2 -f lavfi -i sine=440:sample_rate=48000:duration=2 \
    -pix_fmt yuv420p in.mp4
ff -f lavfi -i testsrc=size=96x64:rate=25:duration=2 -pix_fmt yuv420p silent.mp4
cp in.mp4 in.webm                                # gpufilter reads neither, by name or by content

# streams FILE: prints the kinds of its streams, each with its duration in tenths of a second.
streams()
{
    for kind in v a; do
        ffprobe -v error -select_streams $kind -show_entries packet=pts_time,duration_time -of csv=p=0 "$1" |
            awk -F , -v kind=$kind '$1 + $2 > end { end = $1 + $2 } END { printf "%s %.0f ", kind, 10 * end }'
    done
}

# keeps NAME COMMAND OUTPUT [STREAMS]: runs a command that is printed somewhere.
keeps()
{
    rm -f "$3"
    sh -c "$2" >out 2>errors
    is "$1: $2" "$? $(cat errors) $(streams "$3" | sed 's/ 2[01] / 20 /g')" "0  ${4:-v 20 a 20 }"
}

# advice PATTERN COMMAND...: prints the part of the message that matches a pattern of sed.
advice()
{
    pattern=$1
    shift
    "$@" 2>&1 >out | sed -n "s/.*use $pattern/\\1/p"
}

decode='ffmpeg -i in.mp4 -f yuv4mpegpipe - |'
for format in avi mkv mov mp4 webm; do
    command=$(advice '\(gpufilter.*\), with the audio of VIDEO$' gf -i in.ppm $format)
    command=$(echo "$decode $command" | sed 's/\.\.\./blur:1/; s/VIDEO/in.mp4/')
    keeps "a stage called $format" "$command" out.$format
done
command=$(advice '\(gpufilter.*\), with the audio of VIDEO, or try.*' \
    sh -c "$decode"' gpufilter blur:1 -o "a film.mp4"')
command=$(echo "$decode $command" | sed 's/\.\.\./blur:1/; s/VIDEO/in.mp4/')
keeps 'an output of a Y4M' "$command" 'a film.mp4'
keeps 'a film without audio' "$(echo "$command" | sed 's/in\.mp4/silent.mp4/g')" 'a film.mp4' 'v 20 a 0 '
image in.ppm 32 24 3 255 1
command=$(advice '\(gpufilter.*\), or try.*' gf -i in.ppm invert -o film.mp4)
command=$(echo "cat in.ppm in.ppm | $command" | sed 's/\.\.\./-r 1 invert/')
keeps 'an output of an image' "$command" film.mp4 'v 20 a 0 '
for file in in.mp4 in.webm; do
    command=$(advice '\(ffmpeg.*\) for its frames, or.*' gf -i $file blur:1)
    keeps "an input $file" "$(echo "$command" | sed "s/\.\.\./blur:1/; s/FILE/$file/g; s/OUTPUT/out/")" out.mp4
done
command=$(advice '.*, or \(ffmpeg.*\) for its audio' gf -i in.mp4 blur:1)
command=$(echo "$command" | sed 's/\.\.\./gain:-3 -o out.wav/; s/FILE/in.mp4/')
keeps 'the audio of an input' "$command" out.wav 'v 0 a 20 '

# ---- pages
if [ -f "$tree/man/gpufilter.1.in" ]; then
    # Prints the commands of pages that encode a video, each on a line.
    cd "$tree" || exit 99
    sed 's/\\-/-/g; s/\\(aq/'\''/g; s/\\fB//; s/\\fP//' README.md man/gpufilter.1.in man/web/start.html |
        awk '/\|$/ && /^ *ffmpeg/ { held = $0; next } { print held $0; held = "" }' |
        grep '^ffmpeg .*| ffmpeg\|^ffmpeg .*|  *ffmpeg' | sort -u >"$scratch/commands"
    cd "$scratch" || exit 99
    is 'pages have such commands' "$([ -s commands ] && echo yes)" yes
    while read -r command; do
        keeps 'a command of a page' "$command" out.mp4 </dev/null
    done <commands
fi
finish
