# Known answers for stages of color, worked out by hand from the manual.
. "$(dirname "$0")/lib_answers.sh"

gray 4 1  0 64 128 200
picture '0 90 176 255' exposure:1            # twice ((128/255 + .055)/1.055)^2.4 = .21586 is .43172, sRGB .68845
picture '0 44 92 146' exposure:-1
picture '0 64 128 200' exposure:2 exposure:-2
picture '0 128 255 255' exposure:1,light=encoded
picture '0 32 64 100' exposure:-1,light=encoded
picture '0 64 128 200' exposure:0

gray 5 1  0 64 128 192 255
picture '0 51 112 180 255' 'curves:[0 0; 0.25 0.2; 1 1]'            # slopes from harmonic means, as in SciPy
picture '0 29 129 227 255' 'curves:[0 0; 0.3 0.15; 0.7 0.85; 1 1]'
picture '255 191 127 63 0' 'curves:[0 1; 1 0]'
picture '51 51 102 153 153' 'curves:[0.250980392 0.2; 0.752941176 0.6]'       # 64/255 and 192/255; level outside
picture '51 51 51 51 51' 'curves:[0 0.2; 1 0.2]'
printf '# dark to light\n0 0\n\n0.25 0.2   # a point\n1 1\n' >points.txt
picture '0 51 112 180 255' curves:points.txt
picture '255 191 127 63 0' 'curves:[0 1; 1 0],channel=b'
refuses 2 'points: 64 must be 0 to 1; 64 of 255 is 0.25' 'points of 0 to 255' \
    gf -i in.pgm 'curves:[0 0; 64 50; 255 255]' -o o.pgm
refuses 2 'points: 32768 must be 0 to 1; 32768 of 65535 is 0.5' 'points of 0 to 65535' \
    gf -i in.pgm 'curves:[0 0; 32768 40000; 65535 65535]' -o o.pgm
refuses 2 "unknown option 'g'; use 'curves:.*,channel=g'" 'points of a channel by its letter' \
    gf -i in.ppm 'curves:g=0/0 0.5/0.6 1/1' -o o.ppm
refuses 2 '0.5 follows 0.5; the first numbers must rise' 'two points at one place' \
    gf -i in.pgm 'curves:[0 0; 0.5 0.2; 0.5 0.6; 1 1]' -o o.pgm
refuses 2 'must be 2 to 256 points of 2 numbers' 'points of three numbers' \
    gf -i in.pgm 'curves:[0 0 0; 1 1 1]' -o o.pgm
refuses 2 'must be 2 to 256 points of 2 numbers' 'a single point' gf -i in.pgm 'curves:[0 0]' -o o.pgm

gray 5 1  0 51 102 204 255
picture '0 84 139 212 255' shadows:1         # .2·(1 + .8²) is .328
picture '0 35 84 200 255' shadows:-0.5
picture '0 43 78 171 255' highlights:-1      # .2 - .8·.2² is .168
picture '0 51 102 204 255' shadows:0 highlights:0
picture '0 51 102 204 255' vibrance:2
picture '0 51 102 204 255' saturate:3,in=lab
picture '0 51 102 204 255' temperature:3000
picture '0 51 102 204 255' temperature

rgb 2 1  200 100 50  60 60 60
picture '55 100 50 195 60 60' 'curves:[0 1; 1 0],channel=r'
picture '200 155 50 60 195 60' 'curves:[0 1; 1 0],channel=green'
picture '200 100 205 60 60 195' 'curves:[0 1; 1 0],channel=b'
picture '253 126 63 95 95 95' shadows:1      # the luma of the first is .48671, its factor 1.26346
picture '216 95 35 60 60 60' vibrance:0.5    # the span is .58824, the factor 1.20588, luma 124.2
picture '140 119 109 60 60 60' vibrance:-0.5 # the factor is 1 - .5·1.58824
picture '128 128 128 35 78 150' temperature:gray=#c86432
picture '128 128 128 35 78 150' temperature:area=1x1+0+0
gf -q -i in.ppm temperature:gray=#825037 -o wanted.ppm
gf -q -i in.ppm temperature:area=2x1 -o out.ppm
same wanted.ppm out.ppm 'the mean of an area becomes gray'
gf -q -i in.ppm flop -o turned.ppm
gf -q -i turned.ppm flop temperature:area=2x1 -o out.ppm
same wanted.ppm out.ppm 'an area of the result of stages'
gf -q -i in.ppm gray -o one.pgm
gf -q -i one.pgm temperature:area=9x9 -o out.pgm
same one.pgm out.pgm 'a gray image needs no area'
refuses 1 'area=2x2+0+0 is not inside the image, which is 2x1' 'an area outside' \
    gf -i in.ppm temperature:area=2x2 -o o.ppm
