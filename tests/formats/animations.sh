# Animations that are written: GIF, APNG and WebP have the frames, durations and repetitions of the input, by this
# program's readers and by Pillow's.
. "$(dirname "$0")/../lib.sh"

# movie NAME FRAMES: writes RGB frames of 31x17 on a gradient of 20 colors, in which a block of 4x3 moves; as PPM.
movie()
{
    ${AWK:-awk} -v n="$2" 'BEGIN {
        for (k = 0; k < n; k++) {
            printf "P3 31 17 255\n"
            for (y = 0; y < 17; y++)
                for (x = 0; x < 31; x++)
                    if (x >= 2 * k && x < 2 * k + 4 && y >= k && y < k + 3) printf "200 %d 7\n", 10 * k
                    else printf "%d 80 90\n", 5 * y
        }
    }' >"$1"
}
movie in.ppm 6
image noise.ppm 40 30 3 255 3
cat noise.ppm noise.ppm >twice.ppm
lossless() { [ $1 != webp ] || echo --quality 100; }
webp=$(gf --manual listing | ${AWK:-awk} -F '\t' '$1 == "format" && $3 ~ /^webp/ && $5 != "-" { print "webp" }')
gf -q -i in.ppm alpha:on -t raw -o wanted.raw

for format in gif apng $webp; do
    quality=$(lossless $format)
    refuses 1 'stores only one image or an animation, whose images have durations; .*-r 10 for an animation' \
        "$format: images without durations" gf -i in.ppm $quality -o no.$format
    works "$format: images with --rate" gf -i in.ppm $quality -r 12.5 -o a.$format
    gf -q -i a.$format alpha:on -t raw -o found.raw
    same found.raw wanted.raw "$format: frames with --rate"
    is "$format: the rate is kept" "$(gf -q -i a.$format -t y4m | head -n 1 | tr ' ' '\n' | grep F)" F25:2
    refuses 0 'plays at 0.4 times the speed, because --rate 5 keeps all frames of 12.5 per second; to keep .* fps:5' \
        "$format: --rate with another speed gives a warning" gf -i a.$format -r 5 -o slow.$format
    works "$format: --rate of the input gives no warning" gf -i a.$format -r 25/2 -o equal.$format
    works "$format: 4 threads" gf -i in.ppm $quality -r 12.5 -j 4 -o threads.$format
    works "$format: 1 thread" gf -i in.ppm $quality -r 12.5 -j 1 --memory 40M -o thread.$format
    cmp threads.$format thread.$format && cmp a.$format thread.$format
    is "$format: the same bytes with any threads" $? 0
    gf -q -i in.ppm -o "one{n}.ppm"
    works "$format: files with --join" gf --join -i 'one*.ppm' $quality -r 12.5 -o joined.$format
    same joined.$format a.$format "$format: files that are joined are the same as images on a pipe"
    refuses 1 '-r 10 for an animation' "$format: joined files without durations" \
        gf --join -i 'one*.ppm' $quality -o no.$format
    refuses 1 'all frames of an animation must have the same size, but after 40x30 follows one of 31x17' \
        "$format: frames of other sizes" sh -c 'cat noise.ppm in.ppm | "$0" -r 10 -o no.$1' "$GPUFILTER" $format
    gf -i noise.ppm $quality -r 10 -o still.$format 2>errors
    is "$format: --rate for one image" "$? $(grep -c 'has only one image, so --rate has no effect' errors)" '0 1'
    gf -q -i noise.ppm $quality -o plain.$format
    same still.$format plain.$format "$format: one image is a still image"
    works "$format: unchanged frames" gf -q -i twice.ppm $quality -r 10 -o twice.$format
    is "$format: an unchanged frame takes little" \
        "$(($(wc -c <twice.$format) - $(gf -q -i noise.ppm $quality -t $format | wc -c) < 200))" 1
    is "$format: an unchanged frame is a frame" "$(gf -q -i twice.$format -t raw | wc -c)" \
        "$(($(gf -q -i plain.$format -t raw | wc -c) * 2))"
    works "$format: a file of each image" gf -i a.$format $quality -o "each{n}.$format"
    refuses 2 'only video and animations have a frame rate' "$format: --rate for files of one image" \
        gf -i a.$format -r 10 -o "no{n}.$format"
    for to in gif apng $webp; do
        works "$format to $to" gf -i a.$format $(lossless $to) -o b.$to
        gf -q -i b.$to alpha:on -t raw -o found.raw
        same found.raw wanted.raw "$format to $to has the same frames"
    done
