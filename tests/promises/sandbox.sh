# The sandbox stops code of an attacker in a decoder or in a thread that computes: it cannot change
# or read other files, start programs, or reach other processes and the network. The same code does
# its misdeed without the sandbox, which shows that the tests can fail.
. "$(dirname "$0")/../lib.sh"
# a folder of its own: what is in $TMPDIR is open to the sandbox, and the scratch folder may be in it
TMPDIR=$scratch/temporary
export TMPDIR
mkdir "$TMPDIR"
no_sanitizer 'sanitizers run without a sandbox'
misdeed=$(dirname "$GPUFILTER")/tests/promises/misdeed
outside=$(dirname "$GPUFILTER")/tests/promises/outside
[ -x "$misdeed" ] && [ -x "$outside" ] || { fail 'tests/promises/misdeed and outside have not been made'; finish; }
image in.pgm 40 30 1 255 3
sound in.wav 9000 2 3
gf -q -i in.wav -o in.aiff
gf -q -i in.wav -o in.flac
gf -q -i in.wav -o in.au
gf -q -i in.wav -o in.ogg

# ---- without the kernel's help, everything works, and -v tells

sandbox_of() { "$@" -v -i in.pgm invert -o out.pgm 2>&1 | grep '^sandbox: '; }
gf -i in.pgm invert -o right.pgm
is 'off on request' "$(sandbox_of gf --no-sandbox)" 'sandbox: off, because of --no-sandbox'
files='Landlock does not limit files' calls='seccomp does not limit system calls'
for case in 'without landlock' 'without seccomp' 'without both' 'forbids landlock' 'forbids seccomp' 'forbids both' \
    'off landlock'; do
    rm -f out.pgm
    case $case in
    without*) reason='not in this kernel' ;;
    forbids*) reason='Operation not permitted' ;;
    *) reason='off on this machine (kernel option lsm=)' ;;
    esac
    case $case in
    *landlock) pattern="sandbox: system calls; $files: $reason" ;;
    *seccomp) pattern="sandbox: files (Landlock [0-9]*); $calls: $reason" ;;
    *) pattern="sandbox: none; $files: $reason; $calls: $reason" ;;
    esac
    line=$(sandbox_of "$outside" $case "$GPUFILTER")
    if [ "${case#* }" = seccomp ] && ! gf -v -i in.pgm -o other.pgm 2>&1 | grep -q "^sandbox: files"; then
        skip "one line of -v, $case: no Landlock here"
    else
        is "one line of -v, $case" "$(echo "$line" | grep -cx "$pattern")" 1
        echo "$line" | note
    fi
    same out.pgm right.pgm "the same output, $case"
    refuses 1 '^gpufilter: --untrusted: incomplete sandbox (.*); use Linux 5.13 or later with Landlock and seccomp' \
        "--untrusted needs it, $case" "$outside" $case "$GPUFILTER" --untrusted -i in.pgm -o out.pgm
    refuses 1 '^gpufilter: --sandbox: incomplete sandbox (.*); use Linux 5.13 or later with Landlock and seccomp' \
        "--sandbox needs it, $case" "$outside" $case "$GPUFILTER" --sandbox -i in.pgm -o out.pgm
done
rm -f out.pgm
"$outside" without both "$GPUFILTER" --sandbox -i in.pgm -o out.pgm 2>errors
is 'without a sandbox, --sandbox leaves no output' "$(ls out.pgm 2>/dev/null)" ''
refuses 2 '^gpufilter: --sandbox requires the sandbox; leave out --no-sandbox$' '--sandbox with --no-sandbox' \
    gf --sandbox --no-sandbox -i in.pgm -o out.pgm
refuses 2 '^gpufilter: --untrusted needs the sandbox; leave out --no-sandbox$' '--untrusted with --no-sandbox' \
    gf --untrusted --no-sandbox -i in.pgm -o out.pgm
gf -v -i in.pgm -o out.pgm 2>&1 | grep -q '^sandbox: files (Landlock [0-9]*) and system calls$' || {
    skip "this kernel has no whole sandbox: $(sandbox_of gf)"
    finish
}

