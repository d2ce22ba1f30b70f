# JPEG: a crop decodes only a part, and resize with draft a smaller image.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'
[ -f "$GPUFILTER_SAMPLES/scene.ppm" ] || skip_all 'no samples'

# lying ORIENTATION IN OUT: adds that EXIF orientation to a JPEG.
lying()
{
    printf '\377\330\377\341\0\042Exif\0\0MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001' >"$3"
    printf "\\0\\00$1\\0\\0\\0\\0\\0\\0" >>"$3"
    tail -c +3 "$2" >>"$3"
}

# is_near A B DECIBELS NAME: the images differ by at most so much.
is_near() { works "$4 is near the exact image" gf -q -i "$1" "compare:$2,min-psnr=$3" -o near.tsv; }

# Sides that are no multiple of 16, so that the last blocks of a row and of a column are incomplete.
works 'an image with odd sides' gf -i "$GPUFILTER_SAMPLES/scene.ppm" resize:637x475 noise:0.1 -o odd.ppm
gf -i odd.ppm gray -o oddgray.pgm
gf -i odd.ppm -q --subsampling 444 -o 444.jpg
gf -i odd.ppm -q --subsampling 422 -o 422.jpg
gf -i odd.ppm -q --subsampling 420 -o 420.jpg
gf -i odd.ppm -q --subsampling 420 --progressive -o progressive.jpg
gf -i oddgray.pgm -q -o gray.jpg

# ---- crops have the bytes of the whole image

crops='1x1 1x1+636+474 37x21+1+1 100x100+100+100 100x475+537+0 637x1+0+474 33x17+303+458 637x475 16x16+16+16'
for f in 444 422 420 progressive gray; do
    gf -i $f.jpg -o all.pnm -t pnm
    for c in $crops; do
        gf -i all.pnm crop:$c -o want.pnm -t pnm
        works "crop:$c of $f.jpg" gf -i $f.jpg crop:$c -o found.pnm -t pnm
        same found.pnm want.pnm "crop:$c of $f.jpg has the bytes of the whole image"
    done
done
cat 420.jpg | gf crop:37x21+99+77 -t pnm >found.pnm
gf -i 420.jpg -o all.pnm -t pnm && gf -i all.pnm crop:37x21+99+77 -o want.pnm -t pnm
same found.pnm want.pnm 'a crop of a pipe'
for n in 2 3 4 5 6 7 8; do
    lying $n 420.jpg lying.jpg
    gf -i lying.jpg -o all.pnm -t pnm
    gf -i all.pnm crop:50x30+7+111 -o want.pnm -t pnm
    works "a crop of orientation $n" gf -i lying.jpg crop:50x30+7+111 -o found.pnm -t pnm
    same found.pnm want.pnm "a crop of orientation $n has the bytes of the whole image"
done
is 'the plan has the part' "$(gf --explain -i 420.jpg crop:50x30+7+11 -o x.ppm | sed -n 2p)" \
    '        the part at +7+11 of 637x475; the rest is not decoded'
refuses 1 'which is 637x475 here' 'a crop outside' gf -i 420.jpg crop:600x30+100+0 -o x.ppm

cat 420.jpg 444.jpg progressive.jpg gray.jpg >four.jpg
cat four.jpg | gf crop:60x10+9+20 -t pnm >piped.pnm
works 'a part of each of several images' gf -i four.jpg crop:60x10+9+20 -o found.pnm -t pnm
for f in 420 444 progressive gray; do gf -i $f.jpg crop:60x10+9+20 -t pnm; done >want.pnm
same found.pnm want.pnm 'a part of each of several images from a file'
same piped.pnm want.pnm 'a part of each of several images from a pipe'

# ---- the end of the file is checked

head -c $(($(wc -c <420.jpg) * 2 / 3)) 420.jpg >cut.jpg
head -c $(($(wc -c <420.jpg) - 2)) 420.jpg >endless.jpg
refuses 1 'cut.jpg: is cut short' 'a file that ends after the crop' gf -i cut.jpg crop:50x30 -o x.ppm
refuses 1 'is cut short' 'a pipe that ends after the crop' sh -c 'cat cut.jpg | "$0" crop:50x30 >x' "$GPUFILTER"
works 'a crop of a file with all pixels, but no end' gf -i endless.jpg crop:50x30 -o x.ppm

# ---- draft

for f in 444 420 progressive gray; do
    gf -i $f.jpg resize:80 -o exact.pnm -t pnm
    works "a draft of $f.jpg" gf -i $f.jpg resize:80,draft -o draft.pnm -t pnm
    is_near draft.pnm exact.pnm 45 "a draft of $f.jpg"
done
is 'a draft is decoded at a quarter' "$(gf --explain -i 420.jpg resize:79x59,draft -o x.ppm | sed -n 1,3p)" \
    'input:  160x119 rgb u8, JPEG
        decoded at 1/4 of 637x475
output: 79x59 rgb u8'
is 'a draft is decoded at a half' "$(gf --explain -i 420.jpg resize:150,draft -o x.ppm | sed -n 2p)" \
    '        decoded at 1/2 of 637x475'
is 'a draft is decoded at an eighth' "$(gf --explain -i 420.jpg resize:39x20,draft -o x.ppm | sed -n 2p)" \
    '        decoded at 1/8 of 637x475'

# A result that is shifted by part of a pixel differs by more than 45 dB.
for n in 1 2 3 4 5 6 7 8; do
    lying $n 420.jpg lying.jpg
    gf -i lying.jpg resize:x61 -o exact.ppm
    works "a draft of orientation $n" gf -i lying.jpg resize:x61,draft -o draft.ppm
    is_near draft.ppm exact.ppm 45 "a draft of orientation $n"
done
for filter in linear cubic area; do
    gf -i 420.jpg resize:80,filter=$filter -o exact.ppm
    works "a draft with filter=$filter" gf -i 420.jpg resize:80,filter=$filter,draft -o draft.ppm
    is_near draft.ppm exact.ppm 40 "a draft with filter=$filter"
done

# without effect
gf -i 420.jpg resize:400 -o exact.ppm
works 'a draft that is too large for a half' gf -i 420.jpg resize:400,draft -o draft.ppm
same draft.ppm exact.ppm 'a draft that is too large for a half is exact'
gf -i odd.ppm resize:80 -o exact.ppm
works 'a draft of another format' gf -i odd.ppm resize:80,draft -o draft.ppm
same draft.ppm exact.ppm 'a draft of another format is exact'
gf -i 420.jpg gray resize:80 -o exact.ppm
works 'a draft after another stage' gf -i 420.jpg gray resize:80,draft -o draft.ppm
same draft.ppm exact.ppm 'a draft after another stage is exact'
gf -i 420.jpg resize:80,draft -o want.ppm
works 'a draft in small segments' gf --segment 20K -i 420.jpg resize:80,draft -o draft.ppm
same draft.ppm want.ppm 'a draft in small segments has the same bytes'
refuses 2 'resize: draft averages stored values' 'draft with a linear mean' \
    gf -i 420.jpg resize:80,draft,light=linear -o x.ppm
refuses 2 'resize: draft averages stored values' 'draft with copies of pixels' \
    gf -i 420.jpg resize:80,draft,filter=nearest -o x.ppm
finish
