# --stay: a process keeps the device between runs. Results are the same, whoever is killed nobody waits, and nothing
# is left after its time. GPUFILTER_KILLS is the number of kills of either side.
. "$(dirname "$0")/../lib.sh"
device=${GPUFILTER_TEST_DEVICE:-cpu}
[ "$device" = cpu ] || need_cuda
kills=${GPUFILTER_KILLS:-40}
mkdir -m 700 run
XDG_RUNTIME_DIR=$PWD/run
export XDG_RUNTIME_DIR
unset GPUFILTER_STAY
trap 'gf --stop >stopped; rm -rf "$scratch"' EXIT
{ printf 'P6\n600 500\n255\n'; head -c 900000 /dev/urandom; } >in.ppm
image second.pam 57 43 4 255 3
cp "$GPUFILTER_SAMPLES/sound.wav" .

# Prints the numbers of the processes that stay.
processes() { gf --devices | sed -n 's/^stays .* process \([0-9]*\),.*/\1/p'; }

# wait_until COMMAND: waits up to 15 seconds.
wait_until()
{
    tries=0
    until eval "$1"; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || return 1
        sleep 0.05
    done
}

# ---- the same bytes

# same NAME INPUT OPTIONS...: tests that a run with --stay writes what a run without it does.
same()
{
    name=$1
    shift
    rm -f alone.out with.out
    gf -q --device "$device" "$@" -o alone.out 2>errors
    if gf -q --device "$device" --stay 60 "$@" -o with.out 2>>errors && cmp -s alone.out with.out; then
        pass "$name"
    else
        fail "$name"
        note <errors
    fi
}

same 'a chain of an image' -i in.ppm gray blur:2 rotate:30 -t ppm
first=$(processes)
is 'one process stays' "$(echo "$first" | wc -w)" 1
same 'an image on a pipe of small segments' -i in.ppm median:2 --segment 4K --lanes 3 -t ppm
same 'a measured image' -i in.ppm equalize -t ppm
same 'a table of counts' -i in.ppm histogram -t tsv
same 'tiles of an image' -i in.ppm clahe -t ppm
same 'a second image' -i in.ppm over:second.pam,5,7 over:second.pam,60,70 -t ppm
# A GPU needs more memory for its lanes, and a larger image.
memory=2M large=in.ppm
[ "$device" = cpu ] || { memory=24M large=large.ppm; gf -q --device cpu -i in.ppm resize:3000x2500 -o large.ppm; }
same 'a signal on disk' -i $large rotate:30 --memory $memory -t ppm
same 'a measured signal on disk' -i $large equalize --memory $memory -t ppm
same 'steps with state' -i sound.wav lowpass:1k bass:6 echo:0.1,0.5 limit:-6 --segment 4K --lanes 2 -t wav
same 'whole recordings' -i sound.wav normalize reverse resample:44100 -t wav
same 'records of a recording' -i sound.wav stats:true -t json
same 'a large filter' -i in.ppm blur:60 -t ppm
same 'weights by similarity' -i in.ppm bilateral:3,0.1 -t ppm
same 'edges by two masks' -i in.ppm canny -t ppm
same 'a sharpened image' -i in.ppm sharpen unsharp:2 sobel -t ppm
same 'a filter with many taps' -i sound.wav lowpass:hz=1k,taps=4095 highpass:hz=50,taps=16383 -t wav
is 'the same process has served all of them' "$(processes)" "$first"
cat in.ppm | gf -q --device "$device" --stay 60 gray -o piped.ppm
gf -q --device "$device" -i in.ppm gray -o direct.ppm
is 'a pipe has the same result' "$(cmp piped.ppm direct.ppm 2>&1)" ''
mkdir many both
for i in 1 2 3 4 5 6 7 8; do
    image many/$i.ppm 90 $((40 + i)) 3 255 $i
done
gf -q --device "$device" -i many blur:2 -o both/alone/
gf -q --device "$device" --stay 60 -i many blur:2 -o both/with/
is 'several workers have the same results' "$(diff -r both/alone both/with 2>&1)" ''
i=0
while [ $i -lt 12 ]; do
    i=$((i + 1))
    gf -q --device "$device" --stay 60 -i in.ppm gray -o at-once-$i.ppm &
    at_once="$at_once $!"
