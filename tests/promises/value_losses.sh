# Samples that the output cannot store: floats outside 0 to 1, NaN, transparent pixels. One warning,
# before any file is replaced.
. "$(dirname "$0")/../lib.sh"

# warns NAME LINES COMMAND...: the command succeeds and prints exactly LINES on standard error.
warns()
{
    name=$1 lines=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $lines"
}
# mentions NAME PATTERN COMMAND...: the command succeeds and prints one line that matches PATTERN
# (grep).
mentions()
{
    name=$1 pattern=$2
    shift 2
    "$@" >out 2>errors </dev/null
    if [ $? = 0 ] && [ "$(wc -l <errors)" = 1 ] && grep -q -- "$pattern" errors; then
        pass "$name"
    else
        fail "$name"
        { echo "wanted one line with '$pattern'"; cat errors; } | note
    fi
}
# Floats of a gray PFM, little-endian: 0, 1/2, 1, 2, -1, NaN; and two values just outside the range,
# 1.0000001 and -1e-6.
zero='\000\000\000\000' half='\000\000\000\077' one='\000\000\200\077' two='\000\000\000\100' minus='\000\000\200\277' \
    nan='\000\000\300\177'
above='\001\000\200\077' below='\275\067\206\265'
floats() { file=$1 width=$2; shift 2; { printf 'Pf\n%d 1\n-1.0\n' "$width"; for v; do printf "$v"; done; } >"$file"; }
floats hot.pfm 4 $zero $half $two $minus
floats in.pfm 4 $zero $half $one $one
floats noise.pfm 4 $above $below $half $one
floats nan.pfm 4 $nan $half $one $nan

clipped='gpufilter: warning: hot.pfm: 50% of the samples lie outside 0 to 1 (-1 to 2) and are clipped; to keep them, '\
'begin with normalize or levels:-1,2; to clip them without a warning, add clamp'
warns 'stored in integers' "$clipped" gf -i hot.pfm -o o.pgm
warns 'floats clipped after a stage that keeps the range' "$clipped" gf -i hot.pfm flip -o o.png
warns 'floats clipped in segments of one row' "$clipped" gf --segment 1 --lanes 2 -i hot.pfm blur:1 -o o.png
warns 'floats clipped in a tee' "$clipped" gf -i hot.pfm tee:t.png levels:-1,2 -o o.png
warns 'floats clipped from a pipe' "$(echo "$clipped" | sed 's/hot.pfm/standard input/')" \
    sh -c "\"$GPUFILTER\" -t pgm <hot.pfm"
for stages in levels:-1,2 normalize autolevel clamp brightness:0.5 contrast:0.5 sobel 'threshold:1'; do
    works "$stages sets the range" gf -i hot.pfm $stages -o o.pgm
done
works 'floats of an image stay floats' gf -i hot.pfm blur:1 -o o.pfm
works 'a table does not clip' gf -i hot.pfm stats -o o.tsv
works 'floats within the range' gf -i in.pfm -o o.pgm
works 'floats with rounding noise' gf -i noise.pfm -o o.pgm
works 'integers that a stage takes outside' gf -i in.pfm sharpen:5 -o o.pgm
warns 'floats that are NaN' \
    'gpufilter: warning: nan.pfm: 2 samples are not finite; NaN is stored as 0, infinity as the end of the '\
'range' \
    gf -i nan.pfm normalize -o o.pgm
rm -f strict.pgm
refuses 1 'hot.pfm: 50% of the samples.*(an error' 'floats clipped are an error with --strict' \
    gf --strict -i hot.pfm -o strict.pgm
is 'floats clipped with --strict leave no output' "$(ls strict.pgm 2>/dev/null)" ''
refuses 1 'hot.pfm: 50% of' 'floats clipped in a tee are an error with --strict' \
    gf --strict -i hot.pfm tee:strict.pgm levels:-1,2 -o o.pgm
is 'floats clipped in a tee with --strict leave no output' "$(ls strict.pgm 2>/dev/null)" ''
cat hot.pfm in.pfm hot.pfm >many.pfm
if gf -i many.pfm -t pam >/dev/null 2>&1; then
    mentions 'several images in one file: once' '% of the samples' gf -i many.pfm -t pnm -o o.pnm
