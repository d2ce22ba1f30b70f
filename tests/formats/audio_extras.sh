# Data of audio files other than samples and common tags: kept from WAV to WAV, otherwise named in a
# warning.
. "$(dirname "$0")/../lib.sh"

bytes() { for octal in "$@"; do printf "\\$octal"; done; }
# says NAME LINES COMMAND...: expects success and exactly LINES on standard error.
says()
{
    name=$1 lines=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $lines"
}
strips='--strip drops such data without a warning'
tags='--strip drops all tags without a warning'

# ---- ID3v2 before an MP3 of 20 frames

frame() { bytes 377 373 220 104; head -c 413 /dev/zero; }
frames() { for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do frame; done; }
# id3 VERSION SIZE: writes an ID3v2 header; SIZE must be below 128.
id3() { printf ID3; bytes "$1" 0 0 0 0 0 "$2"; }
# text ID SIZE TEXT: writes a Latin-1 text frame of version 3 or 4. SIZE includes the encoding byte.
text() { printf "$1"; bytes 0 0 0 "$2" 0 0 0; printf "$3"; }
{ id3 3 33; text TIT2 4 Tit; text TPE1 3 An; frames; } >plain.mp3
works 'title and artist are kept' gf -i plain.mp3 -o out.wav
works 'title and artist of an MP3 are in the WAV' \
    sh -c 'tr "\0" "\n" <out.wav | grep -aqx Tit && tr "\0" "\n" <out.wav | grep -aqx An'
{
    id3 3 125
    text TIT2 4 Tit
    text TCOM 2 C
    text TSRC 3 US
    text TXXX 11 'Mood\0sad'
    text TSSE 4 Lav
    text APIC 3 xx
    frames
} >full.mp3
says 'cover art, and tags' "gpufilter: warning: full.mp3: lost: cover art; $strips
gpufilter: warning: full.mp3: tags lost: composer, ISRC and Mood; $tags" gf -i full.mp3 -o out.wav
says 'cover art and tags of an MP3 on a pipe' "gpufilter: warning: standard input: lost: cover art; $strips
gpufilter: warning: standard input: tags lost: composer, ISRC and Mood; $tags" sh -c 'cat full.mp3 | "$0" -t wav' \
    "$GPUFILTER"
works '--strip is silent' gf --strip -i full.mp3 -o out.wav
works 'a table of an MP3 with cover art gives no warning' gf -i full.mp3 stats -o out.tsv
works 'a drawing of an MP3 with cover art gives no warning' gf -i full.mp3 waveform -o out.png
works 'raw samples of an MP3 with cover art give no warning' gf -i full.mp3 -t raw -o out.raw
refuses 1 'lost: cover art.*(an error because of --strict)' 'cover art is an error with --strict' \
    gf --strict -i full.mp3 -o strict.wav
is 'cover art with --strict leaves no output' "$(ls strict.wav 2>/dev/null)" ''
{ id3 4 60; text CHAP 2 a; text CHAP 2 b; text CHAP 2 c; text CTOC 2 d; frames; } >chapters.mp3
says 'chapters are counted' "gpufilter: warning: chapters.mp3: lost: 3 chapters; $strips" gf -i chapters.mp3 -o out.flac
{ id3 2 24; printf TCM; bytes 0 0 2; printf '\0C'; printf TSS; bytes 0 0 1 0; head -c 5 /dev/zero; frames; } >two.mp3
says 'tags of ID3 version 2.2' "gpufilter: warning: two.mp3: tags lost: composer; $tags" gf -i two.mp3 -o out.wav
{ id3 3 174; printf APIC; bytes 177 377 377 377 0 0; frames; } >huge.mp3
gf -i huge.mp3 -o out.wav 2>errors
works 'a frame of 2 GB that is not there' sh -c '! grep -q -i sanitizer errors'
gf -i full.mp3 -i chapters.mp3 -o 'batch/{stem}.wav' 2>errors
is 'each loss in a batch names its files' "$(grep -c 'warning: full.mp3: lost: cover art' errors) $(grep -c \
    'warning: chapters.mp3: lost: 3 chapters' errors)" '1 1'
cp full.mp3 full2.mp3
gf -i full.mp3 -i full2.mp3 -o 'batch/{stem}.wav' 2>errors
is 'the same loss of several files in a batch is one warning' \
    "$(grep -c 'full.mp3 and 1 other file: lost: cover art' errors)" 1

# ---- FLAC: blocks after the first

sound in.wav 4800 1 1
gf -i in.wav --strip -o in.flac
{ head -c 42 in.flac; bytes 6 0 0 40; head -c 32 /dev/zero
  bytes 4 0 0 100 1 0 0 0 166 4 0 0 0 11 0 0 0; printf TITLE=abc; bytes 12 0 0 0; printf COMPOSER=X; bytes 11 0 0 0
      printf ENCODER=y
  bytes 13 0 0 0; printf COMPOSER=ZZ; tail -c +43 in.flac; } >full.flac
says 'a picture and a composer' "gpufilter: warning: full.flac: lost: cover art; $strips
gpufilter: warning: full.flac: tags lost: COMPOSER; $tags" gf -i full.flac -o out.wav
works 'the title is kept' sh -c 'tr "\0" "\n" <out.wav | grep -aqx abc'

