# One table of many inputs: order, failed inputs, different columns, names that need quotes, valid
# JSON.
. "$(dirname "$0")/../lib.sh"

# Images of four pixels each, so that the table can be worked out by hand.
mkdir in
echo 'P2 4 1 255 0 0 51 255' >in/b.pgm                   # 0 0 .2 1
echo 'P2 4 1 255 51 51 51 51' >in/a.pgm                  # .2
echo 'P3 2 1 255 255 0 51  255 0 51' >in/c.ppm           # 1 0 .2
gf -i in/b.pgm -o in/d.png
values='0.2	0.2	0.2	0	0.2	0'
cat >wanted.tsv <<TSV
file	channel	min	max	mean	sd	median	nonfinite
in/a.pgm	y	$values
in/b.pgm	y	0	1	0.3	0.412310563	0.1	0
in/c.ppm	r	1	1	1	0	1	0
in/c.ppm	g	0	0	0	0	0	0
in/c.ppm	b	$values
in/d.png	y	0	1	0.3	0.412310563	0.1	0
TSV
works 'a folder, with the table on standard output' gf -i in stats
same wanted.tsv out 'a folder, with the table on standard output: all inputs are in it'
works 'a folder, with the table in a file' gf -i in stats -o all.tsv
same wanted.tsv all.tsv 'a table in a file is that on standard output'
works 'a pattern in quotes' gf -i 'in/*' stats -o all.tsv
same wanted.tsv all.tsv 'a pattern in quotes gives the same table'
works 'one that the shell fills in' gf -i in/* stats -o all.tsv
same wanted.tsv all.tsv 'a pattern that the shell expands gives the same table'
works 'a stage before the inputs' gf stats -o all.tsv -i in/a.pgm in/b.pgm -i in/c.ppm in/d.png
same wanted.tsv all.tsv 'a stage before the inputs gives the same table'
ls in/* >list
works 'a list of inputs' gf --files-from list stats -o all.tsv
same wanted.tsv all.tsv 'a list of inputs gives the same table'
tr '\t' , <wanted.tsv >wanted.csv
works 'a table as CSV' gf -i in stats -o all.csv
same wanted.csv all.csv 'a table as CSV is the same with commas'
works 'the name of a format' gf -i in stats -t csv -o all.txt
same wanted.csv all.txt 'a table with the name of a format has this format'
gf -i in/d.png -i in/a.pgm stats >back.tsv
is 'inputs stay in the order of the arguments' "$(cut -f 1 back.tsv | tr '\n' ' ')" 'file in/d.png in/a.pgm '
works 'a shard of a table' gf --shard 2/2 -i in stats
is 'a shard of a table has its own inputs' "$(cut -f 1 out | uniq | tr '\n' ' ')" 'file in/b.pgm in/d.png '
mkdir one
cp in/a.pgm one/
works 'a folder with one file' gf -i one stats
is 'a folder with one file makes a table with names, too' "$(cut -f 1 out | tr '\n' ' ')" 'file one/a.pgm '
works 'a table of one file' gf -i in/a.pgm stats
is 'a table of one file has no names' "$(head -n 1 out | cut -f 1)" channel
works 'stages before it' gf -i in/a.pgm -i in/b.pgm invert stats
is 'stages before a table change its values' \
    "$(${AWK:-awk} -F '\t' 'NR > 1 { printf "%.6f ", $5 }' out)" '0.800000 0.700000 '

# The first input is by far the slowest, and still comes first in the table.
image slow.ppm 900 700 3 255 1
for order in 1 4; do
    works "$order at the same time" gf -j $order -i slow.ppm -i in/a.pgm -i in/b.pgm -i in/c.ppm median:9 stats
    is "$order at the same time: the rows are in the order of the inputs" \
        "$(cut -f 1 out | uniq | tr '\n' ' ')" 'file slow.ppm in/a.pgm in/b.pgm in/c.ppm '
    cp out order$order
done
same order1 order4 'one and four inputs at the same time: the same bytes'

# A histogram has a column for each channel; an image without that channel leaves it empty.
cat >wanted.tsv <<'TSV'
file	bin	y	r	g	b
in/a.pgm	0	4			
in/a.pgm	1	0			
in/b.pgm	0	3			
in/b.pgm	1	1			
in/c.ppm	0		0	2	2
in/c.ppm	1		2	0	0
in/d.png	0	3			
in/d.png	1	1			
TSV
works 'a table of histograms' gf -i in histogram:2 -o all.tsv
same wanted.tsv all.tsv 'a table of histograms has images in gray and in color'
sound s.wav 9000 1 3
sound t.wav 5000 2 4
works 'an image and a recording' gf -i in/a.pgm -i s.wav stats
is 'an image and a recording: the table has the columns of both' "$(head -n 1 out | tr '\t' ' ')" \
    'file channel min max mean sd median nonfinite rms peak_db rms_db crest lufs clipped clipped_at'
is 'an image and a recording: each has its own values' \
    "$(cut -f 7,9 out | sed -n '2p;3s/[1-9][0-9]*$/N/p' | tr '\t\n' ',:')" '0.2,:,0.N:'
for table in waveform:3 spectrogram:2,256; do
    for name in s t; do
        gf -i $name.wav $table -t tsv | sed "1s/^/file	/; 2,\$s/^/$name.wav	/" >$name.tsv
    done
    sed 1d t.tsv | cat s.tsv - >wanted.tsv
    works "$table of two recordings" gf -i s.wav -i t.wav $table -o all.tsv
    same wanted.tsv all.tsv "$table of two recordings: the same as in separate runs"
done
gf -i t.wav resample:24k -o low.wav
gf -i s.wav -i low.wav spectrogram:2,256 -t tsv >all.tsv
is 'spectra of other rates have their own columns' \
    "$(${AWK:-awk} -F '\t' 'NR == 1 { n = NF; for (i = 4; i <= NF; i++) twice += seen[$i]++ }
        { if (NF != n) odd++ } END { print n, twice + 0, odd + 0 }' all.tsv)" '196 0 0'
gf -i in/b.pgm -i in/d.png compare:in/b.pgm >all.tsv
is 'a table of comparisons' "$(cut -f 1,2,3,4 all.tsv | tr '\t\n' ' ,')" \
    'file channel mse psnr,in/b.pgm y 0 inf,in/b.pgm all 0 inf,in/d.png y 0 inf,in/d.png all 0 inf,'
gf -i in/b.pgm -i in/a.pgm compare:in/b.pgm,min-psnr=20 -o all.tsv 2>errors
is 'one that is not good enough ends in 1' "$? $(cat errors | tr '\n' '|')" \
    '1 gpufilter: in/a.pgm: compare: psnr is 7.447, less than 20|gpufilter: 1 of 2 inputs failed|'
is 'a comparison that fails has its row' "$(cut -f 1,2 all.tsv | tr '\t\n' ' ,')" \
    'file channel,in/b.pgm y,in/b.pgm all,in/a.pgm y,in/a.pgm all,'

# An input that fails has no row.
cp -r in bad
head -c 12 in/b.pgm >bad/b.pgm
for order in 1 3; do
    rm -f all.tsv
    gf -j $order -i bad stats -o all.tsv 2>errors
    is "a bad file ends in 1, $order at the same time" "$? $(tail -n 1 errors)" '1 gpufilter: 1 of 4 inputs failed'
    is "a bad file is reported, $order at the same time" "$(grep -c '^gpufilter: bad/b.pgm: ' errors)" 1
    is "a bad file leaves no row, $order at the same time" \
        "$(cut -f 1 all.tsv | uniq | tr '\n' ' ')" 'file bad/a.pgm bad/c.ppm bad/d.png '
done
gf -j 1 --fail-fast -i bad stats >out 2>errors
is '--fail-fast leaves no table' "$? $(wc -c <out)" '1 0'
echo old >all.tsv
gf -i bad/b.pgm -i missing.pgm stats -o all.tsv 2>errors
is 'inputs that all fail leave an existing table' "$? $(cat all.tsv) $(ls | grep -c '^\.gpu\|all.tsv.')" '1 old 0'
if [ -w /dev/full ]; then
    refuses 1 'No space' 'a table on a full disk' gf -i in stats -o /dev/full
fi
gf -i in histogram:65536 -t csv 2>errors | head -n 1 >out
is 'gpufilter ends quietly if the reader stops' "$(cat out errors)" file,bin,y,r,g,b

# Existing files.
gf -i in stats -o all.tsv
cp all.tsv first.tsv
touch -d 2001-01-01 in/*
for option in --update -n; do
    echo old >all.tsv
    works "$option with an existing table" gf $option -i in stats -o all.tsv
    is "$option with an existing table leaves it" "$(cat all.tsv)" old
done
gf -v --update -i in stats -o all.tsv 2>errors
is '--update -v reports tables that are up to date' \
    "$(grep -v '^sandbox: ' errors)" 'inputs skipped, outputs up to date: 4'
touch -d 2000-01-01 all.tsv
works '--update of an older table' gf --update -i in stats -o all.tsv
same first.tsv all.tsv '--update of an older table makes it again'

# Names with characters of any script.
mkdir odd
tab=$(printf 'odd/t\tab.pgm') line=$(printf 'odd/new\nline.pgm') quote='odd/"quote",.pgm' \
    latin=$(printf 'odd/\351\\.pgm') plain='odd/über.pgm'
for name in "$tab" "$line" "$quote" "$latin" "$plain"; do
    cp in/a.pgm "$name"
done
gf -i "$tab" -i "$line" -i "$quote" -i "$plain" stats -o odd.tsv
printf 'file\tchannel\tmin\tmax\tmean\tsd\tmedian\tnonfinite\n"odd/t\tab.pgm"\ty\t%s\n'\
'"odd/new\nline.pgm"\ty\t%s\n"odd/""quote"",.pgm"\ty\t%s\nodd/über.pgm\ty\t%s\n' \
    "$values" "$values" "$values" "$values" >wanted.tsv
same wanted.tsv odd.tsv 'odd names are quoted in TSV if necessary'
gf -i "$tab" -i "$quote" stats -o odd.csv
is 'odd names are quoted in CSV if necessary' \
    "$(cut -c 1-20 odd.csv | sed 1d | tr '\n\t' '|_')" 'odd/t_ab.pgm,y,0.2,0|"odd/""quote"",.pgm"|'
gf -i "$tab" -i "$line" -i "$quote" -i "$latin" -i "$plain" stats -o odd.json
gf -i in histogram:2 -o counts.json
gf -i s.wav -i t.wav waveform:3 -o course.json
gf -i s.wav -i t.wav stats -o sound.json
if command -v python3 >/dev/null; then
    cat >read.py <<'PY'
import json
names = [row["file"] for row in json.load(open("odd.json", encoding="utf-8"))]
assert names == ["odd/t\tab.pgm", "odd/new\nline.pgm", 'odd/"quote",.pgm',
                 "odd/\ufffd\\.pgm", "odd/\u00fcber.pgm"], names
counts = json.load(open("counts.json"))
assert [(t["file"], [(c["name"], c["counts"]) for c in t["channels"]]) for t in counts][1:3] == [
    ("in/b.pgm", [("y", [3, 1])]), ("in/c.ppm", [("r", [0, 2]), ("g", [2, 0]), ("b", [2, 0])])], counts
course = json.load(open("course.json"))
assert [(t["file"], t["columns"], len(t["channels"])) for t in course] == [("s.wav", 3, 1), ("t.wav", 3, 2)], course
sound = json.load(open("sound.json"))
assert [(t["file"], t["samples"], "all" in t) for t in sound] == [("s.wav", 9000, True), ("t.wav", 5000, True)], sound
PY
    works 'JSON is a list that others read' python3 read.py
else
    skip 'no python3 here'
fi
is 'one object a line' "$(sed 's/"bins".*//' counts.json | tr '\n' ' ')" \
    '[{"file":"in/a.pgm", {"file":"in/b.pgm", {"file":"in/c.ppm", {"file":"in/d.png", '

# More numbers than fit into memory go to disk.
for i in 1 2 3 4 5 6 7 8; do
    echo "P2 2 1 255 $i 200" >in/z$i.pgm
done
gf -i in histogram:65536 -o free.tsv
works 'a small memory' gf -j 12 --memory 16M -i in histogram:65536 -o all.tsv
same free.tsv all.tsv 'a small memory does not change a table'
TMPDIR=/nowhere gf --memory 16M -i in histogram:65536 -o never.tsv 2>errors
is 'the memory was really too small' "$? $(grep -c /nowhere errors | ${AWK:-awk} '{ print ($1 > 0) }')" '1 1'

# Chains with no table, or with more than one.
refuses 2 'several inputs need different outputs' 'pictures into one name' gf -i in/* invert -o all.tsv.ppm
refuses 2 'a drawing shows only one input; use -o FOLDER/' 'one drawing of several' gf -i in stats -o all.svg
refuses 2 'a drawing shows only one input' 'a waveform of several inputs' gf -i s.wav -i t.wav waveform
refuses 2 'only video and animations have a frame rate' 'a frame rate for a table' gf -i in --rate 25 stats
refuses 2 'jpeg stores images, but the result is a table' 'a name of something else' gf -i in stats -o all.jpg
works 'a table of each' gf -i in stats -o 'each/{stem}.tsv'
is 'a table of each input has no column of names' \
    "$(ls each | wc -l | tr -d ' ') $(head -n 1 each/a.tsv | cut -f 1)" '12 channel'
refuses 1 'matches no file' 'a pattern that matches nothing' gf -i 'in/*.gif' stats
echo text >in/notes.txt
gf -i 'in/[an]*' stats >out 2>errors
is 'a file that is not an image is reported' "$(cut -f 1 out | tr '\n' ' ')$(cat errors)" \
    'file in/a.pgm gpufilter: warning: in/[an]*: 1 file is neither an image nor audio and was skipped: notes.txt'
cp in/a.pgm 'in/[x].pgm'
works 'a file whose name is a pattern' gf -i 'in/[x].pgm' stats
is 'a file whose name is a pattern is one file' "$(head -n 1 out | cut -f 1)" channel
gf in/a.pgm stats >out 2>errors
is 'a file without -i' "$? $(cat errors)" \
    '0 gpufilter: note: in/a.pgm: read as input, as with -i; only -o names an output'
finish
