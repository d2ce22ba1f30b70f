# Shared by the tests of cuts: cut_ways runs a job with many segment sizes, lanes and threads and
# compares bytes.
. "$(dirname "$0")/../lib.sh"
choose_device
cuts='1,1,1 1,5,2 700,2,2 4K,1,1 4K,5,2 64K,2,1 1M,3,2'
if [ "$device" = cuda ]; then
    cuts='1,5,2 4K,2,1 64K,5,2'
fi
cp "$GPUFILTER_SAMPLES"/taps.txt .

# Writes a WAV file whose header leaves its length open, as programs write it that do not know the
# length yet.
open_ended()
{
    head -c 40 $1
    printf '\377\377\377\377'
    tail -c +45 $1
}

# same_sound FILE FILE: compares bytes. The header of the second file may be 36 bytes longer, room
# for an unknown length.
same_sound()
{
    cmp -s $1 $2 && return 0
    [ $(($(wc -c <$1) + 36)) = $(wc -c <$2) ] || return 1
    tail -c +13 $1 >heard
    tail -c +49 $2 | cmp -s heard -
}

# GPUFILTER_SHARE=1/3 runs every third job, starting with the second, so that several shares can run
# at the same time.
share=${GPUFILTER_SHARE:-0/1}
pieces=0
is_ours()
{
    pieces=$((pieces + 1))
    [ $(((pieces - 1) % ${share#*/})) = ${share%/*} ]
}

# run_call FILE ARGUMENT...: makes one call and returns its exit status. FILE is piped to standard input; "-" means no
# input.
run_call()
{
    from=$1
    shift
    if [ "$from" = - ]; then
        gf "$@" </dev/null 2>>errors
    else
        cat $from | gf "$@" 2>>errors
    fi
}

in_background() { if [ -n "$GPUFILTER_CALLS" ]; then "$@"; else "$@" & fi; }

# cut_once SEGMENT,LANES,THREADS STAGE...: runs $file with this cut.
cut_once()
{
    way=$1
    shift
    segment=${way%%,*} threads=${way##*,} lanes=${way#*,}
    run_call - --device $device --segment $segment --lanes ${lanes%,*} -j $threads -i $file "$@" -o part-$way.$ending
}

# cut_ways FILE EXTENSION STAGE...: tests that every cut gives the bytes of an uncut run. If no process makes all calls,
# all cuts run at the same time. Returns 1 if the job belongs to another share or is not chosen.
cut_ways()
{
    is_ours || return 1
    file=$1 ending=$2
    shift 2
    name="$file as $ending: $*"
    is_chosen "$name" || return 1
    rm -f part-* whole.*
    : >errors
    for way in $cuts; do
        in_background cut_once $way "$@"
    done
    in_background run_call $file --device $device --segment 900 "$@" -o part-pipe.$ending
    if [ $file != ${file%.wav} ]; then
        open_ended $file >open.wav
        in_background run_call open.wav --device $device --segment 900 "$@" -o part-open.$ending
    fi
    run_call - --device $device -i $file "$@" -o whole.$ending
    runs=$?
    [ -n "$GPUFILTER_CALLS" ] || wait
    if [ $runs != 0 ]; then
        fail "$name"
        { echo "status $runs"; cat errors; } | note
        return 0
    fi
    wrong=
    for way in $cuts pipe; do
        cmp -s whole.$ending part-$way.$ending || wrong="$wrong $way"
    done
    if [ $file != ${file%.wav} ]; then
        same_sound whole.$ending part-open.$ending || wrong="$wrong a pipe that does not tell how long it is"
    fi
    if [ -z "$wrong" ]; then
        pass "$name"
    else
        fail "$name"
        { echo "other bytes with (--segment, --lanes, -j)$wrong"; cat errors; } | note
    fi
    return 0
}
