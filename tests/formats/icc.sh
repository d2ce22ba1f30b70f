# Embedded profiles: kept, or converted to sRGB. Results are compared with the definition of sRGB,
# and with Pillow and vips if installed. Damaged profiles.
. "$(dirname "$0")/lib_tiff.sh"

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'

be16() { printf "\\$(printf %03o $(($1 / 256 % 256)))\\$(printf %03o $(($1 % 256)))"; }
be32() { be16 $(($1 / 65536)); be16 $(($1 % 65536)); }
zeros() { head -c "$1" /dev/zero; }
# header SIZE CLASS COLOURS PCS: writes the first 128 bytes of a profile.
header()
{
    be32 "$1"; zeros 4; be32 37748736; printf '%s%s%s' "$2" "$3" "$4"
    be16 2020; be16 1; be16 1; zeros 6; printf acsp; zeros 28; be32 63190; be32 65536; be32 54061; zeros 48
}
xyz() { printf 'XYZ \0\0\0\0'; be32 "$1"; be32 "$2"; be32 "$3"; }
# curve GAMMA: writes a gamma curve of 16 bytes; GAMMA is in units of 1/256.
curve() { printf 'curv\0\0\0\0\0\0\0\1'; be16 "$1"; zeros 2; }
# The primaries of sRGB in XYZ, in units of 1/65536.
red='28578 14581 912' green='25241 46981 6362' blue='9376 3972 46799'
# rgb_profile GAMMA RED GREEN BLUE: writes a profile for RGB.
rgb_profile()
{
    header 312 mntr 'RGB ' 'XYZ '; be32 7
    at=216
    for tag in wtpt rXYZ gXYZ bXYZ; do printf $tag; be32 $at; be32 20; at=$((at + 20)); done
    for tag in rTRC gTRC bTRC; do printf $tag; be32 296; be32 16; done
    xyz 63190 65536 54061
    xyz $2; xyz $3; xyz $4
    curve "$1"
}
gray_profile()
{
    header 192 mntr GRAY 'XYZ '
    be32 2
    printf wtpt
    be32 156
    be32 20
    printf kTRC
    be32 176
    be32 16
    xyz 63190 65536 54061
    curve "$1"
}
# Writes a CMYK profile in which all inks are gray: lightness is (1 - (c + m + y) / 3) (1 - k), also
# between the corners of the table.
cmyk_profile()
{
    header 2032 prtr CMYK 'Lab '; be32 1; printf A2B0; be32 144; be32 1888
    printf 'mft1\0\0\0\0\4\3\2\0'
    for m in 1 0 0 0 1 0 0 0 1; do be32 $((m * 65536)); done
    ${AWK:-awk} 'BEGIN {
        for (t = 0; t < 4; t++) for (i = 0; i < 256; i++) printf "\\%03o", i
        for (c = 0; c < 2; c++) for (m = 0; m < 2; m++) for (y = 0; y < 2; y++) for (k = 0; k < 2; k++)
            printf "\\%03o\\200\\200", int(255 * (1 - k) * (3 - c - m - y) / 3 + .5)
        for (t = 0; t < 3; t++) for (i = 0; i < 256; i++) printf "\\%03o", i
    }' >octal
    printf "$(cat octal)"
}
# attach PROFILE JPEG: writes the JPEG with the profile.
attach()
{
    printf '\377\330\377\342'
    be16 $(($(wc -c <"$1") + 16))
    printf 'ICC_PROFILE\0\1\1'
    cat "$1"
    tail -c +3 "$2"
}
# samples FILE: prints the samples of an image, one per line.
samples() { gf -q -i "$1" $2 -t raw -o samples.raw && od -An -v -w1 -tu1 samples.raw; }
wide() { gf -q -i "$1" $2 -t raw -o samples.raw && od -An -v -w2 -tu2 samples.raw; }
# furthest WAY MOST: reads pairs of samples and prints the largest difference of the second from the
# curve WAY of the first.
furthest()
{
    ${AWK:-awk} -v most="$2" 'function srgb(v) { return v <= .0031308 ? 12.92 * v : 1.055 * v ^ (1 / 2.4) - .055 }
        { v = $1 / most; w = ('"$1"') * most; d = w - $2; d = d < 0 ? -d : d; worst = d > worst ? d : worst; n++ }
        END { printf "%s", n == 0 ? "nothing" : worst <= 1 ? "near" : worst }'
}

