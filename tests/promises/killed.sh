# A killed run leaves either the old output or the complete new one. GPUFILTER_KILLS is the number
# of kills.
. "$(dirname "$0")/../lib.sh"

kills=${GPUFILTER_KILLS:-60}
mkdir box
{ printf 'P6\n1200 900\n255\n'; head -c 3240000 /dev/urandom; } >in.ppm
gf --device cpu -i in.ppm blur:9 rotate:7 -o new.ppm 2>errors
printf 'P6\n1 1\n255\nold' >old.ppm

# Prints a random number below $1, from the random bytes of the machine.
random() { od -An -N2 -tu2 /dev/urandom | ${AWK:-awk} -v most="$1" '{ print $1 % most }'; }

# Sends signal $1 after a random delay, $kills times, and counts what is left in the folder box.
try_kills()
{
    torn=0 litter=0 old=0 new=0 n=0
    while [ $n -lt "$kills" ]; do
        n=$((n + 1))
        cp old.ppm box/out.ppm
        "$GPUFILTER" --device cpu -i in.ppm blur:9 rotate:7 -o box/out.ppm 2>/dev/null &
        pid=$!
        sleep "0.0$(printf '%02d' "$(random 30)")"
        kill -"$1" $pid 2>/dev/null
        wait $pid 2>/dev/null
        if cmp -s box/out.ppm old.ppm; then old=$((old + 1))
        elif cmp -s box/out.ppm new.ppm; then new=$((new + 1))
        else torn=$((torn + 1)); fi
        [ "$(ls -A box | tr '\n' ' ')" = 'out.ppm ' ] || { litter=$((litter + 1)); rm -f box/.[!.]* box/*; }
    done 2>/dev/null
    echo "# $1: $kills times, $old old, $new new"
}

try_kills TERM
is 'TERM: no output is torn' "$torn" 0
is 'TERM: nothing else is left' "$litter" 0
# The output has its complete content before it is renamed. SIGKILL between the two leaves a file
# with a temporary name.
try_kills KILL
is 'KILL: no output is torn' "$torn" 0
is 'KILL: rarely anything else is left' "$([ "$litter" -le $((kills / 10 + 1)) ] && echo rarely)" rarely

# ---- interrupts while several workers replace outputs

# Each call that names or unlinks a file takes 20 ms, so most signals arrive between naming and
# replacing, and other workers continue while the handler unlinks.
slow=$(dirname "$GPUFILTER")/tests/promises/failing_calls.so
mkdir batch replaced
i=0
while [ $i -lt 80 ]; do
    i=$((i + 1))
    image batch/$i.ppm 8 8 3 255 $i
done

# interrupt_batch SIGNAL JOBS [CALLS]: interrupts batches after several delays, and counts hidden files.
interrupt_batch()
{
    stopped=0 calls=${3:-slow}
    for delay in 0.04 0.05 0.06 0.07 0.08; do
        for file in batch/*.ppm; do
            cp old.ppm "replaced/${file##*/}"
        done
        (ulimit -c 0; timeout -s "$1" $delay env LD_PRELOAD="$slow" FAILING_CALLS=$calls "$GPUFILTER" -q --device cpu \
            -j "$2" -i batch invert -o replaced/) 2>/dev/null
        [ $? != 124 ] || stopped=$((stopped + 1))
    done
    is "$1 with -j $2, $calls: nothing is left" "$(ls -A replaced | grep -c '^\.')" 0
    works "$1 with -j $2, $calls: most runs were interrupted" [ $stopped -ge 2 ]
    rm -f replaced/.[!.]*
}
if gf --version | grep -q '^sanitizer: ' || ! timeout -s TERM 5 true; then
    skip 'interrupted batches need LD_PRELOAD and timeout'
else
    for signal in INT TERM HUP QUIT; do
        interrupt_batch $signal 4
    done
    interrupt_batch INT 2
    interrupt_batch TERM 64
    # Without O_TMPFILE, each file has a hidden name from its first byte. Signals that end a process are
    # not only those of a terminal: batch systems send USR1 before a time limit, and 40 is a real-time signal.
    for signal in TERM USR1 USR2 ALRM VTALRM PROF IO PWR STKFLT 40; do
        interrupt_batch $signal 4 slow-named
    done
