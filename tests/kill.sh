# Killed at any moment, it leaves the old output or the new one, whole. GPUFILTER_KILLS says how often.
. "$(dirname "$0")/lib.sh"

kills=${GPUFILTER_KILLS:-60}
mkdir box
{ printf 'P6\n1200 900\n255\n'; head -c 3240000 /dev/urandom; } >in.ppm
gf --device cpu -i in.ppm blur:9 rotate:7 -o new.ppm 2>errors
printf 'P6\n1 1\n255\nold' >old.ppm

# A number below $1, told by the random bytes of the machine.
random() { od -An -N2 -tu2 /dev/urandom | ${AWK:-awk} -v most="$1" '{ print $1 % most }'; }

# Kills with signal $1 after a while, $kills times; what is left in box is told apart.
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
# Between the name it gets and the name it shall have, a whole file may be left by who can't be caught.
try_kills KILL
is 'KILL: no output is torn' "$torn" 0
is 'KILL: rarely anything else is left' "$([ "$litter" -le $((kills / 10 + 1)) ] && echo rarely)" rarely

# A pipe pulled at either end: the reader leaves, the writer leaves.
i=0 wrong=
while [ $i -lt 10 ]; do
    i=$((i + 1))
    bytes=$(gf --device cpu -i in.ppm blur:3 2>errors | head -c "$(random 60000)1" | wc -c)
    [ -s errors ] && wrong="$wrong reader left after $bytes bytes: $(cat errors)"
    cp old.ppm box/out.ppm
    head -c "$(($(random 60000) + 20))" in.ppm | gf --device cpu blur:3 -o box/out.ppm 2>errors && wrong="$wrong a cut input passed"
    cmp -s box/out.ppm old.ppm || wrong="$wrong the target was touched"
done
is 'pipes pulled at either end' "$wrong" ''
finish
