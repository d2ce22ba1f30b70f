# GIF: frames composed as viewers show them, compared with known pixels, ImageMagick and ffmpeg;
# files that are cut short or damaged.
. "$(dirname "$0")/../lib.sh"

byte() { printf "\\$(printf %03o "$1")"; }
word() { byte $(($1 % 256)); byte $(($1 / 256)); }
# screen W H: writes a header and a palette of four colors: black, red, green, blue.
screen() { printf GIF89a; word "$1"; word "$2"; printf '\201\0\0\12\24\36\377\0\0\0\377\0\0\0\377'; }
# control DISPOSAL DELAY [TRANSPARENT]: writes a graphic control extension.
control() { printf '!\371\4'; byte $(($1 * 4 + ${3:+1} + 0)); word "$2"; byte "${3:-0}"; printf '\0'; }
# place X Y W H [FLAGS]: writes an image descriptor. codes CODES: writes codes of eight bits, so
# that each is a byte; 200 clears the table and 201 ends.
place() { printf ','; word "$1"; word "$2"; word "$3"; word "$4"; byte "${5:-0}"; }
codes() { printf '\7'; byte "$(printf "$1" | wc -c)"; printf "$1\\0"; }
picture() { place "$1" "$2" "$3" "$4"; codes "\\200$5\\201"; }
# shown NAME FILE WANTED: compares the pixels of all frames: K (black), R, G, B, and . for
# transparent.
shown()
{
    works "$1" gf -i "$2" -t raw -o found.raw
    is "$1: pixels" "$(od -An -v -tu1 -w4 found.raw | awk '
        { c = $4 == 0 ? "." : $1 == 10 && $2 == 20 && $3 == 30 ? "K" : $1 == 255 ? "R" : $2 == 255 ? "G" : \
              $3 == 255 ? "B" : "?"
          if ($4 == 0 && $1 + $2 + $3 != 0) c = "?"
          printf "%s", c }')" "$3"
}

# ---- composed frames, known in advance

{ screen 3 2; picture 0 0 3 2 '\0\1\2\3\2\1'; printf ';'; } >x.gif
shown 'a still picture' x.gif KRGBGR
{ screen 3 2; picture 1 1 2 1 '\1\2'; printf ';'; } >x.gif
shown 'what no frame draws on is transparent' x.gif '....RG'
{ screen 3 2; control 0 0 2; picture 0 0 3 2 '\0\1\2\3\2\1'; printf ';'; } >x.gif
shown 'a colour that is none' x.gif 'KR.B.R'
three()
{
    screen 3 1
    control 1 5
    picture 0 0 3 1 '\1\1\1'
    control "$1" 5 0
    picture 1 0 2 1 '\2\0'
    control 1 5
    picture 0 0 1 1 '\3'
    printf ';'
}
three 0 >x.gif; shown 'a frame that is left, although nothing says so' x.gif 'RRRRGRBGR'
three 1 >x.gif; shown 'a frame that is left' x.gif 'RRRRGRBGR'
three 2 >x.gif; shown 'a frame that is cleared' x.gif 'RRRRGRB..'
three 3 >x.gif; shown 'a frame that is replaced by what was there before' x.gif 'RRRRGRBRR'
{ screen 2 1; control 3 5; picture 0 0 2 1 '\1\1'; control 1 5; picture 1 0 1 1 '\2'; printf ';'; } >x.gif
shown 'the first brought back, which was nothing' x.gif 'RR.G'
{ screen 3 3; picture 2 1 4 5 '\1\2\2\2\3\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2'; picture 7 7 1 1 '\1'; printf ';'; } >x.gif
shown 'a frame that goes beyond the screen' x.gif '.....R..B.....R..B'
{ screen 1 9; place 0 0 1 9 64; codes '\200\0\1\2\3\0\1\2\3\0\201'; printf ';'; } >x.gif
# rows 0 8, 4, 2 6, 1 3 5 7 come as K R, G, B K, R G B K
shown 'an interlaced GIF' x.gif KRBGGBKKR
{
    screen 2 1
    place 0 0 2 1 128
    printf '\0\0\377\377\0\0'
    codes '\200\0\1\201'
    picture 0 0 1 1 '\2'
    printf ';'
} >x.gif
shown 'colours of its own' x.gif BRGR
{ screen 5 1; place 0 0 5 1; codes '\200\1\202\202\201'; printf ';'; } >x.gif
shown 'codes for strings of pixels' x.gif RRRRR                                      # 1, the new one: 1 1, again: 1 1
{ screen 2 1; place 0 0 2 1; codes '\200\1\2\3\3\201'; printf ';'; } >x.gif
shown 'codes for more pixels than there is room for' x.gif RG
{ screen 2 1; place 0 0 2 1; codes '\1\2\201'; printf ';'; } >x.gif
shown 'codes without a clear code' x.gif RG
{
    screen 1 1
    printf '!\376\3abc\0!\377\13NETSCAPE2.0\3\1\0\0\0'
    picture 0 0 1 1 '\1'
    printf '\0\0'
    picture 0 0 1 1 '\2'
    printf ';'
} >x.gif
shown 'extensions, and zeros between' x.gif RG
{ cat x.gif; printf 'what is not ours'; } >y.gif
{ screen 1 1; picture 0 0 1 1 '\1'; } >z.gif
shown 'a still picture without a trailer' z.gif R
shown 'a GIF with more data after its end' y.gif RG
works 'a GIF on a pipe' sh -c 'cat x.gif | "$0" -t raw >found.pipe' "$GPUFILTER"
same found.pipe found.raw 'a GIF on a pipe has the same pixels'

