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
    seconds=$(${AWK:-awk} "BEGIN { printf \"%.3f s of %.3f s\", $left / 8000, $whole / 8000 }")
    is "$name: whole" "$(frames -i "$file")$(cat errors)" "$whole"
    cut_off "$file" "$drop" >"cut.${file##*.}"
    cut=cut.${file##*.} line="ends after frame $left of $whole ($seconds)"
    refuses 1 "^gpufilter: $cut: $line; --salvage reads what is there$" "$name: cut" gf -i "$cut" -o out.wav
    is "$name: no output" "$(ls out.wav 2>/dev/null)" ''
    refuses 1 "^gpufilter: standard input: $line; --salvage reads what is there$" "$name: on a pipe" \
        sh -c 'cat "$1" | "$0" -t raw' "$GPUFILTER" "$cut"
    is "$name: salvaged" "$(frames --salvage -i "$cut") $(cat errors)" \
        "$left gpufilter: warning: $cut: $line; the rest is missing"
    is "$name: salvaged from a pipe" "$(cat "$cut" | frames --salvage) $(cat errors)" \
        "$left gpufilter: warning: standard input: $line; the rest is missing"
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
{ head -c 44 /dev/zero; samples 200; } >headless.wav
refuses 1 "^gpufilter: headless.wav: can't be decoded: its header .* --from raw:rate=48000,channels=2,type=s16$" \
    'a header of zeros' gf --salvage -i headless.wav -o out.wav

# ---- formats with blocks and pages: a cut is detected, however much can be decoded

sound two.wav 96000 2 1
for format in flac ogg opus mp3; do
    gf -i two.wav -o two.$format
    all=$(frames -i two.$format)
    for drop in 1 300 9000; do
        cut_off two.$format $drop >cut.$format
        refuses 1 'cut.*: ends after frame [0-9]* .*--salvage reads what is there$' "$format without $drop bytes" \
            gf -i cut.$format -o out.wav
        is "$format without $drop bytes leaves no output" "$(ls out.wav 2>/dev/null)" ''
        refuses 1 'standard input: ends after frame' "$format without $drop bytes, from a pipe" \
            sh -c 'cat "$1" | "$0" -t raw' "$GPUFILTER" cut.$format
        some=$(frames --salvage -i cut.$format)
        is "$format without $drop bytes is salvaged" \
            "$(grep -c 'warning: .*; the rest is missing$' errors) $(wc -l <errors)" '1 1'
        works "$format without $drop bytes has many frames" [ "$some" -gt 20000 -a "$some" -le "$all" ]
        is "$format without $drop bytes is salvaged from a pipe" "$(cat cut.$format | frames --salvage)" "$some"
        works "$format without $drop bytes: a trim" gf -i cut.$format trim:0,0.2 -o trimmed.wav
    done
done
gf -i two.wav -t ogg | cat >pipe.ogg
works 'an Ogg of two streams' sh -c 'cat two.ogg pipe.ogg | "$0" -q stats -o out.tsv' "$GPUFILTER"
{ cat two.mp3; printf TAG; head -c 125 /dev/zero; } >tagged.mp3
works 'an ID3v1 tag is no damage' gf -i tagged.mp3 -o out.wav
{ cut_off two.mp3 300; printf TAG; head -c 125 /dev/zero; } >tagged.mp3
refuses 1 'ends after frame' 'an ID3v1 tag does not hide damage' gf -i tagged.mp3 -o out.wav
# An MP3 of 128 kbit/s without a stated length: 20 frames of 417 bytes.
frame() { bytes 377 373 220 104; head -c 413 /dev/zero; }
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do frame; done >plain.mp3
works 'an MP3 that states no length' gf -i plain.mp3 -o out.wav
cut_off plain.mp3 100 >cut.mp3
gf -i cut.mp3 -o out.wav 2>errors
is 'the last frame of an MP3 is cut' "$? $(cat errors)" \
    '0 gpufilter: warning: cut.mp3: the last MP3 frame is incomplete and is ignored'

# ---- each file that lost samples is named, also if it replaces the only copy

mkdir lost
for i in 1 2 3; do cut_off two.flac $((i * 9000)) >lost/$i.flac; done       # later ones are done earlier
gf -j 2 --salvage -i lost stats -o lost.tsv 2>errors
is 'three recordings, three warnings' \
    "$(sed 's/: ends after .*; the rest is missing$//' errors | sort)" 'gpufilter: warning: lost/1.flac
gpufilter: warning: lost/2.flac
gpufilter: warning: lost/3.flac'
gf --salvage -i lost/1.flac -o lost/1.flac 2>errors
is 'a damaged recording is replaced' "$? $(sed 1d errors)" '0 gpufilter: warning: lost/1.flac: the output replaces '\
'the damaged input; use -o with another name to keep it'
works '--salvage of a recording without damage replaces it' gf --salvage -i two.wav -o two.wav

# ---- no cut is silent, wherever it is

# sweep FILE STEP: tries cuts from the first byte, and prints those that are accepted without a message.
sweep()
{
    size=$(wc -c <"$1") at=1
    while [ $at -lt "$size" ]; do
        head -c $at "$1" >cut
        if gf -i cut -t raw -o cut.raw 2>errors && [ ! -s errors ]; then
            printf '%s ' $at
        fi
        at=$((at + $2))
    done
}
sound short.wav 100 1 3
for format in wav rf64 aiff w64 caf au; do
    gf -i short.wav -t $format -o short.$format
    is "$format: any cut" "$(sweep short.$format 7)" ''
done
head -c 190 whole.voc >open.voc                  # without its terminator, which has no samples
for format in whole.svx open.voc whole.alaw.wav whole.nist whole.ulaw.au; do
    is "$format: any cut" "$(sweep $format 11)" ''
done
for format in flac ogg opus mp3; do
    gf -i short.wav -t $format -o short.$format
    is "$format: any cut" "$(sweep short.$format 97)" ''
done
head -c 100 short.w64 >cut.w64                   # within the header of the data
head -c 2000 two.ogg >cut.ogg                    # within the headers of Vorbis
for format in w64 ogg; do
    for salvage in '' --salvage; do
        refuses 1 "cut.$format: ends before its first frame; there is nothing to salvage" \
            "no samples in a $format${salvage:+, with $salvage}" gf $salvage -i cut.$format -o out.wav
    done
done

# ---- damage within an Ogg: decoders leave out its pages; the first page with audio is a special case

for format in ogg opus; do
    size=$(wc -c <two.$format)
    for part in 1 2 3 5 8 10 12 14 16 18 19; do
        at=$((size * part / 20))
        { head -c $at two.$format; bytes 252 125 252 125; tail -c +$((at + 5)) two.$format; } >hurt.$format
        gf -i hurt.$format -o out.wav 2>errors
        is "$format: damage at $part/20" "$? $(grep -c '^gpufilter: hurt.*' errors)" '1 1'
        case $part in
        1|2|19) ;;                                   # within the headers, and perhaps the last page
        *)  is "$format: damage at $part/20 is no missing end" \
            "$(grep -c ': is damaged: .* --salvage reads the others$' errors)" 1
            left=$(frames --salvage -i hurt.$format)
            is "$format: damage at $part/20 is salvaged with a warning" \
                "$(grep -c 'is damaged: .*; later ones come too early$' errors) $(wc -l <errors)" '1 1'
            works "$format: damage at $part/20 leaves many frames" [ "$left" -gt 20000 -a "$left" -lt \
                "$(frames -i two.$format)" ] ;;
        esac
    done
