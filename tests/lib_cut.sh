# What the tests of cuts share: cut_ways, which does a piece of work in many ways and compares bytes.
. "$(dirname "$0")/lib.sh"
device=${GPUFILTER_TEST_DEVICE:-cpu}
cuts='1,1,1 1,5,2 700,2,2 4K,1,1 4K,5,2 64K,2,1 1M,3,2'
if [ "$device" = cuda ]; then
    need_cuda
    cuts='1,5,2 4K,2,1 64K,5,2'
fi
cp "$GPUFILTER_SAMPLES"/taps.txt .

# A WAV whose header leaves its length open, as programs write it that don't know it yet.
open_ended()
{
    head -c 40 $1
    printf '\377\377\377\377'
    tail -c +45 $1
}

# same_sound FILE FILE: the same bytes; the second may have 36 more in its header, room for a length that was not known.
same_sound()
{
    cmp -s $1 $2 && return 0
    [ $(($(wc -c <$1) + 36)) = $(wc -c <$2) ] || return 1
    tail -c +13 $1 >heard
    tail -c +49 $2 | cmp -s heard -
}

# GPUFILTER_SHARE=1/3: every third piece of work, from the second one on; for several shares side by side.
share=${GPUFILTER_SHARE:-0/1}
pieces=0
is_ours()
{
    pieces=$((pieces + 1))
    [ $(((pieces - 1) % ${share#*/})) = ${share%/*} ]
}

# cut_ways FILE ENDING STAGE...: every cut of the work gives what an uncut run gives. All at once: a GPU takes its time
# to start. Status 1 where it is another share's.
cut_ways()
{
    is_ours || return 1
    file=$1 ending=$2
    shift 2
    rm -f part-*
    for way in $cuts; do
        segment=${way%%,*} threads=${way##*,} lanes=${way#*,}
        gf --device $device --segment $segment --lanes ${lanes%,*} -j $threads -i $file "$@" -o part-$way.$ending 2>>errors &
    done
    cat $file | gf --device $device --segment 900 "$@" -o part-pipe.$ending 2>>errors &
    if [ $file != ${file%.wav} ]; then
        open_ended $file | gf --device $device --segment 900 "$@" -o part-open.$ending 2>>errors &
    fi
    gf --device $device -i $file "$@" -o whole.$ending 2>errors
    runs=$?
    wait
    if [ $runs != 0 ]; then
        fail "$file $* runs"
        note <errors
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
        pass "$file $*"
    else
        fail "$file $*: other bytes with (--segment, --lanes, -j)$wrong"
        note <errors
    fi
    return 0
}
