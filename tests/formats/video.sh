# Video: fields of interlaced frames, and headers that are correct after the stages.
. "$(dirname "$0")/../lib.sh"
choose_device
gf() { "$GPUFILTER" --device $device "$@"; }

# numbers FILE SKIP: prints the bytes after the first SKIP, one per line.
numbers() { tail -c +$(($2 + 1)) "$1" | od -An -v -tu1 | tr -s ' ' '\n' | sed '/^$/d'; }
# bytes: converts such numbers to bytes.
bytes() { ${AWK:-awk} 'BEGIN { for (i = 0; i < 256; i++) C[i] = sprintf("%c", i) } { printf "%s", C[$1 + 0] }'; }
header() { head -n 1 "$1" | tr -d '\n'; }
# samples FILE: prints the samples of a Y4M with one frame.
samples() { numbers "$1" $(($(header "$1" | wc -c) + 7)) | tr '\n' ' ' | sed 's/ $//'; }
# video FILE HEADER WIDTH HEIGHT CHROMA_WIDTH CHROMA_HEIGHT FRAMES: writes noise.
video()
{
    ${AWK:-awk} -v header="$2" -v w="$3" -v h="$4" -v size=$(($3 * $4 + 2 * $5 * $6)) -v n="$7" 'BEGIN {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "YUV4MPEG2 W%d H%d %s\n", w, h, header
        seed = 4711
        for (k = 0; k < n; k++) {
            printf "FRAME\n"
            for (i = 0; i < size; i++) {
                seed = seed * 16807 % 2147483647
                printf "%s", C[seed % 256]
            }
        }
    }' >"$1"
}
# regroup split|join FILE WIDTH HEIGHT CHROMA_WIDTH CHROMA_HEIGHT FIRST: converts frames to images
# of their fields, or back, without headers. All sizes are those of the frame. FIRST is the row at
# which the first field begins, 0 or 1.
regroup()
{
    numbers "$2" 0 | ${AWK:-awk} -v way=$1 -v w=$3 -v h=$4 -v cw=$5 -v ch=$6 -v first=$7 '
        # Returns the position of sample i of field f in the frame.
        function place(f, i,    base, width, rows) {
            base = 0; width = w; rows = h / 2
            while (i >= width * rows) {
                i -= width * rows; base += 2 * width * rows; width = cw; rows = ch / 2
            }
            return base + (2 * int(i / width) + (f + first) % 2) * width + i % width
        }
        { v[n++] = $1 }
        n == w * h + 2 * cw * ch {
            for (i = 0; i < n; i++) {
                at = place(i >= n / 2, i % (n / 2))
                if (way == "split")
                    out[i] = v[at]
                else
                    out[at] = v[i]
            }
            for (i = 0; i < n; i++)
                print out[i]
            n = 0
        }' | bytes
}
# bare FILE: prints the frames of a Y4M without header lines. The noise must not look like them.
bare()
{
    numbers "$1" $(($(header "$1" | wc -c) + 1)) \
        | ${AWK:-awk} -v size="$2" '{ if (n++ >= 6) print; if (n == size + 6) n = 0 }' | bytes
}
# dress FILE HEADER SIZE: adds header lines to frames of SIZE bytes.
dress()
{
    printf '%s\n' "$2"
    numbers "$1" 0 | ${AWK:-awk} -v size="$3" 'BEGIN { split("70 82 65 77 69 10", line, " ") }
        { if (n++ % size == 0) for (i = 1; i <= 6; i++) print line[i]; print }' | bytes
}

# ---- fields are filtered separately