done

# ---- a FLAC that states no length, as on a pipe, and damage within one: every frame has a checksum

{ head -c 22 two.flac; printf '\0\0\0\0'; tail -c +27 two.flac; } >open.flac
is 'a FLAC without a length' "$(frames -i open.flac)$(cat errors)" "$(frames -i two.flac)"
for drop in 1 300 9000; do
    cut_off open.flac $drop >cut.flac
    refuses 1 'cut.flac: ends after frame [0-9]* ([0-9.]* s), in the middle of its stream; --salvage reads' \
        "a FLAC without a length and $drop bytes" gf -i cut.flac -o out.wav
    works "a FLAC without a length and $drop bytes is salvaged" [ "$(frames --salvage -i cut.flac)" -gt 80000 ]
done
cut_off two.flac 9000 >cut.flac
left=$(($(frames --salvage -i cut.flac) / 2))
for stages in '' gain:-3 'gain:-3 --segment 1000'; do
    refuses 1 "ends after frame $left of 96000 " "a cut after frame $left: $stages" gf -i cut.flac $stages -o out.wav
done
refuses 1 "ends after frame $left of 96000 " "a cut after frame $left: $stages, as a table" \
    gf -i cut.flac stats -o out.tsv
gf -i two.flac -t raw:type=s16 -o two.raw
size=$(wc -c <two.flac)
for part in 1 2 3 4 5 6 7 8 9; do
    for file in two open; do
        at=$((size * part / 10))
        { head -c $at $file.flac; bytes 252 125 252 125; tail -c +$((at + 5)) $file.flac; } >hurt.flac
        gf --salvage -i hurt.flac -t raw:type=s16 >left.raw 2>errors
        left=$(($(wc -c <left.raw) / 4))
        is "damage at $part/10 of $file.flac" \
            "$(grep -c "is damaged after frame $left .*; the rest is left out\$" errors) $(wc -l <errors)" '1 1'
        line="is damaged after frame $left .*--salvage reads what is before the damage$"
        head -c $((left * 4)) two.raw >want.raw
        same want.raw left.raw "damage at $part/10 of $file.flac: what is before it is intact"
        refuses 1 "hurt.flac: $line" "damage at $part/10 of $file.flac: one segment" gf -i hurt.flac -o out.wav
        refuses 1 "hurt.flac: $line" "damage at $part/10 of $file.flac: many segments" \
            gf -j 2 --segment 1000 -i hurt.flac gain:-3 -o out.wav
        refuses 1 "hurt.flac: $line" "damage at $part/10 of $file.flac: a table" gf -i hurt.flac stats -o out.tsv
        refuses 1 "standard input: $line" "damage at $part/10 of $file.flac: a pipe" \
            sh -c 'cat hurt.flac | "$0" -t raw' "$GPUFILTER"
    done
