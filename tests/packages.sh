# Runs the tests of packages one after another, and counts their cases in the last line:
#   packages.sh TEST...    (called by make check-packages in the build folder, with MAKE in the environment)
# A TEST is a script of tests/packages/, with or without the folder and the extension. The status is 0 if no case fails
# and at least one passes. With GPUFILTER_REQUIRE_PACKAGES=1, a script that is skipped as a whole is a failure.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-packages.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
: >"$scratch/all"
for test; do
    name=${test##*/} begin=$(date +%s)
    {
        ${MAKE:-make} -s --no-print-directory check-one T="packages/${name%.sh}" 2>&1
        echo $? >"$scratch/status"
    } | tee "$scratch/log"
    echo "# $name: $(($(date +%s) - begin)) s"
    # A script that ends early fails without a case that says so.
    [ "$(cat "$scratch/status")" = 0 ] || grep -q '^not ok ' "$scratch/log" || failed=$((failed + 1))
    cat "$scratch/log" >>"$scratch/all"
done
awk -v failed=$failed -v required="$GPUFILTER_REQUIRE_PACKAGES" '
    /^1\.\.0 # SKIP/ && required { failed++; next }
    /^ok .*# SKIP / || /^1\.\.0 # SKIP/ { skipped++; next }
    /^ok / { passed++ }
    /^not ok / { failed++ }
    END {
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0 || passed == 0
    }' "$scratch/all"
