# Known answers for stages that use neighbors, worked out by hand: masks, lines, ranks.
. "$(dirname "$0")/lib_answers.sh"

# A mask of three: exp(-1/2) = .60653 on both sides of 1 gives .27407 .45186 .27407.
gray 3 1  0 255 0
picture '70 115 70' blur:1,radius=1
picture '32 52 32' blur:1,radius=1,edge=zero
gray 3 1  0 255 0
picture '143 179 143' blur:1,radius=1,light=linear      # .27407 and .45186 of the light

# The mask is applied as written: the left neighbor of a 1 gets the last weight.
gray 5 1  0 0 1 0 0
picture '0 3 2 1 0' 'conv:[1 2 3],scale=1'
picture '0 0 2 1 0' 'conv:[1 2],scale=1'           # the center of two weights is the second
picture '0 3 2 1 0' 'conv1d:[1 2 3],axis=x,scale=1'
gray 5 1  0 0 60 0 0
picture '0 30 20 10 0' 'conv:[1 2 3],scale=6'
picture '0 30 20 10 0' 'conv:[1 2 3],scale=auto'
picture '51 51 111 51 51' 'conv:[1],offset=0.2'
gray 3 3  0 0 0  0 10 0  0 0 0
picture '90 80 70 60 50 40 30 20 10' 'conv:[1 2 3; 4 5 6; 7 8 9],edge=zero,scale=1'
picture '0 30 0 0 20 0 0 10 0' 'conv1d:[1 2 3],axis=y,scale=1'

# A mask of 16 rows and 17 columns runs by transforms. Its center is column 8 of row 8; the 2 is 8 pixels before that.
${AWK:-awk} 'BEGIN { for (k = 0; k < 16 * 17; k++)
    printf "%d%s", k == 0 ? 2 : k == 8 * 17 + 8, k % 17 < 16 ? " " : "\n" }' >large.txt
gray 3 1  10 20 30
picture '50 80 50' conv:large.txt,edge=wrap,scale=1            # column (x - 8) mod 3 is the next one
picture '10 20 30' conv:large.txt,edge=zero,scale=1
picture '30 40 50' conv:large.txt,edge=clamp,scale=1
picture '48 52 55' conv:large.txt,scale=auto,offset=0.15       # thirds, and 38.25
gray 1 3  10 20 30
picture '50 40 50' conv:large.txt,edge=reflect,scale=1         # of |012|210|012|, -8 is 1, -7 and -6 are 0
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
gf -i in.pam channel:a -o wanted.pgm
gf -i in.pam conv:large.txt,scale=1 channel:a -o alpha.pgm
same wanted.pgm alpha.pgm 'a large mask copies alpha'
${AWK:-awk} 'BEGIN { for (j = 0; j < 256; j++) printf "%d 1\n", j % 3 }' >high.txt
refuses 2 'conv: the mask has 2 columns and 256 rows; must be at most 255 by 255' 'too large a mask' \
    gf -i in.pgm conv:high.txt -o o.pgm

# Beyond the edge: two columns to the right.
gray 4 1  1 2 3 4
picture '1 1 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=clamp'
picture '2 1 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=reflect'
picture '3 2 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=mirror'
picture '3 4 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=wrap'
picture '0 0 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=zero'

