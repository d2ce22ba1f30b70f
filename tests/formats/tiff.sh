# TIFF: pages with known pixels, round trips, and files of other programs if installed.
. "$(dirname "$0")/lib_tiff.sh"

gf --version | grep -q '^images:.*libtiff' || skip_all 'built without libtiff'

size='256,3,1,3 257,3,1,2'
page '\001\002\003\0104\0105\0377' $size 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,2 279,4,1,6 >gray.tif
works 'gray of 8 bits' gf -i gray.tif -o gray.pgm
is 'gray of 8 bits is unchanged' "$(plain gray.pgm)" ' 1 2 3 68 69 255 '
page '\001\002\003\0104\0105\0377' $size 258,3,1,8 262,3,1,0 273,4,1,@ 277,3,1,1 278,3,1,2 279,4,1,6 >white.tif
works 'white is 0' gf -i white.tif -o white.pgm
is 'gray in which white is 0 is inverted' "$(plain white.pgm)" ' 254 253 252 187 186 0 '
page '\001\002\003\0104\0105\0377' $size 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,3 >vague.tif
refuses 1 'vague.tif' 'one strip told, two wanted' gf -i vague.tif -o x.pgm
page '\0240\0100' $size 258,3,1,1 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,2 279,4,1,2 >bits.tif
works 'one bit a sample' gf -i bits.tif -o bits.pgm
is 'one bit a sample is black and white' "$(plain bits.pgm)" ' 255 0 255 0 255 0 '
page '\0033\0300' 256,3,1,5 257,3,1,1 258,3,1,2 262,3,1,0 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 >two.tif
works 'two bits a sample, white is 0' gf -i two.tif -o two.pgm
is 'two bits a sample are four grays' "$(plain two.pgm)" ' 255 170 85 0 0 '
page '\0240' 256,3,1,2 257,3,1,1 258,3,1,4 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,1 >four.tif
works 'four bits a sample' gf -i four.tif -o four.pgm
is 'four bits a sample are sixteen grays' "$(plain four.pgm)" ' 170 0 '
# A tile of 16 by 16 bits, of which 3 by 2 are the page.
page "\\0240\\0000\\0100\\0000$(for i in 1 2 3 4 5 6 7; do printf '\\0\\0\\0\\0'; done)" $size 258,3,1,1 262,3,1,1 \
    277,3,1,1 322,3,1,16 323,3,1,16 324,4,1,@ 325,4,1,32 >tile.tif
works 'one bit a sample in tiles' gf -i tile.tif -o tile.pgm
is 'one bit a sample in tiles is black and white' "$(plain tile.pgm)" ' 255 0 255 0 255 0 '
# A run of 4 bytes in PackBits, which crosses the rows.
page '\0375\0240' 256,3,1,3 257,3,1,4 258,3,1,1 259,3,1,32773 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,4 279,4,1,2 >run.tif
works 'a run of PackBits over several rows' gf -i run.tif -o run.pgm
is 'a run of PackBits is in all of its rows' "$(plain run.pgm)" ' 255 0 255 255 0 255 255 0 255 255 0 255 '
page '\0001\0002\0377\0376' 256,3,1,2 257,3,1,1 258,3,1,16 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,4 >wide.tif
works 'gray of 16 bits' gf -i wide.tif -o wide.pgm
is 'gray of 16 bits is unchanged: 258 and 65534' "$(plain wide.pgm)" ' 1 2 255 254 '
# Two pixels of gray and alpha: 100 * 255 / 128 is 199; a transparent pixel becomes black.
page '\0144\0200\0040\0000' 256,3,1,2 257,3,1,1 258,3,2,524296 262,3,1,1 273,4,1,@ 277,3,1,2 278,3,1,1 279,4,1,4 \
    338,3,1,1 >through.tif
works 'colour that was multiplied by alpha' gf -i through.tif -o through.pam
is 'color that was multiplied by alpha is divided by it' "$(samples through.pam)" ' 199 128 0 0 '
page '\0144\0200\0040\0000' 256,3,1,2 257,3,1,1 258,3,2,524296 262,3,1,1 273,4,1,@ 277,3,1,2 278,3,1,1 279,4,1,4 \
    338,3,1,2 >apart.tif
works 'alpha beside colour' gf -i apart.tif -o apart.pam
is 'alpha beside color is unchanged' "$(samples apart.pam)" ' 100 128 32 0 '
page '\0003\0350\0377\0377\0377\0377\0000\0002' 256,3,1,2 257,3,1,1 258,3,2,1048592 262,3,1,1 273,3,2,@@ \
    277,3,1,2 278,3,1,1 \
    279,3,2,262148 284,3,1,2 338,3,1,2 >planes.tif
works 'planes of 16 bits' gf -i planes.tif -o planes.pam
is 'planes of 16 bits are put together' "$(samples planes.pam)" ' 3 232 255 255 255 255 0 2 '
page '\001\002\003\0104\0105\0377' $size 258,3,1,8 262,3,1,1 273,4,1,@ 274,3,1,3 277,3,1,1 278,3,1,2 \
    279,4,1,6 >turned.tif
works 'a page that lies on its head' gf -i turned.tif -o turned.pgm
is 'a page that is upside down becomes upright' "$(plain turned.pgm)" ' 255 69 68 3 2 1 '
page '\001\002\003\004\005\006\007\010' 256,3,1,2 257,3,1,1 258,3,1,32 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 \
    279,4,1,8 339,3,1,2 >signed.tif
