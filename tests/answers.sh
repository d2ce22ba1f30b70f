# Known answers, worked out by hand from the words of the manual.
. "$(dirname "$0")/lib.sh"

# gray WIDTH HEIGHT VALUE...: in.pgm.   rgb WIDTH HEIGHT VALUE...: in.ppm.   frames CHANNELS VALUE...: in.wav.
gray() { size="$1 $2"; shift 2; { echo "P2 $size 255"; echo "$*"; } >in.pgm; }
rgb() { size="$1 $2"; shift 2; { echo "P3 $size 255"; echo "$*"; } >in.ppm; }
frames()
{
    c=$1
    shift
    echo "$*" | ${AWK:-awk} -v c="$c" '
    function le(v, bytes,    s) { for (s = ""; bytes-- > 0; v = int(v / 256)) s = s C[v % 256]; return s }
    {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "RIFF%sWAVEfmt %s%s%s%s%s%s%sdata%s", le(36 + NF * 2, 4), le(16, 4), le(1, 2), le(c, 2), \
               le(8000, 4), le(16000 * c, 4), le(2 * c, 2), le(16, 2), le(NF * 2, 4)
        for (i = 1; i <= NF; i++)
            printf "%s", le($i < 0 ? $i + 65536 : $i, 2)
    }' >in.wav
}
numbers() { od -An -v -t "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }
# picture WANTED WORD...: the samples of what becomes of in.pgm, or of in.ppm.
picture()
{
    wanted=$1 from=in.pgm
    shift
    [ -f in.ppm ] && from=in.ppm
    gf -i $from "$@" -t pnm -o out.pnm 2>errors
    is "$*: $wanted" "$(tail -c +$(($(head -n 3 out.pnm | wc -c) + 1)) out.pnm | numbers u1)$(cat errors)" "$wanted"
}
# heard WANTED WORD...: the same for in.wav.
heard()
{
    wanted=$1
    shift
    gf -i in.wav "$@" -o out.wav 2>errors
    is "$*: $wanted" "$(tail -c +45 out.wav | numbers d2)$(cat errors)" "$wanted"
}
# many WANTED WORD...: the same where a WAV would say which loudspeaker is which.
many()
{
    wanted=$1
    shift
    is "$*: $wanted" "$(gf -i in.wav "$@" -t raw 2>&1 | numbers d2)" "$wanted"
}
size_of() { sed -n 2p out.pnm; }

gray 4 2   0 1 128 255  10 20 30 40
picture '255 254 127 0 245 235 225 215' invert
picture '10 20 30 40 0 1 128 255' flip
picture '40 30 20 10 255 128 1 0' rotate:180
picture '10 0 20 1 30 128 40 255' rotate:90
picture '255 40 128 30 1 20 0 10' rotate:-90
picture '255 40 128 30 1 20 0 10' rotate:630
picture '128 255 30 40' crop:2x2+2+0
picture '255 128 1 0 40 30 20 10' flop
picture '0 10 1 20 128 30 255 40' transpose
picture '0 0 0 0 0 1 0 10 20' crop:2x2+0+0 pad:1,1,0,0
picture '0 1 51 10 20 51 51 51 51' crop:2x2+0+0 pad:0,0,1,1,#333
picture '20 10 20 10 1 0 1 0 20 10 20 10 1 0 1 0' crop:2x2+0+0 pad:1,1,1,1,edge=wrap
picture '0 0 1 1 0 0 1 1 10 10 20 20 10 10 20 20' crop:2x2+0+0 pad:1,1,1,1,edge=clamp
picture '0 0 1 1 0 0 1 1 10 10 20 20 10 10 20 20' crop:2x2+0+0 pad:1,1,1,1,edge=reflect
picture '20 10 20 10 1 0 1 0 20 10 20 10 1 0 1 0' crop:2x2+0+0 pad:1,1,1,1,edge=mirror
picture '10 0 10' crop:1x2+0+0 pad:0,1,0,0,edge=mirror
picture '0 1 128 255 10 20 30 40' pad:3,2,1,4,red crop:4x2+3+2
picture '51 51 51 51 51 0 1 51 51 10 20 51 51 51 51 51' crop:2x2+0+0 pad:1,bg=#333
picture '51 0 1 51 51 10 20 51' crop:2x2+0+0 pad:1,0,bg=#333
picture '51 51 51 51 0 1 51 10 20 51 51 51' crop:2x2+0+0 pad:left=1,top=1,right=0,bg=#333
picture '0 1 10 20 51 51' crop:2x2+0+0 pad:bottom=1,bg=#333
picture '51 51 0 1 10 20' crop:2x2+0+0 pad:top=1,bg=#333
picture '0 1 128 255 10 20 30 40' rotate:360
picture '0 1 128 255 10 20 30 40' invert invert

gray 3 1  0 64 255
picture '0 128 255' gamma:2                  # sqrt(64/255)·255 = 127.75
picture '0 16 255' gamma:0.5                 # (64/255)²·255 = 16.06

gray 4 1  0 10 128 255
picture '0 1 55 255' linear                  # 10/12.92 = .77; ((128/255 + .055)/1.055)^2.4 = .21586
picture '0 10 128 255' linear srgb
gray 3 1  0 1 55
picture '0 13 128' srgb                      # 1.055·(1/255)^(1/2.4) - .055 = .04984
gray 2 1  0 255
picture '128 128' rotate:90,fit=keep,edge=clamp
picture '188 188' rotate:90,fit=keep,edge=clamp,light=linear    # half the light: 1.055·.5^(1/2.4) - .055 = .73536

gray 5 1  0 51 102 204 255
picture '0 0 85 255 255' levels:0.2,0.8      # (102 - 51)/(204 - 51) is a third
picture '0 0 147 255 255' levels:20%,80%,2   # its root is .57735
picture '255 204 153 51 0' levels:1,0
picture '51 102 153 255 255' brightness:0.2
picture '0 51 102 204 255' brightness:90% brightness:-90%
picture '0 0 51 255 255' contrast:3          # 3v - 1
picture '64 89 115 166 191' contrast:0.5
picture '0 0 128 255 255' posterize:3        # 2·.4 is nearest to 1, half of 255 goes to even
picture '0 0 0 255 255' posterize:2
picture '0 0 255 255 255' threshold:0.4
picture '0 0 0 255 255' threshold:41%
gray 8 1  0 0 0 0 0 0 60 255
picture '0 0 0 0 0 0 0 255' threshold:otsu   # 6·2·157.5² is less than 7·1·(255 - 60/7)²
gray 6 1  10 10 10 90 100 200
picture '0 0 0 255 255 255' threshold:otsu   # 3·3·120² is more than 4·2·120² and 5·1·156²
gray 2 1  77 77
picture '0 0' threshold:otsu
gray 2 1  100 200
picture '100 0 50 200 0 100' 'matrix:[1; 0; .5]'
picture '100 200' saturate:3
picture '100 200' channel:g
picture '255 255' channel:a
picture '100 200' hue:70
picture '135 120 94 255 241 187' sepia       # a gray picture has colours then
picture '55 110 165 110 220 255' tint:#336699
is 'and keeps its alpha' "$(gf -i in.pgm alpha:on 'matrix:[1 0; 0 .2]' tint:#336699 -t pam | tail -c 8 | numbers u1)" '55 110 165 51 110 220 255 51'

gray 3 2  51 0 102  0 51 0
picture '51 51 153 51 102 204' integral      # .2 .2 .6, .2 .4 .8
picture '51 51 153 0 51 51' cumsum
picture '51 0 102 51 51 102' cumsum:axis=y
picture '51 51 153 51 102 204' cumsum cumsum:y
picture '51 102 255 102 255 255' integral integral --segment 1    # .2 .4 1, .4 1 2.4
picture '102 204' integral crop:2x1+1+1 --segment 1
picture '51 51 153 51 51 153' integral 'conv1d:[1 0 0],axis=y' --segment 1
picture '51 51 153 51 102 204' integral --segment 1 --lanes 3
picture '255 255 255 255 255 255' alpha:on integral channel:a
gray 4 1  255 255 255 255
picture '64 128 191 255' integral levels:0,4 # 63.75, 127.5 to even, 191.25
picture '255 255 255 255' integral
gray 2 2  1 2 3 4
cat in.pgm in.pgm in.pgm >more.pgm
gf -i in.pgm integral -o one.pgm
gf -i more.pgm --segment 1 --lanes 2 integral -t pnm -o sums.pgm
cat one.pgm one.pgm one.pgm | cmp - sums.pgm >differs 2>&1
is 'each picture begins anew' "$(cat differs)$(tail -c 4 one.pgm | numbers u1)" '1 3 4 10'
rgb 2 1  200 100 50  50 50 50
picture '124 124 124 50 50 50' saturate:0    # .299·200 + .587·100 + .114·50 is 124.2
picture '255 76 0 50 50 50' saturate:2
picture '162 112 87 50 50 50' saturate:0.5
picture '35 135 185 50 50 50' hue:180         # -.574 1.43 .144; .426 .43 .144; .426 1.43 -.856
picture '50 146 35 50 50 50' hue:90          # 0 0 1; .356 .855 -.211; -.574 1.43 .144
picture '50 146 35 50 50 50' hue:-270
picture '200 100 50 50 50 50' hue:720
picture '165 147 114 68 60 47' sepia         # 50 times 1.351, 1.203, .937
picture '182 123 82 59 55 48' sepia:50%
picture '200 100 50 50 50 50' sepia:0 tint:red,0
picture '124 124 124 50 50 50' tint:white
picture '255 0 0 167 0 0' tint:red           # 124.2 and 50 by .299
picture '243 80 40 73 40 40' tint:red,0.2
picture '68 137 205 28 55 83' tint:#336699   # a luma of .363: .55096 1.10193 1.65289
picture '165 147 114 68 60 47' alpha:on sepia alpha:off
refuses 2 'black has no hue' 'tint:black' gf -i in.ppm tint:black -o none.ppm
rgb 2 1  200 100 50  10 20 30
picture '200 100 50 210 120 80' cumsum
picture '200 100 50 210 120 80' integral
picture '50 100 200 30 20 10' 'matrix:[0 0 1; 0 1 0; 1 0 0]'
picture '150 15' 'matrix:[.5 .5 0]'
picture '251 100 0 61 20 0' 'matrix:[1 0 0 .2; 0 1 0 0; 0 0 1 -.2]'
picture '50 100 200 30 20 10' 'matrix:[0 1 0; 0 0 1; 1 0 0]' 'matrix:[0 1 0; 1 0 0; 0 0 1]'
picture '50 30' 'matrix:[1 0 0; 0 1 0; 0 0 1; 0 0 1]' channel:a
picture '51 51' alpha:on 'matrix:[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 .2]' channel:a
picture '255 255' alpha:on brightness:-0.5 levels:0.1,0.2,3 posterize:2 threshold:0.9 'matrix:[0 0 0]' channel:a
picture '100 20' channel:g
picture '50 30' alpha:on channel:b
picture '200 100 50 10 20 30' 'matrix:[1 0 0; 0 1 0; 0 0 1; 0 0 0]' alpha:off
picture '255 0 128 255 0 128' 'matrix:[1 0 0; 0 1 0; 0 0 1; 0 0 0]' alpha:off,bg=#ff0080
picture '244 224 214 206 208 210' alpha:on 'matrix:[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 .2]' alpha:off,bg=white   # .2 c + .8
picture '200 100 50 10 20 30' alpha:on alpha:off,bg=white
picture '200 100 50 10 20 30' alpha:off,bg=white
rm in.ppm
printf 'PF\n1 1\n-1.0\n\001\002\300\177\001\377\177\200\000\000\200\377' >odd.pfm
for letter in r g b; do
    gf -i odd.pfm channel:$letter -o $letter.pfm
    tail -c 4 $letter.pfm
done >odd.floats
is 'floats that are no numbers move too' "$(numbers x1 <odd.floats)" '01 02 c0 7f 01 ff 7f 80 00 00 80 ff'
gf -i odd.pfm pad:1,2,3,4,#f00 flop transpose crop:1x1+2+3 -o moved.pfm
same odd.pfm moved.pfm 'also with a frame around them'
rgb 1 1  1 2 3
picture '0 128 0 1 2 3 0 128 0' pad:1,0,1,0,green
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcdefgh' >deep.pam
gf -i deep.pam pad:1,0,0,0,#ff008040 pad:0,0,1,0 -o out.pam
is 'alpha is padded too' "$(tail -c 24 out.pam | numbers x1)" 'ff ff 00 00 80 80 40 40 61 62 63 64 65 66 67 68 00 00 00 00 00 00 00 00'
rm in.ppm

rgb 4 1  255 0 0  0 255 0  0 0 255  255 255 255
picture '76 150 29 255' gray                 # .299 .587 .114 of 255
picture '54 182 18 255' gray:rec709          # .2126 .7152 .0722
picture '127 220 76 255' gray:rec709,light=linear   # .2126 .7152 .0722, each to the curve of sRGB
picture '85 85 85 255' gray:average
picture '255 255 255 255' gray:max
picture '128 128 128 255' gray:lightness     # 127.5 goes to even
rgb 4 1  200 0 0  0 200 0  0 0 200  200 200 200
picture '60 120 20 200' gray:simple          # .3 .6 .1
rm in.ppm

# A kernel of three: exp(-1/2) = .60653 beside 1 is .27407 .45186 .27407.
gray 3 1  0 255 0
picture '70 115 70' blur:1,radius=1
picture '32 52 32' blur:1,radius=1,edge=zero
gray 3 1  0 255 0
picture '143 179 143' blur:1,radius=1,light=linear      # .27407 and .45186 of the light

# The mask as written: under 1 at x the left neighbour sees the last weight.
gray 5 1  0 0 1 0 0
picture '0 3 2 1 0' 'conv:[1 2 3]'
picture '0 0 2 1 0' 'conv:[1 2]'             # the centre of two is the second
picture '0 3 2 1 0' 'conv1d:[1 2 3],axis=x'
gray 5 1  0 0 60 0 0
picture '0 30 20 10 0' 'conv:[1 2 3],scale=6'
picture '0 30 20 10 0' 'conv:[1 2 3],scale=auto'
picture '51 51 111 51 51' 'conv:[1],offset=0.2'
gray 3 3  0 0 0  0 10 0  0 0 0
picture '90 80 70 60 50 40 30 20 10' 'conv:[1 2 3; 4 5 6; 7 8 9],edge=zero'
picture '0 30 0 0 20 0 0 10 0' 'conv1d:[1 2 3],axis=y'

# A second picture. b is 0, .2, .4 and 1, s is 1, .2, .8 and .4.
rm -f in.ppm
gray 4 1  0 51 102 255
printf 'P2 4 1 255\n255 51 204 102\n' >top.pgm
picture '255 51 204 102' blend:top.pgm
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
picture '0 27 138 255' blend:top.pgm,softlight           # .2 - .6·.2·.8 = .104, .4 + .6 (.63246 - .4) = .53947
picture '0 64 255 255' blend:top.pgm,dodge               # .2/.8, .4/.2
picture '0 0 64 255' blend:top.pgm,burn                  # .8/.2, 1 - .6/.8
picture '0 41 97 217' blend:top.pgm,multiply,25%         # a quarter of the way: .2 - .04, .4 - .02, 1 - .15
picture '0 51 102 255' blend:top.pgm,burn,0
picture '255 0 102 153' diff:top.pgm
picture '51 0 20 31' diff:top.pgm,scale=0.2              # 20.4, 30.6
gray 3 3  10 20 30  40 50 60  70 80 90
printf 'P2 2 2 255\n1 2\n3 4\n' >small.pgm
picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1
picture '4 20 30 40 50 60 70 80 90' over:small.pgm,-1,-1
picture '10 20 30 40 50 60 70 80 1' over:small.pgm,2,2
picture '10 20 30 40 50 60 70 80 90' over:small.pgm,3,0 over:small.pgm,0,-2 over:small.pgm,y=3
picture '1 2 30 3 4 60 70 80 90' over:small.pgm
picture '8 16 30 31 38 60 70 80 90' over:small.pgm,opacity=0.25      # 10 - 2.25, 20 - 4.5: 15.5 to even, 40 - 9.25, 50 - 11.5: 38.5
for place in top-left northwest; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place; done
for place in bottom-right southeast; do
    picture '10 20 30 40 1 2 70 3 4' over:small.pgm,at=$place
    picture '1 2 30 3 4 60 70 80 90' over:small.pgm,1,1,at=$place
    picture '10 20 30 40 50 60 70 1 2' over:small.pgm,y=-1,at=$place
done
for place in top-right northeast; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,1,1,at=$place; done
for place in bottom-left southwest; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,at=$place; done
for place in top north; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place; done      # the odd column is on the right
for place in left west; do picture '10 20 30 40 1 2 70 3 4' over:small.pgm,1,1,at=$place; done
for place in right east; do picture '10 1 2 40 3 4 70 80 90' over:small.pgm,at=$place; done
for place in bottom south; do picture '10 20 30 1 2 60 3 4 90' over:small.pgm,at=$place; done
picture '10 20 30 40 50 60 70 1 2' over:small.pgm,1,2,at=center
picture '1 2 30 3 4 60 70 80 90' over:small.pgm,at=center
printf 'P2 1 1 255\n255\n' >last.pgm
printf 'P2 5 1 255\n1 2 3 4 5\n' >wide.pgm
picture '10 20 30 2 3 4 70 80 90' over:wide.pgm,at=center
picture '10 20 30 40 50 60 3 4 5' over:wide.pgm,at=bottom-right
printf 'P2 4 1 255\n1 2 3 4\n' >wide.pgm
picture '10 20 30 2 3 4 70 80 90' over:wide.pgm,at=center
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
is 'a colour makes colours of gray' "$(tail -c 6 out.ppm | numbers u1)" '10 10 10 255 0 0'
rgb 2 1  200 100 50  10 20 30
printf 'P2 1 1 255\n1\n' >dot.pgm
picture '1 1 1 10 20 30' over:dot.pgm   # gray over colours
rm -f in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\063\007\011\074\000' >in.pam     # 200 of .2, 7 of 9/255, 60 of 0
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\231\062\000\036\377' >top.pam    # 100 of .6, 50 of 0, 30 of 1
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
is 'a mask of colours' "$(gf -i in.pgm mask:shape.ppm | tail -c 6 | numbers u1)" '10 76 20 150 30 29'

# box: 90 among 9 and 25 pixels; a column of 90 in five, seen over nineteen rows and columns that repeat the border.
gray 5 5  0 0 0 0 0  0 0 0 0 0  0 0 90 0 0  0 0 0 0 0  0 0 0 0 0
picture '0 0 0 0 0 0 10 10 10 0 0 10 10 10 0 0 10 10 10 0 0 0 0 0 0' box:1
picture '4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4' box:2,edge=wrap   # 90 / 25 = 3.6
gray 5 1  0 0 190 0 190
picture '70 80 90 100 110' box:9               # 190 / 19 = 10, once for column 2 and 6 to 10 times for column 4
# Masks with names, and stages that are one. On a step of 40 the slope is (1 + 2 + 1)·40.
gray 4 3  10 10 50 50  10 10 50 50  10 10 50 50
picture '0 160 160 0 0 160 160 0 0 160 160 0' sobel
picture '0 160 160 0 0 160 160 0 0 160 160 0' sobel:x
picture '0 0 0 0 0 0 0 0 0 0 0 0' sobel:y
picture '0 20 20 0 0 20 20 0 0 20 20 0' conv:sobel-x,scale=8
picture '0 120 120 0 0 120 120 0 0 120 120 0' conv:prewitt-x
picture '0 40 0 0 0 40 0 0 0 40 0 0' laplacian         # and -40 beside it
picture '10 20 40 50 10 20 40 50 10 20 40 50' conv:gauss3
picture '10 23 37 50 10 23 37 50 10 23 37 50' conv:box3
picture '10 0 90 50 10 0 90 50 10 0 90 50' conv:sharpen
gray 3 3  0 0 0  0 30 0  0 0 0
picture '42 60 42 60 0 60 42 60 42' sobel              # √(30² + 30²) in the corners, 2·30 beside the dot
picture '30 0 0 60 0 0 30 0 0' sobel:x,edge=zero
picture '30 60 30 0 0 0 0 0 0' sobel:y,edge=zero
picture '0 30 0 30 0 30 0 30 0' laplacian:edge=zero
picture '60 30 0 30 30 0 0 0 0' emboss:edge=zero       # turned about: the dot sees itself from every side
# sharpen: with sigma 0.5 a dot keeps .78657 of itself and lends .10645 to its neighbours.
gray 5 1  50 50 100 50 50
picture '50 39 121 39 50' sharpen:2,0.5                # 100 + 2·50·(1 - .78657), 50 - 2·50·.10645
picture '50 50 121 50 50' sharpen:2,0.5,0.03           # 5.3 is not above 7.65, 10.7 is
picture '50 50 100 50 50' sharpen:2,0
# unsharp: at thirds of a pixel, with sigma 0.5, a dot keeps .69345 of itself and lends .15328; twice the differences are .1202 and .0601.
picture '50 35 131 35 50' unsharp:1x0.5+2+0            # 100 + 2·50·(1 - .69345), 50 - 2·50·.15328
picture '50 35 131 35 50' unsharp:1,0.5,2,0.06
picture '50 50 131 50 50' unsharp:1x0.5+2+0.061
picture '50 50 100 50 50' unsharp:1x0.5+2+0.121
picture '50 35 131 35 50' unsharp:0x0.5+2,threshold=0  # .69189 .15293 .00112, as far as 16 bits see it
picture '50 42 115 42 50' unsharp:0.2x0.5              # once, and 1 is not above half of 5 %
picture '50 50 100 50 50' unsharp:0x0 unsharp:0x1+0
# dog: as for sharpen, the dot keeps .78657, less what is left of it.
picture '51 46 62 46 51' dog:0,0.5,offset=0.2          # 50·(1 - .78657), -50·.10645
picture '51 56 40 56 51' dog:0.5,0,offset=0.2
picture '0 5 0 5 0' dog:0.5,0
picture '0 0 0 0 0' dog:0.7,0.7
# canny: of two slopes alike the left or upper one; a line of one pixel on a step, two beside a line. A step of 51 slopes by .8.
gray 4 3  0 0 255 255 0 0 255 255 0 0 255 255
picture '0 255 0 0 0 255 0 0 0 255 0 0' canny:0
picture '0 255 0 0 0 255 0 0 0 255 0 0' canny
picture '0 255 0 0 0 255 0 0 0 255 0 0' flop canny:0
picture '0 0 0 255 255 255 0 0 0 0 0 0' transpose canny:0
gray 5 1  0 0 51 0 0
picture '0 255 0 255 0' canny:0,0.1,0.79
picture '0 0 0 0 0' canny:0,0.1,0.81
gray 6 6  0 0 0 0 0 255 0 0 0 0 255 255 0 0 0 255 255 255 0 0 255 255 255 255 0 255 255 255 255 255 255 255 255 255 255 255
picture '0 0 0 0 255 0 0 0 0 255 255 0 0 0 255 255 0 0 0 255 255 0 0 0 255 255 0 0 0 0 0 0 0 0 0 0' canny:0,3,4     # 3·√2 on both sides
rgb 4 1  0 9 9  0 9 9  255 9 9  255 9 9                # a step of .299 of gray
picture '0 255 0 0' canny:0,0.1,1.19
picture '0 0 0 0' canny:0,0.1,1.2
rm in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\000\377\036' >in.pam
gf -i in.pam canny:0 -o out.pgm
is 'canny leaves alpha out' "$(tail -c 3 out.pgm | numbers u1)" '255 0 0'
# Faint along 350 rows, brighter and brighter behind: the line is followed through all bands, where nothing parts it.
long() { { echo P2 4 400 255; ${AWK:-awk} -v gap="$1" 'BEGIN { for (y = 0; y < 400; y++) { v = y == gap || y == gap + 1 || y == gap + 2 ? 0 : y < 350 ? 20 : y < 389 ? 6 * y - 2080 : 255; print 0, 0, v, v } }'; } >in.pgm; }
for gap in -9 62 63 64 126 200; do
    long $gap
    is "canny, a gap at $gap" "$(gf -i in.pgm canny:0,0.1,0.6 crop:4x1+0+0 -t pgm | tail -c 4 | numbers u1)" \
       "$([ $gap = -9 ] && echo 0 255 0 0 || echo 0 0 0 0)"
done
# bilateral, one pixel far: the other side of the step weighs e^-½ by distance and e^-2 by difference, .082085 beside 1 + e^-½.
gray 2 1  0 255
picture '12 243' bilateral:1,0.5,radius=1              # 255·.082085 / 1.688616 = 12.40, and 242.60
picture '0 255' bilateral:5,0.1                        # e^-50 is nothing
picture '70 185' bilateral:1,1000,radius=1            # a mean: 255·.606531 / 2.213061 = 69.89, and 185.11
picture '0 255' bilateral:0,0.5
gray 3 3  9 9 9 9 9 9 9 9 9
picture '9 9 9 9 9 9 9 9 9' bilateral:3,0.1
rgb 2 1  0 0 0  153 204 0                              # √(.6² + .8²) is 1, as before
picture '7 10 0 146 194 0' bilateral:1,0.5,radius=1    # 153·.048611 = 7.44, 204·.048611 = 9.92
rm in.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\000\012\377\024\000\036' >in.pam
for stage in sobel sobel:x laplacian emboss sharpen sharpen:2,0.5,0.1 conv:ridge unsharp:0x1+2+0 dog:1 dog:0,2,offset=.5 bilateral:1,0.2 noise:.1 vignette:1; do
    gf -i in.pam $stage -o out.pam
    is "$stage copies alpha" "$(tail -c 6 out.pam | numbers u1 | cut -d ' ' -f 2,4,6)" '10 20 30'
done
is 'and filters the colour' "$(gf -i in.pam sobel | tail -c 6 | numbers u1)" '255 10 0 20 255 30'

# vignette: at 3/2 and 1/2 of a pixel from the middle of four, distances are .53033 and .17678, or .72761 and .24254 in circles.
gray 4 1  200 200 200 200
picture '91 183 183 91' vignette:1,0                   # 1 - d²·(3 - 2d): .45456 .91730
picture '36 170 170 36' vignette:1,0,roundness=1       # .18217 .85206
picture '198 200 200 198' vignette:1,0.5               # t = .06066
picture '188 200 200 188' vignette                     # t = .21722, and half of what that takes
picture '183 91 7 0' vignette:1,0,x=0                  # 5/2 pixels are .88388, and 7/2 are more than 1
picture '255 217 217 255' vignette:-1,0
picture '140 192 192 140' vignette:1,0,light=linear    # .57758 of the light, times the same
picture '200 200 200 200' vignette:0
gray 3 3  200 200 200  200 200 200  200 200 200
picture '52 109 52 109 200 109 52 109 52' vignette:1,0 # 7/27 in corners, where 2/3 of the way is behind
picture '52 109 52 109 200 109 52 109 52' vignette:1,0,roundness=1
# noise: six numbers, worked out from kernels/noise.h by another program; and that they are spread as told.
gray 6 1  100 100 100 100 100 100
picture '91 87 120 94 113 102' noise:0.1,uniform
picture '137 65 107 134 81 84' noise:0.1
picture '76 122 121 122 116 125' noise:0.1,uniform,seed=7
picture '163 92 91 105 100 96' noise:0.1,seed=7
gray 3 2  100 100 100 100 100 100
picture '137 65 107 134 81 84' noise:0.1     # they count on from row to row
cat in.pgm in.pgm | gf noise:0.1,uniform -t pnm -o out.pnm
is 'the second of two pictures has others' "$(tail -c 6 out.pnm | numbers u1)" '95 102 124 79 92 121'
rgb 2 1  100 100 100 100 100 100
picture '91 87 120 94 113 102' noise:0.1,uniform
picture '91 91 91 94 94 94' noise:0.1,uniform,mono
rm in.ppm
# a quarter of a million numbers, by how they are spread.
printf 'P6\n512 512\n255\n' >flat.ppm
head -c 786432 /dev/zero | tr '\000' '\200' >>flat.ppm
# spread NAME LEAST MOST COLUMN WORD...: what stats says of red
spread()
{
    what=$1 least=$2 most=$3 column=$4
    shift 4
    found=$(gf -i flat.ppm brightness:-0.50196078 "$@" stats -t tsv | ${AWK:-awk} -v c="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } NR == 2 { print $at }')
    is "$* $what: $found" "$(${AWK:-awk} -v v="$found" -v l="$least" -v m="$most" 'BEGIN { print (v + 0 == v && v >= l && v <= m) }')" 1
}
for seed in 1 2; do
    spread 'around 0' -.006 .006 mean noise:1,seed=$seed
    spread 'as wide as told' .994 1.006 sd noise:1,seed=$seed
    spread 'has a sixth above one' .1557 .1617 mean noise:1,seed=$seed threshold:1
    spread 'and one in 44 above two' .0216 .0239 mean noise:1,seed=$seed threshold:2
    spread 'one in 740 above three' .00105 .00165 mean noise:1,seed=$seed threshold:3
    spread 'a sixth below minus one' .1557 .1617 mean noise:1,seed=$seed invert threshold:2
    spread 'and some further out' 4 6.67 max noise:1,seed=$seed
    spread 'around 0' -.006 .006 mean noise:1,uniform,seed=$seed
    spread 'all alike' .5743 .5804 sd noise:1,uniform,seed=$seed          # the root of a third
    spread 'none beyond' .9999 1 max noise:1,uniform,seed=$seed
    spread 'a tenth in the last tenth' .0482 .0518 mean noise:1,uniform,seed=$seed threshold:.9
done
# of two channels, two seeds, two neighbours: none knows of the other, so squares of differences come to twice the variance
spread 'of red and green differ' 1.405 1.423 sd noise:1 'matrix:[1 -1 0]'
spread 'of a pixel and the next' 1.405 1.423 sd noise:1 'conv:[1 -1 0]'
spread 'of a pixel and the one below' 1.405 1.423 sd noise:1 'conv1d:[1 -1 0],axis=y'
spread 'of two seeds' 1.405 1.423 sd noise:1 invert brightness:-1 noise:1,seed=3
spread 'mono: none' 0 0 max noise:1,mono 'matrix:[1 -1 0]'
spread 'mono: none' 0 0 min noise:1,mono 'matrix:[0 -1 1]'
spread 'of one seed, twice' 0 .000001 sd noise:1 invert brightness:-1 noise:1
gf -i flat.ppm noise:.2 -o once.ppm
gf -i flat.ppm noise:.2 -o twice.ppm
same once.ppm twice.ppm 'noise: each time the same'
cat flat.ppm flat.ppm flat.ppm | gf noise:.2 -t pnm -o three.ppm
head -c 786447 three.ppm | cmp - once.ppm >differs 2>&1
is 'the first frame has that of a picture' "$(cat differs)" ''
is 'and each has its own' "$(for k in 1 2 3; do head -c $((k * 786447)) three.ppm | tail -c 786432 | cksum; done | sort -u | wc -l | tr -d ' ')" 3
cat flat.ppm flat.ppm flat.ppm | gf --lanes 1 -j 1 noise:.2 -t pnm -o other.ppm
same three.ppm other.ppm 'however many are in work'
gf -i flat.ppm -i once.ppm noise:.2 -o '{stem}.pnm'
same once.ppm flat.pnm 'every input begins anew'

# Beyond the border: two columns to the right.
gray 4 1  1 2 3 4
picture '1 1 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=clamp'
picture '2 1 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=reflect'
picture '3 2 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=mirror'
picture '3 4 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=wrap'
picture '0 0 1 2' 'conv1d:[1 0 0 0 0],axis=x,edge=zero'

gray 4 1  10 10 20 30
picture '0 0 128 255' equalize               # (3 - 2)·255/2 = 127.5 goes to even
rgb 2 1  10 10 10 200 100 50
picture '0 0 0 255 231 181' equalize         # a brightness of 124.2 becomes 255
rgb 3 1  0 0 0 255 255 255 30 20 10
picture '0 0 0 255 255 255 136 126 116' equalize     # 21.85, the second of three, becomes 127.5, and so 128
rm in.ppm
image noise.ppm 211 397 3 255 5
gf -i noise.ppm equalize -o bytes.ppm
gf -i noise.ppm alpha:on equalize alpha:off -o floats.ppm
same bytes.ppm floats.ppm 'equalize of bytes, and by way of floats'
gf -i noise.ppm crop:207x300+3+7 equalize -o bytes.ppm
gf -i noise.ppm crop:207x300+3+7 alpha:on equalize alpha:off -o floats.ppm
same bytes.ppm floats.ppm 'also of a part of a picture'
gray 4 1  77 77 77 77
picture '77 77 77 77' equalize
picture '77 77 77 77' autolevel
picture '77 77 77 77' autolevel:10%,rgb
gray 4 1  50 100 150 200
picture '0 85 170 255' autolevel
picture '0 85 170 255' brightness:-3 autolevel
picture '0 85 170 255' normalize
gray 10 1  0 50 90 90 130 130 170 210 250 255
picture '0 0 51 51 102 102 153 204 255 255' autolevel:10%
picture '0 50 90 90 130 130 170 210 250 255' autolevel:9.9%
rgb 2 1  50 90 130  170 210 250
picture '0 51 102 153 204 255' autolevel
picture '0 0 0 255 255 255' autolevel:0,rgb
picture '0 51 102 153 204 255' autolevel:10%
picture '0 0 0 255 255 255' normalize:10%,rgb
picture '0 0 0 255 255 255' autolevel:10%,rgb
picture '0 51 102 153 204 255' alpha:on 'matrix:[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 0]' autolevel alpha:off
rm in.ppm

# Picked, not computed: of one row, each sample stands for a column of three, of five…
gray 5 1  10 200 30 40 50
picture '10 30 40 40 50' median:1
picture '10 30 40 50 50' median:2
picture '10 30 40 50 50' median:60           # 61 to 58 tens, 200, 30, 40, and fifties: 121 in all
picture '0 0 0 0 0' median:1,edge=zero       # six of nine lie beyond
picture '10 10 30 30 40' erode:1
picture '10 10 30 30 10' erode:1,edge=wrap
picture '200 200 200 50 50' dilate:1
picture '200 200 200 200 200' dilate:4
picture '10 30 30 40 40' open:1
picture '200 200 50 50 50' close:1
gray 3 3  1 2 3  4 100 6  7 8 9
picture '2 3 3 4 6 6 7 8 9' median:1         # the centre: 1 2 3 4 (6) 7 8 9 100
picture '1 1 2 1 1 2 4 4 6' erode:1
picture '100 100 100 100 100 100 100 100 100' dilate:1
rgb 3 1  1 200 7  5 100 9  3 150 8
picture '1 200 7 3 150 8 3 150 8' median:1   # each channel alone
rm in.ppm
image clear.pam 20 10 4 255 3
gf -i clear.pam channel:a -o a.pgm
gf -i clear.pam median:2 dilate:3 channel:a -o b.pgm
same a.pgm b.pgm 'median and dilate copy alpha'

# Sizes of turned pictures: ⌈w·|cos| + h·|sin|⌉.
image big.ppm 480 320 3 255 1
gf -i big.ppm rotate:30 -o out.pnm -t pnm
is 'rotate:30 of 480×320' "$(size_of)" '576 518'
gf -i big.ppm rotate:30,fit=keep -o out.pnm -t pnm
is 'and with fit=keep' "$(size_of)" '480 320'
gf -i big.ppm rotate:45 crop:1x1+0+0 -o out.pnm -t pnm
is 'corners are black' "$(tail -c 3 out.pnm | numbers u1)" '0 0 0'
image clear.pam 40 40 4 255 1
gf -i clear.pam rotate:45 crop:1x1+0+0 -o out.pam
is 'or transparent' "$(tail -c 4 out.pam | numbers u1)" '0 0 0 0'

# Centres stay centres: a dot in the middle of an odd square.
gray 3 3  0 0 0  0 200 0  0 0 0
gf -i in.pgm rotate:33,fit=keep -o out.pnm -t pnm
is 'the middle stays' "$(tail -c 5 out.pnm | numbers u1 | cut -d ' ' -f 1)" 200

# The middle of a pixel is half a pixel from its edge: of two made four, the second lies a quarter from the first.
gray 2 1  0 200
picture '0 50 150 200' resize:4x1,filter=linear
picture '0 0 200 200' resize:4x1,filter=nearest
picture '0 0 100 200 200' resize:5x1,filter=area     # the third covers half of each
gray 4 1  12 24 36 48
picture '18 42' resize:2x1,filter=area
picture '15 30 45' resize:3x1,filter=area    # (3·12 + 24)/4, then halves, then (36 + 3·48)/4
picture '24 48' resize:2x1,filter=nearest    # halfway between two is the second
gray 4 1  0 70 140 70
picture '50 100' resize:2x1,filter=linear    # 3 3 1 and 1 3 3, of 7: what lies beyond counts for nothing
gray 4 1  0 0 128 0
picture '0 0 0 29 111 108 27 0' resize:8x1,filter=cubic      # .2266 .8672; by 1.0234, by 1.0703 where a tap is missing
gray 7 1  0 0 0 100 0 0 0
picture '0 0 1 3 0 0 0 0 38 81 100 81 38 0 0 0 0 3 1 0 0' resize:21x1       # sinc(d)·sinc(d/3): .8103 and .3807, of .9956
gray 1 4  12 24 36 48
picture '15 30 45' resize:1x3,filter=area
picture '18 42' resize:50%,filter=area
picture '30' resize:1x1,filter=area
gray 2 1  0 255
picture '128' resize:1x1,filter=area
picture '188' resize:1x1,filter=area,light=linear    # half the light
gray 3 1  77 77 77
picture '77 77 77 77 77 77 77 77 77 77' resize:5x2
picture '77 77 77' resize:100%
for word in '240 240×160' 'x100 150×100' '50% 240×160' '33% 158×106' '7 7×5' '1 1×1' '0.01% 1×1' '481x1 481×1' '240x240,fit=inside 240×160' \
    '90x10,fit=inside 15×10' '90x10,fit=outside 90×60' '240x240,fit=outside 360×240' '960x960,fit=inside 960×640' '960x960,fit=inside,only=shrink 480×320' \
    '960x100,only=shrink 480×100' '960x100,only=enlarge 960×320' '50%,only=enlarge 480×320' '960,only=shrink 480×320' '100,fit=inside 100×67'; do
    gf -i big.ppm "resize:${word% *}" -o out.pnm -t pnm 2>errors
    is "resize:${word% *} of 480×320" "$(size_of | tr ' ' x)$(cat errors)" "$(echo "${word#* }" | sed 's/×/x/')"
done
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\376\037\000' >veil.pam
gf -i veil.pam resize:1,filter=area -o out.pam
is 'a transparent pixel lends no colour' "$(tail -c 2 out.pam | numbers u1)" '200 127'
gf -i veil.pam resize:4x1,filter=nearest -o out.pam
is 'a copied one keeps its own' "$(tail -c 8 out.pam | numbers u1)" '200 254 200 254 31 0 31 0'

gray 8 1  0 63 64 127 128 191 192 255
gf -i in.pgm histogram:4 -o out.tsv
is 'histogram:4' "$(sed 1d out.tsv | tr '\t\n' ' ;')" '0 2;1 2;2 2;3 2;'
gf -i in.pgm histogram:4 -o out.csv
is 'as CSV' "$(sed 1d out.csv | tr '\n' ';')" '0,2;1,2;2,2;3,2;'
gf -i in.pgm histogram:4 -o out.json
is 'as JSON' "$(tr -d ' \n' <out.json)" \
    '{"bins":4,"range":[0,1],"samples":8,"channels":[{"name":"y","counts":[2,2,2,2]}]}'

frames 1  1000 -1000 30000 -32768 0
heard '-1000 1000 -30000 32767 0' invert
heard '708 -708 21238 -23198 0' gain:-3      # 10^(-3/20) = .7079458
heard '1995 -1995 32767 -32768 0' gain:6
heard '500 -500 15000 -16384 0' gain:-6.0205999133
heard '500 -500 15000 -16384 0' gain:50%
heard '500 -250 14750 -8884 -8192' 'fir:[0.5 0.25]'
frames 2  1000 2001  -5 -8  32767 32767
heard '1500 -6 32767' mono                   # 1500.5 and -6.5 go to even
heard '2000 4002 -1010 -2017 32767 32767' 'fir:[2 -1]' 
frames 1  0 0 16384 0 0
heard '0 0 16384 8192 4096' 'fir:[1 0.5 0.25]'
heard '0 0 8192 12288 6144' biquad:0.5,0.5,0,-0.5,0
heard '0 0 8192 12288 6144' biquad:0.5,0.5,0,-0.5,0 --segment 1 --lanes 3
heard '0 0 8192 12288 6144' biquad:1,1,0,-1,0,a0=2
heard '0 0 8192 4096 4096' biquad:0.5,0,0,0,-0.5 'fir:[1 0.5]'        # 8192 0 4096, and half of each a frame later
heard '0 0 16384 0 -4096' biquad:1,0,0,0,0.25
heard '0 0 16384 0 0' eq:1k,1,0 bass:0 treble:0,3k
frames 2  16384 0  0 16384  0 0
heard '16384 0 0 16384 4096 0' biquad:1,0,0,0,-0.25
refuses 2 'grow' 'poles beyond the unit circle' gf -i in.wav biquad:1,0,0,0,1.01 -o out.wav
refuses 2 'grow' 'or on it' gf -i in.wav biquad:1,0,0,-2,1 -o out.wav
refuses 2 'a0 is 0' 'nothing to divide by' gf -i in.wav biquad:1,0,0,0,0,a0=0 -o out.wav
for stage in eq:4k,1,3 bass:3,30k treble:1,4k; do
    refuses 1 "${stage%%:*}: .*less than 4000" "$stage of 8 kHz" gf -i in.wav $stage -o out.wav
done
frames 1  0 0 16384 0 0
heard '0 0 16384 8192 4096 0 0' 'fir:[1 0.5 0.25],tail=keep'
heard '0 16384 32767 16384 0 0' 'fir:[1 2 1],align=center,tail=keep'
heard '0 0 12288 4096 0' 'fir:[1 0.5],wet=0.5,dry=25%'
heard '0 8192 32767 8192 0' 'fir:[1 2 1],align=center,wet=50%,dry=1'
heard '0 0 8192 8192 0' 'fir:[1 1],wet=-6.0205999133dB'
heard '0 0 4096 4096 8192' 'fir:[1 1 2],norm=sum'
heard '0 0 9830 13107 0' 'fir:[3 4],norm=energy'          # .6 and .8 of 16384
heard '0 0 8192 -8192 0' 'fir:[1 -1],norm=peak'           # 2 at half the rate
refuses 2 'come to 0' 'a sum of 0' gf -i in.wav 'fir:[1 -1],norm=sum' -o out.wav
frames 1  16384 8192
cp in.wav response.wav
frames 2  16384 8192  8192 4096
cp in.wav both.wav
frames 1  0 0 16384 0 0
heard '0 0 8192 4096 0' fir:response.wav
heard '0 0 12288 2048 0 0' reverb:response.wav,0.5,norm=none
heard '0 0 12288 2048 0' reverb:response.wav,50%,norm=none,tail=cut
heard '0 0 32767 8192 0 0' reverb:response.wav,dry=1,wet=2,norm=none
heard '0 0 14654 7327 0 0' reverb:response.wav,1          # .5 and .25 by the root of .3125
refuses 1 'there are 2 channels of taps for 1 channel' 'two responses for one channel' gf -i in.wav fir:both.wav -o out.wav
refuses 2 'dry=' 'a room louder than all' gf -i in.wav reverb:response.wav,2 -o out.wav
cp in.wav slow.wav && printf '\200\076' | dd of=slow.wav bs=1 seek=24 conv=notrunc 2>/dev/null
refuses 1 'recorded at 16000 Hz, but the signal is at' 'a response of another rate' gf -i in.wav fir:slow.wav -o out.wav
refuses 2 'is a picture' 'a picture as a response' gf -i in.wav fir:veil.pam -o out.wav
frames 2  0 0  16384 16384  0 0
heard '0 0 8192 4096 4096 2048' fir:both.wav
# 40000 frames of silence but for one; 20000 taps but two of 0: what the transforms leave of them
{ echo 1; yes 0 | head -n 19998; echo -1; } >far.txt
sound noise.wav 40000 1 3
gf -i noise.wav fir:far.txt,tail=keep -o far.wav
is 'a long tail is kept: 59999 frames' "$(gf -i far.wav stats -t json | tr -d ' \n' | sed 's/.*"samples":\([0-9]*\).*/\1/')" 59999
gf -i noise.wav invert -o second.wav
is 'before the second tap, what came in' "$(tail -c +45 far.wav | head -c 20000 | cksum)" "$(tail -c +45 noise.wav | head -c 20000 | cksum)"
is 'behind the end, all of it negative' "$(tail -c 20000 far.wav | cksum)" "$(tail -c 20000 second.wav | cksum)"
gf <noise.wav fir:far.txt,tail=keep | cat >piped.wav
is 'also from a pipe' "$(tail -c +45 piped.wav | cksum)" "$(tail -c +45 far.wav | cksum)"
{ printf 'RIFF\377\377\377\377'; head -c 40 noise.wav | tail -c +9; printf '\377\377\377\377'; tail -c +45 noise.wav; } >open.wav
cat open.wav | gf fir:far.txt,tail=keep | cat >piped.wav
is 'that does not tell its length' "$(tail -c +45 piped.wav | cksum)" "$(tail -c +45 far.wav | cksum)"
frames 2  1 -2  30000 4  5 -32768
heard '1 -2 30000 4 5 -32768' resample:8k # the rate it has
heard '1 -2 30000 4 5 -32768' resample:8kHz
# What is the same all along stays what it is, at any rate; half as many frames, or twice.
sox -n -r 48000 -b 16 -c 1 dc.wav trim 0 4800s dcshift 0.5 2>/dev/null || skip 'no sox'
for to in 24000:2400 96000:9600 44100:4410 32001:3201; do
    [ -s dc.wav ] || break
    gf -i dc.wav resample:${to%:*} -t au -o dc.au
    is "frames at ${to%:*} Hz" $((($(wc -c <dc.au) - 24) / 2)) ${to#*:}
done
# What is too loud for its integers is told, but for peaks; not where samples are only moved, nor with -q.
frames 1  $(i=0; while [ $i -lt 40 ]; do printf '20000 20000 20000 20000 -20000 100 '; i=$((i + 1)); done)
gf -i in.wav gain:6 -o loud.wav 2>told
is 'cut off' "$(grep -o '[0-9]* samples or more' told)" '80 samples or more'
works 'not asked for' "$GPUFILTER" -q -i in.wav gain:6 -o loud.wav
works 'moved' "$GPUFILTER" -i loud.wav reverse -o moved.wav
works 'soft enough' "$GPUFILTER" -i in.wav gain:4 -o soft.wav
works 'floats hold it' "$GPUFILTER" -i in.wav gain:6 --depth f32 -o float.wav
gf -i in.wav gain:6 tee:loud.wav gain:-6 -o calm.wav 2>told
is 'cut off in a tee' "$(grep -o '^gpufilter: [a-z]*.wav: [0-9]* samples or more' told)" 'gpufilter: loud.wav: 80 samples or more'
works 'which is not the output, nor what came in so' "$GPUFILTER" -i loud.wav tee:same.wav gain:-6 -o calm.wav
# Three taps of a lowpass at a quarter of the rate: sinc(1/2) = 2/pi in Blackman's window, .34 1 .34, their sum made 1.
frames 1  0 0 16384 0 0
heard '0 2475 11434 2475 0' lowpass:2k,taps=3
heard '0 -2475 4950 -2475 0' highpass:2k,taps=3
heard '0 0 16384 0 0' bandstop:1k,3k,taps=1
heard '0 0 0 0 0' bandpass:1k,3k,taps=1
# A sine of a quarter of full scale at 1000 Hz, half of which passes an edge there; a constant.
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '0 5793 8192 5793 0 -5793 -8192 -5793 '; i=$((i + 1)); done)
for stage in lowpass:1k highpass:1k,width=200 bandpass:1k,2k bandpass:500,1k,taps=801 bandstop:1k,2k; do
    is "half of it behind $stage" "$(gf -i in.wav $stage trim:0.2,0.3 --depth f32 spectrogram:1,512 --to tsv | awk 'NR == 1 {
        for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 2 { printf "%.1f", $at }')" "$(gf -i in.wav gain:-6.0206 trim:0.2,0.3 spectrogram:1,512 --to tsv |
        awk 'NR == 1 { for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 2 { printf "%.1f", $at }')"
done
is 'a narrow band is no wider than it is: nothing is left in its middle' "$(gf -i in.wav bandstop:980,1020 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { print $6 < 1e-4 }')" 1
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '8192 8192 8192 8192 8192 8192 8192 8192 '; i=$((i + 1)); done)
is 'a constant passes lowpass' "$(gf -i in.wav lowpass:500 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { printf "%.6f %.6f", $2, $3 }')" '0.250000 0.250000'
is 'and bandstop' "$(gf -i in.wav bandstop:500,900 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { printf "%.6f %.6f", $2, $3 }')" '0.250000 0.250000'
is 'nothing of it passes highpass' "$(gf -i in.wav highpass:500 trim:0.2,0.3 stats --to tsv | awk 'NR == 2 { print $2 ^ 2 < 1e-14, $3 ^ 2 < 1e-14 }')" '1 1'
refuses 2 'odd number' 'taps=100' "$GPUFILTER" -i in.wav lowpass:500,taps=100 -o none.wav
refuses 1 'less than 4000' 'an edge beyond half the rate' "$GPUFILTER" -i in.wav highpass:4k -o none.wav
refuses 2 'no band' 'edges the wrong way round' "$GPUFILTER" -i in.wav bandpass:900,300 -o none.wav
refuses 2 'one of them' 'taps and width' "$GPUFILTER" -i in.wav lowpass:900,taps=3,width=100 -o none.wav
# Two columns of three frames: their least, greatest and RMS sample.
frames 1  16384 -16384 0  8192 8192 -16384
gf -i in.wav waveform:2 -o out.tsv
is 'waveform:2' "$(sed 1d out.tsv | tr '\t\n' ' ;')" '0 1 -0.5 0.5 0.408248;0.000375 1 -0.5 0.25 0.353553;'
gf -i in.wav waveform:2 -o out.json
is 'as JSON' "$(cat out.json)" '{"columns":2,"seconds":0.00075,"fields":["min","max","rms"],"channels":[{"name":"1","levels":[[-0.5,0.5,0.408248],[-0.5,0.25,0.353553]]}]}'
# A sine of half of full scale, eight frames a turn, lies an eighth of the rate up, 6.02 dB down; a constant at 0 Hz.
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '0 11585 16384 11585 0 -11585 -16384 -11585 '; i=$((i + 1)); done)
gf -i in.wav spectrogram:4,64 -o out.tsv
is 'spectrogram, a column a quarter' "$(awk 'NR > 1 { printf "%s ", $1 }' out.tsv)" '0 0.128 0.256 0.384 '
is 'half of full scale at 1000 Hz' "$(awk 'NR == 1 { for (i = 3; i <= NF; i++) if ($i == 1000) at = i } NR == 3 {
    for (i = 3; i <= NF; i++) if ($i > -60 && (i < at - 1 || i > at + 1)) bad = i; printf "%.2f%s", $at, bad }' out.tsv)" -6.02