done

# ---- damage within an MP3 that states no length: libmpg123 prints a line of its own

{ head -c 4170 plain.mp3; head -c 417 /dev/zero; tail -c +4588 plain.mp3; } >hurt.mp3
gf -i hurt.mp3 -o out.wav 2>errors
is 'a damaged MP3' "$? $(sed 's/0x.*//' errors)" \
    '0 gpufilter: warning: hurt.mp3: the decoder reports: Note: Illegal Audio-MPEG-Header '
gf -q -i hurt.mp3 -o out.wav 2>errors
is 'a damaged MP3 with -q' "$? $(cat errors)" '0 '
refuses 1 'hurt.mp3: the decoder reports: .*an error because of --strict' 'a damaged MP3 with --strict' \
    gf --strict -i hurt.mp3 -o out.wav
mkdir hurt
cp hurt.mp3 hurt/a.mp3
cp hurt.mp3 hurt/b.mp3
gf -j 2 -i hurt/a.mp3 -i hurt/b.mp3 -o 'hurt/{stem}.wav' 2>errors
is 'two of them' "$? $(sed 's/0x.*//' errors)" \
    '0 gpufilter: warning: hurt/a.mp3 and 1 other file: the decoder reports: Note: Illegal Audio-MPEG-Header '

# A report about the header comes only if no error says more.
{ head -c 2000 two.mp3; yes "$(printf '\377\373\220\144')" | tr -d '\n' | head -c 200000; } >junk.mp3
gf -i junk.mp3 -o out.wav 2>errors
is 'an MP3 that ends in junk' "$? $(sed 's/after.*(.*)/after/' errors)" \
    '1 gpufilter: junk.mp3: ends after; --salvage reads what is there'

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
    same want out "$format: two images are kept whole"
    cat cut.$format | gf $from --salvage invert -t $to >out 2>errors
    is "$format: on a pipe" "$? $(cat errors)" "0 gpufilter: warning: standard input: $line"
    same want out "$format: two images on a pipe are the same"
done
cut_off 1.ppm 100 >cut.ppm
refuses 1 'cut.ppm: ends after row 8 of 10' 'a single image that is cut' gf --salvage -i cut.ppm -o out.png

# ---- a WAV that is shorter than at the start of the run

# The output fills its pipe until the input has been cut.
{ head -c 40 short.wav; printf '\200\226\230\0'; head -c 10000000 /dev/zero; } >shrinks.wav
{ gf --segment 64K -i shrinks.wav gain:-1 -t wav 2>errors; echo $? >status; } |
    { head -c 1 >out; truncate -s 2000000 shrinks.wav; cat >out; }
is 'a WAV that shrinks' "$(cat status errors)" '1
gpufilter: shrinks.wav: has become shorter while it was read'

# ---- several chunks of samples

{ cat short.wav; printf 'data\004\0\0\0abcd'; } >several.wav
gf -i short.wav -o wanted.wav
for options in '-i several.wav' '-i -'; do
    gf $options -t wav -o out.wav <several.wav 2>errors
    is "several chunks of samples, $options" "$? $(cut -d: -f 4 errors)" \
        '0  has several chunks of samples; only the first is read'
    same out.wav wanted.wav "several chunks of samples, $options: the first is read"
done
{ cat short.wav; printf 'data\0\0\0\0'; } >several.wav
works 'a second one without samples' gf -i several.wav -o out.wav
finish