# ---- outputs

three 2 >x.gif
works 'a file of each' gf -i x.gif invert -o 'p{n}.png'
is 'three of them' "$(echo p*.png)" 'p1.png p2.png p3.png'
works 'the second of three files from a GIF' gf -i p2.png -t raw -o found.raw
is 'the second of three files from a GIF has its pixels' \
    "$(od -An -tu1 found.raw | tr -s ' ')" ' 0 255 255 255 255 0 255 255 0 255 255 255'
refuses 1 'jpeg stores only one image; .*, or --images 1 for the first$' 'one JPEG for all' gf -i x.gif -o x.jpg
# ---- --images

gf -i x.gif invert -o 'w{n}.png'
works '--images 1: a still picture of an animation' gf --images 1 -i x.gif invert -o first.png
same first.png w1.png '--images 1: the first one'
works '--images 2 on a pipe' sh -c 'cat x.gif | "$0" --images 2 invert -o "v{n}.png"' "$GPUFILTER"
is '--images 2: two of three' "$(echo v*.png) $(cmp v1.png w1.png)$(cmp v2.png w2.png)" 'v1.png v2.png '
works '--images 9: more than there are' gf --images 9 -i x.gif -o 'u{n}.pam'
is '--images 9: all' "$(echo u?.pam)" 'u1.pam u2.pam u3.pam'
works '--images 1: a table of the first' gf --images 1 -i x.gif stats -o first.tsv
cat w1.png w2.png >joined.png
head -c $(($(wc -c <joined.png) - 20)) joined.png >cut.png
refuses 1 'cut.png' 'damage in the second image' gf -i cut.png -o 't{n}.png'
works '--images 1: damage after the first is not read' gf --images 1 -i cut.png -o first.ppm
head -c $(($(wc -c <w1.png) - 20)) w1.png >cut.png
refuses 1 'cut.png' '--images 1: damage in the first is' gf --images 1 -i cut.png -o first.ppm
sound voice.wav 3000 1 4
gf -i voice.wav gain:-3 -o wanted.wav
works '--images 1: audio' gf --images 1 -i voice.wav gain:-3 -o found.wav
same found.wav wanted.wav '--images 1: all of the audio'
gf -i x.gif resize:16x16 alpha:off gray -o x.y4m 2>/dev/null
works '--images 2: Y4M' gf --images 2 -i x.y4m -o y.y4m
is '--images 2: frames of Y4M' "$(grep -ac FRAME y.y4m)" 2
sed '1s/ Ip/ It/' x.y4m >fields.y4m
works '--images 1: both fields of a frame' gf --images 1 --interlaced fields -i fields.y4m -o y.y4m
is '--images 1: one frame' "$(grep -ac FRAME y.y4m)" 1
for words in '--frames 1' '--first 1'; do
    refuses 2 'use --images 1' "$words is refused in favor of --images" gf $words -i x.gif -o x.png