rgb_profile 256 "$red" "$green" "$blue" >linear.icc             # light itself, in sRGB's colours
rgb_profile 256 "$green" "$red" "$blue" >turned.icc
gray_profile 256 >gray.icc
cmyk_profile >cmyk.icc
is 'profiles are as long as they say' "$(wc -c <linear.icc) $(wc -c <gray.icc) $(wc -c <cmyk.icc)" '312 192 2032'
image c8.ppm 83 61 3 255 1
image g8.pgm 83 61 1 255 2
gf -i c8.ppm --quality 95 -o plain.jpg
gf -i g8.pgm --quality 95 -o gray.jpg
attach linear.icc plain.jpg >c.jpg
attach turned.icc plain.jpg >t.jpg
attach gray.icc gray.jpg >g.jpg
attach linear.icc gray.jpg >gc.jpg
works 'a profile is kept by default' gf -q -i c.jpg -o kept.ppm
gf -i plain.jpg -o plain.ppm
same kept.ppm plain.ppm 'a profile that is kept changes no sample'
works 'a profile is kept with --icc keep' gf -q -i c.jpg --icc keep -o kept.ppm
same kept.ppm plain.ppm '--icc keep is the default'
for order in '--strip --icc keep' '--icc keep --strip'; do
    is "$order keeps the profile" "$(gf -i c.jpg $order -o a.png 2>&1; grep -ac iCCP a.png)" 1
done
gf -i c.jpg --strip -o a.png
is '--strip alone drops the profile' "$(grep -ac iCCP a.png)" 0
gf -i c.jpg --strip --icc keep crop:8x8+0+0 tile:4x4 -o 'tile-{x}-{y}.png'
is 'tiles keep the profile alone, too' "$(grep -alc iCCP tile-*.png | grep -c .)" "$(ls tile-*.png | wc -l | tr -d ' ')"
refuses 2 "must be keep or convert, not 'srgb'" '--icc with an unknown word' gf -i c.jpg --icc srgb -o x.ppm

if ! gf --version | grep -q '^images:.*lcms2'; then
    refuses 1 'without lcms2' '--icc convert without lcms2' gf -i c.jpg --icc convert -o x.ppm
    finish
fi

# ---- values from the definition of sRGB

works '--icc convert of an RGB profile' gf -i c.jpg --icc convert -o found.ppm
samples plain.jpg >before
samples found.ppm >after
is 'light becomes sRGB' "$(paste before after | furthest 'srgb(v)' 255)" near
works 'red and green changed places' gf -i t.jpg --icc convert matrix:'[0 1 0; 1 0 0; 0 0 1]' -o found.ppm
samples found.ppm >after
is 'red and green change places back' "$(paste before after | furthest 'srgb(v)' 255)" near
works '--icc convert without a profile' gf -i plain.jpg --icc convert -o found.ppm
same found.ppm plain.ppm '--icc convert without a profile changes nothing'
works '--icc convert of a gray profile' gf -i g.jpg --icc convert -o found.pgm
samples gray.jpg >gray-before
samples found.pgm >after
is 'gray with a gray profile stays gray, as sRGB has it' "$(paste gray-before after | furthest 'srgb(v)' 255)" near
works 'gray with a profile of colours' gf -i gc.jpg --icc convert -o found.pgm
samples found.pgm >after
is 'gray with a profile of colors becomes sRGB' "$(paste gray-before after | furthest 'srgb(v)' 255)" near

