# Data is on the disk before an output replaces its input. A preloaded library lists the calls.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'it cannot be combined with a preloaded library'
library=$(dirname "$GPUFILTER")/tests/promises/failing_calls.so
[ -f "$library" ] || { fail 'tests/promises/failing_calls.so has not been made: make check TESTS= makes it'; finish; }

# calls ARGUMENT...: prints the order of fsync() and the names of files, with hidden names as HIDDEN.
calls()
{
    rm -f calls
    FAILING_CALLS=log:$scratch/calls LD_PRELOAD=$library "$GPUFILTER" -q --device cpu -j 1 "$@" >said 2>&1 || cat said
    [ ! -f calls ] ||
        sed -e "s,$(pwd -P)/,,g" -e 's,\.gpufilter-[a-z2-7]*,HIDDEN,g' -e 's,^fsync .*,fsync,;s,  *, ,g' calls
}
mkdir in
for i in 1 2; do image in/$i.ppm 9 7 3 255 $i; done
image a.ppm 9 7 3 255 3
image second.ppm 9 7 3 255 4
replaced='fsync
linkat HIDDEN
rename HIDDEN a.ppm'
calls -i a.ppm invert -o new.ppm >found
[ -s found ] || skip_all 'this C library does not let calls be listed'

is 'a new output does not wait' "$(cat found)" 'linkat new.ppm'
is 'an output that replaces its input waits' "$(calls -i a.ppm invert -o a.ppm)" "$replaced"
is 'an output that replaces its input by another name waits' \
    "$(ln -s a.ppm link.ppm; calls -i a.ppm invert -o link.ppm)" "$replaced"
is 'an output that replaces the file on standard input waits' "$(calls invert -o a.ppm <a.ppm)" "$replaced"
is '--no-sync does not wait' "$(calls --no-sync -i a.ppm invert -o a.ppm)" 'linkat HIDDEN
rename HIDDEN a.ppm'
is 'an output that replaces another file does not wait' "$(calls -i second.ppm invert -o new.ppm)" 'linkat HIDDEN
rename HIDDEN new.ppm'
is 'each file of a batch in place waits' "$(calls -i in invert -o in/)" 'fsync
linkat in/HIDDEN
rename in/HIDDEN in/1.ppm
fsync
linkat in/HIDDEN
rename in/HIDDEN in/2.ppm'

cp a.ppm old.ppm
bad_disk() { FAILING_CALLS=sync:1 LD_PRELOAD=$library "$GPUFILTER" "$@"; }
refuses 1 'a.ppm: cannot be stored on the disk: Input/output error' 'an error of the disk is reported' \
    bad_disk -i a.ppm invert -o a.ppm
same a.ppm old.ppm 'the input is unchanged then'
finish
