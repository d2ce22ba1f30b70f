# After a run on a GPU, gpufilter exits at once, and a second process waits for the driver. The second
# process keeps nothing of the user's. GPUFILTER_LEAVE makes it stay for some milliseconds, also
# without a GPU.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'the process always exits as usual'
[ -r /proc/self/stat ] || skip_all 'the list of processes needs /proc'

# Prints the numbers of second processes that are alive, but not those that init has not removed yet.
seconds()
{
    for stat in /proc/[0-9]*/stat; do
        read -r line <"$stat" || continue
        case $line in
        *"(gpufilter-end) Z"* | *"(gpufilter-end) X"*) ;;
        *"(gpufilter-end) "*) [ -n "$(grep -a -l "$scratch" "${stat%/stat}/cmdline")" ] && echo "${line%% *}" ;;
        esac
    done 2>/dev/null
}
# Kills processes and waits until they have ended.
end()
{
    kill -KILL "$@"
    tries=0
    while [ -n "$(seconds)" ] && [ $((tries += 1)) -lt 250 ]; do
        sleep .02
    done
}
# Prints how many second processes there are; ends them.
count()
{
    tries=0 found=$(seconds)
    while [ -z "$found" ] && [ $((tries += 1)) -lt 10 ]; do
        sleep .02
        found=$(seconds)
    done
    echo "$found" | grep -c .
    [ -z "$found" ] || end $found
}
# becomes NAME WANTED COMMAND...: tests that the command prints this, within 5 seconds.
becomes()
{
    name=$1 wanted=$2 tries=0
    shift 2
    while [ "$("$@")" != "$wanted" ] && [ $((tries += 1)) -lt 250 ]; do
        sleep .02
    done
    is "$name" "$("$@")" "$wanted"
}
# milliseconds COMMAND...: the time that a command takes, in $took. Its status is in $status.
milliseconds()
{
    start=$(date +%s%N)
    "$@"
    status=$?
    took=$((($(date +%s%N) - start) / 1000000))
}
leave() { GPUFILTER_LEAVE=$stay "$GPUFILTER" --device cpu "$@"; }

stay=60000
image in.ppm 90 70 3 255 1
in=$scratch/in.ppm
gf --device cpu -i "$in" blur:2 -o right.ppm
leave -i "$in" blur:2 -o first.ppm
status=$?
tries=0
while left=$(seconds); [ -z "$left" ] && [ $((tries += 1)) -lt 250 ]; do
    sleep .02
