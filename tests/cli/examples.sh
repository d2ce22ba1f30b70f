# Every example of the manuals runs unchanged, in a folder with the samples.
. "$(dirname "$0")/../lib.sh"
cp "$GPUFILTER_SAMPLES"/* . 2>/dev/null
gf -i photo.ppm -o in.png && gf -i photo.ppm -o in.jpg && cp photo.ppm in.ppm && cp sound.wav in.wav &&
    cp chart.pgm in.pgm && gf -i sound.wav -o in.flac || fail 'the samples can be written in other formats'

# Examples call the program by its name, and may use pipes.
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH

gf --manual examples >examples.txt
for page in gpufilter.1 gpufilter-internals.7; do
    page=$tree/man/$page.in
    [ -f "$page" ] || page=${page%.in}
    sed -n '/^\.EX/,/^\.EE/p' "$page" | grep -v '^\.E' | sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g" >>examples.txt
done
[ -f "$tree/README.md" ] && sed -n '/^```sh gpufilter/,/^```/p' "$tree/README.md" | grep -v '^```' >>examples.txt

is 'the manual has more than 10 examples' "$(grep -c gpufilter examples.txt | awk '{ print ($1 > 10) }')" 1
number=0
while IFS= read -r line; do
    number=$((number + 1))
    case $line in
    ''|\#*) continue ;;
    esac
    if sh -c "$line" >out 2>errors </dev/null; then
        pass "line $number: $line"
    else
        fail "line $number: $line"
        note <errors
    fi
done <examples.txt
finish
