# The file of device speeds: it informs the choice of device, never prevents a run, and is never
# trusted blindly.
. "$(dirname "$0")/../lib.sh"
rates=$XDG_CACHE_HOME/gpufilter/rates
now=$(date +%s)

# An image for which choosing a device is worthwhile: 3000 by 3000, a median, two cores.
{ printf 'P5\n3000 3000\n255\n'; head -c 9000000 /dev/zero; } >large.pgm
image small.ppm 40 30 3 255 1
# An image that is only planned. It is so large that load on the machine does not change which
# device finishes first.
printf 'P5\n16000 16000\n255\n' >huge.pgm
truncate -s 256000019 huge.pgm
bench=$(dirname "$GPUFILTER")/gpufilter-bench
chosen() { gf "$@" -j 2 -i huge.pgm blur:20 --explain >plan 2>errors; sed -n 's/^device: //p' plan; cat errors; }
# has PATTERN: prints how many lines of the file match.
has() { grep -c -- "$1" "$rates"; }

gf -i small.ppm invert -o o.ppm
is 'a small job leaves no file' "$(ls "$XDG_CACHE_HOME" 2>/dev/null)" ''
gf --device cpu -i large.pgm invert -o o.pgm
is 'a job without a choice of device leaves no file' "$(ls "$XDG_CACHE_HOME" 2>/dev/null)" ''

# With any content of the file, the result is the same and there is no message.
mkdir -p "${rates%/*}"
{ printf 'cuda:0 \0\377\n%01000d\n' 7; head -c 20000 /dev/urandom; } >"$rates"
works 'a file of random bytes' gf -j 2 -i large.pgm median:7 -o noise.pgm
rm -f "$rates"
mkfifo "$rates"
works 'a FIFO in its place does not hang' gf -j 2 -i large.pgm median:7 -o fifo.pgm
rm -f "$rates"
mkdir "$rates"
works 'a folder in its place' gf -j 2 -i large.pgm median:7 -o folder.pgm
rm -rf "$XDG_CACHE_HOME"
echo 'not a folder' >"$XDG_CACHE_HOME"
works 'a cache that is not a folder' gf -j 2 -i large.pgm median:7 -o file.pgm
is 'a cache that is not a folder is not changed' "$(cat "$XDG_CACHE_HOME")" 'not a folder'
rm -f "$XDG_CACHE_HOME"
mkdir "$XDG_CACHE_HOME"
chmod 555 "$XDG_CACHE_HOME"
works 'a folder that may not be written' gf -j 2 -i large.pgm median:7 -o locked.pgm
chmod 755 "$XDG_CACHE_HOME"
works 'a user without a home' env -u HOME -u XDG_CACHE_HOME "$GPUFILTER" -j 2 -i large.pgm median:7 -o homeless.pgm
for name in fifo folder file locked homeless; do
    same noise.pgm $name.pgm "$name: the same bytes"
done
rm -rf "$XDG_CACHE_HOME"
mkdir home
works 'a user with a home' env -u XDG_CACHE_HOME HOME="$PWD/home" "$GPUFILTER" -j 2 -i large.pgm median:7 -o home.pgm
kept=$(ls home/.cache/gpufilter 2>/dev/null)

# Measured rates of the CPU make the estimates, also of a job so small that no GPU is looked for.
for device in auto cpu; do
    gf --device $device -i small.ppm blur:2 --explain >plan
    is "assumed rates, --device $device" "$(grep -c '^        estimate: .* by assumed rates$' plan)" 1
done
"$bench" --rates --device cpu >out
for device in auto cpu; do
    gf --device $device -i small.ppm blur:2 --explain >plan
    is "measured rates, --device $device" "$(grep -c '^        estimate: .* by measured rates$' plan)" 1
    gf --device $device -i small.ppm blur:2 -v -o o.ppm 2>errors
    is "measured rates with -v, --device $device" "$(grep -c 'estimate: .* by measured rates$' errors)" 1
done
is 'a short time is not 0' "$(gf -i small.ppm invert --explain | grep -c 'estimate: under 1 ms by')" 1
# A plan of a batch is for one of its files; memory is for each of those that are processed at once.
for n in 1 2 3; do cp small.ppm "few$n.ppm"; done
for option in --explain -v; do
    gf --device cpu -j 2 -i 'few*.ppm' invert -o 'few/{stem}.ppm' $option >plan 2>&1
    is "$option: the estimate is for one of the files" "$(grep -c 'estimate for one of 3 files: .* by' plan)" 1
    is "$option: the memory is for each of two" \
        "$(grep -c '^memory: .* on the host, for each of 2 files at a time$' plan)" 1
done
gf --device cpu -j 2 -i 'few*.ppm' invert -o 'few/{stem}.ppm' --explain --shard 1/2 >plan
is 'a shard counts its own files' "$(grep -c 'estimate for one of 2 files: ' plan)" 1
gf --device cpu -j 2 -i 'few*.ppm' invert -o 'few/{stem}.ppm' --explain --shard 2/2 >plan
is 'a shard with one file is no batch' "$(grep -c 'estimate: .* by' plan) $(grep -c 'at a time$' plan)" '1 0'
rm -rf few few?.ppm
gf -i huge.pgm blur:2 --explain >plan
is 'measured rates of a large job' "$(grep -c '^        estimate.*: .* by measured rates' plan)" 1
sed 's/ measured .*/ measured 0 0 1e6 1e6 A slow CPU/' "$rates" >changed
cat changed >"$rates"
gf --device cpu -i huge.pgm blur:2 --explain >plan
is 'the estimate follows the rates' "$(sed -n 's/.*estimate: \([0-9]*\)[0-9][0-9]\..*/\1/p' plan | grep -c '^[1-9]')" 1
rm -rf "$XDG_CACHE_HOME"

