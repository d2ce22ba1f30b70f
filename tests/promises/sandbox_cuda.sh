# The driver of a GPU works inside the sandbox, with the same results, and the sandbox still stops
# code of an attacker.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'sanitizers run without a sandbox'
misdeed=$(dirname "$GPUFILTER")/tests/promises/misdeed
[ -x "$misdeed" ] || { fail 'tests/promises/misdeed has not been made'; finish; }
image photo.ppm 900 700 3 255 3
gf --no-sandbox --device cuda -i photo.ppm invert -o probe.ppm 2>errors || need_cuda
sound voice.wav 40000 2 6
sound response.wav 20000 2 7
gf -q -i voice.wav -o voice.aiff

line=$(gf -v --device cuda -i photo.ppm invert -o out.ppm 2>&1 | grep '^sandbox: ')
case $line in
'sandbox: files (Landlock '*) ;;
*) skip_all "this kernel has no Landlock: $line" ;;
esac

# agrees NAME EXTENSION ARGUMENT...: tests that the result is the same with and without a sandbox.
agrees()
{
    name=$1 extension=$2
    shift 2
    gf --no-sandbox "$@" -o open.$extension 2>open.err
    gf "$@" -o closed.$extension 2>closed.err
    same open.$extension closed.$extension "$name"
    { cat closed.err; } | note
    is "$name: messages" "$(cat closed.err)" "$(cat open.err)"
}
agrees 'an image in the sandbox' ppm --device cuda -i photo.ppm blur:3 rotate:20
agrees 'long filters in the sandbox' wav -q --device cuda -i voice.wav fir:response.wav
agrees 'the device is chosen after the header is read' ppm --device auto -i photo.ppm median:9 resize:4000x
agrees 'all GPUs in the sandbox' ppm --device all -i photo.ppm equalize blur:9
mkdir in
for i in 1 2 3 4 5 6; do gf -q -i photo.ppm brightness:.$i -o in/$i.jpg; done
for hardware in software hardware; do
    works "many, JPEG by $hardware" gf -q --device cuda --jpeg $hardware -i in blur:2 -o out-$hardware/
    works "many, JPEG by $hardware, no sandbox" \
        gf -q --no-sandbox --device cuda --jpeg $hardware -i in blur:2 -o wanted-$hardware/
    diff -r out-$hardware wanted-$hardware >changed 2>&1
    is "many, JPEG by $hardware, are the same" "$(cat changed)" ''
done

mkdir private allowed
echo secret >private/file
# commit MISDEED TARGET OPTION...: runs the program with the misdeed.
commit()
{
    deed=$1 target=$2
    shift 2
    rm -f private/new allowed/out.wav sent
    MISDEED=$deed PLACE=header TARGET=$target "$misdeed" -q "$@" --device cuda -i voice.aiff gain:-3 \
        -o allowed/out.wav 3>sent 2>errors
    if [ -e private/new ] || grep -q secret sent; then echo done; fi
}
gf -q --device cuda -i voice.aiff gain:-3 -o right.wav
for deed in write read exec; do
    case $deed in
    write) target=private/new ;;
    exec) target='>private/new' ;;
    *) target=private/file ;;
    esac
    is "$deed happens without the sandbox" "$(commit $deed "$target" --no-sandbox)" done
    is "$deed does not happen in the sandbox" "$(commit $deed "$target")" ''
    same allowed/out.wav right.wav "the output after $deed"
done
works '--untrusted on a GPU' gf -q --untrusted --device cuda -i photo.ppm blur:3 rotate:20 -o untrusted.ppm
gf --device cuda -i photo.ppm blur:3 rotate:20 -o wanted.ppm
same untrusted.ppm wanted.ppm '--untrusted on a GPU: the result'
finish
