# Language: phrases that readers have to decode, comments that are fragments, lines that are too
# long, misspelled words.
. "$(dirname "$0")/lib.sh"
source=$tree
if [ ! -f "$source/src/main.c" ]; then
    skip 'no source here'
    finish
fi
cd "$source" || exit 99

# nothing NAME COMMAND...: the command must print nothing.
nothing()
{
    name=$1
    shift
    found=$("$@" | head -n 40)
    if [ -z "$found" ]; then
        pass "$name"
    else
        fail "$name"
        echo "$found" | note
    fi
}

generated='^src/(registry|bench/groups)\.c$'
hosted=$(find src filters kernels -name '*.c' | grep -vxE "$generated" | sort)
code=$(find src filters kernels tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | grep -vxE "$generated" | sort)
scripts=$(find tests samples .ci bootstrap quickstart src -name '*.sh' -o -name '*.awk' -o -name 'make-*' -o -path \
    bootstrap -o -path quickstart | sort)
pages="README.md NEWS.md HACKING.md $(find man -name '*.in' | sort)"
awk -f src/messages.awk $hosted >"$scratch/messages"

# Phrases on the left have a plainer form: if, except, after, reports, result, recently, arguments.
phrases='\b(is|are|be|been) told\b|\btell(s|ing)? (of|that|where)\b|\bbut for\b|\bbehind\b'
phrases="$phrases|\\bwhat (comes|came|becomes|became) of\\b"
phrases="$phrases|\\bin a row\\b|\\blately\\b|\\bmeans nothing to\\b|\\bno ending\\b|\\bnone does\\b"

is 'the list of messages has some' "$([ "$(wc -l <"$scratch/messages")" -gt 1500 ] && echo yes)" yes
nothing 'messages avoid phrases that have to be decoded' grep -nE "$phrases" "$scratch/messages"
nothing 'pages avoid them' grep -nE "$phrases" $pages
nothing 'comments avoid them' sh -c 'phrases=$1; shift; grep -nE "^ *(/?\*|//).*($phrases)" "$@"' - "$phrases" $code
nothing 'comments in scripts avoid them' sh -c 'phrases=$1; shift; grep -nE "^ *#.*($phrases)" "$@"' - "$phrases" \
    $scripts
nothing 'comments are sentences with a subject' \
    grep -nE '(/\*|//) (Of|What|Whether|Where|The same|And|But|Nor)\b' $code
nothing 'so are comments in scripts' grep -nE '^ *# (Of|What|Whether|Where|The same|And|But|Nor) ' $scripts
nothing 'no line of code over 120 columns' awk 'length($0) > 120 { print FILENAME ":" FNR ": " length($0) }' $code \
    $scripts
finish
