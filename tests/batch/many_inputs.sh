# Many files: folders, lists, patterns and shards. Files do not affect each other.
. "$(dirname "$0")/../lib.sh"
mkdir in one
for name in a b c d e; do
    image in/$name.ppm 31 17 3 255 $(printf '%d' "'$name")
    gf -i in/$name.ppm blur:2 -o one/$name.ppm
done

# all FOLDER EXTENSION NAME: tests that FOLDER has five files, each with the bytes of a separate
# run.
all()
{
    wrong=
    for name in a b c d e; do
        cmp -s one/$name.ppm $1/$name$2 || wrong="$wrong $name"
    done
    is "$3" "$wrong $(ls $1 | wc -l | tr -d ' ')" ' 5'
}
works 'a folder into a folder' gf -i in blur:2 -o out0/
all out0 .ppm 'a folder gives the results of its files'
works 'a folder with one thread and many lanes' gf -j 1 --lanes 3 -i in blur:2 -o out1/
all out1 .ppm 'one thread and many lanes give the same results'
works 'a folder with inputs one by one' gf -i in/a.ppm -i in/b.ppm -i in/c.ppm -i in/d.ppm -i in/e.ppm blur:2 -o out2/
all out2 .ppm 'inputs one by one give the same results'
mkdir out3
works 'a pattern for the names of outputs' gf -i in blur:2 -o 'out3/{stem}-soft.{ext}'
all out3 -soft.ppm 'a pattern for the names of outputs gives the same results'
ls in/* >list
works 'a list of inputs' gf --files-from list blur:2 -o out4/
all out4 .ppm 'a list of inputs gives the same results'
printf 'in/a.ppm\0in/b.ppm\0in/c.ppm\0in/d.ppm\0in/e.ppm' |
    gf -0 --files-from - blur:2 -o out5/ 2>errors
all out5 .ppm 'a list with zero bytes on standard input'
works 'the first shard of two' gf --shard 1/2 -i in blur:2 -o out6/
is 'the first shard of two is every second file' "$(ls out6 | tr '\n' ' ')" 'a.ppm c.ppm e.ppm '
works 'the second shard of two' gf --shard 2/2 -i in blur:2 -o out6/
all out6 .ppm 'two shards together make all outputs'
cp -r in sides
for k in 1 2; do
    works "share $k of a list with files of its own" gf --files-from list --shard $k/2 \
        'blend:sides/{stem}.ppm,difference' 'tee:tees/{stem}.ppm' blur:2 -o 'zero/{n}.ppm'
done
is 'shares of a list make all files' "$(ls tees zero | tr '\n' ' ')" \
    'tees: a.ppm b.ppm c.ppm d.ppm e.ppm  zero: 1.ppm 2.ppm 3.ppm 4.ppm 5.ppm '
cp -r in shared
mkdir linked
ln shared/b.ppm linked/a.ppm
ls shared/* >shared.list
gf --files-from shared.list --shard 1/5 invert -o linked/ 2>errors
is 'an input of another share is protected' \
    "$? $(grep -c 'would replace shared/b.ppm, which this run reads' errors)" '1 1'
same in/b.ppm shared/b.ppm 'an input of another share is unchanged'
works 'a folder as another format' gf -i in blur:2 -t pam -o out7/
is 'outputs in another format have its extension' "$(ls out7 | tr '\n' ' ')" 'a.pam b.pam c.pam d.pam e.pam '
works 'one input into a folder' gf -i in/a.ppm blur:2 -o out8/
same one/a.ppm out8/a.ppm 'one input into a folder keeps its name'

mkdir -p nested/deep nested/deeper empty/full
cp in/a.ppm in/b.ppm nested/
cp in/c.ppm nested/deep/
mkdir -p out9
gf -i nested invert -o out9/ 2>errors
is 'folders in a folder are named' \
    "$?$(grep -c '^gpufilter: warning: skipped 2 folders inside' errors)$(wc -l <errors | tr -d ' ')" 011
is 'folders in a folder are not processed' "$(ls out9 | tr '\n' ' ')" 'a.ppm b.ppm '
works 'folders in a folder give no message with -q' gf -q -i nested invert -o out9/
refuses 1 'only 1 folder; add -R to search it' 'a folder of folders' gf -i empty invert -o out9/
refuses 1 'no such folder' 'a folder that is not there' gf -i missing/ invert -o nobody/
is 'a folder that is missing creates no other' "$(ls -d nobody 2>/dev/null)" ''
rm -r nested empty out9
mkdir strange
cp in/a.ppm strange/
echo 'a text' >strange/notes.txt
echo 'another' >strange/README
cp in/b.ppm strange/named-otherwise.dat
mkdir -p out9
gf -i strange invert -o out9/ 2>errors
is 'files that are neither an image nor a recording are reported' "$? $(cat errors)" \
    '0 gpufilter: warning: strange: 2 files are neither images nor audio and were skipped: README, notes.txt'
is 'files that are neither an image nor audio are skipped, unlike files with a known content' \
    "$(ls out9 | tr '\n' ' ')" 'a.ppm named-otherwise.png '
works 'files that are neither an image nor audio give no message with -q' gf -q -i strange invert -o out9/
refuses 1 'unknown image or audio format' 'one that is named' gf -i strange/notes.txt invert -o out9/
refuses 1 'unknown image or audio format' 'a file of a list that is neither an image nor audio' sh \
    -c 'echo strange/notes.txt | "$0" --fail-fast --files-from - invert -o out9/ 2>&1 >&2 | head -n 1 >&2; exit 1' \
    "$GPUFILTER"
head -c 100 strange/a.ppm >strange/cut.ppm
mkdir -p out9
gf -i strange invert -o out9/ 2>errors
is 'one that is damaged fails' "$? $(grep -c 'strange/cut.ppm: ' errors)" '1 1'
rm strange/*.ppm strange/*.dat
refuses 1 'strange: contains no image or audio files, only README, notes.txt' 'a folder with only such files' gf \
    -i strange \
    invert -o out9/
rm -r strange out9
refuses 2 'several inputs need different outputs' 'many inputs on standard output' gf -i in blur:2
refuses 2 'several inputs need different outputs' 'many inputs and one name' gf -i in blur:2 -o all.ppm
mkdir other
cp in/a.ppm other/
refuses 2 'in/a.ppm and other/a.ppm would both be written to out9/a.ppm' 'two of one name into a folder' gf \
    -i in/a.ppm -i other/a.ppm -q blur:2 -o out9/
refuses 2 'in/a.ppm and other/a.ppm would both be written to a-soft.ppm' 'two inputs with the same name by a pattern' \
    gf -i in -i other blur:2 -o '{stem}-soft.ppm'
is 'inputs with the same name create no output' "$(ls out9 2>/dev/null; ls -d *-soft.ppm 2>/dev/null)" ''
rm -rf out9
for name in '{name}.ppm' '{stem}-{n:x}.ppm' '{n:}.ppm' '{n:99}.ppm' 'x{Stem}.ppm'; do
    refuses 2 'unknown placeholder; use {stem}, {ext} and {dir}' "$name" gf -i in blur:2 -o "$name"
    refuses 2 'unknown placeholder' "$name of one input" gf -i in/a.ppm blur:2 -o "$name"
done
refuses 2 '{name}: unknown placeholder' 'an unknown placeholder in the name of a tee' \
    gf -i in/a.ppm 'tee:{name}.png' blur:2 -o a.ppm
works 'a folder for each' gf -i in/a.ppm -i other/a.ppm invert -t png -o 'by/{dir}/{n}/'
is 'contains the names of the inputs' "$(cd by && find . -type f | sort | tr '\n' ' ')" './in/1/a.png ./other/2/a.png '
refuses 2 'in/a.ppm and other/a.ppm would both be written to by/a/a.ppm' 'two files with the same name in one folder' \
    gf -i in/a.ppm -i other/a.ppm invert -o 'by/{stem}/'
works 'a folder for one input' gf -i in/a.ppm invert -o 'by/{stem}/'
is 'a folder for one input has its output' "$(ls by/a)" a.ppm
rm -r by
works 'a number of four digits' gf -i in/a.ppm -i in/b.ppm invert -o 'numbered/{n:4}.ppm'
is 'a number of four digits is in each name' "$(ls numbered | tr '\n' ' ')" '0001.ppm 0002.ppm '
cat in/a.ppm in/b.ppm >two.ppm
works 'a number for several images in one file' \
    gf -i two.ppm 'tee:numbered/tee{n:2}.ppm' invert -o 'numbered/row-{n:03}.png'
is 'a number for several images in one file is in each name' \
    "$(cd numbered && ls tee* row* | tr '\n' ' ')" 'row-001.png row-002.png tee01.ppm tee02.ppm '
works 'braces around an unknown name' gf -i in/a.ppm invert -o 'numbered/{12-ab}{}.ppm'
is 'braces around an unknown name are literal' "$(ls numbered/*{}.ppm)" 'numbered/{12-ab}{}.ppm'
gf -i two.ppm invert -o 'numbered/%03d.ppm' 2>errors
is 'a number as others write it is a hint' "$(cat errors)" "gpufilter: warning: numbered/%03d.ppm: all images go to "\
"this one file; use {n:3} in the name for one file per image"
refuses 1 '{n:3} in the output name' 'a number as other programs write it, for several images in one file' \
    gf -i two.ppm invert -o 'numbered/%03d.png'
refuses 2 'is a single name; use {n:3} for their numbers' 'many inputs and a name without a pattern' gf -i in invert \
    -o 'numbered/%03d.png'
refuses 2 'or --join for all images in one y4m; after --join, stack' 'many inputs into frames' \
    gf -i in invert -o all.y4m
refuses 2 'or --join for all images in one pam; after --join, stack' 'inputs of several formats into one output' \
    gf -i in/a.ppm -i x.tga invert -o all.pam
rm -r numbered two.ppm
refuses 2 'K/N' 'a shard beyond the last' gf --shard 3/2 -i in -q blur:2 -o out9/
refuses 1 'nowhere' 'a list that is not there' gf --files-from nowhere -q blur:2 -o out9/

head -c 100 in/c.ppm >short
mv short in/c.ppm
gf -i in blur:2 -o out10/ 2>errors
is 'a bad file among good ones ends in 1' $? 1
is 'a bad file among good ones is reported' "$(grep -c 'in/c.ppm' errors)" 1
is 'the others are finished' "$(ls out10 | tr '\n' ' ')" 'a.ppm b.ppm d.ppm e.ppm '
gf -j 1 --fail-fast -i in blur:2 -o out11/ 2>errors
is '--fail-fast ends in 1' $? 1
is '--fail-fast ends at the bad file' "$(ls out11 | tr '\n' ' ')" 'a.ppm b.ppm '

rm in/c.ppm
gf -i in blur:2 -o out12/
echo old >out12/a.ppm
touch -d '2001-01-01' out12/b.ppm
cp -rp out12 verbose
gf -v -j 3 --update -i in blur:2 -o verbose/ 2>errors
is '-v names what goes where' "$(grep -e '->' errors)" 'in/b.ppm -> verbose/b.ppm'
is '-v prints how many outputs are up to date' "$(tail -n 1 errors)" 'inputs skipped, outputs up to date: 3'
gf -v -j 3 -i in blur:2 -o verbose/ 2>errors
is '-v prints each output and one plan, which names its input' \
    "$(grep -c -e '->' errors) $(grep -A 1 '^plan for in/.*:$' errors | grep -c '^input: ')" '4 1'
gf -v -i in stats -o verbose/all.tsv 2>errors
is '-v prints a joined table' "$(grep -e '->' errors)" '4 inputs -> verbose/all.tsv'
gf -v --explain -i in blur:2 -o verbose/ >plan 2>errors
is '--explain says where the first result would go' "$(grep -c '^input: ' plan) $(grep -h -e '->' plan errors)" \
    '1 in/a.ppm -> verbose/a.ppm'
works '--update of a folder' gf --update -i in blur:2 -o out12/
is '--update skips newer outputs' "$(cat out12/a.ppm)" old
is '--update replaces older outputs' "$(find out12 -name b.ppm -newer in/b.ppm | wc -l | tr -d ' ')" 1

# Extensions that have to change: the format of the result decides the name. psd FILE GRAY: writes a
# PSD of one pixel.
psd()
{
    {
        printf '8BPS\0\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\10\0\1'
        printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0'"$2"
    } >"$1"
}
mkdir mixed
psd mixed/x.psd '\100'
psd mixed/y.psd '\100'
cp mixed/y.psd mixed/y
gf -i in/a.ppm crop:1x1+0+0 -o mixed/x.png
gf -i mixed/x.png invert -o wanted.png
for order in 1 3; do
    mkdir mixed-out
    gf -j $order -i mixed invert -o mixed-out/ 2>errors
    is "two names that become one end in 1, $order at once" $? 1
    is "of two names that become one, the one that changes fails, $order at once" \
        "$(cmp mixed-out/x.png wanted.png && grep -c '^gpufilter: mixed/x.psd: .*mixed-out/x.png.*mixed/x.png' \
        errors)" 1
    is "two extensions that change to one name: the less known format fails, $order at once" \
        "$(grep -c '^gpufilter: mixed/y: .*mixed-out/y.png.*mixed/y.psd' errors) $(wc -l <errors)" '1 3'
    is "names that stay unique have their outputs, $order at once" "$(ls mixed-out | tr '\n' ' ')" 'x.png y.png '
    rm -r mixed-out
done
rm mixed/x.png mixed/y
works 'extensions that change' gf -i mixed invert -o mixed-out/
is 'extensions that change become PNG' "$(ls mixed-out | tr '\n' ' ')" 'x.png y.png '
for option in -n --update; do
    echo old >mixed-out/x.png
    works "$option with an extension that changes" gf -j 1 $option -i mixed invert -o mixed-out/
    is "$option looks at the name that changed" "$(cat mixed-out/x.png)" old
    works "$option in the folder of the inputs" gf $option -i mixed invert -o mixed/
    is "$option in the folder of the inputs does not take the input for the output" \
        "$(ls mixed | tr '\n' ' ')" 'x.png x.psd y.png y.psd '
    rm mixed/*.png
done

# Tables are TSV for any input's extension; drawings are made on request.
mkdir both
for name in p q; do
    gf -i in/a.ppm -o both/$name.png
done
gf -i in/a.ppm -o both/r.jpg
gf -i in/a.ppm histogram -t tsv -o wanted.tsv
works 'tables of a folder' gf -i both histogram -o tables/
is 'tables of a folder are TSV' "$(ls tables | tr '\n' ' ')" 'p.tsv q.tsv r.tsv '
same wanted.tsv tables/p.tsv 'the table of a PNG is TSV, too'
works 'drawings of a folder' gf -i both histogram -t png -o drawn/
is 'drawings of a folder are PNG' "$(ls drawn | tr '\n' ' ')" 'p.png q.png r.png '
gf -i in/b.ppm -o both/p.jpg
gf -i both histogram -o tables2/ 2>errors
is 'two tables with the same name: status 1' $? 1
is 'two tables with the same name: the first input gets it' \
    "$(grep -c 'both/p.png: would be written to tables2/p.tsv, like both/p.jpg' errors) $(ls tables2 | tr '\n' ' ')" \
    '1 p.tsv q.tsv r.tsv '

# PFMs in a stream on a pipe are buffered whole, each until the next one; a view must not outlive
# its image.
rm -rf row
mkdir row
for i in 1 2 3 4 5 6 7 8; do
    image row/$i.ppm 400 300 3 255 $i
    gf -i row/$i.ppm -o row/$i.pfm
    gf -i row/$i.pfm blur:4 -t pfm
done >row.pfm
for try in 1 2 3 4 5; do
    cat row/*.pfm | gf blur:4 -t pfm -j 4 | cksum
done | sort -u >sums
is 'several PFMs on a pipe' "$(cat sums)" "$(cksum <row.pfm)"

# If a stage rejects one of several inputs, the message names that input.
mkdir rec beside
sound rec/one.wav 100 1 1
sound rec/two.wav 100 2 2
gf -q -i rec channel:2 -o right/ 2>errors
is 'a stage that refuses one input' "$? $(cat errors)" \
    "1 gpufilter: rec/one.wav: channel: there is no channel 2; the input has 1 channel
gpufilter: 1 of 2 inputs failed"
image small.ppm 9 7 3 255 1
image large.ppm 10 7 3 255 1
cp small.ppm beside/small.ppm
cp small.ppm beside/large.ppm
gf -q -i small.ppm -i large.ppm 'compare:beside/{stem}.ppm' -o 'likeness/{stem}.tsv' 2>errors
is 'an image of another size: the message has its name' "$? $(head -n 1 errors)" \
    "1 gpufilter: large.ppm: compare: beside/large.ppm is 9x7, but the image is 10x7 here; both must have the same size"
gf -i small.ppm 'compare:beside/{stem}.ppm' -o likeness.svg
is 'a drawing has the name of the second image' \
    "$(grep -c 'beside/small.ppm' likeness.svg) $(grep -c '{stem}' likeness.svg)" '1 0'

# If memory is too small for a share per job, the jobs run one after another.
mkdir counted
for i in 1 2 3 4 5 6; do
    image counted/$i.ppm 20 10 3 255 $i
done
gf -j 8 -i counted histogram:65536 -o counts/
works 'a share of the memory is too small' gf -j 8 --memory 12M -i counted histogram:65536 -o fewer/
for i in 1 2 3 4 5 6; do
    same counts/$i.tsv fewer/$i.tsv "table $i is unchanged"
done
gf -j 8 --memory 2M -i counted histogram:65536 -o none/ 2>errors
is 'a job that is too large for all memory is reported once' \
    "$? $(ls none | tr '\n' ' ') $(grep -c 'counted/[1-6].ppm: .*raise --memory' errors) $(tail -n 1 errors)" \
    '1  6 gpufilter: 6 of 6 inputs failed'

# Failures that all other inputs would have, too, stop a batch. Before, fewer inputs are open at once.
mkdir hundred
i=100
while [ $i -lt 200 ]; do
    cp small.ppm hundred/$i.ppm
    i=$((i + 1))
done
if (ulimit -n 24) 2>/dev/null && ! gf --version | grep -q '^sanitizer: '; then
    (ulimit -n 24; gf --device cpu -j 16 -i hundred invert -o few-files/) 2>errors
    is 'a low limit of open files' "$? $(ls few-files | wc -l | tr -d ' ') $(sed 's/: [1-9] inputs* at/: N at/' errors |
        grep -v 'created folder')" \
        '0 100 gpufilter: note: N at once, not 16, because ulimit -n allows 24 open files'
    (ulimit -S -n 24; gf --device cpu -j 16 -i hundred invert -o soft-files/) 2>errors
    is 'a low limit of open files is raised if that is allowed' "$? $(grep -v 'created folder' errors)" '0 '
    tees= k=0
    while [ $k -lt 8 ]; do k=$((k + 1)); tees="$tees tee:few-tees/{stem}-$k.ppm"; done
    (ulimit -n 11; gf -q --device cpu -j 2 -i hundred $tees invert -o few-tees/) 2>errors
    is 'too many open files stop the batch' "$? $(sed 1d errors) $(sed -n '1s/.*: //p' errors)" "1 gpufilter: stopped "\
"with 0 of 100 files done: too many open files; raise ulimit -n, or use a smaller -j Too many open files"
else
    skip 'no limit of open files here'
fi
library=$(dirname "$GPUFILTER")/tests/promises/failing_calls.so
# fails CALLS ARGUMENT...: prints status, number of outputs in the folder full, and messages.
fails()
{
    calls=$1
    shift
    rm -rf full
    FAILING_CALLS=$calls LD_PRELOAD=$library "$GPUFILTER" -q --device cpu "$@" -i hundred invert -o full/ 2>errors
    echo "$? $(ls full | wc -l | tr -d ' ') $(sed '1s/.*: //' errors)"
}
if [ -f "$library" ] && ! gf --version | grep -q '^sanitizer: '; then
    is 'a full disk stops the batch' "$(fails write:11+ -j 1 | sed 's/\([0-9]*\) of/N of/')" \
        "1 $(ls full | wc -l | tr -d ' ') No space left on device
gpufilter: stopped with N of 100 files done: the disk is full; make room for the other files"
    is 'a quota stops the batch, and the files in work print no more lines' "$(fails name:5+ -j 4)" \
        '1 3 Disk quota exceeded
gpufilter: stopped with 3 of 100 files done: the disk quota is exhausted; make room for the other files'
else
    skip 'failing calls need LD_PRELOAD'
fi
mkdir misnamed
head -c 30 small.ppm >'misnamed/1: No space left on device; a.ppm'
cp small.ppm misnamed/2.ppm
gf -q -j 1 -i misnamed invert -o misnamed-out/ 2>errors
is 'the name of an input is not a reason to stop' "$(ls misnamed-out) $(tail -n 1 errors)" \
    '2.ppm gpufilter: 1 of 2 inputs failed'

# Missing folders are created, for outputs of every kind.
works 'a folder of a folder' gf -i small.ppm invert -o made/one/
works 'folders of a name' gf -i small.ppm invert tee:made/four/five/b.ppm -o made/two/three/a.ppm
works 'folders of a pattern are created' gf -i small.ppm -i large.ppm invert -o 'made/{stem}/six/c.ppm'
works 'folders of a table are created' gf -i small.ppm stats -o made/seven/t.tsv
is 'folders of a name, a pattern and a table are all there' "$(find made -type f | sort | tr '\n' ' ')" \
    'made/four/five/b.ppm made/large/six/c.ppm made/one/small.ppm made/seven/t.tsv made/small/six/c.ppm '\
'made/two/three/a.ppm '
gf --explain -i small.ppm invert -o planned/a.ppm >/dev/null
is 'a plan creates none' "$(ls -d planned 2>&1 | grep -c 'No such')" 1
refuses 1 '^gpufilter: /proc/none: cannot create the folder' 'a folder that cannot be created' gf -i small.ppm invert \
    -o /proc/none/a.ppm
refuses 1 '^gpufilter: /proc/none: ' 'a folder that cannot be created is reported once' \
    gf -i small.ppm -i large.ppm invert -o /proc/none/

# An existing folder needs no slash. Files in it are overwritten, with a warning.
mkdir own
cp small.ppm large.ppm own
gf -i own/small.ppm invert -o own 2>errors
is 'an input in the folder of the output' "$? $(cat errors)" \
    '0 gpufilter: warning: own/small.ppm: the output replaces the input; use -o with another folder to keep it'
gf -i small.ppm invert -o inverted.ppm
same own/small.ppm inverted.ppm 'an input in the folder of the output is replaced'
replaced='own/large.ppm and 1 other file: the output replaces the input; use -o with another folder to keep it'
gf -i own invert -o own/ 2>errors
is 'several inputs in the folder of the output: one warning' "$(cat errors)" "gpufilter: warning: $replaced"
cp small.ppm large.ppm own
refuses 1 "^gpufilter: $replaced (an error because of --strict)\$" \
    'several inputs in the folder of the output with --strict: one error' gf --strict -i own invert -o own/
same own/small.ppm small.ppm 'inputs in the folder of the output with --strict are not replaced'
echo broken >own/middle.ppm
gf -j 1 -i own invert -o own/ 2>errors
is 'the warning comes before the first file is replaced' "$(sed -n 's/and . other files.*//; 1p' errors)" \
    'gpufilter: warning: own/large.ppm '