# ---- before any input is read

if strace -f -o calls "$GPUFILTER" -i in.pgm -o out.pgm 2>errors; then
    mkdir folder
    cp in.pgm folder/unnamed
    cp in.wav room.wav
    for words in 'in.pgm invert' '-i folder invert' '-i in.wav fir:room.wav' '-i in.pgm over:right.pgm'; do
        rm -rf strange
        strace -f -o calls "$GPUFILTER" -q $words -o strange/
        is "the sandbox is closed before a file is opened and a thread starts: $words" "$(sed '/seccomp(/,$d' calls |
            grep 'clone\|folder/\|in\.pgm\|in\.wav\|right\.pgm\|room\.wav' |
            grep -v 'O_PATH\|stat\|access\|exec')" ''
    done
else
    skip 'no strace here'
fi

# ---- misdeeds

mkdir allowed private                            # outputs are in allowed/
"$outside" listen port socket &
listener=$!
trap 'kill $listener $victim 2>/dev/null; rm -rf "$scratch"' EXIT
while [ ! -s port ]; do sleep .02; done

# Makes the things that misdeeds aim at.
prepare()
{
    rm -rf private linked allowed/setuid
    mkdir private
    chmod 600 in.aiff
    echo secret >private/file
    chmod 600 private/file
    head -n 1 port >port.new && mv port.new port.first
    before=$(wc -l <port)
    sleep 60 >/dev/null 2>&1 &
    victim=$!
}
# Prints "done" if the misdeed has happened.
look()
{
    sleep .05
    case $1 in
    write | exec | fork) [ -e private/new ] ;;
    read | limit | shared | affinity | session | time | attributes) grep -q secret sent ;;
    tcp | unix) [ "$(wc -l <port)" -gt "$before" ] ;;
    kill | trace | pipe | socket) ! kill -0 $victim 2>/dev/null ;;
    chmod) [ "$(stat -c %a private/file)" != 600 ] ;;
    fchmod) [ "$(stat -c %a in.aiff)" != 600 ] ;;
    setuid) [ -u allowed/setuid ] ;;
    delete) [ ! -e private/file ] ;;
    truncate) [ ! -s private/file ] ;;
    link) [ -e linked ] ;;
    esac && echo done
    kill $victim 2>/dev/null
    wait $victim 2>/dev/null
}
# commit MISDEED PLACE OPTION...: runs the program with the misdeed.
commit()
{
    deed=$1 place=$2
    shift 2
    prepare
    case $deed in
    write | fork) target=private/new ;;
    exec) target='>private/new' ;;
    tcp) target=$(cat port.first) ;;
    unix) target=socket ;;
    kill | trace | pipe | socket | affinity) target=$victim ;;
    limit) target=1000 ;;
    fchmod | attributes) target=in.aiff ;;
    setuid) target=allowed/setuid ;;
    time) target=$seconds ;;
    *) target=private/file ;;
    esac
    rm -f allowed/out.wav sent
    MISDEED=$deed PLACE=$place TARGET=$target "$misdeed" -q "$@" --lanes 2 --segment 4K -i "${input:-in.aiff}" gain:-3 \
        -o "${output:-allowed/out.wav}" 3>sent 2>errors
    status=$?
    look $deed
}
gf -q -i in.aiff gain:-3 -o right.wav
cpu=                                             # what a driver needs is open if the machine has one
for file in /dev/nvidia* /dev/nvhost* /dev/nvmap* /dev/nvgpu* /dev/dxg*; do [ ! -e "$file" ] || cpu='--device cpu'; done
for deed in write exec read tcp unix kill trace chmod fchmod setuid delete truncate link fork pipe socket limit \
    shared affinity session attributes; do
    if [ $deed = attributes ] && [ "$(commit $deed header --no-sandbox)" != done ]; then
        skip "$deed: this file system has none"
        continue
    fi
    for place in header thread; do
        # the thread that executes a program replaces the run, so there is no output without a sandbox
        is "$deed in the $place happens without the sandbox" "$(commit $deed $place --no-sandbox)" done
        is "$deed in the $place" "$(commit $deed $place $cpu)" ''
        is "$deed in the $place was tried" "$(head -n 1 errors)" "misdeed: $deed in the $place"
        same allowed/out.wav right.wav "the output after $deed in the $place"
    done
