# Bytes to bytes: stages that a CPU computes without planes of floats give the same bytes as stages that write floats,
# which another run rounds. There, clamp is a stage: without one, floats are rounded from their exact product.
. "$(dirname "$0")/../lib.sh"

image dot.pgm 1 1 1 255 1
image small.ppm 5 3 3 255 2
image column.pgm 1 70 1 255 3
image gray.pgm 301 150 1 255 4
image wide.ppm 1500 40 3 255 5
image levels.pgm 64 64 1 100 6
image long.pgm 3300 9 1 255 7

# agree STAGE...: tests one stage after another on all images, in long and in short segments. $beside ends their names.
beside=
agree()
{
    for stage; do
        for in in *.p[gp]m; do
            gf -q --device cpu -i $in $stage --depth f32 -o floats.pfm
            gf -q --device cpu -i floats.pfm clamp --depth 8 -o rounded.pnm
            gf -q --device cpu -i $in $stage -o bytes.pnm
            [ $in = levels.pgm ] && gf -q --device cpu -i $in $stage --depth 8 -o bytes.pnm
            same rounded.pnm bytes.pnm "$stage: $in$beside, bytes are rounded floats"
            gf -q --device cpu --segment 7K -i $in $stage -o cut.pnm
            [ $in = levels.pgm ] && gf -q --device cpu --segment 7K -i $in $stage --depth 8 -o cut.pnm
            same bytes.pnm cut.pnm "$stage: $in$beside, bytes in short segments"
            rm -f floats.pfm ./*.pnm
        done
    done
}

agree blur:0.3 blur:0.7 blur:2 blur:1,edge=mirror blur:2,edge=wrap blur:1.5,edge=zero blur:2,edge=reflect
agree blur:1 blur:1,edge=zero blur:0.66,edge=wrap blur:0.4,edge=mirror
agree resize:50%,filter=area resize:50%,filter=nearest resize:50%,filter=cubic resize:200%,filter=linear
agree sharpen sharpen:0.7,1.5,0.02 sharpen:2,1,edge=wrap
agree box:1 box:2 box:4 box:5 box:6 box:7 box:3 box:8 box:2,edge=wrap box:7,edge=zero box:5,edge=mirror
agree box:9 box:20 box:26 box:26,edge=zero box:12,edge=wrap box:16,edge=reflect box:27

# An image with 16 bits is rotated in floats. The result in 8 bits is the same as that of an image with 8 bits.
turns()
{
    for stage; do
        for in in *.p[gp]m; do
            gf -q --device cpu -i $in --depth 16 -o deep.pnm
            gf -q --device cpu -i deep.pnm $stage --depth 8 -o rounded.pnm
            gf -q --device cpu -i $in $stage --depth 8 -o bytes.pnm
            same rounded.pnm bytes.pnm "$stage: $in, bytes are those of floats"
            gf -q --device cpu --segment 7K -j 2 -i $in $stage --depth 8 -o cut.pnm
            same bytes.pnm cut.pnm "$stage: $in, bytes of two workers in short segments"
            rm -f ./*.pnm
        done
    done
}

# Steps of half the range put many sums in the middle between two bytes; 4096 columns put rows a page apart.
${AWK:-awk} 'BEGIN {
    print "P3", 97, 61, 255
    for (i = 0; i < 97 * 61 * 3; i++)
        print int(i / 3) % 2 * 128
}' >steps.ppm
rm levels.pgm                            # its levels are no multiples of 1/65535
image page.pgm 4096 90 1 255 7
image page.ppm 4096 70 3 255 8
turns rotate:30 rotate:-3 rotate:45 rotate:137.5 rotate:60,fit=keep,bg=#12f380 rotate:1,fit=keep
turns rotate:20,edge=clamp rotate:250,edge=mirror,fit=keep rotate:14,edge=wrap rotate:50,edge=zero,filter=nearest
turns rotate:30,filter=cubic

# Outputs with fewer levels than the input.
for stage in box:3 box:12 box:27 blur:2 sharpen resize:50%,filter=area invert gamma:2 median:2; do
    for depth in 1 2 4; do
        gf -q --device cpu -i gray.pgm $stage --depth f32 -o floats.pfm
        gf -q --device cpu -i floats.pfm clamp --depth $depth -o rounded.pgm
        gf -q --device cpu -i gray.pgm $stage --depth $depth -o bytes.pgm
        same rounded.pgm bytes.pgm "$stage: --depth $depth"
        rm -f floats.pfm rounded.pgm bytes.pgm
    done
done

# A channel is resized by simple ratios to the same samples beside others, as a plane of its own, and alone.
for size in 2x9 13x2 97x31 342x5 701x24 2100x9 4500x5; do
    image colors.ppm ${size%x*} ${size#*x} 3 255 7
    gf -q -i colors.ppm --depth 16 -o words.ppm
    gf -q -i colors.ppm --depth f32 -o floats.pfm
    for in in colors.ppm words.ppm floats.pfm; do
        kind=pnm                                         # gray, where PPM would be RGB
        [ $in != floats.pfm ] || kind=pfm
        gf -q -i $in channel:g -o green.$kind
        for stage in resize:50% resize:200% resize:50%,filter=cubic resize:200%,filter=linear resize:200%,filter=area \
                     resize:50%,filter=nearest resize:25%,filter=linear resize:150%,filter=cubic; do
            gf -q --device cpu -i green.$kind $stage -o alone.$kind
            gf -q --device cpu -i $in $stage -o all.$kind
            gf -q --device cpu -i all.$kind channel:g -o beside.$kind
            gf -q --device cpu -i $in $stage channel:g -o plane.$kind
            same alone.$kind beside.$kind "$stage: ${in%.*} of $size, beside other channels"
            same alone.$kind plane.$kind "$stage: ${in%.*} of $size, from planes"
        done
    done
done

# Sums of bytes are those of the same samples in 16 bits, also if lanes pass them on before they have their results.
for size in 1x1 31x3 63x5 64x4 65x9 130x37 700x70; do
    for kind in pgm ppm; do
        [ $kind = pgm ] && channels=1 || channels=3
        image sums.$kind ${size%x*} ${size#*x} $channels 255 8
        gf -q -i sums.$kind --depth 16 -o words.$kind
        for stage in integral cumsum cumsum:axis=y; do
            gf -q --device cpu -i words.$kind $stage --depth f32 -o words.pfm
            gf -q --device cpu --lanes 1 -i sums.$kind $stage --depth f32 -o bytes.pfm
            same words.pfm bytes.pfm "$stage of bytes: $kind of $size"
            gf -q --device cpu --lanes 3 --segment 3K -i sums.$kind $stage --depth f32 -o lanes.pfm
            same words.pfm lanes.pfm "$stage of bytes: $kind of $size, in three lanes"
        done
    done
done

# Means of four pixels: all sums of two of them beside all sums of the other two.
rm ./*.p[gpn]m ./*.pfm
${AWK:-awk} 'BEGIN {
    print "P2", 1022, 1022, 255
    for (y = 0; y < 1022; y++)
        for (x = 0; x < 1022; x++) {
            sum = x % 2 ? int(x / 2) : int(y / 2)
            print y % 2 ? int(sum / 2) : sum - int(sum / 2)
        }
}' >all.pgm
# Rows of the result that are just shorter or longer than a vector.
for width in 20 21 22 44 63 64 66 130; do
    image gray$width.pgm $width 6 1 255 $width
    image colors$width.ppm $width 5 3 255 $width
done
agree resize:50%,filter=area

# The window is the whole image, and just less or just more than half of its pixels are one level brighter, first those
# at the top, then every second one. The mean is as near to the middle between two bytes as it can be.
rm ./*.pgm
for side in 3 17 19 41 53; do
    for level in 0 127 254; do
        for brighter in $(((side * side - 1) / 2)) $(((side * side + 1) / 2)); do
            for spread in 1 2; do
                ${AWK:-awk} -v s=$side -v level=$level -v brighter=$brighter -v spread=$spread 'BEGIN {
                    print "P2", s, s, 255
                    for (i = 0; i < s * s; i++)
                        print level + (i * spread % (s * s) < brighter)
                }' >near.pgm
                wanted=$((level + (2 * brighter > side * side)))
                gf -q --device cpu -i near.pgm box:$((side / 2)),edge=wrap -o mean.pgm
                is "$brighter of $((side * side)) pixels above $level, spread $spread" \
                   "$(tail -c $((side * side)) mean.pgm | od -An -v -tu1 | tr -s ' ' '\n' | sort -u | tr -d '\n')" \
                   $wanted
            done
        done
        beside=" beside a level of $level"
        agree box:$((side / 2)),edge=wrap
    done
done
beside=
image gray.pgm 301 150 1 255 4

gf --device cpu --explain -i gray.pgm blur:2 -o out.pgm >plan
is 'one step for both directions' "$(grep -c 'by 13 weights in two directions' plan)" 1
gf --device cpu --explain -i gray.pgm box:20 -o out.pgm >plan
is 'one step for both directions of a long mean' "$(grep -c '^    box ' plan)" 1

# Doubled rows whose sources are just shorter or longer than a vector, or two, or a piece of a row.
rm ./*.p[gp]m
for width in 16 17 18 21 22 23 31 32 33 34 35 36 63 64 65 67 95 97 322 323 643 961 965 1921; do
    image gray$width.pgm $width 7 1 255 $width
    image colors$width.ppm $width 4 3 255 $width
done
image line.pgm 64 1 1 255 1
agree resize:200%,filter=linear resize:200%,filter=cubic
finish
