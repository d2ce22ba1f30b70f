# Reports of a run: statistics, traces, progress.
. "$(dirname "$0")/../lib.sh"
image in.ppm 64 48 3 255 1
sound in.wav 20000 2 1

# json NAME FILE: tests that FILE is JSON, as far as this machine can check.
json()
{
    if command -v python3 >/dev/null && python3 -c 'import json' 2>/dev/null; then
        works "$1 is JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$2"
    else
        is "$1 has as many brackets opened as closed" \
            "$(tr -cd '{[' <"$2" | wc -c | tr -d ' ')" "$(tr -cd '}]' <"$2" | wc -c | tr -d ' ')"
    fi
}

# of ACTIVITY KEY: prints a number of the statistics in the file `said`.
of() { tr '{' '\n' <said | sed -n "s/^\"name\":\"$1\".*\"$2\":\([0-9.]*\).*/\1/p"; }

# total KEY: prints a number of the totals.
total() { sed -n "s/.*\"$1\":\"\{0,1\}\([a-z0-9.]*\).*/\1/p" said | head -n 1; }

# events CATEGORY FILE: prints the number of events in a trace.
events() { grep -c "\"cat\":\"$1\"" "$2"; }

# ---- statistics

gf -i in.ppm blur:1 -o o.ppm --stats=json 2>said
json '--stats=json of an image' said
is '--stats=json of an image: bytes read' "$(of read bytes)" 9216
is '--stats=json of an image: bytes written' "$(of write bytes)" 9216
is 'activities in their order' "$(tr '{' '\n' <said | sed -n 's/^"name":"\([a-z]*\)".*/\1/p' | tr '\n' ' ')" \
    'start read kernels write '
is '--stats=json of an image: one signal' "$(total signals)" 1
is '--stats=json of an image: operations by name' "$(grep -o '"operation":"conv","stage":"blur:1"' said | sort -u)" \
    '"operation":"conv","stage":"blur:1"'
is '--stats=json of an image: a bottleneck' "$(total bottleneck | grep -cx 'start\|read\|kernels\|write')" 1
gf -i in.ppm 'conv:[0 -1 0; -1 "5" -1; 0 -1 0]' -o o.ppm --stats=json 2>said
gf -i in.ppm gray blur:1 -o o.pgm --stats 2>said
is 'the last line names the bottleneck' "$(tail -n 1 said | grep -c '^bottleneck: ')" 1
is 'the table has bytes' "$(${AWK:-awk} '$1 == "read" { print $4 } $1 == "write" { print $4 }' said | tr '\n' ' ')" \
    '9216 3072 '

gf -i in.ppm invert -o in.png
gf -i in.png invert -o o.png --stats=json 2>said
json '--stats=json of a PNG' said
is 'an encoded image: bytes read as stored' "$(of read bytes)" "$(wc -c <in.png | tr -d ' ')"
is 'an encoded image: bytes decoded' "$(of decode bytes)" 9216
is 'an encoded image: bytes encoded' "$(of encode bytes)" 9216
is 'bytes written as stored' "$(of write bytes)" "$(wc -c <o.png | tr -d ' ')"
gf -i in.wav gain:-3 -o o.wav --stats=json 2>said
is 'audio: bytes read' "$(of read bytes)" 80000
is 'audio: bytes written' "$(of write bytes)" 80000
gf -i in.wav gain:-3 -o o.flac --stats=json 2>said
is 'encoded audio: bytes encoded' "$(of encode bytes)" 80000
is 'encoded audio: bytes written as stored' "$(of write bytes | ${AWK:-awk} '{ print ($1 > 1000) }')" 1
gf -i in.ppm histogram:8 -o o.tsv --stats=json 2>said
is 'a table is written' "$(of write bytes)" "$(wc -c <o.tsv | tr -d ' ')"

for i in 1 2 3 4 5; do
    image frame.ppm 40 30 3 255 $i
    cat frame.ppm
done >frames.ppm
for lanes in 1 3; do
    gf -i frames.ppm blur:1 -o o.ppm --lanes $lanes --stats=json 2>said
    json "--stats=json of frames, $lanes at once," said
    is "frames, $lanes at once" "$(total signals)" 5
    is "frames, $lanes at once: bytes read" "$(of read bytes)" 18000
    is "frames, $lanes at once: bytes written" "$(of write bytes)" 18000
    is "frames, $lanes at once: bytes of kernels" "$(of kernels bytes | ${AWK:-awk} '{ print ($1 >= 18000) }')" 1