done
# A missing folder is created before the sandbox closes, so that the folders beside it are not open.
for output in fresh/out.wav fresh/deep/out.wav fresh/ 'fresh/{stem}.wav' 'fresh/{stem}/out.wav' "$PWD/fresh/out.wav"; do
    rm -rf fresh
    is "no file beside the new folder of $output is written" "$(commit write header; commit truncate header)" ''
    is "the output is there: $output" "$(find fresh -type f | wc -l)" 1
done
output=
for option in --untrusted --sandbox; do
    input=in.flac                                # --untrusted does not read AIFF
    for deed in write exec; do
        for place in header thread; do
            is "$deed in the $place with $option" "$(commit $deed $place $option)" ''
            is "$deed in the $place with $option was tried" "$(head -n 1 errors)" "misdeed: $deed in the $place"
        done
    done
    input=
done
# The second process of gf_leave() needs a session of its own. Only some runs have one.
leaving() { (export GPUFILTER_LEAVE=$1; shift; input=in.flac; commit session header --device cpu "$@"; echo $status); }
is 'a second process may leave the session' "$(leaving 0)" 'done
0'
is 'a run without a second process may not leave the session' "$(leaving never)" 0
is 'a run with --untrusted on the CPU has no second process' "$(leaving 0 --untrusted)" 0
seconds=2
is 'CPU time after an ignored signal' "$(commit time header --max-seconds 1)" done
seconds=20
is 'CPU time ends at last' "$(commit time header --max-seconds 1; echo $status)" 137
is 'files of TMPDIR are not created or deleted' "$(TMPDIR=$PWD/private; export TMPDIR
    commit write header; commit delete thread)" ''

# ---- folders of libraries

library=$(ldd "$misdeed" | sed -n 's/.*libsndfile[^ ]* => \([^ ]*\).*/\1/p')
# from FOLDER: reads the private file in FOLDER, from which a library is loaded.
from()
{
    mkdir -p "$1" && cp "$library" "$1"/ && echo secret >"$1/file"
    (LD_LIBRARY_PATH= && cd "$2" && rm -f sent && MISDEED=read PLACE=header TARGET=$1/file HOME=$3 \
        LD_PRELOAD=$1/${library##*/} "$misdeed" -q -i "$scratch/in.aiff" -o "$scratch/allowed/out.wav" 3>sent 2>errors
     grep -o secret sent)
}
if [ -f "$library" ]; then
    is 'files beside a library in lib can be read' "$(from "$PWD/beside/lib/here" . /)" secret
    is 'files beside a library in library cannot' "$(from "$PWD/beside/library" . /)" ''
    is 'files of a home called lib cannot' "$(from "$PWD/lib" . "$PWD/lib")" ''
fi
mkdir current
echo secret >current/file
for list in /nowhere: : .:/nowhere ../current; do
    is "LD_LIBRARY_PATH=$list does not open the current folder" "$(cd current
        LD_LIBRARY_PATH=$list MISDEED=read PLACE=header TARGET=file "$misdeed" -q -i ../in.aiff -o ../allowed/out.wav \
            3>../sent 2>../errors; grep -o secret ../sent)" ''
done

mkdir inputs inputs/sub
cp in.aiff inputs
echo secret >inputs/sub/file
read_sub()
{
    MISDEED=read PLACE=header TARGET=inputs/sub/file "$misdeed" -q "$@" -i inputs gain:-3 -o allowed/ 3>sent 2>errors
    cat sent
}
is 'a file below the folder of the inputs can be read without the sandbox' "$(read_sub --no-sandbox)" secret
is 'a file below the folder of the inputs' "$(read_sub)" ''
is 'the read below the folder of the inputs was tried' "$(head -n 1 errors)" 'misdeed: read in the header'

# ---- older versions of Landlock