fi

# ---- continuing an interrupted batch in place

# Interrupts a batch that replaces its inputs, and finds in $named the outputs that -v named.
stop_in_place()
{
    rm -rf places
    cp -r batch places
    touch -d '2001-01-01' places/*
    touch stamp
    sleep 0.02
    (ulimit -c 0; timeout -s TERM "$1" env LD_PRELOAD="$slow" FAILING_CALLS=slow "$GPUFILTER" -v --device cpu \
        -j 4 -i places blur:2 -o places/) 2>said
    named=$(sed -n 's/^places.* -> //p' said)
}
gf -q --device cpu -i batch blur:2 -o placed/
if gf --version | grep -q '^sanitizer: ' || ! timeout -s TERM 5 true; then
    skip 'interrupted batches need LD_PRELOAD and timeout'
else
    early= interrupted=0
    for delay in 0.1 0.15 0.2 0.25; do
        stop_in_place $delay
        for file in $named; do cmp -s "$file" "placed/${file##*/}" || early="$early $file"; done
        [ -z "$named" ] || [ "$(echo "$named" | wc -l)" = 80 ] || interrupted=$((interrupted + 1))
    done
    works 'a batch in place is interrupted' [ $interrupted -gt 0 ]
    is '-v names files that are complete' "$early" ''
    find places -type f ! -name '.*' ! -newer stamp -print0 |
        gf -q --device cpu --files-from - -0 blur:2 -o '{dir}/{stem}.{ext}' >said 2>&1
    is 'the other files can be found by their times' "$? $(cat said; diff -r places placed)" '0 '
fi

# status_after SIGNAL [ignored]: prints the status of a run that gets the signal while it waits for its input.
# If the signal is ignored at the start, TERM follows.
mkfifo waits
status_after()
{
    ([ -z "$2" ] || trap '' "$1"; exec "$GPUFILTER" --device cpu -i waits invert -o waiting.ppm) 2>/dev/null &
    pid=$!
    sleep 0.5
    kill -"$1" $pid
    [ -z "$2" ] || { sleep 0.2; kill -TERM $pid; }
    wait $pid
    echo $?
}
for signal in USR1 ALRM 40; do
    case $signal in USR1) number=10 ;; ALRM) number=14 ;; *) number=$signal ;; esac
    is "$signal is the reason why a run ends" "$(status_after $signal 2>/dev/null)" $((128 + number))
done
is 'a signal that is ignored at the start remains ignored' "$(status_after USR1 ignored 2>/dev/null)" 143

# ---- pipes

# A pipe that breaks at either end: the reader leaves, or the writer leaves.
i=0 wrong=
while [ $i -lt 10 ]; do
    i=$((i + 1))
    bytes=$(gf --device cpu -i in.ppm blur:3 2>errors | head -c "$(random 60000)1" | wc -c)
    [ -s errors ] && wrong="$wrong reader left after $bytes bytes: $(cat errors)"
    cp old.ppm box/out.ppm
    head -c "$(($(random 60000) + 20))" in.ppm | gf --device cpu blur:3 -o box/out.ppm 2>errors &&
        wrong="$wrong a cut input passed"
    cmp -s box/out.ppm old.ppm || wrong="$wrong the target was touched"
done
is 'pipes pulled at either end' "$wrong" ''

# ---- inputs that end too soon

