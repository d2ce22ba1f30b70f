# Stages that look at an image before its result has a size: known borders, and those that ImageMagick finds; known
# angles of pages.
. "$(dirname "$0")/lib_answers.sh"

# cuts WANTED ARGUMENT...: tests columns, rows and samples of the result for in.pgm.
cuts()
{
    wanted=$1
    shift
    gf -i in.pgm "$@" -t pnm -o out.pnm 2>errors
    is "$*: $wanted" "$(sed -n 2p out.pnm): $(tail -c +$(($(head -n 3 out.pnm | wc -c) + 1)) out.pnm | numbers u1)$(
        cat errors)" "$wanted"
}
gray 5 4  9 9 9 9 9  9 9 1 9 9  9 2 9 9 9  9 9 9 9 9
cuts '2 2: 9 1 2 9' autocrop
cuts '4 4: 9 9 9 9 9 9 1 9 9 2 9 9 9 9 9 9' autocrop:margin=1
cuts '5 4: 9 9 9 9 9 9 9 1 9 9 9 2 9 9 9 9 9 9 9 9' autocrop:margin=9
cuts '2 2: 1 9 9 2' flop autocrop
cuts '2 2: 9 1 2 9' autocrop autocrop
cuts '2 2: 246 254 253 246' invert autocrop
cuts '1 1: 1' autocrop:0.0275         # 2 is 7 levels away, 1 is 8
cuts '5 4: 9 9 9 9 9 9 9 1 9 9 9 2 9 9 9 9 9 9 9 9' autocrop:color=black
cuts '2 2: 9 1 2 9' autocrop:0,color=#090909
# The corners may differ: 7 is the border at the left and above, 8 at the right, 6 below.
gray 4 3  7 7 7 8  7 5 5 8  6 6 6 8
cuts '3 3: 7 7 7 7 5 5 6 6 6' autocrop
gray 4 3  7 7 7 7  7 5 5 8  6 6 6 6
cuts '4 1: 7 5 5 8' autocrop
gray 4 1  100 101 200 100
cuts '2 1: 101 200' autocrop
cuts '1 1: 200' autocrop:0.004
unlikely autocrop:tolerance ':5 of 255 is 0.02' autocrop:5
gray 4 4  3 3 3 3  3 3 3 3  3 3 3 3  3 3 3 3
refuses 1 'autocrop: all of the image has the color of the border, so nothing' 'one color is an error' \
    gf -i in.pgm autocrop -o out.pgm
cuts '4 4: 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3' autocrop:color=white
refuses 2 'tee: cannot be before autocrop, which looks' 'a file before autocrop' \
    gf -i in.pgm tee:t.pgm autocrop -o o.pgm
refuses 2 "'stats' makes a table, so 'autocrop' cannot" 'a table before autocrop' gf -i in.pgm stats autocrop -o o.pgm

# Transparent pixels are alike whatever their colors are.
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\001\000\310\377\143\000' >in.pam
is 'colors of transparent pixels' "$(gf -i in.pam autocrop -t raw 2>&1 | numbers u1)" '200 255'

# The rectangle stands for the upright image, and pages are cut by themselves.
image photo.ppm 60 40 3 255 3
image large.ppm 700 400 3 255 4
gf -q -i photo.ppm pad:7,5,bg=white -o framed.ppm
for bits in 8 16; do
    gf -q -i framed.ppm --depth $bits -o framed.tif
    gf -i framed.tif autocrop --depth 8 -o out.ppm 2>errors
    is "a frame of $bits bits is cut off" "$(cmp out.ppm photo.ppm 2>&1)$(cat errors)" ''
done
gf -q -i framed.ppm pad:3,9,bg=white -o wide.ppm
gf -q --join -i framed.ppm -i wide.ppm -o pages.tif
gf -q -i pages.tif autocrop -t pnm -o out.pnm
cat photo.ppm photo.ppm >wanted.pnm
same wanted.pnm out.pnm 'each page is cut by itself'
gf -q --join -i framed.ppm -i wide.ppm --rate 25 -o film.y4m 2>/dev/null ||
    gf -q --join -i framed.ppm -i framed.ppm --rate 25 -o film.y4m
gf -i film.y4m autocrop:5% -o cut.y4m 2>errors
is 'video grows to whole samples of chroma' "$(head -n 1 cut.y4m | cut -d ' ' -f 2,3)$(cat errors)" 'W62 H42'
gf -q -i film.y4m crop:62x42+6+4 -o wanted.y4m
same wanted.y4m cut.y4m 'video is cut in its planes'

# However it is cut, the bytes are the same.
gf -q -i large.ppm pad:9,bg=white blur:2 autocrop:3% resize:50% -o wanted.ppm
for how in '-j 1' '--segment 3' '--memory 4M' '--lanes 3'; do
    rm -f out.ppm
    gf -q -i large.ppm pad:9,bg=white blur:2 autocrop:3% resize:50% -o out.ppm $how
    same wanted.ppm out.ppm "autocrop with $how"
done
gf -q pad:9,bg=white blur:2 autocrop:3% resize:50% -t pnm <large.ppm >out.ppm
same wanted.ppm out.ppm 'autocrop from a pipe'

