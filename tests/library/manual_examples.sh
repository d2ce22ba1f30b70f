# The C examples of gpufilter(3) and README.md compile, and the program of the manual gives the bytes of gpufilter.
. "$(dirname "$0")/../lib.sh"
page=$tree/man/gpufilter.3.in
[ -f "$page" ] && [ -f "$tree/src/library/gpufilter.h" ] || skip_all 'there is no source here'
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null || skip_all 'no compiler here'
no_sanitizer 'a program without it cannot load the library'
built=$(cd "$(dirname "$GPUFILTER")" && pwd)
flags="-std=c11 -Wall -Wextra -Werror -I$tree/src/library"

sed -n '/^\.EX/,/^\.EE/p' "$page" | grep -v '^\.E[XE]' | sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g" >program.c
works 'the program of gpufilter(3) compiles' \
    $cc $flags -o program program.c "$built/libgpufilter.so.0" -Wl,-rpath,"$built"
works 'the program of gpufilter(3) runs' ./program
mv out turned.pgm
${AWK:-awk} 'BEGIN {
    printf "P5\n320 240\n255\n"
    for (y = 0; y < 240; y++)
        for (x = 0; x < 320; x++)
            printf "%c", (x * 3 + y * 5) % 256
}' >in.pgm
gf -i in.pgm blur:2 rotate:30 -o want.pgm
same turned.pgm want.pgm 'the program of gpufilter(3) gives the bytes of gpufilter'

# Fragments: the lines between .nf and .fi, except those of the synopsis, and the lines of C in README.md.
{
    echo '#include <gpufilter.h>'
    echo 'void manual(unsigned char *pixels, gpufilter_request request);'
    echo 'void manual(unsigned char *pixels, gpufilter_request request)'
    echo '{'
    sed -n '/^\.SH DESCRIPTION/,$p' "$page" | sed -n '/^\.nf/,/^\.fi/p' | grep -v '^\.[nf]'
    echo '(void)f, (void)request; }'
} >manual.c
works 'the fragments of gpufilter(3) compile' $cc $flags -fsyntax-only manual.c
if [ -f "$tree/README.md" ]; then
    {
        echo '#include <gpufilter.h>'
        arguments='gpufilter_session *session, gpufilter_request *request, gpufilter_array *in, gpufilter_array *out'
        echo "void readme($arguments);"
        echo "void readme($arguments)"
        echo '{ gpufilter_error error;'
        sed -n '/^```c$/,/^```$/p' "$tree/README.md" | grep -v '^```'
        echo '}'
    } >readme.c
    is 'README.md has lines of C' "$(grep -c gpufilter_run readme.c)" 1
    works 'the lines of C in README.md compile' $cc $flags -fsyntax-only readme.c
fi

# Every function and every member of a struct is in the manual.
sed 's/\\f.//g; s/\\-/-/g' "$page" >words
nothing 'gpufilter(3) has every function of the library' \
    sh -c 'while read -r name; do grep -q "$name" words || echo "$name"; done <"$1"' - "$tree/src/library/symbols"
sed -n '/^typedef struct gpufilter_[a-z]* {/,/^}/p' "$tree/src/library/gpufilter.h" | sed 's|/\*.*||' |
    grep -v '^ *//\|^typedef\|^}' | grep -oE '[a-z_]+\)?(, [a-z_]+)*[;)]' | sed 's/)[^,;]*//g' |
    grep -oE '[a-z_]+' | sort -u >members
is 'gpufilter.h has more than 30 members of structs' "$(awk 'END { print (NR > 30) }' members)" 1
nothing 'gpufilter(3) has every member of a struct' \
    sh -c 'while read -r name; do grep -qw -- "$name" words || echo "$name"; done <members'

# The structs of the synopsis are those of the header, without its comments.
sed -n '/^typedef struct gpufilter_[a-z]* {/,/^}/p' "$tree/src/library/gpufilter.h" | sed 's| */\*.*||; /^ *$/d' >want
sed -n '/^typedef struct gpufilter_[a-z]* {/,/^}/p' "$page" >found
is 'the structs of gpufilter(3) are those of gpufilter.h' "$(cat found)" "$(cat want)"

# The tables of gpufilter(3) have the members of the list of stages, and stars mark those that may be missing.
if command -v python3 >/dev/null; then
    sed -n '/^\.SH "LIST OF STAGES"/,/^\.SH /p' "$page" >tables
    is 'gpufilter(3) has the members of the list of stages' \
        "$(awk -F '\t' '/^\.TS/ { on = 1 } /^\.TE/ { on = 0 } /^T[{}]|^Member/ { next } on && NF == 2 {
               gsub(" [*]", "*", $1); gsub(", ", "\n", $1); print $1 }' tables | sort)" \
        "$(GPUFILTER_LIBRARY=$built/libgpufilter.so.0 PYTHONPATH=$tree/src/python python3 -B -c '
import gpufilter as gf
for many in gf.stages(), [o for row in gf.stages() for o in row["options"]]:
    for key in {key for one in many for key in one}:
        print(key + "*" * any(key not in one for one in many))' | sort)"
fi
finish
