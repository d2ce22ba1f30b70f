# Known answers for warp, lens and remap, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"

# Positions count from centers of pixels, and a matrix maps the image to the result.
image big.ppm 37 21 3 255 1
gf -i big.ppm 'warp:[1 0 0; 0 1 0]' -o out.ppm
same big.ppm out.ppm 'the identity of two rows changes nothing'
gf -i big.ppm 'warp:[2 0 0; 0 2 0; 0 0 2],filter=cubic' -o out.ppm
same big.ppm out.ppm 'the identity of three rows, doubled, changes nothing'
gf -i big.ppm 'warp:from=[0 0; 36 0; 36 20; 0 20]' -o out.ppm
same big.ppm out.ppm 'corners that stay change nothing'
gf -i big.ppm rotate:90 -o wanted.ppm
gf -i big.ppm 'warp:[0 -1 20; 1 0 0],size=21x37' -o out.ppm
same wanted.ppm out.ppm 'a quarter turn by a matrix'
gf -i big.ppm 'warp:[0 -1 0; 1 0 0],fit=expand' -o out.ppm
same wanted.ppm out.ppm 'fit=expand moves the result to where the image is'
gf -i big.ppm 'warp:from=[0 0; 36 0; 36 20; 0 20],to=[20 0; 20 36; 0 36; 0 0],size=21x37' -o out.ppm
same wanted.ppm out.ppm 'a quarter turn by four points'
gf -i big.ppm 'warp:from=[0 0; 36 0; 0 20],to=[20 0; 20 36; 0 0],size=21x37' -o out.ppm
same wanted.ppm out.ppm 'a quarter turn by three points'
gf -i big.ppm crop:5x4+3+2 -o wanted.ppm
gf -i big.ppm 'warp:from=[3 2; 7 2; 7 5; 3 5],size=5x4' -o out.ppm
same wanted.ppm out.ppm 'four points of a rectangle cut it out'
gf -i big.ppm 'warp:[1 0.5 0; 0 1 0],fit=expand' -o out.pnm
is 'a shear of 21 rows by half is 10.5 columns wider' "$(size_of)" '48 21'

gray 5 1  10 20 30 40 50
picture '0 0 10 20 30' 'warp:[1 0 2; 0 1 0]'
picture '30 30 10 20 30' 'warp:[1 0 2; 0 1 0],bg=#1e1e1e'
picture '10 10 10 20 30' 'warp:[1 0 2; 0 1 0],edge=clamp'
picture '40 50 10 20 30' 'warp:[1 0 2; 0 1 0],edge=wrap'
picture '15 25 35 45 25' 'warp:[1 0 -0.5; 0 1 0]'
picture '10 15 20 25 30' 'warp:[2 0 0; 0 1 0]'
# X = x / (x/2 + 1), so pixel 1 shows pixel 2, and the horizon is at 2.
picture '10 30 0 0 0' 'warp:[1 0 0; 0 1 0; 0.5 0 1]'
picture '10 30 0 0 0' 'warp:[-1 0 0; 0 -1 0; -0.5 0 -1]'

for word in 'needs either a matrix|warp' 'needs either a matrix|warp:[1 0 0; 0 1 0],from=[0 0; 1 0; 0 1]' \
    'the matrix has 1 rows of 3 numbers|warp:[1 0 0]' 'the matrix has no inverse|warp:[1 2 0; 2 4 0]' \
    'lie on a line|warp:from=[0 0; 1 1; 2 2]' 'lie on a line|warp:from=[0 0; 1 0; 2 0; 3 0]' \
    'from= has 2 rows|warp:from=[0 0; 1 1]' 'to= has 3 rows|warp:from=[0 0; 4 0; 4 4; 0 4],to=[0 0; 1 0; 1 1]' \
    'to= needs from=|warp:[1 0 0; 0 1 0],to=[0 0; 1 0; 1 1]' \
    'or write from=|warp:[0 0; 4 0; 4 4; 0 4]' 'clockwise|warp:from=[0 0; 4 0; 0 4; 4 4]' \
    'exclude each other|warp:[1 0 0; 0 1 0],fit=expand,size=5x5' \
    'exclude each other|warp:[1 0 0; 0 1 0],bg=red,edge=clamp'; do
    refuses 2 "${word%%|*}" "refused: ${word#*|}" gf -i big.ppm "${word#*|}" -o out.ppm