# A column of gray: the upper field is 0 0 90 0, the lower one 10 10 10 10. A mean of three rows
# changes the upper field to 0 30 30 30.
for letter in t b; do
    printf 'YUV4MPEG2 W1 H8 F25:1 I%s A1:1 Cmono XCOLORRANGE=FULL\nFRAME\n\000\012\000\012\132\012\000\012' \
        $letter >column.y4m
    works "I$letter: box of each field" gf --interlaced fields -i column.y4m box:1 -o out.y4m
    is "I$letter: box keeps the fields apart" "$(samples out.y4m)" '0 10 30 10 30 10 30 10'
    is "I$letter: box keeps the header" "$(header out.y4m)" "$(header column.y4m)"
    works "I$letter: flip of each field" gf --interlaced fields -i column.y4m flip -o out.y4m
    is "I$letter: flip turns each field over" "$(samples out.y4m)" '0 10 90 10 0 10 0 10'
done
# In 4:2:0, rows of chroma alternate, too: rows 0 and 2 of the frame belong to the upper field. Row
# 1 of each field begins with 2, 3.
printf 'YUV4MPEG2 W2 H8 It C420jpeg XCOLORRANGE=FULL\nFRAME\nAABBCCDDEEFFGGHHabcdefgh' >column.y4m
works '4:2:0 in fields is cropped' gf --interlaced fields -i column.y4m crop:2x2+0+2 -o out.y4m
is '4:2:0 in fields is cropped to rows 4 to 7 of luma' "$(tail -c 12 out.y4m | head -c 8)" EEFFGGHH
works 'fields without a stage' gf --interlaced fields -i column.y4m -o out.y4m
same column.y4m out.y4m 'fields without a stage are unchanged'

for case in '420jpeg t 4 4' '420mpeg2 b 4 4' '422 t 4 8' '444 b 7 8' '411 t 2 8' 'mono b 0 0'; do
    set -- $case
    tags="F30000:1001 I$2 A4:3 C$1 XCOLORRANGE=FULL"
    video in.y4m "$tags" 7 8 $3 $4 5
    size=$((7 * 8 + 2 * $3 * $4))
    bare in.y4m $size >in.frames
    first=$([ $2 = t ] && echo 0 || echo 1)
    regroup split in.frames 7 8 $3 $4 $first >in.fields
    dress in.fields "YUV4MPEG2 W7 H4 F25:1 Ip A1:1 C$1 XCOLORRANGE=FULL" $((size / 2)) >fields.y4m
    for stages in 'blur:1.2' 'gamma:1.3' 'noise:0.2' 'equalize median:1'; do
        gf -i fields.y4m $stages -o theirs.y4m
        bare theirs.y4m $((size / 2)) >theirs.fields
        regroup join theirs.fields 7 8 $3 $4 $first >theirs.frames
        dress theirs.frames "YUV4MPEG2 W7 H8 $tags" $size >whole.y4m
        works "C$1 I$2 $stages" gf --interlaced fields -i in.y4m $stages -o out.y4m
        same whole.y4m out.y4m "C$1 I$2 $stages: the result of the fields taken apart and joined"
        wrong=
        for way in '--segment 1 --lanes 3 -j 2' '-j 1 --lanes 1' '--lanes 5 -j 4'; do
            gf --interlaced fields $way -i in.y4m $stages -o part.y4m 2>errors
            cmp -s out.y4m part.y4m || wrong="$wrong $way;"
        done
        gf --interlaced fields $stages <in.y4m 2>errors | cmp -s out.y4m - || wrong="$wrong a pipe;"
        is "C$1 I$2 $stages: the same however cut" "$wrong" ''
    done
done
video ten.y4m 'It C422p16' 7 8 1 92 2                  # frames of 2 (7·8 + 2·4·8) bytes: 7·8 + 2·92
works 'fields of 16 bits' gf --interlaced fields -i ten.y4m -o out.y4m
same ten.y4m out.y4m 'fields of 16 bits are unchanged'
works 'fields after a resize' gf --interlaced fields -i in.y4m resize:14x6 -o out.y4m
is 'fields after a resize have the size that is doubled' "$(header out.y4m | cut -d ' ' -f 2,3,5)" 'W14 H12 Ib'

# ---- errors with fields

video wide.y4m 'It C420jpeg' 8 8 4 4 1
refuses 1 'a field cannot be rotated' 'fields cannot be rotated by a quarter turn' \
    gf --interlaced fields -i wide.y4m rotate:90 -o never.y4m