refuses 2 'area= is WIDTHxHEIGHT+X+Y, in pixels' 'a share as an area' gf -i in.ppm temperature:area=50%x50% -o o.ppm
refuses 2 'area= and kelvin are both given' 'an area and a temperature' \
    gf -i in.ppm temperature:4000,area=1x1 -o o.ppm
refuses 2 'area= and gray are both given' 'an area and a color' gf -i in.ppm temperature:gray=red,area=1x1 -o o.ppm
picture '200 100 50 60 60 60' temperature:6500
picture '200 100 50 60 60 60' temperature:4000,to=4000
refuses 2 'kelvin and gray are both given' 'two ways to find gray' gf -i in.ppm temperature:4000,gray=red -o o.ppm
refuses 2 'needs a temperature before it' 'a new light without the old one' gf -i in.ppm temperature:to=4000 -o o.ppm
refuses 2 '1000 to 20000 K' 'no color temperature' gf -i in.ppm temperature:500 -o o.ppm

# Light of 3200 K becomes white: what has its color is gray then. Bradford keeps it gray in all three channels.
gf -i in.ppm crop:1x1+1+0 temperature:6500,to=3200 temperature:3200 -o there.ppm
is 'a light and back changes nothing' "$(tail -c 3 there.ppm | numbers u1)" '60 60 60'
gf -i in.ppm crop:1x1+1+0 temperature:6500,to=3200 --depth f32 -t pfm -o warm.pfm
is 'a warmer light has more red and less blue' "$(gf -i warm.pfm stats -t tsv | ${AWK:-awk} 'NR > 1 { print $1, $5 }' |
    sort -k 2 -n | cut -c 1 | tr -d '\n')" bgr
# the mean of linear light becomes gray: 1/4 and 3/4 of red, 1/2 of the others in all
rgb 2 1  255 255 0  0 255 0
picture '255 234 0 0 234 0' temperature:auto  # means .5 1 0; Y .82149, so red·1.64298, green·.82149, sRGB .91714

# ---- tables of colors ----
rgb 3 1  200 100 50  0 0 0  255 128 64
printf 'TITLE "same"\nLUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n' >same.cube
picture '200 100 50 0 0 0 255 128 64' lut:same.cube
printf '# red and blue change places\nLUT_3D_SIZE 2\r\n0 0 0\r\n0 0 1\r\n0 1 0\r\n0 1 1\n1 0 0\n' >swap.cube
printf '1 0 1\n1 1 0\n1 1 1' >>swap.cube
picture '50 100 200 0 0 0 64 128 255' lut:swap.cube
picture '125 100 125 0 0 0 160 128 160' lut:swap.cube,0.5            # 159.5 is rounded to even
picture '200 100 50 0 0 0 255 128 64' lut:swap.cube lut:swap.cube
printf 'LUT_1D_SIZE 3\n0 1 0\n0.2 0.5 0.2\n1 0 1\n' >curve.cube
picture '167 155 20 0 255 0 255 127 26' lut:curve.cube     # 200/255 is .56863 of the way from .2 to 1
printf 'LUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 2 2 2\n0 0 0\n1 1 1\n' >half.cube
picture '100 50 25 0 0 0 128 64 32' lut:half.cube
printf 'LUT_3D_SIZE 2\nDOMAIN_MAX 0.5 0.5 0.5\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n' >double.cube
picture '255 200 100 0 0 0 255 255 128' lut:double.cube
gray 2 1  0 255
rm in.ppm
picture '255 0' lut:swap.cube lut:same.cube gray invert
printf 'P3 2 1 255\n255 0 0  0 0 255\n' >ends.ppm
picture '255 0 0 0 0 255' lut:ends.ppm
printf 'P2 3 1 255\n255 0 255\n' >notch.pgm
gray 3 1  0 128 255
picture '255 1 255' lut:notch.pgm            # 128 is 1/255 of the way from the second entry to the third
gf -i ends.ppm resize:64x3 -o wide.ppm
refuses 1 'is 64x3; must be a .cube file, a Hald image in RGB such as 512x512' 'an image that is no table' \
    gf -i in.pgm lut:wide.ppm -o o.pgm