done
refuses 2 '^gpufilter: --images: must be' '--images 0 is refused' gf --images 0 -i x.gif -o x.png

# rate WANTED NAME: compares the frame rate of x.gif.
rate() { works "$2" gf -q -i x.gif -o x.y4m; is "$2: rate" "$(head -n 1 x.y4m | tr ' ' '\n' | grep '^F')" "F$1"; }
rate 20:1 'a GIF as Y4M'
is 'a GIF as Y4M has three frames' "$(grep -ac FRAME x.y4m)" 3
{ screen 1 1; for d in 3 4 8; do control 1 $d; picture 0 0 1 1 '\1'; done; printf ';'; } >x.gif
rate 20:1 'a rate from unequal times: 3 frames in 15 hundredths'
works 'a GIF as Y4M on a pipe' sh -c 'cat x.gif | "$0" -t y4m >pipe.y4m' "$GPUFILTER"
is 'a GIF as Y4M on a pipe has the rate of its first frame' "$(head -n 1 pipe.y4m | tr ' ' '\n' | grep '^F')" F100:3
{ screen 1 1; for d in 0 1; do control 1 $d; picture 0 0 1 1 '\1'; done; printf ';'; } >x.gif
rate 10:1 'a time that is too short to be meant'
{ screen 1 1; picture 0 0 1 1 '\1'; printf ';'; } >x.gif
rate 10:1 'a GIF without times'
{ screen 3 1; control 1 10; picture 0 0 3 1 '\1\1\1'; control 1 50; picture 0 0 3 1 '\2\2\2'; printf ';'; } >x.gif
gf -i x.gif -o x.y4m 2>errors
is 'frames of different times become one rate, with a warning' "$(head -n 1 x.y4m | tr ' ' '\n' | grep '^F') $(
    grep -c '^gpufilter: warning: x.y4m: .*their mean, 3.333 per second, is used; the stage fps:50 repeats ' errors)" \
    'F10:3 1'
works '--rate with the mean of different times gives no warning' gf -i x.gif --rate 3.333 -o x.y4m
refuses 0 'warning: x.y4m: plays at 1.5 times the speed, because --rate 5 keeps all frames of 3.333 per second; ' \
    '--rate with another value gives another speed, with a warning' gf -i x.gif --rate 5 -o x.y4m
works 'frames of different times give no warning without video' gf -i x.gif -o x.pam
{ screen 1 1; for d in 3 3 4; do control 1 $d; picture 0 0 1 1 '\1'; done; printf ';'; } >x.gif
works 'times that were rounded give no warning' gf -i x.gif -o x.y4m

# ---- errors

rm -f x.* y.* z.* p*.png
three 3 >good.gif
size=$(wc -c <good.gif)
# warns PATTERN NAME COMMAND...: expects success and one line on standard error that matches
# PATTERN.
warns()
{
    pattern=$1 name=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(grep -c . errors) $(grep -c -- "$pattern" errors)" '0 1 1'
}
for part in 7 12 20 27 33 40 50; do
    head -c "$part" good.gif >cut.gif
    refuses 1 'cut.gif: .*\(cut short within\|ends in its\|contains no image\)' \
        "a cut of the first frame, after $part bytes" gf -i cut.gif -o 'x.{n}.ppm'