frames 1  $(i=0; while [ $i -lt 512 ]; do printf '8192 8192 8192 8192 8192 8192 8192 8192 '; i=$((i + 1)); done)
is 'a quarter of it at 0 Hz' "$(gf -i in.wav spectrogram:4,64 --to tsv | awk 'NR == 3 { printf "%.2f", $3 }')" -12.04
# A column that is longer than what is looked at in one piece: nothing, then a half of full scale.
{ head -c 200000 /dev/zero; head -c 200000 /dev/zero | tr '\000' '\100'; printf '\0\300'; } >long.raw
is 'a waveform of 200001 frames in one column' "$(gf -f raw:type=s16,rate=8000,channels=1 -i long.raw waveform:1 --to tsv | sed 1d | tr '\t' ' ')" '0 1 -0.5 0.501953 0.354935'
is 'and their spectrum: half of the power' "$(gf -f raw:type=s16,rate=8000,channels=1 -i long.raw spectrogram:1,64 --to tsv | awk 'NR == 2 { printf "%.1f", $3 }')" -9.0
rm -f long.raw
gf -i in.wav spectrogram | head -c 4 >out.png
is 'a picture where nothing tells' "$(tail -c 3 out.png)" PNG
frames 1
refuses 1 'nothing to draw' 'no sound at all' "$GPUFILTER" -i in.wav waveform -o none.png
refuses 2 'power of two' 'a window of 100' "$GPUFILTER" -i in.wav spectrogram:10,100 -o none.png
frames 2  1 -2  30000 4  5 -32768
heard '5 -32768 30000 4 1 -2' reverse
sound known.wav 5000 2 7                     # the same from a pipe that does not tell its length
{ printf 'RIFF\377\377\377\377'; head -c 40 known.wav | tail -c +9; printf '\377\377\377\377'; tail -c +45 known.wav; } >open.wav
gf -i known.wav reverse -o back.wav
cat open.wav | gf reverse | cat >piped.wav
same back.wav piped.wav 'reverse of a pipe'
cat open.wav | TMPDIR=/nowhere "$GPUFILTER" reverse | cat >piped.wav
same back.wav piped.wav 'a little of it is kept in memory'
gf -i known.wav pad:0,4 -o large.wav
open_large() { head -c 40 large.wav; printf '\377\377\377\377'; tail -c +45 large.wav; }
gf -i large.wav reverse -o back.wav
open_large | gf --memory 1M reverse | cat >piped.wav
is 'more of it on disk' "$(tail -c +45 piped.wav | cksum)" "$(tail -c +45 back.wav | cksum)"
open_large >large-open.wav
refuses 1 TMPDIR 'without room to keep it' sh -c 'cat large-open.wav | TMPDIR=/nowhere "$GPUFILTER" --memory 1M reverse -o /dev/null'
silent()                                     # a pipe that has something in it, and no end yet
{
    rm -f silent
    mkfifo silent
    exec 3<>silent
    cat open.wav >&3
    timeout 10 "$GPUFILTER" "$@" <silent
}
refuses 1 'no channel 3' 'a stage that is none for this signal, before a pipe is over' silent reverse channel:3 -o piped.wav
refuses 2 'piped.png' 'a wrong output' silent normalize -o piped.png
refuses 2 'sound has 8 bits' 'a wrong depth' silent reverse --depth 4 -o piped.wav
refuses 2 'dither:16' 'noise for floats' silent reverse dither --depth f32 -o piped.wav
for stage in reverse normalize normalize:lufs=-20 equalize waveform spectrogram spectrogram:100 trim:0,-1f trim:10000000,-10000000; do
    is "$stage explained of a pipe" "$(silent --explain gain:1 $stage | grep -c "kept first.* ${stage%%:*} ")" 1
