# Tags of audio files are kept between formats that can store them.
. "$(dirname "$0")/../lib.sh"

bytes() { for octal in "$@"; do printf "\\$octal"; done; }
riff()
{
    printf 'RIFF'
    bytes 377 377 377 377
    printf 'WAVEfmt '
    bytes 20 0 0 0 1 0 1 0 100 37 0 0 200 76 0 0 2 0 20 0
}
samples() { printf data; bytes 4 0 0 0 1 2 3 4; }
# Texts of even and odd lengths, with and without a zero byte at the end; FFmpeg's name of the
# track.
list()
{
    printf LIST; bytes 114 0 0 0; printf INFOIART; bytes 4 0 0 0; printf 'Ann\0INAM'; bytes 5 0 0 0
        printf 'Ab\303\244c\0IPRT'
    bytes 2 0 0 0; printf '7\0ICMT'; bytes 3 0 0 0; printf 'abc\0IXYZ'; bytes 1 0 0 0; printf 'x\0ICRD'
        bytes 5 0 0 0; printf '2026\0\0'
}
{ riff; list; samples; } >before.wav
{ riff; samples; list; } >behind.wav
{ printf LIST; bytes 102 0 0 0; printf INFOINAM; bytes 6 0 0 0; printf 'Ab\303\244c\0IART'; bytes 4 0 0 0
    printf 'Ann\0ICRD'
  bytes 5 0 0 0; printf '2026\0\0ITRK'; bytes 2 0 0 0; printf '7\0ICMT'; bytes 4 0 0 0; printf 'abc\0'; } >want.list
printf 'title=Ab\303\244c\nartist=Ann\ndate=2026\ntrack=7\ncomment=abc\n\0' >want.lines

# list_of FILE: prints the LIST chunk of a WAV that gpufilter wrote, or the annotation of an AU.
list_of() { tail -c +37 "$1" | head -c $(($(wc -c <want.list))); }
lost='tags lost: IXYZ; --strip drops all tags without a warning'
# loses NAME LINE COMMAND...: expects success and one warning.
loses()
{
    name=$1 line=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 gpufilter: warning: $line"
}
for file in before behind; do
    loses "tags $file the samples" "$file.wav: $lost" gf -i $file.wav -o out.wav
    list_of out.wav >got.list
    same want.list got.list "tags $file the samples are kept"
    loses "tags $file the samples, into an AU" "$file.wav: $lost" gf -i $file.wav -o out.au
    tail -c +25 out.au | head -c $(wc -c <want.lines) >got.lines
    same want.lines got.lines "tags $file the samples are lines of an AU"
    works "tags $file the samples, back from an AU" gf -i out.au -o out.wav
    list_of out.wav >got.list
    same want.list got.list "tags $file the samples are the same after an AU"
done
cat before.wav | gf >out.wav 2>errors
list_of out.wav >got.list
same want.list got.list 'tags before the samples are kept on pipes'
is 'tags of a WAV on a pipe: lost ones are named in a warning' \
    "$(cat errors)" "gpufilter: warning: standard input: $lost"
works 'samples of a file with tags' gf -i out.wav -t raw -o out.raw
is 'samples of a file with tags are unchanged' "$(cat out.raw | tr -d '\n' | od -An -tx1 | tr -d ' \n')" 01020304
loses 'tags into RF64' "before.wav: $lost" gf -i before.wav -t rf64 -o out.rf64
works 'tags of RF64' gf -i out.rf64 -o out.wav
list_of out.wav >got.list
same want.list got.list 'tags of RF64 are the same'
# Mu-law is decoded by libsndfile, but these tags are not.
law()
{
    printf 'RIFF'
    bytes 377 377 377 377
    printf 'WAVEfmt '
    bytes 20 0 0 0 7 0 1 0 100 37 0 0 100 37 0 0 1 0 10 0
}
{ law; list; samples; } >law-before.wav
{ law; samples; list; } >law-after.wav
for file in law-before law-after; do
    loses "tags of a $file.wav" "$file.wav: $lost" gf -i $file.wav -o out.wav
    list_of out.wav >got.list
    same want.list got.list "tags of a $file.wav are kept"
    gf <$file.wav >out.pipe 2>errors
    same out.wav out.pipe "tags of a $file.wav are kept on a pipe"
done
works 'tags of a WAV with --strip' gf -i before.wav --strip -o out.wav
is 'tags of a WAV are dropped with --strip' "$(wc -c <out.wav | tr -d ' ')" 48
works 'tags of a WAV with --strip, into an AU' gf -i before.wav --strip -o out.au
is 'tags of a WAV are dropped with --strip, into an AU' "$(wc -c <out.au | tr -d ' ')" 28

