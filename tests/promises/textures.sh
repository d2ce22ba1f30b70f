# Rotation through textures of a GPU: the same bytes as on a CPU, however cut.
. "$(dirname "$0")/../lib.sh"
need_cuda

# rotates WAY EXTENSION FILE STAGE...: compares a GPU with the CPU. WAY is what --explain says: "a texture" or "loads".
rotates()
{
    way=$1 ending=$2 file=$3
    shift 3
    name="$file $* to $ending"
    gf --device cpu -i $file "$@" -o cpu.$ending 2>errors || note <errors
    gf --device cuda -i $file "$@" -o cuda.$ending 2>errors || note <errors
    same cpu.$ending cuda.$ending "$name: the same bytes"
    is "$name: with $way" "$(gf --device cuda --explain -i $file -o o.$ending "$@" | grep -c -- "rotate.*$way")" 1
}

image rgb.ppm 331 217 3 255 1
image rgb.pam 331 217 3 255 1
image gray.pam 640 259 1 255 2
image alpha.pam 640 259 4 255 2
image pale.pam 640 259 2 255 2
image levels.pam 640 259 1 100 2
image wide.pam 1100 1003 3 255 3
image thin.pam 1 77 3 255 4
image one.pam 1 1 1 255 5

for stage in rotate:30 rotate:-45,edge=clamp rotate:200.7,edge=zero rotate:77,bg=#8040c0 rotate:0.3,fit=keep; do
    for file in rgb.pam wide.pam thin.pam; do
        rotates 'a texture' pam $file gray blur:0.3 $stage
        rotates loads pam $file blur:0.3 $stage
        rotates loads pam $file $stage
    done
    for file in gray.pam levels.pam alpha.pam pale.pam one.pam; do
        rotates loads pam $file $stage
    done
    rotates loads ppm gray.pam $stage
    rotates 'a texture' ppm rgb.ppm gray blur:0.3 $stage
    rotates 'a texture' ppm rgb.ppm gray sharpen $stage
done
for edge in reflect mirror wrap; do
    rotates loads ppm rgb.ppm gray blur:1 rotate:30,edge=$edge
done
rotates loads ppm rgb.ppm gray blur:2 rotate:30,filter=cubic

# Segments, lanes, and what does not fit in memory.
for stages in 'blur:1 rotate:30' 'gray blur:1 rotate:-71,edge=clamp' 'gray blur:1 rotate:3,fit=keep,bg=gray'; do
    gf --device cuda -i wide.pam $stages -o whole.pam
    for way in '--segment 5K --lanes 5' '--segment 300K' '--memory 12M' '--memory 8M --lanes 2'; do
        works "$stages $way" gf --device cuda $way -i wide.pam $stages -o cut.pam
        same whole.pam cut.pam "$stages $way: the same bytes"
    done
done
finish
