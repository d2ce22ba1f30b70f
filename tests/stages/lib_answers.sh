# Shared by the tests of known answers: functions that write small signals and test the result of
# stages.
. "$(dirname "$0")/../lib.sh"

# gray WIDTH HEIGHT VALUE...: writes in.pgm. rgb WIDTH HEIGHT VALUE...: writes in.ppm. frames
# CHANNELS VALUE...: writes in.wav.
gray() { size="$1 $2"; shift 2; { echo "P2 $size 255"; echo "$*"; } >in.pgm; }
rgb() { size="$1 $2"; shift 2; { echo "P3 $size 255"; echo "$*"; } >in.ppm; }
frames()
{
    c=$1
    shift
    echo "$*" | ${AWK:-awk} -v c="$c" '
    function le(v, bytes,    s) { for (s = ""; bytes-- > 0; v = int(v / 256)) s = s C[v % 256]; return s }
    {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "RIFF%sWAVEfmt %s%s%s%s%s%s%sdata%s", le(36 + NF * 2, 4), le(16, 4), le(1, 2), le(c, 2), \
               le(8000, 4), le(16000 * c, 4), le(2 * c, 2), le(16, 2), le(NF * 2, 4)
        for (i = 1; i <= NF; i++)
            printf "%s", le($i < 0 ? $i + 65536 : $i, 2)
    }' >in.wav
}
numbers() { od -An -v -t "$1" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }
# picture WANTED ARGUMENT...: tests the samples of the result for in.pgm or in.ppm.
picture()
{
    wanted=$1 from=in.pgm
    shift
    [ -f in.ppm ] && from=in.ppm
    gf -i $from "$@" -t pnm -o out.pnm 2>errors
    is "$*: $wanted" "$(tail -c +$(($(head -n 3 out.pnm | wc -c) + 1)) out.pnm | numbers u1)$(cat errors)" "$wanted"
}
# heard WANTED ARGUMENT...: the same for in.wav.
heard()
{
    wanted=$1
    shift
    gf -i in.wav "$@" -o out.wav 2>errors
    is "$*: $wanted" "$(tail -c +45 out.wav | numbers d2)$(cat errors)" "$wanted"
}
# many WANTED ARGUMENT...: the same for many channels, for which a WAV would name loudspeakers.
many()
{
    wanted=$1
    shift
    is "$*: $wanted" "$(gf -i in.wav "$@" -t raw 2>&1 | numbers d2)" "$wanted"
}
size_of() { sed -n 2p out.pnm; }
# unlikely STAGE:OPTION RESULT ARGUMENT...: tests a number that suits the scale of another program. RESULT is
# `silent` or a pattern (grep) for a line; every line names the stage. A colon before the pattern means an error.
unlikely()
{
    option=$1 result=$2
    shift 2
    [ -f any.ppm ] || image any.ppm 9 7 3 255 1
    gf -i any.ppm "$@" -o o.ppm >out 2>errors </dev/null
    status=$?
    case $result in
    silent) ok=$([ $status = 0 ] && [ ! -s errors ] && echo yes) ;;
    :*) ok=$([ $status = 2 ] && [ "$(wc -l <errors)" = 1 ] && grep -q -- "${result#:}" errors && echo yes) ;;
    *)
        line="^gpufilter: warning: any.ppm: ${option%:*}: "
        ok=$([ $status = 0 ] && ! grep -vq -- "$line" errors && [ "$(grep -c -- "$line.*$result" errors)" = 1 ] &&
            echo yes)
        ;;
    esac
    if [ "$ok" = yes ]; then
        pass "$*: $result"
    else
        fail "$*: $result"
        { echo "status $status"; cat errors; } | note
    fi
}