refuses 1 'a field cannot be rotated' 'fields cannot be rotated by 3 degrees' \
    gf --interlaced fields -i wide.y4m rotate:3 -o never.y4m
refuses 1 'a field cannot be rotated' 'fields cannot be transposed' \
    gf --interlaced fields -i wide.y4m transpose -o never.y4m
refuses 1 'a field has 3 rows' 'odd rows of 4:2:0' gf --interlaced fields -i wide.y4m crop:4x3 -o never.y4m
refuses 2 'needs a Y4M output' 'a still image' gf --interlaced fields -i wide.y4m blur -o never.png
refuses 2 'needs a Y4M output' 'a table of fields' gf --interlaced fields -i wide.y4m stats -o never.tsv
refuses 1 'needs a Y4M output, but the output is a table' 'one table of several' \
    sh -c '"$0" --interlaced fields --fail-fast -i wide.y4m -i wide.y4m stats -o never.tsv 2>&1 | head -n 1 >&2
           exit 1' "$GPUFILTER"
refuses 2 'needs a Y4M output' 'a tee of fields' gf --interlaced fields -i wide.y4m tee:never.png blur -o never.y4m
refuses 2 'leave {n} out' 'a file for each' gf --interlaced fields -i wide.y4m blur -o 'never-{n}.y4m'
refuses 2 'off or fields' '--interlaced with an unknown word' gf --interlaced yes -i wide.y4m -o never.y4m
image logo.ppm 2 2 3 255 1
refuses 1 'same field order, It' 'a still image over a field' \
    gf --interlaced fields -i wide.y4m over:logo.ppm -o never.y4m
works 'a second image with fields' gf --interlaced fields -i wide.y4m blend:wide.y4m,difference -o out.y4m
sed '1s/It/Ib/' wide.y4m >other.y4m
refuses 1 'same field order, It' 'the other order' \
    gf --interlaced fields -i wide.y4m blend:other.y4m,difference -o never.y4m
video odd.y4m 'It C420jpeg' 8 6 4 3 1
refuses 1 'multiple of 4 rows, but there are 6' 'rows of chroma that do not come in pairs' \
    gf --interlaced fields -i odd.y4m -o never.y4m
video odd.y4m 'It C444' 8 7 8 7 1
refuses 1 'even number of rows, but there are 7' 'an odd number of rows' gf --interlaced fields -i odd.y4m -o never.y4m
video mixed.y4m 'Im C444' 8 8 8 8 1
refuses 1 'mixes interlaced and progressive' 'fields with progressive frames' \
    gf --interlaced fields -i mixed.y4m -o never.y4m
head -c 120 wide.y4m >cut.y4m
refuses 1 'ends within frame 1' 'a frame cut short' gf --interlaced fields -i cut.y4m blur -o never.y4m
is 'refused fields leave no file' "$(ls never* 2>/dev/null)" ''

# ---- warnings

# warns PATTERN NAME COMMAND...: expects success and one line on standard error, a warning that
# matches PATTERN.
warns()
{
    pattern=$1 name=$2
    shift 2
    "$@" >out 2>errors </dev/null
    status=$?
    if [ $status = 0 ] && [ "$(wc -l <errors)" = 1 ] && grep -q "^gpufilter: warning: .*$pattern" errors; then
        pass "$name"
    else
        fail "$name"
        { echo "$*: status $status, wanted a warning with '$pattern'"; cat errors; } | note
    fi
}

video top.y4m 'F25:1 It A1:1 C444' 9 8 9 8 2
for stages in '' 'invert' 'flop' 'flip' 'crop:5x4+1+2' 'crop:5x4+1+1' 'conv1d:[1,2,1],scale=auto' 'resize:5x8' \
    'equalize' 'rotate:180' 'noise:0.1'; do
    works "silent: ${stages:-no stage}" gf -i top.y4m $stages -o out.y4m