done
exec 3>&-
echo 1 2 1 >taps3.txt
for stage in trim:0,1000f trim:100f,+900f 'fir:taps3.txt,align=center trim:50f,+100f' 'fade:10f,20f trim:0,77f' 'resample:32k trim:10f,90f' \
    'eq:1k,1,3 delay:9f trim:5f,200f mono'; do
    for waits in 'normalize gain:-1' reverse trim:0,-3f; do
        rm -f part.raw whole.raw
        { cat open.wav; tail -c +45 known.wav; } | timeout 20 "$GPUFILTER" $stage $waits -o part.wav
        gf -i part.wav -o part.raw
        gf -i known.wav pad:0,5000f $stage $waits -o whole.raw
        same whole.raw part.raw "$stage $waits: all the same"
    done
done
is 'as much of an endless pipe as it takes' "$({ cat open.wav; while cat known.wav; do :; done; } 2>endless.txt | timeout 20 "$GPUFILTER" trim:0,100f normalize stats --to tsv | awk '$1 == "all" { print ($2 == -1 || $3 > 0.999) }')" 1
refuses 2 'all of a pipe' 'reverse of a live pipe' sh -c 'cat open.wav | "$GPUFILTER" --latency 10 reverse -o /dev/null'

frames 1  1000 -1000 30000 -32768 0
heard '17384 15384 32767 -16384 16384' dcshift:0.5
frames 2  1 -2  30000 4  5 -32768
heard '1 30000 5' channel:1
heard '-2 4 -32768' channel:2
refuses 1 'no channel 3' 'channel:3 of stereo' gf -i in.wav channel:3 -o out.wav
heard '-2 1 4 30000 -32768 5' remix:2,1
heard '-1 30004 -32763' remix:1+2
heard '2 14998 16386' remix:.5*1-.5*2            # 1.5 and 16386.5 go to even
many '-2 0 -2 1 4 0 4 30000 -32768 0 -32768 5' remix:2,0,2,1
heard '-4 -1 8 -30000 -32768 -5' 'remix:[0 2; -1 0]'
heard '-1 2 -30000 -4 -5 32767' remix:-1,-1*2
refuses 1 'no channel 3' 'remix of a third channel' gf -i in.wav remix:1,3 -o out.wav
refuses 2 'no sum' 'remix of words' gf -i in.wav remix:left -o out.wav
refuses 2 'no sum' 'remix of an open sum' gf -i in.wav remix:1+ -o out.wav
frames 6  1 2 3 4 5 6  10 20 30 40 50 60
heard '21 210' remix:1+2+3+4+5+6
many '6 5 4 3 2 1 60 50 40 30 20 10' remix:6,5,4,3,2,1
many '5 5 2 0 5 2 5 50 50 20 0 50 20 50' remix:6-1,2+3,.5*4,0,5,2*1,6-1

