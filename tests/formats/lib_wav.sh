# Functions that write chunks of a WAV, and read numbers from them. Other tests source this file first.
. "$(dirname "$0")/../lib.sh"

# le BYTES NUMBER...: writes little-endian numbers.
le()
{
    width=$1
    shift
    for number in "$@"; do
        for _ in $(seq "$width"); do
            printf "\\$(printf %o $((number & 255)))"
            number=$((number >> 8))
        done
    done
}
zeros() { head -c "$1" /dev/zero; }
# chunk NAME COMMAND...: writes a chunk with the output of a command.
chunk()
{
    printf '%s' "$1"
    shift
    "$@" >content
    le 4 "$(wc -c <content)"
    cat content
    [ $(($(wc -c <content) % 2)) = 0 ] || zeros 1
}
# at FILE CHUNK OFFSET BYTES COUNT: prints COUNT numbers of BYTES from the content of a chunk.
at()
{
    place=$(grep -abo -- "$2" "$1" | head -n 1 | cut -d : -f 1)
    [ -n "$place" ] || { echo none; return; }
    od -An -v -tu"$4" -w$(($4 * $5)) -j $((place + 8 + $3)) -N $(($4 * $5)) "$1" | tr -s ' ' | sed 's/^ //'
}
# point FILE N: prints name, position and offset of a marker.
point()
{
    printf '%s %s\n' "$(at "$1" 'cue ' $((4 + 24 * ($2 - 1))) 4 2)" "$(at "$1" 'cue ' $((24 * $2)) 4 1)"
}
