# Known answers for stages that repair images, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"
image any.ppm 9 7 3 255 1

# tophat: open:1 makes 10 30 30 40 40 of this row, and close:1 makes 200 200 50 50 50.
gray 5 1  10 200 30 40 50
picture '0 170 0 0 10' tophat:1
picture '190 0 20 10 0' tophat:1,black
picture '0 170 0 0 10' tophat:1,white,edge=reflect
rgb 3 1  9 200 7  50 100 9  9 100 8
picture '0 100 0 41 0 1 0 0 0' tophat:1                # each channel separately
rm in.ppm

# background: a spot of 80 on 20 becomes three columns of 40 by the mean; a square of five columns removes them.
gray 9 1  20 20 20 20 80 20 20 20 20
picture '0 0 0 0 60 0 0 0 0' background:2
picture '51 51 51 51 111 51 51 51 51' background:2,level=0.2
gray 9 1  200 200 200 200 140 200 200 200 200
picture '255 255 255 255 195 255 255 255 255' background:2,light
picture '0 4 8 12 0 12 8 4 0' background:2             # a dark spot of 180 after the mean, then 12 less in five columns
gray 5 1  0 40 80 120 160
picture '0 0 0 0 0' background:1 levels:0.2,1          # a slope stays in the background, up to 20 at its ends

# guided: each square of this row has mean 1/3 and variance 2/9 of white. EPS twice that makes a third of the line.
gray 3 1  0 255 0
picture '57 142 57' guided:1,0.444444444
picture '0 255 0' guided:1,1e-9
picture '85 85 85' -q guided:1,1000
gray 3 1  90 90 90
cp in.pgm flat3.pgm
gray 4 1  90 90 90 90
cp in.pgm flat.pgm
gray 4 1  0 0 100 100
picture '0 0 100 100' guided:1,1e-9
picture '11 33 67 89' guided:1,1e-9,by=flat.pgm        # two means of three columns
picture '0 0 100 100' guided:1,1e-9,by=in.pgm
printf 'P3 4 1 255\n 0 0 0  0 0 0  0 255 0  0 255 0\n' >green.ppm
picture '0 0 100 100' guided:1,1e-9,by=green.ppm       # the gray of a color guide has the same edge
rgb 4 1  0 9 9  0 9 9  100 9 9  100 9 9
picture '0 9 9 0 9 9 100 9 9 100 9 9' guided:1,1e-9,by=green.ppm
rm in.ppm
refuses 1 'guided: any.ppm is 9x7, but the image is 4x1 here' 'a guide of another size' \
    gf -i in.pgm guided:1,1e-9,by=any.ppm -o o.pgm

# tv: with WEIGHT 0.25, the first step of this row makes p = (0 - 0.25) / (1 + 1). In the end each side gives away
# WEIGHT.
gray 2 1  0 255
picture '0 255' tv:0.25,iterations=1
picture '32 223' tv:0.25,iterations=2
picture '64 191' tv:0.25,iterations=1000
gray 1 2  0 255
picture '32 223' tv:weight=0.25,iterations=2
gray 3 3  7 7 7  7 7 7  7 7 7
picture '7 7 7 7 7 7 7 7 7' tv
gray 4 1  0 0 255 255
picture '32 32 223 223' tv:0.25,iterations=999         # two pixels share what a side gives away

# deconvolve: of the estimate 0.5, a point leaves 0.5, so that the first ratio is v / 0.5.
gray 5 1  10 200 30 40 50
picture '10 200 30 40 50' 'deconvolve:psf=[1]'
picture '10 200 30 40 50' 'deconvolve:psf=[0 7 0],iterations=3'
picture '10 10 200 30 40' 'deconvolve:psf=[1 0 0],iterations=1'    # the blur moved all to the left, away from the edge
gray 3 1  0 255 0
picture '85 85 85' 'deconvolve:psf=[1 1 1],iterations=1'       # 0.5·(0 + 2 + 0) / 3
gray 3 1  100 127 150
picture '128 128 128' 'deconvolve:psf=[1],damp=1'              # all differ from 0.5 by less than 1
picture '100 127 150' 'deconvolve:psf=[1],damp=0.0001,iterations=2'
gray 2 1  90 90
picture '90 90' 'deconvolve:1,9,tv=0.1'
# 441 equal weights run by transforms. With black borders, 3 of them count: 0.5·(0 + 2·441/3 + 0)/441.
${AWK:-awk} 'BEGIN { for (k = 0; k < 441; k++) printf "1%s", k % 21 < 20 ? " " : "\n" }' >square.txt
picture '90 90' deconvolve:psf=square.txt
gray 3 1  0 255 0
picture '85 85 85' deconvolve:psf=square.txt,iterations=1,edge=zero
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
gf -i in.pam channel:a -o wanted.pgm
gf -i in.pam deconvolve:psf=square.txt,iterations=2 channel:a -o alpha.pgm
same wanted.pgm alpha.pgm 'a large psf copies alpha'
gray 5 1  10 200 30 40 50
gf -i in.pgm brightness:-0.15 clamp deconvolve:1,9,tv=0.01 --depth f32 -o black.pfm
gf -i in.pgm brightness:-0.15 deconvolve:1,9,tv=0.01 --depth f32 -o below.pfm
same black.pfm below.pfm 'deconvolve takes values below black as black'
refuses 2 'deconvolve: missing value for sigma or psf, the blur; for example deconvolve:1.5' 'a blur is missing' \
    gf -i in.pgm deconvolve:iterations=3 -o o.pgm
