# gpufilter-stages(7): all stages by group with one line each, then their details; formulas line by
# line; no complaints of mandoc and man.
. "$(dirname "$0")/../lib.sh"
cp "$(dirname "$GPUFILTER")/man/gpufilter-stages.7" stages.7
gf --manual listing >listing.txt
gf --list >list.txt
sed -n 's/^  \([a-z0-9][a-z0-9]*\) .*/\1/p' list.txt | sort >listed.txt
sed -n '/^\.SH STAGES FOR IMAGES/,/^\.SH "IMAGES:/p' stages.7 | sed -n 's/^\.B "\(.*\)"$/\1/p' | sort >overview.txt
same listed.txt overview.txt 'the overview has every stage of --list'
sed -n '/^\.SH "IMAGES:/,/^\.SH DIFFERENCES/p' stages.7 | sed -n 's/^\.SS "\([a-z0-9]*\).*/\1/p' | sort >details.txt
same listed.txt details.txt 'the details have every stage of --list'
sed -n 's/^\.SH "[A-Z]*: \(.*\)"$/\1/p' stages.7 >headings.txt
sed -n '/^\.SH STAGES/,/^\.SH "IMAGES:/p' stages.7 | sed -n 's/^\.SS "\(.*\)"$/\1/p' |
    tr '[:lower:]' '[:upper:]' >groups.txt
same groups.txt headings.txt 'the details are in the groups of the overview'
sed -n 's/^ \([A-Z].*\):$/\1/p' list.txt | tr '[:lower:]' '[:upper:]' >listed_groups.txt
same groups.txt listed_groups.txt '--list has the groups of the overview'
if [ -d "$tree/filters" ]; then
    is 'every descriptor names its group' "$(cat "$tree"/filters/*.c | grep -c '^const struct gf_stage ')" \
        "$(cat "$tree"/filters/*.c | grep -c '^    \.group = GF_GROUP_')"
fi

is '--help shows a formula line by line' "$(gf --help threshold | grep -B 1 -A 1 'w0·w1' | tr '\n' '|')" \
    '|    w0·w1·(m0 - m1)²||'
is 'the manual shows a formula line by line' "$(grep -A 1 '^\.nf' stages.7 | grep -c '^w0\\\[u00B7\]w1')" 1
if [ -f "$tree/man/web/stages.awk" ]; then
    is 'the page shows a formula line by line' \
        "$(${AWK:-awk} -f "$tree/man/listing.awk" -f "$tree/man/web/html.awk" \
            -f "$tree/man/web/stages.awk" listing.txt \
        "$tree/man/web/stages.html" | grep -c '<pre>    w0·w1·(m0 - m1)²</pre>')" 1
else
    skip 'no source here'
fi
for stage in $(sort -u listed.txt); do
    gf --help "$stage"
done >help.txt
nothing 'no line of help is longer than 79 columns, except examples and ranges' \
    sh -c 'grep -v "^  gpufilter \|^  cat \|^      takes " help.txt |
           LC_ALL=C.UTF-8 ${AWK:-awk} "{ gsub(/[\200-\277]/, \"\") } length > 79"'

if command -v mandoc >/dev/null; then
    nothing 'mandoc -Tlint misses only the date' sh -c 'mandoc -Tlint stages.7 2>&1 | grep -v "missing date"'
else
    skip 'no mandoc here'
fi
if command -v man >/dev/null && man --version 2>/dev/null | grep -q man; then
    nothing 'man has no warnings for the manual of stages' \
        sh -c 'LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l stages.7 2>&1 >/dev/null'
else
    skip 'no man here'
fi
finish