# ---- WAV: chunks that another WAV keeps

fmt() { printf 'fmt '; bytes 20 0 0 0 1 0 1 0 100 37 0 0 200 76 0 0 2 0 20 0; }
samples() { printf data; bytes 4 0 0 0 1 2 3 4; }
bext()
{
    printf bext
    bytes 132 2 0 0
    printf hello
    head -c 341 /dev/zero
    bytes 2 0
    head -c 64 /dev/zero
    bytes 20 40
    head -c 188 /dev/zero
}
ixml() { printf 'iXML\004\0\0\0<x/>'; }
cue() { printf 'cue '; bytes 34 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0; printf data; bytes 0 0 0 0 0 0 0 0 1 0 0 0; }
adtl() { printf LIST; bytes 22 0 0 0; printf 'adtllabl'; bytes 6 0 0 0 1 0 0 0; printf 'A\0'; }
riff() { printf 'RIFF'; bytes 377 377 377 377; printf WAVE; }
{ riff; bext; fmt; ixml; samples; cue; adtl; } >full.wav
{ bext; ixml; cue; adtl; } >chunks
size=$(wc -c <chunks)
works 'chunks of a WAV without a stage' gf -i full.wav -o out.wav
tail -c +37 out.wav | head -c "$size" >got
same chunks got 'chunks of a WAV without a stage are all kept'
gf -i out.wav -o again.wav
same out.wav again.wav 'chunks of a WAV are kept a second time'
loudness="gpufilter: warning: full.wav: its stated loudness (bext) is dropped, because it is not that of the result; \
$strips"
says 'chunks of a WAV after a stage that changes levels' "$loudness" gf -i full.wav invert -o out.wav
tail -c +37 out.wav | head -c "$size" | cmp -l chunks - >differs
is 'chunks of a WAV after a stage that changes levels are the same except the loudness' \
    "$(sed 's/^ *//' differs | tr -s ' \n' ' ;')" \
    '421 20 377;422 40 177;423 0 377;424 0 177;425 0 377;426 0 177;427 0 377;428 0 177;429 0 377;430 0 177;'
lost="lost: broadcast data (bext), iXML and 1 marker; $strips"
says 'chunks of a WAV after stages that move nothing in time' "$loudness" \
    gf -i full.wav highpass:80 eq:1k,1,3 fade:1f limit:-1 dither:16 -o out.wav
is 'chunks of a WAV after stages that move nothing in time are kept' "$(grep -ac hello out.wav)" 1
says 'chunks of a WAV after a stage that changes times' "gpufilter: warning: full.wav: $lost" \
    gf -i full.wav reverse -o out.wav
is 'nothing is kept then' "$(wc -c <out.wav | tr -d ' ')" 48
says 'chunks of a WAV in another format' "gpufilter: warning: full.wav: $lost" gf -i full.wav -o out.flac
works 'chunks of a WAV with --strip' gf --strip -i full.wav -o out.wav
says 'chunks of a WAV before the samples, on a pipe' 'gpufilter: warning: standard input: lost: 1 marker; '"$strips" \
    sh -c 'cat full.wav | "$0" -t wav >piped.wav' "$GPUFILTER"
head -c $((36 + 610 + 12)) piped.wav | tail -c +37 >got
{ bext; ixml; } >want
same want got 'chunks of a WAV before the samples, on a pipe, are kept'
{ riff; fmt; samples; printf LIST; bytes 16 0 0 0; printf INFOINAM; bytes 2 0 0 0; printf 'A\0'; } >late.wav
works 'tags after the samples, in a file' gf -i late.wav -o out.wav
says 'tags after the samples, on a pipe' \
    'gpufilter: warning: standard input: tags lost: Title, which come after the audio; read a file '\
'instead of a pipe to keep them' \
    sh -c 'cat late.wav | "$0" -t wav' "$GPUFILTER"
is 'a tee before a table loses late tags with a warning' "$(cat late.wav | gf tee:t.wav stats -o t.tsv 2>&1 |
    grep -c 'tags lost: Title, which come after the audio')" 1
works 'tags after the samples give no warning with --strip' sh -c 'cat late.wav | "$0" --strip -t wav >out.wav' \
    "$GPUFILTER"
{ riff; fmt; printf 'odd!\001\0\0\0x\0'; samples; } >odd.wav
says 'a chunk that nobody knows' "gpufilter: warning: odd.wav: lost: \"odd!\" data; $strips" gf -i odd.wav -o out.wav

# ---- speaker positions

# wide MASK TAIL: writes a WAV of four 16-bit channels. MASK is the lowest byte of the mask, TAIL
# the GUID after the encoding.
wide()
{
    riff
    printf 'fmt '
    bytes 50 0 0 0 376 377 4 0 100 37 0 0 0 372 0 0 10 0 20 0 26 0 20 0 "$1" 0 0 0 1 0 $2
    printf data
    bytes 10 0 0 0 1 2 3 4 5 6 7 10
}
usual='0 0 0 0 20 0 200 0 0 252 0 70 233 161'
ambisonic='0 0 41 7 323 21 206 104 310 301 312 0 0 0'
for mask in 0 17 63; do
    wide $mask "$usual" >wide.wav
    works "a channel mask of 0$mask" gf -i wide.wav -o out.wav
    is "a channel mask of 0$mask is kept" "$(tail -c +41 out.wav | head -c 4 | od -An -to1 | tr -d ' \n')" \
        "$(printf '%03d000000000' $mask)"