# FLAC, Ogg and CAF, written through libsndfile, can store all of these.
for format in flac ogg caf; do
    loses "tags into $format" "before.wav: $lost" gf -i before.wav -o out.$format
    works "tags into $format are read" gf -i out.$format -o out.wav
    works "tags into $format keep the title" \
        sh -c 'tail -c +37 out.wav | head -c 120 | tr "\0" " " | grep -aq "$(printf "INAM.* Ab\303\244c ")"'
    works "tags into $format keep the date" sh -c 'tr "\0" "\n" <out.wav | grep -aqx 2026'
    works "tags into $format keep the comment" sh -c 'tr "\0" "\n" <out.wav | grep -aqx abc'
done
loses 'tags into AIFF' 'before.wav: tags lost: Track, Date and IXYZ; --strip drops all tags without a warning' \
    gf -i before.wav -o out.aiff
works 'tags into AIFF are read' gf -i out.aiff -o out.wav
works 'tags into AIFF keep the artist' sh -c 'tr "\0" "\n" <out.wav | grep -aqx Ann'

# Latin-1, very long texts, and wrong sizes.
{ riff; printf LIST; bytes 22 0 0 0; printf INFOINAM; bytes 5 0 0 0; printf 'Ab\344c\0\0'; samples; } >latin.wav
works 'tags in Latin-1' gf -i latin.wav -o out.au
works 'tags in Latin-1 become UTF-8' sh -c 'grep -aq "$(printf "title=Ab\303\244c")" out.au'
long=$(head -c 200000 /dev/zero | tr '\0' y)
{ riff; printf LIST; bytes 116 15 3 0; printf INFOICMT; bytes 101 15 3 0; printf '%s\0\0' "$long"; samples; } >long.wav
works 'a comment of 200000 letters' gf -i long.wav -o out.wav
is 'a comment of 200000 letters is kept' "$(tr -cd y <out.wav | wc -c | tr -d ' ')" 200000
for format in flac ogg opus aiff caf w64 au; do
    case $format in
    flac | ogg | au) works "a comment of 200000 letters in $format" gf -i long.wav -o out.$format ;;
    *) loses "$format has no room for it" 'long.wav: tags lost: Comment; --strip drops all tags without a warning' \
        gf -i long.wav -o out.$format ;;
    esac
    works "a comment of 200000 letters leaves the samples in $format" gf -i out.$format -t raw -o out.raw
done
{ riff; printf LIST; bytes 20 0 0 0; printf INFOINAM; bytes 377 377 377 377; printf 'Abc\0'; samples; } >hostile.wav
works 'a text of 4 GB in a chunk of 16 bytes' gf -i hostile.wav -o out.au
works 'a text of 4 GB in a chunk of 16 bytes ends with the chunk' grep -aq title=Abc out.au
{ riff; printf LIST; bytes 7 0 0 0; printf 'INFOINA\0'; samples; } >hostile.wav
works 'a text that is cut in its name' gf -i hostile.wav -o out.au
is 'a text that is cut in its name is dropped' "$(wc -c <out.au | tr -d ' ')" 28
{ riff; printf LIST; bytes 0 0 0 0; printf LIST; bytes 2 0 0 0; printf IN; samples; } >hostile.wav
works 'lists of nothing' gf -i hostile.wav -o out.au
{ riff; samples; printf LIST; bytes 377 377 377 377; printf INFOINAM; bytes 4 0 0 0; printf 'Abc\0'; } >hostile.wav
works 'a list behind the samples that goes on for 4 GB' gf -i hostile.wav -o out.au
{
    printf '.snd\0\0\0\064\377\377\377\377\0\0\0\003\0\0\037\100\0\0\0\001Processed by me\nalbum=Songs\n'
    bytes 1 2
} >sox.au
works 'an annotation without words' gf -i sox.au -o out.wav
works 'an annotation without a key becomes a comment' sh -c 'tr "\0" "\n" <out.wav | grep -aqx "Processed by me"'
works 'an annotation with a key keeps its key' sh -c 'tr "\0" "\n" <out.wav | grep -aqx Songs'

if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    shown() { ffprobe -v error -show_entries "format_tags=$2:stream_tags=$2" -of default=nw=1:nk=1 "$1"; }
    for format in wav flac ogg au caf; do
        gf -i before.wav -o out.$format
        is "ffprobe sees the title in $format" "$(shown out.$format title)" "$(printf 'Ab\303\244c')"
        is "ffprobe sees the artist in $format" "$(shown out.$format artist)" Ann
    done
    sound in.wav 4800 2 1
    for format in wav flac ogg; do
        ffmpeg -v error -i in.wav -metadata title='A title' -metadata artist=Somebody -metadata track=3 -metadata \
            genre=Noise theirs.$format -y </dev/null
        gf -i theirs.$format -o out.au
        for line in artist=Somebody track=3 genre=Noise; do
            works "a $format from ffmpeg has $line" grep -aqx "$line" out.au
        done
    done
    ffmpeg -v error -i in.wav -metadata title='A title' -f wav - </dev/null | gf -t au >out.au
    works 'a WAV from ffmpeg on a pipe has its title' grep -aq "title=A title" out.au
else
    skip 'ffmpeg is not here'
fi
finish
