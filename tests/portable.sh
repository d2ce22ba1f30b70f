#!/bin/sh
# Collects a folder that runs on another machine with only glibc and a shell:
#   portable.sh FOLDER SRCDIR "TEST PROGRAMS" "TEST SCRIPTS" "THEIR PARTS" BENCH GPU_TOOL ITS_FLAGS
# make portable calls it.
set -e
folder=$1 srcdir=$2 programs=$3 scripts=$4 parts=$5 bench=$6 gpu_tool=$7 gpu_flags=$8

rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/samples" "$folder/man"
for file in $programs $scripts $parts; do
    mkdir -p "$folder/${file%/*}"
done

# Links the same objects again, so that libraries are found next to the program. Only the old RPATH
# also applies to the dependencies of libraries.
link()
{
    $CC -Wl,--disable-new-dtags -Wl,-rpath,"\$ORIGIN/$3" -o "$2" $1 $LIBRARIES
}
link "src/main.$OBJEXT" "$folder/gpufilter" lib
link "src/bench/main.$OBJEXT libgpufilter-bench.a $CXX_LIBRARIES" "$folder/gpufilter-bench" lib
for program in $programs; do
    objects="$program.$OBJEXT tests/tap.$OBJEXT"
    for object in "$program"_*."$OBJEXT"; do
        [ ! -f "$object" ] || objects="$objects $object"
    done
    [ "$program" != tests/promises/generated ] || objects="$objects tests/promises/call_many_send.$OBJEXT"
    objects="$objects libgpufilter-bench.a $CXX_LIBRARIES"
    link "$objects" "$folder/$program" ../../lib
done
# Programs that scripts run: passes.sh, lib.sh, out_of_memory.sh, sandbox.sh.
link "-Wl,--wrap=gf_plan_make -Wl,--wrap=gf_run_sandbox_enter src/main.$OBJEXT tests/plan/exchange_passes.$OBJEXT" \
    "$folder/tests/plan/exchange_passes" ../../lib
for tool in call_many refuse_memory; do
    wrapped=
    [ $tool != call_many ] || wrapped="-Wl,--wrap=gf_run_sandbox_enter tests/promises/call_many-call_many_send.$OBJEXT"
    link "$wrapped src/tests_promises_$tool-main.$OBJEXT tests/promises/$tool-$tool.$OBJEXT" \
        "$folder/tests/promises/$tool" ../../lib
done
link "$MISDEED src/main.$OBJEXT tests/promises/misdeed.$OBJEXT" "$folder/tests/promises/misdeed" ../../lib
link "tests/promises/outside.$OBJEXT" "$folder/tests/promises/outside" ../../lib

link "tests/promises/torture.$OBJEXT tests/promises/torture_run.$OBJEXT tests/tap.$OBJEXT" \
    "$folder/tests/promises/torture" ../../lib
[ -z "$gpu_tool" ] || link "$gpu_flags src/main.$OBJEXT $gpu_tool.$OBJEXT" "$folder/$gpu_tool" ../../lib
cp tests/promises/failing_calls.so "$folder/tests/promises/"
link "tests/fuzz/fuzz*.$OBJEXT tests/promises/stay_messages_ask.$OBJEXT tests/fuzz/replay.$OBJEXT" \
    "$folder/tests/fuzz/replay" ../../lib
cp -r "$srcdir/tests/fuzz/corpus" "$srcdir/tests/fuzz/found" "$srcdir/tests/fuzz/unpack.sh" "$folder/tests/fuzz/"

if [ -n "$bench" ]; then
    cp gpufilter-bench-peers.so "$folder/"
    link "tests/bench/stream.$OBJEXT tests/bench/copies.cuo" "$folder/stream" lib
fi

# Copies all libraries that are loaded, except those of glibc.
# Some libraries are opened by name when they are needed.
late=$(sed -n 's/^#define GF_LATE_[A-Z0-9]* "\(.*\)"/\1/p' config.h | while read -r name; do
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n "s,^[[:space:]]*$name .*=> ,,p" | head -n 1
done)
{ echo "$late" | awk '{ print $0, "=>", $0 }'; ldd "$folder/gpufilter" $late; } |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r library; do
    case ${library##*/} in
    libc.so.*|libm.so.*|libdl.so.*|librt.so.*|libpthread.so.*|ld-linux*) ;;
    *) cp -L "$library" "$folder/lib/" ;;
    esac
