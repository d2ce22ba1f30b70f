# Audio in files and pipes: known bytes, every bit depth through every format, exchange with other
# programs.
. "$(dirname "$0")/../lib.sh"

hex() { od -An -v -tx1 | tr -d ' \n'; }
# bytes OCTAL...: writes these bytes.
bytes() { for octal in "$@"; do printf "\\$octal"; done; }
# turns NAME FROM BYTES TO WANTED: converts BYTES (octal numbers) from raw:FROM to raw:TO and
# expects WANTED (hexadecimal).
turns()
{
    bytes $3 | gf --from "raw:$2" --to "raw:$4" >out 2>errors
    is "$1" "$(hex <out)$(cat errors)" "$5"
}

# ---- raw samples: the meaning of each type

turns 'u8 counts from the lowest' rate=8000,type=u8 '0 200 377' type=s16be 800000007f00
turns 's8 counts from the middle' rate=8000,type=s8 '0 200 377' type=s8 0080ff
turns 'raw s8 becomes u8' rate=8000,type=s8 '0 200 377' type=u8 80007f
turns 'raw s16be becomes s16' rate=8000,type=s16be '1 2 200 0' type=s16 02010080
turns 'raw s16le becomes s16be' rate=8000,type=s16le '1 2 200 0' type=s16be 02010080
turns 'raw u16 becomes s16' rate=8000,type=u16 '0 200 377 377' type=s16 0000ff7f
turns 'raw s16 becomes u16be' rate=8000,type=s16 '0 200' type=u16be 0000
turns 'raw s24be becomes s24' rate=8000,type=s24be '1 2 3 200 0 1' type=s24 030201010080
turns 'raw u24 becomes s24' rate=8000,type=u24 '1 2 203' type=s24 010203
turns 'raw s32be becomes s32' rate=8000,type=s32be '1 2 3 4' type=s32 04030201
turns 'raw u32 becomes s32' rate=8000,type=u32 '1 2 3 204' type=s32 01020304
turns 'f32be, which is 1' rate=8000,type=f32be '77 200 0 0' type=f32 0000803f
turns 'f64be, which is a half' rate=8000,type=f64be '77 340 0 0 0 0 0 0' type=f64 000000000000e03f
turns 'a half in 16 bits' rate=8000,type=f64be '77 340 0 0 0 0 0 0' type=s16 0040
turns 's16, a half, in f32' rate=8000,type=s16 '0 100' type=f32 0000003f
turns 'channels=1 and s16 are what goes without saying' rate=8000 '0 100' type=s16 0040
part='gpufilter: warning: standard input: ends inside a frame of'
turns 'a frame that is not whole is none' rate=44.1k,type=s16 '1 0 2 0 3' type=s16 \
    "01000200$part 2 bytes; the last 1 byte was ignored"
turns 'a frame of two channels that is not whole is none' rate=8000,channels=2,type=s16 '1 0 2 0 3 0' type=s16 \
    "01000200$part 4 bytes; the last 2 bytes were ignored"
turns 'raw samples described by values alone' 8000,2,s16be '1 2 200 0' type=s16 02010080
turns 'raw samples described by values in any order that is unambiguous' s16be,8k,2 '1 2 200 0' s16 02010080
turns 'channels that are no rate' 2,rate=8000,type=s16be '1 2 200 0' type=s16 02010080
bytes 1 0 2 0 3 0 >in.raw
gf -f raw:rate=44.1k,channels=2,type=s16 -i in.raw -o out.wav 2>errors
is 'a file of it' "$? $(cat errors)" "0 gpufilter: warning: in.raw: ends inside a frame of 4 bytes; the last 2 \
bytes were ignored"
works 'a note about an incomplete frame is not printed with -q' \
    gf -q -f raw:rate=44.1k,channels=2,type=s16 -i in.raw -o out.wav