refuses 1 'signed.tif: TIFF with 32-bit signed gray samples' 'signed integers of 32 bits' gf -i signed.tif -o x.pgm

page '\001' 256,4,1,4000000000 257,4,1,4000000000 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,4,1,4000000000 279,4,1,1 \
    >hostile.tif
refuses 1 'hostile.tif' 'a page of all the world' gf -i hostile.tif -o x.pgm
page '\001' 256,4,1,60000 257,4,1,60000 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,4,1,60000 279,4,1,1 >large.tif
refuses 1 'raise --max-pixels' 'a TIFF of more pixels than allowed' gf --max-pixels 1G -i large.tif -o x.pgm
refuses 1 'large.tif: can.t be decoded' 'pixels that are not there' gf -i large.tif -o x.pgm
head -c 60 gray.tif >cut.tif
refuses 1 'cut.tif: can.t be decoded' 'a page cut in its entries' gf -i cut.tif -o x.pgm

# ---- round trips

image c8.ppm 83 61 3 255 1
image g8.pgm 83 61 1 255 2
image a8.pam 83 61 4 255 3
image c16.ppm 83 61 3 65535 4
image g16.pgm 83 61 1 65535 5
image ga.pam 83 61 2 255 6
image a16.pam 83 61 4 65535 7
all='c8.ppm g8.pgm a8.pam c16.ppm g16.pgm ga.pam a16.pam'
for file in $all; do
    for options in '' '--compression 0' '--compression 1' '--compression 6' '--compression 9' \
        '--segment 1K --lanes 3'; do
        works "$file as TIFF $options" gf -i $file $options -o there.tif
        works "$file as TIFF $options is read" gf -i there.tif -t pnm -o back.pnm
        same back.pnm $file "$file as TIFF $options has the same samples"
    done
done
works 'floats as TIFF' gf -i c16.ppm --depth f32 -o there.tif
gf -i c16.ppm -o wanted.pfm
works 'floats as TIFF are read' gf -i there.tif -o found.pfm
same found.pfm wanted.pfm 'floats as TIFF have the same samples'
works 'a TIFF through pipes' sh -c '"$0" -t tiff <c8.ppm | cat | "$0" -t pnm >back.ppm' "$GPUFILTER"
same back.ppm c8.ppm 'a TIFF through pipes has the same samples'
cat $all >row.pnm
works 'several pages of a TIFF' gf -i row.pnm -o row.tif
works 'several pages of a TIFF are read' gf -i row.tif -t pnm -o back.pnm
same back.pnm row.pnm 'several pages of a TIFF have the same samples'
works 'several pages of a TIFF from a pipe' sh -c '"$0" -t pnm <row.tif >back.pnm' "$GPUFILTER"
same back.pnm row.pnm 'several pages of a TIFF from a pipe have the same samples'
refuses 1 'a TIFF on a pipe has only one image' 'several pages into a pipe' \
    sh -c '{ "$0" -i row.pnm -t tiff; echo $? >status; } | cat >/dev/null; exit $(cat status)' "$GPUFILTER"
refuses 1 '' 'a full disk' gf -i c8.ppm -t tiff -o /dev/full
head -c 9000 c8.ppm >cut.ppm
refuses 1 'cut.ppm' 'half a picture' gf -i cut.ppm -o x.tif
is 'an incomplete image leaves no TIFF' "$(ls x.* 2>/dev/null)" ''
head -c $(($(wc -c <row.tif) / 2)) row.tif >cut.tif
refuses 1 'cut.tif' 'half a file' gf -i cut.tif -t pnm -o x.pnm

# ---- other programs

if command -v vips >/dev/null && vips copy c8.ppm probe.tif >/dev/null 2>&1; then
    for file in c8.ppm g8.pgm c16.ppm g16.pgm; do
        for options in '' '[tile,tile-width=16,tile-height=32]' '[compression=lzw,predictor=horizontal]' \
            '[compression=deflate]' \
                       '[bigtiff]' '[compression=packbits,tile]'; do
            vips copy $file "in.tif$options" && works "$file by vips $options" gf -i in.tif -t pnm -o found.pnm
            same found.pnm $file "$file by vips $options has the same samples"
        done
        gf -i $file -o in.tif
        vips copy in.tif "found.${file#*.}"
        is "vips reads $file" "$(tail -c 5063 "found.${file#*.}" | cksum)" "$(tail -c 5063 $file | cksum)"
    done
    works 'a profile and resolution' sh -c 'vips copy c8.ppm "in.jpg[profile=srgb]" && "$0" -q -i in.jpg -o out.tif' \
        "$GPUFILTER"
    is 'a profile and resolution are kept' "$(vipsheader -a out.tif | grep -c 'icc-profile-data')" 1
else
    skip 'no vips here'
fi
if command -v tiffcp >/dev/null; then
    gf -i c8.ppm -o in.tif
    for options in '-p separate -r 7' '-p separate -t -w 16 -l 16' '-t -w 32 -l 16 -c lzw' '-B -c none' \
        '-c lzw:2 -r 5' '-8'; do
        tiffcp $options in.tif other.tif && works "a TIFF that tiffcp $options wrote" gf -i other.tif -o found.ppm
        same found.ppm c8.ppm "a TIFF that tiffcp $options wrote has the same samples"
    done
else
    skip 'no tiffcp here'
fi
finish
