# MP3 joined from several by cat(1): all parts are read to their end, or a warning names the one that is not. Other
# formats that are joined in this way.
. "$(dirname "$0")/../lib.sh"

bytes() { for octal in "$@"; do printf "\\$octal"; done; }
zeros() { head -c "$1" /dev/zero; }
# frame [RATE]: a silent frame of MPEG 1 layer III, stereo, 44100 Hz. RATE is the third byte in octal: 220 is 128 kbit/s
# and 417 bytes, 20 is 32 kbit/s and 104 bytes. It decodes to 1152 samples.
frame() { bytes 377 373 ${1-220} 4; if [ "${1-220}" = 20 ]; then zeros 100; else zeros 413; fi; }
# frames N [RATE]: N of them.
frames() { for i in $(seq "$1"); do frame $2; done; }
# info NAME N: the frame before N frames that states their number and bytes, those of this frame included.
info()
{
    bytes 377 373 220 4
    zeros 32
    printf "$1"
    bytes 0 0 0 3  0 0 0 "$(printf %o "$2")"  0 0 "$(printf %o $((($2 + 1) * 417 / 256)))" \
        "$(printf %o $((($2 + 1) * 417 % 256)))"
    zeros 365
}
# vbri N: the same in the header of another encoder.
vbri()
{
    bytes 377 373 220 4
    zeros 32
    printf VBRI
    bytes 0 1 0 0 0 0  0 0 "$(printf %o $((($1 + 1) * 417 / 256)))" "$(printf %o $((($1 + 1) * 417 % 256)))" \
        0 0 0 "$(printf %o "$1")"
    zeros 363
}
# long NAME FRAMES HEADERS FILE [TEXT]: the file decodes to so many frames of 1152 samples, less 529 for each header of
# Xing or Info, which makes libmpg123 drop its own delay. There is no message but TEXT.
long()
{
    gf -i "$4" -t raw >out.raw 2>errors
    is "$1" "$? $(($(wc -c <out.raw) / 8)) $(sed 's/^gpufilter: //' errors)" "0 $(($2 * 1152 - $3 * 529)) $5"
    cat "$4" | gf -t raw 2>errors | cmp -s - out.raw
    is "$1: from a pipe" $? 0
}

# ---- parts by hand: their lengths are known

for name in Info Xing; do
    { info $name 20; frames 20; } >part.mp3
    long "one part with $name" 20 1 part.mp3
    cat part.mp3 part.mp3 part.mp3 >joined.mp3
    long "three parts with $name" 60 3 joined.mp3
done
{ vbri 20; frames 20; vbri 10; frames 10; } >joined.mp3
long 'two parts with VBRI' 30 0 joined.mp3
{ info Info 20; frames 20; frames 10; } >joined.mp3
long 'a part without a header after one with' 30 1 joined.mp3
{ frames 10; info Info 20; frames 20; } >joined.mp3
long 'a part with a header after one without' 30 1 joined.mp3
{ info Info 5; frames 20; } >joined.mp3
long 'a count that is too small' 20 1 joined.mp3
frames 20 >none.mp3
cat none.mp3 none.mp3 >joined.mp3
long 'parts without headers' 40 0 joined.mp3
{ frames 20; frames 100 20; } >joined.mp3
long 'bit rates that fall, without a header' 120 0 joined.mp3
{ frames 100 20; frames 20; } >joined.mp3
long 'bit rates that rise, without a header' 120 0 joined.mp3
{ frames 20; frames 100 20; } | head -c 18690 >joined.mp3
long 'a cut last frame' 119 0 joined.mp3 'warning: joined.mp3: the last MP3 frame is incomplete and is ignored'

# ---- tags between parts are not sound

id3v1() { printf TAG; zeros 125; }
id3v2() { printf 'ID3\003\0\0\0\0\020\012'; zeros 2058; }
ape()
{
    for flags in 240 200; do
        printf APETAGEX
        bytes 320 7 0 0 40 0 0 0 0 0 0 0 0 0 0 $flags
        zeros 8
    done
}
for tag in id3v1 id3v2 ape; do
    { cat part.mp3; $tag; cat part.mp3; $tag; } >joined.mp3
    long "$tag between parts" 40 2 joined.mp3
    { cat none.mp3; $tag; cat none.mp3; $tag; } >joined.mp3
    long "$tag between parts without headers" 40 0 joined.mp3
done
{ id3v2; cat part.mp3; id3v1; id3v2; cat part.mp3; ape; id3v1; } >joined.mp3
long 'several tags between parts' 40 2 joined.mp3

# ---- junk between parts

{ cat part.mp3; zeros 200000; cat part.mp3; } >joined.mp3
long 'zeros between parts' 40 2 joined.mp3 'warning: joined.mp3: 200000 bytes after 0.510 s are not MP3 and are ignored'
{ cat none.mp3; yes noise | head -c 5000; cat none.mp3; } >joined.mp3
long 'text between parts' 40 0 joined.mp3 'warning: joined.mp3: 5000 bytes after 0.522 s are not MP3 and are ignored'
refuses 1 '5000 bytes after 0.522 s are not MP3 .*an error because of --strict' 'text between parts, with --strict' \
    gf --strict -i joined.mp3 -o strict.wav
