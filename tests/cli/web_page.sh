# The web page, as make html builds it: every link leads somewhere, every image and sound is there,
# and nothing comes from another host.
. "$(dirname "$0")/../lib.sh"
manuals=$(ls "$(dirname "$GPUFILTER")"/man/*.[137] 2>/dev/null)
if ! command -v mandoc >/dev/null; then
    skip 'no mandoc here, which makes HTML of the manual pages'
    finish
elif [ ! -f "$tree/man/web/make-site" ] || [ -z "$manuals" ]; then
    skip 'no source or no manual pages here'
    finish
fi
works 'the page is made' sh "$tree/man/web/make-site" site $manuals
cd site || exit 99
is 'the page has all manuals' "$(echo *.html)" \
    "$(cd .. && for page in gallery $(for m in $manuals; do basename "$m"; done) index python stages; do
    echo "$page.html"; done | sort | tr '\n' ' ' | sed 's/ $//')"

# Addresses with the page that has them; those without a page lead to a place in the same one.
for page in *.html; do
    grep -o '\(href\|src\)="[^"]*"' "$page" | sed "s/^[a-z]*=\"//; s/\"\$//; s|^#|$page#|; s|^|$page |"
done | sort -u >../links
grep -o 'u:"[^"]*"' index.js | sed 's/u:"//; s/"$//; s/^/index.js /' >>../links
is 'the page has more than 500 links' "$(awk 'END { print (NR > 500) }' ../links)" 1
nothing 'no link of the page leads elsewhere' sh -c "grep -E ' [a-z]+:' ../links | grep -v ' data:,\$'"
for page in *.html; do
    grep -o ' id="[^"]*"' "$page" | sed "s/ id=\"//; s/\"\$//; s|^|$page#|"
done | sort >../places
nothing 'no place of the page has two owners' uniq -d ../places
nothing 'every link of the page has its place' \
    sh -c "sed 's/^[^ ]* //' ../links | grep '#' | sort -u | comm -23 - ../places"
nothing 'every file that a page names is there' \
    sh -c 'sed "s/^[^ ]* //; s/#.*//" ../links | grep -v "^data:" | sort -u | while read -r file; do
    [ -s "$file" ] || echo "$file"; done'
nothing 'every file of the page is used' \
    sh -c 'ls pictures/* | while read -r file; do grep -q " $file\$" ../links || echo "$file"; done'
is 'images are PNG, sounds are FLAC' "$(for file in pictures/*; do
    case $file:$(head -c 4 "$file" | tr -d '\211') in *.png:PNG | *.flac:fLaC) ;; *) echo "$file" ;; esac; done)" ''
lessons=$("$GPUFILTER"-bench --list | sed -n '/^Lessons/,/^$/s/^  \([a-z]*\).*/\1/p')
is 'From Python has its fourteen tasks' "$(grep -c '<h2 id="[0-9]' python.html)" 14
nothing 'From Python has nothing left of Markdown' grep -nE '\]\(|`|^[-#|] ' python.html
is 'the lessons are all there' "$(for lesson in $lessons; do
    grep -q "<h2 class=\"Ss\" id=\"$lesson:_" gpufilter-lessons.7.html || echo "$lesson"; done)" ''
is 'the roofline of the lessons has a dot for each operation' "$(grep -c '<circle' gpufilter-lessons.7.html)" \
    "$(grep -vc '^#' "$tree/man/web/roofline.tsv")"
is 'one h1 a page outside the manuals' \
    "$(for page in index gallery python stages; do grep -c '<h1' $page.html; done | sort -u)" 1
if command -v python3 >/dev/null; then
    works 'elements are closed' python3 - *.html <<'END'
import sys
from html.parser import HTMLParser
VOID = {'meta', 'link', 'img', 'input', 'br', 'hr', 'col'}
class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
    def handle_endtag(self, tag):
        if tag in VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in ('p', 'li', 'dt', 'dd'):
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            sys.exit('%s: </%s> at %s' % (page, tag, self.getpos()))
for page in sys.argv[1:]:
    checker = Checker()
    checker.feed(open(page, encoding='utf-8').read())
    if checker.open:
        sys.exit('%s: open: %s' % (page, checker.open))
END
    works 'the index is JSON once names are quoted' python3 - index.js <<'END'
import json, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
rows = [line.rstrip(',') for line in text.splitlines() if line.startswith('{')]
for row in rows:
    json.loads(re.sub(r'(^\{|",)([tpux]):"', r'\1"\2":"', row))
assert len(rows) > 300
END
else
    skip 'no python3 here to parse the pages'
fi
finish
