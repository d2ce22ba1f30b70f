# --bench: the tables and drawings, the sizes and the names. Times are not judged.
. "$(dirname "$0")/../lib.sh"

# rates NAME FILE BYTES: counts the lines of series NAME in a TSV, and checks that the rate fits BYTES per
# sample and the time.
rates()
{
    ${AWK:-awk} -F '\t' -v way="$1" -v bytes="$3" 'index($1, way) == 1 {
        n++
        if ($4 * $3 < .999e-3 * bytes * $2 || $4 * $3 > 1.001e-3 * bytes * $2 || $6 * $3 < .999 * $2 || $6 * $3 > '\
'1.001 * $2)
            bad = bad " " $2
    } END { print n bad }' "$2"
}

gf --bench point:64K --device cpu -j 2 >point.tsv 2>errors
is '--bench of an operation prints no other messages' "$(cat errors)" ''
is 'a table of speeds has a header' "$(head -n 1 point.tsv)" "$(printf 'way\tsamples\tus\tGB/s\tof_copy\tMsamples/s')"
is 'a table of speeds has sizes' "$(${AWK:-awk} -F '\t' '$1 == "copy, 1 thread" { printf "%s ", $2 }' point.tsv)" \
    '1024 4096 16384 65536 '
is 'a table of speeds has a series for each kernel and number of threads' \
    "$(sed 1d point.tsv | cut -f 1 | uniq | tr '\n' ';')" \
    'copy, 1 thread;scale and offset, bytes, 1 thread;copy, 2 threads;scale and offset, bytes, 2 threads;'
nothing 'a table of speeds has six columns everywhere' ${AWK:-awk} -F '\t' 'NF != 6' point.tsv
is 'a copy is as fast as a copy' "$(grep '^copy' point.tsv | cut -f 5 | sort -u)" 1
is 'something is measured' "$(sed 1d point.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $5 > 0)')" ''

gf --bench=reduce:1K --device cpu -j 1 >reduce.tsv 2>errors
is 'the name may follow =' "$(cut -f 1 reduce.tsv | sort -u | wc -l)" 4
is 'a lesson says what it needs, and what it would show' "$(cat errors)" 'gpufilter: the steps of the lesson '\
'reduce need a GPU; they show: sum floats: which threads stay active, and how they exchange values'
is '-q keeps it quiet' "$(gf --bench reduce:1K --device cpu -j 1 -q 2>&1 >o.tsv)" ''

# Bytes per sample: u8 to u8; f32 read; u8 read; f32 both ways.
is 'point moves 2 bytes a sample' "$(rates 'scale and offset' point.tsv 2)" 8
is 'the copy for point moves 2 bytes a sample, too' "$(rates copy point.tsv 2)" 8
is 'reduce reads 4 bytes a sample' "$(rates gpufilter reduce.tsv 4)" 1
is 'the copy for reduce moves 8 bytes a sample' "$(rates copy reduce.tsv 8)" 1
gf --bench histogram:4K --device cpu -j 1 -q >histogram.tsv
is 'histogram reads 1 byte a sample' "$(rates gpufilter histogram.tsv 1)" 2
gf --bench stencil:4K --device cpu -j 1 -q >stencil.tsv
is 'stencil moves 8' "$(rates gpufilter stencil.tsv 8)" 2

# A scan needs 16 bytes per sample: more than 1 MB for 64 K samples with its state.
gf --bench scan --device cpu -j 1 -q --memory 1M >scan.tsv
is 'scan moves 16' "$(rates gpufilter scan.tsv 16)" 4
is '--memory is a limit' "$(tail -n 1 scan.tsv | cut -f 2)" 65536
gf --bench scan:100000 --device cpu -j 1 -q >scan.tsv
is 'a size between two is a limit, too' "$(tail -n 1 scan.tsv | cut -f 2)" 65536

gf --bench all:4K --device cpu -j 1 >all.tsv
is 'all operations are measured at one size' "$(sed 1d all.tsv | cut -f 2 | sort -u)" 4096
"$(dirname "$GPUFILTER")/gpufilter-bench" --list | sed -n '/^Lessons/q; s/^  \([a-z_]*\) .*/\1/p' >names
is 'each operation of all is under its name' "$(sed '1,2d' all.tsv | cut -d : -f 1)" "$(cat names)"
is 'every operation is there' "$([ "$(wc -l <names)" -ge 29 ] && echo yes)" yes
is 'every operation of all is measured' "$(sed 1d all.tsv | ${AWK:-awk} -F '\t' '!($3 > 0 && $4 > 0)')" ''

