# AIFF and AIFF-C: the sizes that they state, for every encoding that gpufilter writes, and files
# of other programs.
. "$(dirname "$0")/../lib.sh"

bytes() { for octal in "$@"; do printf "\\$octal"; done; }
long() { bytes 0 0 0 "$1"; }

# sizes FILE: follows the chunks of an AIFF by its definition. Prints the channels, frames and bits
# that COMM states, the bytes of samples and where they begin; nothing after them if the chunks end
# where FORM and the file end.
sizes()
{
    od -An -v -tu1 "$1" | ${AWK:-awk} '
    function four(at) { return ((b[at] * 256 + b[at + 1]) * 256 + b[at + 2]) * 256 + b[at + 3] }
    { for (i = 1; i <= NF; i++) b[n++] = $i }
    END {
        for (at = 12; at + 8 <= n; at += 8 + size + size % 2) {
            name = sprintf("%c%c%c%c", b[at], b[at + 1], b[at + 2], b[at + 3])
            size = four(at + 4)
            if (name == "COMM")
                comm = (b[at + 8] * 256 + b[at + 9]) " " four(at + 10) " " (b[at + 14] * 256 + b[at + 15])
            if (name == "SSND")
                ssnd = ssnd " " size - 8 " " at + 16
        }
        print comm ssnd (at == n && four(4) == n - 8 ? "" : " ends at " at " of " n)
    }'
}

# ---- every encoding, channel count and small length: right sizes, the same samples, the same
# bytes on pipes

