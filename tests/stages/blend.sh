# Known answers for stages that combine two images, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"

# A second image. b is 0, .2, .4 and 1, s is 1, .2, .8 and .4.
rm -f in.ppm
gray 4 1  0 51 102 255
printf 'P2 4 1 255\n255 51 204 102\n' >top.pgm
picture '255 51 204 102' blend:top.pgm,normal
picture '0 10 82 102' blend:top.pgm,multiply
picture '255 92 224 255' blend:top.pgm,screen            # .2 + .2 - .04 = .36, .4 + .8 - .32 = .88
picture '0 20 163 255' blend:top.pgm,overlay             # 2·.04, 2·.32, 1 - 0·1.2
picture '255 20 194 204' blend:top.pgm,hardlight         # 1 - 1·0, 2·.04, 1 - .6·.4, 2·.4
picture '0 51 102 102' blend:top.pgm,darken
picture '255 51 204 255' blend:top.pgm,lighten
picture '255 0 102 153' blend:top.pgm,difference
picture '255 82 143 153' blend:top.pgm,exclusion         # .4 - .08, 1.2 - .64, 1.4 - .8
picture '255 102 255 255' blend:top.pgm,add
picture '0 0 0 153' blend:top.pgm,subtract
picture '0 51 102 255' blend:top.pgm,subtract blend:top.pgm,add          # -1 + 1, 0 + .2, -.4 + .8, .6 + .4
picture '0 41 61 235' blend:top.pgm,subtract,10% blend:top.pgm,subtract,10%    # -.2, .16, .24, .92
picture '0 255 128 255' blend:top.pgm,divide             # .2/.2, .4/.8, 1/.4 is above white
picture '0 27 138 255' blend:top.pgm,softlight           # .2 - .6·.2·.8 = .104, .4 + .6 (.63246 - .4) = .53947
picture '0 64 255 255' blend:top.pgm,dodge               # .2/.8, .4/.2
picture '0 0 64 255' blend:top.pgm,burn                  # .8/.2, 1 - .6/.8
picture '0 41 97 217' blend:top.pgm,multiply,25%         # a quarter of the change: .2 - .04, .4 - .02, 1 - .15
picture '0 51 102 255' blend:top.pgm,burn,0
all='normal, multiply, screen, overlay, darken, lighten, difference, exclusion, add, subtract, divide, softlight, '\
'hardlight, dodge or burn'
refuses 2 "^gpufilter: blend: missing value for mode ($all)\$" 'a blend names its mode' gf -i in.pgm blend:top.pgm \
    -o never.pgm
refuses 2 "blend: missing value for mode ($all)" 'a blend with only an opacity needs a mode' \
    gf -i in.pgm blend:top.pgm,opacity=50% -o never.pgm
refuses 2 "blend: mode=: must be $all\$" 'a blend with an empty mode' gf -i in.pgm blend:top.pgm,,50% -o never.pgm
refuses 2 "blend: missing value for file (a file name); write blend:FILE,MODE\$" 'the advice names both' gf -i in.pgm \
    blend -o never.pgm
is 'a blend without a file or a mode writes nothing' "$(ls never.pgm 2>/dev/null)" ''
picture '255 0 102 153' diff:top.pgm
picture '51 0 20 31' diff:top.pgm,scale=0.2              # 20.4, 30.6
picture '0 255 128 255' divide:top.pgm                   # .2/.2, .4/.8, 1/.4 is above white
picture '0 128 64 255' divide:top.pgm,50%                # 1/.4 · .5 = 1.25
printf 'P2 4 1 255\n0 0 255 102\n' >top.pgm
picture '0 0 51 255' divide:top.pgm,level=0.5            # by 0 is 0; .4/1 · .5 = .2
printf 'P2 4 1 255\n255 51 204 102\n' >top.pgm
gray 4 1  51 51 51 0
{ printf 'Pf\n4 1\n-1\n'; printf '\1\0\0\0\0\0\200\277\0\0\0\0\0\0\0\077'; } >flat.pfm    # 1e-45 -1 0 .5
for stage in blend:flat.pfm,divide divide:flat.pfm; do
    is "$stage gives no value that is not finite" "$(gf -i in.pgm $stage -t csv --depth f32 | cut -d , -f 3 |
        tr '\n' ' ')" 'gray 0 0 0 0 '
done
printf 'P2 1 1 255 51\nP2 1 1 255 102\nP2 1 1 255 255\n' >light.pgm
printf 'P2 1 1 255 26\n' >dark.pgm
printf 'P2 1 1 255 51\n' >flat.pgm
is 'one dark frame and one flat field serve all images' "$(gf -i light.pgm blend:dark.pgm,subtract \
    blend:flat.pgm,divide,100% brightness:-10% stats | cut -f 5 | sed 1d | ${AWK:-awk} '{ printf "%.4f ", $1 }')" \
    '0.3902 1.3902 4.3902 '                              # 25/51 - .1, 76/51 - .1, 229/51 - .1