is 'raw samples as a WAV' "$(hex <out.wav)" 524946462800000057415645666d74201000000001000200\
44ac000010b10200040010006461746104000000"01000200"
works 'out to a file by its name' gf -i out.wav -o out.raw
is 'a file called .raw has samples alone' "$(hex <out.raw)" 01000200

# Images.
turns 'a picture of bytes' size=2x1 '1 2 3 4 5 6' type=u8 010203040506
turns 'a size alone' 1x1,3,u8 '1 2 3' type=u8 010203
turns 'a raw image of which the size and type are described in words' size=1x1,channels=3,type=u8 '377 0 200' type=u16 \
    ffff00008080
bytes 1 2 3 4 5 6 7 10 11 12 13 14 >in.raw
works 'several pictures in a row' gf -f raw:size=1x2,channels=3,type=u8 -i in.raw invert invert flip -t pnm -o out.ppm
printf 'P6\n1 2\n255\n\004\005\006\001\002\003P6\n1 2\n255\n\012\013\014\007\010\011' >right.ppm
same right.ppm out.ppm 'several raw images after each other are several images'
works 'several raw images after each other, on a pipe' \
    sh -c 'cat in.raw | "$0" -f raw:size=1x2,channels=3,type=u8 flip -t pnm >out.ppm' "$GPUFILTER"
same right.ppm out.ppm 'several raw images on a pipe are several images, too'
works 'out of PPM' gf -i right.ppm flip -t raw -o out.raw
same in.raw out.raw 'a PPM becomes the raw samples that it was made from'
bytes 1 2 3 4 5 6 7 >in.raw
refuses 1 'row 1 of 2' 'a picture that is cut' gf -f raw:size=1x2,channels=4,type=u8 -i in.raw invert -o out.pam

refuses 2 'raw:rate=48000' 'raw that nothing is told of' gf -f raw -i in.raw -o out.wav
refuses 2 'for raw samples use -f raw:rate=44100,channels=2,type=s16le' 'a type for a format' gf -f s16le -i in.raw \
    -o out.wav
refuses 2 'for raw samples use -t raw:type=f32be' 'a type of samples in place of the output format' \
    gf -f raw:rate=8000 -i in.raw -t f32be -o out.wav
refuses 2 'unknown input format; try aifc, ' 'a word that is no type in place of the input format' \
    gf -f s12xy -i in.raw -o out.wav
bytes 0 0 0 30 146 164 171 160 >film.m4a
refuses 1 'does not read .m4a; use ffmpeg -i FILE -f wav - | gpufilter' 'an audio file that only ffmpeg reads' \
    gf -i film.m4a -o out.wav
refuses 2 'raw:rate=48000' 'a file that is raw by its name' gf -i in.raw -o out.wav
refuses 2 'rate is for audio and size for images' 'a raw format for audio and for images at once' \
    gf -f raw:size=2x2,rate=8000 -i in.raw -o out.wav
refuses 2 "'order' is not understood.*T is u8, u16" 'a key that is none' \
    gf -f raw:rate=8000,order=le -i in.raw -o out.wav
refuses 2 'as in type=s16; the type is u8' 'bits as a key' gf -f raw:rate=8000,bits=16 -i in.raw -o out.wav
refuses 2 'for raw samples use -f raw:rate=8000,channels=1,type=s16le$' 'the words of ffmpeg for raw samples' gf \
    -f s16le:rate=8000,channels=1 -i in.raw -o out.wav
refuses 2 'rate= must be' 'a rate of 0' gf -f raw:rate=0 -i in.raw -o out.wav
refuses 2 'rate= must be' 'a rate that is too high' gf -f raw:rate=99999999k -i in.raw -o out.wav
refuses 2 'channels= must be' 'raw samples of 65 channels' gf -f raw:rate=8000,channels=65 -i in.raw -o out.wav
for type in s12 f16 u64 16 s16xx s16bee x; do
    refuses 2 'type= must be' "the type $type" gf -f raw:rate=8000,type=$type -i in.raw -o out.wav
