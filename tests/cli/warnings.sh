# Warnings: each kind once in a run, with a count. -q silences them, and --strict turns them into
# errors.
. "$(dirname "$0")/../lib.sh"

image a.ppm 8 8 3 255 1
cp a.ppm b.ppm
cp a.ppm c.ppm
image a.pam 8 8 4 255 1
cp a.pam b.pam
cp a.pam c.pam
alpha='ppm has no alpha: transparent pixels become black; to make them white, end the chain with alpha:off,bg=white'

# warns NAME LINES COMMAND...: the command succeeds and prints exactly LINES on standard error.
warns()
{
    name=$1 lines=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $lines"
}

mkdir two three mixed
warns 'a warning about one file' "gpufilter: warning: a.pam: $alpha" gf -i a.pam -o o.ppm
warns 'a warning about two files' "gpufilter: warning: a.pam and 1 other file: $alpha" \
    gf -i a.pam -i b.pam -o 'two/{stem}.ppm'
warns 'three files, the first by order of inputs' "gpufilter: warning: c.pam and 2 other files: $alpha" \
    gf -j 3 -i c.pam -i b.pam -i a.pam -o 'three/{stem}.ppm'
mkdir quiet
warns 'a warning is not printed with -q' '' gf -q -i a.pam -i b.pam -o 'quiet/{stem}.ppm'
refuses 1 "^gpufilter: a.pam: ppm has no alpha.*(an error because of --strict)$" 'an error with --strict' \
    gf --strict -i a.pam -o strict.ppm
is 'a warning with --strict leaves no output' "$(ls strict.ppm 2>/dev/null)" ''
refuses 1 'a.pam: ppm has no alpha' 'a warning is an error with --strict and -q, too' \
    gf -q --strict -i a.pam -o strict.ppm
echo kept >strict.ppm
refuses 1 'a.pam: ppm has no alpha' 'an output that is there' gf --strict -i a.pam -o strict.ppm
is 'a warning with --strict does not replace an output' "$(cat strict.ppm)" kept
works 'a run without warnings' gf --strict -i a.ppm -o o.png
mkdir in made
cp a.ppm in/a.ppm
echo text >in/notes.txt
refuses 1 'skipped: notes.txt (an error' 'a warning about all inputs' gf --strict -i in -o made/
is 'fails before the first' "$(ls made 2>/dev/null)" ''
sound loud.wav 4000 1 3
refuses 1 '^gpufilter: clipped.wav: .*(an error' 'a warning that only the end brings' gf --strict -i loud.wav gain:30 \
    -o clipped.wav
is 'a warning that only the end brings leaves no output with --strict' "$(ls clipped.wav 2>/dev/null)" ''
gf -i loud.wav gain:-50 -o quiet.wav
head -c 6000 loud.wav >short.wav
mkdir both
gf -j 1 --segment 500 -i short.wav -i quiet.wav gain:30 -o both/ 2>errors
is 'clipping of a failed input is not reported for the next one' "$(cat errors)" \
    "gpufilter: short.wav: ends after frame 2978 of 4000 (0.062 s of 0.083 s); --salvage reads what is there
gpufilter: 1 of 2 inputs failed"
gf --strict -i a.ppm -i b.ppm -i c.ppm blur -o 'mixed/{stem}.{ext}' 2>errors
is 'files without warnings are written' "$? $(cat errors) $(ls mixed | tr '\n' ' ')" '0  a.ppm b.ppm c.ppm '
# Messages in the same file as the result: neither overwrites the other.
printf 'PF\n2 1\n-1\n' >hot.pfm
printf '\0\0\0\100%.0s' 1 2 3 4 5 6 >>hot.pfm
gf -q -i hot.pfm histogram:4 -o want.tsv
{ echo first; gf -i hot.pfm histogram:4; echo last; } >log 2>&1
is 'a table and its warning in one file' \
    "$(head -n 1 log) $(tail -n 1 log) $(grep -c '^gpufilter: warning: hot.pfm' log)" 'first last 1'
grep -v -e '^gpufilter: ' -e '^first$' -e '^last$' log >got.tsv
same want.tsv got.tsv 'the table is complete'
for i in 1 2 3 4; do gf -i a.ppm stats --to tsv & done >many.tsv
wait
is 'tables of several runs in one file' "$(grep -c ^channel many.tsv)" 4
{ gf -i hot.pfm -t ppm; echo last; } >log 2>&1
is 'an image, too' "$(tail -n 1 log) $(grep -ac 'gpufilter: warning' log)" 'last 1'
finish