# srgb_curve: writes the curve of sRGB with 2.4, 1/1.055, .055/1.055, 1/12.92, .04045.
srgb_curve()
{
    printf 'para\0\0\0\0\0\3\0\0'
    be32 157286
    be32 62119
    be32 3417
    be32 5072
    be32 2651
}
{
    header 328 mntr 'RGB ' 'XYZ '; be32 7
    at=216
    for tag in wtpt rXYZ gXYZ bXYZ; do printf $tag; be32 $at; be32 20; at=$((at + 20)); done
    for tag in rTRC gTRC bTRC; do printf $tag; be32 296; be32 32; done
    xyz 63190 65536 54061; xyz $red; xyz $green; xyz $blue; srgb_curve
} >srgb.icc
attach srgb.icc plain.jpg >s.jpg
# tells WHAT LINE COMMAND...: expects exactly LINE on standard error.
tells() { what=$1 line=$2; shift 2; "$@" 2>errors; is "$what" "$(cat errors)" "$line"; }
# A lost profile is reported once.
lost='its color profile is lost, because qoi cannot store one; --icc convert converts the colors to sRGB'
tells 'a format without a place for it' "gpufilter: warning: c.jpg: $lost" gf -i c.jpg -o a.qoi
tells 'a profile on a pipe into a format without a place for it' \
    "gpufilter: warning: c.jpg: $(echo "$lost" | sed s/qoi/bmp/)" sh -c '"$0" -i c.jpg -t bmp | cat >a.bmp' "$GPUFILTER"
tells 'a gray profile in a format without a place for it' \
    "gpufilter: warning: g.jpg: $(echo "$lost" | sed s/qoi/pgm/)" gf -i g.jpg -o a.pgm
mkdir many
is 'a lost profile of several files is one warning with their number' \
    "$(gf -j 1 -i c.jpg -i t.jpg --to qoi -o many/ 2>&1)" "gpufilter: warning: c.jpg and 1 other file: $lost"
for words in '-q -o a.qoi' '--strip -o a.qoi' '--icc convert -o a.qoi' '-o a.png' 'gray --icc convert -o a.pgm' \
    'histogram -o a.tsv'; do
    tells "nothing with $words" '' gf -i c.jpg $words
done
tells 'gray of colours, in a format without a place' "gpufilter: warning: c.jpg: $(echo "$lost" | sed s/qoi/pgm/)" \
    gf -i c.jpg gray -o a.pgm
convert='; --icc convert converts the colors to sRGB'
for stage in gray channel:green; do
    tells "gray of colors, in a format with a place: $stage" \
        "gpufilter: warning: c.jpg: its color profile is lost, because it is for RGB and the result is gray$convert" \
        gf -i c.jpg $stage -o a.png
done
tells 'gray of sRGB' '' gf -i s.jpg gray -o a.png
{
    header 328 mntr 'RGB ' 'XYZ '; be32 7
    at=216
    for tag in wtpt rXYZ gXYZ bXYZ; do printf $tag; be32 $at; be32 20; at=$((at + 20)); done
    for tag in rTRC gTRC bTRC; do printf $tag; be32 296; be32 32; done
    # Display P3, from D50
    xyz 63190 65536 54061; xyz 33759 15807 4294967227; xyz 19135 45367 2745; xyz 10296 4363 51385; srgb_curve
} >p3.icc
attach p3.icc plain.jpg >p3.jpg
tells 'gray of colours with the curve of sRGB' '' gf -i p3.jpg gray -o a.png
tells 'colors other than those of sRGB are lost' "gpufilter: warning: p3.jpg: $lost" gf -i p3.jpg -o a.qoi
if gf --version | grep -q '^images:.*libwebp'; then
    tells 'gray that becomes RGB' \
        "gpufilter: warning: g.jpg: its color profile is lost, because it is for gray and the result is RGB$convert" \
        gf \
        -i g.jpg -o a.webp
fi
attach cmyk.icc plain.jpg >k.jpg
tells 'a CMYK profile for RGB samples' \
    "gpufilter: warning: k.jpg: its color profile is not used, because it is for CMYK and the samples are "\