done
refuses 2 'u8, u16 or f32' 'pictures of s16' gf -f raw:size=1x1,type=s16 -i in.raw -o out.ppm
refuses 2 '1 to 4 channels' 'pictures of 5 channels' gf -f raw:size=1x1,channels=5 -i in.raw -o out.pam
refuses 1 'max-pixels' 'pictures that are too large' \
    gf --max-pixels 100 -f raw:size=11x10,channels=1 -i in.raw -o out.pgm
refuses 2 'only type=' 'a rate for an output' gf -f raw:rate=8000 -i in.raw -t raw:rate=8000 -o out.raw
refuses 2 'depth' 'a type and a depth' gf -f raw:rate=8000 -i in.raw --depth 8 -t raw:type=u8 -o out.raw

# ---- every bit depth through every format; the bytes of the program itself serve as noise

head -c 65536 "$GPUFILTER" | tail -c 15360 >noise
around()
{
    gf -f "raw:rate=48000,channels=$2,type=$1" -i noise -o "a.$3" 2>errors &&
        gf -i "a.$3" -o "b.$3" 2>>errors && gf -t raw -i "b.$3" -o back 2>>errors
    if [ $? = 0 ] && [ ! -s errors ] && cmp noise back >errors; then
        pass "$1, $2 channels: $3 keeps every bit"
    else
        fail "$1, $2 channels: $3 keeps every bit"
        note <errors
    fi
}
for format in wav rf64 w64 aiff au caf; do
    for type in s16 s24 s32 f32 f64; do
        around $type 2 $format
    done
    around s24 5 $format
    around s16 64 $format