refuses 2 'deconvolve: write the blur either as SIGMA or as psf=' 'a blur is given twice' \
    gf -i in.pgm 'deconvolve:1,psf=[1 2 1]' -o o.pgm
refuses 2 'psf has only zeros' 'a blur without light' gf -i in.pgm 'deconvolve:psf=[0 0]' -o o.pgm
refuses 2 'psf has the weight -1; must not be negative' 'a negative blur' gf -i in.pgm 'deconvolve:psf=[2 -1]' -o o.pgm
refuses 2 'need 29970 rows before and after each one; must be at most 20000' 'too long a way through the rows' \
    gf -i in.pgm deconvolve:10,500 -o o.pgm
${AWK:-awk} 'BEGIN { for (j = 0; j < 256; j++) print 1 }' >high.txt
refuses 2 'psf has 1 columns and 256 rows; must be at most 255 by 255' 'too large a psf' \
    gf -i in.pgm deconvolve:psf=high.txt -o o.pgm
echo '1 2 1 # a file' >psf.txt
gray 3 1  0 255 0
gf -i in.pgm deconvolve:psf=psf.txt -o file.pgm
gf -i in.pgm 'deconvolve:psf=[1 2 1]' -o brackets.pgm
same file.pgm brackets.pgm 'a psf in a file'
gray 3 1  50 100 50
gf -i in.pgm -o psf.pgm
gf -i in.pgm -o psf.png
gf -i in.pgm --depth f32 -o psf.pfm
gray 3 1  0 255 0
for name in psf.pgm psf.png psf.pfm in.pgm; do
    gf -i in.pgm deconvolve:psf=$name -o file.pgm
    [ $name != in.pgm ] || gf -i in.pgm -o brackets.pgm      # the image of a point that is not blurred
    same file.pgm brackets.pgm "a psf in the image $name"
done
refuses 2 'any.ppm is not a gray image, as psf must be; write: gpufilter -i any.ppm gray -o NAME.png' \
    'a psf in colors' gf -i in.pgm deconvolve:psf=any.ppm -o o.pgm

# Segments of a long image give the bytes of the whole, although the halo is longer than they are.
image long.pgm 40 3000 1 255 5
${AWK:-awk} 'BEGIN { for (j = 0; j < 21; j++) for (i = 0; i < 19; i++)
             printf "%d%s", (j * j + 3 * i * i + i * j) % 5, i < 18 ? " " : "\n" }' >large.txt
for stage in deconvolve:1.2,25 deconvolve:1.2,25,tv=0.01 tv:0.1,iterations=90 guided:12,0.01 background:9 \
    conv:large.txt,scale=auto,edge=reflect deconvolve:psf=square.txt,iterations=3,edge=mirror; do
    gf --device cpu -i long.pgm $stage -o whole.pgm
    gf --device cpu --segment 9K --lanes 3 -i long.pgm $stage -o cut.pgm
    same whole.pgm cut.pgm "$stage in short segments"
done

printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
for stage in tophat:1 tophat:1,black background:1 background:1,light \
    guided:1,0.01 guided:1,0.01,by=flat3.pgm tv deconvolve:1; do
    gf -i in.pam $stage -o out.pam
    is "$stage copies alpha" "$(tail -c 6 out.pam | numbers u1 | cut -d ' ' -f 2,4,6)" '10 20 30'
done

unlikely background:level '9 of 255 is 0.035' background:9,level=9
unlikely background:level ':128 of 255 is 0.5' background:9,level=128
unlikely guided:eps 'eps=2 is far out of range' guided:1,2
unlikely guided:eps '50 of 255 is 0.038, squared; 50% is 0.25' guided:8,50
unlikely tv:weight '5 of 255 is 0.02' tv:5
unlikely deconvolve:tv silent deconvolve:1,2,tv=0.1
unlikely deconvolve:damp ':10 of 255 is 0.039' deconvolve:1,2,damp=10
finish