head -c 200000 "$GPUFILTER" | tail -c 100000 >noise
# states TYPE BYTES BITS CHANNELS FRAMES: checks one file. Prints what is wrong.
states()
{
    head -c $(($2 * $4 * $5)) noise >in.raw
    source=raw:rate=8000,channels=$4,type=$1
    depth=
    [ "$1" != s8 ] || depth='--depth 8'
    gf -f $source -i in.raw $depth -o out.aiff && gf -i out.aiff -t raw:type=$1 -o back.raw || echo fails
    gf -f $source -i in.raw $depth -t aiff | cat >pipe.aiff
    gf -f $source -i in.raw $depth -t aiff >shell.aiff
    set -- "$@" $(sizes out.aiff)
    [ "$6 $7 $8 $9" = "$4 $5 $3 $(($2 * $4 * $5))" ] && [ $# = 10 ] || echo "$5 frames: $(sizes out.aiff)"
    tail -c +$((${10} + 1)) out.aiff | head -c "$9" | cmp in.raw - || echo "$5 frames differ"
    cmp in.raw back.raw && cmp out.aiff pipe.aiff && cmp out.aiff shell.aiff || echo "$5 frames: not the same"
}
for type in 's8 1 8' 's16be 2 16' 's24be 3 24' 's32be 4 32' 'f32be 4 32' 'f64be 8 64'; do
    for channels in 1 2 3 4 5 6 7 8; do
        for frames in 1 2 3 5 1001; do
            states $type $channels $frames
        done >wrong 2>&1
        is "${type%% *}, $channels channels" "$(cat wrong)" ''
    done
done
{ printf RIFF; bytes 44 0 0 0; printf 'WAVEfmt '; bytes 20 0 0 0 1 0 1 0 100 37 0 0 200 76 0 0 2 0 20 0
    printf data; bytes 0 0 0 0; } >empty.wav
for depth in 8 16 24 32 f32; do
    works "an AIFF without frames, --depth $depth" gf -i empty.wav --depth $depth -o out.aiff
    is "an AIFF without frames states that, --depth $depth" "$(sizes out.aiff | cut -d ' ' -f 1-4)" "1 0 ${depth#f} 0"
    works "an AIFF without frames is read, --depth $depth" gf -i out.aiff -t raw -o back.raw
    is "an AIFF without frames has no samples, --depth $depth" "$(wc -c <back.raw | tr -d ' ')" 0
done
# The file of the definition, worked out by hand: three frames of 8 bits and a pad byte.
bytes 1 2 3 | gf -f raw:rate=8000,channels=1,type=s8 --depth 8 -t aiff >out.aiff
{ printf FORM; long 62; printf AIFFCOMM; long 22; bytes 0 1 0 0 0 3 0 10 100 13 372 0 0 0 0 0 0 0
  printf SSND; long 13; long 0; long 0; bytes 1 2 3 0; } >want.aiff
same want.aiff out.aiff 'three frames of 8 bits'
bytes 0 0 0 100 | gf -f raw:rate=8000,channels=1,type=s16 --depth f32 -t aiff >out.aiff
is 'an AIFF of two floats has the right sizes' "$(sizes out.aiff)" '1 2 32 8 72'
# Tags come before the samples.
{ printf RIFF; bytes 105 0 0 0; printf 'WAVEfmt '; bytes 20 0 0 0 1 0 1 0 100 37 0 0 100 37 0 0 1 0 10 0
    printf LIST; bytes 16 0 0 0; printf INFOINAM; bytes 2 0 0 0; printf 'A\0'
    printf data; bytes 3 0 0 0 1 2 3 0; } >tagged.wav
works 'tags and an odd count' gf -i tagged.wav -o out.aiff
is 'an AIFF with tags and an odd count has the right sizes' "$(sizes out.aiff | cut -d ' ' -f 1-4)" '1 3 8 3'
works 'an AIFF with tags and an odd count becomes a WAV' gf -i out.aiff -o back.wav
works 'an AIFF with tags keeps its title' grep -aq INAM back.wav
is 'an AIFF with an odd count keeps its samples' "$(gf -i back.wav -t raw:type=u8 | od -An -tu1 | tr -d ' ')" 123

truncate -s 1100M huge.raw
refuses 1 'out.aiff: is larger than 4 GB, the limit of AIFF; try .caf' \
    'more samples than the sizes of an AIFF can state' \
    gf -f raw:rate=8000,channels=1,type=u8 -i huge.raw --depth 32 -o out.aiff
rm huge.raw

# ---- reading: a pad byte is no sample, whatever counts it

sums() { gf -i "$1" -t raw:type=s8 | od -An -td1 | tr -s ' \n' ' '; }
is 'a pad byte' "$(sums want.aiff)" ' 1 2 3 '
head -c 57 want.aiff >nopad.aiff
is 'a missing pad byte' "$(sums nopad.aiff)" ' 1 2 3 '
{ printf FORM; long 62; printf AIFFCOMM; long 22; bytes 0 1 0 0 0 3 0 10 100 13 372 0 0 0 0 0 0 0
  printf SSND; long 14; long 0; long 0; bytes 1 2 3 0; } >counted.aiff
is 'a pad byte that the size counts' "$(sums counted.aiff)" ' 1 2 3 '
is 'a pad byte that the size counts, on a pipe' \
    "$(cat counted.aiff | gf -t raw:type=s8 | od -An -td1 | tr -s ' \n' ' ')" ' 1 2 3 '
{ printf FORM; long 114; printf AIFFCOMM; long 22; bytes 0 1 0 0 0 3 0 10 100 13 372 0 0 0 0 0 0 0
  printf SSND; long 13; long 0; long 0; bytes 1 2 3 0; printf NAME; long 3; printf 'Abc\0'
  printf AUTH; long 2; printf An; } >after.aiff
is 'chunks after the samples' "$(sums after.aiff)" ' 1 2 3 '
works 'chunks after the samples are kept' \
    sh -c '"$0" -i after.aiff -o out.wav && grep -aq Abc out.wav && grep -aq An out.wav' "$GPUFILTER"
cat want.aiff after.aiff >two.aiff
gf -i two.aiff -t raw:type=s8 -o out.raw 2>errors
is 'a second recording' "$? $(od -An -td1 out.raw | tr -s ' \n' ' ') $(cut -d ';' -f 1 errors)" \
    '0  1 2 3  gpufilter: warning: two.aiff: a second recording follows the first and is ignored'

# ---- other programs: their counts are read, and they read ours

if command -v sox >/dev/null; then
    for bits in 8 16 24 32; do
        for frames in 1 3 5 1001; do
            for channels in 1 3; do
                head -c $((frames * channels * bits / 8)) noise >in.raw
                sox -r 8000 -c $channels -b $bits -e signed -B -t raw in.raw sox.aiff
                is "sox: $frames frames of $channels, $bits bits" \
                    "$(gf -i sox.aiff -t raw:type=s32 | wc -c | tr -d ' ')" $((frames * channels * 4))
                gf -i sox.aiff -o out.aiff
                is "sox reads an AIFF of ours: $frames frames of $channels, $bits bits" "$(sox --i -s out.aiff)" $frames
                sox -V1 out.aiff -t raw back.raw
                sox -V1 sox.aiff -t raw want.raw
                same want.raw back.raw "sox reads an AIFF of ours like its own: $frames frames of $channels, $bits bits"
            done
        done
    done
else
    skip 'sox is not here'
fi
if command -v ffmpeg >/dev/null; then
    for code in pcm_s8:s8 pcm_s16be:s16be pcm_s16le:s16be pcm_s24be:s24be pcm_s32be:s32be pcm_f32be:f32be \
        pcm_f64be:f64be; do
        type=${code#*:} code=${code%:*}
        for frames in 1 3 5; do
            gf -f raw:rate=8000,channels=1,type=s8 -i noise trim:0,${frames}f --depth 8 -o few.wav
            ffmpeg -v error -y -i few.wav -c:a $code theirs.aiff </dev/null
            ffmpeg -v error -y -i theirs.aiff -f $type want.raw </dev/null
            gf -i theirs.aiff -t raw:type=$type -o got.raw
            same want.raw got.raw "ffmpeg: $code, $frames frames"
            gf -i theirs.aiff -o out.aiff
            ffmpeg -v error -y -i out.aiff -f $type got.raw </dev/null
            same want.raw got.raw "ffmpeg reads an AIFF of ours: $code, $frames frames"
        done
    done
else
    skip 'ffmpeg is not here'
fi
finish
