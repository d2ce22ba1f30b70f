# Builds the program with a sanitizer, without CUDA, in a subfolder of the build folder, and runs
# the suite there. `make check-asan` and `make check-tsan` call it in the build folder, with CC and
# MAKE in the environment:
#   sanitized.sh SOURCE FOLDER FLAGS
# Reports of sanitizers go to files, so that no test can hide them. A single report is a failure.
source=$(cd "$1" && pwd) folder=$2 flags=$3
reports=$PWD/$folder/reports
say() { printf '%s\n' "check-$folder: $*"; }

# As a shared library next to AddressSanitizer's, gcc's UndefinedBehaviorSanitizer would print its
# reports to standard error.
case $flags in
*undefined*)
    if echo 'int main(void) { return 0; }' | $CC $flags -static-libubsan -x c - -o /dev/null 2>/dev/null; then
        flags="$flags -static-libubsan"
    fi ;;
esac

# Other flags or another compiler need a build from scratch.
configure()
{
    settings="$CC $flags $(./config.status --config)"
    [ "$(cat "$folder/settings" 2>/dev/null)" != "$settings" ] || return 0
    say "building without CUDA: $CC $flags"
    rm -rf "$folder"
    mkdir "$folder" || return 1
    eval "set -- $(./config.status --config)"
    (
        cd "$folder" || exit 1
        "$source/configure" "$@" --srcdir="$source" --with-cuda=no CC="$CC" CFLAGS="$flags" >configured
    ) || return 1
    printf '%s\n' "$settings" >"$folder/settings"
}

# Sanitizers need fixed addresses, which a kernel with strong address randomization may have used
# already.
steady()
{
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        setarch "$(uname -m)" -R "$@"
    else
        "$@"
    fi
}

check()
{
    common="log_path='$reports/report':print_suppressions=0:print_cmdline=1"
    export ASAN_OPTIONS="$common:detect_leaks=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
    export UBSAN_OPTIONS="$common:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
    export LSAN_OPTIONS="$common:suppressions='$source/tests/leaks.supp'${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
    export TSAN_OPTIONS="$common${TSAN_OPTIONS:+:$TSAN_OPTIONS}"
    unset GPUFILTER_REQUIRE_CUDA
    rm -rf "$reports"
    mkdir "$reports" || return 1
    find "$folder/tests" \( -name '*.trs' -o -name '*.log' \) -exec rm -f {} +
    steady $MAKE -C "$folder" check
}

# The last lines show failed tests, the first lines of each kind of report, and the number of
# reports.
conclude()
{
    found=$(ls "$reports" 2>/dev/null | wc -l)
    find "$folder/tests" -name '*.log' -exec grep -A 8 '^not ok' {} +
    grep -h -E '^SUMMARY: |: runtime error: ' "$reports"/* 2>/dev/null | sort | uniq -c
    [ "$found" = 0 ] || say "reports are in $reports"
    find "$folder/tests" -name '*.trs' -exec cat {} + |
        awk -v name="check-$folder, $CC" -v reports="$found" -v status="$1" '
        /^:test-result: *(PASS|XFAIL)/ { passed++ }
        /^:test-result: *(FAIL|XPASS|ERROR)/ { failed++ }
        /^:test-result: *SKIP/ { skipped++ }
        END {
            printf "%s: %d passed, %d failed, %d skipped, %d reports%s\n", name, passed, failed, skipped, reports,
                   status != 0 && !failed ? ", make check failed" : ""
            exit status != 0 || failed > 0 || reports > 0 || passed == 0
        }'
}

configure || { say "configure failed; see $folder/config.log"; exit 1; }
$MAKE -C "$folder" all || { say 'the program was not built'; exit 1; }
check
conclude $?
