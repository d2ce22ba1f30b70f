# compare: known answers by hand, images that differ in depth and channels, and errors.
. "$(dirname "$0")/../lib.sh"

# levels FORMAT WIDTH HEIGHT MAXVAL VALUES...: writes an image; the last value fills the rest.
levels()
{
    printf 'P%s\n%s %s\n%s\n' "$1" "$2" "$3" "$4"
    count=$(($2 * $3 * ($1 == 3 ? 3 : 1)))
    shift 4
    for value; do
        echo "$value"
        count=$((count - 1))
    done
    while [ $count -gt 0 ]; do
        echo "$value"
        count=$((count - 1))
    done
}
grays() { levels 2 "$@"; }

# said NAME WANTED ARGUMENT...: tests the table without its heading: fields of seven digits
# separated by blanks, rows ended by semicolons.
said()
{
    name=$1 wanted=$2
    shift 2
    gf "$@" -o said.tsv 2>errors
    is "$name" "$(${AWK:-awk} -F '\t' 'NR > 1 {
        printf "%s", $1
        for (i = 2; i <= NF; i++) printf " %s", $i ~ /[0-9]/ ? sprintf("%.7g", $i) : $i
        printf ";" }' said.tsv)$(cat errors)" "$wanted"
}
# field ROW COLUMN: prints a field of said.tsv.
field() { ${AWK:-awk} -F '\t' -v row="$1" -v name="$2" \
    'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } $1 == row { print $at }' said.tsv; }
# close NAME FOUND EXPRESSION: tests within 1e-7; g(k) is the window's weight k lines from its
# center.
close()
{
    is "$1" "$(${AWK:-awk} -v found="$2" '
        function g(k,    i, sum) { for (i = -5; i <= 5; i++) sum += exp(-i * i / 4.5); return exp(-k * k / 4.5) / sum }
        BEGIN { c1 = 0.0001; c2 = 0.0009; wanted = '"$3"'; d = found - wanted
            print (found != "" && d * d < 1e-14 ? "yes" : found ", not " wanted) }')" yes
}

grays 4 1 255  0 51 102 255 >x.pgm
grays 4 1 255  51 51 51 0 >y.pgm
said 'differences of .2, 0, .2 and 1; no window' 'y 0.27 5.686362 nan 1 0;all 0.27 5.686362 nan 1 0;' -i x.pgm \
    compare:y.pgm
is 'a comparison has a heading' "$(sed q said.tsv | tr '\t' ' ')" 'channel mse psnr ssim max nonfinite'
said 'equal images have no error' 'y 0 inf nan 0 0;all 0 inf nan 0 0;' -i x.pgm compare:x.pgm
gf -i x.pgm compare:x.pgm -o said.json
is 'JSON has null for inf and nan' "$(cat said.json)" \
    '{"samples":4,"channels":[{"name":"y","mse":0,"psnr":null,"ssim":null,"max":0,"nonfinite":0}],'\
'"all":{"mse":0,"psnr":null,"ssim":null,"max":0,"nonfinite":0}}'
said 'the signal at this place of the chain: .8, .6, .4 and 0' 'y 0.29 5.37602 nan 0.8 0;all 0.29 5.37602 nan 0.8 0;' \
    -i x.pgm invert compare:y.pgm

# Flat images: variances are 0, so the formula is (2ab + C1) / (a^2 + b^2 + C1).
grays 12 11 255  51 >a.pgm
grays 12 11 255  153 >b.pgm
said '.2 and .6: .2401 / .4001' 'y 0.16 7.9588 0.6001 0.4 0;all 0.16 7.9588 0.6001 0.4 0;' -i a.pgm compare:b.pgm
said 'equal ones with windows' 'y 0 inf 1 0 0;all 0 inf 1 0 0;' -i a.pgm compare:a.pgm
grays 11 11 255  255 >white.pgm
grays 11 11 255  0 >black.pgm
said 'white and black' 'y 1 0 9.999e-05 1 0;all 1 0 9.999e-05 1 0;' -i white.pgm compare:black.pgm
grays 10 40 255  7 >narrow.pgm
said 'ten columns have no window' 'y 0 inf nan 0 0;all 0 inf nan 0 0;' -i narrow.pgm compare:narrow.pgm