refuses 1 'ends after 2 of its 8 entries' 'a table that ends early' \
    sh -c "printf 'LUT_3D_SIZE 2\n0 0 0\n1 0 0\n' >short.cube; '$GPUFILTER' -i in.pgm lut:short.cube -o o.pgm"
refuses 1 'line 4: the table has more than its 2 entries' 'a table that is too long' \
    sh -c "printf 'LUT_1D_SIZE 2\n0 0 0\n1 0 0\n1 1 1\n' >long.cube; '$GPUFILTER' -i in.pgm lut:long.cube -o o.pgm"
refuses 1 "line 2: '0 0' is not a line of a .cube file" 'a line of two numbers' \
    sh -c "printf 'LUT_1D_SIZE 2\n0 0\n1 0 0\n' >two.cube; '$GPUFILTER' -i in.pgm lut:two.cube -o o.pgm"
refuses 1 "line 1: 'LUT_2D_SIZE 2' is not a line" 'an unknown keyword' \
    sh -c "printf 'LUT_2D_SIZE 2\n0 0\n' >kind.cube; '$GPUFILTER' -i in.pgm lut:kind.cube -o o.pgm"
refuses 1 'has 500 entries along an edge of the cube; must be 2 to 129' 'a cube that is too large' \
    sh -c "echo LUT_3D_SIZE 500 >large.cube; '$GPUFILTER' -i in.pgm lut:large.cube -o o.pgm"
printf '\357\273\277' | cat - same.cube >marked.cube
gf -i ends.ppm lut:marked.cube -o a.ppm
gf -i ends.ppm lut:same.cube -o b.ppm
same a.ppm b.ppm 'a table after a byte order mark'
gf -i ends.ppm lut:swap.cube -o a.ppm
mkfifo pipe
cat swap.cube >pipe &
works 'a table from a pipe' gf -i ends.ppm lut:pipe -o b.ppm
same a.ppm b.ppm 'a table from a pipe is that of the file'
refuses 1 "line 3: '1e39 1 1' is not a line of a .cube file" 'a color beyond float' \
    sh -c "printf 'LUT_1D_SIZE 2\n0 0 0\n1e39 1 1\n' >far.cube; '$GPUFILTER' -i in.pgm lut:far.cube -o o.pgm"
refuses 1 'area= has no green' 'an area of black' gf -i ends.ppm temperature:area=1x1 -o o.ppm
refuses 2 'gray= has no red' 'black as gray' gf -i ends.ppm temperature:gray=#000000 -o o.ppm
for pair in temperature:6500K,to=5000K/temperature:6500,to=5000 exposure:+1EV/exposure:1; do
    gf -i ends.ppm "${pair%/*}" -o a.ppm
    gf -i ends.ppm "${pair#*/}" -o b.ppm
    same a.ppm b.ppm "units of ${pair%/*}"
done
refuses 1 'the domain is 1 to 0' 'a domain without values' sh -c "printf 'LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0
DOMAIN_MAX 0 1 1\n0 0 0\n1 1 1\n' >domain.cube; '$GPUFILTER' -i in.pgm lut:domain.cube -o o.pgm"
refuses 1 'has no line LUT_1D_SIZE or LUT_3D_SIZE, so it is no .cube file' 'a text that is no table' \
    sh -c "echo '# a table' >none.txt; '$GPUFILTER' -i in.pgm lut:none.txt -o o.pgm"
refuses 2 'no such file' 'a table that is not there' gf -i in.pgm lut:none.cube -o o.pgm

