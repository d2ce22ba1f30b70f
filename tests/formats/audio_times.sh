# Data of a WAV that states times, rates or levels: it follows the samples, or is dropped with a warning.
. "$(dirname "$0")/lib_wav.sh"

cue_points()
{
    le 4 3
    for point in 1,1000 2,4000 3,8000; do
        le 4 "${point%,*}" "${point#*,}"
        printf data
        le 4 0 0 "${point#*,}"
    done
}
label() { le 4 "$1"; printf 'm%s\0' "$1"; }
region() { le 4 2 3000; printf 'rgn '; zeros 8; }
{ printf adtl; for i in 1 2 3; do chunk labl label $i; done; chunk ltxt region; } >labels
loops() { le 4 0 0 125000 60 0 0 0 2 0 1 0 2000 3999 0 0 2 0 100 7000 0 0; }
# Version 2, 1000 frames after midnight, a UMID, loudness.
broadcast()
{
    printf hello
    zeros 333
    le 8 1000
    le 2 2
    head -c 64 /dev/zero | tr '\0' U
    le 2 63236 500 65436 63536 63436
    zeros 180
}
ixml() { printf '<BWFXML><LOUDNESS><LOUDNESS_VALUE>-23</LOUDNESS_VALUE></LOUDNESS><NOTE>n</NOTE></BWFXML>'; }
form() { le 2 1 "$1"; le 4 8000 $((16000 * $1)); le 2 $((2 * $1)) 16; }
# big NUMBER: writes four bytes, big-endian. frame ID TEXT: writes a frame of ID3v2.3; TEXT is for printf.
big() { for shift in 24 16 8 0; do printf "\\$(printf %o $(($1 >> shift & 255)))"; done; }
frame() { printf "$2" >text; printf "$1"; big "$(wc -c <text)"; zeros 2; cat text; }
id3()
{
    {
        frame TIT2 '\0Tit'
        frame TXXX '\0REPLAYGAIN_TRACK_GAIN\0-6.5 dB'
        frame TXXX '\1\377\376r\0e\0p\0l\0a\0y\0g\0a\0i\0n\0_\0t\0r\0a\0c\0k\0_\0\0\0\377\3761\0'
        frame RVA2 '\0\0\1'
        frame TPE1 '\0Ann'
    } >frames
    printf 'ID3\003\0'
    le 1 "${1:-0}" 0 0 $(($(wc -c <frames) >> 7)) $(($(wc -c <frames) & 127))
    cat frames
}
# wave CHANNELS COMMAND: writes a WAV of 8000 frames with chunks from a command.
wave()
{
    printf 'RIFF\377\377\377\377WAVE'
    chunk 'fmt ' form "$1"
    $2
    printf data
    le 4 $((16000 * $1))
    zeros $((16000 * $1))
}
all_chunks()
{
    chunk bext broadcast
    chunk 'cue ' cue_points
    chunk LIST cat labels
    chunk smpl loops
}
wave 1 all_chunks >full.wav

loop() { at "$1" smpl $((36 + 24 * ($2 - 1) + 8)) 4 2; }
reference() { at "$1" bext 338 8 1; }
loudness='its stated loudness (bext) is dropped, because it is not that of the result; --strip drops such data '\
'without a warning'
# says NAME FILE LINE COMMAND...: expects success and one warning about FILE.
says()
{
    name=$1 line="gpufilter: warning: $2: $3"
    shift 3
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $line"
}

# ---- --info

gf --info full.wav >out
is '--info counts markers, and lists the first ones' "$(tail -n 4 out)" "full.wav: WAV, 8000 Hz, 1 channel s16, 1 s, \
broadcast data (bext), 3 markers, sampler loops
  marker: 0.125 s m1
  marker: 0.500 s m2
  marker: 1.000 s m3"
is 'markers are texts in a table' "$(gf --info full.wav -t tsv | tail -n 1 | cut -f 18,19)" "$(printf '%s\t%s' \
    'broadcast data (bext), 3 markers, sampler loops' 'marker=0.125 s m1; marker=0.500 s m2; marker=1.000 s m3')"

long_label() { le 4 1; printf %s "$1"; yes é | head -n 1200 | tr -d '\n'; printf '\0'; }
for first in '' x; do
    { printf adtl; chunk labl long_label "$first"; } >long_labels
    long_chunks() { chunk 'cue ' cue_points; chunk LIST cat long_labels; }
    wave 1 long_chunks >long.wav
    gf --info long.wav >out
    is "a long label is not cut within a character${first:+, after another}" \
        "$(grep -c 'marker: 0.125 s [x]*é.*é$' out) $(grep -c 'xc3' out)" '1 0'
done

# ---- times

says 'a part from frame 2000' full.wav "$loudness" gf -i full.wav trim:0.25,0.75 -o out.wav
is 'one marker is inside' "$(at out.wav 'cue ' 0 4 1) $(point out.wav 1)" '1 2 2000 2000'
is 'one marker inside a part keeps its label, and a region is cut at the end' \
    "$(grep -ac m1 out.wav) $(grep -ac m2 out.wav) $(grep -ac m3 out.wav) $(at out.wav ltxt 0 4 2)" '0 1 0 2 2000'