# One white pixel in 11 by 11 pixels, so there is one window: the mean is the pixel's weight w, the
# variance w - w^2.
one_pixel()
{
    { printf 'P2\n11 11\n255\n';
        ${AWK:-awk} -v x=$1 -v y=$2 \
        'BEGIN { for (j = 0; j < 11; j++) for (i = 0; i < 11; i++) print i == x && j == y ? 255 : 0 }'; } >pixel.pgm
    gf -i pixel.pgm compare:black.pgm -o said.tsv
    close "one pixel at $1, $2 compared with none" "$(field y ssim)" "c1 * c2 / (($3 * $3 + c1) * ($3 - $3 * $3 + c2))"
}
one_pixel 5 5 'g(0) * g(0)'
one_pixel 3 5 'g(2) * g(0)'
one_pixel 5 3 'g(0) * g(2)'
one_pixel 0 10 'g(5) * g(5)'
one_pixel 9 2 'g(4) * g(3)'
gf -i pixel.pgm invert -o holed.pgm                  # means w and 1 - w, variances w - w^2, covariance -(w - w^2)
gf -i pixel.pgm compare:holed.pgm -o said.tsv
close 'a pixel compared with a hole' "$(field y ssim)" \
    '(2 * g(4) * g(3) * (1 - g(4) * g(3)) + c1) * (c2 - 2 * (g(4) * g(3) - (g(4) * g(3)) ^ 2)) / (((g(4) * g(3)) ^ 2 '\
'+ (1 - g(4) * g(3)) ^ 2 + c1) * (2 * (g(4) * g(3) - (g(4) * g(3)) ^ 2) + c2))'

# 13 by 12 pixels have three by two windows: every window contains the pixel, each with its own
# weight.
{ printf 'P2\n13 12\n255\n'; ${AWK:-awk} \
    'BEGIN { for (j = 0; j < 12; j++) for (i = 0; i < 13; i++) print i == 4 && j == 6 ? 255 : 0 }'; } >pixel.pgm
grays 13 12 255  0 >none.pgm
gf -i pixel.pgm compare:none.pgm -o said.tsv
mean=
for column in 5 6 7; do
    for row in 5 6; do
        w="(g($column - 4) * g($row - 6))"
        mean="$mean + c1 * c2 / (($w ^ 2 + c1) * ($w - $w ^ 2 + c2))"
    done
done
close 'the mean of six windows' "$(field all ssim)" "(0 $mean) / 6"

# Values are compared, not their representation as float.
grays 11 11 65535  65535 >top.pgm
grays 11 11 65535  65534 >next.pgm
gf -i top.pgm compare:next.pgm -o said.tsv
close 'a step of 16 bits: 20 log10 65535 dB' "$(field y psnr)" '20 * log(65535) / log(10)'
grays 12 11 65535  13107 >fine.pgm
said '8 bits compared with 16' 'y 0 inf 1 0 0;all 0 inf 1 0 0;' -i a.pgm compare:fine.pgm
said '16 bits compared with 8' 'y 0 inf 1 0 0;all 0 inf 1 0 0;' -i fine.pgm compare:a.pgm
grays 12 11 100  20 >hundred.pgm
said 'a fifth of 100' 'y 0 inf 1 0 0;all 0 inf 1 0 0;' -i a.pgm compare:hundred.pgm

# Channels, and all of them together: differences of 1 and 0 in red, 1/5 in green, none in blue.
levels 3 2 1 255  255 0 51  0 51 51 >x.ppm
levels 3 2 1 255  0 0 51  0 0 51 >y.ppm
said 'each channel has its own errors' \
    'r 0.5 3.0103 nan 1 0;g 0.02 16.9897 nan 0.2 0;b 0 inf nan 0 0;all 0.1733333 7.611179 nan 1 0;' \
    -i x.ppm compare:y.ppm
