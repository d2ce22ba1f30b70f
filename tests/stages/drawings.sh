# Drawings: histograms and statistics as SVG and PNG; images in a terminal.
. "$(dirname "$0")/../lib.sh"

# xml NAME FILE: tests that FILE is XML, as far as this machine can check.
xml()
{
    if command -v xmllint >/dev/null; then
        works "$1 is XML" xmllint --noout "$2"
    elif command -v python3 >/dev/null && python3 -c 'import xml.dom.minidom' 2>/dev/null; then
        works "$1 is XML" python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$2"
    else
        skip "$1: neither xmllint nor python3 here"
    fi
}
# heights CHANNEL FILE: prints the heights of the columns, relative to the plot. The path begins at
# the base line; the top is the end of the scale.
heights()
{
    sed -n "s|^<path d=\"M\(.*\)z\".*<title>$1</title>.*|\1|p" "$2" | sed 's/[VHL]/ &/g' | ${AWK:-awk} '{
        base = y = $2
        for (i = 3; i <= NF; i++)
            if ($i ~ /^V/)
                y = substr($i, 2)
            else if ($i ~ /^H/)
                printf "%s%.3g", n++ ? " " : "", (base - y) / 360
    }'
}
# pixel FILE X Y: prints the samples of a pixel.
pixel()
{
    gf -i "$1" "crop:1x1+$2+$3" -t ppm | tail -c 3 | od -An -tu1 | tr -s ' ' | sed 's/^ //'
}
# gray FILE VALUES...: writes an image of one row.
gray()
{
    file=$1
    shift
    { printf 'P2\n%d 1\n255\n' $#; echo "$@" | tr ' ' '\n'; } >"$file"
}

# 255 · 4 bins: three samples in bin 0, two in bin 1, none in bin 2, one in bin 3
gray known.pgm 0 10 63 64 127 255
works 'a histogram as SVG' gf -i known.pgm histogram:4 -o known.svg
xml 'a histogram as SVG' known.svg
is 'a histogram as SVG: the heights of its columns' "$(heights gray known.svg)" '1 0.667 0 0.333'
is 'a histogram as SVG: its caption' "$(grep -c '>4 bins from 0 to 1, 6 samples a channel<' known.svg)" 1
is 'a histogram as SVG: its title' "$(grep -c '>Histogram of known.pgm<' known.svg)" 1
is 'a histogram as SVG: its legend' \
    "$(grep -c '>50 % in bin 0, the highest<' known.svg) $(grep -c '>first bin 50 %, last bin 16.7 %<' \
    known.svg)" '1 1'
is 'a histogram as SVG: no scripts, no external content' "$(grep -ciE '<script|href|url\(|@import' known.svg)" 0
is 'a histogram as SVG: a fixed view' "$(head -n 1 known.svg | grep -c 'viewBox="0 0 1212 562"')" 1
gf -i known.pgm histogram:4 --to svg >piped.svg
same known.svg piped.svg 'a histogram as SVG: the same on a pipe'

# The first bin next to the axis is as high as in the table: 360 of 360 pixels; the last one is a
# third of that.
is 'a histogram as SVG: the first bin is solid' "$(sed \
    -n 's/^<path d="M[0-9.]* \([0-9.]*\)H[0-9.]*V\([0-9.]*\)H.*<title>first bin.*/\1 \2/p' known.svg |
    ${AWK:-awk} '{ print $2 - $1 }')" 360
is 'a histogram as SVG: the last bin is solid' \
    "$(sed -n 's/^<path d="M[0-9.]* \([0-9.]*\)H[0-9.]*V\([0-9.]*\)H.*<title>last bin.*/\1 \2/p' known.svg |
    ${AWK:-awk} '{ print $2 - $1 }')" 120