done
is 'cuts of the first frame leave no image' "$(ls x.* 2>/dev/null)" ''
for part in 60 75 77 $((size - 4)) $((size - 2)); do
    head -c "$part" good.gif >cut.gif
    frames=$((part < 76 ? 1 : 2))
    warns "warning: cut.gif: is damaged or cut short after frame $frames; $frames frame.* read, and the rest is lost" \
        "a cut after frame $frames, after $part bytes" gf -i cut.gif -o 'x.{n}.ppm'
    is "a cut after frame $frames, after $part bytes, leaves as many images" "$(echo x.*)" \
        "$(echo x.1.ppm x.2.ppm | cut -d ' ' -f "1-$frames")"
    rm -f x.*
done
head -c 76 good.gif >cut.gif
warns 'cut.gif: ends after frame 2 without a trailer; frames may be missing' 'a cut between frames' \
    gf -i cut.gif -t pam -o found.pam
head -c $((size - 2)) good.gif >cut.gif
refuses 1 'after frame 2; 2 frames are read' 'a cut, and --strict' gf --strict -i cut.gif -t pam -o x.pam
works 'a cut, and -q' gf -q -i cut.gif -t raw -o found.raw
gf -i good.gif -t raw | head -c 24 >wanted.raw
same found.raw wanted.raw 'a cut after the first frame leaves it complete'
{
    screen 2 1
    picture 0 0 2 1 '\1\2'
    place 0 0 2 1
    codes '\200\1\203\201'
    picture 0 0 2 1 '\3\3'
    printf ';'
} >bad.gif
warns 'after frame 1; 1 frame is read' 'a second frame that is damaged' gf -i bad.gif -t raw -o found.raw
is 'a second frame that is damaged is left out' "$(od -An -tu1 found.raw | tr -s ' ')" ' 255 0 0 255 0 255 0 255'
rm -f x.*
head -c 40 good.gif >cut.gif
refuses 1 'is cut short within frame 1' 'a cut on a pipe' sh -c '"$0" -o x.ppm <cut.gif' "$GPUFILTER"
# damaged PATTERN NAME CODES: expects an error for an image of these codes.
damaged()
{
    { screen 4 1; place 0 0 4 1; codes "$3"; printf ';'; } >bad.gif
    refuses 1 "$1" "$2" gf -i bad.gif -o x.ppm
}
damaged 'a code is not in the table' 'a code that nobody made' '\200\1\203\201'
damaged 'a code is not in the table' 'a string of nothing' '\200\202\201'
damaged 'ends after row 0 of 1' 'codes for too few pixels' '\200\1\2\3\201'
damaged 'ends after row 0 of 1' 'codes without an end for too few pixels' '\200\1\2\3'
{ screen 1 1; place 0 0 1 1; printf '\0\2\200\1\0;'; } >bad.gif
refuses 1 'its code size is not 1 to 8 bits' 'codes of no bits' gf -i bad.gif -o x.ppm
{ screen 1 1; place 0 0 1 1; printf '\14\2\200\1\0;'; } >bad.gif
refuses 1 'its code size is not 1 to 8 bits' 'codes of too many' gf -i bad.gif -o x.ppm
{ screen 0 1; picture 0 0 1 1 '\1'; printf ';'; } >bad.gif
refuses 1 'its width or height is 0' 'a screen of no columns' gf -i bad.gif -o x.ppm
{ screen 1 1; picture 0 0 1 0 '\1'; printf ';'; } >bad.gif
refuses 1 'frame 1 is damaged: its width or height is 0' 'a picture of no rows' gf -i bad.gif -o x.ppm
{ screen 1 1; printf ';'; } >bad.gif
refuses 1 'contains no image' 'a GIF without an image' gf -i bad.gif -o x.ppm
{ screen 1 1; picture 0 0 1 1 '\1'; printf 'what'; } >bad.gif
warns 'is damaged or cut short after frame 1; 1 frame is read' 'a GIF with an unknown block' \
    gf -i bad.gif -t raw -o found.raw
{ printf 'GIF89a\4\0\1\0\0\0\0'; picture 0 0 4 1 '\0\1\2\144'; printf ';'; } >bad.gif
warns 'frame 1 has no palette; 0 is shown black, 1 white, other values gray' 'a GIF without a palette' \
    gf -i bad.gif -t raw -o found.raw
