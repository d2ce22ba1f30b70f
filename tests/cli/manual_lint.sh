# The manual pages are correct roff: mandoc and man have nothing to say about them.
. "$(dirname "$0")/../lib.sh"

# print_page PAGE: a page of man/ with the parts that gpufilter lists, as the build does it.
gf --manual listing >listing
print_page()
{
    source=$tree/man/$1.in
    if [ ! -f "$source" ]; then
        cat "$tree/man/$1"
        return
    fi
    VERSION=0 ${AWK:-awk} -f "$tree/man/listing.awk" -f "$tree/man/roff.awk" listing "$source"
}

# man's own output goes to a file, so that only its warnings are left.
man_warnings() { MANPAGER=cat MANWIDTH=80 man --warnings -l "$1" 2>&1 >formatted; }

for page in gpufilter.1 gpufilter.3 gpufilter-stages.7 gpufilter-workflows.7 gpufilter-internals.7 \
    gpufilter-lessons.7; do
    print_page $page >$page
    is "$page is a manual page" "$(grep -c '^\.TH ' $page) $(grep -c '^@[A-Z].*@$' $page)" '1 0'
    [ $page != gpufilter.1 ] || is 'gpufilter.1 has the options' "$(grep -c '\\-\\-input' $page)" 1
    if command -v mandoc >/dev/null; then
        nothing "mandoc -Tlint $page" mandoc -Tlint $page
    else
        skip "mandoc is missing: $page was not checked with it"
    fi
    # A man that knows no --warnings is that of mandoc.
    if command -v man >/dev/null && man --help 2>/dev/null | grep -q -- --warnings; then
        nothing "man --warnings $page" man_warnings $page
        is "$page has text" "$([ "$(wc -l <formatted)" -gt 50 ] && echo yes)" yes
    else
        skip "man --warnings is missing: $page was not checked with it"
    fi
done
finish
