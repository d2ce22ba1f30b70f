# A chain without stages keeps every sample of every format.
. "$(dirname "$0")/../lib.sh"

# Tests that the output is the same file byte for byte, for formats that gpufilter writes as this
# script does.
again()
{
    works "$1 is read and written" gf -i "$1" -o "again.${1##*.}"
    same "$1" "again.${1##*.}" "$1 is read and written with the same bytes"
}
# Tests a round trip through format $2.
through()
{
    works "$1 to $2" gf -i "$1" -o "way.$2"
    works "$1 to $2 and back" gf -i "way.$2" -o "back.${1##*.}"
    same "$1" "back.${1##*.}" "$1 is the same after $2"
}

for maxval in 1 15 255 256 4095 65535; do
    for channels in 1 2 3 4; do
        ending=$(echo 'pgm pam ppm pam' | cut -d ' ' -f $channels)
        image "i$maxval-$channels.$ending" 19 13 $channels $maxval 5
        again "i$maxval-$channels.$ending"
    done
done
for size in '1 1' '1 17' '17 1' '127 2'; do
    image "s${size% *}x${size#* }.ppm" $size 3 255 6
    again "s${size% *}x${size#* }.ppm"
done

for channels in 1 3; do
    ending=$(echo 'pgm x ppm' | cut -d ' ' -f $channels)
    for maxval in 255 65535; do
        through "i$maxval-$channels.$ending" png
        through "i$maxval-$channels.$ending" pam
    done
    through "i255-$channels.$ending" tga
done
through i255-3.ppm bmp
through i255-4.pam png
through i65535-4.pam png
through i255-2.pam png

# Plain formats, and 1-bit formats.
printf 'P3\n# a comment\n2 2 255\n 0 1 2  3 4 5\n255 254 253  9 8 7\n' >plain.ppm
printf 'P6\n2 2\n255\n\0\001\002\003\004\005\377\376\375\011\010\007' >binary.ppm
works 'a plain PPM is read' gf -i plain.ppm -o plain-out.ppm
same binary.ppm plain-out.ppm 'a plain PPM has the pixels of a binary one'
printf 'P2\n3 1\n4\n0 2 4\n' >plain.pgm
printf 'P5\n3 1\n4\n\0\002\004' >binary.pgm
works 'a plain PGM is read' gf -i plain.pgm -o plain-out.pgm
same binary.pgm plain-out.pgm 'a plain PGM has the pixels of a binary one'
printf 'P1\n10 2\n1010101011\n0 1 0 1 0 1 0 1 0 0\n' >plain.pbm
printf 'P4\n10 2\n\252\300\125\0' >binary.pbm
works 'a plain PBM is read' gf -i plain.pbm -o plain-out.pbm
same binary.pbm plain-out.pbm 'a plain PBM has the pixels of a binary one'
again binary.pbm

# Floats: little-endian, bottom row first; values beyond 0 to 1, infinities and NaN are kept.
printf 'Pf\n2 2\n-1.0\n\0\0\200\077\0\0\0\300\0\0\200\177\0\0\300\177' >f.pfm
again f.pfm

# Several images in one file.
cat i255-3.ppm i65535-1.pgm s127x2.ppm >row.ppm
works 'several images in one file' sh -c '"$0" -t pnm <row.ppm >row-out.ppm' "$GPUFILTER"
same row.ppm row-out.ppm 'several images in one file come out in order'
cat i255-3.ppm i255-3.ppm i255-3.ppm i255-3.ppm >row.ppm
works 'several images in one file as raw samples' gf -i row.ppm -t raw -o row.raw
works 'several images on a pipe as raw samples' sh -c '"$0" -t raw <row.ppm >row-pipe.raw' "$GPUFILTER"
{ for n in 1 2 3 4; do tail -c 741 i255-3.ppm; done; } >wanted.raw
same row.raw wanted.raw 'several images in one file as raw samples follow each other'
same row-pipe.raw wanted.raw 'several images on a pipe as raw samples follow each other'

