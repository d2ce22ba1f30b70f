# The page "From Python", man/python.md, and the lines of Python in README.md: each block runs by itself, in a folder
# with the samples, and prints what the comments after its print() show. A block that begins with "# needs a GPU" runs
# where there is one.
. "$(dirname "$0")/../lib.sh"
page=$tree/man/python.md
[ -f "$page" ] || skip_all 'there is no man/python.md here'
need_python

# Writes each block to N.py, what it should print to N.txt, and the heading before it to N.name.
mkdir blocks
readme=$tree/README.md
[ -f "$readme" ] || readme=
${AWK:-awk} '
FNR == 1 { heading = FILENAME; sub(/.*\//, "", heading) }
/^## / { heading = substr($0, 4) }
/^```python$/ { file = "blocks/" ++n; print heading >(file ".name"); printf "" >(file ".txt"); next }
/^```/ { file = ""; next }
file == "" { next }
{ print >(file ".py") }
/^ *print\(/ && match($0, /    # .*/) { print substr($0, RSTART + 6) >(file ".txt") }' "$page" ${readme:+"$readme"}

is 'man/python.md has a block for each of fourteen tasks' \
    "$(cat blocks/*.name | sed -n 's/^\([0-9]*\) .*/\1/p' | sort -nu | tr '\n' ' ')" '1 2 3 4 5 6 7 8 9 10 11 12 13 14 '
number=1
while [ -f blocks/$number.py ]; do
    block=$scratch/blocks/$number
    title="block $number, $(cat "$block.name")"
    missing=
    for module in numpy PIL dask torch cupy; do
        ! grep -qE "^(import|from) $module\b" "$block.py" || python3 -c "import $module" 2>/dev/null ||
            missing="$missing $module"
    done
    if grep -q '^# needs a GPU' "$block.py" && ! have_cuda; then
        if [ -n "$GPUFILTER_REQUIRE_CUDA" ] && [ "$GPUFILTER_REQUIRE_CUDA" != 0 ]; then
            fail "$title runs on a GPU: $why_no_cuda"
        else
            skip "$title needs a GPU: $why_no_cuda"
        fi
    elif [ -n "$missing" ]; then
        skip "$title: python3 has no$missing"
    else
        mkdir "$block"
        cp "$GPUFILTER_SAMPLES"/* "$block"
        cd "$block" || exit 99
        works "$title runs" python3 "$block.py"
        [ ! -s "$block.txt" ] || is "$title prints what it shows" "$(cat out)" "$(cat "$block.txt")"
        cd "$scratch" || exit 99
    fi
    number=$((number + 1))
done
finish
