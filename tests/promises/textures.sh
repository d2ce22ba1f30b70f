# Rotation through the texture units of a GPU: within one step of a CPU, the same bytes however cut, and --exact.
. "$(dirname "$0")/../lib.sh"
need_cuda

# steps FILE FILE: prints how many bytes differ by more than one, and whether any differ.
steps()
{
    cmp -l "$1" "$2" | ${AWK:-awk} '
        function value(octal) { return int(octal / 100) * 64 + int(octal / 10) % 10 * 8 + octal % 10 }
        { d = value($2) - value($3); if (d > 1 || d < -1) bad++ }
        END { print bad + 0, (NR > 0 ? "some" : "none") }'
}

# rotates WAY EXTENSION FILE STAGE...: compares a GPU with the CPU. WAY is "textures", or "loads", which give the same
# bytes.
rotates()
{
    way=$1 ending=$2 file=$3
    shift 3
    name="$file $* to $ending"
    gf --device cpu -i $file "$@" -o cpu.$ending 2>errors || note <errors
    gf --device cuda -i $file "$@" -o cuda.$ending 2>errors || note <errors
    gf --device cuda --exact -i $file "$@" -o exact.$ending 2>errors || note <errors
    same cpu.$ending exact.$ending "$name: --exact gives the bytes of a CPU"
    if [ $way = loads ]; then
        same cpu.$ending cuda.$ending "$name: the same bytes"
    else
        is "$name: at most one step" "$(steps cpu.$ending cuda.$ending)" '0 some'
    fi
}

# explains TEXT ARGUMENT...: --explain has the text.
explains()
{
    text=$1
    shift
    is "$*: $text" "$(gf --device cuda --explain -i rgb.ppm -o o.ppm "$@" | grep -c -- "$text")" 1
}

image rgb.ppm 331 217 3 255 1
image rgb.pam 331 217 3 255 1
image gray.pam 640 259 1 255 2
image wide.pam 1100 1003 3 255 3
image thin.pam 1 77 3 255 4
image one.pam 1 1 1 255 5
cat rgb.pam gray.pam wide.pam thin.pam one.pam >row.pam

for stage in rotate:30 rotate:-45,edge=clamp rotate:200.7,edge=zero rotate:77,bg=#8040c0 rotate:0.3,fit=keep; do
    rotates textures pam row.pam blur:0.3 $stage
    rotates textures ppm rgb.ppm gray blur:0.3 $stage
done
rotates textures pam row.pam blur:0.3 threshold:0.5 rotate:-12
for edge in reflect mirror wrap; do
    rotates loads ppm rgb.ppm blur:1 rotate:30,edge=$edge
done
for stage in sharpen brightness:0.5; do
    rotates loads ppm rgb.ppm $stage rotate:30
done
explains 'rotate:30, linear, through the texture unit' blur:2 rotate:30
explains 'rotate:30, linear, through the texture unit' gray blur:2 rotate:30
explains 'rotate:30, linear, with plain loads' --exact blur:2 rotate:30
explains 'rotate:30, linear, with plain loads' sharpen rotate:30
explains 'rotate:30,filter=cubic, cubic, with plain loads' blur:2 rotate:30,filter=cubic

# Segments, lanes, and what does not fit in memory.
for stages in 'blur:1 rotate:30' 'gray blur:1 rotate:-71,edge=clamp' 'blur:1 rotate:3,fit=keep,bg=red'; do
    gf --device cuda -i wide.pam $stages -o whole.pam
    for way in '--segment 5K --lanes 5' '--segment 300K' '--memory 12M' '--memory 8M --lanes 2'; do
        works "$stages $way" gf --device cuda $way -i wide.pam $stages -o cut.pam
        same whole.pam cut.pam "$stages $way: the same bytes"
    done
done
finish