chosen >first
if gf --version | grep -q 'CUDA: not built in'; then
    is 'no file is written without CUDA' "$kept$(ls -R "$XDG_CACHE_HOME" 2>/dev/null)" ''
    finish
fi
is 'rates are in .cache without XDG_CACHE_HOME' "$kept" rates
is 'the answer of the driver is stored' "$(has '^cuda:0 ')" 1
is 'the cache has no other file' "$(ls -A "${rates%/*}")" rates
key=$(sed -n 's/^cuda:0 \([0-9a-f]*\) .*/\1/p' "$rates")
# kept WHEN ARGUMENTS...: writes a line for the GPU to the file.
kept() { when=$1; shift; echo "cuda:0 $key $when $*" >"$rates"; }

kept "$now" measured 50 1e10 1e11 0 A slow GPU
is 'a slow GPU is not chosen' "$(chosen)" 'cpu, the CPU should finish first'
is 'the driver is not called if its answer is stored' "$(has 'A slow GPU')" 1
is 'estimates of both devices are printed' \
    "$(grep -c 'estimates: cpu [0-9.]* s by assumed rates, cuda 5[0-9][0-9.]* s by measured rates' plan)" 1
works 'the CPU is measured' "$bench" --rates --device cpu
is 'measured rates of the CPU are stored' "$(has '^cpu [0-9a-f]* [0-9]* measured ')" 1
is 'measured rates of the CPU are stored next to those of the GPU' "$(has 'A slow GPU')" 1
chosen >out
is 'measured rates of the CPU are used' \
    "$(grep -c 'estimates: cpu [0-9.]* s by measured rates, cuda 5[0-9][0-9.]* s by measured rates' plan)" 1
sed 's/^\(cpu [0-9a-f]* \)[0-9]* measured .*/\11000 measured 0 0 1e15 1e15 A fast CPU/' "$rates" >changed
cat changed >"$rates"
chosen >out
is 'measured rates are used after years' "$(grep -c 'estimates: cpu 0\.[01][0-9]* s by measured rates' plan)" 1
is 'measured rates are not replaced after years' "$(has 'A fast CPU')" 1
kept "$now" measured 50 1e10 1e11 0 A slow GPU
gf -j 2 -i large.pgm median:7 -o v.pgm -v 2>errors
is '-v prints it, too' "$(grep -c 'estimates.* measured rates' errors)" 1

kept "$now" assumed 50 1e10 1e11 0 A slow GPU
chosen >out
is 'assumed rates are marked' "$(grep -c 'cuda 5[0-9][0-9.]* s by assumed rates' plan)" 1
kept "$now" absent 0 0 0 0 no driver
is 'a stored answer without a GPU: the driver is not called again' \
    "$(chosen)" 'cpu, no GPU found (checked recently; --devices checks again)'
gf --devices >out
is 'a stored answer without a GPU: --devices calls the driver' "$(has 'no driver')" 0
is 'a stored answer without a GPU: --devices stores the new answer' "$(has "^cuda:0 $key ")" 1
kept "$now" absent 0 0 0 0 no driver
gf --device cuda -i small.ppm invert -o o.ppm 2>errors
is '--device cuda calls it, too' "$(has 'no driver')" 0

kept "$now" measured 0.0001 1e15 1e15 1e15 A dream of a GPU
chosen >again
is 'the driver is called before a GPU is used' "$(grep '^cuda:0 ' "$rates" | head -n 1 | grep -c 'A dream of a GPU')" 0
if ! have_cuda; then
    is 'measured rates stay while the GPU does not answer' \
        "$(sed -n 's/^cuda:0 [0-9a-f]* [0-9]* \([a-z]*\) .*/\1/p' "$rates" | tr '\n' ' ')" 'absent measured '
fi
same first again 'a stored answer that no GPU was found counts'
for line in "$((now - 90000)) assumed 50 1e10 1e11 0 too old" "$((now - 90000)) absent 0 0 0 0 too old" \
    "$((now + 90000)) measured 50 1e10 1e11 0 not yet" \
    "$now measured 50 1e10 nan 0 not a number" "$now measured 50 1e10 -1 0 below nothing" \
    "$now measured 50 1e10 inf 0 no end" \
    "$now measured 1e9 1e10 1e11 0 for ever" "$now maybe 50 1e10 1e11 0 unsure" "$now measured 50 1e10 1e11" \
    "$now measured 50 1e10 0 0 no rate"; do
    kept $line
    chosen >again
    same first again "not believed: ${line#* }"
done
kept "$now" measured 50 1e10 1e11 0 A slow GPU
sed "s/$key/0123456789abcdef/" "$rates" >changed
cat changed >"$rates"
chosen >again
same first again 'lines of another machine are not used'
is 'lines of another machine stay' "$(has 'A slow GPU')" 1
for i in 1 2 3 4 5 6 7 8; do
    rm -f "$rates"
    for j in 1 2 3 4; do
        gf -j 2 -i large.pgm median:7 --explain >/dev/null &
    done
    wait
    [ "$(has "^cuda:0 $key [0-9]* [a-z]* ")" = 1 ] || echo "broken in round $i"
done >said
is 'several processes at the same time' "$(cat said; ls -A "${rates%/*}")" rates
{ for i in $(seq 300); do echo "cuda:$i $key $now measured 50 1e10 1e11 0 One of many"; done; } >"$rates"
chosen >again
is 'the file does not grow' "$(wc -l <"$rates" | ${AWK:-awk} '{ print ($1 <= 101) }')" 1
finish
