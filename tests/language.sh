# Language: phrases that readers have to decode, comments that are fragments, lines that are too long.
. "$(dirname "$0")/lib.sh"
source=$tree
if [ ! -f "$source/src/main.c" ]; then
    skip 'no source here'
    finish
fi
cd "$source" || exit 99

generated='^src/(registry|bench/groups)\.c$'
sources=$(find src filters kernels -name '*.c' -o -name '*.cu' -o -name '*.cuh' | grep -vxE "$generated" | sort)
code=$(find src filters kernels tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | grep -vxE "$generated" | sort)
scripts=$(find tests samples .ci bootstrap quickstart src -name '*.sh' -o -name '*.awk' -o -name 'make-*' -o -path \
    bootstrap -o -path quickstart | sort)
pages="README.md NEWS.md HACKING.md $(find man -name '*.in' -o -name '*.md' | sort)"
awk -f src/messages.awk $sources >"$scratch/messages"

# Phrases on the left have a plainer form: if, except, after, reports, result, recently, arguments.
phrases='\b(is|are|be|been) told\b|\btell(s|ing)? (of|that|where)\b|\bbut for\b|\bbehind\b'
phrases="$phrases|\\bwhat (comes|came|becomes|became) of\\b"
phrases="$phrases|\\bin a row\\b|\\blately\\b|\\bmeans nothing to\\b|\\bno ending\\b|\\bnone does\\b"

is 'the list of messages has some' "$([ "$(wc -l <"$scratch/messages")" -gt 1500 ] && echo yes)" yes
nothing 'messages avoid phrases that have to be decoded' grep -nE "$phrases" "$scratch/messages"
nothing 'pages avoid phrases that have to be decoded' grep -nE "$phrases" $pages
nothing 'comments avoid phrases that have to be decoded' \
    sh -c 'phrases=$1; shift; grep -nE "^ *(/?\*|//).*($phrases)" "$@"' - "$phrases" $code
nothing 'comments in scripts avoid phrases that have to be decoded' \
    sh -c 'phrases=$1; shift; grep -nE "^ *#.*($phrases)" "$@"' - "$phrases" $scripts
nothing 'comments are sentences with a subject' \
    grep -nE '(/\*|//) (Of|What|Whether|Where|The same|And|But|Nor)\b' $code
nothing 'comments that begin on their second line are sentences with a subject' awk '
    opens && /^ *\* (Of|What|Whether|Where|The same|And|But|Nor) / { print FILENAME ":" FNR ":" $0 }
    { opens = /^ *\/\*$/ }' $code
nothing 'comments in scripts are sentences with a subject' grep -nE \
    '^ *# (Of|What|Whether|Where|The same|And|But|Nor) ' $scripts
# Names in double quotes have variables and are not checked. tests/only.sh writes tests with short names.
cat >"$scratch/names.awk" <<'END'
function check(name) {
    if (name !~ /\$/ && split(name, words, " ") < 3)
        print FILENAME ":" FNR ": " name
}
/^ *(is|works|nothing|pass|fail) '[^']*'/ { split($0, part, "'"); check(part[2]) }
/^ *same [^' ]+ [^' ]+ '[^']*'/ { split($0, part, "'"); check(part[2]) }
sub(/^ *refuses [0-9] ('[^']*'|"[^"]*") '/, "") { split($0, part, "'"); check(part[1]) }
END
nothing 'names of cases have three words or more' awk -f "$scratch/names.awk" \
    $(echo "$scripts" | grep -vx tests/only.sh)
printf "is 'the same' 1 1\nrefuses 2 'no ' 'in 4 MB' gf\nrefuses 2 'no' 'too long' gf\nsame a b 'from disk'\n" \
    >"$scratch/short.sh"
is 'names of two words would be found' "$(awk -f "$scratch/names.awk" "$scratch/short.sh" | wc -l | tr -d ' ')" 3
nothing 'no line of code over 120 columns' awk 'length($0) > 120 { print FILENAME ":" FNR ": " length($0) }' $code \
    $scripts
# Y4M has no audio. A command that encodes it takes the audio from the video, or the same or a neighboring
# line says that there is none. src/io/video_recipes.h has the commands of messages.
cat >"$scratch/recipes.awk" <<'END'
function check() {
    if (line[1] ~ /(^|[^a-z])ffmpeg( -[a-z]+( (error|[0-9]+))?)*( \\")? -i - / && line[1] !~ /-f wav -i - / &&
        line[0] line[1] line[2] !~ /-map |no audio|out\.gif|only frames/)
        print where[1] ": " line[1]
}
function shift_lines(text) {
    line[0] = line[1]; line[1] = line[2]; line[2] = text
    where[1] = where[2]; where[2] = FILENAME ":" FNR
    check()
}
FNR == 1 { shift_lines(""); shift_lines("") }
{ gsub(/\\-/, "-"); gsub(/\\f./, ""); shift_lines($0) }
END { shift_lines(""); shift_lines("") }
END
nothing 'no command for video loses its audio' awk -f "$scratch/recipes.awk" $sources src/io/*.h $pages man/web/*.html
printf 'ffmpeg -i in.mp4 -f yuv4mpegpipe - | gpufilter blur | ffmpeg -y -i - out.mp4\n' >"$scratch/loses.txt"
is 'a command for video that loses its audio would be found' \
    "$(awk -f "$scratch/recipes.awk" "$scratch/loses.txt" | wc -l | tr -d ' ')" 1
finish
