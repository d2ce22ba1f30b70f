# Audio that ends before its stated end: refused in every format, from files and pipes. --salvage
# and trim read what is there.
. "$(dirname "$0")/../lib.sh"

bytes() { for octal in "$@"; do printf "\\$octal"; done; }
# samples N: writes N bytes that vary.
samples() { ${AWK:-awk} -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%c", 32 + i % 90 }'; }

# Formats that gpufilter does not write: 100 frames at 8 kHz.
{
    printf FORM
    bytes 0 0 0 214
    printf 8SVXVHDR
    bytes 0 0 0 24 0 0 0 144 0 0 0 0 0 0 0 0 37 100 1 0 0 1 0 0
    printf BODY
    bytes 0 0 0 144
    samples 100
} >whole.svx
{
    printf 'Creative Voice File\032'
    bytes 32 0 24 1 37 21 11 240 0 0 100 37 0 0 20 1 4 0 0 0 0 0
    samples 148
    bytes 0
} >whole.voc
{
    printf 'RIFF\212\0\0\0WAVEfmt \022\0\0\0\006\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0\0\0data\144\0\0\0'
    samples 100
} >whole.alaw.wav
{
    printf 'NIST_1A\n   1024\nsample_count -i 100\nsample_n_bytes -i 2\nchannel_count -i 1\nsample_byte_format -s2 01\n'
    printf 'sample_rate -i 8000\nsample_coding -s3 pcm\nend_head\n'
    samples 1024
} | head -c 1024 >whole.nist
samples 200 >>whole.nist
printf '.snd\0\0\0\030\0\0\0\144\0\0\0\001\0\0\037\100\0\0\0\001' >whole.ulaw.au
samples 100 >>whole.ulaw.au

# cut_off FILE BYTES: writes the file without its last bytes.
cut_off()
{
    head -c $(($(wc -c <"$1") - $2)) "$1"
}
# frames FILE: prints the number of frames that gpufilter reads from one channel.
frames() { echo $(($(gf "$@" -t raw:type=s16 2>errors | wc -c) / 2)); }

# exact NAME FILE WHOLE DROP LEFT: without the last DROP bytes, LEFT of WHOLE frames remain.
exact()
{
    name=$1 file=$2 whole=$3 drop=$4 left=$5
    is "$name: whole" "$(frames -i "$file")$(cat errors)" "$whole"
    cut_off "$file" "$drop" >"cut.${file##*.}"
    cut=cut.${file##*.} line="ends after frame $left of $whole; --salvage reads what is there"
    refuses 1 "^gpufilter: $cut: $line$" "$name: cut" gf -i "$cut" -o out.wav
    is "$name: no output" "$(ls out.wav 2>/dev/null)" ''
    refuses 1 "^gpufilter: standard input: $line$" "$name: on a pipe" sh -c 'cat "$1" | "$0" -t raw' "$GPUFILTER" "$cut"
    seconds=$(${AWK:-awk} "BEGIN { printf \"%.3f s of %.3f s\", $left / 8000, $whole / 8000 }")
    is "$name: salvaged" "$(frames --salvage -i "$cut") $(cat errors)" \
        "$left gpufilter: warning: $cut: ends after $seconds; the rest is missing"
    is "$name: salvaged from a pipe" "$(cat "$cut" | frames --salvage) $(cat errors)" \
        "$left gpufilter: warning: standard input: ends after $seconds; the rest is missing"
    works "$name: trim within it" gf -i "$cut" trim:0,10f -o out.wav
    is "$name: trim on a pipe" "$(cat "$cut" | frames trim:0,10f)$(cat errors)" 10
    refuses 1 'an error because of --strict' "$name: --salvage --strict" gf --strict --salvage -i "$cut" -o strict.wav
    rm -f out.wav
}
exact 8SVX whole.svx 100 30 70
exact VOC whole.voc 74 40 54
exact 'a-law WAV' whole.alaw.wav 100 30 70
exact NIST whole.nist 100 60 70
exact 'u-law AU' whole.ulaw.au 100 30 70
{
    printf 'RIFF\354\0\0\0WAVEfmt \020\0\0\0\001\0\001\0\100\037\0\0\200\076\0\0\002\0\020\0data\310\0\0\0'
    samples 200
} >whole.wav
exact WAV whole.wav 100 60 70
for format in aiff w64 caf rf64; do
    gf -i whole.wav -t $format -o made.$format
    exact $format made.$format 100 61 69
done
gf -f raw:rate=8000,type=s16 -i whole.wav -o made.au
head -c 6 made.au >half.au                       # a header that is cut is no audio at all
refuses 1 'half.au' 'half a header' gf --salvage -i half.au -o out.wav

# ---- formats with blocks and pages: a cut is detected, however much can be decoded

sound two.wav 96000 2 1
for format in flac ogg opus mp3; do
    gf -i two.wav -o two.$format
    all=$(frames -i two.$format)
    for drop in 1 300 9000; do
        cut_off two.$format $drop >cut.$format
        refuses 1 'cut.*: ends after frame [0-9]*[, ].*--salvage reads what is there$' "$format without $drop bytes" \
            gf -i cut.$format -o out.wav
        is 'no output' "$(ls out.wav 2>/dev/null)" ''
        refuses 1 'standard input: ends after frame' 'from a pipe' sh -c 'cat "$1" | "$0" -t raw' "$GPUFILTER" \
            cut.$format
        some=$(frames --salvage -i cut.$format)
        is 'salvaged' "$(grep -c 'warning: .*; the rest is missing$' errors) $(wc -l <errors)" '1 1'
        works "$some frames of $all" [ "$some" -gt 20000 -a "$some" -le "$all" ]
        is 'salvaged from a pipe' "$(cat cut.$format | frames --salvage)" "$some"
        works 'trim' gf -i cut.$format trim:0,0.2 -o trimmed.wav
    done
done
gf -i two.wav -t ogg | cat >pipe.ogg
works 'an Ogg of two streams' sh -c 'cat two.ogg pipe.ogg | "$0" -q stats -o out.tsv' "$GPUFILTER"
{ cat two.mp3; printf TAG; head -c 125 /dev/zero; } >tagged.mp3
works 'an ID3v1 tag is no damage' gf -i tagged.mp3 -o out.wav
{ cut_off two.mp3 300; printf TAG; head -c 125 /dev/zero; } >tagged.mp3
refuses 1 'ends after frame' 'and hides none' gf -i tagged.mp3 -o out.wav
# An MP3 of 128 kbit/s without a stated length: 20 frames of 417 bytes.
frame() { bytes 377 373 220 104; head -c 413 /dev/zero; }
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do frame; done >plain.mp3
works 'an MP3 that states no length' gf -i plain.mp3 -o out.wav
cut_off plain.mp3 100 >cut.mp3
gf -i cut.mp3 -o out.wav 2>errors
is 'its last frame is cut' "$? $(cat errors)" \
    '0 gpufilter: warning: cut.mp3: the last MP3 frame is incomplete and is ignored'

# ---- sizes that mean "to the end"

{
    printf 'FORM\177\0\0\0AIFFCOMM\0\0\0\022\0\001\077\300\0\0\0\020\100\013\372\0\0\0\0\0\0\0'
    printf 'SSND\177\0\0\010\0\0\0\0\0\0\0\0'
    samples 200
} >open.aiff
is 'an AIFF from a pipe' "$(frames -i open.aiff)$(cat errors)" 100
for size in '\377\377\377\377' '\0\0\0\200' '\377\377\377\177'; do
    {
        printf "RIFF$size"
        printf 'WAVEfmt \022\0\0\0\006\0\001\0\100\037\0\0\100\037\0\0\001\0\010\0\0\0'
        printf "data$size"
        samples 100
    } >open.wav
    [ "$size" = '\0\0\0\200' ] || is "an a-law WAV from a pipe, $size" "$(frames -i open.wav)$(cat errors)" 100
done
# A VOC of two blocks. libsndfile would read the header of the second as samples.
{ head -c 190 whole.voc; bytes 11 40 0 0 100 37 0 0 20 1 4 0 0 0 0 0; samples 20; bytes 0; } >blocks.voc
refuses 1 'several blocks of audio' 'a VOC of two blocks' gf -i blocks.voc -o out.wav

# ---- image sequences: complete images are kept, from files and pipes; a single incomplete image is
# an error

for i in 1 2 3; do image $i.ppm 20 10 3 255 $i; done
cat 1.ppm 2.ppm 3.ppm >row.ppm
cat 1.ppm 2.ppm >first.ppm
gf -i row.ppm -o row.y4m
gf -i first.ppm -o first.y4m
for i in 1 2 3; do
    gf -i $i.ppm -o $i.pfm
    { printf 'P3 20 10 255\n'; tail -c 600 $i.ppm | od -An -v -tu1; } >$i.txt
    tail -c 600 $i.ppm >$i.rgb
done
cat 1.pfm 2.pfm 3.pfm >row.pfm
cat 1.pfm 2.pfm >first.pfm
cat 1.txt 2.txt 3.txt >row.pnm
cp first.ppm first.pnm
cat 1.rgb 2.rgb 3.rgb >row.raw
cp first.ppm first.raw
for format in ppm pfm pnm y4m raw; do
    from=
    [ $format != raw ] || from='-f raw:size=20x10,channels=3,type=u8'
    cut_off row.$format 100 >cut.$format
    to=pam
    [ $format != pfm ] || to=pfm
    if [ $format = raw ]; then gf -i first.ppm invert -t $to >want; else gf -i first.$format invert -t $to >want; fi
    refuses 1 "cut.$format: " "$format: a cut third image" gf $from -i cut.$format invert -t $to -o out
    line='ends within image 3, which is dropped; 2 complete images are kept'
    gf $from --salvage -i cut.$format invert -t $to -o out 2>errors
    is "$format: two are kept" "$? $(cat errors)" "0 gpufilter: warning: cut.$format: $line"
    same want out 'whole'
    cat cut.$format | gf $from --salvage invert -t $to >out 2>errors
    is "$format: on a pipe" "$? $(cat errors)" "0 gpufilter: warning: standard input: $line"
    same want out 'they are the same'
done
cut_off 1.ppm 100 >cut.ppm
refuses 1 'cut.ppm: ends after row 8 of 10' 'a single image that is cut' gf --salvage -i cut.ppm -o out.png
finish