# box: 90 among 9 and 25 pixels; then a column of 90 in five, averaged over nineteen rows and
# columns that repeat the edge.
gray 5 5  0 0 0 0 0  0 0 0 0 0  0 0 90 0 0  0 0 0 0 0  0 0 0 0 0
picture '0 0 0 0 0 0 10 10 10 0 0 10 10 10 0 0 10 10 10 0 0 0 0 0 0' box:1
picture '4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4' box:2,edge=wrap   # 90 / 25 = 3.6
gray 5 1  0 0 190 0 190
picture '70 80 90 100 110' box:9               # 190 / 19 = 10, once for column 2 and 6 to 10 times for column 4
# Masks with names, and stages that consist of one mask. On a step of 40 the slope is (1 + 2 +
# 1)·40.
gray 4 3  10 10 50 50  10 10 50 50  10 10 50 50
picture '0 160 160 0 0 160 160 0 0 160 160 0' sobel
picture '0 160 160 0 0 160 160 0 0 160 160 0' sobel:x
picture '0 0 0 0 0 0 0 0 0 0 0 0' sobel:y
picture '0 20 20 0 0 20 20 0 0 20 20 0' conv:sobel-x,scale=8
picture '0 120 120 0 0 120 120 0 0 120 120 0' conv:prewitt-x
picture '0 40 0 0 0 40 0 0 0 40 0 0' laplacian         # and -40 next to it
picture '10 20 40 50 10 20 40 50 10 20 40 50' conv:gauss3
picture '10 23 37 50 10 23 37 50 10 23 37 50' conv:box3
picture '10 0 90 50 10 0 90 50 10 0 90 50' conv:sharpen
gray 3 3  0 0 0  0 30 0  0 0 0
picture '42 60 42 60 0 60 42 60 42' sobel              # √(30² + 30²) in the corners, 2·30 next to the dot
picture '30 0 0 60 0 0 30 0 0' sobel:x,edge=zero
picture '30 60 30 0 0 0 0 0 0' sobel:y,edge=zero
picture '0 30 0 30 0 30 0 30 0' laplacian:edge=zero
picture '60 30 0 30 30 0 0 0 0' emboss:edge=zero       # point-symmetric: the dot affects all its neighbors
# sharpen: with sigma 0.5 a dot keeps .78657 of itself and gives .10645 to its neighbors.
gray 5 1  50 50 100 50 50
picture '50 39 121 39 50' sharpen:2,0.5                # 100 + 2·50·(1 - .78657), 50 - 2·50·.10645
picture '50 50 121 50 50' sharpen:2,0.5,0.03           # 5.3 is not above 7.65, 10.7 is
picture '50 50 100 50 50' sharpen:2,0
# unsharp: in thirds of a pixel, with sigma 0.5, a dot keeps .69345 of itself and gives away .15328;
# twice the differences are .1202 and .0601.
picture '50 35 131 35 50' unsharp:1x0.5+2+0            # 100 + 2·50·(1 - .69345), 50 - 2·50·.15328
picture '50 35 131 35 50' unsharp:1,0.5,2,0.06
picture '50 50 131 50 50' unsharp:1x0.5+2+0.061
picture '50 50 100 50 50' unsharp:1x0.5+2+0.121
picture '50 35 131 35 50' unsharp:0x0.5+2,threshold=0  # .69189 .15293 .00112, in 16 bits
picture '50 42 115 42 50' unsharp:0.2x0.5              # only once: 1 is not above half of 5 %
picture '50 50 100 50 50' unsharp:0x0 unsharp:0x1+0
# dog: as for sharpen, the dot keeps .78657, minus its blurred value.
picture '51 46 62 46 51' dog:0,0.5,offset=0.2          # 50·(1 - .78657), -50·.10645
picture '51 56 40 56 51' dog:0.5,0,offset=0.2
picture '0 5 0 5 0' dog:0.5,0
picture '0 0 0 0 0' dog:0.7,0.7
# canny: of two equal slopes it takes the left or upper one. A step gives a line of one pixel, a
# line gives two lines next to it. A step of 51 slopes by .8.
gray 4 3  0 0 255 255 0 0 255 255 0 0 255 255
picture '0 255 0 0 0 255 0 0 0 255 0 0' canny:0
picture '0 255 0 0 0 255 0 0 0 255 0 0' canny
picture '0 255 0 0 0 255 0 0 0 255 0 0' flop canny:0
picture '0 0 0 255 255 255 0 0 0 0 0 0' transpose canny:0
gray 5 1  0 0 51 0 0
picture '0 255 0 255 0' canny:0,0.1,0.79
picture '0 0 0 0 0' canny:0,0.1,0.81
gray 6 6  0 0 0 0 0 255 0 0 0 0 255 255 0 0 0 255 255 255 0 0 255 255 255 255 0 255 255 255 255 255 255 255 255 255 \
    255 255
