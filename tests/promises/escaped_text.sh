# Control characters in names and contents of files never reach a terminal, nor a log that is read
# on one later. Readable text stays readable.
. "$(dirname "$0")/../lib.sh"

image in.ppm 8 8 3 255 1

# says NAME LINE COMMAND...: the only line on standard error is "gpufilter: LINE".
says()
{
    says=$1 line=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$says" "$(cat errors)" "gpufilter: $line"
}

# ---- contents

printf 'P7\nWIDTH\033]0;PWN\007 1\n' >header.pam
says 'a header of PAM' 'header.pam: unknown header line "WIDTH\x1b]0;PWN\x07 1"' gf -i header.pam -o o.png
printf 'YUV4MPEG2 W2 H2 F25:1 C\033]0;PWN\007\nFRAME\n' >header.y4m
says 'a header of Y4M' 'header.y4m: color format C\x1b]0;PWN\x07 is not supported; '\
'must be 420, 422, 444, 411 or mono, with 8 to 16 bits' gf -i header.y4m -o o.png
printf '1 2\n\033[2Jx\n' >mask.txt
says 'the text of a mask is escaped' "conv: '\\x1b[2Jx' in the mask is not a number" gf -i in.ppm conv:mask.txt -o o.png
printf '# hi\302\205\342\200\256\nblur:1\n' >chain.txt
gf --help @chain.txt >out
is 'the help of a chain' "$(grep -c '^  # hi\\u0085\\u202e$' out)" 1
is 'the summary of a chain is escaped' "$(grep -c '(a chain of chain.txt): hi\\u0085\\u202e' out)" 1
printf '\302\233J:1\n' >chain.txt
gf -i in.ppm @chain.txt -o o.png 2>errors
is 'an unknown stage' "$(grep -c 'chain.txt:1: .*\\u009bJ' errors) $(wc -l <errors)" '1 1'

# ---- names

# escaped NAME SHOWN WHAT: a missing file, an unknown extension, a plan and a table.
escaped()
{
    says "$3: an error" "$2: No such file or directory" gf -i "$1" -o o.png
    cp in.ppm "$1"
    gf -i "$1" -o "$1.foo" 2>errors
    is "$3: an extension" "$(sed 's/: unknown extension.*//' errors)" "gpufilter: $2.foo"
    gf -v --explain -i "$1" -i in.ppm blur:1 -o folder/ >out 2>errors
    is "$3: a plan" "$(head -n 1 out)" "$2 -> folder/$2"
    rm -f "$1" "$1.foo"
}
escaped "$(printf 'a\033(0b.ppm')" 'a\x1b(0b.ppm' 'a name with a character set'
escaped "$(printf 'a\033]0;t\007b\rc.ppm')" 'a\x1b]0;t\x07b\rc.ppm' 'a name with a title'
escaped "$(printf 'a\302\233b\377.ppm')" 'a\u009bb\xff.ppm' 'a name with C1 and invalid bytes'
escaped "$(printf 'a\342\200\256b\342\201\246\357\273\277.ppm')" 'a\u202eb\u2066\ufeff.ppm' \
    'a name with marks of direction'
escaped "$(printf 'gr\303\274n \346\227\245\346\234\254 \360\237\230\200 \\x.ppm')" \
    "$(printf 'gr\303\274n \346\227\245\346\234\254 \360\237\230\200 \\x.ppm')" 'readable text'
newline="$(printf 'a\nb.ppm')"
says 'a newline in a name' 'a\nb.ppm: No such file or directory' gf -i "$newline" -o o.png
long=$(printf '%0250d' 0 | sed "s/0/$(printf '\342\200\256')/g" | cut -c1-240)
shown=$(printf '%s' "$long" | od -An -v -tx1 | tr -d ' \n' | sed 's/e280ae/\\u202e/g')
says 'a long name' "$shown: No such file or directory" gf -i "$long" -o o.png

# ---- tables: JSON and TSV are what their formats say, a terminal gets escapes

evil=$(printf 'a\033[2J\302\233\342\200\256\177.ppm')
cp in.ppm "$evil"
gf -q -i "$evil" -i in.ppm stats -o out.json
is 'a name with controls in JSON' "$(grep -c '"a\\u001b\[2J\\u009b\\u202e\\u007f.ppm"' out.json)" 1
gf -q -i "$evil" -i in.ppm stats -o out.tsv
is 'TSV has the name' "$(cut -f1 out.tsv | sort -u | grep -cxF "$evil")" 1
gf -i "$evil" histogram:2 -o term: >out
is 'a drawing on a terminal' "$(head -n 1 out)" 'Histogram of a\x1b[2J\u009b\u202e\x7f.ppm'
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    cp in.ppm "$newline"
    EVIL=$evil NEWLINE=$newline script -qec "'$GPUFILTER' -q -i \"\$EVIL\" -i \"\$NEWLINE\" stats" /dev/null \
        </dev/null 2>&1 | tr -d '\r' >out
    is 'a name with controls in a table on a terminal' "$(grep -c '^a\\x1b\[2J\\u009b\\u202e\\x7f.ppm  ' out)" 3
    is 'a table on a terminal has no controls' "$(tr -dc '\000-\011\013-\037\177-\377' <out | wc -c)" 0
    is 'a newline in a cell' "$(grep -c '^"a\\nb.ppm"  ' out) $(wc -l <out)" '3 7'
else
    skip 'script(1) is missing: a table on a terminal'
fi
gf -q --stats -i "$evil" stats -o out.tsv 2>errors
is 'statistics have no controls' "$(tr -d '\n' <errors | tr -dc '\000-\037\177' | wc -c)" 0
finish
