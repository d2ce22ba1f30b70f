# Repeats the corpora of the fuzz targets: none may crash or take long.
. "$(dirname "$0")/../lib.sh"
replay=$(dirname "$GPUFILTER")/tests/fuzz/replay
most=10                                          # seconds for one input; also the limit of run.sh
[ -x "$replay" ] || { fail 'tests/fuzz/replay has not been made: make check TESTS= makes it'; finish; }

sh "$here/unpack.sh" corpus || { fail 'the corpora are unpacked'; finish; }
for corpus in corpus/*; do
    target=${corpus##*/}
    if ! "$replay" "$target" "$corpus" >out 2>errors; then
        fail "$target: no input crashes"
        tail -n 30 errors | note
    else
        pass "$target: no input crashes"
    fi
    is "$target: each takes less than $most seconds" \
        "$(awk -v most=$most '{ print $(NF - 1) < most ? "yes" : $0 }' out)" yes
done
is 'every target has a corpus' "$("$replay" 2>&1 | sed 's/.*the targets are //' | tr ' ' '\n' | sort | xargs)" \
    "$(ls corpus | sort | xargs)"
finish