done
works 'silent: a histogram of interlaced video' gf -i top.y4m histogram -o 'out-{n}.tsv'
works 'silent: stats of interlaced video' gf -i top.y4m stats -o 'out-{n}.tsv'
works 'silent: compare of interlaced video' gf -i top.y4m compare:top.y4m -o 'out-{n}.tsv'
works 'silent: a still image' gf -i top.y4m -o 'out-{n}.png'
for stages in 'blur:1' 'median:1' 'conv1d:[1,2,1],scale=auto,axis=y' 'resize:5x4' 'resize:9x16' 'integral' 'blur:40' \
    'flip blur:1'; do
    warns 'top.y4m: is interlaced, and [a-z0-9]* mixes rows of both fields; use --interlaced fields' \
        "a warning that $stages mixes rows of both fields" gf -i top.y4m $stages -o out.y4m
    works "silent: progressive video, $stages" gf --interlaced off -i top.y4m $stages -o out.y4m
    is "the header says that the result of $stages is progressive" "$(header out.y4m | cut -d ' ' -f 5)" Ip
done
for stages in 'rotate:90' 'transpose' 'rotate:30' 'blur:1 transpose'; do
    warns 'mixes rows of both fields; deinterlace first' "a warning that $stages needs another program first" \
        gf -i top.y4m $stages -o out.y4m
done
warns 'blur mixes rows of both fields; deinterlace first' 'blur to a still image' gf -i top.y4m blur:1 -o 'out-{n}.png'
warns 'blur mixes rows' 'blur before a table' gf -i top.y4m blur:1 stats -o 'out-{n}.tsv'
refuses 1 'mixes rows of both fields.*--strict' 'stages that mix rows of both fields are an error with --strict' \
    gf --strict -i top.y4m blur:1 -o never.y4m
works 'progressive video gives no warning' gf -i column.y4m --interlaced off blur:1 -o out.y4m
warns 'no effect, because the header does not say It or Ib' 'fields of progressive video' \
    gf --interlaced fields -i out.y4m blur:1 -o again.y4m
warns 'no effect; only Y4M has fields' 'fields of a still image' gf --interlaced fields -i logo.ppm -o out.png
video chroma.y4m 'F25:1 It A1:1 C420jpeg' 8 8 4 4 1
works '4:2:0 without a stage' gf -i chroma.y4m -o out.y4m
same chroma.y4m out.y4m '4:2:0 without a stage is unchanged'
works '4:2:0 in its planes' gf --strict -i chroma.y4m invert -o out.y4m
warns '4:2:0, and the chroma of both fields is mixed' '4:2:0 as RGB' gf --video rgb -i chroma.y4m invert -o out.y4m
works '4:2:0 in a table' gf -i chroma.y4m histogram -o out.tsv
printf 'YUV4MPEG2 W1 H1 C444 Q5\nFRAME\nabc' >odd.y4m
warns "parameter 'Q5' of the header is not kept" 'an unknown parameter' gf -i odd.y4m -o out.y4m
printf 'YUV4MPEG2 W1 H1 F25 C444\nFRAME\nabc' >odd.y4m
warns "parameter 'F25' of the header is not kept" 'a rate that is no ratio' gf -i odd.y4m -o out.y4m
printf 'YUV4MPEG2 W1 H1 C444 XA=0123456789012345678901234567890 XB=01234567890123456789\nFRAME\nabc' >odd.y4m
warns "parameter 'XB=01234567890123456789' of the header is not kept" 'a parameter for which there is no room' \
    gf -i odd.y4m -o out.y4m

# ---- the header after the stages

