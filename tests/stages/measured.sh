# Known answers for stages that measure the whole signal first, worked out by hand: histograms,
# equalize, normalize, statistics.
. "$(dirname "$0")/lib_answers.sh"

gray 4 1  10 10 20 30
picture '0 0 128 255' equalize               # (3 - 2)·255/2 = 127.5 rounds to even
rgb 2 1  10 10 10 200 100 50
picture '0 0 0 255 231 181' equalize         # a brightness of 124.2 becomes 255
rgb 3 1  0 0 0 255 255 255 30 20 10
picture '0 0 0 255 255 255 136 126 116' equalize     # 21.85, the second of three, becomes 127.5, which rounds to 128
rm in.ppm
image noise.ppm 211 397 3 255 5
gf -i noise.ppm equalize -o bytes.ppm
gf -i noise.ppm alpha:on equalize alpha:off -o floats.ppm
same bytes.ppm floats.ppm 'equalize of bytes, and by way of floats'
gf -i noise.ppm crop:207x300+3+7 equalize -o bytes.ppm
gf -i noise.ppm crop:207x300+3+7 alpha:on equalize alpha:off -o floats.ppm
same bytes.ppm floats.ppm 'equalize of a part of an image, of bytes and by way of floats'
gray 4 1  77 77 77 77
picture '77 77 77 77' equalize
picture '77 77 77 77' autolevel
picture '77 77 77 77' autolevel:10%,rgb
gray 4 1  50 100 150 200
picture '0 85 170 255' autolevel
picture '0 85 170 255' brightness:-1 autolevel
picture '0 85 170 255' normalize
gray 10 1  0 50 90 90 130 130 170 210 250 255
picture '0 0 51 51 102 102 153 204 255 255' autolevel:10%
picture '0 50 90 90 130 130 170 210 250 255' autolevel:9.9%
rgb 2 1  50 90 130  170 210 250
picture '0 51 102 153 204 255' autolevel
picture '0 0 0 255 255 255' autolevel:0,rgb
picture '0 51 102 153 204 255' autolevel:10%
picture '0 0 0 255 255 255' normalize:10%,rgb
picture '0 0 0 255 255 255' autolevel:10%,rgb
picture '0 51 102 153 204 255' alpha:on 'matrix:[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 0]' autolevel alpha:off
rm in.ppm

gray 4 1  10 10 20 40
picture '128 128 191 255' clahe:1,clip=0     # 2/4, 3/4 and all of 255
picture '255 191 160 255' clahe:2,clip=0     # tiles of two; between them 3/4 of 255, then 1/4 of 255 and 3/4 of 128
gray 4 1  10 10 10 40
picture '128 128 128 191' clahe:1,clip=1     # counts above one go to bins 0 and 128
# 16 bits have 4096 bins; the limit applies to 256 groups of 16. All bins share the two excess
# pixels: 1 + 2/4096 of 4 at bin 0.
fine() { echo "P2 4 1 65535 $1" | gf clahe:1,clip=1 -t raw | numbers u2; }
is 'clahe of 16 bits: a limit of one' "$(fine '0 0 65535 65535')" '16388 16388 65535 65535'
# Bins 0 and 1 are in one group, so each keeps half: 0.5 + 2/4096 and 1 + 4/4096 of 4.
is 'clahe of 16 bits: bins of a group' "$(fine '0 16 65535 65535')" '8194 16404 65535 65535'

gray 8 1  0 63 64 127 128 191 192 255
gf -i in.pgm histogram:4 -o out.tsv
is 'histogram:4 counts samples' "$(sed 1d out.tsv | tr '\t\n' ' ;')" '0 2;1 2;2 2;3 2;'
gf -i in.pgm histogram:4 -o out.csv
is 'histogram:4 as CSV' "$(sed 1d out.csv | tr '\n' ';')" '0,2;1,2;2,2;3,2;'
gf -i in.pgm histogram:4 -o out.json
is 'histogram:4 as JSON' "$(tr -d ' \n' <out.json)" \
    '{"bins":4,"range":[0,1],"samples":8,"channels":[{"name":"y","counts":[2,2,2,2]}]}'

# table WANTED ARGUMENT...: tests min, max, mean, sd, median and the count of non-finite values of
# in.pgm, or of $from.
table()
{
    wanted=$1
    shift
    gf -i ${from:-in.pgm} "$@" stats -o out.tsv 2>errors
    is "${from:-} $* stats: $wanted" "$(sed 1d out.tsv | cut -f 2- | tr '\t\n' ' ;')$(cat errors)" "$wanted"
}
from=
gray 5 1  0 51 51 255 255
table '0 1 0.48 0.430813185 0.2 0;'          # 0 .2 .2 1 1: the mean of the squares is .416, so the variance .1856
gray 4 1  51 102 204 255
table '0.2 1 0.6 0.316227766 0.6 0;'         # between 102 and 204; the variance is .1
gray 4 1  0 255 255 0
table '0.5 1.5 1 0.5 1 0;' brightness:0.5     # nothing is clipped in between
rgb 2 1  255 0 51  255 255 51
from=in.ppm
table '1 1 1 0 1 0;0 1 0.5 0.5 0.5 0;0.2 0.2 0.2 0 0.2 0;' flop
rm in.ppm
printf 'Pf\n4 1\n-1.0\n\000\000\200\277\000\000\200\177\000\000\100\100\000\000\300\177' >odd.pfm    # -1 inf 3 nan
from=odd.pfm
table '-1 3 1 2 1 2;'
table '-1 2 1 1.41421356 2 1;' clamp:-1,2     # -1 2 2 nan: NaN stays NaN
from=