done
gf -i frames.ppm --rate 5 blur:1 tmean:3 equalize --stats --trace parts.json -o o.y4m 2>said
is '--stats numbers the passes of all parts of a chain' \
    "$(sed -n 's/^  \([1-9]\)\..*/\1/p' said | sort -u | tr '\n' ' ')" '1 2 3 '
is '--trace numbers the passes of all parts of a chain' \
    "$(grep -o '"pass":[0-9]' parts.json | sort -u | tr '\n' ' ')" '"pass":1 "pass":2 "pass":3 '
mkdir many
for i in 1 2 3 4; do
    image many/$i.ppm 40 30 3 255 $i
done
mkdir made
gf -i many blur:1 -o made/ --stats=json --trace batch.json 2>said
json '--stats=json of a batch' said
is '--stats=json of a batch: files' "$(total signals)" 4
is 'bytes read of all files' "$(of read bytes)" 14400
is 'bytes written of all files' "$(of write bytes)" 14400
is 'a trace of all files' "$(events segment batch.json)" "$(total segments)"
echo broken >many/5.ppm
mkdir made
gf -i many blur:1 -o made/ --stats=json 2>said
is 'a batch with a broken file fails' $? 1
is 'a batch with a broken file still has its statistics' "$(of read bytes)" 14400

# ---- traces

gf -i in.ppm blur:1 -o o.ppm --segment 2000 --explain >plan
rows=$(sed -n 's/.*segments of \([0-9]*\) rows.*/\1/p' plan)
for lanes in 1 4; do
    gf -i in.ppm blur:1 -o t.ppm --segment 2000 --lanes $lanes --trace t.json --trace t.svg 2>said
    is "a trace gives no messages, $lanes lanes" "$(cat said)" ''
    json "the trace of a run on $lanes lanes" t.json
    is "a trace has as many segments as the plan, $lanes lanes" "$(events segment t.json)" $(((48 + rows - 1) / rows))
    is "a trace has a read for each segment, $lanes lanes" \
        "$(events read t.json | ${AWK:-awk} -v n=$(((48 + rows - 1) / rows)) '{ print ($1 >= n) }')" 1
    is "a trace has the names of operations, $lanes lanes" \
        "$(grep -c '"name":"conv blur:1","cat":"kernels","ph":"X"' t.json | ${AWK:-awk} '{ print ($1 > 0) }')" 1
    is "a trace has no negative times, $lanes lanes" "$(grep -c '"\(ts\|dur\)":-' t.json)" 0
    is "a trace has segments for the whole image, $lanes lanes" \
        "$(sed -n 's/.*"cat":"segment".*"from":\([0-9]*\),"to":\([0-9]*\).*/\1 \2/p' t.json |
        ${AWK:-awk} '{ n += $2 - $1 } END { print n }')" 48
done
gf -i in.ppm blur:1 -o o.ppm
same o.ppm t.ppm 'a run that is watched gives the same'
is 'the drawing is complete' "$(head -c 4 t.svg; tail -n 1 t.svg)" '<svg</svg>'
is 'the drawing of a trace has rows for engines and lanes' \
    "$(grep -c '>\(read\|kernels\|write\|lane 1\)</text>' t.svg | ${AWK:-awk} '{ print ($1 >= 4) }')" 1
if command -v xmllint >/dev/null; then
    works 'the drawing of a trace is XML' xmllint --noout t.svg
elif command -v python3 >/dev/null; then
    works 'the drawing of a trace is XML' python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
        t.svg
else
    skip 'no program to read XML'
fi
gf -i in.ppm 'conv:[0 -1 0; -1 5 -1; 0 -1 0],edge=zero' -o o.ppm --trace odd.svg --trace odd.json
json 'a trace with a matrix in it' odd.json
# File names may contain any bytes; JSON and SVG must be valid UTF-8.
odd=$(printf 'o\377\303("&\355\240\200') shown='o\\ufffd\\ufffd(\\"&\\ufffd\\ufffd\\ufffd'     # the last is a surrogate
mkdir odd
cp in.ppm "odd/$odd.ppm"
cp in.wav "odd/$odd.wav"
gf -i in.ppm over:"odd/$odd.ppm" -o o.ppm --stats=json --trace odd.json --trace odd.svg 2>said
for file in said odd.json; do
    json "a name that is not UTF-8, $file," $file
    is "a name that is not UTF-8, $file, has U+FFFD for each wrong byte" \
        "$(grep -o 'over:odd/[^.]*[.]ppm' $file | sort -u)" "$(printf "over:odd/$shown.ppm")"
