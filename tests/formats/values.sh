# Pixels and sample frames as numbers, in TSV and CSV: known values, all depths, and reading them back.
. "$(dirname "$0")/../lib.sh"

printf 'P6\n2 2\n255\n\1\2\3\4\5\6\7\10\11\377\0\200' >in.ppm
gf -i in.ppm -t tsv >out
is 'pixels in TSV' "$(tr '\t' ' ' <out)" 'x y red green blue
0 0 1 2 3
1 0 4 5 6
0 1 7 8 9
1 1 255 0 128'
gf -i in.ppm -o out.csv
is 'pixels in CSV' "$(tr '\n' ' ' <out.csv)" 'x,y,red,green,blue 0,0,1,2,3 1,0,4,5,6 0,1,7,8,9 1,1,255,0,128 '
is 'floats between 0 and 1' "$(gf -i in.ppm crop:1x1+1+1 --depth f32 -t csv | tail -n 1)" '0,0,1,0,0.501960814'
is '16 bits of a result' "$(gf -i in.ppm crop:1x1+1+1 --depth 16 -t csv | tail -n 1)" '0,0,65535,0,32896'
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\0' >clear.pam
is 'gray with alpha' "$(gf -i clear.pam -t csv | tr '\n' ' ')" 'x,y,gray,alpha 0,0,100,0 '
printf 'P2\n3 1\n700\n0 1 700\n' >levels.pgm
is 'levels are those of the file' "$(gf -i levels.pgm -t csv | tr '\n' ' ')" 'x,y,gray 0,0,0 1,0,1 2,0,700 '
printf 'Pf\n3 1\n-1\n\0\0\300\277\0\0\200\177\315\314\314\75' >floats.pfm
is 'floats outside 0 to 1 and infinity' "$(gf -q -i floats.pfm -t csv | tr '\n' ' ')" \
    'x,y,gray 0,0,-1.5 1,0,inf 2,0,0.100000001 '

printf '\1\200\377\177\0\0\1\0' >sound.raw
gf -q --from raw:rate=8,channels=2,type=s16 -i sound.raw -o sound.wav
is 'frames of audio' "$(gf -i sound.wav -t csv | tr '\n' ' ')" 'frame,seconds,1,2 0,0,-32767,32767 1,0.125,0,1 '
for depth in 8 24 32; do
    gf -q -i sound.wav --depth $depth -o deep.wav
    is "audio of $depth bits" "$(gf -i deep.wav -t csv | sed -n '2s/.*,//p')" \
       "$((depth == 8 ? 127 : 32767 << (depth - 16)))"
done
is 'audio as floats' "$(gf -i sound.wav --depth f32 -t csv | sed -n '3p')" '1,0.125,0,3.05175781e-05'

# A wide image is read back, whatever the segments are.
gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" resize:300x200 -o wide.ppm
{ printf 'P3\n300 200\n255\n'; gf -i wide.ppm -t csv | tail -n +2 | cut -d , -f 3- | tr , ' '; } >plain.ppm
gf -i plain.ppm -o again.ppm
same wide.ppm again.ppm 'all values of an image'
gf -i wide.ppm blur:2 -t tsv >one
gf -i wide.ppm blur:2 --segment 3K --lanes 3 -t tsv >two
same one two 'the same numbers, however cut'
is 'places are in order' "$(awk 'NR > 1 && ($1 != (NR - 2) % 300 || $2 != int((NR - 2) / 300))' one | wc -l)" 0

cat in.ppm in.ppm >several.ppm
refuses 1 'only one image' 'several images as numbers' gf -i several.ppm -o out.csv
works 'one file for each image' gf -q -i several.ppm -o 'v{n}.csv'
same v1.csv v2.csv 'both images have the same numbers'
refuses 2 'json stores tables, but the result is an image' 'an image in JSON' gf -i in.ppm -t json
if [ -c /dev/full ]; then
    to_full() { gf -i wide.ppm -t csv -o /dev/full; }
    refuses 1 'No space left' 'a full disk' to_full
fi

finish