# Audio. A file with more than two channels has a longer header, so we start from one that gpufilter
# wrote.
sound s5-short.wav 1000 5 7
works '5 channels in a file' gf -i s5-short.wav -o s5.wav
tail -c 10000 s5-short.wav >short.raw
tail -c 10000 s5.wav >long.raw
same short.raw long.raw '5 channels in a file keep their samples'
for channels in 1 2 5; do
    [ $channels = 5 ] || sound s$channels.wav 1000 $channels 7
    again s$channels.wav
    works "$channels channels on a pipe" sh -c '"$0" <"$1" >pipe.wav' "$GPUFILTER" s$channels.wav
    works "$channels channels on a pipe, back to a file" gf -i pipe.wav -o file.wav
    same s$channels.wav file.wav "$channels channels on a pipe keep their samples"
    for format in flac aiff au caf w64; do
        through s$channels.wav $format
    done
done
sound s0.wav 0 1 7
again s0.wav
sound s1f.wav 1 2 7
again s1f.wav
works 'a depth up' gf -i s2.wav --depth 24 -o deep.wav
works '16 bits through a higher depth' gf -i deep.wav --depth 16 -o shallow.wav
same s2.wav shallow.wav '16 bits through a higher depth are the same'
works '16 bits to floats' gf -i s2.wav --depth f32 -o float.wav
works '16 bits from floats' gf -i float.wav --depth 16 -o shallow.wav
same s2.wav shallow.wav '16 bits through floats are the same'
works 'an image of 16 bits' gf -i i255-3.ppm --depth 16 -o deep.ppm
works '8 bits through 16 bits' gf -i deep.ppm --depth 8 -o shallow.ppm
same i255-3.ppm shallow.ppm '8 bits through 16 bits are the same'

# An output of fewer bits rounds once, from the exact value. The first float is 1/2 + 2^-15: times
# 65535, it is 32769.49997. The second one is 8421633/2^24: 32896.50194.
printf 'Pf\n3 1\n-1.0\n\0\002\0\077\001\201\0\077\0\0\0\077' >middle.pfm
works 'floats to 16 bits' gf -i middle.pfm -o middle.pgm
printf 'P5\n3 1\n65535\n\200\001\200\201\200\0' >wanted.pgm
same wanted.pgm middle.pgm 'floats become the nearest levels of 16 bits'
works 'floats to 16 bits after a stage that moves samples' gf -i middle.pfm flop -o back.pgm
works 'moved levels of 16 bits are moved back' gf -i back.pgm flop -o middle.pgm
same wanted.pgm middle.pgm 'floats become the same levels after a stage that moves samples'
image noise.ppm 64 48 3 65535 9
works 'random floats are made for this test' gf -i noise.ppm gamma:1.3 blur:1 -o noise.pfm
works 'random floats in 16 bits' gf -i noise.pfm -o noise-16.ppm
for stage in flip flop transpose rotate:90 crop:40x20+3+5 pad:3; do
    works "$stage of 16 bits" gf -i noise-16.ppm $stage -o wanted.pam
    works "$stage of floats" gf --segment 7 -i noise.pfm $stage --depth 16 -o got.pam
    same wanted.pam got.pam "$stage of floats and of 16 bits: the same result"
done

# Level 178 of 191 is 61074.50262 of 65535.
printf 'P5\n1 1\n191\n\262' >few.pgm
works 'levels of another maxval' gf -i few.pgm --depth 16 -o more.pgm
printf 'P5\n1 1\n65535\n\356\223' >wanted.pgm
same wanted.pgm more.pgm 'levels of another maxval become the nearest levels of 16 bits'

# Integers of 32 bits next to the middle between two of 16 bits, 65536 apart, and of 24 bits.
printf '\001\200\0\100\377\177\001\100\201\0\0\100\177\001\0\100\001\0\0\100' >wide.raw
# 1/2 + 2^-16 + 2^-40 is more than 16384.5 of 32768; 0.1 is 214748364.8 of 2^31.
printf '\0\040\0\0\040\0\340\077\232\231\231\231\231\231\271\077' >doubles.raw
# narrows FILE TYPE DEPTH BYTES: tests the samples of FILE, in so many bits.
narrows()
{
    works "$2 to $3 bits" gf --from "raw:rate=48000,channels=1,type=$2" -i "$1" -t raw --depth "$3" -o got.raw
    printf "$4" >wanted.raw
    same wanted.raw got.raw "$2 to $3 bits are rounded once"
}
narrows wide.raw s32 16 '\001\100\001\100\0\100\0\100\0\100'
narrows wide.raw s32 24 '\200\0\100\200\001\100\001\0\100\001\0\100\0\0\100'
narrows doubles.raw f64 16 '\001\100\315\014'
narrows doubles.raw f64 32 '\0\200\0\100\315\314\314\014'
finish