fi
mkdir in made
cp hot.pfm in/a.pfm
cp hot.pfm in/b.pfm
cp in.pfm in/c.pfm
mentions 'floats clipped in a batch: one warning with a count' 'in/a.pfm and 1 other file: 50%' gf -i in -t png -o made/

# ---- stages that count in bins

binned="gpufilter: warning: hot.pfm: 50% of the samples lie outside 0 to 1 (-1 to 2), and"
for stage in histogram:4 threshold:otsu equalize autolevel:10% clahe:1; do
    mentions "$stage names the bins" "^$binned $stage counts them in its outermost bins; to include them, put "\
"normalize before it or give it range=-1,2" gf -i hot.pfm $stage -o o.tsv \
--to $([ $stage = histogram:4 ] && echo tsv || echo pfm)
done
for stage in histogram:4,range=-1,2 threshold:otsu,range=-1,2 equalize:range=-1,2 autolevel:10%,range=-1,2 \
    clahe:1,range=-1,2; do
    works "$stage counts them" gf -i hot.pfm $stage -o o.tsv \
        --to $([ $stage = histogram:4,range=-1,2 ] && echo tsv || echo pfm)
done
for stage in equalize:range=-1,2 clahe:1,range=-1,2; do
    mentions "$stage does not prevent clipping" \
        '^gpufilter: warning: hot.pfm: .* and are clipped; to keep them, begin with normalize' gf -i hot.pfm $stage \
        -o o.pgm
done

# ---- audio