done
is 'a name that is not UTF-8 has question marks in a drawing' \
    "$(grep -o 'over:odd/[^<:]*' odd.svg | sort -u)" 'over:odd/o??("&amp;?.ppm'
for stage in stats histogram:2 compare:in.ppm waveform:2 spectrogram:2,64; do
    kind=ppm
    case $stage in wave* | spec*) kind=wav ;; esac
    gf -i "odd/*.$kind" $stage -t json >table.json
    json "$stage of a name that is not UTF-8" table.json
    is "$stage of a name that is not UTF-8 has U+FFFD for each wrong byte" "$(grep -o '"file":"[^.]*' table.json)" \
        "$(printf "\"file\":\"odd/$shown")"
done
gf -i frames.ppm blur:1 -o o.ppm --lanes 3 --trace frames.json
json 'a trace of frames' frames.json
is 'a trace of frames has a segment for each' "$(events segment frames.json | ${AWK:-awk} '{ print ($1 >= 5) }')" 1
refuses 2 '.json or .svg' 'a trace of another kind' gf -i in.ppm blur:1 -o o.ppm --trace t.txt
refuses 1 'nowhere' 'a trace in a folder that is not there' gf -i in.ppm blur:1 -o early.ppm --trace nowhere/t.json
is 'a trace in a folder that is not there is an error before anything runs' "$(ls early.ppm 2>/dev/null)" ''
refuses 1 't.json' 'a trace that exists, kept' gf -n -i in.ppm blur:1 -o new.ppm --trace t.json
rm -f bad.json
gf -i many/5.ppm blur:1 -o o.ppm --trace bad.json 2>said
is 'a trace of nothing is not written' "$(ls bad.json 2>/dev/null)" ''

# ---- progress

slowly() { head -c 3000 in.ppm; sleep 1; tail -c +3001 in.ppm; }
slowly | gf blur:1 -o o.ppm 2>said
is 'progress is not printed into a file' "$(cat said)" ''
slowly | gf blur:1 -o o.ppm --progress always 2>said
is 'progress on request' "$(grep -c 'MB/s' said)" 1
is 'progress is not printed more than ten times a second' \
    "$(tr '\r' '\n' <said | grep -c 'MB/s' | ${AWK:-awk} '{ print ($1 >= 2 && $1 <= 15) }')" 1
is 'erased at the end' "$(tail -c 4 said | od -An -c | tr -d ' \n')" '\r033[K'
mkfifo slow
slowly >slow &
gf -i many/1.ppm -i slow blur:1 -o made/ -t ppm --progress always 2>said
is 'files are counted' "$(tr '\r' '\n' <said | grep -c '1 of 2 files, 50%' | ${AWK:-awk} '{ print ($1 >= 1) }')" 1
slowly >slow &
gf -j 1 -i slow -i many/5.ppm blur:1 -o made/ -t ppm --progress always 2>said
is 'a message erases the line first' "$(tr '\r' '\n' <said | grep -c '^.\[Kgpufilter: many/5.ppm')" 1
{ slowly; cat frames.ppm frames.ppm; } | gf blur:1 -o o.ppm --lanes 2 --progress always 2>said
is 'progress is erased and nothing else is printed' "$(tr '\r' '\n' <said | grep -cv 'MB/s\|^.\[K\|^$')" 0
refuses 2 'auto, always or never' 'progress of another kind' gf -i in.ppm blur:1 -o o.ppm --progress maybe
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    cat >on-terminal <<EOF
{ head -c 3000 in.ppm; sleep 1; tail -c +3001 in.ppm; } | "$GPUFILTER" blur:1 -o o.ppm \$1
EOF
    script -qec 'sh on-terminal' seen </dev/null >/dev/null 2>&1
    is 'progress on a terminal' "$(grep -c 'MB/s' seen)" 1
    script -qec 'sh on-terminal -q' seen </dev/null >/dev/null 2>&1
    is 'progress on a terminal with -q' "$(grep -c 'MB/s' seen)" 0
    script -qec 'sh on-terminal --progress=never' seen </dev/null >/dev/null 2>&1
    is 'progress on a terminal with --progress=never' "$(grep -c 'MB/s' seen)" 0
else
    skip 'no script(1) here'
fi
finish