done
is 'nothing came of the refused animations' "$(ls no* | grep -v '^noise')" ''

# ---- pipes

sh -c '"$0" -q -i in.ppm -r 12.5 -t gif | cat >piped.gif' "$GPUFILTER"
same piped.gif a.gif 'a GIF on a pipe is like a file'
for format in png $webp; do
    { gf -i in.ppm -r 10 -t $format 2>errors; echo $? >status; } | cat >out
    is "an animation on a pipe is refused: $format" "$(cat status) $(grep -c 'on a pipe is impossible' errors)" '1 1'
done

# ---- bytes of a GIF, worked out by hand

# A frame of 2x1, red and blue, then one with a green pixel on the right, for 0.1 and 0.25 s, twice.
octets() { for octal in "$@"; do printf "\\$octal"; done; }
{
    printf 'GIF89a\2\0\1\0'
    octets 361 0 0 377 0 0 0 0 377 0 0 0 0 0 0
    printf '!\377\013NETSCAPE2.0\3\1\1\0\0'
    printf '!\371\4\4\12\0\0\0,\0\0\0\0\2\0\1\0\0\2'
    octets 2 104 12 0
    printf '!\371\4\4\31\0\0\0,\1\0\0\0\1\0\1\0'
    octets 200 0 377 0 0 0 0 2 2 104 1 0
    printf ';'
} >hand.gif
works 'a GIF made by hand' gf -i hand.gif -o again.gif
same again.gif hand.gif 'a GIF made by hand is written like that'

# ---- what is lost

works 'more than 256 colors are no loss that surprises' gf --strict -i noise.ppm -o noise.gif
gf -i noise.gif alpha:off -o noise.pam
is 'dither of noise stays near' "$(gf -i noise.ppm compare:noise.pam,min-psnr=15 -o table.tsv 2>&1)$?" 0
gf -i in.ppm -r 100 -o fast.gif 2>errors
is 'frames that browsers slow down' "$? $(grep -c 'use --rate 50 or less' errors)" '0 1'
image soft.pam 8 8 4 255 4
gf -i soft.pam -o soft.gif 2>errors
is 'partial transparency is a warning' "$(grep -c 'warning: soft.gif: GIF stores no partial transparency' errors)" 1
gf -q -i soft.pam -t raw -o soft.raw
gf -q -i soft.gif -t raw -o found.raw
alphas() { od -An -v -tu1 -w4 "$1" | ${AWK:-awk} '{ printf "%d", ($4 >= 128) }'; }
is 'transparent below half' "$(alphas found.raw)" "$(alphas soft.raw)"
image wide.pgm 65536 1 1 255 1
refuses 1 '65536x1 is too large for GIF (at most 65535x65535)' 'more columns than a GIF has' gf -i wide.pgm -o x.gif
refuses 2 'gif always has 8 bits per sample' 'a GIF of 16 bits' gf -i noise.ppm --depth 16 -o x.gif
# Dither depends on the position alone: what does not change keeps its pixels.
cp noise.ppm patched.ppm
printf '\1\2\3' | dd of=patched.ppm bs=1 seek=1000 conv=notrunc 2>/dev/null
cat noise.ppm patched.ppm | gf -q -r 10 -o steady.gif
gf -q -i steady.gif -o 'steady{n}.ppm'
is 'dither stays where nothing changes' "$(cmp -l steady1.ppm steady2.ppm | ${AWK:-awk} '{ print int(($1 - 14) / 3) }' |
    uniq)" "$(((1000 - 13) / 3))"

# ---- other depths, and gray

gf -q -i in.ppm gray --depth 16 -t pam -o deep.pam
gf -q -i in.ppm gray threshold:0.3 --depth 1 -t pbm -o bits.pbm
for input in deep.pam bits.pbm; do
    works "frames of $input" gf -i $input -r 10 -o x.png
    works "frames of $input, back" gf -i x.png -t ${input#*.} -o back
    same back $input "frames of $input are kept"
done

# ---- Pillow reads all frames, durations and repetitions

python=$(command -v python3 || :)
if [ -n "$python" ] && $python -c 'from PIL import Image' 2>/dev/null; then
    $python "$here/animations.py" "$GPUFILTER" gif apng $webp >lines 2>errors
    is 'Pillow had no failure' "$? $(cat errors)" '0 '
    while IFS='|' read -r name found; do
        is "$name" "$found" same
    done <lines
    is 'Pillow saw all kinds' "$(($(wc -l <lines) >= 24))" 1
else
    skip 'no Pillow here'
fi
finish