for version in 1 2 3 4 5 6; do
    LANDLOCK=$version
    export LANDLOCK
    is "a file is not changed, Landlock $version" "$(commit write header; commit delete thread)" ''
    same allowed/out.wav right.wav "the output, Landlock $version"
    is "a file is not shortened, Landlock $version" "$(commit truncate header)" ''
    is "no connection, no signal, Landlock $version" "$(commit tcp header; commit kill thread; commit pipe thread
        commit socket thread)" ''
    works "outputs are replaced and in new folders, Landlock $version" \
        "$misdeed" -q -i in.aiff tee:new/$version/tee.wav gain:-3 -o allowed/out.wav
    is "-v shows Landlock $version" "$("$misdeed" -v -i in.pgm -o out.pgm 2>&1 | grep -o 'Landlock [0-9]*')" \
        "Landlock $version"
done
unset LANDLOCK

# ---- few descriptors, and temporary files with names

for option in '' --untrusted --sandbox; do
    refuses 1 '^gpufilter: sandbox: Too many open files; raise the limit of open files (ulimit -n)$' \
        "a rule without a descriptor $option" \
        sh -c 'exec 3>&- 4>&-; ulimit -n 4; exec "$0" $1 -i in.pgm invert -o out.pgm' "$GPUFILTER" "$option"
done
works 'few descriptors, but enough' \
    sh -c 'exec 3>&- 4>&-; ulimit -n 8; exec "$0" --untrusted -i in.pgm invert -o out.pgm' "$GPUFILTER"
