# Lessons on a GPU: every step gives the same result as gpufilter's operation, and speedups are
# compared with textbooks. Times are not
# judged.
. "$(dirname "$0")/../lib.sh"
need_cuda

# The number of series: the copy, plain C on one core and perhaps on all, the steps, and gpufilter's operation, if any.
# Then the number of values of the axis; without one there are four sizes. A step that this GPU lacks has no times.
for lesson in coalesce:8:6 histogram:6 loads:9:7 mask:9:6 reduce:7 scan:9 sort:5 stencil:7 streams:6 texture:8:7 \
    transpose:11 vector:8 warps:13:5; do
    name=${lesson%%:*} numbers=${lesson#*:}
    ways=${numbers%:*} sizes=${numbers#"${numbers%:*}"}
    sizes=${sizes#:}
    gf --bench "$name:64K" --device cuda >table.tsv 2>notes
    is "$name" $? 0
    is "$name: every way, each at all sizes" \
        "$(sed 1d table.tsv | cut -f 1 | uniq -c | ${AWK:-awk} '{ n[$1]++ } END { for (k in n) print n[k], k }')" \
        "$ways ${sizes:-4}"
    is "$name: everything is measured" \
        "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '$3 != "" && !($3 > 0 && $4 > 0)')" ''
    is "$name: every step is right" \
        "$(grep -c "^gpufilter: $name: every step gives the same result as plain C" notes)" 1
    is "$name: speedups are compared" \
        "$(grep -q 'times as fast as .*; textbooks: .*; measured / expected: [0-9.e+-]*' notes && echo yes)" yes
    [ -s table.tsv ] || note <notes
done

gf --bench all:64K --device cuda >all.tsv 2>errors
is 'every operation' "$? $(cat errors)" '0 '
is 'everything is measured' "$(sed 1d all.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $4 > 0 && $5 > 0)')" ''
works '--devices -v' gf --devices -v
is 'every operation has kernels that are told of, but for rows that are copied' \
    "$(grep -E 'not told|no kernels' out | grep -v '^  collect .* no kernels of its own')" ''
is 'as many registers as there can be' \
    "$(${AWK:-awk} '/^  [a-z]+ +[a-z_0-9]+.* % / && ($4 < 1 || $4 > 255 || $3 < 32 || $3 > 1024)' out)" ''
is 'what limits is a part of a multiprocessor' \
    "$(sed -n 's/^  [a-z]* .* %\( *[0-9-]*\)\{6\}  //p' out | tr ' ' '\n' |
    grep -vxE 'registers|shared|memory|warps|blocks|and' |
    sort -u)" ''
finish