# becomes HEADER_IN WIDTH HEIGHT STAGES WANTED: compares width, height, I and A of the header.
becomes()
{
    video head.y4m "F25:1 $1 C444 XYSCSS=444 XLENGTH=1" $2 $3 $2 $3 1
    gf -q -i head.y4m $4 -o out.y4m
    is "$1 $2x$3 $4" "$(header out.y4m | cut -d ' ' -f 2,3,5,6)" "$5"
}
becomes 'Ip A16:15' 72 36 'resize:72x18' 'W72 H18 Ip A8:15'        # rows are twice as high: 16:15 / 2
becomes 'Ip A16:15' 72 36 'resize:36x36' 'W36 H36 Ip A32:15'
becomes 'Ip A16:15' 45 36 'resize:48x36' 'W48 H36 Ip A1:1'         # 45·16/15 = 48
becomes 'Ip A1:1' 45 36 'resize:60x12' 'W60 H12 Ip A1:4'           # 45/60 · 12/36
becomes 'Ip A16:15' 72 36 'resize:50%' 'W36 H18 Ip A16:15'
becomes 'Ip A1:1' 7 5 'resize:50%' 'W4 H3 Ip A1:1'                 # in proportion, then rounded
becomes 'Ip A999999999:1' 70 6 'resize:7x6' 'W7 H6 Ip C444'        # ten digits are too many: unknown
becomes 'Ip A16:15' 8 6 'rotate:90' 'W6 H8 Ip A15:16'
becomes 'Ip A16:15' 8 6 'rotate:270' 'W6 H8 Ip A15:16'
becomes 'Ip A16:15' 8 6 'transpose' 'W6 H8 Ip A15:16'
becomes 'Ip A16:15' 8 6 'transpose transpose' 'W8 H6 Ip A16:15'
becomes 'Ip A16:15' 8 6 'rotate:180 flop' 'W8 H6 Ip A16:15'
becomes 'Ip A16:15' 8 6 'crop:4x3+1+1' 'W4 H3 Ip A16:15'
becomes 'Ip A16:15' 8 6 'pad:2,1' 'W12 H8 Ip A16:15'
becomes 'It A1:1' 8 6 'flip' 'W8 H6 Ib A1:1'                       # row 0 was row 5, of the lower field
becomes 'Ib A1:1' 8 6 'flip' 'W8 H6 It A1:1'
becomes 'It A1:1' 8 7 'flip' 'W8 H7 It A1:1'                       # row 0 was row 6
becomes 'It A1:1' 8 6 'rotate:180' 'W8 H6 Ib A1:1'
becomes 'It A1:1' 8 6 'crop:4x3+0+1' 'W4 H3 Ib A1:1'
becomes 'It A1:1' 8 6 'crop:4x3+0+2' 'W4 H3 It A1:1'
becomes 'It A1:1' 8 6 'crop:4x3+0+1 crop:4x2+0+1' 'W4 H2 It A1:1'
becomes 'It A1:1' 8 6 'pad:0,1,0,0' 'W8 H7 Ib A1:1'
becomes 'It A1:1' 8 6 'pad:0,2,0,0' 'W8 H8 It A1:1'
becomes 'It A1:1' 8 6 'resize:8x3' 'W8 H3 Ip A1:2'
becomes 'It A1:1' 8 6 'resize:4x6' 'W4 H6 It A2:1'
becomes 'It A1:1' 8 6 'transpose' 'W6 H8 Ip A1:1'
becomes 'It A1:1' 8 6 'rotate:5,fit=keep' 'W8 H6 Ip A1:1'
becomes 'Im A1:1' 8 6 'flip' 'W8 H6 Im A1:1'
video head.y4m 'F25:1 Ip A1:1 C420jpeg XYSCSS=420JPEG XLENGTH=3' 8 4 4 2 3
works 'gray video without chroma' gf -i head.y4m gray -o out.y4m
is 'gray video without chroma has no tag of chroma' \
    "$(header out.y4m)" 'YUV4MPEG2 W8 H4 F25:1 Ip A1:1 Cmono XLENGTH=3 XCOLORRANGE=FULL'
works 'a file for each frame' gf -i head.y4m invert -o 'out-{n}.y4m'
is 'a file for each frame has no count of frames' \
    "$(header out-2.y4m)" 'YUV4MPEG2 W8 H4 F25:1 Ip A1:1 C420jpeg XYSCSS=420JPEG'

