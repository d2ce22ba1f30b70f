# A pass is plain data: one process writes it to a file, another process runs it, and the output is
# the same.
. "$(dirname "$0")/../lib.sh"
device=${GPUFILTER_TEST_DEVICE:-cpu}
[ "$device" = cpu ] || need_cuda
passes=$(dirname "$GPUFILTER")/tests/plan/exchange_passes
[ -x "$passes" ] || { fail 'tests/plan/exchange_passes has not been made'; finish; }
mkdir bin inputs
cp "$GPUFILTER_SAMPLES"/* inputs 2>/dev/null
ln -s "$passes" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH

# run_in FOLDER COMMAND: runs the command in a copy of the samples.
run_in()
{
    rm -rf "$1"
    cp -r inputs "$1"
    (cd "$1" && sh -c "$2" >../$1.out 2>../$1.err </dev/null; echo $? >>../$1.out)
}

# moves COMMAND: tests that the result of one process is the same with passes from another process.
moves()
{
    rm -rf plans
    mkdir plans
    run_in whole "$1"
    PASSES_TO=$PWD/plans run_in written "$1"
    PASSES_FROM=$PWD/plans run_in read "$1"
    if [ -n "$(ls plans)" ] && cmp -s whole.out read.out && diff -r whole read >changed 2>&1 &&
        [ "$(tail -n 1 read.out)" = 0 ]; then
        pass "$1"
    else
        fail "$1"
        { echo "plans: $(ls plans)"; cat read.err changed; } | note
    fi
}

image inputs/second.pam 23 19 4 255 8
: >examples.txt
[ "$device" != cpu ] || gf --manual examples | grep -v '^#' | grep gpufilter >examples.txt
while IFS= read -r line; do
    moves "$line"
done <examples.txt
for stages in 'gray blur:2 rotate:30' 'equalize over:second.pam,5,7 resize:40%' 'canny blend:photo.ppm,screen clahe' \
    'tee:between.png flip'; do
    moves "gpufilter --device $device -i photo.ppm $stages -o out.ppm"
    moves "gpufilter --device $device -i photo.ppm $stages --segment 4K --lanes 3 -o out.ppm"
    moves "cat photo.ppm | gpufilter --device $device $stages --memory 16M -o out.ppm"
done
for stages in 'lowpass:1k resample:44100' 'bass:6 echo:0.1,0.5 limit:-6' 'normalize reverse fade:0.1,0.1' \
    'fir:taps.txt'; do
    moves "gpufilter --device $device -i sound.wav $stages -o out.wav"
    moves "cat sound.wav | gpufilter --device $device $stages --segment 900 -o out.wav"
done
finish
