# Channels and samples of TIFF: used completely, selected with --channels, or refused with a reason.
# Values are known in advance.
. "$(dirname "$0")/lib_tiff.sh"

tuple() { sed -n 's/^DEPTH //p; s/^TUPLTYPE //p; /^ENDHDR/q' "$1" | tr '\n' ' '; }

# ---- PAM, which can have any number of channels

printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n\001\002\003\004\005\006\007\010\011\012' >five.pam
refuses 1 'five.pam: has 5 channels, .*--channels 1,2,3' 'a PAM of five channels' gf -i five.pam -o x.pam
warns 'note: five.pam: --channels leaves out channels 1, 3, 4 of 5' 'two of them' \
    gf -i five.pam --channels 5,2 -o two.pam
is '--channels 5,2 has two channels in this order' "$(tuple two.pam)$(samples two.pam)" '2 CHANNELS  5 2 10 7 '
warns 'leaves out channels 4, 5 of 5' 'three of them, from a pipe' \
    sh -c 'cat five.pam | "$0" --channels 3,1,2 -t pam >three.pam' "$GPUFILTER"
is '--channels 3,1,2 from a pipe is RGB' "$(tuple three.pam)$(samples three.pam)" '3 RGB  3 1 2 8 6 7 '
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 1000\nTUPLTYPE RGB_ALPHA\nENDHDR\n\000\001\000\002\000\003\000\004' \
    >four.pam
works '--channels 3,2,1,4 with alpha last' gf -i four.pam --channels 3,2,1,4 -o two.pam
is '--channels 3,2,1,4 keeps alpha' "$(tuple two.pam)$(samples two.pam)" '4 RGB_ALPHA  0 3 0 2 0 1 0 4 '
works 'alpha in front' gf -i four.pam --channels 4,3,2,1 -o two.pam
is '--channels with alpha in front gives data' "$(tuple two.pam)$(samples two.pam)" '4 CHANNELS  0 4 0 3 0 2 0 1 '
refuses 1 'there is no channel 6, only 5 channels' 'a channel too far' gf -i five.pam --channels 6 -o x.pam
image plain.ppm 2 1 3 255 1
refuses 2 'plain.ppm: --channels works only with PAM and TIFF' '--channels of a PPM' \
    gf -i plain.ppm --channels 1 -o x.pgm
gf -i plain.ppm -o plain.png
refuses 2 'plain.png: --channels works with PAM, PBM, PFM, PGM, PPM and TIFF, and this is png' '--channels of a PNG' \
    gf -i plain.png --channels 1 -o x.pgm
sound s.wav 100 2 1
refuses 2 's.wav: --channels is for images; .*remix' '--channels of audio' gf -i s.wav --channels 1 -o x.wav
for value in 0 1,2,3,4,5 1,,2 1, -1 red 65536 99999999999999999999; do
    refuses 2 'must be 1 to 4 numbers' "--channels $value" gf --channels=$value -i five.pam -o x.pam
done
works 'a second image keeps its channels' gf -q -i five.pam --channels 1,2,3 blend:plain.ppm,screen,50% -o x.ppm

gf --version | grep -q '^images:.*libtiff' || { skip 'built without libtiff'; finish; }

# ---- gray and more

w2='256,3,1,2 257,3,1,1'
page '\001\002\003\004' $w2 258,3,2,524296 262,3,1,1 273,4,1,@ 277,3,1,2 278,3,1,1 279,4,1,4 >two.tif
works 'gray and another channel' gf -i two.tif -o two.pam
is 'gray and another channel are both read' "$(tuple two.pam)$(samples two.pam)" '2 CHANNELS  1 2 3 4 '
refuses 2 'png stores gray or RGB, not 2 channels; .*--channels 1 ' 'gray and another channel do not fit into PNG' \
    gf -i two.tif -o x.png