picture '0 0 0 0 255 0 0 0 0 255 255 0 0 0 255 255 0 0 0 255 255 0 0 0 255 255 0 0 0 0 0 0 0 0 0 0' canny:0,3,4 \
    # 3·√2 on both sides
rgb 4 1  0 9 9  0 9 9  255 9 9  255 9 9                # a step of .299 of gray
picture '0 255 0 0' canny:0,0.1,1.19
picture '0 0 0 0' canny:0,0.1,1.2
rm in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\000\377\036' >in.pam
gf -i in.pam canny:0 -o out.pgm
is 'canny leaves alpha out' "$(tail -c 3 out.pgm | numbers u1)" '255 0 0'
# A faint edge along 350 rows that becomes brighter: canny follows the line through all bands,
# because it has no gap.
long()
{
    {
        echo P2 4 400 255
        ${AWK:-awk} -v gap="$1" 'BEGIN {
            for (y = 0; y < 400; y++) {
                v = y >= gap && y <= gap + 2 ? 0 : y < 350 ? 20 : y < 389 ? 6 * y - 2080 : 255
                print 0, 0, v, v
            }
        }'
    } >in.pgm
}
for gap in -9 62 63 64 126 200; do
    long $gap
    is "canny, a gap at $gap" "$(gf -i in.pgm canny:0,0.1,0.6 crop:4x1+0+0 -t pgm | tail -c 4 | numbers u1)" \
       "$([ $gap = -9 ] && echo 0 255 0 0 || echo 0 0 0 0)"
done
# bilateral, radius 1: the other side of the step has weights e^-½ for distance and e^-2 for
# difference, .082085 relative to 1 + e^-½.
gray 2 1  0 255
picture '12 243' bilateral:1,0.5,radius=1              # 255·.082085 / 1.688616 = 12.40, and 242.60
picture '0 255' bilateral:5,0.1                        # e^-50 is 0
picture '70 185' -q bilateral:1,1000,radius=1            # a mean: 255·.606531 / 2.213061 = 69.89, and 185.11
picture '0 255' bilateral:0,0.5
gray 3 3  9 9 9 9 9 9 9 9 9
picture '9 9 9 9 9 9 9 9 9' bilateral:3,0.1
# nlmeans. Differences of 10 of 255 are within twice the variance of .04, so all nine pixels count; in one row each is
# there three times. With .1, x is ((39/255)² - .02) / .0444 = .0763, and the weight of the other pixel .530.
gray 3 1  100 110 100
picture '103 103 103' nlmeans:0.04,patch=0,search=1
gray 3 1  100 200 100
picture '100 200 100' nlmeans:0.04,patch=0,search=1
picture '100 200 100' nlmeans:0,patch=0,search=1
gray 2 1  0 39
picture '8 31' nlmeans:0.1,patch=0,search=1            # 39·3·.53 / (6 + 3·.53) = 8.17
picture '0 39' nlmeans                                 # one row: no noise is found
gray 3 3  9 9 9 9 9 9 9 9 9
picture '9 9 9 9 9 9 9 9 9' nlmeans
picture '9 9 9 9 9 9 9 9 9' nlmeans:0.3,patch=3
rgb 3 1  100 0 50  110 0 50  100 255 50
picture '105 0 50 105 0 50 100 255 50' nlmeans:0.04,patch=0,search=1,edge=wrap
picture '103 0 50 103 0 50 103 255 50' nlmeans:0.04,patch=0,search=1,edge=wrap,separate
# denoised FILE IMAGE PSNR [STRENGTH]: status 0 if nlmeans brings FILE so near to IMAGE; the PSNR is in psnr.tsv.
denoised() {
    gf -q -i "$1" nlmeans:search=5"${4:+,strength=$4}" -t ppm | gf -q -i - compare:"$2",min-psnr=$3 -t tsv >psnr.tsv
}
# The estimated strength is at most 0.15 dB worse than the known one, also if noise of 0.2 is clipped.
for image in scene photo page; do
    for sigma in 0.04 0.1 0.2; do
        gf -q -i "$GPUFILTER_SAMPLES/$image.ppm" noise:$sigma -o noisy.ppm
        denoised noisy.ppm "$GPUFILTER_SAMPLES/$image.ppm" 1 $sigma
        least=$(${AWK:-awk} '$1 == "all" { print $3 - 0.15 }' psnr.tsv)
        denoised noisy.ppm "$GPUFILTER_SAMPLES/$image.ppm" "$least"
        is "nlmeans estimates noise of $sigma in $image" $? 0
    done