gray 3 3  10 20 30  40 50 60  70 80 90
printf 'P2 2 2 255\n1 2\n3 4\n' >small.pgm
picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1
picture '4 20 30 40 50 60 70 80 90' over:small.pgm,-1,-1
picture '10 20 30 40 50 60 70 80 1' over:small.pgm,2,2
picture '10 20 30 40 50 60 70 80 90' over:small.pgm,3,0 over:small.pgm,0,-2 over:small.pgm,y=3
picture '1 2 30 3 4 60 70 80 90' over:small.pgm
# 10 - 2.25; 20 - 4.5 = 15.5 rounds to even; 40 - 9.25; 50 - 11.5 = 38.5
picture '8 16 30 31 38 60 70 80 90' over:small.pgm,opacity=0.25
for place in top-left northwest; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place; done
for place in bottom-right southeast; do
    picture '10 20 30 40 1 2 70 3 4' over:small.pgm,at=$place
    picture '1 2 30 3 4 60 70 80 90' over:small.pgm,1,1,at=$place
    picture '10 20 30 40 50 60 70 1 2' over:small.pgm,y=-1,at=$place
done
for place in top-right northeast; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,1,1,at=$place; done
for place in bottom-left southwest; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,at=$place; done
for place in top north; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place;
    done      # the odd column is on the right
for place in left west; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place; done
for place in right east; do picture '10 1 2 40 3 4 70 80 90' over:small.pgm,at=$place; done
for place in bottom south; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,at=$place; done
picture '10 20 30 40 50 60 70 1 2' over:small.pgm,1,2,at=center
picture '1 2 30 3 4 60 70 80 90' over:small.pgm,at=center
printf 'P2 1 1 255\n255\n' >last.pgm
printf 'P2 5 1 255\n1 2 3 4 5\n' >wide.pgm
picture '10 20 30 2 3 4 70 80 90' over:wide.pgm,at=center
picture '10 20 30 40 50 60 3 4 5' over:wide.pgm,at=bottom-right
printf 'P2 4 1 255\n1 2 3 4\n' >even.pgm
picture '10 20 30 2 3 4 70 80 90' over:even.pgm,at=center
gray 2 1  10 20
picture '10 255' over:last.pgm,at=top
picture '10 255' over:last.pgm,at=center
gray 1 2  10 20
picture '1 3' over:small.pgm,at=left
picture '2 4' over:small.pgm,at=right
gray 3 3  10 20 30  40 50 60  70 80 90
printf 'P3 1 1 255\n255 0 0\n' >red.ppm
gray 2 1  10 30
gf -i in.pgm over:red.ppm,1 -o out.ppm
is 'a color turns gray into color' "$(tail -c 6 out.ppm | numbers u1)" '10 10 10 255 0 0'
rgb 2 1  200 100 50  10 20 30
printf 'P2 1 1 255\n1\n' >dot.pgm
picture '1 1 1 10 20 30' over:dot.pgm   # gray over colors
rm -f in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE '\
'GRAYSCALE_ALPHA\nENDHDR\n\310\063\007\011\074\000' >in.pam     # 200 of .2, 7 of 9/255, 60 of 0
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE '\
'GRAYSCALE_ALPHA\nENDHDR\n\144\231\062\000\036\377' >top.pam    # 100 of .6, 50 of 0, 30 of 1
faded() { is "$2: $1" "$(gf -i in.pam $2 | tail -c 6 | numbers u1)" "$1"; }
faded '112 173 7 9 30 255' over:top.pam                  # .6 + .4·.2 = .68, (60 + .08·200)/.68
faded '132 112 7 9 30 128' over:top.pam,opacity=50%      # .3 + .7·.2 = .44, (30 + .14·200)/.44
faded '108 173 7 9 30 255' blend:top.pam,multiply        # .8·100 + .2·78.43 = 95.69, (57.41 + 16)/.68
faded '100 51 43 9 30 0' diff:top.pam
faded '200 31 7 0 60 0' mask:top.pam                     # .2·.6
gray 3 1  10 20 30
printf 'P2 3 1 255\n0 128 255\n' >shape.pgm
is 'a mask of gray' "$(gf -i in.pgm mask:shape.pgm | tail -c 6 | numbers u1)" '10 0 20 128 30 255'
printf 'P3 3 1 255\n255 0 0 0 255 0 0 0 255\n' >shape.ppm
is 'a mask in color' "$(gf -i in.pgm mask:shape.ppm | tail -c 6 | numbers u1)" '10 76 20 150 30 29'

finish