works 'gray and another channel fit into TIFF' gf -i two.tif -o again.tif
gf -i again.tif -o again.pam
same again.pam two.pam 'gray and another channel are the same after a TIFF'
page '\000\010\000\010\000\010\001\002\003\004\005\006' $w2 258,3,3,@ 262,3,1,1 273,4,1,@6 277,3,1,3 278,3,1,1 \
    279,4,1,6 >three.tif
warns 'warning: three.tif: its 3 gray channels are read as red, green and blue' 'three gray channels' \
    gf -i three.tif -o three.ppm
is 'three gray channels are read as RGB' "$(plain three.ppm)" ' 1 2 3 4 5 6 '
works 'three gray channels with --channels 3,2,1' gf -i three.tif --channels 3,2,1 -o three.ppm
is 'three gray channels with --channels 3,2,1 are in this order' "$(plain three.ppm)" ' 3 2 1 6 5 4 '
refuses 1 'an error because of --strict' 'three gray channels with --strict' gf --strict -i three.tif -o x.ppm

# ---- five and more: contiguous, then in planes, of 8 and of 16 bits

eights='\000\010\000\010\000\010\000\010\000\010'
page "$eights"'\001\002\003\004\005\006\007\010\011\012' $w2 258,3,5,@ 262,3,1,1 273,4,1,@10 277,3,1,5 278,3,1,1 \
    279,4,1,10 >five.tif
refuses 1 'five.tif: has 5 channels (gray), .*--channels 1,2,3 ' 'a TIFF of five channels' gf -i five.tif -o x.pam
warns 'note: five.tif: --channels leaves out channels 2, 4 of 5' 'three of five' \
    gf -i five.tif --channels 1,3,5 -o x.ppm
is 'three of five channels are RGB' "$(plain x.ppm)" ' 1 3 5 6 8 10 '
gf -q -i five.tif --channels 5 -o x.pgm
is 'the last alone is gray' "$(plain x.pgm)" ' 5 10 '
gf -q -i five.tif --channels 4,3,2,1 -o x.pam
is 'four are RGB and data' "$(tuple x.pam)$(samples x.pam)" '4 CHANNELS  4 3 2 1 9 8 7 6 '
refuses 1 'there is no channel 6, only 5 channels' 'the sixth of five channels' gf -i five.tif --channels 6 -o x.pam
# Five planes of two samples. Before them are their bits, offsets and sizes (10, 20 and 20 bytes).
# They begin at offset 158, after the entries.
at() { printf '\\000\\000\\000\\%03o' "$1"; }
offsets=$(for i in 0 2 4 6 8; do at $((8 + 2 + 12 * 10 + 4 + 50 + i)); done)
counts=$(for i in 0 2 4 6 8; do at 2; done)
page "$eights$offsets$counts"'\001\006\002\007\003\010\004\011\005\012' $w2 258,3,5,@ 262,3,1,1 273,4,5,@10 277,3,1,5 \
    278,3,1,1 279,4,5,@30 284,3,1,2 \
    338,3,2,0 >planes.tif
refuses 1 'planes.tif: has 5 channels' 'a TIFF of five planes' gf -i planes.tif -o x.pam
gf -q -i planes.tif --channels 5,1,3 -o x.ppm
is 'three of them' "$(plain x.ppm)" ' 5 1 3 10 6 8 '

# ---- RGB and more

fours='\000\010\000\010\000\010\000\010'
page "$fours"'\001\002\003\004\005\006\007\010' $w2 258,3,4,@ 262,3,1,2 273,4,1,@8 277,3,1,4 278,3,1,1 \
    279,4,1,8 >rgbx.tif