done
for run in $at_once; do wait "$run"; done
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cmp at-once-$i.ppm direct.ppm; done >differs 2>&1
is 'runs at the same time have the same results' "$(cat differs)" ''
GPUFILTER_STAY=60 gf -q --device "$device" -i in.ppm gray -o variable.ppm
is 'the variable of the environment does the same' "$(cmp variable.ppm direct.ppm 2>&1)$(processes)" "$first"
gf --device "$device" --stay 60 --stats --trace trace.json -i in.ppm blur:2 -o direct.ppm 2>stats
for report in stats trace.json; do
    grep -o conv $report | head -n 1
done >found
is 'reports have the intervals of the process' "$(tr '\n' ' ' <found)" 'conv conv '

gf --device "$device" --stay 60 --max-seconds 60 --stats -i in.ppm gray -o direct.ppm 2>alone
gf --device "$device" --stay 60 --stats -i in.ppm gray -o direct.ppm 2>with
is 'a run with --max-seconds does not use the process' "$(grep -c 'kept ready' alone),$(grep -c 'kept ready' with)" 0,1

gf -q --device cpu --join -i in.ppm -i in.ppm -i in.ppm noise:0.1 -o film.tif
gf -q --device "$device" -i film.tif blur:1 tmean:3 -o alone.tif
gf --device "$device" --stay 60 --stats -i film.tif blur:1 tmean:3 -o with.tif 2>with
is 'a run on consecutive frames does not use the process' "$(cmp alone.tif with.tif 2>&1)$(
    grep -c 'kept ready' with),$(grep -c 'tmean works on consecutive frames' with)" 0,1

# ---- whose process it is

is 'others cannot use the folder' "$(stat -c %a run/gpufilter)" 700
is 'others cannot use the socket' "$(stat -c %a run/gpufilter/stay-*)" 700
CUDA_CACHE_DISABLE=1 gf -q --device "$device" --stay 60 -i in.ppm gray -o direct.ppm
is 'another environment has a process of its own' "$(processes | wc -w)" 2
cp "$GPUFILTER" other-build
[ ! -d "$(dirname "$GPUFILTER")/lib" ] || cp -r "$(dirname "$GPUFILTER")/lib" .
./other-build -q --device "$device" --stay 60 -i in.ppm gray -o direct.ppm
is 'another build has a process of its own' "$(processes | wc -w)" 3
chmod 755 run/gpufilter
gf --device "$device" --stay 60 -i in.ppm gray -o direct.ppm 2>errors
is 'a folder that others can read is not used' "$(grep -c 'no private folder' errors)" 1
chmod 700 run/gpufilter
refuses 2 'needs a socket from systemd' 'the process does not start without a socket' gf --serve --device "$device"

gf --stop >stopped
wait_until '[ -z "$(processes)" ]'
(ulimit -f 100000; gf --device "$device" --stay 60 -i in.ppm gray -o direct.ppm 2>errors)
nice -n 5 "$GPUFILTER" --device "$device" --stay 60 -i in.ppm gray -o direct.ppm 2>>errors
is 'a run with limits or a low priority starts no process' "$(processes)$(grep -c 'limits or the priority' errors)" 2

