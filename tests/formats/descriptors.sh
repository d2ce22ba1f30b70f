# Formats match their descriptors: names are unique, and formats that are read and written are
# recognized by content.
. "$(dirname "$0")/../lib.sh"
image in.pgm 9 7 1 255 1
image in.pam 9 7 4 255 2
sound in.wav 4000 1 3
gf --list >list

# Rows of the table: "title|name, extension|read|written".
gf --manual listing | awk -F '\t' '$1 == "format" { print $2 "|" $3 "|" $4 "|" $5 }' >rows
is 'the listing has more than 30 formats' "$([ "$(wc -l <rows)" -gt 30 ] && echo yes)" yes
nothing 'no two formats have a name in common' sh -c 'cut -d "|" -f 2 rows | sed "s/, /\n/g" | sort | uniq -d'
for what in Reads:3 Writes:4; do
    cut -d '|' -f 2,"${what#*:}" rows | grep -v '|-$' | sed 's/|.*//; s/:$//; s/, /\n/g' | sort >wanted
    sed -n "/^${what%:*}:/,/^[A-Z]/p" list | grep -v "^[A-Z].*:.*" >more
    { grep "^${what%:*}:" list | sed 's/^[A-Za-z]*: *//'; cat more; } | tr -s ' ' '\n' | grep . | sort >found
    same found wanted "--list ${what%:*} what the table says"
done
gf --completion bash >words
for what in from to; do
    kind=Reads
    [ $what = from ] || kind=Writes
    is "completions of --$what are those of --list" "$(sed -n "s/^ *--$what[^)]*) values='\(.*\) ' ;;/\1/p" words)" \
        "$(sed -n "/^$kind:/,/^Writes:.*/p" list | sed "1s/^[A-Za-z]*: *//; /^Writes:/d" | tr -s ' \n' '  ' \
        | sed 's/^ *//; s/ $//')"
done

# Each image or audio format that is written and read must be recognized by its content, under any
# file name.
while IFS='|' read -r title names read written; do
    word=${names%%,*}
    case $read$written$word in *-* | *:) continue ;; esac
    rm -f x.* unknown
    for input in in.pgm in.pam in.wav; do
        gf -q -i $input -o "x.$word" 2>/dev/null && break
    done
    works "$title is written" gf -q -i $input -o "x.$word"
    cp "x.$word" unknown
    works "$title is known by its content" gf -q -i unknown --explain
    works "$title agrees with --from $word" gf -q --from "$word" -i unknown --explain
    for other in png flac; do
        [ "$word" != $other ] || continue
        cp "x.$word" "x.$other"
        works "$title is not taken for its name, .$other" gf -q -i "x.$other" --explain
    done
done <rows

# ---- --from and the content

# from NAMES FILE: prints "yes" if the input is accepted.
from() { gf -q --from "$1" -i "$2" --explain >out 2>errors && echo yes; }
for format in wav rf64 aiff flac ogg opus mp3 caf w64 au; do
    gf -q -i in.wav -t $format -o "x.$format" 2>/dev/null || continue
    cp "x.$format" unknown
    accepted=
    for word in wav aiff flac ogg mp3 caf w64 au voc svx nist png; do
        accepted=$accepted$([ -z "$(from $word unknown)" ] || echo "$word ")
    done
    case $format in rf64) family=wav ;; opus) family=ogg ;; *) family=$format ;; esac
    is "--from accepts $format as $family only" "$accepted" "$family "
done
[ ! -f x.ogg ] || is '--from opus: Vorbis is not Opus' "$(from opus x.ogg)" ''
# A file of AIFF-C: the version and an encoding after the format. The samples are those of `sowt`, little endian.
octets() { for octal in "$@"; do printf "\\$octal"; done; }
{ printf 'FORM\0\0\0\106AIFC'; printf 'FVER\0\0\0\4'; octets 242 200 121 100; printf 'COMM\0\0\0\030'
  octets 0 1 0 0 0 2 0 20 100 14 372 0 0 0 0 0 0 0; printf 'sowt\0\0SSND\0\0\0\014'; octets 0 0 0 0 0 0 0 0 1 2 3 4
} >x.aifc
is '--from aiff includes AIFF-C' "$(from aiff x.aifc)$(from aifc x.aifc)$(from aifc x.aiff)" yesyes
refuses 1 '^gpufilter: in.wav: is WAV, not MP3; leave out --from mp3$' '--from mp3 of a WAV' \
    gf -f mp3 -i in.wav -o y.wav
# After ID3 tags there may be any audio.
if [ -f x.mp3 ]; then
    { printf 'ID3\3\0\0\0\0\0\012'; head -c 10 /dev/zero; cat x.mp3; } >tagged
    is '--from mp3 includes ID3 tags' "$(from mp3 tagged)" yes
    refuses 1 '^gpufilter: tagged: its content is of another format; leave out --from flac$' \
        '--from flac refuses what is no FLAC after an ID3 tag' gf -f flac -i tagged -o y.wav
fi

# ---- lists of formats

gf -i in.pgm -o x.png && gf -i in.pgm -o x.jpg && gf -i in.pgm -o x.tga
for file in x.png x.jpg in.pgm x.tga in.wav; do
    is "--from of a list: $file" "$(from png,jpeg,PGM,tga,wav $file)" yes
    cp $file unknown
    is "--from of a list: $file under another name" "$(from png,jpg,pnm,tga,wav unknown)" yes
done
refuses 1 '^gpufilter: x.png: is PNG, and --from allows only jpeg,gif$' '--from of a list: another format' \
    gf -f jpeg,gif -i x.png -o y.pgm
refuses 1 '^gpufilter: in.wav: is WAV, and --from allows only jpeg,flac$' '--from of a list: audio' \
    gf -f jpeg,flac -i in.wav -o y.wav
refuses 1 '^gpufilter: x.tga: does not begin like any of jpeg,gif, which' '--from of a list: TGA has no signature' \
    gf -f jpeg,gif -i x.tga -o y.pgm
head -c 40 in.wav | tr RIFW xxxx >junk
refuses 1 '^gpufilter: junk: unknown image or audio format' '--from of a list: of no format' \
    gf -f jpeg,gif -i junk -o y.pgm
refuses 1 'standard input: is PNG, and --from allows only jpeg,gif' '--from of a list: a pipe' \
    sh -c 'cat x.png | "$0" -f jpeg,gif -o y.pgm' "$GPUFILTER"
works '--from of a list: a pipe of one of them' sh -c 'cat x.png | "$0" -f jpeg,png -o y.pgm' "$GPUFILTER"
refuses 2 "^gpufilter: --from jpeg,pngs: unknown input format 'pngs'; try png$" '--from of a list: an unknown name' \
    gf -f jpeg,pngs -i x.png -o y.pgm
refuses 2 '^gpufilter: --from png,raw: raw samples have no header, so raw cannot be in a list' '--from of a list: raw' \
    gf -f png,raw -i x.png -o y.pgm
finish
