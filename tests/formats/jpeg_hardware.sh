# --jpeg hardware: what happens without a GPU; with one, the samples and bytes of libjpeg, whatever
# else is decoded at the same time.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libjpeg' || skip_all 'built without libjpeg'
photo=$GPUFILTER_SAMPLES/photo.ppm

works 'a JPEG is made for this test' gf --device cpu -i "$photo" resize:700x500 --quality 90 -o a.jpg
works 'filtered by software' gf --device cpu -i a.jpg blur:1 -o soft.jpg
refuses 2 'needs a GPU; leave out --device cpu' '--device cpu is refused' \
    gf --device cpu --jpeg hardware -i a.jpg blur:1 -o x.jpg
refuses 2 'software or hardware' '--jpeg with an unknown word is refused' gf --jpeg fast -i a.jpg blur:1 -o x.jpg
works '--jpeg software is accepted' gf --device cpu --jpeg software -i a.jpg blur:1 -o same.jpg
same soft.jpg same.jpg '--jpeg software is the default'

if ! have_cuda; then
    CUDA_VISIBLE_DEVICES='' gf --jpeg hardware -i a.jpg blur:1 -o x.jpg 2>errors
    is '--jpeg hardware without a GPU succeeds' $? 0
    is '--jpeg hardware without a GPU gives one warning' \
        "$(grep -c 'warning: --jpeg hardware: .*; the CPU decodes and encodes JPEG' errors)" 1
    same soft.jpg x.jpg '--jpeg hardware without a GPU gives the bytes of software'
    [ -z "$GPUFILTER_REQUIRE_CUDA" ] || [ "$GPUFILTER_REQUIRE_CUDA" = 0 ] || need_cuda
    skip "no GPU: $why_no_cuda"
    finish
fi
cuda() { gf --device cuda "$@"; }
hard() { gf --device cuda --jpeg hardware "$@"; }

# near NAME A B LEAST: tests that the PSNR of two images is at least LEAST dB.
near() { works "$1" gf --device cpu -i "$2" "compare:$3,min-psnr=$4" -o near.tsv; }

# alike A B NAME: tests that two folders have files of the same names and bytes.
alike()
{
    for file in "$1"/*; do
        cmp "$file" "$2/${file##*/}"
    done >differs 2>&1
    if [ -s differs ] || [ "$(ls "$1")" != "$(ls "$2")" ]; then
        fail "$3"
        note <differs
    else
        pass "$3"
    fi
}

mkdir in soft hard
for size in 1920x1080 641x479 90x61 17x33 3x2; do
    for kind in 420 422 444; do
        gf --device cpu -i "$photo" resize:$size --subsampling $kind --quality 90 -o in/$size-$kind.jpg
    done
    gf --device cpu -i "$photo" resize:$size gray --quality 90 -o in/$size-gray.jpg
done
cuda -i in invert -t pam -o soft/
works 'images of several sizes' hard -i in invert -t pam -o hard/
alike soft hard 'images of several sizes are decoded to the same samples'
for kind in 420 422 444; do
    rm -r soft hard
    mkdir soft hard
    cuda -i in invert --subsampling $kind --quality 85 -o soft/
    works "images as $kind" hard -i in invert --subsampling $kind --quality 85 -o hard/
    alike soft hard "images as $kind are encoded to the same bytes"
done
works 'a JPEG of noise is made for this test' \
    gf --device cpu -i "$photo" resize:640x480 noise:0.5,seed=1 --quality 100 --subsampling 420 -o in.jpg
cuda -i in.jpg invert -o soft.ppm
hard -i in.jpg invert -o hard.ppm
near 'noise of full contrast is near' hard.ppm soft.ppm 55
cuda -i in.jpg invert --quality 100 --progressive -o soft.jpg
hard -i soft.ppm invert --quality 100 --progressive -o hard.jpg
cuda -i soft.ppm invert --quality 100 --progressive -o soft.jpg
same soft.jpg hard.jpg 'progressive noise is encoded to the same bytes'