# BT.709 applies from 720 rows on, BT.601 below. 63 102 240 is 1.002 0.0023 -0.0008, so luma is 16 +
# 219 · 0.3009 = 81.9, Cb is 128 + 224 · (-0.0008 - 0.3009) / 1.772 = 89.9 and Cr is 128 + 224 ·
# (1.002 - 0.3009) / 1.402 = 240.0.
${AWK:-awk} 'BEGIN { printf "YUV4MPEG2 W1 H720 Ip C444\nFRAME\n"
    for (i = 0; i < 2160; i++) printf "%c", i < 720 ? 63 : i < 1440 ? 102 : 240 }' >tall.y4m
works 'HD to SD' gf -i tall.y4m crop:1x2 -o out.y4m
is 'HD to SD is stored as SD is read' "$(samples out.y4m)" '82 82 90 90 240 240'

video wide.y4m 'Ip A16:15 C444' 45 36 45 36 1
warns 'pixels are not square (16:15), which png cannot store; use resize:48x36 for square pixels' \
    'a still image of wide pixels' \
    gf -i wide.y4m -o out.png
works 'a still image of wide pixels with the advised resize' gf -i wide.y4m resize:48x36 -o out.png
gf -i wide.y4m resize:48x36 -o square.y4m
works 'square pixels, stretched on purpose' gf -i square.y4m resize:30x36 -o out.png
warns 'rotate distorts the image because its pixels are not square (16:15); put resize:48x36 before it' \
    'wide pixels rotated by an angle' gf -i wide.y4m rotate:30 -o out.y4m
works 'wide pixels rotated by a quarter turn give no warning' gf -i wide.y4m rotate:90 -o out.y4m
works 'wide pixels in a table give no warning' gf -i wide.y4m stats -o out.tsv

# ---- all levels are kept, also those below black and above white

${AWK:-awk} 'BEGIN { for (i = 0; i < 256; i++) C[i] = sprintf("%c", i)
    printf "YUV4MPEG2 W256 H1 C444\nFRAME\n"
    for (i = 0; i < 768; i++) printf "%s", i < 256 ? C[i] : C[128] }' >levels.y4m
for stages in 'invert invert' 'brightness:0.3 brightness:-0.3' 'contrast:2 contrast:0.5' 'levels:0,1' 'saturate:1.2' \
    'hue:90' 'flop flop' \
    'linear srgb'; do
    works "all levels of video after $stages" gf -i levels.y4m $stages -o out.y4m
    is "all levels of video are unchanged by $stages" "$(samples out.y4m)" "$(samples levels.y4m)"
done
works 'all levels of video after clamp' gf -i levels.y4m clamp -o out.y4m
is 'all levels of video after clamp are 16 to 235' "$(samples out.y4m | cut -d ' ' -f 1-18,235-238)" \
    '16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 17 234 235 235 235'

if ! command -v ffmpeg >found 2>&1; then
    skip 'ffmpeg is not here'
    finish
fi
ff() { ffmpeg -v error -nostdin -y "$@"; }
ff -f lavfi -i testsrc2=s=96x64:r=50:d=0.4 -vf interlace=scan=tff:lowpass=off,setfield=tff -pix_fmt yuv420p -f \
    yuv4mpegpipe in.y4m
ff -i in.y4m -vf separatefields -f yuv4mpegpipe fields.y4m
gf -q --interlaced off -i fields.y4m blur:2 -o theirs.y4m
ff -i theirs.y4m -vf setfield=tff,weave=first_field=top -f yuv4mpegpipe woven.y4m
works 'fields by ffmpeg' gf --interlaced fields -i in.y4m blur:2 -o out.y4m
is 'video is interlaced' "$(header in.y4m | grep -o ' It ')" ' It '
tail -n +2 woven.y4m >woven.frames
tail -n +2 out.y4m >out.frames
same woven.frames out.frames 'interlaced video of ffmpeg has the same frames'
finish