gf --bench all:256K --device cpu -j 1 --memory 1M -o some.tsv 2>errors
is 'a warning names what has too little memory' \
    "$? $(grep -c '^gpufilter: warning: scan was not measured: .* of memory needed, 1.0 MB allowed; raise --memory' \
        errors)" '1 1'
is 'operations with enough memory are measured' \
    "$(grep -c '^scan: .*	262144				$' some.tsv) $(grep -c '^point: .*	262144	[0-9.]*	' some.tsv)" '1 1'
gf --bench rank:4K --device cpu -j 1 -t csv >rank.csv
is 'CSV quotes names with a comma' "$(sed -n 's/,4096,.*//p' rank.csv | tail -n 1)" '"median 3x3, bytes, 1 thread"'
works 'a table of speeds as JSON' gf --bench scan:4K --device cpu -j 1 -q -o scan.json
if command -v python3 >/dev/null; then
    is 'a table of speeds as JSON is a list' "$(python3 -c 'import json
t = json.load(open("scan.json"))
print(t["of"], len(t["rates"]), [r["samples"] for r in t["rates"]], [n.split(";")[0] for n in t["notes"]])' 2>&1)" \
        "scan on 1 CPU thread 6 [1024, 4096, 1024, 4096, 1024, 4096] ['the steps of the lesson scan need a GPU']"
else
    skip 'no python3 here'
fi
for kind in svg png; do
    works "lines as $kind" gf --bench conv:16K --device cpu -j 1 -o lines.$kind
    works "bars as $kind" gf --bench all:1K --device cpu -j 1 -o bars.$kind
done
for drawing in lines bars; do
    if command -v xmllint >/dev/null; then
        works "$drawing are XML" xmllint --noout $drawing.svg
    else
        skip 'no xmllint here'
    fi
    works "$drawing are a PNG" gf -i $drawing.png stats -o o.tsv
done
is 'a mark at each size' "$(grep -c '<title>copy, 1 thread</title>' lines.svg)" 3
is 'sizes along the axis' "$(grep -cE '>(1K|4K|16K)</text>' lines.svg)" 3
is 'sizes are evenly spaced' "$(sed -n 's/^<path d="M\([0-9.]*\) .*<title>copy, 1 thread<.*/\1/p' lines.svg |
    ${AWK:-awk} '{ x[NR] = $1 } END { print x[2] - x[1], x[3] - x[2] }')" '430 430'

gf --bench=blur:1K --device cpu -j 1 >stage.tsv 2>errors
is 'a stage stands for an operation that it uses' "$? $(cat errors)" \
    '0 gpufilter: the stage blur uses conv; measuring that'
is 'the operation that a stage uses is measured' \
    "$(cut -f 1 stage.tsv | tail -n 1)" 'separable 17x17 mask, bytes, 1 thread'
gf --bench equalize:1K --device cpu -j 1 -o stage.tsv 2>errors
is 'the first of several' "$(head -n 1 errors)" \
    'gpufilter: the stage equalize uses histogram and point; measuring histogram'
is 'an audio stage' "$(gf --bench reverse:1K --device cpu -j 1 -q >stage.tsv 2>&1; sed 1d stage.tsv | wc -l)" 2
for line in 'median rank' 'rotate sample' 'erode rank' 'crop move' 'over blend' 'fir conv' 'trim place'; do
    gf --bench ${line% *}:1K --device cpu -j 1 >stage.tsv 2>errors
    is "a stage that needs values: ${line% *}" \
        "$? $(grep -c "^gpufilter: the stage ${line% *} uses .*${line#* }" errors) $(sed 1d stage.tsv | wc -l)" '0 1 2'
done
refuses 2 "stage 'tee' has no operation of its own; --list shows the operations" \
    'a stage without operations' gf --bench tee
refuses 2 "stage 'reverb' needs a file; name an operation instead" 'a stage that needs a file' gf --bench reverb
is '--progress=always shows progress' \
    "$(gf --bench point:1K --device cpu -j 1 --progress=always 2>&1 >stage.tsv | tr '\r' '\n' |
    grep -c 'scale and offset, bytes, 1 thread: 1K samples')" 1
is 'copies are gray in a drawing' "$(gf --bench point:4K --device cpu -j 2 -t svg |
    sed -n 's/.*fill="\([^"]*\)".*<title>copy, \(.\) thread.*/\2 \1/p' | sort -u | tr '\n' ' ' | tr a-f A-F)" \
        '1 #9AA2AC 2 #C6CBD1 '