frames 1  1 2 3 4 5 6 7 8                        # at 8000 Hz
heard '3 4 5 6 7 8' trim:2f
heard '3 4 5' trim:2f,5f
heard '3 4 5' trim:0.25ms,+0.000375
heard '3 4 5 6 7 8' trim:0:00.00025,1:00:00
heard '6 7 8' trim:-3f
heard '2 3 4 5 6' trim:1f,-2f
heard '6 5 4' reverse trim:2f,+3f
heard '0 0 1 2 3 4 5 6 7 8 0' pad:2f,1f
heard '0 0 0 1 2 3 4 5 6 7 8' delay:3f
heard '2 3 0 0' trim:1f,3f pad:0,2f
heard '2 3 0 0' trim:1f,3f pad:end=2f
heard '2 3 0 0' trim:1f,3f pad:,2f
refuses 1 'nothing is left' 'trim behind the end' gf -i in.wav trim:8f -o out.wav
refuses 1 'begins at 10 s, the recording is over at 0.001 s' 'which says where both are' gf -i in.wav trim:10,15 -o out.wav
refuses 2 'from 10 s to 5 s' 'trim that ends before it begins, as typed' gf -i in.wav trim:10,5 -o out.wav
refuses 2 'from -1 s to -2 s' 'from the end, too' gf -i in.wav trim:-1,-2 -o out.wav
refuses 1 'nothing is left' 'and where only the signal tells' gf -i in.wav trim:6f,-4f -o out.wav
refuses 1 'ahead of the first' 'trim ahead of the start' gf -i in.wav trim:-9f -o out.wav
refuses 2 'seconds, m:s' 'a time of words' gf -i in.wav trim:soon -o out.wav
refuses 2 'seconds, m:s' 'a minute has 60 seconds' gf -i in.wav trim:1:75 -o out.wav
for stage in trim:2f,5f trim:-3f,-1f trim:2f,+100f pad:2f,3f delay:3f reverse echo:3f,0.5 fade:3f,4f limit:-80,ahead=2f; do
    gf -i in.wav $stage -o known.wav
    { head -c 40 in.wav; printf '\377\377\377\377'; tail -c +45 in.wav; } | gf $stage | cat >piped.wav
    is "$stage of a pipe" "$(tail -c +45 piped.wav | numbers d2)" "$(tail -c +45 known.wav | numbers d2)"