mkdir ends
# ends_soon NAME BYTES FILE OUT: sends BYTES bytes through a pipe and closes it.
ends_soon()
{
    cp old.ppm "ends/$4"
    head -c "$2" "$3" | gf --device cpu invert -o "ends/$4" >said 2>&1
    is "$1: a failure with a message of one line" "$? $(wc -l <said | tr -d ' ')" '1 1'
    is "$1: the target is unchanged" "$(cmp ends/"$4" old.ppm; ls -A ends)" "$4"
    rm -f "ends/$4"
}
sound tone.wav 400000 2 1
cat in.ppm in.ppm >two.ppm
{ printf 'YUV4MPEG2 W160 H120 F25:1 C420jpeg\n'; for i in 1 2; do echo FRAME; head -c 28800 in.ppm; done; } >two.y4m
gf -i tone.wav -o tone.flac
gf -i in.ppm -o in.png
ends_soon 'audio that is read' 1000000 tone.wav o.wav
ends_soon 'audio, in its header' 30 tone.wav o.wav
ends_soon 'a second image' 5000000 two.ppm o.ppm
ends_soon 'the header of a second image' 3240021 two.ppm o.ppm
ends_soon 'video that is read' 40000 two.y4m o.y4m
ends_soon 'encoded audio that is read' 100000 tone.flac o.wav
ends_soon 'an encoded image' 1000000 in.png o.png

# ---- reading that is interrupted

# A slow pipe delivers frames in pieces, and signals stop and continue the program. Nothing is lost.
slowly()
{
    i=0
    while [ $i -lt 8 ]; do
        tail -c +$((i * 199999 + 1)) tone.wav | head -c 199999
        i=$((i + 1))
        sleep .1
    done
    tail -c +$((8 * 199999 + 1)) tone.wav
}
gf --device cpu -i tone.wav gain:-3 -o right.wav
mkfifo slow
slowly >slow &
"$GPUFILTER" --device cpu -i slow gain:-3 -o came.wav 2>errors &
pid=$!
i=0
while [ $i -lt 20 ] && kill -STOP $pid 2>/dev/null; do
    i=$((i + 1))
    sleep .02
    kill -WINCH $pid
    kill -CONT $pid
    kill -URG $pid
    sleep .02
done 2>/dev/null
wait $pid
is 'stopped and continued while it reads' "$?$(cat errors)" 0
same right.wav came.wav 'nothing is lost'

# ---- files that shrink while they are read

# shrinks NAME FILE STAGES...: the reader of the output truncates the input while most of it is
# still unread.
shrinks()
{
    name=$1 file=$2
    shift 2
    cp "$file" shrinking
    rm -f way.out
    mkfifo way.out
    { head -c 100000 >/dev/null; head -c 70000 "$file" >shrinking; cat >/dev/null; } <way.out &
    gf --device cpu -j 2 --segment 64K -i shrinking "$@" -o way.out >said 2>&1
    is "$name: a failure with a message of one line" "$? $(wc -l <said | tr -d ' ')" '1 1'
    : <>way.out                          # in case it was never opened
    wait
}
{ printf 'P6\n2400 1800\n255\n'; cat in.ppm in.ppm in.ppm in.ppm | head -c 12960000; } >large.ppm
{ head -c 40 tone.wav; printf '\0\0\100\0'; head -c 4194304 large.ppm; } >long.wav
shrinks 'an image file that shrinks' large.ppm blur:2
shrinks 'an audio file that shrinks' long.wav gain:-3
# If the target is a file, it stays unchanged, or it is right if the whole input was read in time.
gf --device cpu -i large.ppm blur:3 -o large-right.ppm
i=0 wrong=
while [ $i -lt 6 ]; do
    i=$((i + 1))
    cp large.ppm shrinking
    cp old.ppm box/out.ppm
    "$GPUFILTER" --device cpu -i shrinking blur:3 -o box/out.ppm 2>errors &
    sleep "0.0$(random 9)"
    head -c 70000 large.ppm >shrinking
    wait $!
    case $? in
    0) cmp -s box/out.ppm large-right.ppm || wrong="$wrong not right" ;;
    1) cmp -s box/out.ppm old.ppm && [ "$(wc -l <errors)" = 1 ] || wrong="$wrong touched, or $(cat errors)" ;;
    *) wrong="$wrong another status" ;;
    esac
    [ "$(ls -A box)" = out.ppm ] || wrong="$wrong litter"
done
is 'a target is complete or unchanged if the input shrinks' "$wrong" ''
finish