refuses 2 'did you mean .histogram' 'a misspelt operation' gf --bench histogarm
refuses 2 'did you mean .median' 'a misspelt stage' gf --bench medain:1K
refuses 2 'the names are across, analyze, bilateral, blend' 'an unknown operation' gf --bench xylophone
refuses 2 'point:12: the size must be 1K samples or more, as in point:1M' 'an operation with too few samples' \
    gf --bench point:12
refuses 2 'point:many: the size must be 1K samples or more' 'an operation with a size that is no number' \
    gf --bench point:many
refuses 2 'too many names: point, conv' '--bench with two names' gf --bench point conv
is 'a lesson runs plain C without a GPU' \
    "$(gf --bench streams:4K --device cpu -j 1 -q | cut -f 1 | uniq | tr '\n' ';')" \
    'way;copy, 1 thread;plain C, 1 thread;'

# gpufilter-bench, which gpufilter starts from its own folder and not from PATH.
bench=$(dirname "$GPUFILTER")/gpufilter-bench
"$bench" point:1K --device cpu -j 1 -o own.tsv 2>errors
is 'gpufilter-bench measures an operation' "$? $(cat errors) $(sed 1d own.tsv | cut -f 1 | tr '\n' ';')" \
    '0  copy, 1 thread;scale and offset, bytes, 1 thread;'
is 'messages of gpufilter-bench begin with its name' "$("$bench" histogarm 2>&1)" \
    "gpufilter-bench: no operation is called 'histogarm'; did you mean 'histogram'?"
is '--list has every name' "$("$bench" --list | sed -n 's/^  \([a-z_]*\) .*/\1/p' | sort -u)" \
    "$(gf --completion bash | sed -n "s/.*--bench) values='\(.*\)' ;;/\1/p" | tr ' ' '\n' | grep -v '^$' | sort)"
for option in --help --version; do
    works "gpufilter-bench has $option" "$bench" $option
done
works 'gpufilter-bench has --kernels' "$bench" --kernels
# usage NAME MESSAGE ARGUMENT...: gpufilter-bench fails with status 2 and exactly this message, and prints nothing else.
usage()
{
    name=$1 message=$2
    shift 2
    "$bench" "$@" >out 2>errors
    is "$name" "$? $(cat errors out)" "2 gpufilter-bench: $message"
}
for option in '--to csv' --no-clobber '--memory 1G' --progress=always --quick '--seed 3'; do
    usage "--peers does not ignore $option" \
        "$(echo "$option" | sed 's/[ =].*//') has no effect on --peers; leave it out" --peers half $option
done
for option in '--output o.tsv' '--to csv' --no-clobber '--jobs 2' '--memory 1G' --progress=always; do
    usage "--check does not ignore $option" \
        "$(echo "$option" | sed 's/[ =].*//') has no effect on --check; leave it out" --check half $option
done
for request in --kernels --rates --list; do
    usage "$request does not ignore --jobs" "--jobs has no effect on $request; leave it out" $request -j 2
done
usage '--quick is for --check' '--quick has no effect on a measurement; leave it out' point:1K --quick
usage '--list does not ignore --device' '--device has no effect on --list; leave it out' --list --device cpu
usage '--kernels on a CPU' '--device cpu: kernels run on GPUs; name one as cuda:N' --kernels --device cpu
usage 'one GPU for a measurement' '--device: a measurement uses one GPU; name it as cuda:N' point:1K --device cuda:0,1
usage 'one GPU for --check' '--device: --check uses one GPU; name it as cuda:N' --check --device all
usage 'one GPU for --peers' '--device: --peers uses one GPU; name it as cuda:N' --peers half --device cuda:0,1
usage 'threads on a GPU' '--jobs has no effect on a GPU; leave it out, or choose --device cpu' point:1K --device cuda \
    -j 2