# gray is #5a6068 at 2/5 over white: 255 - 0.4 · 165, 159, 151
works 'a histogram as PNG' gf -i known.pgm histogram:4 -o known.png
is 'a histogram as PNG: its size' "$(gf -i known.png -t ppm | head -n 2 | tail -n 1)" '1212 562'
is 'a histogram as PNG: a pixel within the first column' "$(pixel known.png 250 150)" '189 191 195'
is 'a histogram as PNG: a pixel below the top of the second column' "$(pixel known.png 480 270)" '189 191 195'
is 'a histogram as PNG: a pixel above the second column' "$(pixel known.png 480 262)" '255 255 255'
is 'a histogram as PNG: a pixel of an empty bin' "$(pixel known.png 760 500)" '255 255 255'
is 'a histogram as PNG: a pixel within the last column' "$(pixel known.png 1000 390)" '189 191 195'
is 'a histogram as PNG: a pixel above the last column' "$(pixel known.png 1000 380)" '255 255 255'

# Channels are drawn over each other: blue (#2b63e0) at 2/5 over green (#1f9d3a) over red (#e0312a)
# over white.
printf 'P3\n2 1\n255\n0 0 0 255 255 255\n' >ends.ppm
gf -i ends.ppm histogram:2 -o ends.png
# red: 255 - .4 · 31 = 243, 255 - .4 · 206 = 173, 170; with green 158 167 125; with blue
is 'a histogram of three channels as PNG: colors over each other' "$(pixel ends.png 300 300)" '112 140 165'
gf -i ends.ppm histogram:2 -o ends.svg
is 'a histogram of three channels as SVG: three colors' \
    "$(heights red ends.svg), $(heights green ends.svg), $(heights blue ends.svg)" '1 1, 1 1, 1 1'

# 5 bins of 1, 1, 2, 2 samples and one of 100, more than 4 times as high as 2: the scale ends at 1.1
# · 2
gray tower.pgm 0 60 110 120 160 170 $(for i in 1 2 3 4 5 6 7 8 9 10; do echo 255 255 255 255 255 255 255 255 255 255;
    done)
gf -i tower.pgm histogram:5 -o tower.svg
is 'a histogram with a tower: it is cut off' "$(heights gray tower.svg)" '0.455 0.455 0.909 0.909 1'
is 'a histogram with a tower: it is marked' \
    "$(grep -c '<title>bin 4: 100</title>' tower.svg) $(grep -c 'beyond the scale, which ends at 2.2<' \
    tower.svg)" '1 1'
# 8 is not more than 4 times 2
gray high.pgm 0 0 128 255 255 255 255 255 255 255 255
gf -i high.pgm histogram:3 -o high.svg
is 'a histogram with a high column: it is not marked' \
    "$(heights gray high.svg) $(grep -c 'beyond the scale' high.svg)" '0.25 0.125 1 0'
gray flat.pgm 7 7 7
gf -i flat.pgm histogram:2 -o flat.svg
is 'a histogram with a single bin that is not empty' "$(heights gray flat.svg)" '1 0'

# 3000 bins in columns of 3: the first 1000 columns have 0 in the first and 1 in the last.
gray two.pgm 0 255
gf -i two.pgm histogram:3000 -o many.svg
is 'a histogram with more bins than pixels' \
    "$(grep -c '3000 bins from 0 to 1, 2 samples a channel; a column is 3 bins<' many.svg) $(heights gray many.svg |
    wc -w) $(heights gray many.svg | cut -d ' ' -f 1,2,999,1000)" '1 1000 1 0 0 1'
gf -i two.pgm histogram:65536 -o most.png
is 'a histogram with as many bins as can be' "$(gf -i most.png -t ppm | head -n 2 | tail -n 1)" '1212 562'
works 'a histogram with one bin' gf -i two.pgm histogram:1 -o one.png

# Names with characters of any script.
odd=$(printf 'a<b>&"c"\001\303\244\377\355\240\200.pgm')
cp known.pgm "$odd"
works 'a histogram of a file with an odd name' gf -i "$odd" histogram:4 -o odd.svg
xml 'the histogram of a file with an odd name' odd.svg
is 'the letters of an odd name are escaped in SVG' \
    "$(grep -c "$(printf 'a&lt;b&gt;&amp;"c"?\303\244??.pgm<')" odd.svg)" 1
