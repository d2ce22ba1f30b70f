# The sandbox allows every file that a run names, however it is named: the result is the same with
# and without it.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'sanitizers run without a sandbox'
mkdir elsewhere temporary
TMPDIR=$scratch/temporary
export TMPDIR
image photo.ppm 40 30 3 255 3
image elsewhere/logo.pgm 40 30 1 255 4
image elsewhere/other.ppm 40 30 3 255 5
sound voice.wav 3000 1 6
sound elsewhere/room.wav 300 1 7
printf '1 2 1\n2 4 2\n1 2 1\n' >elsewhere/mask.txt
gf -v -i photo.ppm -o first.ppm 2>&1 | grep -q '^sandbox: files' || skip_all 'this kernel has no Landlock'

# both NAME COMMAND: runs a shell command in new folders, with $gf without and with the sandbox, and
# tests that it succeeds without errors and that the same files result.
both()
{
    for way in open closed; do
        rm -rf $way
        mkdir $way
        case $way in
        open) gf="$GPUFILTER --no-sandbox" ;;
        closed) gf=$GPUFILTER ;;
        esac
        export gf
        (cd $way && cp ../photo.ppm ../voice.wav . && sh -c "$2" >../$way.out 2>../$way.err </dev/null) ||
            echo "status $?" >>$way.err
    done
    if cmp -s open.out closed.out && cmp -s open.err closed.err && diff -r open closed >changed 2>&1 &&
        ! grep -q 'status\|denied\|not permitted\|No such' closed.err; then
        pass "$1"
    else
        fail "$1"
        cat closed.err changed | note
    fi
}

both 'an output in the same folder' '$gf -i photo.ppm invert -o out.png'
both 'an output that exists' 'cp photo.ppm out.ppm; $gf -i photo.ppm invert -o out.ppm'
both 'an output that replaces its input' '$gf -i photo.ppm invert -o photo.ppm'
both 'an output in a new folder' '$gf -i photo.ppm invert -o new/folder/out.png'
both 'a plan creates no folder' '$gf -i photo.ppm invert --explain -o new/out.png; ls'
both 'an output elsewhere' 'd=$(mktemp -d); $gf -i photo.ppm invert -o "$d/out.ppm"; cat "$d/out.ppm"; rm -r "$d"'
both 'an output through a link' 'ln -s ../temporary/linked.ppm out.ppm; $gf -i photo.ppm invert -o out.ppm
    cat ../temporary/linked.ppm; rm out.ppm ../temporary/linked.ppm'
both 'an output in a folder that is a link' 'mkdir real; ln -s real link; $gf -i photo.ppm invert -o link/out.ppm'
both 'an absolute name' '$gf -i "$PWD/photo.ppm" invert -o "$PWD/out.ppm"'
both 'an input through a link' 'mkdir deep; mv photo.ppm deep/; ln -s deep/photo.ppm link
    $gf -i link invert -o out.ppm'
both 'standard input and output' '$gf invert <photo.ppm >out.ppm; cat photo.ppm | $gf invert | cat >piped.ppm'
both '/dev/stdin and /dev/stdout' '$gf -i /dev/stdin invert -o /dev/stdout <photo.ppm >out.ppm
    cat photo.ppm | $gf -i /dev/stdin invert -o /dev/stdout | cat >piped.ppm'
both '/dev/fd/N as input' '$gf -i /dev/fd/5 invert -o out.ppm 5<photo.ppm
    cat photo.ppm | { $gf -i /dev/fd/6 invert -o piped.ppm 6<&0; }'
both '/dev/fd/N as output' '$gf -i photo.ppm invert -t ppm -o /dev/fd/5 5>out.ppm
    { $gf -i photo.ppm invert -t ppm -o /dev/fd/5 5>&1; } | cat >piped.ppm'
both 'a deleted file as output' 'exec 5<>gone; rm gone; $gf -i photo.ppm invert -t ppm -o /dev/fd/5
    cat /dev/fd/5 >out.ppm'
