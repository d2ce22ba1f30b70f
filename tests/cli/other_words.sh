# Tries every answer of the table of other programs' words: it is what gpufilter advises, it runs without a warning, it
# does what the table says, and the other program does the same if it is installed.
. "$(dirname "$0")/../lib.sh"
mkdir ours theirs bin
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH
for folder in ours theirs; do
    cp "$GPUFILTER_SAMPLES"/photo.ppm "$GPUFILTER_SAMPLES"/sound.wav "$GPUFILTER_SAMPLES"/look.cube $folder
    gf -q -i "$GPUFILTER_SAMPLES/cutout.pam" -o $folder/cutout.png
done
gf --manual words | tr '\t' '~' >words
is 'the table has more than 400 words' "$([ "$(wc -l <words)" -gt 400 ] && echo yes)" yes
is 'each example has an answer' "$(awk -F '~' '$1 != "hint" && $5 != "" && $6 == ""' words)" ''

# measure FILE NAME: keeps what effects are compared with.
measure()
{
    gf -i "$1" --explain 2>&1 | sed -n 's/^input: *//p' >"$2"
    gf -q -i "$1" stats -t tsv >"$2.tsv"
}
# column NAME COLUMN: a statistic of all channels.
column()
{
    awk -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } { v = $c } END { print v }' "$1.tsv"
}
# rises COLUMN LEAST: the statistic has changed by more than this.
rises() { awk -v a="$(column "$kind" $1)" -v b="$(column is $1)" -v least="$2" \
    'BEGIN { exit least > 0 ? b - a <= least : b - a >= least }'; }
# is_near A B: up to a twentieth.
is_near() { awk -v a="$1" -v b="$2" 'BEGIN { exit (a - b) * (a - b) > 0.0025 }'; }
measure ours/photo.ppm image
measure ours/sound.wav audio

# has_effect WORD [VALUE]: tests one effect of ours/$output, which is measured in "is".
has_effect()
{
    case $1 in
    size) grep -q "^$2 " is ;;
    seconds) awk -v want="$2" '{ exit $(NF - 2) / $1 != want }' is ;;
    rate) grep -q "^$2 Hz" is ;;
    channels) grep -q "^[0-9x]* gray\|, $2 channel" is ;;
    brighter) rises mean 0.003 ;;
    darker) rises mean -0.003 ;;
    louder) rises rms_db 0.001 ;;
    quieter) rises rms_db -0.001 ;;
    gain) is_near "$(column is rms_db)" "$(awk -v a="$(column audio rms_db)" -v b=$2 'BEGIN { print a + b }')" ;;
    peak) is_near "$(column is peak_db)" "$2" ;;
    silent) [ "$(column is max)" = 0 ] ;;
    same) cmp -s "is.tsv" "$kind.tsv" ;;
    differs) ! cmp -s is.tsv $kind.tsv || ! gf -q -i ours/$output -t raw | cmp -s - $kind.raw ;;
    *) false ;;
    esac
}
gf -q -i ours/photo.ppm -t raw -o image.raw
gf -q -i ours/sound.wav -t raw -o audio.raw

# their_command: prints the command of the other program; people type a stage.
their_command()
{
    values=$example
    second=
    case $answer in *cutout.png*) second=' cutout.png' ;; esac
    case $program:$word in
    people:*) echo "gpufilter -i $input $word${values:+:$(echo "$values" | tr ' ' ,)} -o $output" ;;
    ffmpeg:-*) echo "ffmpeg -i $input $word $values $output" ;;
    ffmpeg:*)
        if [ -n "$second" ]; then
            echo "ffmpeg -i $input -i$second -filter_complex $word${values:+=$values} $output"
        else
            echo "ffmpeg -i $input -$([ $kind = image ] && echo v || echo a)f $word${values:+=$values} $output"
        fi ;;
    sox:-*) echo "sox $input $word $values $output" ;;
    sox:*) echo "sox $input $output $word $values" ;;
    vips:-*) echo "vipsthumbnail $input $word $values -o $output" ;;
    vips:*) echo "vips $word $input$second $output $values" ;;
    convert:*) echo "convert $input$second -$word $values $output" ;;
    esac | sed "s/[*()|<>^!]/\\\\&/g; s/ *$//"
}