done
endless() { { head -c 40 in.wav; printf '\377\377\377\377'; while tail -c +45 in.wav; do :; done; } 2>endless.txt; }
is 'trim of a pipe without an end' "$(endless | gf trim:6f,+4f | tail -c +45 | numbers d2)" '7 8 1 2'
frames 1  1024 0 0 0 512 0 0 0                   # halved from frame to frame: 1024 512 256 128 576 288 144 72, and 36 to the next round
heard '144 72' biquad:1,0,0,-0.5,0 trim:6f
heard '576 288' biquad:1,0,0,-0.5,0 trim:1f trim:3f,5f --segment 1 --lanes 3
is 'trim behind what remembers all' "$(endless | gf --segment 1 biquad:1,0,0,-0.5,0 trim:6f,+4f | tail -c +45 | numbers d2)" '144 72 1060 530'
is 'and of a pipe with an end' "$({ head -c 40 in.wav; printf '\377\377\377\377'; tail -c +45 in.wav; } | gf biquad:1,0,0,-0.5,0 trim:6f | tail -c +45 | numbers d2)" '144 72'

frames 1  1000 0 0 0
heard '1000 0 500 0 0 0' echo:2f,0.5
frames 1  1000 2000 0
heard '1000 2500 750 -500 0' echo:1f,0.5,2f,-0.25
frames 1  1000 1000 1000 1000 1000 1000 1000 1000
heard '0 250 500 750 1000 1000 1000 500' fade:4f,2f
heard '0 383 707 924 1000 1000 1000 1000' fade:4f,shape=quarter      # sines of 22.5°, 45°, 67.5°
heard '0 146 500 854 1000 1000 1000 1000' fade:4f,shape=half
heard '0 0 3 56 1000 1000 1000 1000' fade:4f,shape=log               # 10^-5, 10^-3.75, 10^-2.5, 10^-1.25
heard '0 438 750 938 1000 1000 1000 1000' fade:4f,shape=parabola
heard '1000 1000 1000 1000 1000 750 500 250' fade:0,4f
heard '0 188 250 188' trim:0,4f fade:4f,4f                            # 3/16, 4/16, 3/16
# limit: the least gain, ½, lasts two frames on both sides; the means of three of means of three are 17/18, 15/18, 12/18, 10/18.
frames 1  9000 9000 9000 9000 9000 9000 -32768 9000 9000 9000 9000 9000 9000
heard '9000 9000 8500 7500 6000 5000 -16384 5000 6000 7500 8500 9000 9000' limit:-6.0205999133,ahead=2f
heard '9000 9000 9000 9000 9000 9000 -16384 9000 9000 9000 9000 9000 9000' limit:-6.0205999133,ahead=0
sound loud.wav 20000 2 5
is 'limit: no sample passes' "$(gf -i loud.wav gain:14 limit:-6 stats -o - | ${AWK:-awk} '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && ($at["max"] > .5011873 || $at["min"] < -.5011873) { print }
    NR > 1 && $at["max"] > .5 { n++ }
    END { print n }')" 3                         # both channels, and the row of all