frames 1  16384 -16384 0 8192
gf -i in.wav stats -o out.tsv 2>errors
is 'stats: least, greatest, mean' "$(${AWK:-awk} '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { print $at["min"], $at["max"], $at["mean"] }' out.tsv)$(cat errors)" '-0.5 0.5 0.0625'
# row NAME FIELD...: tests a row of the statistics of in.wav.
row()
{
    name=$1
    shift
    gf -i in.wav stats -o out.tsv 2>errors
    ${AWK:-awk} -F '\t' -v name="$name" -v fields="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(fields, field, " ") }
        $1 == name { for (i = 1; i <= count; i++) printf "%s%s", (i > 1 ? " " : ""), $at[field[i]] }' out.tsv
    cat errors
}
frames 2  16384 32767  -16384 -32768  16384 32766  -16384 32767
is 'stats: crest, RMS in dB' "$(row 1 crest rms_db peak_db)" '1 -6.02059991 -6.02059991'
is 'stats: clipped, by channel' "$(row 1 clipped) $(row 2 clipped) $(row all clipped)" '0 3 3'
is 'stats: at its beginning' "$(row 1 clipped_at) $(row 2 clipped_at) $(row all clipped_at)" 'nan 0 0'
is 'stats: of both' "$(row all min max)" '-1 0.999969482'
gf -i in.wav stats -o out.json
is 'stats of audio as JSON' "$(tr ',{' '\n\n' <out.json | grep -c '"name"') $(grep -c '"all":{"min":-1,' out.json)" \
    '2 1'
frames 2  $(${AWK:-awk} 'BEGIN { for (i = 0; i < 2500; i++)
    print (i == 1700 || i == 2400 ? 32767 : 5), (i == 1599 || i == 1601 ? -32768 : -9) }')
is 'stats: a tenth of a second is 800 frames here' \
    "$(row 1 clipped clipped_at) $(row 2 clipped clipped_at) $(row all clipped clipped_at)" '2 0.2 2 0.1 4 0.1'
frames 1  0 0 0
is 'stats of silence' "$(row 1 rms peak_db lufs clipped)" '0 -inf -inf 0'

frames 1  100 -50 25
heard '32767 -16384 8192' normalize          # 100/32768 to 1, which ends at 32767
heard '16384 -8192 4096' normalize:-6.0206
heard '16384 -8192 4096' normalize:-6.0206dB
heard '100 -50 25' normalize normalize:-50.309   # 20 log10(100/32768)
frames 2  8192 100  -16384 0
heard '16384 200 -32768 0' normalize         # one gain, from the loudest sample
heard '4096 50 -8192 0' normalize:-12.0412
frames 1  3000 -3000 3000 -3000
heard '3277 -3277 3277 -3277' normalize:rms=-20      # 3276.8
heard '3000 -3000 3000 -3000' gain:-300 normalize:rms=-20.7665
frames 1  0 0 0
heard '0 0 0' normalize
heard '0 0 0' normalize:rms=-20

frames 1  0 0 100 200
heard '-32768 -32768 0 32767' equalize       # (3 - 2)·65535/2 = 32767.5 goes to the even bin 32768, which is 0
frames 2  7 -32768  7 -32767  7 32766  7 32767
heard '7 -32768 7 -10923 7 10922 7 32767' equalize   # a single level stays; each of three steps is 21845 bins
frames 1  -32768 -32767 -1 0 1 32766 32767 32767
gf -i in.wav histogram -o out.tsv 2>errors
is 'histogram: each level of 16 bits has a bin' \
    "$(${AWK:-awk} 'NR > 1 && $2 > 0 { printf "%s:%s ", $1, $2 }' out.tsv; wc -l <out.tsv)$(cat errors)" \
    '0:1 1:1 32767:1 32768:1 32769:1 65534:1 65535:2 65537'
gf -i in.wav gain:6.0206 histogram:4 -o out.json 2>errors
is 'histogram: four parts of -1 to 1' "$(cat out.json errors)" \
    '{"bins":4,"range":[-1,1],"samples":8,"channels":[{"name":"1","counts":[2,1,2,3]}]}'
# NaN and infinity count as silence if samples are mixed or looked up, on both sides of a block's
# end.
floats() { gf -q -f raw:rate=8000,channels=1,type=f32 -i odd.f32 "$@" -t raw:type=s16 2>&1 | numbers d2; }
h='\000\000\000\077'                        # 0.5
for odd in 'NaN \000\000\300\177' 'infinity \000\000\200\177' '-infinity \000\000\200\377'; do
    printf "$h$h${odd#* }$h" >odd.f32
    odd=${odd%% *}
    is "fir of few taps with a float of $odd" "$(floats 'fir:[.5 .25]')" '8192 12288 4096 8192'
    is "fir of many taps with a float of $odd" \
        "$(floats "fir:[.5 .25$(printf " 0%.0s" $(seq 98))]")" '8192 12288 4096 8192'
    is "reverb with a float of $odd" "$(floats "reverb:[1 .5],wet=.5,norm=none,tail=cut")" '16384 20480 4096 16384'
    is "lowpass with a float of $odd" "$(floats lowpass:1k,taps=1)" '16384 16384 0 16384'
    is "limit with a float of $odd" "$(floats limit:0)" '16384 16384 0 16384'
    is "equalize with a float of $odd" "$(floats equalize)" '32767 32767 -32768 32767'
done

finish
