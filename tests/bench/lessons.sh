# Lessons on a GPU: every step gives the same result as plain C, and speedups are compared with textbooks. Times are not
# judged.
. "$(dirname "$0")/../lib.sh"
need_cuda

# Some steps need parts that a GPU or its machine may lack; the notes say so.
may_lack='^(tensor cores|cuBLAS|programmatic|a graph, programmatic|launched by the GPU|managed|through the host|'
may_lack=$may_lack'copied to the texture|written by the kernel|drawn as points|sum: one instruction)'
"$(dirname "$GPUFILTER")/gpufilter-bench" --list | sed '1,/^Lessons/d; /^$/,$d; s/^  \([a-z]*\) .*/\1/' >names
is 'there are at least 20 lessons' "$([ "$(wc -l <names)" -ge 20 ] && echo yes)" yes
while read -r name; do
    gf --bench "$name:64K" --device cuda >table.tsv 2>notes </dev/null
    is "$name" $? 0
    is "$name: every way has a row for each size" \
        "$(sed 1d table.tsv | cut -f 1 | uniq -c | ${AWK:-awk} '{ print $1 }' | sort -u | wc -l)" 1
    is "$name: at least a copy or plain C, and two steps" \
        "$([ "$(sed 1d table.tsv | cut -f 1 | sort -u | wc -l)" -ge 3 ] && echo yes)" yes
    is "$name: times are positive" "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '$3 != "" && !($3 > 0 && $4 > 0)')" ''
    is "$name: every way has been measured" \
        "$(sed 1d table.tsv | ${AWK:-awk} -F '\t' '{ known[$1] += $3 != "" }
            END { for (way in known) if (!known[way]) print way }' |
        grep -vE "$may_lack")" ''
    is "$name: every step is right" \
        "$(grep -cE "^gpufilter: $name: (every step( that.*)? gives the (same )?result |no step runs)" notes)" 1
    is "$name: speedups are compared" \
        "$(grep -qE 'times as fast as .*; textbooks: .*; measured / expected: [0-9.e+-]|there is no OpenGL' notes &&
        echo yes)" yes
    [ -s table.tsv ] || note <notes
done <names
gf --bench errors:1K --device cuda >table.tsv 2>notes
invalid="'an illegal memory access was encountered'"
is 'an error in a kernel is found by the wait, and every later call fails' \
    "$(sed -n "s/.*the launch returns 'no error', the next call 'no error', and only the wait $invalid.*/late/p
               s/.*every call fails.* returns $invalid, a correct launch $invalid.*/sticky/p
               s/.*a new process: .*'no error'.*'no error'$/new/p" notes | tr '\n' ' ')" 'late sticky new '

gf --bench all:64K --device cuda >all.tsv 2>errors
is 'every operation is measured on a GPU without messages' "$? $(cat errors)" '0 '
is 'everything is measured' "$(sed 1d all.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $4 > 0 && $5 > 0)')" ''
works '--devices -v prints kernels' gf --devices -v
is 'every operation has kernels that are told of, but for rows that are copied' \
    "$(grep -E 'not told|no kernels' out | grep -v '^  collect .* no kernels of its own')" ''
is 'kernels have as many registers as there can be' \
    "$(${AWK:-awk} '/^  [a-z]+ +[a-z_0-9]+.* % / && ($4 < 1 || $4 > 255 || $3 < 32 || $3 > 1024)' out)" ''
is 'what limits occupancy is a part of a multiprocessor' \
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