levels 3 12 11 255  51 >c.ppm
said 'gray compared with color' \
    'r 0.16 7.9588 0.6001 0.4 0;g 0.16 7.9588 0.6001 0.4 0;b 0.16 7.9588 0.6001 0.4 0;all 0.16 7.9588 0.6001 0.4 0;' \
    -i b.pgm compare:c.ppm
is 'color compared with gray' "$(gf -i c.ppm compare:b.pgm)" "$(cat said.tsv)"
# red .2 blue, and transparent
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\377\0\063\377\0\0\0\0' >a.pam
said 'alpha is a channel; an image without it is opaque' 'r 0 inf nan 0 0;g 0.02 16.9897 nan 0.2 0;b 0.02 16.9897 nan '\
'0.2 0;a 0.5 3.0103 nan 1 0;all 0.135 8.696662 nan 1 0;' \
    -i x.ppm compare:a.pam
is 'the comparison of an image without alpha works in both directions' "$(gf -i a.pam compare:x.ppm)" "$(cat said.tsv)"

# Floats: any size, and values that are not finite. 100 and 101 everywhere: 20200.0001 / 20201.0001,
# if variances stay 0.
flat() { printf 'Pf\n12 12\n-1.0\n'; i=0; while [ $i -lt 144 ]; do printf "$1"; i=$((i + 1)); done; }
flat '\000\000\310\102' >hundred.pfm
flat '\000\000\312\102' >more.pfm
said '100 and 101' 'y 1 0 0.9999505 1 0;all 1 0 0.9999505 1 0;' -i hundred.pfm compare:more.pfm
printf 'Pf\n4 1\n-1.0\n\000\000\200\277\000\000\200\177\000\000\100\100\000\000\300\177' >odd.pfm    # -1 inf 3 nan
said 'values that are not finite do not count' 'y 4.64 -6.66518 nan 2.8 2;all 4.64 -6.66518 nan 2.8 2;' -i odd.pfm \
    compare:y.pgm     # 1.2 and 2.8

# Frame by frame: each with its own second image, or all with the same one.
cat a.pgm b.pgm a.pgm >three.pnm
cat a.pgm a.pgm b.pgm >others.pnm
gf -i three.pnm compare:others.pnm -o 'each-{n}.tsv'
is 'frames compared with frames' "$(cat each-1.tsv each-2.tsv each-3.tsv | grep all | cut -f 2 | tr '\n' ' ')" \
    '0 0.16 0.16 '
gf -i three.pnm compare:b.pgm -o 'each-{n}.tsv'
is 'frames compared with one image' "$(cat each-1.tsv each-2.tsv each-3.tsv | grep all | cut -f 2 | tr '\n' ' ')" \
    '0.16 0 0.16 '

refuses 1 'a.pgm is 12x11, but the image is 11x11' 'a picture of another size' gf -i white.pgm compare:a.pgm
refuses 1 'a.pgm is 12x11, but the image is 11x12' 'one that has been turned' gf -i a.pgm transpose compare:a.pgm
mkdir folder elsewhere
for name in folder folder/; do
    refuses 1 "compare: $name: is a folder; name an image in it, for example folder/{stem}.png" \
        "compare with a folder, $name" gf -i a.pgm compare:$name -o elsewhere/none.tsv
done
refuses 1 'absent.pgm' 'a missing image' gf -i a.pgm compare:absent.pgm
refuses 1 'errors' 'compare with a file that is no image' gf -i a.pgm compare:errors
refuses 2 'compare' 'compare without a file name' gf -i a.pgm compare
refuses 2 'pipe' 'compare with a pipe' gf -i a.pgm compare:-
refuses 2 "'compare:b.pgm' makes a table" 'stages after it' gf -i a.pgm compare:b.pgm invert
refuses 2 'json stores tables, but the result is an image' 'an image as a table' gf -i a.pgm invert -o out.json
sound in.wav 100 1 1
refuses 2 'compare works on images, but in.wav is audio; use invert mix:FILE stats, whose rms_db is the level of the' \
    'compare of audio' gf -i in.wav compare:a.pgm
