# Checks what README.md shows: outputs of commands, the lists of stages, images and links. Checks the
# commands in man/translations.md, too.
. "$(dirname "$0")/../lib.sh"
readme=$tree/README.md
[ -f "$readme" ] || skip_all 'there is no README.md here'
mkdir bin ours theirs
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH
cp "$GPUFILTER_SAMPLES"/* ours && cp "$GPUFILTER_SAMPLES"/* theirs
gf -q -i ours/cutout.pam -o ours/cutout.png && cp ours/cutout.png theirs

# ---- outputs: after "$ COMMAND", what it prints ----
sed -n '/^```console/,/^```$/p' "$readme" | awk '
    /^```/ { name = ""; next }
    /^\$ / { name = sprintf("shown-%d", ++count); print substr($0, 3) >(name ".sh"); next }
    name { print >(name ".txt") }'
is 'README.md shows outputs' "$([ -f shown-1.sh ] && echo yes)" yes
for script in shown-*.sh; do
    (cd ours && sh "../$script") >printed.txt 2>&1 </dev/null
    if cmp -s printed.txt "${script%.sh}.txt"; then
        pass "README.md prints what is shown: $(cat "$script")"
    else
        fail "README.md prints what is shown: $(cat "$script")"
        diff "${script%.sh}.txt" printed.txt | note
    fi
done

# ---- stages: those that the section names exist ----
sed -n '/^## Stages/,/^## Formats/p' "$readme" | grep -o '`[a-z0-9]*`' | tr -d '`' | grep -vx gpufilter |
    sort -u >shown.txt
gf --list | sed -n 's/^  \([a-z][a-z0-9]*\) .*/\1/p' | sort -u >listed.txt
nothing 'each stage that the README names exists' comm -23 shown.txt listed.txt
is 'README.md names more than 30 stages' "$(awk 'END { print (NR > 30) }' shown.txt)" 1

# ---- images and links ----
for page in README.md HACKING.md NEWS.md man/adding-a-stage.md man/adding-an-operation.md man/adding-a-format.md \
    man/python.md man/times.md man/translations.md; do
    folder=$tree/$(dirname $page)
    grep -oE 'src="[^"]*"|\]\([^) ]+\)' "$tree/$page" | sed 's/^src="//; s/"$//; s/^](//; s/)$//' | sort -u >links.txt
    sed -n 's/^##* //p' "$tree/$page" | tr 'A-Z ' 'a-z-' | tr -d '.,:…?' | sed 's/^/#/' >anchors.txt
    missing=$(while read -r link; do
        case $link in
        '#'*) grep -qxF -- "$link" anchors.txt || echo "$link" ;;
        http*) ;;
        *) [ -f "$folder/${link%%#*}" ] || echo "$link" ;;
        esac
    done <links.txt)
    is "images and links of $page lead somewhere" "$missing" ''
done
total=$(for image in $(grep -o 'src="[^"]*"' "$readme" | cut -d '"' -f 2 | sort -u); do wc -c <"$tree/$image"; done |
    awk '$1 > 150000 { large = 1 } { sum += $1 } END { print (large || sum > 600000 ? sum : "small") }')
is 'images are small: 150 kB each, 600 kB in all' "$total" small

# ---- the translation table ----
sed -n '/^<!-- translations -->/,/^<!-- translations: end/p' "$tree/man/translations.md" |
    sed -n 's/^| `\(.*\)` | `\(.*\)` | \(.*\) |$/\1	\2	\3/p' >rows.txt
is 'the translation table has 41 rows' "$(wc -l <rows.txt | tr -d ' ')" 41
is 'the translation table has ten rows or more for each of four programs' \
    "$(cut -d ' ' -f 1 rows.txt | sort | uniq -c | awk '{ print $2, $1 }' | tr '\n' ' ')" \
    'convert 11 ffmpeg 10 sox 10 vips 10 '
while IFS='	' read -r their_command our_command largest; do
    output=${our_command##* }
    rm -f ours/out.* theirs/out.*
    is "the advice for $their_command is $our_command" \
        "$(cd ours && sh -c "gpufilter $their_command" 2>&1 </dev/null | sed 's/.*; write: //')" "$our_command"
    runs="the advice for $their_command runs"
    if ! (cd ours && sh -c "$our_command") >out 2>errors </dev/null; then
        fail "$runs"
        note <errors
        continue
    fi
    pass "$runs"
    program=${their_command%% *}
    case $program in
    convert) have_convert || { program=magick their_command="magick ${their_command#convert }"; } ;;
    esac
    if ! command -v $program >/dev/null; then
        skip "$program is not installed: not compared: $our_command"
    elif ! (cd theirs && sh -c "$their_command") >out 2>errors </dev/null; then
        fail "$largest: $their_command"
        note <errors
    elif has_agreement "$output" "$largest"; then
        pass "$largest: $their_command"
    else
        fail "$largest: $their_command"
        note <measured.txt
    fi
done <rows.txt
finish
