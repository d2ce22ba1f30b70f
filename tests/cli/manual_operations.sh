# gpufilter-internals(7) has a text for each operation of the source, from its descriptor.
. "$(dirname "$0")/../lib.sh"
sed -n '/^\.SH OPERATIONS/,/^\.SH "POINT/p' "${GPUFILTER%/*}/man/gpufilter-internals.7" |
    sed -n '/^\.B "/{ s/^\.B "\(.*\)"$/\1/; N; s/\n[A-Z].*$//p; }' | sort >described
is 'the manual has many operations' "$(wc -l <described | ${AWK:-awk} '{ print ($1 > 30) }')" 1
if [ -d "$tree/kernels" ]; then
    find "$tree/kernels" -name "*.c" |
        xargs sed -n '/^const struct gf_operation /,/^};/s/.*\.word = "\([a-z]*\)".*/\1/p' | sort >known
    same known described 'the manual describes each operation of the source'
else
    skip 'no source here'
fi
finish