is 'one loop is' "$(at out.wav smpl 28 4 1) $(loop out.wav 1)" '1 0 1999'
is 'the time of day moves' "$(reference out.wav)" 3000
is 'the UMID names other material' "$(at out.wav bext 348 4 1)" 0
is 'the sample period is kept' "$(at out.wav smpl 8 4 1)" 125000
for stage in pad:0.5 delay:4000f; do
    says "times after $stage" full.wav "$loudness" gf -i full.wav $stage -o out.wav
    is "markers move with $stage" "$(point out.wav 1) $(point out.wav 2) $(point out.wav 3)" \
        '1 5000 5000 2 8000 8000 3 12000 12000'
    is "loops move with $stage" "$(loop out.wav 1) $(loop out.wav 2)" '6000 7999 4100 11000'
    is "the time of day is before midnight with $stage" "$(reference out.wav)" $((86400 * 8000 - 3000))
done
says 'silence at the end' full.wav "$loudness" gf -i full.wav pad:0,1 -o out.wav
is 'silence at the end moves no markers or loops' \
    "$(point out.wav 3) $(loop out.wav 2) $(reference out.wav)" '3 8000 8000 100 7000 1000'
says 'times at twice the rate' full.wav "$loudness" gf -i full.wav resample:16k -o out.wav
is 'markers move with twice the rate' "$(point out.wav 1) $(point out.wav 2) $(point out.wav 3)" \
    '1 2000 2000 2 8000 8000 3 16000 16000'
is 'loops, to the end of the last frame' "$(loop out.wav 1) $(loop out.wav 2)" '4000 7999 200 14001'
is 'the sample period' "$(at out.wav smpl 8 4 1)" 62500
is 'the time of day' "$(reference out.wav)" 2000
is 'the length of a region' "$(at out.wav ltxt 0 4 2)" '2 6000'
says 'a marker before a part' full.wav "$loudness" gf -i full.wav trim:0.25 pad:1 -o out.wav
is 'a marker before a part does not come back in silence' \
    "$(at out.wav 'cue ' 0 4 1) $(point out.wav 1)" '2 2 10000 10000'
gf -q -i full.wav trim:0,0.5 -o out.wav
gf -q -i full.wav trim:0.5 -o late.wav
is 'a marker at a cut is only after it' "$(at out.wav 'cue ' 0 4 1) $(at late.wav 'cue ' 0 4 1) $(point late.wav 1)" \
    '1 2 2 0 0'
gf -q -i full.wav split:0.5,0.8 -o 'part-{n}.wav'
is 'a marker at a cut is in one part, and one at the end stays' \
    "$(for i in 1 2 3; do at part-$i.wav 'cue ' 0 4 1; done | tr '\n' ' ') $(point part-3.wav 1)" '1 1 1  3 1600 1600'
gf -q -i full.wav -i full.wav --join trim:0.125,0.5 pad:1 -o out.wav
is 'a marker at a cut does not come back in silence' "$(at out.wav 'cue ' 0 4 1)" 1
gf -q -i full.wav trim:0,0.01 -o short.wav
gf -q -i full.wav insert:short.wav,at=0.75 -o out.wav
is 'a region goes on to what is inserted into it' "$(at out.wav ltxt 0 4 2)" '2 2000'
says 'reversed audio has no such times' full.wav 'lost: broadcast data (bext), 3 markers and sampler loops; --strip '\
'drops such data without a warning' gf -i full.wav reverse -o out.wav
is 'nothing is kept' "$(wc -c <out.wav | tr -d ' ')" 16044
{ head -c $(($(wc -c <full.wav) - 16004)) full.wav; printf '\377\377\377\377'; zeros 16000; } >live.wav
says 'a pipe of unknown length neither' 'standard input' 'lost: broadcast data (bext), 3 markers and sampler loops; '\
'--strip drops such data without a warning' sh -c 'cat live.wav | "$0" trim:0.25 -t wav >out.wav' "$GPUFILTER"
cat live.wav | gf -q --mix -i full.wav -i - -o out.wav
is 'markers of a recording of unknown length are mixed' "$(at out.wav 'cue ' 0 4 1)" 6
works 'nothing to warn about' gf -i full.wav --strip trim:0.25 -o out.wav

# ---- levels

level_chunks() { chunk bext broadcast; chunk iXML ixml; chunk 'id3 ' id3; }
wave 1 level_chunks >level.wav
works 'stated levels without a stage' gf -i level.wav -o out.wav
is 'stated levels without a stage are kept' \
    "$(at out.wav bext 412 2 1) $(grep -ac 'LOUDNESS>' out.wav) $(grep -ac REPLAYGAIN out.wav)" '63236 1 1'