both 'a deleted input' 'exec 5<photo.ppm; rm photo.ppm; $gf -i /dev/fd/5 invert -o out.ppm'
both 'named pipes as input and output' 'mkfifo in out; cat photo.ppm >in & cat out >result &
    $gf -i in invert -t ppm -o out; wait; rm in out'
# A folder with special files is open to the other outputs, and so is a special file that a link leads to.
pipes='cp voice.wav a.wav; cp voice.wav b.wav; mkdir out; mkfifo out/a.wav; cat out/a.wav >first &'
both 'a named pipe in a folder of outputs' "$pipes"' $gf -j 1 -i a.wav -i b.wav -o out/; wait; rm out/a.wav'
both 'a named pipe in a folder with fields' "$pipes"' $gf -j 1 -i a.wav -i b.wav -o "out/{stem}.wav"
    wait; rm out/a.wav'
both 'a link to a named pipe in a folder of outputs' 'cp voice.wav a.wav; cp voice.wav b.wav; cp voice.wav c.wav
    mkdir out far; mkfifo far/pipe; ln -s ../far/pipe out/b.wav; cat far/pipe >second &
    $gf -j 1 -i a.wav -i b.wav -i c.wav -o out/; wait; rm far/pipe out/b.wav'
both 'an output to /dev/null' '$gf -i photo.ppm invert -t ppm -o /dev/null'
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
    both 'a file on another file system' 'd=$(mktemp -d /dev/shm/gpufilter-test.XXXXXX); cp photo.ppm "$d"
        $gf -i "$d/photo.ppm" invert -o "$d/out.ppm"; $gf -i "$d/out.ppm" -o back.png; cat "$d/out.ppm"; rm -r "$d"'
fi

both 'a second image elsewhere' '$gf -i photo.ppm over:../elsewhere/other.ppm -o out.ppm'
both 'a second image named after the input' '$gf -i photo.ppm "mask:../elsewhere/logo.pgm" -o out.pam
    cp ../elsewhere/other.ppm photo-2.ppm; $gf -i photo.ppm "blend:{dir}/{stem}-2.ppm,screen" -o out.ppm'
both 'a matrix in a file' '$gf -i photo.ppm conv:../elsewhere/mask.txt -o out.ppm'
both 'a response in a file' '$gf -q -i voice.wav fir:../elsewhere/room.wav -o out.wav'
both 'a tee into other folders' '$gf -i photo.ppm tee:../temporary/t.ppm tee:new/t.png invert -o out.ppm
    cat ../temporary/t.ppm; rm ../temporary/t.ppm'
both 'tee with a name after the input' '$gf -i photo.ppm "tee:new/{stem}-t.png" invert -o out.ppm'
both 'tee to a device' '$gf -q -i photo.ppm tee:/dev/null invert -o out.ppm'
both 'a timeline of a run' '$gf -i photo.ppm invert --trace traces.json -o out.ppm; rm traces.json'
both 'a chain in a file' 'echo invert flip >chain; $gf -i photo.ppm @chain -o out.ppm'
both 'a table as TSV and as SVG' '$gf -i photo.ppm histogram -o new/h.tsv; $gf -i photo.ppm histogram -o h.svg'
both 'a temporary file' 'cat photo.ppm | $gf resize:2000x1500 rotate:30 --memory 4M -o out.ppm'

many='mkdir in; for i in 1 2 3 4 5; do $gf -i photo.ppm brightness:.$i -o in/$i.ppm; done;'
both 'a folder of inputs' "$many"' $gf -i in invert -o out/ -t png'
both 'a folder with links' "$many"' mkdir far; mv in/3.ppm far; ln -s ../far/3.ppm in/; $gf -i in invert -o out/'
both 'a folder with other files' "$many"' echo text >in/notes; cp in/1.ppm in/unnamed; $gf -q -i in invert -o out/'
both 'numbers of inputs if other files are skipped' "$many"' echo text >in/1-notes; echo text >in/4a; mkdir m
    for n in 1 2 3 4 5; do cp ../photo.ppm m/${n}_$n.ppm; done
    $gf -q -i in "over:m/{stem}_{n}.ppm" -o out/; $gf -q -i in "over:m/{n}_{n}.ppm" -o new/'
