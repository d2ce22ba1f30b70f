# QOI: known chunks of each kind, round trips, files that are cut short or damaged, and comparison
# with ffmpeg if it supports QOI.
. "$(dirname "$0")/../lib.sh"

# qoi WIDTH HEIGHT CHANNELS CHUNKS: writes a QOI file. Sizes are below 256, chunks are octal
# escapes.
qoi() { printf "qoif\\0\\0\\0\\$(printf %03o "$1")\\0\\0\\0\\$(printf %03o "$2")\\$3\\0$4\\0\\0\\0\\0\\0\\0\\0\\1"; }
# pixels NAME FILE WANTED: compares the samples of a PPM or PAM, as numbers.
pixels()
{
    works "$1" gf -i "$2" -t pnm -o found.pnm
    is "$1: pixels" "$(tail -c "$(echo "$3" | wc -w)" found.pnm | od -An -v -tu1 | tr -s '\n ' ' ' \
        | sed 's/^ //;s/ $//')" "$3"
}

# ---- chunks from the definition of the format

qoi 1 1 3 '\376\001\002\377' >x.qoi
pixels 'an RGB chunk of QOI' x.qoi '1 2 255'
qoi 1 1 4 '\377\001\002\003\004' >x.qoi
pixels 'an RGBA chunk of QOI' x.qoi '1 2 3 4'
qoi 2 1 3 '\376\012\024\036\176' >x.qoi                         # 01 11 11 10: +1 +1 0
pixels 'a DIFF chunk of QOI' x.qoi '10 20 30 11 21 30'
qoi 1 1 3 '\100' >x.qoi                                         # 01 00 00 00: -2 each, from black
pixels 'a DIFF chunk of QOI wraps' x.qoi '254 254 254'
qoi 2 1 3 '\376\144\144\144\277\360' >x.qoi                     # green +31, red +31+7, blue +31-8
pixels 'a LUMA chunk of QOI' x.qoi '100 100 100 138 131 123'
qoi 1 1 3 '\200\000' >x.qoi                                     # green -32, red and blue -40
pixels 'a LUMA chunk of QOI wraps' x.qoi '216 224 216'
qoi 2 3 3 '\376\001\002\003\301\300\301' >x.qoi                 # one, two more, one, two: over the ends of rows
pixels 'a RUN chunk of QOI' x.qoi '1 2 3 1 2 3 1 2 3 1 2 3 1 2 3 1 2 3'
qoi 2 1 3 '\301' >x.qoi
pixels 'RUN before any pixel' x.qoi '0 0 0 0 0 0'
# Index: 3·1 + 5·2 + 7·3 + 11·255 = 2839 is 23 modulo 64. Black is 11·255 = 2805, 53 modulo 64; the
# run has stored it.
qoi 4 1 3 '\376\001\002\003\376\012\012\012\027\376\007\007\007' >x.qoi
pixels 'an INDEX chunk of QOI' x.qoi '1 2 3 10 10 10 1 2 3 7 7 7'
# alpha 128: 34 + 1408 = 1442, 34 over 22·64; 0 and 23 were never seen
qoi 3 1 4 '\377\001\002\003\200\000\027' >x.qoi
pixels 'INDEX of what was never seen' x.qoi '1 2 3 128 0 0 0 0 0 0 0 0'
qoi 2 1 4 '\377\001\002\003\200\176' >x.qoi
pixels 'DIFF keeps alpha' x.qoi '1 2 3 128 2 3 3 128'

# chunks PNM WANTED NAME: compares the bytes of the written chunks.
chunks()
{
    printf "$1" >x.pnm
    works "$3" gf -i x.pnm -o x.qoi
    is "$3: bytes" "$(tail -c +15 x.qoi | od -An -v -to1 | tr -s '\n ' '  ')" " $2 000 000 000 000 000 000 000 001 "
}
# Index: 3·10 + 5·20 + 7·30 + 11·255 = 3145 is 9 modulo 64.
chunks 'P6 4 1 255 \012\024\036\013\025\036\012\024\036\012\024\036' '376 012 024 036 176 011 300' \
    'RGB, DIFF, INDEX, RUN'
is 'the header of a QOI' "$(head -c 14 x.qoi | od -An -v -to1 | tr -s '\n ' ' ')" \
    ' 161 157 151 146 000 000 000 004 000 000 000 001 003 000 '
chunks 'P6 2 1 255 \144\144\144\212\203\173' '376 144 144 144 277 360' 'a pixel becomes a LUMA chunk'
{ printf 'P6 63 1 255\n'; head -c 189 /dev/zero; } >x.pnm
works 'a run of 63' gf -i x.pnm -o x.qoi
is 'a run of 63 is one of 62 and one of 1' "$(tail -c +15 x.qoi | head -c 2 | od -An -to1)" ' 375 300'
chunks 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\001\002\003\004\001\002\003\005' \
    '377 001 002 003 004 377 001 002 003 005' 'a pixel with another alpha becomes an RGBA chunk'

# ---- round trips

image c8.ppm 83 61 3 255 1
image a8.pam 84 61 4 255 3
image g8.pgm 83 61 1 255 2
image ga.pam 83 61 2 255 6
image c16.ppm 83 61 3 65535 4
image wide.ppm 30011 2 3 255 5
for options in '' '--segment 1K --lanes 3' '-j 1'; do
    for file in c8.ppm a8.pam wide.ppm; do
        works "$file as QOI $options" gf -i $file $options -o there.qoi
        works "$file as QOI $options is read" gf -i there.qoi $options -t pnm -o back.pnm
        same back.pnm $file "$file as QOI $options has the same pixels"
    done