done
wide 17 "$usual" >wide.wav
says 'FLAC cannot say 3.1' 'gpufilter: warning: wide.wav: its loudspeaker positions (mask 0xF) '\
'are lost, because flac '\
'cannot '\
'store them; WAV can' gf -i wide.wav -o out.flac
wide 63 "$usual" >wide.wav
works 'four corners it can' gf -i wide.wav -o out.flac
wide 0 "$ambisonic" >wide.wav
works 'ambisonics after a stage' gf -i wide.wav gain:-6 -o out.wav
is 'ambisonics after a stage are still ambisonics' \
    "$(tail -c +45 out.wav | head -c 16 | od -An -v -to1 | tr -s ' \n' ' ')" \
    "$(bytes 1 0 $ambisonic | od -An -v -to1 | tr -s ' \n' ' ')"
line='its special channels, ambisonics for example, become ordinary ones; only a WAV with the same number of channels '\
'can store their kind'
says 'ambisonics in a format other than WAV' "gpufilter: warning: wide.wav: $line" gf -i wide.wav -o out.aiff
says 'ambisonics with another number of channels' "gpufilter: warning: wide.wav: $line" gf -i wide.wav mono -o out.wav

# ---- AIFF: markers and comments

long() { bytes 0 0 0 "$1"; }
{ printf FORM; long 204; printf AIFFCOMM; long 22; bytes 0 1 0 0 0 2 0 20 100 13 372 0 0 0 0 0 0 0; printf MARK
    long 14; bytes 0 1 0 1 0 0 0 1 3; printf abc
  printf COMT; long 16; bytes 0 1 0 0 0 0 0 0 0 4; printf note; printf SSND; long 14; bytes 0 0 0 0 0 0 0 0 1 2 3 \
      4; } >full.aiff
says 'markers of an AIFF are lost' "gpufilter: warning: full.aiff: lost: 1 marker; $strips" gf -i full.aiff -o out.wav
works 'the comment of an AIFF is kept' sh -c 'tr "\0" "\n" <out.wav | grep -aqx note'

# ---- many chunks: those beyond the limit are named, too

# junk COUNT: writes empty chunks.
junk() { for i in $(seq "$1"); do printf 'JUNK\0\0\0\0'; done; }
sound few.wav 100 1 1
title() { printf 'LIST\020\0\0\0INFOINAM\004\0\0\0Abc\0'; }
broadcast() { printf 'bext\004\0\0\0abcd'; }
# chunks FILE COMMAND...: writes a WAV with the chunks of a command after the samples.
chunks()
{
    file=$1
    shift
    { printf RIFF; bytes 377 377 0 0; tail -c +9 few.wav; "$@"; } >"$file"
}
late() { junk "$1"; title; broadcast; }
chunks some.wav late 2000
says 'broadcast data after 2000 chunks' "gpufilter: warning: some.wav: lost: broadcast data (bext); $strips" \
    gf -i some.wav -o out.flac
works 'a title after them is kept' grep -aq 'title=Abc' out.flac
chunks many.wav late 5000
further="gpufilter: warning: many.wav: lost: chunks after the first 4096; $strips"
says 'chunks after the first 4096 are lost in FLAC' "$further" gf -i many.wav -o out.flac
says 'chunks after the first 4096 are lost in WAV' "$further" gf -i many.wav -o out.wav
chunks exact.wav junk 4094
says 'exactly 4096 chunks' '' gf -i exact.wav -o out.flac

# ---- files as other programs write them cause no warning

sound wide.wav 4800 2 1
if command -v sox >/dev/null; then
    for format in wav aiff au caf w64 flac ogg; do
        sox wide.wav sox.$format
        works "tags of a $format from sox" gf -i sox.$format -o out.wav
    done
else
    skip 'sox is not here'
fi
if command -v ffmpeg >/dev/null; then
    for format in wav aiff au caf w64 flac opus mp3; do
        ffmpeg -v error -y -i wide.wav -metadata title=Abc ff.$format </dev/null
        works "tags of a $format from ffmpeg" gf -i ff.$format -o out.wav
    done
else
    skip 'ffmpeg is not here'
fi
for program in 'flac -s -f -o made.flac' 'lame --quiet --tt Abc --ta Def' 'oggenc -Q -o made.ogg'; do
    if command -v ${program%% *} >/dev/null; then
        case $program in lame*) $program wide.wav made.mp3 ; made=made.mp3 ;; flac*) $program wide.wav 
            made=made.flac ;; *) $program wide.wav ; made=made.ogg ;; esac
        works "a file that ${program%% *} wrote" gf -i $made -o out.wav
    else
        skip "${program%% *} is not here"
    fi
done
finish