"read as "\
"RGB$convert" gf -i k.jpg -o a.png
head -c 100 linear.icc >part.icc
attach part.icc plain.jpg >part.jpg
tells 'a part of one' 'gpufilter: warning: part.jpg: its color profile is damaged and is dropped; the samples are '\
'taken as sRGB' gf -i part.jpg -o a.png
tells 'nothing of one that is sRGB itself' '' gf -i s.jpg -o a.qoi
tells 'no message if there is no profile' '' gf -i plain.jpg -o a.qoi
other='; --icc convert converts both to sRGB'
tells 'a second picture with another' "gpufilter: warning: t.jpg: its color profile differs from that of c.jpg$other" \
    gf -i c.jpg blend:t.jpg,normal -o a.png
tells 'a second image without a profile' \
    "gpufilter: warning: plain.jpg: its color profile differs from that of c.jpg$other" gf -i c.jpg \
    over:plain.jpg -o a.png
tells 'an image without a profile, and a second image with one' \
    "gpufilter: warning: c.jpg: its color profile differs from that of plain.jpg$other" \
    gf -i plain.jpg compare:c.jpg -o a.tsv
tells 'a second image with the same profile' '' gf -i c.jpg over:c.jpg -o a.png
tells 'a second image with sRGB, and an image without a profile' '' gf -i plain.jpg over:s.jpg -o a.png
tells 'a second image after both are converted' '' gf -i c.jpg --icc convert over:t.jpg -o a.png
gf -i c.jpg -i c.jpg over:c.jpg -o 'many/{n}.png' 2>errors
is 'a second image with the same profile as several inputs' "$(cat errors)" ''
is '--explain names it' "$(gf --explain -i c.jpg -o a.png | sed -n '/^input/p')" \
    'input:  83x61 rgb u8, JPEG, with a color profile'
is '--explain says that a profile is converted' "$(gf --explain -i c.jpg --icc convert -o a.png | sed -n '/^input/p')" \
    'input:  83x61 rgb u8, JPEG, with a color profile, converted to sRGB'
is '--explain says that a profile is sRGB' "$(gf --explain -i s.jpg -o a.png | sed -n '/^input/p')" \
    'input:  83x61 rgb u8, JPEG, with a color profile, sRGB'
is '--explain says nothing of a missing profile' \
    "$(gf --explain -i plain.jpg -o a.png | sed -n '/^input/p')" 'input:  83x61 rgb u8, JPEG'
rm -r many a.*

# Formats that store profiles: 16 bits, floats, alpha.
for ending in png tiff; do
    [ $ending = png ] || gf --version | grep -q '^images:.*libtiff' || continue
    gf -i c.jpg --depth 16 gamma:1.3 -o c16.$ending
    works "$ending of 16 bits" gf -i c16.$ending --icc convert -o found.ppm
    wide c16.$ending >before16
    wide found.ppm >after
    is "$ending of 16 bits: as sRGB" "$(paste before16 after | furthest 'srgb(v)' 65535 \
        | awk '{ print $1 == "near" || $1 < 66 ? "near" : $1 }')" near
    gf -i c.jpg alpha:on rotate:15 -o a.$ending
    samples a.$ending | awk 'NR % 4 != 0' >before-c
    works "$ending with alpha" gf -i a.$ending --icc convert -o a.pam
    samples a.$ending | awk 'NR % 4 == 0' | cksum >before-a
    samples a.pam | awk 'NR % 4 == 0' | cksum >after-a
    same after-a before-a "$ending: alpha stays"
    samples a.pam | awk 'NR % 4 != 0' >after
    is "$ending: colours beside it" "$(paste before-c after | furthest 'srgb(v)' 255)" near
done
gf -i g.jpg --depth 16 gamma:1.3 -o g16.png
works 'gray of 16 bits' gf -i g16.png --icc convert -o found.pgm
wide g16.png >before16
wide found.pgm >after
is 'gray of 16 bits: as sRGB' "$(paste before16 after | furthest 'srgb(v)' 65535 \
    | awk '{ print $1 == "near" || $1 < 66 ? "near" : $1 }')" near
