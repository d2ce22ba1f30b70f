# Formats match their descriptors: names are unique, and formats that are read and written are
# recognized by content.
. "$(dirname "$0")/../lib.sh"
image in.pgm 9 7 1 255 1
image in.pam 9 7 4 255 2
sound in.wav 4000 1 3
gf --manual formats >table
gf --list >list

# Prints rows of the table: "title|name, extension|read|written".
awk -F '\t' '/T\{$/ && NF == 2 { title = $1; getline names }
              /^T\}\t/ && NF == 4 { print title "|" names "|" $2 "|" $3 }' table >rows
is 'there are formats' "$([ "$(wc -l <rows)" -gt 30 ] && echo yes)" yes
is 'no two have a name in common' "$(cut -d '|' -f 2 rows | sed 's/, /\n/g' | sort | uniq -d)" ''
for what in Reads:3 Writes:4; do
    cut -d '|' -f 2,"${what#*:}" rows | grep -v '\\-$' | sed 's/|.*//; s/:$//; s/, /\n/g' | sort >wanted
    sed -n "/^${what%:*}:/,/^[A-Z]/p" list | grep -v "^[A-Z].*:.*" >more
    { grep "^${what%:*}:" list | sed 's/^[A-Za-z]*: *//'; cat more; } | tr -s ' ' '\n' | grep . | sort >found
    same found wanted "--list ${what%:*} what the table says"
done
gf --completion bash >words
for what in from to; do
    kind=Reads
    [ $what = from ] || kind=Writes
    is "completions of --$what are those of --list" "$(sed -n "s/^ *--$what[^)]*) values='\(.*\) ' ;;/\1/p" words)" \
        "$(sed -n "/^$kind:/,/^Writes:.*/p" list | sed "1s/^[A-Za-z]*: *//; /^Writes:/d" | tr -s ' \n' '  ' \
        | sed 's/^ *//; s/ $//')"
done

# Each image or audio format that is written and read must be recognized by its content, under any
# file name.
while IFS='|' read -r title names read written; do
    word=${names%%,*}
    case $read$written$word in *\\-* | *:) continue ;; esac
    rm -f x.* unknown
    for input in in.pgm in.pam in.wav; do
        gf -q -i $input -o "x.$word" 2>/dev/null && break
    done
    works "$title is written" gf -q -i $input -o "x.$word"
    cp "x.$word" unknown
    works "$title is known by its content" gf -q -i unknown --explain
    works "$title agrees with --from $word" gf -q --from "$word" -i unknown --explain
    for other in png flac; do
        [ "$word" != $other ] || continue
        cp "x.$word" "x.$other"
        works "$title is not taken for its name, .$other" gf -q -i "x.$other" --explain
    done
done <rows
finish
