# Images of narrow rows: rows are read and written many at a time, because each call of the system costs as much as a
# row of 1000 pixels.
. "$(dirname "$0")/../lib.sh"

# ---- the same samples, whatever the rows are collected to

head -c 200000 /dev/urandom >noise
for size in 8x200000 16x100000 24x66666 4096x390 532480x3; do
    width=${size%x*} height=${size#*x}
    { echo "P4 $width $height"; head -c $((width / 8 * height)) noise; } >in.pbm
    gf -i in.pbm -t pbm | tail -c $((width / 8 * height)) >piped
    tail -c $((width / 8 * height)) in.pbm >wanted
    same piped wanted "PBM of $size, to a pipe"
    gf -i in.pbm -o out.pbm
    tail -c +$(($(wc -c <out.pbm) - width / 8 * height + 1)) out.pbm >found
    same found wanted "PBM of $size"
    gf flip -i in.pbm -o upside.pgm
    gf flip -t pbm <upside.pgm | tail -c $((width / 8 * height)) >found
    same found wanted "PBM of $size, from bottom to top"
done
image rgb.ppm 3 20000 3 255 1
image gray.pgm 1 30000 1 255 2
image wide.ppm 6000 3 3 255 3
image rgba.pam 2 20000 4 255 4
# A row that is as long as the whole image does not make the segments short.
{ printf 'P5 1 1000000 255\n'; head -c 200000 noise; head -c 800000 /dev/zero; } >tall.pgm
gf --device cpu -j 2 -i tall.pgm transpose -o long.pgm
for stages in 'tall.pgm transpose transpose' 'long.pgm transpose' 'long.pgm rotate:90 rotate:180'; do
    gf --device cpu -j 2 -i $stages -o x.pgm --stats=json 2>said
    is "segments of $stages" "$(sed 's/.*"segments":\([0-9]*\),.*/\1/' said | awk '{ print ($1 < 100) }')" 1
done
gf --device cpu -i tall.pgm transpose transpose -t pgm | tail -c 1000000 >piped
tail -c 1000000 tall.pgm >wanted
same piped wanted 'transpose of a narrow image keeps its samples'
for image in rgb.ppm gray.pgm wide.ppm; do
    gf -i $image -o x.pfm
    gf -i x.pfm -o x.${image#*.} --depth 8
    same x.${image#*.} $image "PFM of $image"
    gf -i x.pfm -t pfm | cat >piped.pfm
    same piped.pfm x.pfm "PFM of $image, to a pipe"
done
for image in rgb.ppm wide.ppm; do
    for format in bmp tga; do
        gf -i $image -o x.$format
        for options in '' '--segment 100 --lanes 3' 'flip'; do
            gf -i $image ${options%%--*} -o wanted.ppm
            gf $options -i x.$format -o x.ppm
            same x.ppm wanted.ppm "$format of $image $options"
        done
    done
done
gf -i rgba.pam channel:blue -o wanted.pgm
gf -q -i rgba.pam --channels 3 -o x.pgm
same x.pgm wanted.pgm 'one channel of a narrow PAM'

# ---- in as little time as one wide row

rm -f ./*.p?m x.*
rows=5000000
# quick NAME OPTIONS: expects at most a second of CPU time. Calls for each row took 3.
quick()
{
    name=$1
    shift
    works "$name" gf -q --device cpu --max-seconds 1 "$@"
    rm -f out.*
}
# zeros FILE HEADER BYTES: writes a file that has zeros after its header.
zeros() { printf "$2" >"$1"; truncate -s +"$3" "$1"; }

zeros in.pgm "P5 1 $rows 255\n" $rows
zeros in.pbm "P4 1 $rows\n" $rows
zeros in.pam "P7\nWIDTH 1\nHEIGHT $rows\nDEPTH 2\nMAXVAL 255\nTUPLTYPE CHANNELS\nENDHDR\n" $((2 * rows))
# 24 bits, and 32 bits, whose last byte may be alpha: 5000000 is 0x4C4B40
bmp() { zeros "$1" "BM\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\001\0\0\0\100\113\114\0\001\0$2\0$(printf '%024d' 0 |
    sed 's/0/\\0/g')" $((4 * rows)); }
bmp in24.bmp '\030'
bmp in32.bmp '\040'
quick 'a narrow image as PGM' -i in.pgm -o out.pgm
quick 'a narrow image as PBM' -i in.pgm -o out.pbm
quick 'a narrow image as PFM' -i in.pgm -o out.pfm
quick 'a narrow image as PBM on a pipe' -i in.pgm -t pbm
quick 'a narrow image from PBM' -i in.pbm -o out.pgm
quick 'one channel of a PAM' --channels 2 -i in.pam -o out.pgm
quick 'a narrow image from BMP of 24 bits' -i in24.bmp -o out.ppm
quick 'a narrow image from BMP of 32 bits' -i in32.bmp -o out.ppm
name='PBM from a pipe'
if cat in.pbm | gf -q --device cpu --max-seconds 1 -t pgm >out 2>errors; then pass "$name"; else fail "$name"; fi

finish