# A condition: first the table, then a line, then the exit status.
refuses 1 'a.pgm: compare: ssim is 0.6001, less than 0.61' 'an image that is less similar than required' gf -i a.pgm \
    compare:b.pgm,min-ssim=0.61 -o asked.tsv
is 'the table is there' "$(grep -c all asked.tsv)" 1
refuses 1 'ssim is 0.6001, less than 0.61; psnr is 7.959, less than 8$' 'an image that fails both conditions' \
    gf -i a.pgm compare:b.pgm,min-psnr=8,min-ssim=0.61 -o asked.tsv
refuses 1 'psnr is 7.959, less than 7.96$' 'an image that fails only one of two conditions' gf -i a.pgm \
    compare:b.pgm,min-psnr=7.96,min-ssim=0.6 -o asked.tsv
refuses 1 'psnr is 7.9588, less than 7.959$' 'a failed condition is printed with as many digits as necessary' \
    gf -i a.pgm compare:b.pgm,min-psnr=7.959 -o asked.tsv
works 'an image that is similar enough' gf -i a.pgm compare:b.pgm,min-ssim=0.6,min-psnr=7.95 -o asked.tsv
works 'an equal image meets any condition' gf -i a.pgm compare:a.pgm,min-ssim=1,min-psnr=1000 -o asked.tsv
refuses 1 'ssim is unknown, but must be at least 0.5$' \
    'a condition for an SSIM that is unknown because there is no window' \
    gf -i x.pgm compare:x.pgm,min-ssim=0.5 -o asked.tsv
refuses 1 'three.pnm, image 2: compare: psnr is 7.959, less than 30' 'the first of several' gf -i three.pnm \
    compare:others.pnm,min-psnr=30 -o 'asked-{n}.tsv'
is 'a failed condition for several images: all tables are there' \
    "$(cat asked-1.tsv asked-2.tsv asked-3.tsv | grep -c all)" 3
gf -i a.pgm -i b.pgm compare:b.pgm,min-psnr=30 -o 'asked-{stem}.tsv' 2>errors
is 'a failed condition of one of two files' \
    "$?, $(grep -c 'a.pgm: compare: psnr is 7.959, less than 30$' errors) of $(wc -l <errors |
    tr -d ' ')" '1, 1 of 2'
is 'a failed condition of one of two files: both tables are there' "$(cat asked-a.tsv asked-b.tsv | grep -c all)" 2
echo 'P2 2 1 255 10 20' >ten.pgm
echo 'P2 2 1 255 10 24' >four.pgm
refuses 1 'ten.pgm: compare: max is 0.01569, more than 0.0156$' 'a difference of four levels' gf -i ten.pgm \
    compare:four.pgm,max=1.56% -o asked.tsv
works 'a difference of four levels is less than max=1.57%' gf -i ten.pgm compare:four.pgm,max=1.57% -o asked.tsv
works 'no difference meets max=0' gf -i ten.pgm compare:ten.pgm,max=0 -o asked.tsv
refuses 1 'max is 0.01569, more than 0$' 'any difference fails max=0' gf -i ten.pgm compare:four.pgm,max=0 -o asked.tsv
refuses 2 '4 of 255 is 0.016' 'max= in levels instead of a part of full scale' \
    gf -i ten.pgm compare:four.pgm,max=4 -o asked.tsv
refuses 1 'psnr is 7.959, less than 8; max is .*, more than 0$' 'two of three' gf -i a.pgm \
    compare:b.pgm,min-psnr=8,min-ssim=0.6,max=0 -o asked.tsv
refuses 2 'min-ssim=1.5: must be' 'min-ssim= above the largest SSIM' gf -i a.pgm compare:b.pgm,min-ssim=1.5

works 'a comparison can be drawn' gf -i a.pgm compare:b.pgm -o said.svg
is 'the message names both' "$(grep -c '>Comparison of a.pgm with b.pgm<' said.svg)" 1
is 'a drawn comparison has its numbers' "$(grep -c '>7.9588' said.svg)" 2
finish