done
refuses 1 'reaches the horizon' 'a result without an end' gf -i big.ppm \
    'warp:[1 0 0; 0 1 0; -0.03 0 1],fit=expand' -o o.ppm
refuses 1 'sides must be 1 to 1048576' 'a result that is too large' gf -i big.ppm 'warp:[1e6 0 0; 0 1 0],fit=expand' \
    -o o.ppm

# lens: the distance d from the center becomes d (1 + k1 d²) with radius=1.
picture '10 20 30 40 50' lens:0
picture '0 10 30 50 0' lens:1,radius=1
picture '0 10 30 50 0' lens:0,1,radius=1
picture '0 10 30 50 0' lens:0,0,1,radius=1
picture '20 25 30 35 40' lens:0,zoom=2
picture '10 15 20 25 30' lens:0,zoom=2,x=0.1
gray 1 5  10 20 30 40 50
picture '10 15 20 25 30' lens:0,zoom=2,y=0.1
gray 3 3  1 2 3 4 5 6 7 8 9
picture '1 2 3 4 5 6 7 8 9' lens:0,radius=diagonal
gf -i in.pgm lens:0.5,radius=short,edge=clamp -o short.pgm
gf -i in.pgm lens:0.5,radius=1.5,edge=clamp -o wanted.pgm
same wanted.pgm short.pgm 'radius=short is half of the shorter side'

# remap: the map has the size of the result.
gray 5 1  10 20 30 40 50
printf 'P7\nWIDTH 3\nHEIGHT 2\nDEPTH 2\nMAXVAL 255\nTUPLTYPE CHANNELS\nENDHDR\n' >map.pam
printf '\004\000\002\000\000\001\001\000\001\000\003\000' >>map.pam
picture '50 30 0 20 20 40' remap:map.pam
is 'the result has the size of the map' "$(size_of)" '3 2'
picture '50 30 10 20 20 40' remap:map.pam,edge=clamp
# Little-endian floats: 0.5, 0, 0 and NaN, 0, 0; then 1.25, 0, 9 in the upper row, which comes last in PFM.
printf 'PF\n2 2\n-1\n\000\000\000\077\000\000\000\000\000\000\000\000' >map.pfm
printf '\000\000\300\177\000\000\000\000\000\000\000\000' >>map.pfm
printf '\000\000\240\077\000\000\000\000\000\000\020\101\000\000\200\300\000\000\000\000\000\000\000\000' >>map.pfm
picture '22 0 15 0' remap:map.pfm
picture '20 10 20 10' remap:map.pfm,filter=nearest,edge=clamp
refuses 1 'in.pgm has one channel of values; must have two' 'a map of one channel' gf -i in.pgm remap:in.pgm -o out.pgm
gf -q --join -i big.ppm -i big.ppm --rate 25 -o film.y4m
refuses 1 'remap: film.y4m is video, whose colors are no positions' 'video as a map' \
    gf -i big.ppm remap:film.y4m -o out.ppm
gf -i big.ppm remap:map.pam stats -t tsv >out.tsv
is 'statistics after a remap have its samples' "$(wc -l <out.tsv | tr -d ' ')" 4

# Alpha: transparent pixels add no color, and what was not in the image is transparent.
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\377\037\000' >veil.pam
refuses 1 'veil.pam has one channel of values' 'alpha is not a row' gf -i veil.pam remap:veil.pam -o out.pam
gf -i veil.pam 'warp:[1 0 -0.5; 0 1 0]' -o out.pam
is 'a transparent pixel adds no color' "$(tail -c 4 out.pam | numbers u1)" '200 128 0 0'
unlikely lens:k1 silent lens:10
unlikely lens:k2 silent lens:0,10
unlikely lens:k3 silent lens:0,0,10
unlikely lens:zoom silent lens:0,zoom=50
unlikely lens:x silent lens:0,x=9
unlikely lens:y silent lens:0,y=9
unlikely lens:radius silent lens:0,radius=255
finish
