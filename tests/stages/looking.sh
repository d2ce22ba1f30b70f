# Stages that look at an image before its result has a size: known borders, and those that ImageMagick finds.
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
finish
