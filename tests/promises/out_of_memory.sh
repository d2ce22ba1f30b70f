# If memory runs out, gpufilter prints one line, exits with status 1 and leaves no partial output,
# or it succeeds.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'it allocates memory itself, where no test can refuse it'
short=$(dirname "$GPUFILTER")/tests/promises/refuse_memory

image in.ppm 37 29 3 255 1
image second.pam 20 20 4 255 2
sound in.wav 3000 2 1
mkdir chains
echo 'args radius
blur:$radius invert' >chains/own
XDG_CONFIG_HOME=$scratch/config
mkdir -p "$XDG_CONFIG_HOME/gpufilter"
cp chains/own "$XDG_CONFIG_HOME/gpufilter/own"
[ -x "$short" ] || { fail 'tests/promises/refuse_memory has not been made: make check TESTS= makes it'; finish; }
[ -n "$(SHORT_OF=count "$short" --version 3>&1 >version)" ] || skip_all 'this C library does not let memory be refused'

# asks ARGUMENT...: prints how many times the program allocates memory.
asks() { SHORT_OF=count "$short" --device cpu -j 1 "$@" 3>&1 >told 2>&1; }

# runs_out FILE ARGUMENT...: fails one allocation of each run in turn. FILE must be complete or
# absent after each run.
runs_out()
{
    made=$1 wrong=
    shift
    rm -f "$made" whole
    most=$(asks "$@")
    mv "$made" whole || { fail "$*: nothing was made"; return; }
    n=0 told=0
    while [ $n -lt "$most" ]; do
        n=$((n + 1))
        SHORT_OF=$n "$short" --device cpu -j 1 "$@" >out 2>errors
        status=$?
        if [ $status = 0 ]; then
            cmp -s "$made" whole || wrong="$wrong $n: not whole;"
        elif [ $status != 1 ] || [ -e "$made" ] || [ "$(wc -l <errors)" != 1 ] || ! grep -q 'memory' errors; then
            wrong="$wrong $n: status $status, $(cat errors), $(ls "$made" 2>&1);"
        fi
        [ $status != 1 ] || told=$((told + 1))
        rm -f "$made"
    done
    is "$*: of $most requests each may be refused" "$wrong" ''
    works "$*: most refused requests are reported ($told)" [ $told -gt $((most / 3)) ]
}

runs_out out.ppm -i in.ppm blur:2 rotate:20 -o out.ppm
runs_out out.pam -i in.ppm equalize over:second.pam,3,3 -o out.pam
runs_out out.svg -i in.ppm histogram -o out.svg
runs_out out.tsv -i in.wav normalize stats -o out.tsv
runs_out out.json -i in.ppm stats -o out.json
runs_out out.wav -i in.wav lowpass:1k reverse -o out.wav
printf 'YUV4MPEG2 W4 H8 It C444\nFRAME\n%096d' 1 >film.y4m
printf 'FRAME\n%096d' 2 >>film.y4m
runs_out out.y4m --interlaced fields -i film.y4m blur:1 -o out.y4m
runs_out out.qoi -i in.ppm @chains/own:2 -o out.qoi
# Metadata is kept, or its loss is an error.
if "$short" --version | grep -q '^images:.*libjpeg'; then
    profile() { head -c 16 /dev/zero; printf 'RGB '; head -c 16 /dev/zero; printf acsp; head -c 100 /dev/zero; }
    gf -i in.ppm -o plain.jpg
    {
        head -c 2 plain.jpg
        printf '\377\341\0\042Exif\0\0MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\001\0\0\0\0\0\0'
        printf '\377\341\0\047http://ns.adobe.com/xap/1.0/\0<x></x>'
        printf '\377\342\0\234ICC_PROFILE\0\001\001'
        profile
        printf '\377\376\0\006text'
        tail -c +3 plain.jpg
    } >beside.jpg
    for to in jpg png; do
        gf -q -i beside.jpg -o beside.$to
        runs_out out.$to -q --compression 0 -i beside.$to -o out.$to
    done
fi
# Inputs that need more than their share of the memory run one after another at the end. No failure
# is silent.
mkdir in
for i in 1 2 3; do
    image in/$i.ppm 20 10 3 255 $i
done
most=$(asks -j 3 --memory 8M -i in histogram:65536 -o whole.d/) wrong= n=0
while [ $n -lt "$most" ]; do
    n=$((n + 1))
    rm -rf some.d
    mkdir some.d
    SHORT_OF=$n "$short" --device cpu -j 3 --memory 8M -i in histogram:65536 -o some.d/ >out 2>errors
    status=$?
    there=$(ls some.d 2>/dev/null | wc -l)
    case "$status $there $(wc -l <errors)" in
    '0 3 0') diff -r whole.d some.d >/dev/null || wrong="$wrong $n: not whole;" ;;
    '1 3 '* | '1 '*' 0' | '0 '*) wrong="$wrong $n: status $status, $there there;" ;;
    '1 '*) ;;
    *) wrong="$wrong $n: status $status;" ;;
    esac
done
is "three files that share a memory: of $most requests each may be refused" "$(ls whole.d | wc -l) $wrong" '3 '

runs_out in-by.ppm -i in.ppm 'tee:{stem}-by.ppm' invert -o seen.ppm
finish