done
gf -i c8.ppm blur:6 posterize:4 -o flat.ppm
works 'a picture of few colours' gf -i flat.ppm -o there.qoi
works 'a QOI of few colors is read' gf -i there.qoi -o back.ppm
same back.ppm flat.ppm 'a QOI of few colors has the same pixels'
works 'a gray image as QOI' gf -i g8.pgm -o there.qoi
gf -i there.qoi channel:g -o back.pgm
same back.pgm g8.pgm 'a gray image as QOI becomes red, green and blue'
works 'gray and alpha' gf -i ga.pam -o there.qoi
gf -i there.qoi -o back.pam
gf -i ga.pam channel:a -o wanted.pgm
gf -i back.pam channel:a -o found.pgm
same found.pgm wanted.pgm 'gray and alpha as QOI keeps alpha'
gf -i c16.ppm --depth 8 -o wanted.ppm
gf -i c16.ppm -o there.qoi
works '16 bits as QOI' gf -i there.qoi -o found.ppm
same found.ppm wanted.ppm '16 bits as QOI become 8'
refuses 2 '8 bits per sample' '16 bits that were asked for' gf -i c16.ppm --depth 16 -o x.qoi
works 'a QOI through pipes' sh -c '"$0" -t qoi <c8.ppm | cat | "$0" >back.ppm' "$GPUFILTER"
same back.ppm c8.ppm 'a QOI through pipes has the same pixels'
gf -i c8.ppm -o one.qoi
gf -i a8.pam -o two.qoi
cat one.qoi two.qoi one.qoi >row.qoi
cat c8.ppm a8.pam c8.ppm >wanted.pnm
works 'several QOIs after each other' gf -i row.qoi -t pnm -o row.pnm
same row.pnm wanted.pnm 'several QOIs after each other come out in order'
works 'several QOIs after each other on a pipe' sh -c 'cat row.qoi | "$0" >row.pnm' "$GPUFILTER"
same row.pnm wanted.pnm 'several QOIs after each other on a pipe are several images'
works 'the upper rows of several QOIs' gf -i row.qoi crop:20x5+0+0 -t pnm -o row.pnm
gf -i wanted.pnm crop:20x5+0+0 -t pnm -o wanted-crop.pnm
same row.pnm wanted-crop.pnm 'the upper rows of several QOIs are the right ones'
works 'a stage on a QOI' gf -i one.qoi blur:2 -o found.ppm
gf -i c8.ppm blur:2 -o wanted.ppm
same found.ppm wanted.ppm 'a stage on a QOI has the result of one on its pixels'

# ---- errors

rm -f x.*
for part in 5 13 14 20 200 4000 $(($(wc -c <one.qoi) - 9)) $(($(wc -c <one.qoi) - 1)); do
    head -c "$part" one.qoi >cut.qoi
    refuses 1 'cut.qoi: .*\(cut short\|ends in its header\)' "a cut after $part bytes" gf -i cut.qoi -o x.ppm
done
refuses 1 'standard input: is cut short' 'a QOI that is cut on a pipe' sh -c 'head -c 900 one.qoi | "$0" -o x.ppm' \
    "$GPUFILTER"
{ head -c -1 one.qoi; printf '\002'; } >bad.qoi
refuses 1 'the end marker after its last row is missing' 'a QOI without its end marker' gf -i bad.qoi -o x.ppm
qoi 0 4 3 '' >bad.qoi
refuses 1 'has no pixels' 'a QOI without columns' gf -i bad.qoi -o x.ppm
qoi 4 0 3 '' >bad.qoi
refuses 1 'has no pixels' 'a QOI without rows' gf -i bad.qoi -o x.ppm
qoi 1 1 2 '\300' >bad.qoi
refuses 1 'says 2 channels' 'a QOI of two channels' gf -i bad.qoi -o x.ppm
printf 'qoif\377\377\377\377\377\377\377\377\003\0\0\0\0\0\0\0\0\1' >bad.qoi
refuses 1 'too large' 'a QOI of more pixels than there can be' gf -i bad.qoi -o x.ppm
refuses 1 'raise --max-pixels' 'a QOI of more pixels than allowed' gf --max-pixels 5k -i one.qoi -o x.ppm
printf 'qoif\0\377\377\377\0\0\0\001\004\0\0\0\0\0\0\0\0\1' >bad.qoi
refuses 1 'raise --max-memory' 'a row of more memory than allowed' gf --max-memory 20M -i bad.qoi -o x.ppm
refuses 1 'is PNM, not QOI' 'a PNM with --from qoi' gf -f qoi -i c8.ppm -o x.ppm
refuses 1 'qoi stores only one image' 'several images as QOI' gf -i wanted.pnm -o x.qoi
refuses 1 '' 'a full disk' gf -i c8.ppm -t qoi -o /dev/full
is 'nothing came of these' "$(ls x.* 2>/dev/null)" ''

if ffmpeg -v quiet -h encoder=qoi 2>/dev/null | grep -q '^Encoder qoi'; then
    for file in c8.ppm a8.pam flat.ppm wide.ppm; do
        ffmpeg -v error -y -i $file in.qoi </dev/null
        works "$file as ffmpeg wrote it" gf -i in.qoi -t pnm -o found.pnm
        same found.pnm $file "$file as ffmpeg wrote it has the same pixels"
        gf -i $file -o out.qoi
        ffmpeg -v error -y -i out.qoi "back.${file#*.}" </dev/null
        gf -i "back.${file#*.}" -t pnm -o back.pnm
        same back.pnm $file "$file as ffmpeg reads ours has the same pixels"
    done
else
    skip 'no ffmpeg that knows QOI here'
fi
finish
