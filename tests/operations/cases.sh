# Every operation on every device, as gpufilter-bench checks it: known answers, and the same bits from CPU and GPU.
. "$(dirname "$0")/../lib.sh"
status=0
"${GPUFILTER}-bench" --check${ONLY:+"=$ONLY"} >checks 2>errors || status=$?
if [ $status = 2 ]; then                          # no check is selected
    [ -n "$ONLY" ] || fail 'there are checks'
    finish
fi
cat checks
[ $status = 0 ] || sed 's/^/# /' errors