# A Hald image of level 2 is a cube of 4, red first.
${AWK:-awk} 'BEGIN { print "P3 8 8 3"; for (b = 0; b < 4; b++) for (g = 0; g < 4; g++) for (r = 0; r < 4; r++)
    print r, g, b }' >hald.ppm
rgb 2 1  200 100 50  1 128 254
picture '200 100 50 1 128 254' lut:hald.ppm
gf -i hald.ppm invert -o inverse.png
picture '55 155 205 254 127 1' lut:inverse.png

# ---- match ----
gray 4 1  10 20 30 40
rm in.ppm
printf 'P2 4 1 255\n200 100 250 0\n' >other.pgm
picture '0 100 200 250' match:other.pgm
printf 'P2 2 1 255\n100 200\n' >two.pgm
picture '100 100 150 200' match:two.pgm      # three quarters are halfway between one half and all
printf 'P3 2 1 255\n100 0 0  100 0 0\n' >red.ppm
picture '30 30 30 30' match:red.ppm          # luma 29.9
printf 'Pf\n2 1\n-1\n\000\000\000\077\000\000\300\177' >nan.pfm
printf 'Pf\n2 1\n-1\n\000\000\200\377\000\000\000\077' >inf.pfm
refuses 1 'match: nan.pfm: row 0, column 1 is not a number' 'colors of an image with NaN' \
    gf -i in.pgm match:nan.pfm -o o.pgm
refuses 1 'match: inf.pfm: row 0, column 0 is not a number' 'colors of an image with infinity' \
    gf -i in.pgm match:inf.pfm -o o.pgm
rgb 2 1  10 10 10  20 20 20
picture '100 100 100 200 200 200' match:two.pgm
picture '100 0 0 100 0 0' match:red.ppm
refuses 2 "no such file: 'none.png'; file must be an image" 'an image that is not there' \
    gf -i in.ppm match:none.png -o o.ppm

# ---- palette ----
gray 6 1  0 0 10 10 200 210
rm in.ppm
picture '5 5 5 5 205 205' palette:2          # the mean 71.67 divides them
picture '0 0 10 10 205 205' palette:3        # the errors of both halves are 100 and 50
picture '0 0 10 10 200 210' palette:4
picture '0 0 10 10 200 210' palette:256
rgb 4 1  255 0 0  0 255 0  0 0 255  255 0 0
picture '255 0 0 0 255 0 0 0 255 255 0 0' palette:3
picture '255 0 0 0 255 0 0 0 255 255 0 0' palette:200,dither
gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" palette:8 -o eight.ppm
gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" palette:8,dither -o noisy.ppm
works 'eight colors are like the photo' gf -i eight.ppm compare:"$GPUFILTER_SAMPLES/photo.ppm",min-psnr=28
for file in eight noisy; do
    is "$file: 8 colors" "$(gf -i $file.ppm -t tsv | ${AWK:-awk} 'NR > 1 { seen[$3 " " $4 " " $5] }
        END { for (c in seen) n++; print n }')" 8
done
gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" blur:5 -o soft.ppm
gf -q -i eight.ppm blur:5 compare:soft.ppm -t tsv >plain.tsv
gf -q -i noisy.ppm blur:5 compare:soft.ppm -t tsv >noisy.tsv
is 'with dither, areas are nearer to their mean color' \
    "$(${AWK:-awk} '$1 == "all" { v[++n] = $3 } END { print (v[2] > v[1] + 0.5) }' plain.tsv noisy.tsv)" 1

unlikely exposure:stops silent exposure:8
refuses 0 'note: any.ppm: exposure:10 multiplies light by 1024' 'more light than a photo has room for' \
    gf -i any.ppm exposure:10 -o o.ppm
unlikely vibrance:amount silent vibrance:2
unlikely shadows:amount ":did you mean '50%'" shadows:50
unlikely highlights:amount ":did you mean '50%'" highlights:50
unlikely lut:strength ":did you mean '50%'" lut:same.cube,50
unlikely temperature:to silent temperature:6500,to=5000
unlikely temperature:kelvin silent temperature:5000
unlikely palette:colors silent palette:256
unlikely palette:seed silent palette:4,dither,seed=100
finish
