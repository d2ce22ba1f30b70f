# Y4M: reads and writes all layouts, depths and ranges, in sequences of frames.
. "$(dirname "$0")/../lib.sh"
choose_device
gf() { "$GPUFILTER" --device $device "$@"; }

# frames FILE HEADER WIDTH HEIGHT CHROMA_WIDTH CHROMA_HEIGHT BITS COUNT SEED: writes frames of noise
# over a gradient.
frames()
{
    ${AWK:-awk} -v header="$2" -v w="$3" -v h="$4" -v cw="$5" -v ch="$6" -v bits="$7" -v n="$8" -v seed="$9" 'BEGIN {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "YUV4MPEG2 W%d H%d %s\n", w, h, header
        seed = seed * 7919 + 17
        size = w * h + 2 * cw * ch
        for (k = 0; k < n; k++) {
            printf "FRAME\n"
            for (i = 0; i < size; i++) {
                seed = seed * 16807 % 2147483647
                v = int((2 ^ bits - 1) * (.2 + .3 * i / size + .3 * seed / 2147483647))
                printf "%s%s", C[v % 256], (bits > 8 ? C[int(v / 256)] : "")
            }
        }
    }' >"$1"
}

# bytes FILE SKIP COUNT: prints samples as numbers.
bytes() { od -An -v -tu1 -j "$2" -N "$3" "$1" | tr -s ' \n' ' ' | sed 's/^ //;s/ $//'; }
# pixels FILE COUNT: prints the last COUNT bytes.
pixels() { bytes "$1" $(($(wc -c <"$1") - $2)) "$2"; }
# reds FILE COUNT: prints red of the first COUNT pixels of a PPM, which must not be larger than 9x9.
reds() { bytes "$1" 11 $((3 * $2)) | cut -d ' ' -f 1,4,7,10,13,16,19,22; }
header() { head -n 1 "$1" | tr -d '\n'; }

# ---- known values

# Black, white and a red of 8 bits, limited range, BT.601: 16, 235; 81 90 240 is slightly darker
# than red.
printf 'YUV4MPEG2 W3 H1 C444\nFRAME\n\020\353\121\200\200\132\200\200\360' >known.y4m
works 'limited 4:4:4 to PPM' gf -i known.y4m -o known.ppm
is 'black, white, red' "$(pixels known.ppm 9)" '0 0 0 255 255 255 254 0 0'
printf 'YUV4MPEG2 W3 H1 C444 XCOLORRANGE=FULL\nFRAME\n\0\377\114\200\200\125\200\200\377' >known.y4m
works 'full 4:4:4 to PPM' gf -i known.y4m -o known.ppm
is 'black, white, red in full range' "$(pixels known.ppm 9)" '0 0 0 255 255 255 254 0 0'
printf 'YUV4MPEG2 W2 H1 C444p10\nFRAME\n\100\0\254\003\0\002\0\002\0\002\0\002' >known.y4m
works '10 bits to PPM' gf -i known.y4m --depth 8 -o known.ppm
is 'black and white of 10 bits' "$(pixels known.ppm 6)" '0 0 0 255 255 255'
printf 'YUV4MPEG2 W2 H1 Cmono XCOLORRANGE=LIMITED\nFRAME\n\020\353' >known.y4m
works 'luma alone to PGM' gf -i known.y4m -o known.pgm
is 'luma alone as PGM is gray' "$(pixels known.pgm 2)" '0 255'

# Red decreases along a row: Cr is 128 and 160, so red is 100 + 1.402 (Cr - 128), for Cr of 128,
# 136, 144, 152 and 160.
printf 'YUV4MPEG2 W4 H2 C420jpeg XCOLORRANGE=FULL\nFRAME\ndddddddd\200\200\200\240' >known.y4m
works '4:2:0 between columns' gf -i known.y4m -o known.ppm
is 'chroma lies between' "$(reds known.ppm 4)" '100 111 134 145'
printf 'YUV4MPEG2 W4 H2 C420mpeg2 XCOLORRANGE=FULL\nFRAME\ndddddddd\200\200\200\240' >known.y4m
works '4:2:0 on the left' gf -i known.y4m -o known.ppm
is 'chroma lies on the left' "$(reds known.ppm 4)" '100 122 145 145'
printf 'YUV4MPEG2 W4 H1 C422 XCOLORRANGE=FULL\nFRAME\ndddd\200\200\200\240' >known.y4m
works 'chroma of two columns (4:2:2)' gf -i known.y4m -o known.ppm
is 'chroma lies on the left here too' "$(reds known.ppm 4)" '100 122 145 145'
printf 'YUV4MPEG2 W8 H1 C411 XCOLORRANGE=FULL\nFRAME\ndddddddd\200\200\200\240' >known.y4m
works 'chroma of four columns (4:1:1)' gf -i known.y4m -o known.ppm
is 'chroma of four columns' "$(reds known.ppm 8)" '100 111 122 134 145 145 145 145'
printf 'YUV4MPEG2 W1 H4 C420 XCOLORRANGE=FULL\nFRAME\ndddd\200\200\200\240' >known.y4m
works '4:2:0 down a column' gf -i known.y4m -o known.ppm
is 'chroma lies between rows' "$(reds known.ppm 4)" '100 111 134 145'