works 'RGB and a channel of which nothing is said' gf -i rgbx.tif -o x.pam
is 'a channel of an unknown kind is no alpha' "$(tuple x.pam)$(samples x.pam)" '4 CHANNELS  1 2 3 4 5 6 7 8 '
gf -i rgbx.tif -o y.tif
gf -i y.tif -o y.pam
same y.pam x.pam 'a channel of an unknown kind is the same after a TIFF'
warns 'leaves out channel 4 of 4' 'the colours alone' gf -i rgbx.tif --channels 1,2,3 -o x.png
page "$eights"'\001\002\003\004\005\006\007\010\011\012' $w2 258,3,5,@ 262,3,1,2 273,4,1,@10 277,3,1,5 278,3,1,1 \
    279,4,1,10 338,3,2,131072 >rgbax.tif
refuses 1 'rgbax.tif: has 5 channels (RGB, number 4 is alpha)' 'RGB, alpha and data' gf -i rgbax.tif -o x.pam
gf -q -i rgbax.tif --channels 1,2,3,4 -o x.pam
is 'RGB, alpha and data: the data is left out' "$(tuple x.pam)$(samples x.pam)" '4 RGB_ALPHA  1 2 3 4 6 7 8 9 '
gf -q -i rgbax.tif --channels 5,4 -o x.pam
is 'data and alpha' "$(tuple x.pam)$(samples x.pam)" '2 GRAYSCALE_ALPHA  5 4 10 9 '
page '\000\010\000\010\000\010\001\002\003\004\005\006' $w2 258,3,3,@ 262,3,1,1 273,4,1,@6 277,3,1,3 278,3,1,1 \
    279,4,1,6 338,3,2,2 >gxa.tif
refuses 1 'gxa.tif: has 3 channels (gray, number 3 is alpha)' 'gray, data and alpha' gf -i gxa.tif -o x.pam

# ---- samples: 12 bits, signed, floats of 16 and 64 bits

page '\253\301\043' $w2 258,3,1,12 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,3 >twelve.tif
works 'a TIFF of 12 bits' gf -i twelve.tif -o twelve.pgm
is '12 bits keep their values: 2748 and 291 of 4095' "$(sed -n 3p twelve.pgm)$(plain twelve.pgm)" '4095 10 188 1 35 '
page '\253\301\043' $w2 258,3,1,12 262,3,1,0 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,3 >twelve0.tif
gf -i twelve0.tif -o twelve.pgm
is 'white is 0: 1347 and 3804' "$(plain twelve.pgm)" ' 5 67 14 220 '
page '\022\064\126' 256,3,1,2 257,3,1,1 258,3,3,@3 262,3,1,2 273,4,1,@ 277,3,1,3 278,3,1,1 279,4,1,3 >rgb4.tif
{ cat rgb4.tif; printf '\000\004\000\004\000\004'; } >rgb44.tif
works 'RGB of 4 bits' gf -i rgb44.tif -o x.ppm
is 'RGB of 4 bits keeps its values' "$(sed -n 3p x.ppm)$(plain x.ppm)" '15 1 2 3 4 5 6 '
floats() { tail -n +4 "$1" | od -An -v -tx4 --endian=little | tr -s ' \n' ' '; }
page '\200\000\100\000' $w2 258,3,1,16 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,4 339,3,1,2 >signed.tif
warns 'warning: signed.tif: signed 16-bit samples become floats .*divided by 32768' 'signed samples' \
    gf -i signed.tif -o x.pfm
is 'signed samples of 16 bits: -1 and .5' "$(floats x.pfm)" ' bf800000 3f000000 '
page '\200\100' $w2 258,3,1,8 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,2 339,3,1,2 >signed.tif
gf -q -i signed.tif -o x.pfm
is 'signed samples of 8 bits: -1 and .5' "$(floats x.pfm)" ' bf800000 3f000000 '
page '\074\000\270\000' $w2 258,3,1,16 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,4 339,3,1,3 >half.tif
works 'floats of 16 bits' gf -i half.tif -o x.pfm
is 'floats of 16 bits: 1 and -.5' "$(floats x.pfm)" ' 3f800000 bf000000 '
page '\000\001\003\377' $w2 258,3,1,16 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,4 339,3,1,3 >half.tif
gf -i half.tif -o x.pfm
is 'the smallest, and one below normal numbers' "$(floats x.pfm)" ' 33800000 387fc000 '
page '\077\360\000\000\000\000\000\000\277\340\000\000\000\000\000\000' $w2 258,3,1,64 262,3,1,1 273,4,1,@ 277,3,1,1 \
    278,3,1,1 279,4,1,16 339,3,1,3 >double.tif