# try_row: tests one line of the table.
try_row()
{
    case $kind in audio) input=sound.wav output=out.wav ;; *) kind=image input=photo.ppm output=out.png ;; esac
    rm -f ours/out.* theirs/out.*
    command=$(their_command)
    said=" $answer"
    (cd ours && eval "gpufilter ${command#gpufilter }" >/dev/null 2>../said </dev/null)
    case $program in
    people) wanted="\(did you mean '$answer'?\|write $answer\|is called ${answer%%:*} here\)" ;;
    *) wanted="write: gpufilter -i $input$said -o $output$" ;;
    esac
    if grep -q -- "$wanted" said; then
        pass "is advised: $command"
    else
        fail "is advised: $command"
        { echo "wanted $wanted"; cat said; } | note
    fi
    rm -f ours/out.*
    if ! (cd ours && eval "gpufilter -i $input$said -o $output") >out 2>errors </dev/null ||
        grep -qv 'clipped\|is one image, so' errors; then
        fail "runs: $said for $command"
        note <errors
        return
    fi
    [ -f ours/$output ] || return
    measure ours/$output is
    echo "$effect" | sed 's/, /\n/g' >effects
    while read -r one; do
        case $one in
        identical | *step | *steps | *PSNR | -[0-9]*dB | *LU) agrees ;;
        *) if has_effect $one; then pass "$one: $command"; else
               fail "$one: $command"
               { echo "$answer"; cat is is.tsv; } | note
           fi ;;
        esac
    done <effects
}

agrees()
{
    [ $program = people ] && return
    command -v $program >/dev/null || { skip "$program is not installed: $command"; return; }
    if ! (cd theirs && eval "$command") >out 2>errors </dev/null; then
        fail "works: $command"
        note <errors
    elif has_agreement $output "$one"; then
        pass "$one: $command"
    else
        fail "$one: $command"
        { echo "$answer"; cat measured.txt; } | note
    fi
}

grep -v '^hint~\|^ours~' words >rows
while IFS='~' read -r program kind word example effect answer <&3; do
    [ -z "$effect" ] || try_row
done 3<rows

# ---- commands of the hints: what only other programs have ----
mkdir hints
cd hints
cp ../ours/photo.ppm A && cp A B && gf -q -i A -o IN.png && gf -q -i A crop:256x1 -o TABLE.png
cp ../ours/sound.wav IN.wav && cp IN.wav A.wav && cp IN.wav B.wav
printf 'LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n' >TABLE.cube
command -v ffmpeg >/dev/null && ffmpeg -loglevel error -f lavfi -i testsrc=size=64x48:rate=25:duration=1 -f lavfi \
    -i sine=duration=1 -c:v mpeg4 -c:a pcm_s16le -f matroska VIDEO </dev/null
sed -n 's/^hint~[^~]*~[^~]*~~~//p' ../words | sed 's/; /\n/g; s/, or /\n/g; s/, with the audio/\n/g' |
    sed 's/^use //' | grep '| gpufilter \.\.\.\|^gpufilter \.\.\..*|' |
    sed 's/\(gpufilter \.\.\.\) [a-z].*/\1/; s/^gpufilter \.\.\./cat A B | &/' |
    sort -u >commands
is 'hints have more than 25 commands' "$([ "$(wc -l <commands)" -gt 25 ] && echo yes)" yes
while read -r command; do
    program=${command%% *}
    rm -f rest.* OUT.mp4 out.*
    kind=png
    case $command in *.wav*) kind=wav ;; esac
    case $command in *'| ffmpeg -i -'*) program=ffmpeg kind= ;; esac
    [ $program != convert ] || have_convert || program=no-convert
    case $kind in '') end= ;; *) end=" -o rest-{n}.$kind" ;; esac
    line=$(echo "$command" | sed "s/gpufilter \.\.\./gpufilter$end/")
    command -v $program >/dev/null || { skip "$program is not installed: $command"; continue; }
    line=$(echo "$line" | sed 's/| ffmpeg /&-loglevel error /')
    if sh -c "$line" >out 2>errors </dev/null && [ -n "$(ls rest-* OUT.mp4 out.* 2>/dev/null)" ]; then
        pass "works: $command"
    else
        fail "works: $command"
        tail -n 3 errors | note
    fi
    case $command in
    *VIDEO*mp4) is "keeps the audio: $command" "$(ffmpeg -i [Oo]*.mp4 2>&1 | grep -c 'Stream.*Audio')" 1 ;;
    esac
done <commands
finish