# Pure colors from RGB to Y'CbCr; BT.709 from 720 rows on.
printf 'P6\n3 1\n255\n\377\0\0\0\0\0\377\377\377' >rgb.ppm
works 'PPM to Y4M' gf -i rgb.ppm -o made.y4m
is 'a PPM as Y4M has a header' "$(header made.y4m)" 'YUV4MPEG2 W3 H1 F25:1 Ip A1:1 C420jpeg'
# Cb of red and black is the mean of 90.2 and 128. White is alone in its pair, with a neutral Cb of
# 128.
is 'a PPM as Y4M has its samples' "$(pixels made.y4m 7)" '81 16 235 109 128 184 128'
${AWK:-awk} 'BEGIN { printf "P6\n1 720\n255\n"; for (i = 0; i < 720; i++) printf "%c%c%c", 255, 1, 1 }' >tall.ppm
works 'a tall PPM' gf -i tall.ppm -o made.y4m
is 'a tall PPM as Y4M is BT.709' "$(pixels made.y4m 361 | cut -d ' ' -f 1) $(pixels made.y4m 1)" '102 240'
printf 'P5\n1 4\n255\n\144\157\206\221' >gray.pgm
works 'a PGM as Y4M' gf -i gray.pgm -o made.y4m
is 'a PGM as Y4M is luma alone, in full range' \
    "$(header made.y4m)" 'YUV4MPEG2 W1 H4 F25:1 Ip A1:1 Cmono XCOLORRANGE=FULL'
is 'a PGM as Y4M has the same samples' "$(pixels made.y4m 4)" '100 111 134 145'
works 'a PPM as Y4M with --depth 16' gf -i rgb.ppm --depth 16 -o made.y4m
is 'a PPM as Y4M with --depth 16 has 16 bits' "$(header made.y4m)" 'YUV4MPEG2 W3 H1 F25:1 Ip A1:1 C420p16'

# ---- another frame rate

cat rgb.ppm rgb.ppm >row.ppm
for pair in '24 24:1' '25.0 25:1' '12.5 25:2' '0.2 1:5' '16.667 16667:1000' '23.976 24000:1001' '29.97 30000:1001' \
    '59.94 60000:1001' \
    '30000/1001 30000:1001' '50:2 50:2' '1/10 1:10'; do
    works "--rate ${pair% *}" gf -i row.ppm --rate ${pair% *} -o made.y4m
    is "--rate ${pair% *} is ${pair#* }" \
        "$(header made.y4m | cut -d ' ' -f 4) $(grep -ao FRAME made.y4m | wc -l | tr -d ' ')" "F${pair#* } 2"
done
works '-r24 on a pipe' sh -c '"$0" -i row.ppm -r24 -t y4m | cat >made.y4m' "$GPUFILTER"
is '-r24 on a pipe is a rate of 24' "$(header made.y4m)" 'YUV4MPEG2 W3 H1 F24:1 Ip A1:1 C420jpeg'
frames in.y4m 'F30000:1001 Ip A4:3 C420jpeg' 7 5 4 3 8 3 1
refuses 0 "^gpufilter: warning: made.y4m: plays at 0.8008 times the speed, because --rate 24 keeps all frames of "\
'29.97 per second; to keep the speed, use the stage fps:24$' \
    'video that comes in' gf -i in.y4m -r 24 -o made.y4m
is 'video with --rate has another rate' "$(header made.y4m)" 'YUV4MPEG2 W7 H5 F24:1 Ip A4:3 C420jpeg'
is 'video with --rate has the same frames' "$(tail -n +2 made.y4m | cksum)" "$(tail -n +2 in.y4m | cksum)"
for rate in 30000/1001 29.97 60000/2002; do
    works "video with its own rate, $rate" gf -i in.y4m --rate $rate -o same.y4m
