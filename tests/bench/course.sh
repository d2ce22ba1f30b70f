# The page of all lessons, as HTML, text and JSON, and the roofline. Times are not judged.
. "$(dirname "$0")/../lib.sh"
bench=$(dirname "$GPUFILTER")/gpufilter-bench

# ---- HTML ----

works 'lessons as a page' "$bench" lessons:1K --device cpu -j 1 -o course.html
is 'lessons as a page are HTML' "$(head -n 1 course.html)" '<!DOCTYPE html>'
if command -v python3 >/dev/null; then
    is 'lessons as a page are well-formed' "$(python3 -c 'import xml.etree.ElementTree as tree
page = tree.parse("course.html").getroot()
name = lambda e: e.tag.split("}")[1]
links = [e.get("href")[1:] for e in page.iter() if name(e) == "a"]
heads = [e.get("id") for e in page.iter() if name(e) == "h2"]
svgs = sum(name(e) == "svg" for e in page.iter())
tables = sum(name(e) == "table" for e in page.iter())
print(links == heads, heads[-1], svgs == tables, svgs > 3)' 2>&1)" 'True roofline True True'
else
    skip 'no python3 here'
fi
is 'lessons as a page need no other file and no script' \
    "$(sed 's|xmlns="http://www.w3.org/[a-z0-9/]*"||' course.html | grep -cE '<script|<link|src=|url\(|https?:')" 0
for lesson in $("$bench" --list | sed -n '/^Lessons/,/^$/s/^  \([a-z0-9_-]*\) .*/\1/p'); do
    is "$lesson is on it" "$(grep -c "<h2 id=\"$lesson\">" course.html)" 1
done
is 'lessons as a page say where they were measured' \
    "$(grep -c 'Measured on 1 CPU thread, by gpufilter-bench' course.html)" 1
for colour in text.fill path.stroke; do
    rule=$(grep -o "svg ${colour%.*}\[${colour#*.}=\"#[0-9a-f]*\"\]" course.html | head -n 1)
    rgb=$(echo "$rule" | grep -o '#[0-9a-f]*')
    is "dark screens get another color for ${colour%.*} of drawings" \
        "$([ "$(grep -c "<${colour%.*} .*${colour#*.}=\"$rgb\"" course.html)" -gt 0 ] && echo drawn)" drawn
done
is 'all marks of the page are filled in' "$(grep -c '@[A-Z]*@' course.html)" 0
works 'one lesson as a page' "$bench" reduce:1K --device cpu -j 1 -q -o reduce.html
is 'one lesson as a page has one section' \
    "$(grep -c '<h2 id=' reduce.html) $(grep -c '<h2 id="reduce"' reduce.html)" '1 1'
is 'one lesson as a page has its title, and words are explained' \
    "$(grep -c '<h1>reduce</h1>' reduce.html) $(grep -c '<dt>kernel</dt>' reduce.html)" '1 1'
works 'an operation as a page, on standard output' "$bench" conv:1K --device cpu -j 1 --to html
is 'the page is there' "$(grep -c '<h2 id="conv"' out) $(grep -c '<dt>kernel</dt>' out)" '1 0'
works 'the roofline as a page' "$bench" roofline:4K --device cpu -j 1 -o roofline.html
is 'the roofline as a page has its drawing' "$(grep -c '>arithmetic: .* GFLOP/s</text>' roofline.html)" 1

# ---- outputs ----

echo old >old.html
refuses 1 'old.html: already exists, and --no-clobber is given' 'a page that exists' \
    "$bench" lessons:1K --device cpu -n -o old.html
is 'a page that exists is not replaced with -n' "$(cat old.html)" old
refuses 1 'file/course.html: Not a directory' 'a page that cannot be written' \
    sh -c 'echo >file; exec "$0" lessons:1K --device cpu -o file/course.html' "$bench"
refuses 2 'o.svg: several lessons are written as .html, .json or .txt; measure one lesson' 'a drawing of several' \
    "$bench" lessons:1K --device cpu -o o.svg
refuses 2 'several lessons are written as' 'TSV of several' "$bench" lessons:1K --device cpu -t tsv
refuses 2 'lessons:12: the size must be 1K samples or more' 'lessons of too few samples' "$bench" lessons:12
"$bench" lessons --device cpu -j 1 -o killed.html &
pid=$!
sleep 0.3
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
is 'a page that is not complete is absent' "$(ls | grep -c killed)" 0

# ---- text and JSON ----

works 'text on standard output' "$bench" lessons:1K --device cpu -j 1
is 'lessons as text have a heading each' \
    "$(for name in $("$bench" --list | sed -n '/^Lessons/,/^$/s/^  \([a-z0-9_-]*\) .*/\1/p') roofline; do
        grep -q "^$name: " out || echo "$name"
    done)" ''
is 'tables and notes' \
    "$(grep -c '^way  ' out | ${AWK:-awk} '{ print ($1 > 2) }') $(grep -c '^- Memory: a copy' out)" '1 1'