works 'a histogram of a file with an odd name, as PNG' gf -i "$odd" histogram:4 -o odd.png

gf -i known.pgm stats -o stats.svg
xml 'statistics of an image as SVG' stats.svg
is 'statistics of an image as SVG: their numbers' \
    "$(grep -c '>min<' stats.svg) $(grep -c '>gray<' stats.svg) $(grep -c '>0.339216<' stats.svg)" \
    '1 1 1'   # 519 / 6 / 255
works 'statistics of an image as PNG' gf -i known.pgm stats -o stats.png
sound in.wav 100 2 1
works 'statistics of audio as SVG' gf -i in.wav stats -o sound.svg
xml 'the drawing of statistics of audio' sound.svg

# Clipped columns are marked: 1 of 4 columns of 256 pixels, in one of two channels; the frame of the
# first begins at 76, 84.
raw() { while [ $# -gt 0 ]; do printf "\\$(printf %03o $(($1 & 255)))\\$(printf %03o $(($1 >> 8 & 255)))"; shift; done;
    }
raw 100 100  200 200  32767 300  -200 -300  >clip.raw
gf -f raw:type=s16,rate=8000,channels=2 -i clip.raw waveform:4 -o clip.png
is 'clipping is red at the upper end of a waveform' "$(pixel clip.png 600 86)" '224 49 42'
is 'clipping is red at the lower end of a waveform' "$(pixel clip.png 840 321)" '224 49 42'
# 255 - .3 · 31, 206, 213
is 'clipping has a veil between the ends of a waveform' "$(pixel clip.png 700 280)" '246 193 191'
is 'clipping is not drawn in the columns next to it' \
    "$(pixel clip.png 580 86) $(pixel clip.png 850 86)" '255 255 255 255 255 255'
is 'clipping is not drawn in the other channel' "$(pixel clip.png 700 356)" '255 255 255'
gf -f raw:type=s16,rate=8000,channels=2 -i clip.raw waveform:4 -o clip.svg
xml 'a waveform with clipping' clip.svg
is 'clipping has titles in SVG' "$(grep -c 'red: clipped' clip.svg) $(grep -c '<title>clipped</title>' clip.svg)" '1 3'
gf -f raw:type=s16,rate=8000,channels=2 -i clip.raw gain:-1 waveform:4 -o clip.svg
is 'clipping has no titles without clipped samples' "$(grep -c clipped clip.svg)" 0

# Spectra. A sine at half of full scale and an eighth of the rate: cell 8 of 33, at 1000 Hz, -6.02
# dB. A log axis goes from cell 1, 125 Hz, to 4000 Hz. That is five octaves; 1000 Hz ends the third.
${AWK:-awk} 'BEGIN { for (i = 0; i < 4096; i++) print int(16384.5 + 16384 * sin(i * 3.14159265358979 / 4)) }' |
    ${AWK:-awk} '{ v = $1 - 16384
    v += v < 0 ? 65536 : 0; printf "\\%03o\\%03o", v % 256, int(v / 256) }' >escapes
printf "$(cat escapes)" >sine.raw
drawn() { gf -f raw:type=s16,rate=8000,channels=1 -i sine.raw "$@"; }
works 'a bare spectrogram' drawn spectrogram:40,64,bare,width=40,height=33,max=-6.02,range=60 -o bare.png
is 'a bare spectrogram has the requested size' "$(gf -i bare.png -t ppm | head -n 2 | tail -n 1)" '40 33'
is 'a bare spectrogram of one pixel a cell: white at the level of max=' "$(pixel bare.png 20 24)" '255 255 255'
is 'a bare spectrogram is black from its range down' "$(pixel bare.png 20 5)" '0 0 0'
drawn spectrogram:40,64,bare,width=40,height=33,max=14 -o soft.png
# 79.98 of 100 dB: .5986 of the way from the sixth of eight colors to the next
is 'a higher max= makes a spectrogram darker' "$(pixel soft.png 20 24)" '251 209 92'
drawn spectrogram:40,64,bare,width=40,height=100,axis=log -o log.png
for x in 3 20 36; do
    gf -i log.png gray crop:1x100+$x+0 -t pgm | tail -c 100 | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d' >rows
    is "a log axis, column $x" \
        "$(${AWK:-awk} '$1 > m { m = $1; at = NR - 1 } END { print (at == 39 || at == 40) }' rows)" 1