done
refuses 0 'plays at 1.001 times' 'a slightly different rate' gf -i in.y4m --rate 30 -o same.y4m
refuses 1 'plays at 1.001 times' 'a slightly different rate is an error with --strict' \
    gf --strict -i in.y4m --rate 30 -o never.y4m
frames unknown.y4m 'Ip A4:3 C420jpeg' 7 5 4 3 8 3 1
works 'video without a rate' gf -i unknown.y4m --rate 30 -o same.y4m
works 'images before a rate is chosen' sh -c '"$0" -q -i in.y4m -t pnm | "$0" --rate 24 -o same.y4m' "$GPUFILTER"
works 'a tee of it' gf -q -i in.y4m --rate 50 tee:other.y4m tee:frame{n}.ppm blur:1 -o made.y4m
is 'a tee has the rate of --rate' "$(header made.y4m | cut -d ' ' -f 4) $(header other.y4m | cut -d ' ' -f 4)" \
    'F50:1 F50:1'
for rate in 0 -5 44100 1001 0.0001 x 25fps 1/0 25/ 1e2 25/1/1 nan ''; do
    refuses 2 '--rate: must be' "--rate '$rate'" gf -i row.ppm --rate "$rate" -o never.y4m
done
refuses 2 '-r 44100: more than 1000 .*rate of audio is a stage: resample:44100' '-r of other programs' \
    gf -i row.ppm -r 44100 -o never.y4m
refuses 2 'only video and animations have a frame rate, and never.jpg is jpeg' 'a picture without a rate' \
    gf -i rgb.ppm --rate 25 -o never.jpg
refuses 2 'only video and animations have a frame rate' 'a table has no frame rate' \
    gf -i rgb.ppm --rate 25 stats -o never.tsv
refuses 2 'for audio use the stage resample' 'audio has no frame rate' gf -i "$GPUFILTER_SAMPLES/sound.wav" --rate 25 \
    -o never.wav

# ---- without stages nothing changes; the header is kept

tags='F30000:1001 Ip A4:3'
for case in '420jpeg 8 4 3' '420mpeg2 8 4 3' '420paldv 8 4 3' '420 8 4 3' '422 8 4 5' '444 8 7 5' '411 8 2 5' \
    'mono 8 0 0' \
    '420p10 10 4 3' '422p9 9 4 5' '444p12 12 7 5' '420p16 16 4 3' '411p11 11 2 5' 'mono10 10 0 0'; do
    set -- $case
    frames in.y4m "$tags C$1 XYSCSS=ANY XCOLORRANGE=LIMITED" 7 5 $3 $4 $2 3 1
    works "C$1 goes through" gf -i in.y4m -o out.y4m
    same in.y4m out.y4m "C$1 without a stage is the same"
    gf <in.y4m 2>&1 | cmp - in.y4m >differs 2>&1 && pass "C$1 without a stage is the same on a pipe" || fail \
        "C$1 without a stage is the same on a pipe"
    works "C$1 flipped and rotated" gf -i in.y4m flip rotate:90 -o flipped.y4m
    works "C$1 flipped and rotated back" gf -i flipped.y4m rotate:270 flip -o back.y4m
    is "C$1 flipped and rotated back keeps its header" "$(header back.y4m)" "$(header in.y4m)"
    case $1 in
    444* | mono*) same in.y4m back.y4m "C$1 flipped and rotated back has every sample" ;;
    *) is "C$1 flipped and rotated back has its size" "$(wc -c <back.y4m)" "$(wc -c <in.y4m)" ;;
    esac
done
frames in.y4m "$tags C420jpeg" 7 5 4 3 8 3 1
works gray gf -i in.y4m gray -o out.y4m
is 'gray leaves no chroma' "$(header out.y4m)" "YUV4MPEG2 W7 H5 $tags Cmono XCOLORRANGE=FULL"
works crop gf -i in.y4m crop:3x3+2+1 -o out.y4m
is 'crop makes smaller frames' "$(header out.y4m)" "YUV4MPEG2 W3 H3 $tags C420jpeg"
is 'crop makes all frames smaller' "$(wc -c <out.y4m)" $(($(header out.y4m | wc -c) + 1 + 3 * (6 + 9 + 8)))
works depth gf -i in.y4m --depth 16 -o out.y4m
is '--depth 16 makes deeper frames' "$(header out.y4m)" "YUV4MPEG2 W7 H5 $tags C420p16"
gf -i in.y4m -t ppm -o out.ppm 2>errors
is 'video as PPM, which has no shape of pixels' "$? $(cat errors)" \
    '0 gpufilter: warning: in.y4m: its pixels are not square (4:3), which ppm cannot store; use resize:9x5 for square '\