# wave FILE COUNT SAMPLE...: writes a float WAV, mono, 8000 Hz, that repeats the samples (octal
# bytes). COUNT is the total number of samples, a multiple of 10.
wave()
{
    file=$1 count=$2 ten=
    shift 2
    while [ ${#ten} -lt 160 ]; do for v; do ten=$ten$v; done; done
    {
        printf 'RIFF\377\377\377\377WAVEfmt \020\000\000\000\003\000\001\000'\
'\100\037\000\000\000\175\000\000\004\000\040\000data'
        printf "\\$(printf %03o $((count * 4 % 256)))\\$(printf %03o $((count * 4 / 256 % 256)))\\000\\000"
        i=0
        while [ $i -lt $((count / 10)) ]; do printf "$ten"; i=$((i + 1)); done
    } >"$file"
}
three='\000\000\100\100' more='\315\314\214\077'         # 3, 1.1
wave clicks.wav 400 $three $zero $zero $zero $zero            # a fifth of the samples, never two consecutive ones
wave nan.wav 400 $nan $zero $zero $zero $zero
wave quiet.wav 400 $half $one $minus $zero $half
wave close.wav 400 $above $one $minus $zero $half
clicks='clicks.wav: 20% of the samples lie outside -1 to 1 (up to 9.5 dB above full scale) and are clipped; to keep '\
'them, begin with gain:-9.6, limit:-1 or normalize:-1; to clip them without a warning, add clamp:-1,1'
warns 'audio clipped by a copy' "gpufilter: warning: $clicks" gf -i clicks.wav --depth 16 -o o.wav
warns 'audio clipped in segments' "gpufilter: warning: $clicks" \
    gf -i clicks.wav --segment 7 --lanes 2 --depth 16 -o o.wav
warns 'audio clipped after a filter' "gpufilter: warning: $clicks" gf -i clicks.wav lowpass:1000 --depth 16 -o o.wav
warns 'audio clipped in a tee' "gpufilter: warning: $clicks" gf -i clicks.wav tee:t.flac gain:-10 --depth 16 -o o.wav
rm -f strict.wav
refuses 1 'clicks.wav: 20% of the samples.*(an error' 'audio clipped is an error with --strict' \
    gf --strict -i clicks.wav --depth 16 -o strict.wav
is 'audio clipped with --strict leaves no output' "$(ls strict.wav 2>/dev/null)" ''
gf -i clicks.wav -t raw:type=f64 2>/dev/null | gf -f raw:type=f64,rate=8000,channels=1 --depth 16 -o o.wav 2>errors
is 'audio of 64 bits is clipped' "$(cat errors)" \
    "gpufilter: warning: $(echo "$clicks" | sed 's/clicks.wav/standard input/')"
for stages in gain:-10 limit:-1 normalize:-1 clamp:-1,1; do
    works "$stages sets the level" gf -i clicks.wav $stages --depth 16 -o o.wav
done
works 'floats of audio stay floats' gf -i clicks.wav lowpass:1000 -o o.wav
works 'audio at full scale is within the range' gf -i quiet.wav --depth 16 -o o.wav
works 'audio with rounding noise is within the range' gf -i close.wav --depth 16 -o o.wav
works 'stats has no range' gf -i clicks.wav stats -o o.tsv
mentions 'a histogram has' '20% of the samples lie outside -1 to 1 (up to 9.5 dB.*and histogram counts them' gf \
    -i clicks.wav histogram -o o.tsv
warns 'NaN in audio' 'gpufilter: warning: nan.wav: 80 samples are not finite; NaN is stored as 0, infinity as the end '\
'of the range' \
    gf -i nan.wav gain:-1 --depth 16 -o o.wav
if gf -i quiet.wav -o o.ogg >/dev/null 2>&1; then
    mentions 'NaN in a lossy format' 'o.ogg: 80 samples are not finite or more than 24 dB above' gf -i nan.wav -o o.ogg
    wave rare.wav 400 $more $zero $zero $zero $zero
    gf -i rare.wav resample:44100 fade:0.05 gain:0.5 -o rare.ogg 2>/dev/null
    gf -i rare.ogg -o decoded.wav                             # floats
    works 'a lossy decoder may overshoot a little' gf -i rare.ogg --depth 16 -o o.wav
    mentions 'a lossless file may not' 'decoded.wav: .* of the samples lie outside -1 to 1' gf -i decoded.wav \
        --depth 16 -o o.wav
    gf -i clicks.wav resample:44100 -o clicks.ogg 2>/dev/null
    mentions 'a compressed file may exceed the range, but not by much' \
        'clicks.ogg: .* of the samples lie outside -1 to 1' gf -i clicks.ogg --depth 16 -o o.wav
else
    skip 'no Ogg Vorbis here'
fi

# ---- a second image

floats ten.pfm 2 '\000\000\040\101' '\000\000\310\101'            # 10 and 25
floats low.pfm 2 '\000\000\310\301' '\000\000\040\301'            # -25 and -10
printf 'P5\n2 1\n255\n\000\000' >two.pgm
warns 'the message has the extremes of the samples' \
    'gpufilter: warning: ten.pfm: 100% of the samples lie outside 0 to 1 (10 to '\
'25) and are clipped; to keep them, begin with normalize or levels:10,25; to clip them without a warning, add clamp' \
    gf -i ten.pfm -o o.png
mentions 'negative extremes, too' '(-25 to -10)' gf -i low.pfm -o o.png
side='two.pgm: 100% of the samples of ten.pfm lie outside 0 to 1 (10 to 25), so the result of blend:ten.pfm,normal is '\
'clipped; to keep its values, convert that file with normalize or levels:10,25 first; to clip without a warning, add '\
'clamp after the stage'
warns 'a second image' "gpufilter: warning: $side" gf -i two.pgm blend:ten.pfm,normal -o o.png
warns 'a second image is clipped after a stage that sets the range of the first' "gpufilter: warning: $side" \
    gf -i two.pgm levels:0.1,0.9 blend:ten.pfm,normal -o o.png
warns 'a second image is clipped in a tee' "gpufilter: warning: $side" \
    gf -i two.pgm blend:ten.pfm,normal tee:t.png clamp -o o.png
refuses 1 'two.pgm: 100% of the samples of ten.pfm.*(an error' \
    'a second image that is clipped is an error with --strict' gf --strict -i two.pgm blend:ten.pfm,normal -o strict.png
mentions 'a second image with NaN' 'two.pgm: 1 sample of side.pfm is not finite' sh -c "
    { printf 'Pf\n2 1\n-1.0\n$nan$half'; } >side.pfm; \"$GPUFILTER\" -i two.pgm blend:side.pfm,normal -o o.png"
warns 'a second image is clipped with a pipe as the input' \
    "gpufilter: warning: $(echo "$side" | sed 's/two.pgm/standard input/')" \
    sh -c "\"$GPUFILTER\" blend:ten.pfm,normal -t png -o o.png <two.pgm"
works 'clamp after it' gf -i two.pgm blend:ten.pfm,normal clamp -o o.png
works 'a tee before it' gf -i two.pgm tee:t.png blend:ten.pfm,normal clamp -o o.png
works 'floats of a second image stay floats' gf -i two.pgm blend:ten.pfm,normal -o o.pfm
works 'a second image within' gf -i two.pgm blend:two.pgm,normal -o o.png
gf -i two.pgm blend:ten.pfm,normal over:low.pfm -o o.png 2>errors
is 'each of two second images has its warning' \
    "$(grep -c 'of the samples of ten.pfm\|of the samples of low.pfm' errors) $(wc -l <errors |
    tr -d ' ')" '2 2'
mkdir sides
cp two.pgm sides/a.pgm
cp two.pgm sides/b.pgm
mentions 'a second image in a batch: one warning with a count' \
    'sides/a.pgm and 1 other file: 100% of the samples of ten.pfm' gf -i sides -t png -o made/ blend:ten.pfm,normal

# ---- several images in one file

floats one.pfm 2 $nan $half
floats both.pfm 2 $nan $nan
cat one.pfm both.pfm both.pfm >five.pfm
mentions 'losses of several images are counted together' 'five.pfm: 5 samples are not finite' \
    gf -i five.pfm -t pnm --depth 8 -o o.pnm
mentions 'an output for each: in time' 'five.pfm: 1 sample is not finite' gf -i five.pfm -o 'o{n}.png'
mentions 'a tee for each: in time' 'five.pfm: 1 sample is not finite' gf -i five.pfm 'tee:t{n}.png' clamp -o o.pnm

# ---- alpha

clear='\377\000\000\200\000\377\000\377' solid='\377\000\000\377\000\377\000\377'
head='P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n'
printf "$head$clear" >clear.pam
printf "$head$solid" >solid.pam
black='transparent pixels become black; to make them white, end the chain with alpha:off,bg=white'
for format in ppm bmp y4m hdr jpg; do
    if [ $format = bmp ]; then
        works 'bmp has alpha' gf -i clear.pam -o o.bmp
        continue
    fi
    warns "a transparent pixel in $format" \
        "gpufilter: warning: clear.pam: $(echo $format | sed 's/jpg/jpeg/') has no alpha: $black" gf -i clear.pam \
        -o o.$format
    works "an opaque image in $format" gf -i solid.pam -o o.$format
done
works 'png has alpha' gf -i clear.pam -o o.png
works 'alpha:off is on purpose' gf -i clear.pam alpha:off,bg=white -o o.ppm
warns 'a tee without alpha' "gpufilter: warning: clear.pam: ppm has no alpha: $black" gf -i clear.pam tee:t.ppm \
    alpha:off -o o.ppm
warns 'corners of a rotated image' \
    "gpufilter: warning: solid.pam: rotate:30 makes transparent pixels, and ppm has no alpha: $black" \
    gf -i solid.pam rotate:30 -o o.ppm
works 'corners of a rotated image that have a color' gf -i solid.pam rotate:30,bg=white -o o.ppm
works 'a quarter turn has no corners' gf -i solid.pam rotate:90 -o o.ppm
warns 'a border without a color' \
    "gpufilter: warning: solid.pam: pad:2 makes transparent pixels, and ppm has no alpha: $black" gf \
    -i solid.pam pad:2 -o o.ppm
works 'a border with a color' gf -i solid.pam pad:2,bg=white -o o.ppm
works 'a border, then a background' gf -i solid.pam pad:2 alpha:off,bg=white -o o.ppm
rm -f strict.ppm
refuses 1 'clear.pam: ppm has no alpha.*(an error' 'lost alpha is an error with --strict' \
    gf --strict -i clear.pam -o strict.ppm
is 'lost alpha with --strict leaves no output' "$(ls strict.ppm 2>/dev/null)" ''
finish
