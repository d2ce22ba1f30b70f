# Lessons on a GPU: every step gives the same result as gpufilter's operation, and speedups are
# compared with textbooks. Times are not
# judged.
. "$(dirname "$0")/../lib.sh"
need_cuda

# The number of series: the copy, plain C on one core and perhaps on all, the steps, and gpufilter's operation, if any.
# Then the number of values of the axis; without one there are four sizes.
for lesson in coalesce:8:6 histogram:6 loads:9:7 mask:9:6 reduce:7 scan:6 stencil:6 streams:6 texture:8:5 transpose:11 \
for lesson in coalesce:8:6 histogram:6 loads:9:7 mask:9:6 reduce:7 scan:6 stencil:6 streams:7 texture:8:7 transpose:11 \
    vector:8; do
for lesson in atomics:5:9 coalesce:8:6 divergence:6:5 histogram:6 loads:9:7 mask:9:6 matmul:12:3 occupancy:9:6 reduce:7 \
    scan:6 stencil:6 streams:6 texture:8:7 transpose:11 vector:8; do
# Then the number of values of the axis; without one there are four sizes. A step that this GPU lacks has no times.
for lesson in coalesce:8:6 histogram:6 loads:9:7 mask:9:6 reduce:7 scan:9 sort:5 stencil:6 streams:6 texture:8:7 \
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
        "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $4 > 0 && ($5 == "" || $5 > 0) && $6 > 0)')" ''
        "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $4 > 0 && ($5 > 0 || $5 == "") && $6 > 0) &&
            !($3 == "" && $1 ~ /^(counters in shared memory|64 loads at a time|tensor cores|cuBLAS)/)')" ''
        "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '$3 != "" && !($3 > 0 && $4 > 0)')" ''
    is "$name: every step is right" \
        "$(grep -c "^gpufilter: $name: every step gives the same result as plain C" notes)" 1
    is "$name: speedups are compared" \
        "$(grep -q 'times as fast as .*; textbooks: .*; measured / expected: [0-9.e+-]*' notes && echo yes)" yes
    [ -s table.tsv ] || note <notes
done

# Lessons with a unit or an axis of their own, as NAME:SERIES:VALUES. A step that this GPU lacks has no times.
for lesson in errors:7:6 interop:6:4 launch:10:7 managed:6:4 memory:11:4; do
    name=${lesson%%:*} ways=${lesson#*:}
    gf --bench "$name:64K" --device cuda >table.tsv 2>notes
    is "$name" $? 0
    is "$name: every way at every value" \
        "$(sed 1d table.tsv | cut -f 1 | uniq -c | ${AWK:-awk} '{ n[$1]++ } END { for (k in n) print n[k] ":" k }')" \
        "$ways"
    is "$name: times are positive" "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '$3 != "" && !($3 > 0 && $4 > 0)')" ''
    is "$name: every step is right" \
        "$(grep -c "^gpufilter: $name: every step gives the same result as plain C" notes)" 1
    is "$name: speedups are compared" \
        "$(grep -qE 'times as fast as .*; textbooks: .*; measured / expected: |there is no OpenGL' notes; echo $?)" 0
    [ -s table.tsv ] || note <notes
done
gf --bench errors:1K --device cuda >table.tsv 2>notes
is 'an error in a kernel is found by the wait, and every later call fails' \
    "$(sed -n "s/.*a write outside of any memory: the launch returns 'no error', the next call 'no error'.*/late/p
               s/.*after that, every call fails.*/sticky/p; s/.*a new process: .*'no error'.*'no error'$/new/p" notes |
       tr '\n' ' ')" 'late sticky new '

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
is 'occupancy with other block sizes is at most 100, and the best size is a size' \
    "$(sed -n 's/^  [a-z]* .* %\(\( *[0-9-]*\)\{6\}\)  .*/\1/p' out | ${AWK:-awk} '{
        bad = $6 != "-" && ($6 < 32 || $6 > 1024)
        for (i = 1; i < 6; i++)
            bad = bad || ($i != "-" && $i > 100)
        if (bad || NF != 6)
            print
    }')" ''
is 'some kernels could have other sizes' \
    "$(sed -n 's/^  [a-z]* .* %\(\( *[0-9-]*\)\{6\}\)  .*/\1/p' out | grep -c '[0-9]' |
    ${AWK:-awk} '{ print ($1 > 20) }')" 1
finish
