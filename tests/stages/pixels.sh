# Known answers for images, worked out by hand from the manual: stages that change or move single
# pixels.
. "$(dirname "$0")/lib_answers.sh"

gray 4 2   0 1 128 255  10 20 30 40
picture '255 254 127 0 245 235 225 215' invert
picture '10 20 30 40 0 1 128 255' flip
picture '40 30 20 10 255 128 1 0' rotate:180
picture '10 0 20 1 30 128 40 255' rotate:90
picture '255 40 128 30 1 20 0 10' rotate:-90
picture '255 40 128 30 1 20 0 10' rotate:630
picture '128 255 30 40' crop:2x2+2+0
picture '1 128 20 30' crop:2x2,at=center
picture '20 30' crop:2x1+1+0,at=bottom-right
picture '20' crop:1x1+2+0,at=southeast
picture '255' crop:1x1,at=top-right
# the middle of an odd size is rounded down
picture '0 1 51 10 20 51 51 51 51' crop:2x2+0+0 pad:size=3x3,at=center,bg=#333
picture '51 51 0 1 51 51 10 20' crop:2x2+0+0 pad:size=4x2,at=right,bg=#333
picture '0 1 51 10 20 51' crop:2x2+0+0 pad:size=3,bg=#333
picture '51 51 0 1 10 20' crop:2x2+0+0 pad:size=x3,at=bottom,bg=#333
picture '51 51 51 51 51 0 1 51 51 10 20 51 51 51 51 51' crop:2x2+0+0 pad:size=200%,at=center,bg=#333
picture '0 1 10 20' crop:2x2+0+0 pad:size=2x2
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
picture '0 51 102 153 153' brightness:0.4 clamp brightness:-0.4      # 1.2 and 1.4 became 1
picture '0 51 102 204 255' clamp                                     # there are no values beyond the range
picture '51 51 102 153 153' clamp:20%,0.6
picture '102 102 102 204 255' clamp:0.4
picture '0 51 51 51 51' clamp:high=0.2
picture '102 102 102 102 102' clamp:0.4,0.4
refuses 2 'low=0.6 is above high=0.4' 'clamp with ends in the wrong order' gf -i in.pgm clamp:0.6,0.4 -o out.pgm
refuses 2 'above high' 'clamp with a low end above the default high end' gf -i in.pgm clamp:1.5 -o out.pgm
picture '0 0 128 255 255' posterize:3        # 2·.4 is nearest to 1, half of 255 rounds to even
picture '0 0 0 255 255' posterize:2
picture '0 0 255 255 255' threshold:0.4
picture '0 0 0 255 255' threshold:41%
gray 8 1  0 0 0 0 0 0 60 255
picture '0 0 0 0 0 0 0 255' threshold:otsu   # 6·2·157.5² is less than 7·1·(255 - 60/7)²
gray 6 1  10 10 10 90 100 200
picture '0 0 0 255 255 255' threshold:otsu   # 3·3·120² is more than 4·2·120² and 5·1·156²
gray 2 1  77 77
picture '0 0' threshold:otsu
gf -i in.pgm threshold:otsu -o out.pgm 2>said
is 'no note about threshold:otsu of a gray image' "$(cat said)" ''
gf --strict -i "$GPUFILTER_SAMPLES/photo.ppm" threshold:otsu -o out.ppm 2>said
is 'threshold:otsu of a color image is noted' "$(sed 's/.*photo.ppm: //' said)" \
    'threshold:otsu treats each of 3 channels separately; for black and white, put gray before it'
gray 2 1  100 200
picture '100 0 50 200 0 100' 'matrix:[1; 0; .5]'
picture '100 200' saturate:3
picture '100 200' channel:g
picture '255 255' channel:a
picture '100 200' hue:70
picture '135 120 94 255 241 187' sepia       # the result of a gray image is in color
picture '55 110 165 110 220 255' tint:#336699
is 'tint of gray keeps alpha' \
    "$(gf -i in.pgm alpha:on 'matrix:[1 0; 0 .2]' tint:#336699 -t pam | tail -c 8 | numbers u1)" \
    '55 110 165 51 110 220 255 51'

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
is 'integral starts each image from the beginning' "$(cat differs)$(tail -c 4 one.pgm | numbers u1)" '1 3 4 10'
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
refuses 2 'black has no hue; choose another color' 'tint:black is refused' gf -i in.ppm tint:black -o none.ppm
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
picture '244 224 214 206 208 210' alpha:on 'matrix:[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 .2]' \
    alpha:off,bg=white   # .2 c + .8
picture '200 100 50 10 20 30' alpha:on alpha:off,bg=white
picture '200 100 50 10 20 30' alpha:off,bg=white
rm in.ppm
printf 'PF\n1 1\n-1.0\n\001\002\300\177\001\377\177\200\000\000\200\377' >odd.pfm
for letter in r g b; do
    gf -i odd.pfm channel:$letter -o $letter.pfm
    tail -c 4 $letter.pfm
done >odd.floats
is 'channel moves NaN' "$(numbers x1 <odd.floats)" '01 02 c0 7f 01 ff 7f 80 00 00 80 ff'
gf -i odd.pfm pad:1,2,3,4,#f00 flop transpose crop:1x1+2+3 -o moved.pfm
same odd.pfm moved.pfm 'pad, flop, transpose and crop move NaN'
rgb 1 1  1 2 3
picture '0 128 0 1 2 3 0 128 0' pad:1,0,1,0,green
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcdefgh' >deep.pam
gf -i deep.pam pad:1,0,0,0,#ff008040 pad:0,0,1,0 -o out.pam
is 'pad adds alpha' "$(tail -c 24 out.pam | numbers x1)" \
    'ff ff 00 00 80 80 40 40 61 62 63 64 65 66 67 68 00 00 00 00 00 00 00 00'
rm in.ppm

rgb 4 1  255 0 0  0 255 0  0 0 255  255 255 255
picture '76 150 29 255' gray                 # .299 .587 .114 of 255
picture '54 182 18 255' gray:rec709          # .2126 .7152 .0722
picture '127 220 76 255' gray:rec709,light=linear   # .2126 .7152 .0722, each to the curve of sRGB
picture '85 85 85 255' gray:average
picture '255 255 255 255' gray:max
picture '128 128 128 255' gray:lightness     # 127.5 rounds to even
rgb 4 1  200 0 0  0 200 0  0 0 200  200 200 200
picture '60 120 20 200' gray:simple          # .3 .6 .1
rm in.ppm

# vignette: 3/2 and 1/2 of a pixel from the center of four pixels, distances are .53033 and .17678,
# or .72761 and .24254 in circles.
gray 4 1  200 200 200 200
picture '91 183 183 91' vignette:1,0                   # 1 - d²·(3 - 2d): .45456 .91730
picture '36 170 170 36' vignette:1,0,roundness=1       # .18217 .85206
picture '198 200 200 198' vignette:1,0.5               # t = .06066
picture '188 200 200 188' vignette                     # t = .21722, and half of its effect
picture '183 91 7 0' vignette:1,0,x=0                  # 5/2 pixels are .88388, and 7/2 are more than 1
picture '255 217 217 255' vignette:-1,0
picture '140 192 192 140' vignette:1,0,light=linear    # .57758 of the light, times the same
picture '200 200 200 200' vignette:0
gray 3 3  200 200 200  200 200 200  200 200 200
picture '52 109 52 109 200 109 52 109 52' vignette:1,0 # 7/27 in corners, which are 2/3 of the way out
picture '52 109 52 109 200 109 52 109 52' vignette:1,0,roundness=1

finish
