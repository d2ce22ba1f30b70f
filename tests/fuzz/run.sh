#!/bin/sh
# Runs all fuzz targets for SECONDS, JOBS at once, and keeps inputs that fail in FINDINGS:
#   run.sh SECONDS JOBS FINDINGS [TARGET...]
# The time is divided among the targets. An input that takes more than 10 s or 2.5 GB is a finding.
# FINDINGS/work has the inputs that reached more code, for make fuzz-merge, and the logs. The script
# needs no other files in the folder of make fuzz-portable. Elsewhere, FUZZ names the program.
seconds=${1:?seconds} jobs=${2:?jobs} findings=${3:?folder for findings}
shift 3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$findings"
findings=$(cd "$findings" && pwd)
work=$findings/work
mkdir -p "$work/tmp" "$work/logs"
TMPDIR=$work/tmp
ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
UBSAN_OPTIONS=print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
export TMPDIR ASAN_OPTIONS UBSAN_OPTIONS

corpus=$here/corpus
if [ -f "$here/unpack.sh" ]; then
    corpus=$work/corpus
    sh "$here/unpack.sh" "$corpus" || exit 1
fi
if [ -n "$FUZZ" ]; then
    fuzz() { "$FUZZ" "$@"; }
else
    # libFuzzer starts itself again only for jobs and merges, which are not used here
    fuzz() { "$here/lib/loader" --library-path "$here/lib" "$here/fuzz" "$@"; }
fi
# LeakSanitizer cannot work where tracing is forbidden, as in some containers.
fuzz arguments -runs=0 "$corpus/arguments" >"$work/logs/trial" 2>&1
if grep -q 'LeakSanitizer has encountered a fatal error' "$work/logs/trial"; then
    echo 'leaks are not detected here'
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
fi
targets=${*:-$(fuzz 2>&1 | sed 's/.*the targets are //')}
count=$(echo $targets | wc -w)
# Each job runs one target after another. With more jobs than targets, several jobs share a target.
shares=$(((jobs + count - 1) / count))
rounds=$(((count * shares + jobs - 1) / jobs))
each=$((seconds / rounds))
[ "$each" -gt 0 ] || each=1

# one TARGET SHARE: libFuzzer stops at the first finding, and is started again until the time is over.
one()
{
    log=$work/logs/$1-$2 left=$each run=0
    mkdir -p "$work/$1"
    dictionary=
    [ ! -f "$here/dictionaries/$1.dict" ] || dictionary=-dict=$here/dictionaries/$1.dict
    while [ "$left" -gt 0 ] && [ "$run" -lt 50 ]; do
        start=$(date +%s) run=$((run + 1))
        fuzz "$1" -artifact_prefix="$findings/$1-" -max_total_time="$left" -timeout=10 -rss_limit_mb=2500 \
            -malloc_limit_mb=1000 -max_len=4200 -reload=0 -print_final_stats=1 -seed=$((run * 1000 + $2 + ${SEED:-0})) \
            $dictionary "$work/$1" "$corpus/$1" >"$log-$run.log" 2>&1 && break
        left=$((left - $(date +%s) + start))
    done
}

# work_off JOB: runs every jobs-th task.
work_off()
{
    task=0
    for share in $(seq "$shares"); do
        for name in $targets; do
            task=$((task + 1))
            [ $((task % jobs)) != "$1" ] || one "$name" "$share"
        done
    done
}

job=0
while [ $job -lt "$jobs" ]; do
    work_off $job &
    job=$((job + 1))
done
wait
rm -rf "$work/tmp" "$work/corpus"

total=0
for target in $targets; do
    cat "$work/logs/$target"-*.log >"$work/logs/all"
    # the last line of a run has the coverage; a run that was stopped by a finding still has the statistics
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/logs/all" | awk '{ n += $1 } END { print n + 0 }')
    edges=$(sed -n 's/.*cov: \([0-9]*\).*/\1/p' "$work/logs/all" | sort -n | tail -n 1)
    found=$(find "$findings" -maxdepth 1 -type f -name "$target-*" | wc -l)
    printf '%-10s %10d executions, %6d edges, %3d findings\n' "$target" "$runs" "${edges:-0}" "$found"
    grep -ahE 'SUMMARY|runtime error|depends on' "$work/logs/all" | sort | uniq -c | sed 's/^/           /'
    total=$((total + runs))
done
findings_count=$(find "$findings" -maxdepth 1 -type f | wc -l)
# the user and system times of all children, in the second line
times >"$work/logs/times"
spent=$(sed -n 2p "$work/logs/times" | tr 'ms' '  ' | awk '{ printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
echo "$count targets, $total executions, $spent CPU seconds, $findings_count findings"
[ "$findings_count" = 0 ]
