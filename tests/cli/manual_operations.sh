# The operations in gpufilter-internals(7) are complete, and each names exactly the stages that use
# it.
. "$(dirname "$0")/../lib.sh"
cp "$GPUFILTER_SAMPLES"/* . 2>/dev/null
page=$tree/man/gpufilter-internals.7.in
[ -f "$page" ] || page=$tree/man/gpufilter-internals.7

# Lists the operations of the section, and "OPERATION STAGE" for each stage that it names. The
# stages of an operation may take several lines; a period ends them.
${AWK:-awk} '
/^\.SH/ { here = $2 == "OPERATIONS" }
here && /^\.B [a-z]+$/ { op = $2; print op >"told.ops" }
here && /^Used by / && !/^Used by all / { sub(/^Used by /, ""); used = 1 }
here && used { used = !sub(/\.$/, ""); n = split($0, stage, /, */)
    for (i = 1; i <= n; i++) if (stage[i] != "") print op, stage[i] >"told" }' "$page"
sort -o told told
sort -o told.ops told.ops
is 'the section lists operations, each once' \
    "$(uniq -d told.ops; wc -l <told.ops | ${AWK:-awk} '{ print ($1 > 30) }')" 1
if [ -f "$tree/kernels/operations.c" ]; then
    find "$tree"/kernels -name "*.c" |
        xargs sed -n '/^const struct gf_operation /,/^};/s/.*\.word = "\([a-z]*\)".*/\1/p' | sort >known.ops
    nothing 'all operations of the section exist' comm -23 told.ops known.ops
else
    skip 'no source here'
fi

# Prints "OPERATION STAGE" for the steps of a run. --explain lists them without running anything.
# Point programs are left out, because those of several stages merge.
parts()
{
    gf --device cpu "$@" --explain 2>>errors | sed -n 's/^    \([a-z][a-z]*\)  *\([a-z0-9]*\).*/\1 \2/p' |
        grep -v '^segments \|^point \| load$\| store$'
}
# Options that no example has. Stages whose examples show all their operations need no line here.
for stage in 'blur:2' 'blur:200' 'box:1' 'box:20' bilateral:1,0.2 'median:1' 'erode:1' 'dilate:1' 'open:1' 'close:1' \
    'resize:50%' 'rotate:30' 'rotate:90' 'crop:9x9+1+1' flip \
    flop transpose 'pad:3' canny 'conv:[1 2 1; 0 0 0; 1 2 1]' 'conv1d:[1 2 1],axis=x' dog:1,2 emboss laplacian sharpen \
    sobel unsharp autolevel \
    autolevel:1% clahe equalize equalize:rgb normalize:1% normalize histogram stats 'gamma:2 stats' threshold:otsu \
    integral cumsum compare:photo.ppm over:photo.ppm \
    blend:photo.ppm,normal diff:photo.ppm mask:photo.ppm noise:0.1 vignette gray:lightness invert posterize:3 \
    saturate:2 clamp channel:r alpha:on; do
    case $stage in
    conv*) parts -i photo.ppm "$stage" ;;
    *) parts -i photo.ppm $stage ;;
    esac
done >seen
for stage in 'lowpass:3k' 'lowpass:3k,taps=31' highpass:80 highpass:3k,taps=31 bandpass:300,3k bandpass:300,3k,taps=31 \
    bandstop:300,3k bandstop:300,3k,taps=31 \
    fir:taps.txt fir:room.wav reverb:room.wav,0.3 reverb:taps.txt,0.3 bass:3 treble:3 eq:1k,1,3 biquad:1,0,0,0,0 \
    resample:48k normalize normalize:rms=-20 \
    normalize:lufs=-20 equalize histogram stats stats:true 'resample:3k stats' waveform spectrogram remix:2,1 \
    channel:1 trim:0,1 pad:1 delay:1 reverse echo:1,0.5 fade:1 limit limit:-1,true dither mono \
    gain:3 dcshift:0.1 clamp; do
    parts -i sound.wav $stage
done >>seen
gf --manual examples |
    sed -n 's/^gpufilter -i \(photo.ppm\|sound.wav\|voice.wav\|scene.ppm\|chart.pgm\) \([^|&>]*\)$/-i \1 \2/p' >lines
while IFS= read -r line; do
    eval "parts $line"
done <lines >examples 2>>errors
is 'each stage of this test was explained' "$(cat errors)" ''
is 'examples are many' "$(sort -u examples | wc -l | ${AWK:-awk} '{ print ($1 > 40) }')" 1
sort -u -o seen seen examples
nothing 'each operation that --explain shows has its stages in the manual (listed: operation, stage; add them there)' \
    comm -23 seen told
nothing 'the manual names no others (listed; or no example and no line of this script shows that use: add one)' \
    comm -13 seen told
finish