done

for script in $scripts $parts; do
    cp "$srcdir/$script" "$folder/$script"
done
echo $programs $scripts | tr ' ' '\n' >"$folder/tests/list"
cp samples/*.p?m samples/*.cube samples/*.wav samples/*.txt samples/*.chain "$folder/samples/"
cp man/*.[0-9] "$folder/man/"
cp -r completion "$folder/"

cat >"$folder/check" <<'EOF'
#!/bin/sh
# Runs the tests in this folder; the last line counts them.
cd "$(dirname "$0")" || exit 1
GPUFILTER=$PWD/gpufilter GPUFILTER_SAMPLES=$PWD/samples GPUFILTER_PORTABLE=1 GPUFILTER_SKIP_UNMATCHED=1 srcdir=$PWD
export GPUFILTER GPUFILTER_SAMPLES GPUFILTER_PORTABLE GPUFILTER_SKIP_UNMATCHED srcdir
logs=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-check.XXXXXX") || exit 1
trap 'rm -rf "$logs"' EXIT
# A run that is stopped counts tests that have not ended as failed, and names them.
trap : INT TERM

# A name is ROOM/TEST, for the program and the script of this name, or a path.
tests=
for name; do
    found=
    for test in "$name" "tests/$name" "tests/$name.sh"; do
        [ ! -f "$test" ] || found="$found $test"
    done
    [ -n "$found" ] || { echo "check: no test is called $name; tests/list has all of them"; exit 2; }
    tests="$tests $found"
done

# All tests run at the same time, each with its own log. Tests of cuts on a GPU run in shares,
# because a GPU takes long to start.
for test in ${tests:-$(cat tests/list)}; do
    log=$logs/${test#tests/}.log
    mkdir -p "${log%/*}"
    case $test in
    */cut*_cuda.sh)
        for share in 0 1 2; do
            (GPUFILTER_SHARE=$share/3 sh "$test" >"$log-$share" 2>&1; echo "status $?" >>"$log-$share") &
        done ;;
    *.sh) (sh "$test" >"$log" 2>&1; echo "status $?" >>"$log") & ;;
    *) ("$test" >"$log" 2>&1; echo "status $?" >>"$log") & ;;
    esac
done
wait
passed=0 failed=0 skipped=0
for log in "$logs"/*.log "$logs"/*/*.log*; do
    [ -f "$log" ] || continue
    status=$(sed -n 's/^status //p' "$log" | tail -n 1)
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log")
    ok=$(grep -av '# SKIP' "$log" | grep -ac '^ok ')
    bad=$(grep -ac '^not ok ' "$log")
    skip=$(grep -ac '^ok .*# SKIP' "$log")
    ran=$((ok + bad + skip))
    if [ "$plan" = 0 ]; then
        skip=1
    elif [ -z "$status" ]; then
        echo "# had not ended when the run was stopped; ran $ran"
        bad=$((bad + 1))
    elif [ "$ran" != "$plan" ]; then
        echo "# planned ${plan:-nothing}, ran $ran"
        bad=$((bad + 1))
    elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
        echo "# status $status"
        bad=1
    fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    name=${log#"$logs"/}
    echo "${name%.log}: $ok passed, $bad failed, $skip skipped"
    # Prints skipped cases, and each failure with its notes, at most 60 lines.
    LC_ALL=C awk -v bad="$bad" 'BEGIN { shown = bad > 0 }
        /^(not )?ok |^1\.\./ { shown = /^not ok /; if (shown || /# SKIP/) print; next }
        shown && /^#/ && ++notes <= 60' "$log"
done
if [ -n "$ONLY" ] && [ $((passed + failed)) = 0 ]; then
    echo "# no case matches ONLY=$ONLY"
    failed=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
EOF
chmod +x "$folder/check"