is 'lines are short' "$(grep '^[- ] ' out | ${AWK:-awk} 'length > 100' | wc -l | tr -d ' ')" 0
works 'lessons as JSON' "$bench" lessons:1K --device cpu -j 1 -o course.json
if command -v python3 >/dev/null; then
    is 'lessons as JSON are a list' "$(python3 -c 'import json
page = json.load(open("course.json"))
print(all("of" in t for t in page), page[-1]["of"], page[-1]["notes"][0][:7])' 2>&1)" \
        'True roofline of 1 CPU thread Memory:'
else
    skip 'no python3 here'
fi

# ---- the roofline ----

works 'the roofline as TSV' "$bench" roofline:4K --device cpu -j 1 -q -o roofline.tsv
is 'the roofline as TSV has its columns' "$(head -n 1 roofline.tsv)" \
    "$(printf 'operation\tFLOP/sample\tFLOP/byte\tGFLOP/s\troof GFLOP/s\tof_roof')"
is 'shares fit rates' "$(sed 1d roofline.tsv |
    ${AWK:-awk} -F '\t' '{ d = $6 * $5 / $4 } d < .999 || d > 1.001 || !($4 > 0)')" ''
is 'the roofline as TSV has the counts of cases' \
    "$(${AWK:-awk} -F '\t' '$1 ~ /^(point: half|stencil: stencil|conv: blur 5x5)$/ { print $1, $2, $3 }' \
    roofline.tsv | sort | tr '\n' ';')" 'conv: blur 5x5 20 2.5;point: half 2 0.25;stencil: stencil 34 4.25;'
if [ -f "$tree/man/web/roofline.awk" ]; then
    rows() { ${AWK:-awk} -v form=table -f "$tree/man/web/roofline.awk" "$1" "$tree/tests/bench/RESULTS.md"; }
    rows "$tree/man/web/roofline.tsv" >rows.txt
    nothing "the manual's roofline has the figures of RESULTS.md" \
        sh -c 'grep -vxFf "$1" rows.txt || [ -s rows.txt ] || echo none' sh "$tree/man/gpufilter-lessons.7.in"
    nothing "the manual's roofline has as many FLOP as cases count" sh -c '"$1" roofline:1M --device cpu -q -o flop.tsv
        grep -v "^#" "$2" | while IFS="$(printf "\t")" read -r name case samples group flop; do
            awk -F "\t" -v "wanted=$group: $case" -v "flop=$flop" \
                "\$1 == wanted && (\$2 - flop) ^ 2 < 1e-6 { ok = 1 } END { exit !ok }" flop.tsv || echo "$name $flop"
        done' sh "$bench" "$tree/man/web/roofline.tsv"
    sed 's/mask 5x5\tplane/mask 5x5\tu16/' "$tree/man/web/roofline.tsv" >wrong.tsv
    rows wrong.tsv >wrong.txt 2>errors
    is 'a roofline without its figure is an error' "$? $(wc -l <wrong.txt | tr -d ' ') $(cat errors)" \
        '1 0 roofline.awk: RESULTS.md has no row for mask 5x5'
fi
for kind in svg png csv json; do
    works "the roofline as $kind" "$bench" roofline:4K --device cpu -j 1 -q -o roofline.$kind
done
works "the roofline as $kind has a size" gf -i roofline.png stats -o o.tsv
if have_cuda; then
    works '--kernels draws the roofline' "$bench" --kernels --device cuda:0 -o kernels.svg
    is 'kernels come after the ceilings' "$(grep -nE '^  (ceilings|operation +kernel)' out | cut -d : -f 2 |
        ${AWK:-awk} '{ print $1 }' | tr '\n' ' ')" 'ceilings operation '
    is '--kernels shows no operation far above the roof' "$(sed -n '/of roof/,/multiprocessor/p' out |
        sed -n 's/.* \([0-9]*\) % .*/\1/p' | ${AWK:-awk} '$1 > 130')" ''
else
    works '--kernels draws the roofline of the CPU' "$bench" --kernels -o kernels.svg
    is '--kernels prints the ceilings of the CPU' "$(grep -c '^  ceilings: memory .* GB/s .* GFLOP/s' out)" 1
    works '--devices -v draws the roofline of the CPU' gf --devices -v -j 1 --memory 64M -o devices.svg
    is '--devices -v with --jobs' "$(grep '^cpu .* roofline' out)" 'cpu     the roofline of 1 thread'
    is '--devices -v makes the drawing of the roofline' "$(grep -c '>arithmetic: ' devices.svg)" 1
    refuses 1 'n.svg: not written, because there is no such GPU' 'a GPU that is missing' \
        "$bench" --kernels --device cuda:0 -o n.svg
fi
is 'a drawing has the operations' "$(grep -c '<title>conv: blur 5x5</title>' kernels.svg)" 1
finish