rm own/middle.ppm
works 'results with other names in the folder of the inputs: no warning' gf -i own stats -o own/
rm own/*.tsv
for option in --update -n; do
    gf -i own invert -o own/ $option 2>errors
    is "in place, $option never does anything" "$? $(cat errors)" '0 gpufilter: warning: own/large.ppm and 1 other '\
"file: skipped, because the output is the input and $option keeps it; use -o with another folder"
done
works 'the input as an explicit output: no warning' gf -i own/small.ppm invert -o own/small.ppm

# ---- lists from other systems, links, names from --to ----
mkdir links && cp in/a.ppm in/b.ppm links
ln -s nowhere.ppm links/broken.ppm
gf -i links invert -o linked/ 2>errors
is 'a broken link in a folder is named' "$? $(ls linked | tr '\n' ' ')$(grep -v created errors)" \
    '0 a.ppm b.ppm gpufilter: warning: links/broken.ppm: skipped, because it is a link to a file that does not exist'
printf 'in/a.ppm\r\nin/b.ppm\r\n' >windows.txt
works 'a list with carriage returns' gf --files-from windows.txt invert -o windows/
is 'a list with carriage returns has both files' "$(ls windows | tr '\n' ' ')" 'a.ppm b.ppm '
return=$(printf 'r.ppm\r') && cp in/a.ppm "$return"
printf 'r.ppm\r\n' >windows.txt
works 'a name that ends in a carriage return' gf --files-from windows.txt invert -o 'return/{n}.ppm'
cp in/b.ppm in/a.b.ppm
works '--to makes an extension' gf -i in/a.ppm -i in/a.b.ppm resize:8 -t jpg -o 'web/{stem}-640'
is '--to makes an extension in each name' "$(ls web | tr '\n' ' ')" 'a-640.jpg a.b-640.jpg '
works '--to makes no extension if the name has one' gf -i in/a.ppm -i in/b.ppm resize:8 -t png -o 'web2/{stem}.img'
is 'an extension in the name stays' "$(ls web2 | tr '\n' ' ')" 'a.img b.img '
rm in/a.b.ppm

# ---- lists that are none ----
{ echo in/a.ppm; printf '%05000d\n' 0; } >long.txt
refuses 1 'long.txt: line 2 is too long for a file name; names must be on lines of their own' 'a name of 5000 bytes' \
    gf --files-from long.txt invert -o lists/
{ yes ./ | head -n 2000 | tr -d '\n'; echo in/a.ppm; } >long.txt
works 'a name of 4008 bytes' gf --files-from long.txt invert -o lists/
printf 'in/a.ppm\0in/b.ppm\0' >zeros.txt
refuses 1 'zeros.txt: line 1 contains a zero byte; use -0 if names end with zero bytes' 'zero bytes without -0' \
    gf --files-from zeros.txt invert -o lists/
yes in/a.ppm | head -n 600 >lines.txt
refuses 1 'lines.txt: name 1 is too long for a file name; use -0 only if' 'lines with -0' \
    gf -0 --files-from lines.txt invert -o lists/
refuses 1 '/dev/zero: line 1 contains a zero byte' 'a device of zeros' gf --files-from /dev/zero invert -o lists/
refuses 1 '/dev/zero: has more than 256 MB of names; split the list' 'a device of zeros with -0' \
    gf -0 --files-from /dev/zero invert -o lists/
refuses 1 'standard input: has more than 4000000 names; split the list' 'a list of names without end' \
    sh -c 'yes | "$0" --files-from - invert -o lists/' "$GPUFILTER"
refuses 1 '^gpufilter: in: Is a directory$' 'a folder as a list' gf --files-from in invert -o lists/

# ---- a rectangle that some images are smaller than ----
gf -i in/a.ppm resize:20x10 -o in/small.ppm
refuses 1 'add the option clip to take as much as there is' 'crop of a smaller image' gf -i in/small.ppm crop:31x17 \
    -o o.ppm
works 'a crop of smaller images with clip' gf -i in crop:30x12,clip -o cropped/
is 'a crop of smaller images with clip has as much as there is' \
    "$(head -n 2 cropped/small.ppm | tail -n 1) $(head -n 2 cropped/a.ppm | tail -n 1)" '20 10 30 12'
works 'the middle of it' gf -i in/small.ppm crop:50%x200,clip,at=center -o o.ppm
gf -i in/small.ppm crop:10x10+5+0 -o p.ppm
same o.ppm p.ppm 'a crop from the middle is the middle'
refuses 1 'the rectangle lies outside the image' 'nothing is left' gf -i in/small.ppm crop:5x5+20+0,clip -o o.ppm
refuses 2 'sides may be shares' 'a crop of more than the whole image' gf -i in/small.ppm crop:150%x5 -o o.ppm

# ---- an input that fails after a part of it was measured, and the next one ----
mkdir whole
for i in 1 2; do
    image large.ppm 700 900 3 255 $i
    gf -i large.ppm -o whole/$i.png
done
cp -R whole damaged
printf 'XXXX' | dd of=damaged/1.png bs=1 seek=1200000 conv=notrunc 2>errors
for stage in histogram stats equalize; do
    gf --device cpu -j 1 --segment 50 -i whole $stage -o "$stage-whole/" 2>errors
    failed=$(gf -q --device cpu -j 1 --segment 50 -i damaged $stage -o "$stage-damaged/" 2>&1 | grep -c '1\.png: ')
    is "$stage: a damaged input fails" "$failed" 1
    same "$(ls $stage-whole/2.*)" "$(ls $stage-damaged/2.*)" "$stage: it does not change the next result"
done

# ---- --explain of inputs that need more memory than a share ----
image large.ppm 2000 1500 3 255 1
cp large.ppm larger.ppm
plans=$(timeout 20 "$GPUFILTER" -i large.ppm -i larger.ppm median:20 -j 2 --memory 3M --explain -o 'o-{stem}.png' \
    2>errors | grep -c '^input:')
is 'the plan of a deferred input is printed once' "$plans" 1
finish