done
around s24 1 flac
around s16 2 flac
around s16 8 flac
# FLAC is encoded by several threads in runs of 131072 frames and more. With one thread, libsndfile encodes.
{ cat noise noise noise noise noise noise noise noise; head -c 400000 /dev/zero; } >tens
cat tens tens tens tens tens tens tens tens >many
for options in 's16 131072' 's16 131073' 's16 600000 --compression 1' 's16 390000 --compression 4' 's24 131071' \
    's24 270000 --compression 8' 's16 135168 --depth 8' 's16 131072 --compression 0'; do
    set -- $options
    type=$1 frames=$2
    shift 2
    head -c $((frames * 2 * ${type#s} / 8)) many >part
    for threads in 1 3; do
        gf -j $threads --from raw:rate=48000,channels=2,type=$type -i part "$@" -o $threads.flac
        gf -j $threads --from raw:rate=48000,channels=2,type=$type -i part "$@" -t flac | cat >$threads.piped
    done
    same 1.flac 3.flac "FLAC of three threads, $options"
    same 1.piped 3.piped "FLAC of three threads on a pipe, $options"
done
head -c 3000000 /dev/zero >zeros
works 'FLAC of three threads: silence' sh -c '"$0" -j 3 --from raw:rate=48000,channels=2,type=s16 -i zeros -o none.flac
    "$0" -i none.flac -t raw | cmp - zeros' "$GPUFILTER"
# Raw 8-bit samples are unsigned unless the type says s8.
for format in wav rf64 w64 aiff au caf flac; do
    around u8 2 $format
done
for chain in 'wav flac' 'flac aiff' 'aiff caf' 'caf w64' 'w64 au' 'au wav'; do
    first=${chain% *} second=${chain#* }
    works "s24, $first to $second" \
        sh -c '"$0" -f raw:rate=48000,channels=2,type=s24 -i noise -o "a.$1" && "$0" -i "a.$1" -o "b.$2" &&
        "$0" -i "b.$2" -t raw -o back && cmp noise back' "$GPUFILTER" $first $second
done
# Stages that only move samples keep every bit of 32-bit and 64-bit samples.
for type in s32 f64; do
    works "$type: channels change places and back" \
        sh -c '"$0" -f raw:rate=48000,channels=1,type=$1 -i noise -t wav | "$0" -t raw | cmp - noise' "$GPUFILTER" $type
done

# ---- pipes and files get the same bytes at any time; with a short buffer, the samples are the same

sound in.wav 48000 2 3
for format in ogg opus mp3 flac aiff caf w64 au wav rf64; do
    gf -i in.wav -t $format -o file.$format
    cp file.$format file.$format.first
    gf <in.wav -t $format 2>errors | cat >pipe.$format
    same file.$format pipe.$format "$format on a pipe$(cat errors)"
done
for format in aiff caf w64 au wav rf64; do
    gf -i in.wav --depth f32 -t $format -o float.$format
done
sleep 1
for format in ogg opus mp3 flac aiff caf w64 au wav rf64; do
    gf -i in.wav --segment 4000 -j 1 -t $format -o file.$format
    same file.$format.first file.$format "the same $format a second later"
    [ -f float.$format ] || continue
    gf -i in.wav --depth f32 --segment 4000 -j 1 -t $format -o later
    same float.$format later "the same $format of floats a second later"
done
gf -i in.wav invert -o other.ogg
for format in ogg:40 mp3:60; do
    gf -i in.wav --quality ${format#*:} -o told.${format%:*}
    gf -i in.wav -o untold.${format%:*}
    same told.${format%:*} untold.${format%:*} "the quality of ${format%:*} that the manual states"
done
gf -i in.wav --quality 100 -o much.mp3
gf -q -i much.mp3 gain:-1 -o quiet.mp3 2>said
is 'no note with -q about a lower bit rate' "$(cat said)" ''
gf -i much.mp3 gain:-1 -o less.mp3 2>said
is 'an MP3 that is stored at a lower bit rate is noted' "$(sed 's/has [0-9]*/has N/; s/result [0-9]*/result N/' said)" \
    'gpufilter: note: less.mp3: much.mp3 has N kbit/s, the result N; --quality 80 or more keeps more of the audio'
gf -i much.mp3 gain:-1 --quality 60 -o less.mp3 2>said
is 'no note about a bit rate that --quality sets' "$(cat said)" ''
gf -i in.wav -o less.mp3 2>said
is 'no note about a bit rate after WAV' "$(cat said)" ''
number_of() { head -c 18 "$1" | tail -c 4 | hex; }
is 'streams that may stand behind one another have numbers of their own' \
    "$([ "$(number_of file.ogg)" = "$(number_of other.ogg)" ] || echo differ)" differ
if command -v ffmpeg >/dev/null; then
    ffmpeg -v error -i file.ogg -f null - >errors 2>&1 </dev/null
    is 'an Ogg that ffmpeg likes' "$(cat errors)" ''
fi

# ---- AU

# au SIZE ENCODING CHANNELS: writes an AU header with an empty annotation; arguments are octal
# bytes.
au() { printf '.snd'; bytes 0 0 0 34 $1 0 0 0 $2 0 0 37 100 0 0 0 $3 0 0 0 0; }
{ au '377 377 377 377' 3 1; bytes 1 2 200 0; } >open.au
{ au '0 0 0 4' 3 1; bytes 1 2 200 0; } >told.au
for file in open told; do
    works "AU, $file, from a file" gf -i $file.au -t raw:type=s16be -o out.raw
    is "AU, $file, from a file: its samples" "$(hex <out.raw)" 01028000
    cat $file.au | gf -t raw:type=s16be >out.raw 2>errors
    is "AU, $file, from a pipe: its samples" "$(hex <out.raw)$(cat errors)" 01028000
done
is 'an AU on a pipe whose length nobody knows' "$(cat open.au | gf -t au | hex)" \
    2e736e6400000018ffffffff00000003"00001f40"0000000101028000
is 'one whose length is known' "$(cat told.au | gf -t au | hex)" \
    2e736e64000000180000000400000003"00001f40"0000000101028000
cat open.au | gf -o out.au
is 'a file gets its size in the end' "$(hex <out.au)" 2e736e64000000180000000400000003"00001f40"0000000101028000
{ au '0 0 0 4' 3 1; bytes 1 2 200; } >cut.au
refuses 1 'frame 1 of 2' 'an AU that is cut' gf -i cut.au invert -o out.wav
cat cut.au | gf -t raw >out.raw 2>errors
is 'an AU that is cut, on a pipe' "$? $(cat errors)" \
    '1 gpufilter: standard input: ends after frame 1 of 2 (0.000 s of 0.000 s); --salvage reads what is there'
refuses 1 'ends after frame 1 of 2 .*; --salvage reads what is there' 'an AU that is cut, from a file' \
    gf -i cut.au -o out.wav
cat cut.au | gf trim:0,1f -t raw >out.raw 2>errors
is 'trim of an AU that is cut takes what is there' "$? $(hex <out.raw)$(cat errors)" '0 0201'
cat cut.au | gf gain:-3 >out.wav 2>errors
is 'else no header is left that tells of more' "$(wc -c <out.wav)" 0
(printf abc; cat cut.au | gf gain:-3) >out.wav 2>errors
is 'data before an AU on a pipe stays in the output' "$(cat out.wav)" abc
{ printf 'dns.'; bytes 34 0 0 0 4 0 0 0 3 0 0 0 100 37 0 0 1 0 0 0 0 0 0 0 1 2 0 200; } >little.au
works 'an AU the other way round' gf -i little.au -t raw -o out.raw
is 'an AU in little-endian order has its samples' "$(hex <out.raw)" 01020080

# ---- WAV: other valid headers

{
    printf 'RIFX'
    bytes 0 0 0 50
    printf 'WAVEfmt '
    bytes 0 0 0 20 0 1 0 1 0 0 37 100 0 0 76 200 0 2 0 20
    printf 'data'
    bytes 0 0 0 4 1 2 200 0
} >x.wav
works 'a RIFX is read' gf -i x.wav -t raw:type=s16be -o out.raw
is 'a RIFX has its samples' "$(hex <out.raw)" 01028000
fmt() { printf 'fmt '; bytes 20 0 0 0 1 0 1 0 100 37 0 0 200 76 0 0 2 0 20 0; }
riff() { printf 'RIFF'; bytes 377 377 377 377; printf WAVE; }
samples() { printf data; bytes 4 0 0 0 1 2 3 4; }
{ riff; printf 'JUNK'; bytes 3 0 0 0; printf 'abc\0bext'; bytes 2 0 0 0; printf 'xyLIST'; bytes 5 0 0 0
    printf 'adtlx\0fact'; bytes 4 0 0 0 1 0 0 0
  printf 'id3 '; bytes 1 0 0 0; printf 'x\0'; fmt; samples; printf 'JUNK'; bytes 2 0 0 0 7 7; printf 'LIST'
      bytes 377 377 377 177; } >chunks.wav
for how in 'cat chunks.wav' 'dd if=chunks.wav bs=1' 'dd if=chunks.wav bs=7'; do
    $how 2>/dev/null | gf -t raw >out.raw 2>errors
    is "chunks before and behind: $how" "$(hex <out.raw)$(cat errors)" 01020304
done
works "chunks before and after the samples, $how, from a file" gf -i chunks.wav -t raw -o out.raw
is "chunks before and after the samples, $how: the samples" "$(hex <out.raw)" 01020304
{ riff; samples; fmt; } >late.wav
# Sizes that programs write before they know the length: arecord 2 GB, others about 4 GB, or 0 until the end.
for sizes in '44 0 0 200:0 0 0 200' '377 377 377 377:333 377 377 377' '44 360 377 377:0 360 377 377' \
    '44 0 0 0:0 0 0 0'; do
    { printf RIFF; bytes ${sizes%:*}; printf WAVE; fmt; printf data; bytes ${sizes#*:} 1 2 3 4 5 6; } >cut.wav
    is "sizes $sizes, a file" "$(gf -i cut.wav -t raw | hex)" 010203040506
    is "sizes $sizes, a pipe" "$(cat cut.wav | gf -t raw | hex)" 010203040506
done
# A recording that ^C ends can be read as far as it got.
sound one.wav 3000 1 5
(cat one.wav; sleep 5) | timeout -s INT 1 "$GPUFILTER" --latency 10 \
    gain:-3 -t wav >stopped.wav
is 'a stopped recording' "$(gf -i stopped.wav -t raw | wc -c | ${AWK:-awk} '{ print ($1 > 2000) }')" 1
# A recording without samples is a file that can be read.
sound none.wav 0 1 5
for format in flac mp3 ogg aiff caf w64 au rf64; do
    works "no samples as $format" gf -i none.wav -o none.$format
    is "no samples as $format are read again" "$(gf -i none.$format -t raw | wc -c)" 0
done
# empty RIFF-SIZE: writes a WAV with an empty data chunk and tags after it.
empty()
{
    printf RIFF
    bytes $1
    printf WAVE
    fmt
    printf data
    bytes 0 0 0 0
    printf LIST
    bytes 16 0 0 0
    printf INFOINAM
    bytes 2 0 0 0 101 0
}
empty '72 0 0 0' >empty.wav
is 'a WAV with no samples and tags after them, on a pipe' "$(cat empty.wav | gf -t raw | hex)" ''
works 'a WAV with no samples and tags after them, in a file' gf -i empty.wav -t raw -o out.raw
is 'a WAV with no samples in a file has none' "$(hex <out.raw)" ''
for size in '0 0 0 0' '377 377 377 377' '44 0 0 0'; do
    is "a size of $size means all data up to the end" "$(empty "$size" | gf -t raw | hex)" \
        "$(printf 'LIST\16\0\0\0INFOINAM\2\0\0\0A\0' | hex)"
done
refuses 1 'no "fmt " chunk' 'a format behind the samples' gf -i late.wav -o out.wav
wav() { riff; printf 'fmt '; bytes 20 0 0 0 $1 $2 $3 0 0 0 0 $4 $5; printf 'data'; bytes 4 0 0 0 1 2 3 4; }
wav '1 0' '0 0' '100 37 0 0' '2 0' '20 0' >bad.wav
refuses 1 '0 channels' 'a WAV with no channels' gf -i bad.wav -o out.wav
wav '1 0' '377 377' '100 37 0 0' '2 0' '20 0' >bad.wav
refuses 1 '65535 channels' 'a WAV with too many channels' gf -i bad.wav -o out.wav
wav '1 0' '1 0' '0 0 0 0' '2 0' '20 0' >bad.wav
refuses 1 'rate of 0' 'a WAV with a rate of 0' gf -i bad.wav -o out.wav
wav '1 0' '1 0' '0 0 0 377' '2 0' '20 0' >bad.wav
refuses 1 'rate of' 'a rate beyond 31 bits' gf -i bad.wav -o out.wav
wav '1 0' '1 0' '100 37 0 0' '2 0' '100 0' >bad.wav
refuses 1 '(1, 64 bits) is not supported' 'integers of 64 bits' gf -i bad.wav -o out.wav
wav '1 0' '1 0' '100 37 0 0' '0 0' '20 0' >odd.wav
works 'a block of no bytes is none of our business' gf -i odd.wav -t raw -o out.raw
is 'the bits tell' "$(hex <out.raw)" 01020304
wav '1 0' '1 0' '100 37 0 0' '4 0' '20 0' >odd.wav
works '16 bits in blocks of 32' gf -i odd.wav -t raw -o out.raw
is 'stand at the top' "$(hex <out.raw)" 01020304
{ riff; printf 'fmt '; bytes 377 377 377 377 1 0 1 0; } >bad.wav
refuses 1 'begin' 'a format of 4 GB' gf -i bad.wav -o out.wav
{ riff; printf 'LIST'; bytes 377 377 17 0; printf INFOINAM; bytes 377 377 377 377; } >bad.wav
refuses 1 'begin' 'tags of a megabyte that are not there' gf -i bad.wav -o out.wav
{ riff; fmt; printf data; bytes 0 0 0 377 1 2 3 4; } >bad.wav
refuses 1 'frame 2 of' 'samples that are not there' gf -i bad.wav stats -o out.tsv
{ printf 'RF64'; bytes 377 377 377 377; printf 'WAVEds64'; bytes 34 0 0 0 0 0 0 0 0 0 0 0 377 377 377 377 377 377 377 \
    177 0 0 0 0 0 0 0 0 0 0 0 0; fmt
  printf data; bytes 377 377 377 377 1 2 3 4; } >bad.wav
refuses 1 'frame 2 of' 'an RF64 of 8 EB' gf -i bad.wav invert -o out.wav
refuses 1 'too large' 'an RF64 of 8 EB on a pipe' sh -c 'cat bad.wav | "$0" -t raw' "$GPUFILTER"
{ head -c 28 bad.wav; bytes 0 0 0 100 1 0 0 0; tail -c +37 bad.wav; } >worse.wav
refuses 1 'frame 2 of 2684354560' 'one of 5 GB' sh -c 'cat worse.wav | "$0" -t raw' "$GPUFILTER"

# ---- exchange with other programs

sound in.wav 4801 2 3
tail -c +45 in.wav >in.raw
for size in 1 7 4093; do
    works "pieces of $size" sh -c 'dd if=in.wav bs=$1 2>/dev/null | "$0" -t raw | cmp - in.raw' "$GPUFILTER" $size
done
sound long.wav 3000000 2 3
for format in wav au raw flac ogg opus mp3 aiff caf w64; do
    { gf -i long.wav invert -t $format; echo $? >status; } 2>errors | head -c 100 >first
    is "$format: a reader that leaves early" "$(cat errors status)" 0
done
# width BITS: prints the raw type of a WAV with that bit depth.
width() { [ $1 = 8 ] && echo u8 || echo s$1; }
if command -v sox >/dev/null; then
    for bits in 8 16 24 32; do
        sox -D in.wav -b $bits want.wav
        gf -i want.wav -t raw -o want.raw
        for type in wav au; do
            signed=
            if [ "$bits$type" = 8au ]; then
                signed='-e signed'
                gf -i want.wav -t raw:type=u8 -o want.raw
            fi
            sox -D in.wav $signed -b $bits -t $type - 2>/dev/null | gf -t raw:type=$(width $bits) >got.raw 2>errors
            same want.raw got.raw "sox writes $type of $bits bits to a pipe$(cat errors)"
            gf -i want.wav -t $type | sox -D -t $type - -t wav -b $bits - 2>/dev/null | gf -t raw >got.raw
            same want.raw got.raw "sox reads $type of $bits bits from one"
        done
    done
    sox in.wav -e float -b 32 want.wav 2>/dev/null
    gf -i want.wav -t raw -o want.raw
    sox in.wav -e float -b 64 -t wav - 2>/dev/null | gf -t raw:type=f32 | cmp - want.raw >errors 2>&1
    is 'doubles of sox' "$(cat errors)" ''
else
    skip 'sox is not here'
fi
if command -v ffmpeg >/dev/null; then
    # On a pipe, ffmpeg writes sizes with all bits set, in WAV and in AU.
    for codec in wav:pcm_u8 wav:pcm_s16le wav:pcm_s24le wav:pcm_s32le wav:pcm_f32le wav:pcm_f64le au:pcm_s8 \
        au:pcm_s16be au:pcm_s24be au:pcm_f32be au:pcm_f64be w64:pcm_s24le; do
        format=${codec%:*} codec=${codec#*:}
        ffmpeg -v error -i in.wav -f ${codec#pcm_} -c:a $codec want.raw -y </dev/null
        ffmpeg -v error -i in.wav -f $format -c:a $codec - </dev/null | gf -t raw:type=${codec#pcm_} >got.raw 2>errors
        same want.raw got.raw "ffmpeg writes $format of $codec to a pipe$(cat errors)"
        [ $format = w64 ] && continue
        ffmpeg -v error -i in.wav -c:a $codec whole.$format -y </dev/null
        cat whole.$format | gf -t $format | ffmpeg -v error -f $format -i - -f ${codec#pcm_} -c:a $codec - \
            2>errors >got.raw
        same want.raw got.raw "ffmpeg reads $format of $codec from one$(cat errors)"
    done
    ffmpeg -v error -i in.wav -af 'pan=5.1|c0=c0|c1=c1|c2=c0|c3=c1|c4=c0|c5=c1' -f wav six.wav -y </dev/null
    works 'a mask of channels' gf -i six.wav -o six-out.wav
    is 'six channels are 5.1 for ffprobe, too' \
        "$(ffprobe -v error -show_entries stream=channel_layout -of csv=p=0 six-out.wav)" \
        "$(ffprobe -v error -show_entries stream=channel_layout -of csv=p=0 six.wav)"
else
    skip 'ffmpeg is not here'
fi

# ---- a second recording after the first

# A library that cannot be opened: the message names the file. A build may link libsndfile instead.
mkdir broken
: >broken/libsndfile.so.1
gf -i in.wav -o whole.ogg
without() { LD_LIBRARY_PATH=$PWD/broken "$GPUFILTER" "$@"; }
if [ "$(ulimit -v)" = unlimited ] && ! without -i in.wav -o out.flac 2>errors && grep -q 'cannot be opened' errors; then
    refuses 1 '^gpufilter: whole.ogg: .*libsndfile.so.1 cannot be opened' \
        'a compressed file that is read without libsndfile' without -i whole.ogg -o out.wav
    refuses 1 '^gpufilter: out.flac: libsndfile.so.1 cannot be opened' \
        'a compressed file that is written without libsndfile' without -i in.wav -o out.flac
else
    skip 'libsndfile is linked here'
fi
rm -r broken

sound one.wav 3000 1 5
for format in wav flac ogg au caf; do
    gf -i one.wav -o one.$format
    cat one.$format one.$format >two.$format
    works "one recording in $format" gf -i one.$format gain:-3 -o alone.wav
    gf -i two.$format gain:-3 -o out.wav 2>errors
    is "$format twice is told" "$? $(grep -c 'gpufilter: warning: two.*a second recording follows.*sox A B' \
        errors) $(wc -l <errors)" '0 1 1'
    same alone.wav out.wav "two recordings in $format: the first is read"
    cat two.$format | gf gain:-3 -t raw 2>errors >out.raw
    is "two recordings in $format, on a pipe" \
        "$(grep -c 'warning: standard input: a second recording follows' errors) $(wc -l <errors)" '1 1'
done
{ cat one.wav; printf 'note\020\0\0\0RIFF of nothing.'; } >odd.wav
gf -i odd.wav gain:-3 -o out.wav 2>errors
is 'a chunk that speaks of one is none' "$? $(cat errors)" \
    '0 gpufilter: warning: odd.wav: lost: "note" data; --strip drops such data without a warning'
{ cat one.wav; printf 'note\002\0\0\0ab'; cat one.flac; } >odd.wav
cat odd.wav | gf -t raw 2>errors >out.raw
is 'another format inside a chunk is no second recording' "$(grep -c 'second recording' errors)" 1
finish