done
works 'a spectrogram with axes of octaves' drawn spectrogram:40,64,axis=log -o log.svg
xml 'the spectrogram with axes of octaves' log.svg
is 'an axis of octaves has names if there is room' \
    "$(grep -cE '>(200|500|1k|2k)<' log.svg) $(grep -cE '>(125|300|4k)<' log.svg)" '4 0'
is 'an axis of octaves changes no numbers' "$(drawn spectrogram:4,64,axis=log,max=-9,bare,width=99 -t tsv | cksum)" \
    "$(drawn spectrogram:4,64 -t tsv | cksum)"
drawn spectrogram:4,64,width=800,height=600 -o sized.png
is 'a spectrogram with axes has the requested size, too' "$(gf -i sized.png -t ppm | head -n 2 | tail -n 1)" '800 600'
drawn spectrogram:4,64,width=16,height=16 -o sized.png
is 'a spectrogram with axes is no smaller than they need' "$(gf -i sized.png -t ppm | head -n 2 | tail -n 1)" '196 140'
# The time grows with the pixels, not with the square of the columns: this took 30 seconds.
awk 'BEGIN { srand(1); for (i = 0; i < 2000; i++) printf "%c%c", 33 + rand() * 94, 33 + rand() * 94 }' >loud.raw
works 'a large waveform that is often clipped, within 15 seconds' timeout 15 "$GPUFILTER" --device cpu \
    -f raw:rate=44100,channels=2,type=s16 -i loud.raw gain:6 waveform:1000,height=10000 -o loud.png
is 'a large waveform that is often clipped has its height' \
    "$(gf -i loud.png -t ppm | head -n 2 | tail -n 1 | sed 's/.* //')" 10000
drawn remix:1,1,1 waveform:bare,width=64,height=50 -o sized.png
is 'a waveform, channels below each other' "$(gf -i sized.png -t ppm | head -n 2 | tail -n 1)" '64 50'
is 'a bare waveform has no axes' "$(pixel sized.png 0 8) $(pixel sized.png 63 25)" \
    "$(pixel sized.png 32 8) $(pixel sized.png 32 25)"
refuses 2 'linear or log' 'a spectrogram with an unknown axis' drawn spectrogram:axis=mel -o no.png
refuses 2 '16 to 10000' 'a spectrogram without width' drawn spectrogram:width=0 -o no.png

refuses 2 'svg stores tables' 'an image as SVG' gf -i known.pgm invert -o no.svg
refuses 2 'svg or .png' 'a table as JPEG' gf -i known.pgm histogram -o no.jpg
works 'an image as PNG is a PNG' gf -i known.pgm invert -o inverted.png
is 'an image as PNG has its samples' "$(gf -i inverted.png -t pgm | tail -c 6 | od -An -tu1 | tr -s ' ')" \
    ' 255 245 192 191 128 0'
refuses 1 '' 'a drawing as PNG on a full disk' gf -i known.pgm histogram -t png -o /dev/full
refuses 1 '' 'a drawing as SVG on a full disk' gf -i known.pgm histogram -t svg -o /dev/full

# ---- in a terminal: half blocks, the upper pixel in the foreground (38), the lower one in the
# background (48)