# libjpeg writes the metadata in any case.
works 'a JPEG with metadata is made for this test' gf --device cpu -i "$photo" resize:300x200 --quality 90 -o plain.jpg
{
    printf '\377\330\377\341\0\040Exif\0\0MM\0*\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0'
    printf '\377\376\0\007hello'
    tail -c +3 plain.jpg
} >meta.jpg
cuda -q -i meta.jpg blur:1 -o soft.jpg
hard -q -i meta.jpg blur:1 -o hard.jpg
same soft.jpg hard.jpg 'metadata is the same'

# Software decodes all files that nvJPEG does not, with the same samples, warnings and errors.
gf --device cpu -i "$photo" resize:500x400 --progressive -o progressive.jpg
head -c 9000 a.jpg >cut.jpg
cat a.jpg a.jpg >two.jpg
works 'a progressive JPEG' hard -i progressive.jpg invert -o hard.ppm
cuda -i progressive.jpg invert -o soft.ppm
same hard.ppm soft.ppm 'a progressive JPEG has the samples of software'
hard -i cut.jpg invert -o x.ppm 2>hard.txt
is 'a truncated image is an error' $? 1
cuda -i cut.jpg invert -o x.ppm 2>soft.txt
same hard.txt soft.txt 'a truncated image gives the message of software'
[ ! -e x.ppm ] && pass 'a truncated image leaves no output' || fail 'a truncated image leaves no output'
cat a.jpg | hard -i - invert -o hard.ppm
cuda -i a.jpg invert -o soft.ppm
same hard.ppm soft.ppm 'a pipe is decoded by software'
works 'two images in one file' hard -i two.jpg invert -t ppm -o hard.ppm
cuda -i two.jpg invert -t ppm -o soft.ppm
same hard.ppm soft.ppm 'two images in one file have the samples of software'
works 'a JPEG without stages' hard -i a.jpg -o hard.jpg
works 'a JPEG in little memory' hard --memory 2M -i a.jpg blur:1 -o hard.jpg
cuda --jpeg software --memory 2M -i a.jpg blur:1 -o soft.jpg
same hard.jpg soft.jpg 'the bytes are those of software'

# An image whose data ends early, but with an end marker, shows who decodes: libjpeg and nvJPEG fill
# the rest differently.
works 'a large image' gf --device cpu -i "$photo" resize:1920x1080 --quality 90 -o in.jpg
{ head -c 40000 in.jpg; printf '\377\331'; } >early.jpg
hard -i early.jpg invert -o hard.ppm
cuda -i early.jpg invert -o soft.ppm
is 'the GPU decodes' "$(cmp -s hard.ppm soft.ppm && echo same)" ''
works 'a JPEG that is decoded by software in little memory' hard -q --memory 8M -i early.jpg invert -o hard.ppm
same hard.ppm soft.ppm 'a JPEG in little memory has the samples of software'

# The result depends on nothing else. Damaged data must not spoil the other images of a batch,
# whatever becomes of the damaged ones.
mkdir many together beside
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    gf --device cpu -i "$photo" resize:$((200 + 20 * i))x300 noise:0.02,seed=$i --quality 90 -o many/$i.jpg
done
works 'twenty files together' hard -j 8 -i many blur:1 -o together/
for i in 1 7 20; do
    hard -i many/$i.jpg blur:1 -o alone.jpg
    same alone.jpg together/$i.jpg "file $i has the same bytes alone"
done
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cp in.jpg many/damaged$i.jpg
    for at in 1 2 3 4 5 6 7 8; do
        printf "\\$((at % 4))$((i % 8))5" |
            dd of=many/damaged$i.jpg bs=1 seek=$((900 + 997 * at * i)) conv=notrunc 2>differs
    done
done
hard -q -i many blur:1 -o beside/ 2>errors
rm -f beside/damaged*
alike together beside 'twenty files have the same bytes beside damaged files'
finish