three_levels='its stated loudness (bext, iXML and ID3) is dropped, because it is not that of the result; --strip '\
'drops such data without a warning'
for stage in gain:-3 limit:-3 fade:0.1; do
    says "stated levels after $stage" level.wav "$three_levels" gf -i level.wav $stage -o out.wav
    is "bext states no loudness after $stage" "$(at out.wav bext 412 2 5)" '32767 32767 32767 32767 32767'
    is "iXML states no loudness after $stage" \
        "$(grep -ac LOUDNESS out.wav) $(grep -ac '<NOTE>n</NOTE></BWFXML>' out.wav)" '0 1'
    is "ReplayGain is dropped after $stage" "$(grep -ac -e REPLAYGAIN -e 'r.e.p.l.a.y' -e RVA2 out.wav)" 0
    is "other texts of an ID3 tag stay after $stage" "$(grep -aq 'TIT2.*Tit.*TPE1.*Ann' out.wav; echo $?)" 0
done
unsynchronized() { chunk 'id3 ' id3 128; }
wave 1 unsynchronized >other.wav
says 'an ID3 tag that cannot be changed' other.wav 'its stated loudness (ID3) is dropped, because it is not that of '\
'the result; --strip drops such data without a warning' gf -i other.wav gain:-3 -o out.wav
is 'an ID3 tag that cannot be changed is dropped' "$(grep -ac ID3 out.wav)" 0
frame_of_mp3() { printf '\377\373\220\104'; zeros 413; }
{
    frame TIT2 '\0Tit' >frames
    frame COMM '\0engiTunNORM\0 0000A 0000B' >>frames
    printf 'ID3\003\0\0\0\0\0'
    le 1 "$(wc -c <frames)"
    cat frames
    for i in 1 2 3 4 5 6 7 8 9 10; do frame_of_mp3; done
} >norm.mp3
says 'iTunNORM is dropped' norm.mp3 'tags lost: iTunNORM; --strip drops all tags without a warning' \
    gf -i norm.mp3 -o out.wav
is 'iTunNORM does not become a comment' "$(grep -ac 0000A out.wav)" 0

# ---- channels

channel_chunks() { chunk iXML ixml; chunk 'cue ' cue_points; }
wave 2 channel_chunks >stereo.wav
for stage in remix:.5*1,2 remix:2,1 mono channel:1; do
    says "channel names (iXML) after $stage" stereo.wav 'lost: iXML; --strip drops such data without a warning' \
        gf -i stereo.wav $stage -o out.wav
    is "markers are kept after $stage" "$(point out.wav 2)" '2 4000 4000'
done

# ---- tee

says 'audio at a tee' full.wav "$loudness" gf -i full.wav trim:0.25 tee:tee.wav gain:-3 -o out.wav
is 'audio at a tee has its markers' "$(point tee.wav 1) $(point out.wav 1)" '2 2000 2000 2 2000 2000'
says 'a tee that loses markers is named in a warning' full.wav \
    'lost: broadcast data (bext), 3 markers and sampler loops; --strip drops such data without '\
'a warning' gf -i full.wav tee:tee.flac -o out.wav

# ---- damaged chunks

hostile_cue() { le 4 4294967295 1 1000; printf data; le 4 0 0 1000; }
hostile_loops() { le 4 0 0 0 0 0 0 0 4294967295 4294967295 1 0 4294967295 4294967295 0 0; }
hostile_labels() { printf adtlltxt; le 4 4294967295 1 4294967295; }
short() { zeros 3; }
hostile_id3() { printf 'ID3\003\0\0\177\177\177\177TXXX\377\377\377\377\0\0\0REPLAYGAIN_'; }
hostile_xml() { printf '<LOUDNESS><LOUDNESS/><LOUDNESS>-23'; }
hostile_chunks()
{
    chunk 'cue ' hostile_cue
    chunk smpl hostile_loops
    chunk LIST hostile_labels
    chunk iXML hostile_xml
    chunk 'id3 ' hostile_id3
}
wave 1 hostile_chunks >hostile.wav
gf -i hostile.wav resample:16k -o out.wav 2>errors
is 'counts of 4 billion are not followed' "$? $(point out.wav 1) $(at out.wav smpl 28 4 1)" '0 1 2000 2000 0'
gf -i hostile.wav gain:-1 -o out.wav 2>errors
is 'sizes of 4 GB' "$? $(grep -ac REPLAYGAIN out.wav)" '0 0'
short_chunks() { for name in bext 'cue ' smpl LIST iXML 'id3 '; do chunk "$name" short; done; }
wave 1 short_chunks >short.wav
gf -i short.wav gain:-1 resample:16k -o out.wav 2>errors
is 'chunks of 3 bytes' "$? $(grep -c 'internal\|anitizer' errors)" '0 0'
for name in 'cue ' LIST; do
    short_chunk() { chunk "$name" short; }
    wave 1 short_chunk >short.wav
    gf -i short.wav trim:0.001,0.002 -o out.wav 2>errors
    is "a chunk of 3 bytes alone: $name" "$? $(grep -c 'internal\|anitizer' errors)" '0 0'
done
finish
