# The HTML manual: every stage has examples and a picture, and each picture shows a change.
. "$(dirname "$0")/../lib.sh"
cp "$GPUFILTER_SAMPLES"/* . 2>/dev/null
[ -f "$tree/man/web/stages.awk" ] || skip_all 'no source here'
gf --manual listing >listing.txt
awk -F '\t' '$1 == "stage" && $8 != "" { print $2 ($3 == "audio" ? "-sound" : ""), $8 }' listing.txt >pictures.txt
${AWK:-awk} -f "$tree/man/listing.awk" -f "$tree/man/web/html.awk" -f "$tree/man/web/stages.awk" listing.txt \
    "$tree/man/web/stages.html" >page.html
gf --list >list.txt

# A tee does not change the signal, tile and split make several files, and others make one image of several, which no
# montage can draw.
without='tee tee-sound tile split-sound append untile stack'

sed -n '/^Stages for images/,/^$/s/^  \([a-z0-9][a-z0-9]*\) .*/\1/p' list.txt >stages.txt
is '--list has more than 20 stages for images' "$(awk 'END { print (NR > 20) }' stages.txt)" 1
sed -n '/^Stages for audio/,/^$/s/^  \([a-z0-9][a-z0-9]*\) .*/\1-sound/p' list.txt >>stages.txt
while read -r stage; do
    case " $without " in
    *" $stage "*) continue ;;
    esac
    if grep -q "^$stage .*[ '\"]${stage%-sound}" pictures.txt; then
        pass "$stage has a picture"
    else
        fail "$stage has a picture"
        echo 'that it makes: .picture of its descriptor, see src/chain/stage.h' | note
    fi
done <stages.txt

for kind in images audio; do
    sed -n "/^Stages for $kind/,/^\$/s/^  \([a-z0-9][a-z0-9]*\) .*/\1/p" list.txt
done | sort -u >all.txt
gf --manual examples >examples.txt
missing_examples()
{
    while read -r stage; do
        grep -qE "[ '\"]$stage([ :'\"]|\$)" examples.txt || echo "$stage"
    done <all.txt
}
nothing 'every stage is in an example' missing_examples

# Audio and video are drawn the same way before and after the stages, so each drawing of a sample has one set
# of options.
sed -n 's/^[^ ]* \([^ ]*\) .* | \(.*\)/\1 \2/p' pictures.txt | sort -u >views.txt
nothing 'each sample has one view of a name' sh -c 'sed "s/:[^ ]*\$//; s/ .* / /" views.txt | sort | uniq -d'

# The result must be a PNG that differs from the sample.
while read -r id sample stages <&3; do
    case $sample:$stages in
    *' | '*)
        view=${stages##* | }
        if eval "gf -i $sample ${stages% | *} $view -o $id.png && gf -i $sample $view -o before.png" >out 2>errors &&
            [ "$(head -c 4 "$id.png" | tail -c 3)" = PNG ] && ! cmp -s before.png "$id.png"; then
            pass "$id: $stages"
        else
            fail "$id: $stages"
            { echo 'it changes nothing, or fails'; cat errors; } | note
        fi
        continue ;;
    *.wav:*)                             # a drawing of unchanged audio
        if eval "gf -i $sample $stages -o $id.png" >out 2>errors && [ "$(head -c 4 "$id.png" | tail -c 3)" = PNG ]; then
            pass "$id: $stages"
        else
            fail "$id: $stages"
            { echo 'this is no PNG'; cat errors; } | note
        fi
        continue ;;
    esac
    if eval "gf -i $sample $stages -o $id.png" >out 2>errors && gf -i "$sample" -o before.pam 2>>errors &&
        gf -i "$id.png" -o after.pam 2>>errors && ! cmp -s before.pam after.pam; then
        pass "$id: $stages"
    else
        fail "$id: $stages"
        { echo 'it changes nothing, or fails'; cat errors; } | note
    fi
done 3<pictures.txt

# The page shows these pictures and no others, and every link has a target.
sed -n 's/.*src="pictures\/\([^"]*\)\.png" alt="after".*/\1/p' page.html | sort >shown.txt
cut -d ' ' -f 1 pictures.txt | sort >made.txt
same shown.txt made.txt 'the page shows all pictures'
sed -n 's/^<a href="#\([^"]*\)">.*/\1/p' page.html | sort >links.txt
sed -n 's/^<h3 id="\([^"]*\)".*/\1/p' page.html | sort >places.txt
same links.txt places.txt 'every link has a place'
is 'the page has as many stages as the list' "$(awk 'END { print NR }' places.txt)" "$(grep -c '^  [a-z]' list.txt)"
is 'markup in texts is escaped' "$(sed 's/<[a-zA-Z!\/][^<>]*>//g' page.html | sed '1,/^<\/style>/d' | grep -n '[<>]')" \
    ''
finish