is 'limit: what stays below is left alone' "$(gf -i loud.wav gain:-6 limit:-1 -o - | numbers d2)" "$(gf -i loud.wav gain:-6 -o - | numbers d2)"
# dither of silence: 0 three times out of four, one step up or down once out of eight each.
gf -i in.wav pad:0,16000f trim:13f -o silence.wav
counts() { tail -c +45 "$1" | od -An -v -t d2 -w2 | ${AWK:-awk} -v "low=$2" -v "high=$3" '{ n[$1 + 0]++; sum += $1 }
    END { print (n[0] > 11700 && n[0] < 12300), (n[1] > 1850 && n[1] < 2150), (n[-1] + n[0] + n[1] == 16000), (sum > low && sum < high) }'; }
gf -i silence.wav dither -o noise.wav
is 'dither: of silence' "$(counts noise.wav -200 200)" '1 1 1 1'
gf -i silence.wav dcshift:0.00000762939453125 dither -o quarter.wav          # a quarter of a step is one step, once in four
is 'dither: the mean is kept' "$(counts quarter.wav 3800 4200 | cut -d ' ' -f 4)" 1
gf -i silence.wav dither:8 -o eight.wav
is 'dither:8: multiples of 256' "$(tail -c +45 eight.wav | od -An -v -t d2 -w2 | sort -un | tr -d ' ' | tr '\n' ' ')" '-256 0 256 '
gf -i silence.wav --depth 8 dither -o byte.wav
is 'dither: as --depth says' "$(tail -c +45 byte.wav | od -An -v -t u1 -w1 | sort -un | tr -d ' ' | tr '\n' ' ')" '127 128 129 '
gf -i silence.wav dither:16,seed=2 -o other.wav
is 'dither: another seed, another noise' "$(cmp -s noise.wav other.wav; echo $?)" 1
steps() { od -An -v "$@" | sort -un | tr -d ' ' | tr '\n' ' '; }
gf -i silence.wav dither -t raw:type=s8 -o byte.raw
is 'dither: as the type of raw samples says' "$(steps -t d1 -w1 byte.raw)" '-1 0 1 '
gf -i silence.wav dither -t raw:type=s24 -o three.raw
is 'dither: and of 24 bits' "$(steps -t u1 -w1 three.raw)" '0 1 255 '
gf -i silence.wav -t raw:type=f32 -o silence.f32
gf -f raw:rate=8000,channels=1,type=f32 -i silence.f32 dither -o 24.flac
gf -i 24.flac -t raw:type=s24 -o three.raw
is 'dither: floats in a FLAC have 24 bits' "$(steps -t u1 -w1 three.raw)" '0 1 255 '
refuses 1 'dither:16' 'floats that stay floats' gf -f raw:rate=8000,channels=1,type=f32 -i silence.f32 dither -o out.wav
refuses 2 'dither:16' 'nor has a lossy format bits' gf -i silence.wav dither -o out.ogg
refuses 2 'how many bits' 'dither of floats' gf -i silence.wav dither --depth f32 -o out.wav

# table WANTED WORD...: min, max, mean, sd, median and non-finite values of in.pgm, or of \$from.
table()
{
    wanted=$1
    shift
    gf -i ${from:-in.pgm} "$@" stats -o out.tsv 2>errors
    is "${from:-} $* stats: $wanted" "$(sed 1d out.tsv | cut -f 2- | tr '\t\n' ' ;')$(cat errors)" "$wanted"
}
from=
gray 5 1  0 51 51 255 255
table '0 1 0.48 0.430813185 0.2 0;'          # 0 .2 .2 1 1: the mean of the squares is .416, so the variance .1856
gray 4 1  51 102 204 255
table '0.2 1 0.6 0.316227766 0.6 0;'         # between 102 and 204; the variance is .1
gray 4 1  0 255 255 0
table '0.5 1.5 1 0.5 1 0;' brightness:0.5     # nothing is cut off in between
rgb 2 1  255 0 51  255 255 51
from=in.ppm
table '1 1 1 0 1 0;0 1 0.5 0.5 0.5 0;0.2 0.2 0.2 0 0.2 0;' flop
rm in.ppm
printf 'Pf\n4 1\n-1.0\n\000\000\200\277\000\000\200\177\000\000\100\100\000\000\300\177' >odd.pfm    # -1 inf 3 nan
from=odd.pfm
table '-1 3 1 2 1 2;'
from=

# What passes by a tee: as it is there, and on unrounded.
held() { tail -c "$2" "$1" | numbers u1; }
gray 3 1  0 100 200
picture '204 104 4' invert tee:mid.pgm brightness:-0.2
is 'tee: what passes by' "$(held mid.pgm 3)" '255 155 55'
picture '0 100 200' gamma:0.1 tee:dark.pgm gamma:10
is 'tee rounds its own copy alone' "$(held dark.pgm 3)" '0 0 22'    # (200/255)^10 is .0881
picture '255 155 55' tee:first.pgm tee:second.png invert
is 'tee of what came in' "$(held first.pgm 3)" '0 100 200'
gf -i second.png -o second.pgm
same first.pgm second.pgm 'tee as PNG'
gf -i in.pgm invert tee:mid.pgm stats -o out.tsv
is 'tee before a table' "$(held mid.pgm 3) $(wc -l <out.tsv)" '255 155 55 2'
gf -i in.pgm tee:mid.pgm invert -o out1.pgm && gf -i out1.pgm -i in.pgm 'tee:{stem}-{n}.pgm' invert -o '{stem}-back.pgm'
is 'tees of a batch' "$(held out1-1.pgm 3) $(held in-2.pgm 3) $(held out1-back.pgm 3)" '255 155 55 0 100 200 0 100 200'
cat mid.pgm out1.pgm mid.pgm >three.pnm
gf -i three.pnm 'tee:frame{n}.pgm' tee:all.pnm invert -o out.pnm
is 'tees of pictures in a row' "$(held frame1.pgm 3) $(held frame2.pgm 3) $(held frame3.pgm 3)" '0 100 200 255 155 55 0 100 200'
cat out1.pgm mid.pgm out1.pgm >inverse.pnm
same all.pnm three.pnm 'and all in one'
same out.pnm inverse.pnm 'the chain goes on'
refuses 2 'in.pgm and out1.pgm would both be written to one.pgm' 'a tee of a batch needs a pattern' gf -i in.pgm -i out1.pgm tee:one.pgm -o '{stem}-x.pgm'
refuses 2 'output already' 'a tee is not the output' gf -i in.pgm tee:same.pgm -o same.pgm
refuses 2 'output already' 'by another name' gf -i in.pgm tee:./same.pgm -o same.pgm
refuses 2 'output already' 'behind its number' gf -i three.pnm 'tee:same{n}.pgm' -o './same{n}.pgm'
refuses 2 'output already' 'or that of a later picture' gf -i three.pnm tee:same2.pgm -o 'same{n}.pgm'
echo old >there.pgm
ln -s there.pgm link.pgm
ln -s new.pgm lost.pgm
refuses 2 'output already' 'behind a link' gf -i in.pgm tee:link.pgm -o there.pgm
refuses 2 'output already' 'behind a link to nothing' gf -i in.pgm tee:lost.pgm -o "$PWD/new.pgm"
refuses 2 'output already' 'behind standard output' sh -c '"$0" -i in.pgm tee:there.pgm >there.pgm' "$GPUFILTER"
works 'a tee and an output may be one device' gf -i in.pgm tee:/dev/null -t pgm -o /dev/./null
refuses 2 'another tee' 'nor a tee by another name' gf -i in.pgm tee:a.pgm invert tee:./a.pgm -o b.pgm
refuses 2 'another tee' 'nor another tee' gf -i in.pgm tee:a.pgm invert tee:a.pgm -o b.pgm
refuses 2 'needs its file' 'a tee has a name' gf -i in.pgm tee -o b.pgm
head -c 13 mid.pgm >cut.pgm
rm -f late.pgm
refuses 1 'cut.pgm' 'a tee fails with its input' gf -i cut.pgm tee:late.pgm invert -o b.pgm
is 'and leaves nothing' "$(ls late.pgm* .*late* 2>/dev/null)" ''

sounds() { tail -c +45 "$1" | numbers d2; }
frames 2  1 -2  30000 4  5 -32768
heard '5 -32768 30000 4 1 -2' tee:mid.wav reverse
same in.wav mid.wav 'tee of sound: what passes by'
heard '1 -2 30000 4 5 -32768' gain:-80 tee:dark.wav gain:80
is 'tee of sound rounds its own copy alone' "$(sounds dark.wav)" '0 0 3 0 0 -3'
heard '-2 4 -32768' tee:first.wav channel:2 tee:second.wav
is 'two of them' "$(sounds first.wav) $(sounds second.wav)" '1 -2 30000 4 5 -32768 -2 4 -32768'
gf -i in.wav reverse tee:mid.wav stats -o out.tsv
is 'tee of sound before a table' "$(sounds mid.wav) $(wc -l <out.tsv)" '5 -32768 30000 4 1 -2 4'
sound known.wav 5000 2 7
{ head -c 40 known.wav; printf '\377\377\377\377'; tail -c +45 known.wav; } >open.wav
gf -i known.wav reverse -o back.wav
cat open.wav | gf reverse tee:mid.wav channel:2 -o second.wav
same back.wav mid.wav 'tee of a pipe that does not tell its length'
gf -i back.wav channel:2 -o out.wav
same out.wav second.wav 'and what follows'
refuses 2 'output already' 'a tee of sound is not the output' gf -i in.wav tee:same.wav -o same.wav
refuses 2 'would both be written to one.wav' 'a tee of a batch of sound needs a pattern' gf -i in.wav -i known.wav tee:one.wav -o '{stem}-x.wav'
refuses 2 'all of a pipe' 'tee of a live pipe' sh -c 'cat open.wav | "$GPUFILTER" --latency 10 tee:live.wav -o /dev/null'
refuses 2 'all of a pipe' 'of any' sh -c 'cat in.wav | "$GPUFILTER" --latency 10 tee:live.wav -o /dev/null'
works 'but a file may have one' gf --latency 10 -i in.wav tee:live.wav gain:-6 -o out.wav
same in.wav live.wav 'as it passed'
frames 1

gray 4 1  10 10 20 40
picture '128 128 191 255' clahe:1,clip=0     # 2/4, 3/4 and all of 255
picture '255 191 160 255' clahe:2,clip=0     # tiles of two; between them 3/4 of 255, then 1/4 of 255 and 3/4 of 128
gray 4 1  10 10 10 40
picture '128 128 128 191' clahe:1,clip=1     # what is more than one goes to bins 0 and 128

frames 1  16384 -16384 0 8192
gf -i in.wav stats -o out.tsv 2>errors
is 'stats: least, greatest, mean' "$(${AWK:-awk} '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { print $at["min"], $at["max"], $at["mean"] }' out.tsv)$(cat errors)" '-0.5 0.5 0.0625'
# row NAME FIELD...: of the statistics of in.wav.
row()
{
    name=$1
    shift
    gf -i in.wav stats -o out.tsv 2>errors
    ${AWK:-awk} -F '\t' -v name="$name" -v fields="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(fields, field, " ") }
        $1 == name { for (i = 1; i <= count; i++) printf "%s%s", (i > 1 ? " " : ""), $at[field[i]] }' out.tsv
    cat errors
}
frames 2  16384 32767  -16384 -32768  16384 32766  -16384 32767
is 'stats: crest, RMS in dB' "$(row 1 crest rms_db peak_db)" '1 -6.02059991 -6.02059991'
is 'stats: clipped, by channel' "$(row 1 clipped) $(row 2 clipped) $(row all clipped)" '0 3 3'
is 'stats: of both' "$(row all min max)" '-1 0.999969482'
gf -i in.wav stats -o out.json
is 'as JSON' "$(tr ',{' '\n\n' <out.json | grep -c '"name"') $(grep -c '"all":{"min":-1,' out.json)" '2 1'
frames 1  0 0 0
is 'stats: silence' "$(row 1 rms peak_db lufs clipped)" '0 -inf -inf 0'

frames 1  100 -50 25
heard '32767 -16384 8192' normalize          # 100/32768 to 1, which ends at 32767
heard '16384 -8192 4096' normalize:-6.0206
heard '16384 -8192 4096' normalize:-6.0206dB
heard '100 -50 25' normalize normalize:-50.309   # 20 log10(100/32768)
frames 2  8192 100  -16384 0
heard '16384 200 -32768 0' normalize         # one gain, of the loudest
heard '4096 50 -8192 0' normalize:-12.0412
frames 1  3000 -3000 3000 -3000
heard '3277 -3277 3277 -3277' normalize:rms=-20      # 3276.8
heard '3000 -3000 3000 -3000' gain:-300 normalize:rms=-20.7665
frames 1  0 0 0
heard '0 0 0' normalize
heard '0 0 0' normalize:rms=-20

frames 1  0 0 100 200
heard '-32768 -32768 0 32767' equalize       # (3 - 2)·65535/2 = 32767.5 goes to the even bin 32768, which is 0
frames 2  7 -32768  7 -32767  7 32766  7 32767
heard '7 -32768 7 -10923 7 10922 7 32767' equalize   # a level alone stays; of three steps each 21845 bins
frames 1  -32768 -32767 -1 0 1 32766 32767 32767
gf -i in.wav histogram -o out.tsv 2>errors
is 'histogram: each level of 16 bits has a bin' "$(${AWK:-awk} 'NR > 1 && $2 > 0 { printf "%s:%s ", $1, $2 }' out.tsv; wc -l <out.tsv)$(cat errors)" \
    '0:1 1:1 32767:1 32768:1 32769:1 65534:1 65535:2 65537'
gf -i in.wav gain:6.0206 histogram:4 -o out.json 2>errors
is 'histogram: four parts of -1 to 1' "$(cat out.json errors)" \
    '{"bins":4,"range":[-1,1],"samples":8,"channels":[{"name":"1","counts":[2,1,2,3]}]}'
# Floats that are no numbers count as silence where samples are mixed or looked up: on both sides of what goes by blocks.
floats() { gf -f raw:rate=8000,channels=1,type=f32 -i odd.f32 "$@" -t raw:type=s16 2>&1 | numbers d2; }
h='\000\000\000\077'                        # 0.5
for odd in '\000\000\300\177' '\000\000\200\177' '\000\000\200\377'; do      # nan inf -inf
    printf "$h$h$odd$h" >odd.f32
    is 'few taps' "$(floats 'fir:[.5 .25]')" '8192 12288 4096 8192'
    is 'many taps' "$(floats "fir:[.5 .25$(printf " 0%.0s" $(seq 98))]")" '8192 12288 4096 8192'
    is 'a room' "$(floats "reverb:[1 .5],wet=.5,norm=none,tail=cut")" '16384 20480 4096 16384'
    is 'lowpass' "$(floats lowpass:1k,taps=1)" '16384 16384 0 16384'
    is 'limit' "$(floats limit:0)" '16384 16384 0 16384'
    is 'equalize' "$(floats equalize)" '32767 32767 -32768 32767'
done

finish