'pixels'
is 'video as PPM is three images' "$(wc -c <out.ppm)" $((3 * (11 + 7 * 5 * 3)))
printf 'YUV4MPEG2 W2 H1 C444\nFRAME Ip XB\nabcdefFRAME\nghijkl' >params.y4m
printf 'YUV4MPEG2 W2 H1 C444\nFRAME\nabcdefFRAME\nghijkl' >plain.y4m
gf -i params.y4m -o out.y4m 2>errors
is 'frames with parameters of their own' "$? $(cat errors)" \
    "0 gpufilter: warning: params.y4m: parameters of single frames are not kept, such as 'Ip XB' of frame 1"
same plain.y4m out.y4m 'frames with parameters of their own are read'

# ---- any segment size, any number of lanes

tags='F30000:1001 Ip A1:1'
frames in.y4m "$tags C420jpeg" 33 21 17 11 8 7 3
frames wide.y4m "$tags C422p10" 33 21 17 21 10 7 4
for file in in.y4m wide.y4m; do
    for stages in 'invert' 'blur:1.2' 'rotate:30' 'equalize' 'flip blur:2 gray' 'histogram'; do
        [ "$stages" = histogram ] && continue
        gf -j 1 --lanes 1 -i $file $stages -o whole.y4m 2>errors
        wrong=
        for way in '--segment 1 --lanes 3 -j 2' '--segment 500 --lanes 2' '--segment 4K --lanes 5 -j 3' \
            '--lanes 4 -j 4' '--memory 8M'; do
            gf $way -i $file $stages -o part.y4m 2>>errors
            cmp -s whole.y4m part.y4m || wrong="$wrong $way;"
        done
        gf --segment 900 --lanes 3 $stages <$file 2>>errors | cmp -s whole.y4m - || wrong="$wrong from a pipe"
        if [ -z "$wrong" ] && [ ! -s errors ]; then
            pass "$file $stages: the same in segments and from a pipe"
        else
            fail "$file $stages: the same in segments and from a pipe"
            { echo "other bytes with$wrong"; cat errors; } | note
        fi
    done
done
{
    printf 'YUV4MPEG2 W2 H1 Cmono XCOLORRANGE=FULL\n'
    for k in 0 1 2 3 4 5 6 7; do
        for l in 0 1 2 3 4 5 6 7; do
            printf "FRAME\\n\\$k$l\\0"
        done
    done
} >order.y4m
works 'many frames, many lanes' gf --lanes 5 -i order.y4m invert invert -o out.y4m
same order.y4m out.y4m 'many frames on many lanes leave in order'

# ---- errors

head -c $(($(wc -c <in.y4m) - 100)) in.y4m >cut.y4m
refuses 1 'ends within frame 7' 'a frame cut short' gf -i cut.y4m invert -o cut-out.y4m
is 'a frame cut short leaves no file' "$(ls cut-out.y4m 2>/dev/null)" ''
"$GPUFILTER" --device $device invert <cut.y4m >out.y4m 2>errors
is 'a frame cut short on a pipe ends with 1' $? 1
"$GPUFILTER" --device $device -i in.y4m invert -o whole.y4m
head -c $(wc -c <out.y4m) whole.y4m | cmp - out.y4m >differs 2>&1 && pass \
    'a frame cut short on a pipe comes after complete frames' || fail \
    'a frame cut short on a pipe comes after complete frames'
is 'six of them' "$(($(wc -c <whole.y4m) - $(wc -c <out.y4m)))" $((6 + 33 * 21 + 2 * 17 * 11))
bad()
{
    printf "$2" >bad.y4m
    refuses 1 "$3" "$1" gf -i bad.y4m invert -o bad-out.y4m
}
bad 'no width' 'YUV4MPEG2 H1 C444\nFRAME\nabc' 'how wide'
bad 'no height' 'YUV4MPEG2 W1 C444\nFRAME\nabc' 'how high'
bad 'a bad side' 'YUV4MPEG2 W-4 H1\nFRAME\nabc' 'invalid W'
bad 'a side of nothing' 'YUV4MPEG2 W4 H0\nFRAME\nabc' 'invalid H'
bad 'sides beyond counting' 'YUV4MPEG2 W2000000000 H2000000000\nFRAME\nabc' 'too large'
bad 'unknown colours' 'YUV4MPEG2 W1 H1 C999\nFRAME\nabc' 'C999'
bad 'too deep' 'YUV4MPEG2 W1 H1 C420p17\nFRAME\nabc' 'C420p17'
bad 'alpha' 'YUV4MPEG2 W1 H1 C444alpha\nFRAME\nabcd' 'C444alpha'
bad 'a header without end' 'YUV4MPEG2 W1 H1' 'header'
bad 'nothing behind the header' 'YUV4MPEG2 W1 H1\n' 'contains no image or audio'
bad 'no frame' 'YUV4MPEG2 W1 H1 C444\nFRAMX\nabc' 'not another'
bad 'a frame of one byte' 'YUV4MPEG2 W9 H9 C444\nFRAME\na' 'ends within frame 1'
image a.ppm 4 4 3 255 1
image b.ppm 5 4 3 255 1
cat a.ppm b.ppm >ab.ppm
refuses 1 'must have the same format' 'pictures of two sizes' gf -i ab.ppm -o ab.y4m
refuses 2 '--depth' '--depth f32 for Y4M' gf -i a.ppm --depth f32 -o ab.y4m