usage 'a seed of 0 is a seed' '--seed has no effect on a measurement; leave it out' --seed 0 point:1K
for pair in 'check rates' 'kernels rates' 'check peers' 'check list' 'rates list'; do
    usage "two requests: $pair" "--${pair% *} and --${pair#* } cannot be combined; choose one" --${pair% *} --${pair#* }
done
"$bench" --check --help >out
is '--help wins over another request' "$? $(head -n 1 out | cut -c 1-22)" '0 Usage: gpufilter-bench'
usage 'a name after a name' "unexpected argument 'sobel'; --check already has the name conv" --check=conv sobel
# refused NAME MESSAGE ARGUMENT...: as usage, of gpufilter.
refused()
{
    name=$1 message=$2
    shift 2
    gf "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors out)" "2 gpufilter: $message"
}
refused '--bench takes no stages' \
    "unexpected argument 'blur:2'; --bench already has the name rank:1K" \
    --bench=rank:1K -i x.png blur:2
refused '--bench reads no input' 'x.png: unexpected input, because --bench reads no files; leave it out' \
    --bench=rank:1K -i x.png
refused '--bench and --devices' '--bench and --devices cannot be combined; choose one' --bench --devices
for option in --explain --stats '--trace t.json' '--files-from list' --update '--depth 8' '--quality 5' --strip; do
    refused "--bench does not ignore $option" "${option%% *} has no effect on --bench; leave it out" \
        --bench=rank:1K $option
done
for option in --rates --kernels --peers --check; do
    refused "gpufilter names the program with $option" "unknown option $option; that is an option of gpufilter-bench" \
        $option
done

# Outputs are checked before measurements, whose progress would be on standard error.
# output NAME STATUS MESSAGE ARGUMENT...
output()
{
    name=$1 status=$2 message=$3
    shift 3
    "$bench" point:1K --device cpu -j 1 "$@" >out 2>errors
    is "$name" "$? $(cat errors)" "$status gpufilter-bench: $message"
}
echo old >old.tsv
echo file >file
output 'an output that exists' 1 'old.tsv: already exists, and --no-clobber is given' -n -o old.tsv --progress=always
is 'an output of --bench that exists is not replaced with -n' "$(cat old.tsv)" old
output 'an output that cannot be written' 1 'file/o.tsv: Not a directory' -o file/o.tsv --progress=always
output 'a format without tables' 2 \
    'o.wav: wav stores audio, but the result is a table; try .tsv, .csv, .json, .svg or .png' \
    -o o.wav --progress=always
output 'a misspelt extension' 2 \
    'o.tvs: unknown extension .tvs; did you mean .tsv? --to selects a format for any extension' \
    -o o.tvs --progress=always
output 'an unknown extension' 2 \
    'o.zzz: unknown extension .zzz; --to selects a format for any extension, and --list shows all formats' -o o.zzz
is 'an output of --bench with an unknown extension is not written' "$(ls o.zzz 2>&1 | grep -c 'No such')" 1
output 'a new folder' 0 'note: created folder new' -o new/o.tsv
usage 'a seed is a number' '--seed=x: must be a whole number, 0 to 2147483647' --check --seed x
refuses 2 'one GPU; name it' 'gpufilter refuses two GPUs, too' gf --bench point:1K --device cuda:0,1
"$bench" --check 'half' --quick --device cpu >out 2>errors
is '--check --device cpu checks on a CPU only' \
    "$? $(grep '^ok ' out | grep -vc ', cpu$') $(grep -c '^ok .*, cpu$' out)" '0 0 12'
"$bench" --check 'half' --quick --seed 7 --device cpu >out
is '--seed is in the output' "$(head -n 1 out)" '# seed 7, quick'
mkdir alone
cp "$GPUFILTER" alone
[ ! -d "$(dirname "$GPUFILTER")/lib" ] || ln -s "$(dirname "$GPUFILTER")/lib" alone/lib
if alone/gpufilter --bench point:1K --device cpu >o.tsv 2>errors; then
    skip 'another one is installed, and that was found'
else
    is 'a missing gpufilter-bench: --bench names it' "$? $(sed "s|$PWD|HERE|; s| and .*||" errors)" \
        '1 gpufilter: the program gpufilter-bench is missing: looked for it in HERE/alone'
    alone/gpufilter --devices -v >out 2>errors
    is '--devices -v still lists devices' \
        "$? $(grep -c '^cpu ' out) $(grep \
        -c '^gpufilter: note: kernels are not listed; the program gpufilter-bench is missing' errors)" '0 1 1'
    alone/gpufilter --completion bash >out 2>errors
    is 'missing completions: --completion says where they should be' \
        "$? $(cat out) $(sed "s|$PWD|HERE|; s| and .*||" errors)" \
        '1  gpufilter: the completion for bash: looked for it in HERE/alone/completion/gpufilter'
fi
works '--devices -v succeeds' gf --devices -v
mv out devices.txt
if have_cuda; then
    works '--devices -v lists kernels' grep -q 'count_bytes<1> .* 512 ' devices.txt
else
    is '--devices -v says why it lists no kernels' "$(grep -c 'kernels are not listed' devices.txt)" 1
fi
finish
