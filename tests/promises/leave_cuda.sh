# Runs on a GPU leave at once, and their second processes end soon. A run that starts meanwhile works.
. "$(dirname "$0")/../lib.sh"
need_cuda

unset GPUFILTER_LEAVE
image in.ppm 90 70 3 255 1
in=$scratch/in.ppm
# With GPUFILTER_LEAVE=0, the second process exists whatever process 1 is.
leave() { GPUFILTER_LEAVE=${stay:-0} "$GPUFILTER" --device cuda -i "$in" "$@"; }

# Prints the names of this script's processes that are alive.
alive()
{
    for stat in /proc/[0-9]*/stat; do
        read -r line <"$stat" || continue
        case $line in
        *"(gpufilter"*") "[ZX]*) ;;
        *"(gpufilter"*) ! grep -aq "$scratch" "${stat%/stat}/cmdline" || echo "$line" ;;
        esac
    done 2>/dev/null
}
# Waits until no such process is alive, for 5 s at most, and prints those that are.
last()
{
    tries=0
    while [ -n "$(alive)" ] && [ $((tries += 1)) -le 50 ]; do
        sleep .1
    done
    alive
}

GPUFILTER_LEAVE=never gf --device cuda -i "$in" blur:2 -o right.ppm
is 'GPUFILTER_LEAVE=never: no second process' "$? $(alive)" '0 '
stay=3000
leave blur:2 -o o.ppm
is 'a run leaves a second process' "$? $(alive | grep -c gpufilter-end)" '0 1'
same o.ppm right.ppm 'a run that leaves a second process has a complete output'
is 'a second process ends' "$(last)" ''
stay=
i=0 wrong=
head -c 5 in.ppm >cut.ppm
while [ $((i += 1)) -le 10 ]; do                # while the driver is still starting
    GPUFILTER_LEAVE=0 gf --device cuda -i "$scratch/cut.ppm" blur:2 -o o.ppm 2>errors
    wrong="$wrong$? $(wc -l <errors | tr -d ' ')/"
done
is 'ten runs that fail early' "$wrong" '1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/1 1/'
i=0 wrong=
while [ $((i += 1)) -le 10 ]; do
    rm -f o.ppm
    leave blur:2 -o o.ppm >said 2>&1 && cmp -s o.ppm right.ppm || wrong="$wrong run $i: $(cat said)"
done
is 'ten runs, each right after another' "$wrong" ''
i=0
while [ $((i += 1)) -le 5 ]; do
    leave blur:2 -o a.ppm >said-a 2>&1 &
    leave blur:2 -o b.ppm >said-b 2>&1 || wrong="$wrong $(cat said-b)"
    wait $! || wrong="$wrong $(cat said-a)"
    cmp -s a.ppm right.ppm && cmp -s b.ppm right.ppm || wrong="$wrong pair $i"
done
is 'two runs at the same time' "$wrong" ''
is 'all second processes of two runs end' "$(last)" ''
finish