# systemd passes a socket that it listens to, as descriptor 3.
if command -v python3 >/dev/null; then
    gf --stop >stopped
    wait_until '[ -z "$(processes)" ]'
    env python3 -c 'if True:
        import os, socket, sys
        s = socket.socket(socket.AF_UNIX)
        s.bind("run/gpufilter/stay.socket")
        s.listen()
        os.dup2(s.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execv(sys.argv[1], sys.argv[1:])' "$GPUFILTER" --serve --device "$device" --stay 60 &
    server=$!
    wait_until 'gf --devices | grep -q "process $server,"'
    same 'a process of systemd serves a run' -i in.ppm gray blur:2 -t ppm
    is 'a run uses the process of systemd' "$(processes)" $server
    gf --stop >stopped
    wait $server
    is 'the socket of systemd stays' "$(ls run/gpufilter)" "lock
stay.socket"
    rm run/gpufilter/stay.socket
    # This one closes each connection before it answers.
    env python3 -c 'if True:
        import socket
        s = socket.socket(socket.AF_UNIX)
        s.bind("run/gpufilter/stay.socket")
        s.listen()
        while True:
            s.accept()[0].close()' &
    closer=$!
    wait_until '[ -S run/gpufilter/stay.socket ]'
    same 'a process that ends too early is no loss' -i in.ppm gray blur:2 -t ppm
    kill -KILL $closer
    wait $closer 2>/dev/null
    rm -f run/gpufilter/stay.socket
else
    skip 'no python3 to listen as systemd does'
fi

# ---- its end

gf -q --device "$device" --stay 60 -i in.ppm gray -o direct.ppm
pid=$(processes)
kill -STOP "$pid"
gf --device "$device" --stay 60 -i in.ppm gray -o late.ppm 2>errors
is 'a run does without a process that does not answer' \
    "$(grep -c "process $pid does not answer" errors)$(cmp late.ppm direct.ppm 2>&1)" 1
refuses 1 "process $pid does not answer" '--stop fails if a process does not answer' gf --stop
kill -CONT "$pid"                       # it reads the request that was refused, and ends
wait_until '[ "$(ls run/gpufilter)" = lock ]'
for try in 1 2 3; do                     # the process that was stopped may still be ending
    gf -q --device "$device" --stay 60 -i in.ppm gray -o direct.ppm
    said=$(gf --stop)
    [ "$said" != '1 process ends' ] || break
done
is '--stop says how many processes end' "$said" '1 process ends'
wait_until '[ -z "$(processes)" ]'
is '--stop says that no process stays' "$(gf --stop)" 'no process stays'
if command -v python3 >/dev/null; then
    # A run that starts a process has the lock between making its socket and listening.
    env python3 -c 'if True:
        import fcntl, socket, time
        lock = open("run/gpufilter/lock")
        fcntl.flock(lock, fcntl.LOCK_EX)
        s = socket.socket(socket.AF_UNIX)
        s.bind("run/gpufilter/stay-soon")
        time.sleep(60)' >/dev/null 2>&1 &
    binder=$!
    wait_until '[ -S run/gpufilter/stay-soon ]'
    is 'the socket of a process that is just starting stays' "$(gf --stop; ls run/gpufilter)" "no process stays
lock
stay-soon"
    kill -KILL $binder
    wait $binder 2>/dev/null
fi
if command -v python3 >/dev/null; then
    # serve ANSWER: a process of another version, which sends this for each question.
    serve()
    {
        env python3 -c 'if True:
            import os, socket, struct, sys
            s = socket.socket(socket.AF_UNIX)
            s.bind("run/gpufilter/stay-other")
            s.listen()
            while True:
                c = s.accept()[0]
                c.recv(8)
                c.send(eval(sys.argv[1]))
                c.close()' "$1" >/dev/null 2>&1 &
        other=$!
        wait_until '[ -S run/gpufilter/stay-other ]'
    }
    leave()
    {
        kill -KILL $other
        wait $other 2>/dev/null
        rm -f run/gpufilter/stay-other
    }
    serve 'struct.pack("=IIii2d2q24s40s", 16, 104, 7, 0, 3, 60, 0, 0, b"cuda:5", b"a later member")'
    is '--devices lists a process of a later version' \
        "$(gf --devices | grep -c '^stays   cuda:5, process 7, idle for 3 of 60 s')" 1
    leave
    serve 'b""'
    is '--devices names a process of another version' \
        "$(gf --devices | grep -c "^stays   process $other, of another version")" 1
    refuses 1 "process $other is of another version of gpufilter; end it with kill $other" \
        '--stop fails if a process is of another version' gf --stop
    leave
fi
gf --stop >stopped
wait_until '[ -z "$(processes)" ]'
is 'stopped processes leave no socket' "$(ls run/gpufilter)" lock
gf -q --device "$device" --stay 3 -i in.ppm gray -o direct.ppm
is 'a process is there' "$(processes | wc -w)" 1
pid=$(processes)
wait_until '[ ! -S "$(echo run/gpufilter/stay-*)" ]'
is 'after its time there is no socket' "$(ls run/gpufilter)" lock
wait_until '! grep -q "^State:.*[RSD]" /proc/$pid/status 2>/dev/null'
is 'after its time there is no process' "$(grep '^State:.*[RSD]' "/proc/$pid/status" 2>/dev/null)" ''

# Times: the process stays until that of each run is over.
for seconds in 60 1; do
    gf -q --device "$device" --stay $seconds -i in.ppm gray -o direct.ppm
done
gf --devices | sed -n 's/^stays .* idle for [0-9.]* of \([0-9]*\) s.*/\1/p' >seconds
is 'a shorter time does not shorten that of an earlier run' "$([ "$(cat seconds)" -gt 30 ] && echo yes)" yes
gf --stop >stopped
wait_until '[ -z "$(processes)" ]'

# Neither questions nor silent connections keep a process.
gf -q --device "$device" --stay 1 -i in.ppm gray -o direct.ppm
wait_until '[ -z "$(processes)" ]'
is 'questions do not keep a process' "$(processes)" ''
if command -v python3 >/dev/null; then
    # hold COUNT: connects so often, and says nothing.
    hold()
    {
        env python3 -c 'if True:
            import glob, socket, sys, time
            all = [socket.socket(socket.AF_UNIX) for i in range(int(sys.argv[1]))]
            for s in all:
                s.connect(glob.glob("run/gpufilter/stay-*")[0])
            open("held", "w")
            time.sleep(60)' "$1" >/dev/null 2>&1 &
        holder=$!
        wait_until '[ -f held ]'
        rm -f held
    }
    gf -q --device "$device" --stay 60 -i in.ppm gray -o direct.ppm
    pid=$(processes)
    hold 1
    gf --stop >stopped
    wait_until '! grep -q "^State:.*[RSD]" /proc/$pid/status 2>/dev/null'
    is 'a silent connection does not keep a process' "$(grep '^State:.*[RSD]' "/proc/$pid/status" 2>/dev/null)" ''
    kill -KILL $holder
    wait $holder 2>/dev/null
    if [ "$device" = cpu ]; then
        (ulimit -n 24; gf -q --device cpu --stay 60 -i in.ppm gray -o direct.ppm)
        pid=$(processes)
        hold 40
        # Prints the CPU time of the process in clock ticks.
        ticks() { ${AWK:-awk} '{ print $14 + $15 }' "/proc/$pid/stat"; }
        before=$(ticks)
        sleep 1
        is 'a process without free descriptors does not spin' \
            $(($(ticks) - before < 30)) 1
        kill -KILL $holder
        wait $holder 2>/dev/null
        wait_until '[ "$(ls "/proc/$pid/fd" | wc -l)" -lt 20 ]'
        same 'a process with free descriptors again serves a run' -j 1 -i in.ppm gray -t ppm
        is 'the process without free descriptors is still there' "$(processes)" "$pid"
    fi
    gf --stop >stopped
fi

# ---- kills

gf -q --device "$device" -i in.ppm median:9 rotate:7 -o new.ppm
random() { od -An -N2 -tu2 /dev/urandom | ${AWK:-awk} -v most="$1" '{ print $1 % most }'; }
mkdir box
# kill_side SIDE: kills the run, or the process, after a random time; counts what is wrong.
kill_side()
{
    torn=0 hung=0 odd=0 n=0
    while [ $n -lt "$kills" ]; do
        n=$((n + 1))
        rm -f box/*
        timeout 60 "$GPUFILTER" -q --device "$device" --stay 60 -i in.ppm median:9 rotate:7 -o box/out.ppm 2>message &
        run=$!
        sleep "0.$(printf '%03d' "$(random 120)")"
        if [ "$1" = run ]; then
            pkill -KILL -P $run 2>/dev/null
        else
            for pid in $(processes); do kill -KILL "$pid" 2>/dev/null; done
        fi
        wait $run 2>/dev/null
        status=$?
        [ $status != 124 ] || hung=$((hung + 1))
        [ ! -f box/out.ppm ] || cmp -s box/out.ppm new.ppm || torn=$((torn + 1))
        case $status in
        0) [ -f box/out.ppm ] || odd=$((odd + 1)) ;;
        1) [ "$(wc -l <message)" = 1 ] || { odd=$((odd + 1)); cp message odd; } ;;
        esac
    done 2>/dev/null
}
kill_side run
is 'after kills of runs no output is torn' "$torn" 0
is 'after kills of runs nobody waits' "$hung" 0
wait_until 'gf --devices | grep -q "^stays .* idle"'
is 'after kills of runs the process is idle' "$(gf --devices | grep -c '^stays .* idle')" 1
kill_side process
is 'after kills of the process no output is torn' "$torn" 0
is 'after kills of the process nobody waits' "$hung" 0
is 'after kills of the process there is one line' "$odd" 0
[ ! -f odd ] || note <odd
same 'the next run starts a new process' -i in.ppm gray blur:2 rotate:30 -t ppm

# A run that is stopped does not keep others from the process.
cp in.ppm fifo.ppm && rm fifo.ppm && mkfifo fifo.ppm
gf -q --device "$device" --stay 60 -i fifo.ppm blur:2 -o stopped.ppm &
stopped=$!
{ head -c 500000 in.ppm; sleep 20; } >fifo.ppm &
feeder=$!
sleep 0.3
kill -STOP $stopped
same 'a stopped run starves nobody' -i in.ppm gray blur:2 -t ppm
kill -KILL $stopped $feeder 2>/dev/null
wait $stopped 2>/dev/null

gf --stop >stopped
wait_until '[ -z "$(processes)" ]'
is 'at the end there is no socket' "$(ls run/gpufilter)" lock
finish
