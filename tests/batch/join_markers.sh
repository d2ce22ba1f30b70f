# Markers, tags and other data of recordings that are joined or mixed.
. "$(dirname "$0")/../formats/lib_wav.sh"

# markers FILE: the numbers of its markers and their frames. labels FILE: the numbers and texts of its labels.
markers()
{
    for i in $(seq "$(at "$1" 'cue ' 0 4 1)"); do
        point "$1" "$i" | awk '{ printf "%d:%d%s ", $1, $2, $2 == $3 ? "" : "?" }'
    done
}
labels()
{
    grep -abo labl "$1" | cut -d : -f 1 | while read -r place; do
        od -An -v -tu4 -j $((place + 8)) -N 4 "$1" | tr -d ' \n'
        printf ':%s ' "$(tail -c +$((place + 13)) "$1" | head -c 4 | tr -d '\0')"
    done
}
# cues NUMBER,FRAME...: the content of a chunk of markers.
cues()
{
    le 4 $#
    for point; do
        le 4 "${point%,*}" "${point#*,}"
        printf data
        le 4 0 0 "${point#*,}"
    done
}
label() { le 4 "$1"; printf '%s\0' "$2"; }
names()
{
    printf adtl
    for name; do chunk labl label "${name%,*}" "${name#*,}"; done
}
region() { printf adtl; chunk ltxt le 4 7 600; }
text() { printf '%s' "$2" >value; printf '%s' "$1"; le 4 "$(wc -c <value)"; cat value; }
# info TITLE ARTIST: the content of a list of tags; both texts have an even length.
info() { printf INFO; text INAM "$1"; text IART "$2"; }
form() { le 2 1 1; le 4 "$1" $((2 * $1)); le 2 2 16; }
# wave RATE FRAMES COMMAND: writes a WAV with chunks from a command.
wave()
{
    printf 'RIFF\377\377\377\377WAVE'
    chunk 'fmt ' form "$1"
    $3
    printf data
    le 4 $((2 * $2))
    zeros $((2 * $2))
}
broadcast() { printf hello; zeros 333; le 8 1000; le 2 2; zeros 64; le 2 63236 500 65436 63536 63436; zeros 180; }
first_chunks()
{
    chunk bext broadcast
    chunk LIST info Start. Ann.
    chunk 'cue ' cues 5,1000 9,4000
    names 9,end 5,one >list
    chunk LIST cat list
}
# Markers of the second are at twice the rate. Frame 9000 is after its end.
second_chunks()
{
    chunk bext broadcast
    chunk LIST info Middle Bob.
    chunk 'cue ' cues 1,0 7,2001 9,9000
    names 1,two 7,six 9,not >list
    chunk LIST cat list
    region >list
    chunk LIST cat list
}
third_chunks() { chunk LIST info End. Ann.; chunk 'cue ' cues 5,30; }
nothing() { :; }
wave 8000 8000 first_chunks >a.wav
wave 16000 8000 second_chunks >b.wav
wave 8000 5000 nothing >plain.wav
wave 8000 5000 third_chunks >c.wav
levels='gpufilter: warning: a.wav: its stated loudness (bext) is dropped, because it is not that of the result; '\
'--strip drops such data without a warning'
title='gpufilter: note: a.wav: its title is not the result'\''s, because other inputs have others'
bext='gpufilter: warning: b.wav: lost: broadcast data (bext); --strip drops such data without a warning'

gf --join -i a.wav -i b.wav -i plain.wav -i c.wav -o out.wav 2>errors
is 'markers of all recordings follow, at the rate of the first' \
    "$(markers out.wav)" '1:1000 2:4000 3:8000 4:9001 5:17030 '
is 'labels follow their markers' "$(labels out.wav)" '2:end 1:one 3:two 4:six '
is 'a region follows with its length' "$(at out.wav ltxt 0 4 2)" '4 300'
is 'the start is that of the first recording' "$(at out.wav bext 338 8 1)" 1000
is 'a stated loudness is not that of joined recordings' "$(at out.wav bext 412 2 1)" 32767
grep -v resampled errors >found
printf '%s\n' "$levels" "$bext" "$title" | sort >known
sort found | cmp - known >differs 2>&1
is 'data that cannot follow is named' "$? $(cat differs)" '0 '
is 'another title is left out, and the first artist stays' "$(grep -ac INAM out.wav) $(grep -ac Ann out.wav)" '0 1'
gf -q --join -i c.wav -i plain.wav -o same.wav
is 'a title that no other input contradicts stays' "$(grep -ac End. same.wav) $(markers same.wav)" '1 5:30 '
gf -q --join=fade=0.1 -i a.wav -i b.wav -i c.wav -o out.wav
is 'markers follow crossfades' "$(markers out.wav)" '1:1000 2:4000 3:7200 4:8201 5:10430 '
gf -q --join -i plain.wav -i b.wav trim:0.7 pad:1 -o out.wav
is 'stages move markers of joined recordings' "$(markers out.wav) $(labels out.wav)" '2:8401  2:six '
gf -q --mix -i a.wav -i b.wav -i c.wav -o out.wav
is 'a mix has the markers of all, from its start on' "$(markers out.wav)" '1:0 2:30 3:1000 4:1001 5:4000 '
is 'a mix has the title of the first recording' "$(grep -ac Start. out.wav)" 1
gf -q --join -i a.wav -i b.wav split:1.1 -o 'part-{n}.wav'
is 'parts have their markers' "$(markers part-1.wav);$(markers part-2.wav)" '1:1000 2:4000 3:8000 ;4:201 '
gf --join -i a.wav -i b.wav -i c.wav -o out.flac 2>errors
is 'a format without markers warns about those of each input' \
    "$(grep -oE '[abc]\.wav: lost: .* markers?' errors | sort | tr '\n' ';')" \
    'a.wav: lost: broadcast data (bext) and 2 markers;b.wav: lost: broadcast data (bext) and 3 markers;'\
'c.wav: lost: 1 marker;'
gf -q --join -i a.wav -i a.wav --strip -o out.wav
is 'stripped results have no markers' "$(grep -ac -e 'cue ' -e INAM out.wav)" 0
{ head -c $(($(wc -c <a.wav) - 16004)) a.wav; printf '\377\377\377\377'; zeros 16000; } >live.wav
cat live.wav | gf --join -i - -i c.wav -o out.wav 2>errors
is 'markers after an input of unknown length are lost' \
    "$(markers out.wav) $(grep -c 'lost: markers after an input of unknown length' errors)" '5:1000 9:4000  1'

# The last label of a list may be cut, and numbers may be those of no marker.
cut_names() { printf adtl; chunk labl label 77 none; printf labl; le 4 4000000000 5; printf 'abc\0'; }
damaged_chunks() { cut_names >list; chunk 'cue ' cues 5,10 5,20 4294967295,30; chunk LIST cat list; }
wave 8000 8000 damaged_chunks >damaged.wav
gf -q --join -i damaged.wav -i damaged.wav -i a.wav -o out.wav
is 'damaged labels do not hide others' "$? $(markers out.wav) $(labels out.wav)" \
    '0 1:10 2:20 3:30 4:8010 5:8020 6:8030 7:17000 8:20000  1:abc 4:abc 8:end 7:one '
finish