if gf --version | grep -q '^images:.*libtiff'; then
    gf -i c.jpg --depth f32 -o cf.tiff
    works '--icc convert of floats' gf -i cf.tiff --icc convert --depth 8 -o found.ppm
    samples found.ppm >after
    is 'floats: as sRGB' "$(paste before after | furthest 'srgb(v)' 255)" near
    # A third of white: 1365 of 4095 is 21845 of 65535.
    gray=$(od -An -v -to1 gray.icc | tr -d '\n' | sed 's/ /\\0/g')
    size='256,3,1,2 257,3,1,1' after="262,3,1,1 273,4,1,@$(wc -c <gray.icc | tr -d ' ') 277,3,1,1 278,3,1,1"
    page "$gray"'\0125\0125\0125' $size 258,3,1,12 $after 279,4,1,3 "34675,7,$(wc -c <gray.icc | tr -d ' '),@" >12.tif
    page "$gray"'\0125\0125\0125\0125' $size 258,3,1,16 $after 279,4,1,4 "34675,7,$(wc -c <gray.icc \
        | tr -d ' '),@" >16.tif
    works '--icc convert of 12 bits' gf -i 12.tif --icc convert -o 12.pgm
    gf -i 16.tif --icc convert -o 16.pgm
    same 12.pgm 16.pgm '--icc convert of 12 bits gives the samples of 16 bits'
    is '--icc convert of 16 bits changes samples' "$(tail -c 4 16.pgm | od -An -tx1 | grep -c '55 55')" 0
fi
gf -i g.jpg threshold:0.5 --depth 1 -o bits.png
works '--icc convert of a PNG of 1 bit' gf -i bits.png --icc convert -o found.png
gf -q -i bits.png --depth 8 -t raw -o wanted.raw
gf -i found.png --depth 8 -t raw -o found.raw
same found.raw wanted.raw 'black and white stay'

# The output has no profile, and segment sizes have no effect.
works '--icc convert to PNG' gf -i c.jpg --icc convert -o found.png
is '--icc convert to PNG leaves out the profile' "$(grep -ac iCCP found.png)" 0
gf -i c.jpg -o kept.png
is 'a PNG without --icc convert keeps the profile' "$(grep -ac iCCP kept.png)" 1
gf -i kept.png --icc convert blur:2 -o wanted.ppm
for options in '--segment 1K --lanes 3' '-j 1' '--segment 200'; do
    works "a conversion in other segments: $options" gf -i kept.png --icc convert blur:2 $options -o found.ppm
    same found.ppm wanted.ppm "a conversion in other segments is the same: $options"
done
cat c.jpg g.jpg plain.jpg kept.png >row.jpg
works 'several in a row' gf -i row.jpg --icc convert -t pnm -o row.pnm
for file in c.jpg g.jpg plain.jpg kept.png; do gf -i $file --icc convert -t pnm; done >wanted.pnm
same row.pnm wanted.pnm 'several images after each other are converted by their own profiles'
works 'several images on a pipe' sh -c '"$0" --icc convert -t pnm <row.jpg >row.pnm' "$GPUFILTER"
same row.pnm wanted.pnm 'several images on a pipe are converted by their own profiles'

