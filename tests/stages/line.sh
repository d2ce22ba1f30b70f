# line: the pixels between two points, against values worked out by hand and bilinear interpolation in awk.
. "$(dirname "$0")/../lib.sh"

printf 'P2\n5 4\n255\n0 10 20 30 40\n50 60 70 80 90\n100 110 120 130 140\n150 160 170 180 190\n' >in.pgm
# on LINE WANTED: compares the gray values on a line.
on()
{
    is "line:$1" "$(gf -i in.pgm "line:$1" -t csv | tail -n +2 | cut -d , -f 3 | tr '\n' ' ')" "$2 "
}
on 0,0,4,0 '0 10 20 30 40'
on 4,3,0,3 '190 180 170 160 150'
on 2,0,2,3 '20 70 120 170'
on 0,0,3,3,samples=4 '0 60 120 180'
on 0,0,3,3 '0 45 90 135 180'
on 0,0,4,2,samples=5 '0 35 70 105 140'
on 0.5,0.5,0.5,0.5 30
on 4,3,4,3 190
on 0,0,1,0,samples=5,filter=nearest '0 0 10 10 10'
on 0,0,4,3,samples=1 0

is 'the size of the result' "$(gf -i in.pgm line:0,0,4,3 -t pgm | head -c 11 | tr '\n' ' ')" 'P5 6 1 255 '
refuses 1 '5,0 is outside the image; columns are 0 to 4 here, and rows 0 to 3' 'a column outside' \
    gf -i in.pgm line:5,0,0,0 -o out.pgm
refuses 1 '0,3.5 is outside' 'a row outside' gf -i in.pgm line:0,0,0,3.5 -o out.pgm
refuses 2 'y2' 'a point without a row' gf -i in.pgm line:0,0,4 -o out.pgm
refuses 2 '0 to 1048575' 'a negative column' gf -i in.pgm line:-1,0,4,3 -o out.pgm

# Transparent pixels have no color.
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\377\310\0' >clear.pam
is 'alpha and color between two pixels' "$(gf -i clear.pam line:0,0,1,0,samples=3 -t csv | sed -n 3p)" '1,0,100,128'
is 'alpha with the nearest pixel' "$(gf -i clear.pam line:0,0,1,0,samples=3,filter=nearest -t csv | sed -n 4p)" \
    '2,0,200,0'

# A long line over an image, against bilinear interpolation.
gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" gray -o photo.pgm
gf -i photo.pgm --depth f32 -t csv >pixels.csv
gf -i photo.pgm line:12.25,7.5,600.75,451 --depth f32 -t csv >line.csv
is 'as many samples as the line is long' "$(tail -n +2 line.csv | wc -l)" 738
awk -F , 'FNR == 1 { next }
    FILENAME == "pixels.csv" { v[$1, $2] = $3; next }
    { x = 12.25 + $1 * 588.5 / 737; y = 7.5 + $1 * 443.5 / 737; i = int(x); j = int(y); a = x - i; b = y - j
      want = (1 - b) * ((1 - a) * v[i, j] + a * v[i + 1, j]) + b * ((1 - a) * v[i, j + 1] + a * v[i + 1, j + 1])
      d = want - $3; d = d < 0 ? -d : d; worst = d > worst ? d : worst; n++ }
    END { print n, worst < 1e-6 ? "near" : worst }' pixels.csv line.csv >out
is 'bilinear interpolation along a long line' "$(cat out)" '738 near'
gf -i photo.pgm line:0,0,639,479,samples=5000 -o one.pgm
gf -i photo.pgm line:0,0,639,479,samples=5000 --segment 1K --lanes 4 -o two.pgm
same one.pgm two.pgm 'the same row, however cut'
gf -i photo.pgm line:0,123,639,123 -o row.pgm
gf -i photo.pgm crop:640x1+0+123 -o crop.pgm
same row.pgm crop.pgm 'a row of the image, exactly'
for size in '640 480' '502 334' '78 411' '11 479'; do
    { printf 'P5\n%s\n255\n' "$size"; head -c $((${size% *} * ${size#* } - 1)) /dev/zero; printf '\377'; } >last.pgm
    is "the last sample on an image of $size is its last pixel, exactly" \
       "$(gf -i last.pgm line:0,0,$((${size% *} - 1)),$((${size#* } - 1)) --depth f32 -t csv | sed -n '$s/.*,//p')" 1
done

finish