NAMED=1 "$misdeed" --device cpu --memory 4M resize:2000x1500 rotate:30 -o out.pgm <in.pgm 2>errors
is 'a signal while a temporary file has a name leaves no file' "$? $(ls -A "$TMPDIR")" '143 '
rm -f "$TMPDIR"/*

# ---- messages about files that are new

# A message of --untrusted or --sandbox must not recommend to do without it.
mkdir late
mkfifo late/slow
changed='has appeared or changed since the start, and the sandbox does not allow new'
for option in --untrusted --sandbox; do
    cp in.pgm late/second.pgm
    rm -f errors                         # the loop below must not find the line of the run before
    "$GPUFILTER" -v -j 1 $option -i late/slow -i late/second.pgm invert -o 'allowed/{n}.pgm' 2>errors &
    run=$!
    until grep -q '^sandbox: ' errors || ! kill -0 $run 2>/dev/null; do sleep .02; done
    cp in.pgm late/third.pgm
    mv late/third.pgm late/second.pgm
    ! kill -0 $run 2>/dev/null || cat in.pgm >late/slow
    wait $run
    is "a file that is replaced, with $option" "$(grep -o 'late/second.*' errors)" \
        "late/second.pgm: $changed files; run it again"
    : >errors
    mkdir late/out
    "$GPUFILTER" -v $option -i late/slow invert -o late/out/out.pgm 2>errors &
    run=$!
    until grep -q '^sandbox: ' errors || ! kill -0 $run 2>/dev/null; do sleep .02; done
    mv late/out late/before
    mkdir late/out
    ! kill -0 $run 2>/dev/null || cat in.pgm >late/slow
    wait $run
    is "a folder that is replaced, with $option" "$(grep -o 'late/out/out.*' errors)" \
        "late/out/out.pgm: its folder $changed folders; run it again"
    rm -r late/out late/before
done

# ---- --untrusted

is '-v shows the limits of --untrusted' "$(gf -v --untrusted -i in.pgm -o out.pgm 2>&1 | grep '^limits: ')" \
    'limits: --max-pixels 64000000, --max-memory 512.0 MB, --memory 512.0 MB, --max-output 1.0 GB, --max-seconds 60'
is '-v shows the limits that options set' \
    "$(gf -v --untrusted --max-pixels 9k --max-memory 300M --memory 1G --max-seconds 2m -i in.pgm -o out.pgm 2>&1 |
        grep '^limits: ')" \
    'limits: --max-pixels 9000, --max-memory 300.0 MB, --memory 1.0 GB, --max-output 1.0 GB, --max-seconds 120'
is '-q does not' "$(gf -q -v --untrusted -i in.pgm -o out.pgm 2>&1)" ''
works '--sandbox: formats that --untrusted does not read' gf -q --sandbox -i in.ogg gain:-3 -o out.wav
{ printf 'P5\n9000 8000\n255\n'; head -c 72000000 /dev/zero; } >large.pgm
refuses 1 '^gpufilter: large.pgm: 9000x8000 is more than 64000000 pixels' '--untrusted: many pixels' \
    gf --untrusted -i large.pgm invert -o out.pgm
works '--untrusted: as many as --max-pixels says' gf --untrusted --max-pixels 100M -i large.pgm crop:9x9 -o out.pgm
printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\nabcd' >in.hdr
for name in in.hdr in.aiff in.ogg; do
    refuses 1 "^gpufilter: $name: is .*, which --untrusted does not read; it reads AU, BMP, FLAC," \
        "--untrusted does not read $name" gf --untrusted -i $name -o out.pgm
done
cp in.aiff in-fact-aiff.flac
refuses 1 'in-fact-aiff.flac: is .* --untrusted does not read' '--untrusted: AIFF that is called FLAC' \
    gf --untrusted -i in-fact-aiff.flac -o out.wav
sound adpcm.wav 3000 1 5
printf '\021' | dd of=adpcm.wav bs=1 seek=20 conv=notrunc 2>dd.log     # a compressed encoding, for libsndfile
refuses 1 'adpcm.wav: is .* --untrusted does not read' '--untrusted: a compressed WAV' \
    gf --untrusted -i adpcm.wav -o out.wav
refuses 1 'in.aiff: is .* --untrusted does not read' '--untrusted: a response that a stage reads' \
    gf --untrusted -i in.wav fir:in.aiff -o out.wav
for name in in.wav in.flac in.au; do
    works "--untrusted reads $name" gf --untrusted -q -i $name gain:-3 -o out.wav
done
printf 'x\0\0\0ftypavif' >in.avif
refuses 1 'in.avif: is AVIF, which gpufilter does not read$' '--untrusted: no other program is recommended' \
    gf --untrusted -i in.avif -o out.pgm
refuses 1 'in.avif: is AVIF, which gpufilter does not read; use ImageMagick' \
    'ImageMagick is recommended for AVIF without --untrusted' gf -i in.avif -o out.pgm
is '--untrusted chooses the CPU' "$(gf --untrusted -i in.pgm invert --explain | grep '^device')" \
    'device: cpu, set by --untrusted'
is '--device cpu is the choice of the user' "$(gf --untrusted --device cpu -i in.pgm invert --explain |
    grep '^device')" 'device: cpu, set by --device'
ln -s far/away.pgm trap.pgm
refuses 1 'trap.pgm: is a link to a missing file, which --untrusted does not create; delete the link' \
    '--untrusted: an output that is a link to nothing' gf --untrusted -i in.pgm -o trap.pgm
is 'the target of a link is not created with --untrusted' "$(ls -d far 2>/dev/null)" ''
rm trap.pgm
if [ "$(id -u)" != 0 ]; then
    mkdir closed
    chmod a-w closed
    refuses 1 'closed/new: cannot create the folder: ' '--untrusted: a folder that cannot be created' \
        gf --untrusted -i in.pgm -o closed/new/out.pgm
    chmod u+w closed
fi
refuses 1 'in.pgm/new/out.pgm: Not a directory' '--untrusted: a folder inside a file' \
    gf --untrusted -i in.pgm -o in.pgm/new/out.pgm
gf --version >version
is '--version shows the sandbox' "$(grep -c '^sandbox: files (Landlock [0-9]*) and system calls$' version)" 1
is '--version shows the sandbox of a kernel without it' \
    "$("$outside" without both "$GPUFILTER" --version | grep '^sandbox: ')" \
    "sandbox: none; $files: not in this kernel; $calls: not in this kernel"
works '--untrusted: an image' gf --untrusted -i in.pgm blur:2 -o out.png
works '--untrusted: what it wrote' gf --untrusted -i out.png -o out.pgm
finish