done
# Noise of a fifth of the brightness leaves 25 dB. It is estimated although dark places have hardly any.
gf -i "$GPUFILTER_SAMPLES/photo.ppm" contrast:0 -o half.ppm
gf -i half.ppm noise:0.1 -o noise.ppm
gf -i "$GPUFILTER_SAMPLES/photo.ppm" blend:half.ppm,multiply -o clean.ppm
gf -i "$GPUFILTER_SAMPLES/photo.ppm" blend:noise.ppm,multiply -o noisy.ppm
denoised noisy.ppm clean.ppm 36
is 'nlmeans estimates noise that grows with brightness' $? 0
# PSNR of denoise_nl_means(noisy, 2·patch + 1, 10, h=.8·.0392, sigma=.0392, fast_mode=False) of scikit-image 0.26
gf -q -i "$GPUFILTER_SAMPLES/scene.ppm" noise:0.0392 -o noisy.ppm
for pair in 1,35.13 2,34.49 3,33.31; do
    gf -q -i noisy.ppm nlmeans:0.0392,patch=${pair%,*} -t ppm | gf -q -i - \
        compare:"$GPUFILTER_SAMPLES/scene.ppm",min-psnr=${pair#*,} -t tsv >psnr.tsv
    is "nlmeans with patch=${pair%,*} leaves no more noise than scikit-image" $? 0
done
# Bytes go through tables of weights, other samples do not. Both give the same levels.
for size in 1x1 63x2 65x7 200x40; do
    gf -i in.pgm resize:$size brightness:0.4 noise:0.3 --depth 8 -o noise.pgm
    for arguments in 0.5,0.03,radius=1,edge=zero 1.4,0.1 1.4,0.13,radius=3,edge=mirror 3,0.004,edge=wrap \
        8,1000,radius=32,edge=reflect; do
        gf -q --device cpu -i noise.pgm bilateral:$arguments -o bytes.pgm
        gf -q --device cpu -i noise.pgm bilateral:$arguments -t pfm | gf -i - clamp --depth 8 -o floats.pgm
        is "bilateral:$arguments of $size bytes" "$(cmp bytes.pgm floats.pgm && wc -c <bytes.pgm | tr -d " ")" \
            "$(wc -c <noise.pgm | tr -d " ")"
    done
done
rgb 2 1  0 0 0  153 204 0                              # √(.6² + .8²) is 1, as before
picture '7 10 0 146 194 0' bilateral:1,0.5,radius=1    # 153·.048611 = 7.44, 204·.048611 = 9.92
rm in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
for stage in sobel sobel:x laplacian emboss sharpen sharpen:2,0.5,0.1 conv:ridge unsharp:0x1+2+0 dog:1 \
    dog:0,2,offset=.5 bilateral:1,0.2 noise:.1 vignette:1; do
    gf -i in.pam $stage -o out.pam
    is "$stage copies alpha" "$(tail -c 6 out.pam | numbers u1 | cut -d ' ' -f 2,4,6)" '10 20 30'
done
is 'sobel filters the color of an image with alpha' \
    "$(gf -i in.pam sobel | tail -c 6 | numbers u1)" '255 10 0 20 255 30'

# Ranks are picked, not computed. In a single row, each sample stands for a column of three, of
# five…
gray 5 1  10 200 30 40 50
picture '10 30 40 40 50' median:1
picture '10 30 40 50 50' median:2
picture '10 30 40 50 50' median:60           # 61 to 58 tens, 200, 30, 40, and fifties: 121 in all
picture '0 0 0 0 0' median:1,edge=zero       # six of nine are beyond the edge
picture '10 10 30 30 40' erode:1
picture '10 10 30 30 10' erode:1,edge=wrap
picture '200 200 200 50 50' dilate:1
picture '200 200 200 200 200' dilate:4
picture '10 30 30 40 40' open:1
picture '200 200 50 50 50' close:1
gray 3 3  1 2 3  4 100 6  7 8 9
picture '2 3 3 4 6 6 7 8 9' median:1         # the center: 1 2 3 4 (6) 7 8 9 100
picture '1 1 2 1 1 2 4 4 6' erode:1
picture '100 100 100 100 100 100 100 100 100' dilate:1
rgb 3 1  1 200 7  5 100 9  3 150 8
picture '1 200 7 3 150 8 3 150 8' median:1   # each channel separately
rm in.ppm
image clear.pam 20 10 4 255 3
gf -i clear.pam channel:a -o a.pgm
gf -i clear.pam median:2 dilate:3 channel:a -o b.pgm
same a.pgm b.pgm 'median and dilate copy alpha'

# Squares of 3, 5 and 7 pixels are computed in different ways. A larger square is two smaller ones, one after the other.
for size in '1 1 1' '3 2 3' '17 9 1' '64 20 3' '2049 7 1' '700 11 3'; do
    image squares.pnm $size 255 9
    for type in '8 -t pam' '16 -t pam' 'f32 -t pfm'; do
        for stage in dilate erode; do
            gf -q --device cpu -i squares.pnm --depth $type $stage:2 | gf -i - --depth 8 -o once.pnm
            gf -q --device cpu -i squares.pnm --depth $type $stage:1 $stage:1 | gf -i - --depth 8 -o twice.pnm
            same once.pnm twice.pnm "$stage:2 of $size, depth ${type%% *}"
            gf -q --device cpu -i squares.pnm --depth $type $stage:2 $stage:1 | gf -i - --depth 8 -o twice.pnm
            gf -q --device cpu -i squares.pnm --depth $type $stage:3 | gf -i - --depth 8 -o once.pnm
            same once.pnm twice.pnm "$stage:3 of $size, depth ${type%% *}"
        done
    done
done

# Long masks down the rows of wide images are computed in tiles, and those of a part of the columns are not. The part
# has the same samples, 40 columns away from where it was cut.
image wide.pgm 20000 203 1 65535 8
gf -i wide.pgm crop:1200x203+18800+0 -o part.pgm
${AWK:-awk} 'BEGIN { for (i = 1; i <= 150; i++) print i % 7 / 500 }' >samples.txt
for stage in blur:8,radius=31 blur:8,radius=31,edge=mirror blur:8,radius=31,edge=wrap blur:8,radius=31,edge=zero \
    unsharp:31x8 'conv1d:samples.txt,axis=y'; do
    gf --device cpu -i part.pgm "$stage" crop:1100x203+60+0 --depth f32 -o part.pfm
    gf --device cpu -i wide.pgm "$stage" crop:1100x203+18860+0 --depth f32 -o columns.pfm
    gf --device cpu --segment 300K --lanes 3 -i wide.pgm "$stage" crop:1100x203+18860+0 --depth f32 -o cut.pfm
    same part.pfm columns.pfm "$stage: columns of a wide image"
    same part.pfm cut.pfm "$stage: the same in short segments"
done

finish