# ---- other programs

if ! command -v ffmpeg >found 2>&1; then
    skip 'ffmpeg is not here'
    finish
fi
ff() { ffmpeg -v error -nostdin -y "$@"; }
# near A B STEPS NAME: expects samples of two files to differ by at most STEPS.
near()
{
    most=$(cmp -l "$1" "$2" 2>&1 | ${AWK:-awk} '
        function octal(s,    i, n) { for (n = i = 0; i++ < length(s);) n = n * 8 + substr(s, i, 1); return n }
        NF != 3 { most = 999 }
        { d = octal($2) - octal($3); d = d < 0 ? -d : d; most = d > most ? d : most }
        END { print most + 0 }')
    is "$4" "$([ "$most" -le "$3" ] || echo "off by $most")" ''
}
for pixels in yuv444p yuvj444p yuv422p yuv420p; do
    ff -f lavfi -i smptebars=s=66x66:d=0.04 -vf crop=66:40:0:0 -pix_fmt $pixels -f yuv4mpegpipe bars.y4m
    ff -i bars.y4m -sws_flags bilinear+accurate_rnd+full_chroma_int+full_chroma_inp -vf scale=in_h_chr_pos=$([ $pixels \
        = yuv420p ] && echo 128 || echo 0) \
        -pix_fmt rgb24 -f image2 -update 1 theirs.ppm
    works "colour bars in $pixels" gf -i bars.y4m -t ppm -o ours.ppm
    near theirs.ppm ours.ppm 2 "colors in $pixels are those that ffmpeg reads"
    ff -i theirs.ppm -sws_flags area+accurate_rnd+full_chroma_int+full_chroma_inp -pix_fmt yuv444p -f yuv4mpegpipe \
        theirs.y4m
    works "colors in $pixels become Y4M again" gf -i ours.ppm -o ours.y4m
    tail -c $((66 * 40 * 3)) theirs.y4m | head -c $((66 * 40)) >theirs.luma
    tail -c $((66 * 40 * 3 / 2)) ours.y4m | head -c $((66 * 40)) >ours.luma
    near theirs.luma ours.luma 2 "luma in $pixels is that of ffmpeg"
done
ff -f lavfi -i testsrc2=s=96x64:r=10:d=1 -f yuv4mpegpipe in.y4m
ff -i in.y4m -f yuv4mpegpipe - 2>errors | gf blur:2 2>>errors | ff -i - -f yuv4mpegpipe out.y4m 2>>errors
works 'a video of ffmpeg from a file, filtered' gf -i in.y4m blur:2 -o whole.y4m
tail -n +2 out.y4m >out.frames
tail -n +2 whole.y4m >whole.frames
same whole.frames out.frames 'ffmpeg, gpufilter, ffmpeg'
is 'ffmpeg, gpufilter, ffmpeg: no messages' "$(cat errors)" ''
for pixels in yuv420p yuv420p10le; do
    ff -f lavfi -i testsrc2=s=32x32:r=25:d=2 -pix_fmt $pixels -strict -1 -f yuv4mpegpipe in.y4m
    gf -i in.y4m -r 10 -o slow.y4m 2>errors
    gf -i in.y4m "$(sed -n 's/.*, use the stage //p' errors)" -o out.y4m 2>errors
    is "$pixels: 2 seconds stay 2 seconds by the advice of --rate" \
        "$(header out.y4m | cut -d ' ' -f 4) $(grep -ao FRAME out.y4m | wc -l | tr -d ' ')" 'F10:1 20'
done
finish