unset COLUMNS LINES
e=$(printf '\033') block=$(printf '\342\226\200')
# shown NAME WANTED ARGUMENTS...: tests the output, line by line.
shown()
{
    about=$1
    printf "$2" >wanted
    shift 2
    works "$about" "$@" && same wanted out "$about, exactly"
}
printf 'P3\n2 2\n255\n255 0 0  0 255 0\n0 0 255  255 255 255\n' >four.ppm
four="$e[38;2;255;0;0m$e[48;2;0;0;255m$block$e[38;2;0;255;0m$e[48;2;255;255;255m$block$e[0m\n"
shown 'four pixels in a terminal' "$four" gf -i four.ppm -o term:
shown 'four pixels in a terminal that --to names' "$four" gf -i four.ppm --to term
shown 'four pixels in a terminal as half blocks' "$four" gf -i four.ppm -o term:blocks
shown 'two images in a terminal' "$four$four" sh -c 'cat four.ppm four.ppm | "$0" -o term:' "$GPUFILTER"
gf -i four.ppm --to term -o four.txt
printf "$four" >wanted
same wanted four.txt 'four pixels for a terminal, in a file'
# An odd number of rows, gray, and the same color twice.
printf 'P2\n2 3\n255\n9 9\n8 7\n6 5\n' >odd.pgm
shown 'three rows in a terminal' \
    "$e[38;2;9;9;9m$e[48;2;8;8;8m$block$e[48;2;7;7;7m$block$e[0m\n$e[38;2;6;6;6m$block$e[38;2;5;5;5m$block$e[0m\n" \
    gf -i odd.pgm -o term:
# 4 columns and 2 rows in 2 columns: the half of each, so 2 × 1; (10 + 20 + 30 + 41) / 4 = 25.25, (0
# + 1 + 2 + 3) / 4 = 1.5
printf 'P2\n4 2\n255\n10 20 0 1\n30 41 2 3\n' >wide.pgm
shown 'an image in a narrow terminal is made smaller' "$e[38;2;25;25;25m$block$e[38;2;2;2;2m$block$e[0m\n" env \
    COLUMNS=2 LINES=5 "$GPUFILTER" -i wide.pgm -o term:
# 2 lines, one of which stays free: 2 of 4 rows.
printf 'P2\n1 4\n255\n1 3 5 7\n' >tall.pgm
shown 'an image in a low terminal is made lower' "$e[38;2;2;2;2m$e[48;2;6;6;6m$block$e[0m\n" env COLUMNS=9 LINES=2 \
    "$GPUFILTER" -i tall.pgm -o term:
# alpha over black: 200 / 2
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 254\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\177' >clear.pam
shown 'an image with alpha in a terminal is over black' "$e[38;2;100;100;100m$block$e[0m\n" gf -i clear.pam -o term:
image large.ppm 400 300 3 255 5
gf -i large.ppm -o term: >out
is 'an image is 80 by 24 characters without a terminal' \
    "$(wc -l <out) $(head -n 1 out | grep -o "$block" | wc -l)" '23 61' # 400 · 46 / 300 = 61.3
env COLUMNS=50 LINES=90 "$GPUFILTER" -i large.ppm -o term: >out
is 'an image has the size that the environment states' \
    "$(wc -l <out) $(head -n 1 out | grep -o "$block" | wc -l)" '19 50' # 300 · 50 / 400 = 37.5

env COLUMNS=4 LINES=20 "$GPUFILTER" -i known.pgm histogram:4 -o term: >out
is 'a histogram in a terminal' "$(head -n 1 out) $(grep -c "$block" out)" 'Histogram of known.pgm 14'
# 28 pixels high; the columns are 28, 18.67, 0 and 9.33 pixels high.
is 'a histogram in a terminal: the tops of its bars' "$(grep "$block" out | head -n 1)" \
    "$e[38;2;189;191;195m$e[48;2;189;191;195m$block$e[38;2;255;255;255m$e[48;2;255;255;255m$block$block$block$e[0m"
is 'a histogram in a terminal: its bars go down to the base' "$(grep "$block" out | tail -n 1)" \
    "$e[38;2;189;191;195m$e[48;2;189;191;195m$block$block"\
"$e[38;2;255;255;255m$e[48;2;255;255;255m$block$e[38;2;189;191;195m$e[48;2;189;191;195m$block$e[0m"
gf -i "$(printf 'a<b>&"c"\001\303\244\377\355\240\200.pgm')" histogram:4 -o term: >out
is 'a histogram in a terminal: no odd letters of a name' "$(head -n 1 out)" \
    "$(printf 'Histogram of a<b>&"c"\\x01\303\244\\xff\\xed\\xa0\\x80.pgm')"