is 'text between parts, with --strict, leaves no output' "$(ls strict.wav 2>/dev/null)" ''
{ cat part.mp3; yes "$(printf '\377\373\220\4')" | tr -d '\n' | head -c 300000; cat part.mp3; } >joined.mp3
gf -i joined.mp3 -t raw >out.raw 2>errors
is 'headers without frames' \
    "$? $(($(wc -c <out.raw) / 8 >= 2 * 22511)) $(grep -c 'bytes after .* are not MP3' errors)" '0 1 1'
{ head -c 5000 part.mp3; cat part.mp3; } >joined.mp3
refuses 1 'joined.mp3: ends after frame [0-9]* of 23040 .*--salvage' 'a cut first part' gf -i joined.mp3 -o cut.wav
gf --salvage -i joined.mp3 -t raw >out.raw 2>errors
is 'salvages the second, too' "$? $(wc -l <errors) $(($(wc -c <out.raw) / 8 >= 22511 + 9 * 1152))" '0 1 1'
{ cat part.mp3; head -c 5000 part.mp3; } >joined.mp3
refuses 1 'joined.mp3: ends after frame [0-9]* of [0-9]* ' 'a cut second part' gf -i joined.mp3 -o cut.wav
gf -i "$GPUFILTER_SAMPLES/sound.wav" -o sound.wav
cat part.mp3 sound.wav >joined.mp3
gf -i joined.mp3 -o out.wav 2>errors
is 'a WAV after an MP3' "$? $(grep -c 'warning: joined.mp3: a second recording follows the first' errors)" '0 1'

# ---- parts that differ

mono() { for i in $(seq "$1"); do bytes 377 373 220 304; zeros 413; done; }
at_48k() { for i in $(seq "$1"); do bytes 377 373 224 4; zeros 380; done; }
ignored='follows and is ignored, with all after it; convert the parts, then join them'
for part in part none; do
    headers=$([ $part = none ] && echo 0 || echo 1)
    seconds=$([ $part = none ] && echo 0.522 || echo 0.510)
    from="warning: joined.mp3: after $seconds s (44100 Hz, 2 channels) a part of"
    { cat $part.mp3; mono 10; } >joined.mp3
    long "$part, then mono" 20 $headers joined.mp3 "$from 44100 Hz and 1 channel $ignored"
    { cat $part.mp3; at_48k 10; cat $part.mp3; } >joined.mp3
    long "$part, then 48 kHz" 20 $headers joined.mp3 "$from 48000 Hz and 2 channels $ignored"
    refuses 1 'a part of 48000 Hz and 2 channels follows .*because of --strict' "$part, then 48 kHz, with --strict" \
        gf --strict -i joined.mp3 -o strict.wav
    is "$part, then 48 kHz, with --strict, leaves no output" "$(ls strict.wav 2>/dev/null)" ''
done

# ---- encoded parts: each is read as alone, encoder delay and padding included

gf -i sound.wav trim:0,0.3 -o a.mp3
gf -i sound.wav trim:0.1,0.5 gain:-6 -o b.mp3
for file in a b; do gf -i $file.mp3 -t raw >$file.raw; done
cat a.mp3 b.mp3 a.mp3 >joined.mp3
gf -i joined.mp3 -t raw >out.raw 2>errors
is 'three encodes of one recording' "$? $(cat errors)" '0 '
cat a.raw b.raw a.raw | cmp -s - out.raw
is 'three encodes of lame are three recordings' $? 0
gf -i sound.wav trim:0,0.3 -t raw >original.raw
is 'three encodes of lame have the original length' "$(gf -i a.mp3 --depth 16 -t raw | wc -c)" \
    "$(gf -i sound.wav trim:0,0.3 --depth 16 -t raw |
    wc -c)"

# ---- other formats

gf -i sound.wav trim:0,0.3 --depth 16 -o one.wav
gf -i one.wav resample:48k -o one.opus
gf -i one.wav -o one.ogg
for format in w64 aiff caf au flac ogg opus; do
    [ -f one.$format ] || gf -i one.wav -o one.$format
    cat one.$format one.$format >two.$format
    gf -i one.$format -t raw >one.raw
    gf -i two.$format -t raw >out.raw 2>errors
    is "two recordings in $format give a warning" \
        "$? $(grep -c 'warning: two.*: a second recording follows the first' errors) $(wc -l <errors)" \
        '0 1 1'
    cmp -s one.raw out.raw
    is "two recordings in $format: the first is read" $? 0
    refuses 1 'a second recording .*because of --strict' "two recordings in $format, with --strict" \
        gf --strict -i two.$format -o strict.wav
done
finish