is 'black, white, grays' "$(od -An -tu1 found.raw | tr -s ' ')" ' 0 0 0 255 255 255 255 255 2 2 2 255 100 100 100 255'
{ printf 'GIF89a\1\0\1\0\0\0\0'; control 1 5 1; picture 0 0 1 1 '\1'; printf ';'; } >bad.gif
works 'a GIF without a palette, and no pixel that needs one' gf -i bad.gif -t raw -o found.raw
{ screen 65535 65535; place 0 0 65535 65535; codes '\200\1\201'; printf ';'; } >bad.gif
refuses 1 'raise --max-pixels' 'a GIF of more pixels than allowed' gf --max-pixels 1G -i bad.gif -o x.ppm
refuses 1 'raise --max-memory' 'a GIF of more memory than allowed' \
    gf --max-pixels 5G --max-memory 1G -i bad.gif -o x.ppm
{ screen 9 9; place 0 0 65535 65535; codes '\200\1\201'; printf ';'; } >bad.gif
refuses 1 'ends after row 0 of 65535' 'a large picture of nothing' gf -i bad.gif -o x.ppm
refuses 1 'is PNM, not GIF' 'a PNM with --from gif' gf -f gif -i "$GPUFILTER_SAMPLES/photo.ppm" -o x.ppm
is 'nothing came of these' "$(ls x.* 2>/dev/null)" ''

# ---- other programs: partial frames with transparent colors

image c8.ppm 83 61 3 255 1
if have_convert; then
    for way in '' '-interlace GIF' '-layers OptimizeFrame' '-layers OptimizeTransparency' '-layers OptimizePlus' \
        '-dispose Background' '-dispose Previous'; do
        convert -delay 7 '(' c8.ppm -colors 40 -transparent-color none ')' '(' c8.ppm -flip -crop 40x30+5+7 \
            -transparent white ')' \
            '(' c8.ppm -negate -crop 50x20+30+40 -colors 7 ')' '(' c8.ppm -flop -fuzz 40% -transparent gray ')' $way \
            in.gif 2>/dev/null
        convert in.gif -coalesce -depth 8 rgba:wanted.raw
        works "a GIF that ImageMagick writes $way" gf -i in.gif -t raw -o found.raw
        is "a GIF that ImageMagick writes $way has the pixels that it reads" \
            "$(od -An -v -tu1 -w4 found.raw | awk '$4 == 0 { print "none"; next } { print }' | cksum)" \
            "$(od -An -v -tu1 -w4 wanted.raw | awk '$4 == 0 { print "none"; next } { print }' \
            | sed 's/ none/none/' | cksum)"
    done
else
    skip 'no ImageMagick here'
fi
if ffmpeg -v quiet -h encoder=gif 2>/dev/null | grep -q '^Encoder gif'; then
    gf -i c8.ppm -i c8.ppm blur:9 -o '{n}-in.ppm' 2>/dev/null
    for n in 1 2 3 4 5; do gf -i c8.ppm blur:$n -o b$n.ppm; done
    cat b1.ppm b2.ppm b3.ppm b4.ppm b5.ppm | gf -t y4m | ffmpeg -v error -y -i - -r 25 in.gif
    works 'a GIF that ffmpeg writes' gf -i in.gif -t raw -o found.raw
    ffmpeg -v error -y -i in.gif -fps_mode passthrough -pix_fmt rgba -f rawvideo wanted.raw </dev/null
    same found.raw wanted.raw 'a GIF that ffmpeg writes has the pixels that it reads'
    works 'a GIF that ffmpeg writes, as Y4M' gf -i in.gif -o x.y4m
    is 'a GIF that ffmpeg writes has its rate as Y4M' "$(head -n 1 x.y4m | tr ' ' '\n' | grep '^F')" F25:1
else
    skip 'no ffmpeg that knows GIF here'
fi
finish