both 'a pattern for inputs' "$many"' $gf -i "in/[2-4].ppm" invert -o "out/{n}-{stem}.png"'
both 'a list of names' "$many"' ls in/*.ppm | $gf --files-from - invert -o "{dir}/{stem}-x.png"'
both 'names of outputs with folders' "$many"' $gf -i in/1.ppm -i in/2.ppm invert -o "new/{stem}/{dir}/x.png"'
both 'outputs that replace their inputs' "$many"' $gf -j 4 -i in invert -o in/'
both 'newer outputs are skipped' "$many"' $gf -i in -o out/; touch -d 2001-01-01 in/*
    $gf -v --update -i in -o out/ 2>&1 | grep up.to'
both 'one table of many' "$many"' $gf -i in stats -o all.tsv'
both 'numbered images from a pipe' "$many"' cat in/*.ppm | $gf invert -o "out/{n:3}.png"'

if gf -q --no-sandbox -i photo.ppm -o term:symbols >drawn.txt 2>&1; then
    both 'an image in the terminal, with libchafa' '$gf -i photo.ppm -o term:symbols
    $gf -i photo.ppm -o term:sixel'
else
    skip 'no libchafa here'
fi
if command -v valgrind >valgrind.txt; then
    gf -i photo.ppm invert -o wanted.ppm
    valgrind -q "$GPUFILTER" -j 1 -i photo.ppm invert -o out.ppm 2>valgrind.txt     # it may not know all calls
    same out.ppm wanted.ppm 'a run under valgrind has the same output'
fi

# ---- what the sandbox does not allow

# The second input is replaced while the first one is still awaited.
mkdir inputs late
mkfifo inputs/slow
cp photo.ppm inputs/second.ppm
"$GPUFILTER" -v -j 1 -i inputs/slow -i inputs/second.ppm invert -o 'late/{n}.ppm' 2>errors &
until grep -q '^sandbox: ' errors; do sleep .02; done
cp photo.ppm inputs/third.ppm
mv inputs/third.ppm inputs/second.ppm
cat photo.ppm >inputs/slow
wait $!
is 'an input that is replaced during the run is an error' $? 1
if grep -q '^gpufilter: inputs/second.ppm: has appeared or changed since the start.*--no-sandbox$' errors; then
    pass 'the error about a replaced input says what helps'
else
    fail 'the error about a replaced input says what helps'
    note <errors
fi
gf -i photo.ppm invert -o wanted.ppm
same late/1.ppm wanted.ppm 'the other input is done'

# The folder of the output is replaced while the input is awaited.
: >errors
"$GPUFILTER" -v -i inputs/slow invert -o late/out.ppm 2>errors &
until grep -q '^sandbox: ' errors; do sleep .02; done
mv late earlier
mkdir late
cat photo.ppm >inputs/slow
wait $!
is 'a folder that is replaced during the run is an error' "$? $(ls late)" '1 '
if grep -q '^gpufilter: late/out.ppm: its folder has appeared or changed .*--no-sandbox$' errors; then
    pass 'the error about a replaced folder says what helps'
else
    fail 'the error about a replaced folder says what helps'
    note <errors
fi

# A device as the output does not open its folder.
for device in /dev/null /dev/full; do
    strace -e trace=openat -o calls "$GPUFILTER" -q -i photo.ppm invert -t ppm -o $device 2>errors
    [ $? -le 1 ] && [ -c $device ] || { skip "no strace here, or no $device"; continue; }
    is "only $device is opened for an output in /dev" "$(sed -n 's/.*"\(\/dev[^"]*\)", O_[A-Z_|]*PATH.*/\1/p' calls |
        grep -vx '/dev/zero\|/dev/urandom' | sort -u | grep -vx "$([ $device = /dev/null ] || echo /dev/null)")" $device
done
finish