gf -i known.pgm stats -o term: >out
is 'statistics in a terminal' "$(sed -n 3p out | tr -s ' ')" 'gray 0 1 0.339216 0.337443 0.24902 0'

refuses 2 'term:blocks' 'a terminal protocol that does not exist' gf -i four.ppm -o term:foo
refuses 2 'leave out one' 'an output to the terminal and to a file' gf -i four.ppm -o term: --to png
refuses 2 'term stores images, but the result is audio' 'audio in a terminal, which stores images' gf -i in.wav -o term:
mkdir none && : >none/libchafa.so.0
refuses 1 'needs libchafa' 'sixels of an image need libchafa' env LD_LIBRARY_PATH="$PWD/none" \
    "$GPUFILTER" -i four.ppm -o term:sixel
if "$GPUFILTER" -i four.ppm -o term:symbols >out 2>errors; then
    is 'symbols of libchafa' "$(grep -c "$e\[" out)" 1
    works 'sixels of an image' gf -i large.ppm -o term:sixel
    is 'sixels of an image have their escape sequence' "$(grep -c "${e}P.*q" out)" 1
    works 'sixels of a histogram' gf -i known.pgm histogram -o term:sixel
else
    is 'sixels with a libchafa without symbols' "$(grep -c 'needs libchafa' errors)" 1
    skip 'no libchafa here'
fi
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    TERM=xterm-256color script -qec "stty cols 30 rows 12; '$GPUFILTER' -i large.ppm -o term:blocks" \
        /dev/null </dev/null >out 2>&1
    is 'an image is as large as the terminal' \
        "$(grep -c "$block" out) $(head -n 1 out | grep -o "$block" | wc -l)" '11 29' # 22 · 400 / 300 = 29.3
    printf 'P5 3 1 255 \0\377\377' >ends.pgm
    script -qec "'$GPUFILTER' -i ends.pgm histogram:2" /dev/null </dev/null 2>&1 | tr -d '\r' >out
    is 'a table in a terminal has aligned columns, and values of bins' "$(cat out)" "bin  from  y
  0     0  1
  1   0.5  2"
    script -qec "'$GPUFILTER' -i ends.pgm compare:ends.pgm" /dev/null </dev/null 2>&1 | tr -d '\r' >out
    is 'text is aligned left, numbers right' "$(head -n 2 out)" "channel  mse  psnr  ssim  max  nonfinite
y          0   inf   nan    0          0"
    script -qec "'$GPUFILTER' -i ends.pgm histogram:2 --to tsv" /dev/null </dev/null 2>&1 | tr -d '\r' >out
    is 'a table in a terminal is TSV on request' "$(cat out | tr '\t\n' ' ;')" 'bin y;0 1;1 2;'
    TERM=xterm-256color script -qec "'$GPUFILTER' -i four.ppm -o term:" /dev/null </dev/null >out 2>&1
    is 'an image in a terminal' "$(grep -c "$e\[38;2;" out)" 1
    for stage in waveform spectrogram; do
        TERM=xterm-256color script -qec "'$GPUFILTER' -i '$GPUFILTER_SAMPLES/sound.wav' $stage" \
            /dev/null </dev/null >out 2>&1
        is "no drawing of a $stage as bytes on a terminal" \
            "$(grep -c 'standard output is a terminal' out) $(grep -ac PNG out)" '1 0'
        TERM=xterm-256color script -qec "'$GPUFILTER' -i '$GPUFILTER_SAMPLES/sound.wav' $stage --to tsv" \
            /dev/null </dev/null >out 2>&1
        is "a table of a $stage in a terminal on request" \
            "$(grep -c 'is a terminal' out) $(grep -c '^[0-9]' out | awk '{ print ($1 > 3) }')" '0 1'
    done
else
    skip 'no script(1) here'
fi
finish