done
is 'the status is 0, and a second process exists' "$status $(echo "$left" | grep -c .)" '0 1'
same first.ppm right.ppm 'the output is complete'
open_files() { for fd in /proc/"$left"/fd/*; do readlink "$fd"; done | sort -u; }
session() { awk '{ sub(/.*\) /, ""); print $3, $4, $5 }' /proc/"$left"/stat; }
becomes 'the second process has only /dev/null' /dev/null open_files
is 'the second process has the folder /' "$(readlink /proc/"$left"/cwd)" /
becomes 'the second process has a session and a group of its own, and no terminal' "$left $left 0" session
is 'the second process blocks signals' \
    "$(kill -INT "$left"; kill -TERM "$left"; kill -HUP "$left"; sleep .05; seconds)" "$left"
end "$left"

# ---- what waits for the program does not wait for the second process

milliseconds leave -i "$in" blur:2 -o o.ppm
is 'a script goes on at once' "$status $([ $took -lt 30000 ] && echo soon) $(count)" '0 soon 1'
milliseconds leave -i "$in" resize:0 -o o.ppm 2>errors
is 'a wrong option: status 2' "$status $([ $took -lt 30000 ] && echo soon) $(wc -l <errors | tr -d ' ') $(count)" \
    '2 soon 1 1'
milliseconds leave -i "$scratch/none.ppm" blur:2 -o o.ppm 2>errors
is 'an input is missing: status 1' "$status $([ $took -lt 30000 ] && echo soon) $(wc -l <errors | tr -d ' ') $(count)" \
    '1 soon 1 1'
milliseconds eval 'leave -i "$in" blur:2 | cat >o.ppm'
same o.ppm right.ppm 'a pipe receives everything'
is 'the reader of a pipe sees its end' "$([ $took -lt 30000 ] && echo soon) $(count)" 'soon 1'
milliseconds eval 'bytes=$(leave -i "$in" blur:2 2>&1 | wc -c)'
is 'a substitution sees the end of a pipe' "$((bytes)) $([ $took -lt 30000 ] && echo soon) $(count)" \
    "$(($(wc -c <right.ppm))) soon 1"
milliseconds eval 'leave -i "$in" blur:2 2>errors | head -c 20 >o.ppm'
is 'a reader that leaves early' "$([ $took -lt 30000 ] && echo soon) $(cat errors) $(count)" 'soon  1'
milliseconds eval 'leave -i "$in" histogram --stats 2>errors >o.tsv'
is 'tables and reports are complete' "$status $(wc -l <o.tsv) $([ -s errors ] && echo report) $(count)" \
    "0 $(gf --device cpu -i "$in" histogram | wc -l) report 1"
milliseconds eval 'leave -i "$in" --explain blur:2 >explained'
is 'a plan is complete' "$(cmp explained - <<END
$(gf --device cpu -i "$in" --explain blur:2)
END
) $(count)" ' 1'
leave -i "$in" blur:2 -o o.ppm &
wait $!
is 'wait returns the status' "$? $(count)" '0 1'
leave -i "$scratch/none.ppm" blur:2 -o o.ppm 2>errors &
wait $!
is 'wait returns the status of a failure' "$? $(count)" '1 1'
if command -v timeout >/dev/null; then
    milliseconds timeout 30 env GPUFILTER_LEAVE=$stay "$GPUFILTER" --device cpu -i "$in" blur:2 -o o.ppm
    is 'timeout does not wait' "$status $([ $took -lt 30000 ] && echo soon) $(count)" '0 soon 1'
fi
if command -v flock >/dev/null; then
    (leave -i "$in" blur:2 -o o.ppm) 9>lock
    is 'a lock that the shell passed on is free' "$(flock -w 5 lock echo free) $(count)" 'free 1'
    (flock 9; leave -i "$in" blur:2 -o o.ppm) 9>lock
    is 'a lock that the shell took is free' "$(flock -w 5 lock echo free) $(count)" 'free 1'
fi
if command -v script >/dev/null; then
    # the terminal ends when the last process that has it open is gone
    milliseconds script -qec "GPUFILTER_LEAVE=$stay '$GPUFILTER' --device cpu -i '$in' blur:2 -o o.ppm" /dev/null \
        </dev/null >said
    is 'a terminal closes at once' "$status $([ $took -lt 30000 ] && echo soon) $(count)" '0 soon 1'
fi
if command -v setsid >/dev/null; then
    milliseconds setsid -w env GPUFILTER_LEAVE=$stay "$GPUFILTER" --device cpu -i "$in" blur:2 -o o.ppm
    is 'a session whose leader is the run ends at once' "$status $([ $took -lt 30000 ] && echo soon) $(count)" \
        '0 soon 1'
fi

# ---- the process exits as usual

stay=never
leave -i "$in" blur:2 -o o.ppm
is 'GPUFILTER_LEAVE=never leaves no process' "$? $(seconds)" '0 '
stay=60000
env -u GPUFILTER_LEAVE "$GPUFILTER" --device cpu -i "$in" blur:2 -o o.ppm
is 'a run on a CPU leaves no process' "$? $(seconds)" '0 '

# with_init COMMAND...: runs gpufilter 40 times in a container in which this command is process 1.
# Prints how many processes stay that nothing removes. The command must read a pipe to its end.
cat >runs.sh <<'END'
i=0
while [ $((i += 1)) -le 40 ]; do
    GPUFILTER_LEAVE=slow "$1" --device cpu -i "$2" invert -o o.ppm || exit
done
i=0
while grep -q '(gpufilter[^)]*) [^Z]' /proc/[0-9]*/stat 2>/dev/null && [ $((i += 1)) -le 50 ]; do
    sleep .1
done
grep -l ') Z' /proc/[0-9]*/stat 2>/dev/null | wc -l >dead
END
mkfifo wait.fifo
with_init()
{
    echo failed >dead
    unshare -pf --mount-proc sh -c 'sh runs.sh "$0" "$1" >wait.fifo & shift; exec "$@" <wait.fifo' \
        "$GPUFILTER" "$in" "$@" >said 2>&1
    cat dead
}
if unshare -pf --mount-proc true 2>/dev/null; then
    # it would take the second process with it
    milliseconds unshare -pf env GPUFILTER_LEAVE=$stay "$GPUFILTER" --device cpu -i "$in" blur:2 -o o.ppm
    is 'a run as process 1: all processes end' "$status $([ $took -lt 30000 ] && echo soon) $(seconds)" '0 soon '
    dead=$(with_init cat)
    is 'process 1 never waits for orphans: about 20 stay' \
        "$([ "$dead" -ge 18 ] && [ "$dead" -lt 36 ] && echo some)" some
    if env --block-signal=CHLD true 2>/dev/null; then
        is 'process 1 is an init that takes signals in order' "$(with_init env --block-signal=CHLD cat)" 40
        is 'process 1 ignores them, so the system removes them' "$(with_init env --ignore-signal=CHLD cat)" 0
    fi
else
    skip 'a container with its own process 1 cannot be made here'
fi

# ---- signals while it works, and no time to work

# killed SIGNAL STATUS: kills a run that waits for its input, after it has created a temporary file.
# Tests the status, what is left in the folder, and that there is no second process.
mkfifo way
killed()
{
    rm -rf box
    mkdir box
    GPUFILTER_LEAVE=$stay "$GPUFILTER" --device cpu -i way blur:2 -o box/o.ppm &
    pid=$!
    { head -c 1000 "$in"; sleep .1; kill -"$1" $pid; } >way 2>errors
    wait $pid 2>/dev/null
    is "killed by $1" "$? $(ls -A box) $(seconds)" "$2  "
}
killed TERM 143
# After nohup, a shell cannot let its commands die of SIGHUP, and gpufilter ignores it as asked.
if [ "$(sh -c 'kill -HUP $$; echo ignored' 2>/dev/null)" = ignored ]; then
    skip 'killed by HUP: SIGHUP is ignored here'
else
    killed HUP 129
fi
killed KILL 137
finish
