# Large outputs, whose space is reserved before they are written: the same bytes as through a pipe.
. "$(dirname "$0")/../lib.sh"

# The folders: one in memory, where threads fill mapped pages, and one on the disk of the tests.
memory=/dev/shm/gpufilter-test.$$
[ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ] && mkdir "$memory" 2>/dev/null || memory=
trap 'rm -rf "$scratch" ${memory:+"$memory"}' EXIT

# written NAME INPUT OPTIONS: the file has the bytes of a pipe, and keeps no more space than they need.
written()
{
    name=$1 input=$2
    shift 2
    gf -q -i "$input" "$@" -t "${name#*.}" | cat >expected
    for folder in ${memory:+"$memory"} .; do
        where='a folder on disk'
        [ "$folder" = . ] || where='a folder in memory'
        rm -f "$folder/$name"
        gf -q -i "$input" "$@" -t "${name#*.}" -o "$folder/$name" 2>err
        if ! cmp expected "$folder/$name" >out 2>&1; then
            fail "$name from $input, $*: the bytes in $where"
            cat err out | note
            continue
        fi
        pass "$name from $input, $*: the bytes in $where"
        kept=$(du -k "$folder/$name" | cut -f1) size=$(stat -c %s "$folder/$name")
        if [ "$kept" -le $((size / 1024 + 256)) ]; then
            pass "$name from $input, $*: the space in $where"
        else
            fail "$name from $input, $*: the space in $where"
            echo "$kept KB for $size bytes" | note
        fi
        rm -f "$folder/$name"
    done
}

image small.ppm 250 150 3 255 1
gf -i small.ppm resize:2500x1500,filter=nearest noise:0.1 -o big.ppm
written o.ppm big.ppm invert
written o.ppm big.ppm invert -j 1
written o.ppm big.ppm blur:2 --segment 64K
written o.ppm big.ppm crop:2300x1400+7+9
written o.pam big.ppm invert --depth 16
written o.pfm big.ppm invert
cat big.ppm big.ppm big.ppm >frames.ppm
written o.ppm frames.ppm invert
written o.y4m frames.ppm invert
sound small.wav 3000 2 1
gf -i small.wav pad:0,31 dither:12 -o big.wav
written o.wav big.wav gain:-3 --depth 24
written o.wav big.wav gain:-3 --depth f32
written o.au big.wav reverse --depth 32
written o.raw big.wav trim:1 --depth 32

# A header that promises more than there is: the reserved space beyond the data is given back.
gf -i small.wav pad:0,200 dither:12 -o long.wav
head -c 10000044 long.wav >cut.wav
written o.wav cut.wav gain:-3 --salvage
# Nothing much is reserved for a pipe that only has a header.
for folder in ${memory:+"$memory"} .; do
    where='a folder on disk'
    [ "$folder" = . ] || where='a folder in memory'
    before=$(df -k --output=used "$folder" | tail -1)
    { printf 'P6 30000 20000 255\n'; sleep 2; } | gf -q invert -o "$folder/o.ppm" 2>err &
    sleep 1
    after=$(df -k --output=used "$folder" | tail -1)
    wait
    if [ $((after - before)) -lt 700000 ]; then
        pass "a header alone reserves little in $where"
    else
        fail "a header alone reserves little in $where"
        echo "$((after - before)) KB" | note
    fi
done

# A file that may not become so large: a clear error, and nothing is left.
for folder in ${memory:+"$memory"} .; do
    where='a folder on disk'
    [ "$folder" = . ] || where='a folder in memory'
    mkdir "$folder/full"
    refuses 1 'o.ppm: File too large' "a limit of the file size in $where" \
        sh -c 'ulimit -f 8192; exec "$0" -q -i big.ppm invert -o "$1"' "$GPUFILTER" "$folder/full/o.ppm"
    is "a limit of the file size in $where: nothing is left" "$(ls -A "$folder/full")" ''
done
finish
