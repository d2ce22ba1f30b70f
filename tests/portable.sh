#!/bin/sh
# Gathers a folder that runs on another machine with nothing but glibc and a shell:
#   portable.sh FOLDER SRCDIR "TEST PROGRAMS" "TEST SCRIPTS" BENCH    (called by make portable)
set -e
folder=$1 srcdir=$2 programs=$3 scripts=$4 bench=$5

rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/tests" "$folder/samples" "$folder/man"

# The same objects, linked to look for libraries beside the program. Only the old RPATH
# also holds for the libraries of libraries.
link()
{
    $CC -Wl,--disable-new-dtags -Wl,-rpath,"\$ORIGIN/$3" -o "$2" $1 $LIBRARIES
}
link "src/main.$OBJEXT" "$folder/gpufilter" lib
link "src/bench/main.$OBJEXT libgpufilter-bench.a" "$folder/gpufilter-bench" lib
link "src/tests_short-main.$OBJEXT tests/short-short.$OBJEXT" "$folder/short" lib          # for tests/short.sh
link "src/tests_many-main.$OBJEXT tests/many-many.$OBJEXT" "$folder/many" lib             # for tests/lib_cut.sh
link "-Wl,--wrap=gf_plan_make src/main.$OBJEXT tests/passes.$OBJEXT" "$folder/passes" lib          # for tests/passes.sh
for program in $programs; do
    objects="$program.$OBJEXT tests/tap.$OBJEXT"
    for object in "$program"_*."$OBJEXT"; do
        [ ! -f "$object" ] || objects="$objects $object"
    done
    case $program in */cases | */kernels) objects="$objects libgpufilter-bench.a" ;; esac
    link "$objects" "$folder/$program" ../lib
done

if [ -n "$bench" ]; then
    $CC -Wl,--disable-new-dtags -Wl,-rpath,'$ORIGIN/lib' -o "$folder/bench" tests/bench/bench*.cuo tests/bench/peer.cuo $LIBRARIES \
        -static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic
    link "tests/bench/stream.$OBJEXT tests/bench/copies.cuo" "$folder/stream" lib
fi

# Everything that is loaded, except glibc's own.
ldd "$folder/gpufilter" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | while read -r library; do
    case ${library##*/} in
    libc.so.*|libm.so.*|libdl.so.*|librt.so.*|libpthread.so.*|ld-linux*) ;;
    *) cp -L "$library" "$folder/lib/" ;;
    esac
done

for script in $scripts; do
    cp "$srcdir/$script" "$folder/tests/"
done
cp samples/*.p?m samples/*.wav samples/*.txt samples/*.chain "$folder/samples/"
cp man/*.[0-9] "$folder/man/"

cat >"$folder/check" <<'EOF'
#!/bin/sh
# Runs the tests that lie here; the last line counts them.
cd "$(dirname "$0")" || exit 1
GPUFILTER=$PWD/gpufilter GPUFILTER_SAMPLES=$PWD/samples GPUFILTER_PORTABLE=1 srcdir=$PWD
export GPUFILTER GPUFILTER_SAMPLES GPUFILTER_PORTABLE srcdir
logs=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-check.XXXXXX") || exit 1
trap 'rm -rf "$logs"' EXIT

# All at once, each into a log of its own; cuts on a GPU in shares, for it takes its time to start.
for test in ${*:-tests/*}; do
    log=$logs/${test##*/}.log
    case $test in
    */lib*.sh) ;;
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
for log in "$logs"/*; do
    status=$(sed -n 's/^status //p' "$log" | tail -n 1)
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log")
    ok=$(grep -av '# SKIP' "$log" | grep -ac '^ok ')
    bad=$(grep -ac '^not ok ' "$log")
    skip=$(grep -ac '^ok .*# SKIP' "$log")
    ran=$((ok + bad + skip))
    if [ "$plan" = 0 ]; then
        skip=1
    elif [ "$ran" != "$plan" ]; then
        echo "# planned ${plan:-nothing}, ran $ran"
        bad=$((bad + 1))
    elif [ "$status" != 0 ] && [ "$bad" = 0 ]; then
        echo "# status $status"
        bad=1
    fi
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
    name=${log##*/}
    echo "${name%.log}: $ok passed, $bad failed, $skip skipped"
    grep -aE '^not ok|# SKIP' "$log"
    [ "$bad" = 0 ] || grep -a '^#' "$log" | head -n 60
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
EOF
chmod +x "$folder/check"