if command -v convert >/dev/null; then
    for n in 1 2 3 4 5 6; do
        image noise.ppm 30 20 3 255 $n
        gf -q -i noise.ppm levels:-8,17 pad:$n,3,9,$((n * 2)),bg=#525252 noise:0.004,seed=$n -o in.ppm
        for fuzz in 0.5% 1% 1.5% 2% 4%; do
            rm -f theirs.ppm
            convert in.ppm -fuzz $fuzz -trim +repage theirs.ppm 2>/dev/null
            gf -q -i in.ppm autocrop:$fuzz -o out.ppm 2>/dev/null || rm -f out.ppm theirs.ppm
            [ -f theirs.ppm ] || echo >theirs.ppm
            [ -f out.ppm ] || echo >out.ppm
            same theirs.ppm out.ppm "-trim -fuzz $fuzz of ImageMagick, image $n"
        done
    done
else
    skip 'no ImageMagick'
fi

# page NAME DEGREES [COLUMNS ROWS]: draws lines of words that fall to the right by an angle, around the center.
page()
{
    ${AWK:-awk} -v w="${3:-420}" -v h="${4:-320}" -v angle="$2" 'BEGIN {
        printf "P2\n%d %d\n255\n", w, h
        angle *= atan2(0, -1) / 180
        for (y = 0; y < h; y++)
            for (x = 0; x < w; x++) {
                along = (x - w / 2) * cos(angle) + (y - h / 2) * sin(angle)
                down = (y - h / 2) * cos(angle) - (x - w / 2) * sin(angle) + 4000
                word = sin(along * 0.31 + int(down / 14) * 1.7) + 0.5
                dark = (1.5 * sin(down * 2 * atan2(0, -1) / 14) - 0.3) * 2
                v = word * 3 < dark ? word * 3 : dark
                printf "%d\n", 240 - 200 * (v > 1 ? 1 : v < 0 ? 0 : v)
            }
    }' >$1
}
# likeness FILE: prints the PSNR of the middle of a result to that of a level page.
likeness()
{
    gf -q -i "$1" crop:60%x60%,at=center compare:middle.pgm -t json | tr ',' '\n' | sed -n 's/.*"psnr": *//p' |
        head -n 1
}
page level.pgm 0
gf -q -i level.pgm crop:60%x60%,at=center -o middle.pgm
for angle in 0.25 -0.6 1.73 -3.4 8.15 -19.3 30 -44.6; do
    page in.pgm $angle
    gf -i in.pgm deskew:fit=keep -o turned.pgm 2>errors
    for off in -0.1 0 0.1; do
        gf -q -i in.pgm rotate:$(awk -v a=$angle -v b=$off 'BEGIN { print b - a }'),fit=keep,bg=white -o by.pgm
        likeness by.pgm
    done >near
    is "a page at $angle degrees is level to 0.1" "$(likeness turned.pgm | cat - near |
        awk 'NR == 1 { is = $1 } NR > 1 { at[NR] = $1 } END { print (is > at[2] && is > at[4] && is > at[3] - 3) }')$(
        cat errors)" 1
done
page in.pgm 5
gf -i in.pgm deskew -o out.pnm 2>errors
gf -q -i in.pgm rotate:-5,bg=white -o wanted.pnm
is 'the result is as large as that of rotate' "$(size_of)$(cat errors)" "$(sed -n 2p wanted.pnm)"
is 'the corners are white' "$(tail -c 1 out.pnm | numbers u1)" 255
gf -q -i in.pgm deskew:bg=black -o out.pnm
is 'the corners are black' "$(tail -c 1 out.pnm | numbers u1)" 0
gf -q -i in.pgm -o five.pgm
gf -q -i in.pgm deskew:3 -o out.pgm
same five.pgm out.pgm 'an angle beyond the limit is not taken'
gf -q -i in.pgm deskew -o wanted.pgm
gf -q -i in.pgm invert --depth 16 -o 16.pgm
gf -q -i 16.pgm deskew:bg=black invert --depth 8 -o out.pgm
is 'a dark page turns by the same angle' "$(sed -n 2p out.pgm)" "$(sed -n 2p wanted.pgm)"
gray 30 20 "$(awk 'BEGIN { for (i = 0; i < 600; i++) print 250 }')"
refuses 0 'note: in.pgm: deskew finds no lines, so the image is not turned' 'an empty page' \
    gf -i in.pgm deskew -o out.pgm
gf -q -i in.pgm -o wanted.pgm
same wanted.pgm out.pgm 'an empty page does not change'
gray 1 1 7
is 'an image of one pixel' "$(gf -q -i in.pgm deskew -t raw | numbers u1)" 7
cp "$GPUFILTER_SAMPLES/tilted.ppm" any.ppm
unlikely deskew:limit silent deskew:20
refuses 2 'deskew: bg= and edge= exclude each other' 'two backgrounds of deskew' \
    gf -i five.pgm deskew:bg=red,edge=clamp -o o.pgm
page two.pgm -2
gf -q --join -i five.pgm -i two.pgm -o pages.tif
gf -q -i pages.tif deskew:fit=keep -o 'page-{n}.pgm'
gf -q -i two.pgm deskew:fit=keep -o out.pgm
same page-2.pgm out.pgm 'each page has an angle of its own'
gf -q --join -i five.pgm -i two.pgm --rate 25 -o film.y4m
gf -q -i film.y4m deskew:fit=keep,filter=nearest -o turned.y4m
gf -q -i film.y4m rotate:-5,fit=keep,filter=nearest,bg=white -o wanted.y4m
same wanted.y4m turned.y4m 'frames of video are turned like the first one'
gf -q -i five.pgm blur:1 deskew resize:50% -o wanted.pgm
for how in '-j 1' '--segment 3' '--memory 4M' '--lanes 3'; do
    rm -f out.pgm
    gf -q -i five.pgm blur:1 deskew resize:50% -o out.pgm $how
    same wanted.pgm out.pgm "deskew with $how"
done
finish