warns 'warning: double.tif: 64-bit floats become 32-bit floats' 'floats of 64 bits' gf -i double.tif -o x.pfm
is 'floats of 64 bits: 1 and -.5' "$(floats x.pfm)" ' 3f800000 bf000000 '
page '\000\000\000\001\000\000\000\002' $w2 258,3,1,32 262,3,1,1 273,4,1,@ 277,3,1,1 278,3,1,1 279,4,1,8 >long.tif
refuses 1 'long.tif: TIFF with 32-bit unsigned gray samples, 1 per pixel, compression None' \
    'a TIFF of integers of 32 bits' gf -i long.tif -o x.pfm
page '\000\010\000\010\000\010\001\002\003\004\005\006' $w2 258,3,3,@ 262,3,1,8 273,4,1,@6 277,3,1,3 278,3,1,1 \
    279,4,1,6 >lab.tif
refuses 1 'lab.tif: TIFF with 8-bit unsigned Lab samples, 3 per pixel' 'a TIFF with Lab colors' gf -i lab.tif -o x.ppm

# ---- CMYK: no ink; all cyan and half of the black; alpha; a fifth ink

page "$fours"'\000\000\000\000\377\000\000\200' $w2 258,3,4,@ 262,3,1,5 273,4,1,@8 277,3,1,4 278,3,1,1 \
    279,4,1,8 >cmyk.tif
works 'a TIFF with CMYK' gf -q -i cmyk.tif -o x.ppm
is 'a TIFF with CMYK is converted' "$(plain x.ppm)" ' 255 255 255 0 127 127 '
gf -i cmyk.tif --channels 1,2,3,4 -o x.pam
is 'picked: as it is stored' "$(tuple x.pam)$(samples x.pam)" '4 CHANNELS  0 0 0 0 255 0 0 128 '
page '\000\020\000\020\000\020\000\020\000\000\377\377\100\000\000\000' 256,3,1,1 257,3,1,1 258,3,4,@ 262,3,1,5 \
    273,4,1,@8 277,3,1,4 278,3,1,1 279,4,1,8 >cmyk16.tif
works 'CMYK of 16 bits' gf -q -i cmyk16.tif -o x.ppm
is 'CMYK of 16 bits is converted' "$(plain x.ppm)" ' 255 255 0 0 191 255 '
page "$eights"'\000\000\000\000\007\377\000\000\200\011' $w2 258,3,5,@ 262,3,1,5 273,4,1,@10 277,3,1,5 278,3,1,1 \
    279,4,1,10 338,3,1,2 >cmyka.tif
works 'CMYK and alpha' gf -q -i cmyka.tif -o x.pam
is 'CMYK and alpha keeps alpha' "$(tuple x.pam)$(samples x.pam)" '4 RGB_ALPHA  255 255 255 7 0 127 127 9 '
page "$eights"'\000\000\000\000\007\377\000\000\200\011' $w2 258,3,5,@ 262,3,1,5 273,4,1,@10 277,3,1,5 278,3,1,1 \
    279,4,1,10 >spot.tif
gf -q -i spot.tif --channels 5 -o x.pgm
is 'the fifth channel of CMYK can be picked' "$(plain x.pgm)" ' 7 9 '
refuses 1 'spot.tif: has 5 channels (CMYK), .*--channels 1,2,3,4 ' 'a fifth ink' gf -i spot.tif -o x.pam
finish
