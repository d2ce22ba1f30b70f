# Known answers for rotated and resized images, worked out by hand.
. "$(dirname "$0")/lib_answers.sh"

# Sizes of rotated images: ⌈w·|cos| + h·|sin|⌉.
image big.ppm 480 320 3 255 1
gf -i big.ppm rotate:30 -o out.pnm -t pnm
is 'rotate:30 of 480×320' "$(size_of)" '576 518'
gf -i big.ppm rotate:30,fit=keep -o out.pnm -t pnm
is 'rotate:30,fit=keep of 480×320' "$(size_of)" '480 320'
gf -i big.ppm rotate:45 crop:1x1+0+0 -o out.pnm -t pnm
is 'corners are black' "$(tail -c 3 out.pnm | numbers u1)" '0 0 0'
for word in '30 320 185' '45 226 226' '-90 320 480' '210 320 185'; do    # 319 between the centers of the outer rows
    gf -i big.ppm "rotate:${word%% *},fit=inner" -o out.pnm -t pnm
    is "rotate:${word%% *},fit=inner of 480×320" "$(size_of)" "${word#* }"
done
gray 9 6  $(yes 77 | head -n 54)
for filter in nearest linear cubic; do
    gf -i in.pgm rotate:23,fit=inner,filter=$filter -t tsv | cut -f 3 | sort -u >values
    is "fit=inner has no background, $filter" "$(grep -v '[a-z]' values | tr '\n' ' ')" '77 '
done
refuses 2 'the result of fit=inner has no background; remove bg=' 'no background for fit=inner' gf -i in.pgm \
    rotate:23,fit=inner,bg=red -o out.pgm
for word in '16:9 480 270' '1:1 320 320' '9:16 180 320' '2.35:1 480 204' '3:2 480 320' '1:1000 1 320' '1000:1 480 1'; do
    gf -i big.ppm "crop:${word%% *}" -o out.pnm -t pnm
    is "crop:${word%% *} of 480×320" "$(size_of)" "${word#* }"
done
gray 5 1  10 20 30 40 50
picture '30' crop:1:1                                # the center, unless at= says otherwise
picture '10' crop:1:1,at=left
picture '50' crop:1:1,at=right
for word in 16: :9 0:1 1:0 1:2:3 16:9+1+1 -1:1; do
    refuses 2 "area=$word" "a ratio that is none, $word" gf -i in.pgm "crop:$word" -o out.pgm
done
image clear.pam 40 40 4 255 1
gf -i clear.pam rotate:45 crop:1x1+0+0 -o out.pam
is 'corners are transparent in an image with alpha' "$(tail -c 4 out.pam | numbers u1)" '0 0 0 0'

# Centers stay centers: a dot in the middle of an odd square.
gray 3 3  0 0 0  0 200 0  0 0 0
gf -i in.pgm rotate:33,fit=keep -o out.pnm -t pnm
is 'the middle stays' "$(tail -c 5 out.pnm | numbers u1 | cut -d ' ' -f 1)" 200

# The center of a pixel is half a pixel from its edge: if two pixels become four, the second is a
# quarter from the first.
gray 2 1  0 200
picture '0 50 150 200' resize:4x1,filter=linear
picture '0 0 200 200' resize:4x1,filter=nearest
picture '0 0 100 200 200' resize:5x1,filter=area     # the third one covers half of each pixel
gray 4 1  12 24 36 48
picture '18 42' resize:2x1,filter=area
picture '15 30 45' resize:3x1,filter=area    # (3·12 + 24)/4, then halves, then (36 + 3·48)/4
picture '24 48' resize:2x1,filter=nearest    # the second one is halfway between two, and the later one counts
gray 4 1  0 70 140 70
picture '50 100' resize:2x1,filter=linear    # weights 3 3 1 and 1 3 3, of 7: samples beyond the edge do not count
gray 4 1  0 0 128 0
# weights .2266 .8672; divided by 1.0234, or by 1.0703 if a tap is missing
picture '0 0 0 29 111 108 27 0' resize:8x1,filter=cubic
gray 7 1  0 0 0 100 0 0 0
picture '0 0 1 3 0 0 0 0 38 81 100 81 38 0 0 0 0 3 1 0 0' resize:21x1 \
    # sinc(d)·sinc(d/3): .8103 and .3807, of .9956
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
for word in '240 240×160' 'x100 150×100' '50% 240×160' '33% 158×106' '7 7×5' '1 1×1' '0.01% 1×1' '481x1 481×1' \
    '240x240,fit=inside 240×160' \
    '90x10,fit=inside 15×10' '90x10,fit=outside 90×60' '240x240,fit=outside 360×240' '960x960,fit=inside 960×640' \
    '960x960,fit=inside,only=shrink 480×320' \
    '960x100,only=shrink 480×100' '960x100,only=enlarge 960×320' '50%,only=enlarge 480×320' \
    '960,only=shrink 480×320' \
    '100,fit=inside 100×67'; do
    gf -i big.ppm "resize:${word% *}" -o out.pnm -t pnm 2>errors
    is "resize:${word% *} of 480×320" "$(size_of | tr ' ' x)$(cat errors)" "$(echo "${word#* }" | sed 's/×/x/')"
done
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\310\376\037\000' >veil.pam
gf -i veil.pam resize:1,filter=area -o out.pam
is 'a transparent pixel adds no color' "$(tail -c 2 out.pam | numbers u1)" '200 127'
gf -i veil.pam resize:4x1,filter=nearest -o out.pam
is 'a copied one keeps its own' "$(tail -c 8 out.pam | numbers u1)" '200 254 200 254 31 0 31 0'

image big.pgm 37 29 1 255 1
refuses 1 'pad: .* to 3.*e+29x.* is too large; sides must be 1 to 16777216 pixels' 'a pad beyond all pictures' gf \
    -i big.pgm pad:size=1e30% -o out.pgm
refuses 1 'sides must be 1 to 16777216 pixels' 'a pad of too many rows' timeout 5 "$GPUFILTER" -i big.pgm \
    pad:size=x100000000000000 -o out.pgm
refuses 1 'to 3.*e+299x.* is too large; sides must be' 'a resize that is too large has the same message as a pad' \
    gf -i big.pgm resize:1e300% -o out.pgm
# Rows that are just shorter or longer than vectors: columns of a mirrored image are rows of one that is turned upside
# down, between two runs that transpose it.
for width in 1 2 63 64 65 66 127 128 129 193 600; do
    for channels in 1 3; do
        image in.pnm $width 5 $channels 255 $width
        gf -q --device cpu -i in.pnm transpose -o columns.pnm
        gf -q --device cpu -i columns.pnm flip -o turned.pnm
        gf -q --device cpu -i turned.pnm transpose -o wanted.pnm
        gf -q --device cpu -i in.pnm flop -o out.pnm
        same wanted.pnm out.pnm "flop: $width pixels of $channels channels"
        gf -q --device cpu -i in.pnm rotate:180 -o upside.pnm
        gf -q --device cpu -i upside.pnm flip -o out.pnm
        same wanted.pnm out.pnm "rotate:180: $width pixels of $channels channels"
    done
done
finish
