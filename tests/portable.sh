#!/bin/sh
# Gathers a folder that runs on another machine with nothing but glibc and a shell:
#   portable.sh FOLDER SRCDIR "TEST PROGRAMS" "TEST SCRIPTS"    (called by make portable)
set -e
folder=$1 srcdir=$2 programs=$3 scripts=$4

rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/tests" "$folder/samples" "$folder/man"

# The same objects, linked to look for libraries beside the program. Only the old RPATH
# also holds for the libraries of libraries.
link()
{
    $CC -Wl,--disable-new-dtags -Wl,-rpath,"\$ORIGIN/$3" -o "$2" "$1" $LIBRARIES
}
link "src/main.$OBJEXT" "$folder/gpufilter" lib
for program in $programs; do
    link "$program.$OBJEXT" "$folder/$program" ../lib
done

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
cp samples/*.p?m samples/*.wav samples/*.txt "$folder/samples/"
cp man/*.[0-9] "$folder/man/"

cat >"$folder/check" <<'EOF'
#!/bin/sh
# Runs the tests that lie here; the last line counts them.
cd "$(dirname "$0")" || exit 1
GPUFILTER=$PWD/gpufilter GPUFILTER_SAMPLES=$PWD/samples GPUFILTER_PORTABLE=1 srcdir=$PWD
export GPUFILTER GPUFILTER_SAMPLES GPUFILTER_PORTABLE srcdir
passed=0 failed=0 skipped=0
log=${TMPDIR:-/tmp}/gpufilter-check.$$
trap 'rm -f "$log"' EXIT
for test in ${*:-tests/*}; do
    case $test in
    */lib.sh|*/*.log) continue ;;
    *.sh) sh "$test" >"$log" 2>&1 ;;
    *) "$test" >"$log" 2>&1 ;;
    esac
    status=$?
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log")
    ok=$(grep -v '# SKIP' "$log" | grep -c '^ok ')
    not_ok=$(grep -c '^not ok ' "$log")
    skip=$(grep -c '^ok .*# SKIP' "$log")
    case $(grep '^1\.\.0' "$log") in *SKIP*) skip=1 ;; esac
    if [ "$status" != 0 ] && [ "$not_ok" = 0 ]; then
        not_ok=1
    elif [ -z "$plan" ] || { [ "$plan" != 0 ] && [ $((ok + not_ok + skip)) != "$plan" ]; }; then
        not_ok=$((not_ok + 1))
        echo "# $test: planned ${plan:-nothing}, ran $((ok + not_ok + skip))"
    fi
    passed=$((passed + ok)) failed=$((failed + not_ok)) skipped=$((skipped + skip))
    echo "$test: $ok passed, $not_ok failed, $skip skipped"
    grep -E '^not ok|# SKIP' "$log"
    [ "$not_ok" = 0 ] || grep -E '^#' "$log" | head -40
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
EOF
chmod +x "$folder/check"