# ---- CMYK: a JPEG of 4 components that another program wrote
if have_convert; then
    # L* 100, 0, 49.8, 0, 66.7
    for pair in '0,0,0,0:255' '0,0,0,255:0' '0,0,0,128:119' '255,255,255,0:0' '255,0,0,0:162'; do
        convert -size 16x16 "xc:cmyk(${pair%:*})" -quality 100 k.jpg 2>/dev/null
        attach cmyk.icc k.jpg >ck.jpg
        works "--icc convert of inks ${pair%:*}" gf -i ck.jpg --icc convert -o found.ppm
        is "inks ${pair%:*}: as much light" "$(samples found.ppm \
            | awk -v w="${pair#*:}" '$1 < w - 1 || $1 > w + 1 { bad = $1 } END { print NR, bad }')" '768 '
        refuses 0 'ck.jpg: its color profile is not used, because it is for CMYK' \
            "a profile of inks is not used without --icc convert: ${pair%:*}" gf -i ck.jpg -o found.ppm
    done
    attach linear.icc k.jpg >bad.jpg
    refuses 1 'bad.jpg: its color profile is for RGB, but its pixels are CMYK' 'inks with a profile of colours' gf \
        -i bad.jpg --icc convert -o x.ppm
else
    skip 'no ImageMagick here'
fi

# ---- errors

attach cmyk.icc plain.jpg >bad.jpg
refuses 1 'bad.jpg: its color profile is for CMYK, but its pixels are RGB' 'a profile of inks' gf -i bad.jpg \
    --icc convert -o x.ppm
attach gray.icc plain.jpg >bad.jpg
refuses 1 'is for gray, but its pixels are RGB' 'a profile of gray' gf -i bad.jpg --icc convert -o x.ppm
echo nonsense >bad.icc
attach bad.icc plain.jpg >bad.jpg
refuses 1 'bad.jpg: its color profile is damaged; --icc keep reads' '--icc convert with data that is no profile' \
    gf -i bad.jpg --icc convert -o x.ppm
refuses 0 'bad.jpg: its color profile is damaged and is dropped' \
    'data that is no profile is dropped without --icc convert' gf -i bad.jpg -o y.ppm
for part in 127 140 200 250 300; do
    head -c $part linear.icc >bad.icc
    attach bad.icc plain.jpg >bad.jpg
    refuses 1 'its color profile is damaged; --icc keep reads' "a profile of $part bytes" gf -i bad.jpg --icc convert \
        -o x.ppm
done
sed 's/mntr/link/' linear.icc >bad.icc
attach bad.icc plain.jpg >bad.jpg
refuses 1 'its color profile is damaged; --icc keep reads' 'a link between profiles' gf -i bad.jpg --icc convert \
    -o x.ppm
sed 's/rXYZ/rXYY/' linear.icc >bad.icc
attach bad.icc plain.jpg >bad.jpg
refuses 1 'its color profile is damaged; --icc keep reads' 'a profile without red' gf -i bad.jpg --icc convert -o x.ppm
is 'nothing came of these' "$(ls x.* 2>/dev/null)" ''

# ---- other programs with the same library

python=${PYTHON:-python3}
if $python -c 'from PIL import ImageCms' 2>/dev/null; then
    rgb_profile 461 "34000 17500 300" "20000 46000 4000" "9190 2036 49761" >odd.icc
    attach odd.icc plain.jpg >o.jpg
    works '--icc convert of odd primaries' gf -i o.jpg --icc convert -o found.ppm
    $python - >errors 2>&1 <<'END' && pass 'odd primaries are converted as Pillow does it, to one step' \
        || { fail 'odd primaries are converted as Pillow does it, to one step'; note <errors; }
from PIL import Image, ImageCms
import sys
before, found = Image.open("plain.ppm"), Image.open("found.ppm")
wanted = ImageCms.profileToProfile(before, "odd.icc", ImageCms.createProfile("sRGB"), renderingIntent=1, flags=0x2000)
worst = max(abs(a - b) for a, b in zip(wanted.tobytes(), found.tobytes()))
changed = sum(a != b for a, b in zip(wanted.tobytes(), before.tobytes()))
print("differs by", worst, "of", changed, "samples that change")
sys.exit(worst > 1 or changed < 1000)
END
else
    skip 'no Pillow here'
fi
if command -v vips >/dev/null; then
    rgb_profile 461 "34000 17500 300" "20000 46000 4000" "9190 2036 49761" >odd.icc
    attach odd.icc plain.jpg >o.jpg
    gf -i o.jpg -o o.png
    gf -i o.png --icc convert -o found.png
    vips icc_transform o.png wanted.png srgb --embedded --intent relative --black-point-compensation 2>errors
    vips subtract found.png wanted.png d.v && vips abs d.v e.v
    is 'odd primaries are converted as vips does it, to one step' \
        "$(vips max e.v | awk '{ print $1 <= 1 ? "near" : $1 }')" near
else
    skip 'no vips here'
fi
finish
