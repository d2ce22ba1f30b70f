# Outputs stay in the folder that the user named, and no output replaces another one.
. "$(dirname "$0")/../lib.sh"

mkdir -p top/photos top/desk/photos
image top/a.ppm 8 8 3 255 3
image top/photos/a.ppm 8 8 3 255 1
image top/photos/b.ppm 8 8 3 255 2
cd top/desk || exit 99
root=$(cd ../photos && pwd)
cp ../photos/a.ppm in.ppm
echo precious >photos/a.png

# ---- {dir} ----

# stays NAME NOTES FILES COMMAND...: tests that the command succeeds and prints NOTES (shortened),
# and that the folder `small` contains FILES.
stays()
{
    name=$1 notes=$2 files=$3
    shift 3
    rm -rf small
    "$@" >out 2>errors </dev/null
    status=$?
    said=$(sed '/created folder small\//d; s/^gpufilter: note: .*removed leading .* stay in /stripped:/
        s/^gpufilter: note: created folder \([^,]*\).*/created:\1/' errors | sort | tr '\n' ' ')
    is "$name" "$status $said$(find small -type f | sort | tr '\n' ' ')" "0 $notes$files"
}
new='created:small '
cut="${new}stripped:small/ "
stays 'a leading ../ is dropped' "$cut" 'small/photos/a.png ' gf -i ../photos/a.ppm invert -o 'small/{dir}/{stem}.png'
is 'a leading ../ replaces no other file' "$(cat photos/a.png)" precious
stays 'a leading ../ in a template for a folder' "$cut" 'small/photos/a.ppm small/photos/b.ppm ' \
    gf -i ../photos invert -o 'small/{dir}/'
stays 'several ../ in the name of an input' "$cut" 'small/top/photos/a.png ' \
    gf -i ../../top/photos/a.ppm invert -o 'small/{dir}/{stem}.png'
stays 'a leading /' "$cut" "small$root/a.png " gf -i "$root/a.ppm" invert -o 'small/{dir}/{stem}.png'
stays 'a leading ../ without a folder' "$cut" 'small/a.png ' gf -i ../a.ppm invert -o 'small/{dir}/{stem}.png'
stays 'a leading ./ gives no note' "$new" 'small/a.png ' gf -i ./in.ppm invert -o 'small/{dir}/a.png'
stays 'a leading ../ without {dir} gives no note' "$new" 'small/a.png ' \
    gf -i ../photos/a.ppm invert -o 'small/{stem}.png'
echo ../photos/a.ppm >list
stays 'a leading ../ in a list of inputs' "$cut" 'small/photos/a.png ' \
    gf --files-from list invert -o 'small/{dir}/{stem}.png'
stays 'a leading ../ at a tee' "$cut" 'small/photos/a.png ' \
    gf -i ../photos/a.ppm tee:'small/{dir}/{stem}.png' -o out.ppm
stays 'a leading ../ of several inputs at a tee' "$cut" 'small/photos/a.png small/photos/b.png ' \
    gf -j 1 -i ../photos tee:'small/{dir}/{stem}.png' -o photos/
stays 'a leading ../ gives no note with -q' '' 'small/photos/a.png ' \
    gf -q -i ../photos/a.ppm invert -o 'small/{dir}/{stem}.png'
stays 'a note is no error' "$cut" 'small/photos/a.png ' gf --strict -i ../photos/a.ppm invert \
    -o 'small/{dir}/{stem}.png'
refuses 1 'a.ppm: would be written to small/desk/../photos/a.png, where .. leads outside the output folder' \
    '.. inside a name' \
    gf -i ../desk/../photos/a.ppm invert -o 'small/{dir}/{stem}.png'
refuses 1 'leads outside the output folder' '.. inside a name of a list' sh \
    -c 'echo ../desk/../photos/a.ppm | "$0" --files-from - invert -o "small/{dir}/"' "$GPUFILTER"
refuses 1 'leads outside the output folder' '.. inside a name at a tee' \
    gf -i ../desk/../photos/a.ppm tee:'small/{dir}/{stem}.png' -o out.ppm
works 'a name that begins with {dir} is next to the input' gf -i ../photos/a.ppm invert -o '{dir}/{stem}-inverted.png'
works 'a name that begins with {dir} is in a sibling folder' \
    gf -i ../photos/a.ppm invert -o '{dir}/../thumbs/{stem}.png'
is 'names that begin with {dir} are where they say' \
    "$(ls ../photos ../thumbs | tr '\n' ' ')" '../photos: a-inverted.png a.ppm b.ppm  ../thumbs: a.png '

# ---- links ----
mkdir elsewhere links
ln -s ../elsewhere links/photos
refuses 1 'links/photos: a symbolic link leads outside links/' 'a folder that is a link' gf -q -i ../photos/a.ppm \
    invert -o 'links/{dir}/{stem}.png'
refuses 1 'links/photos: a symbolic link leads outside links/' \
    'a folder that is a link: nothing is created in its target' \
    gf -q -i ../photos/a.ppm invert -o 'links/{dir}/new/{stem}.png'
refuses 1 'a symbolic link leads outside links/' 'a folder that is a link, at a tee' \
    gf -q -i ../photos/a.ppm tee:'links/{dir}/{stem}.png' -o out.ppm
ln -s ../elsewhere/made.png links/a.png
gf -i ../photos/a.ppm invert -t png -o links/ 2>errors
is 'a file that is a link' "$? $(cat errors)" \
    '1 gpufilter: links/a.png: a symbolic link leads outside links/; name the target folder with -o'
is 'a file that is a link: no file is written to its target' "$(ls elsewhere)" ''
mkdir inside
mkdir inside/real
ln -s real inside/photos
works 'a link that stays inside' gf -q -i ../photos/a.ppm invert -o 'inside/{dir}/{stem}.png'
ln -s elsewhere named
works 'a link that the user named' gf -q -i ../photos/a.ppm invert -o 'named/{dir}/{stem}.png'
works 'a link that the user named as a folder' gf -i ../photos/b.ppm invert -o named/
is 'links that stay inside or that the user named are followed' \
    "$(find elsewhere inside -type f | sort | tr '\n' ' ')" 'elsewhere/b.ppm elsewhere/photos/a.png inside/real/a.png '
ln -s elsewhere/plain.png plain.png
works 'a link as the whole name is followed' gf -i in.ppm invert -o plain.png
is 'a link as the whole name is followed to its file' "$(ls elsewhere/plain.png)" elsewhere/plain.png

# ---- one file for two outputs ----
mkdir -p x y twice/x
cp ../photos/a.ppm x/1.ppm
cp ../photos/b.ppm y/1.ppm
ln -s x twice/y
gf -j 1 -i x/1.ppm -i y/1.ppm invert -o 'twice/{dir}/{stem}.ppm' 2>errors
is 'one file by two names' "$? $(head -n 1 errors)" \
    "1 gpufilter: y/1.ppm: twice/y/1.ppm: would replace twice/x/1.ppm, another output of this run; \
add {dir}, {stem}, {ext} or {n} to the name"
gf -i x/1.ppm invert -o want.ppm
same want.ppm twice/x/1.ppm 'the first one stays'
is 'one file by two names leaves no other file next to it' "$(ls -A twice/x)" 1.ppm
rm -f twice/x/1.ppm
gf -j 2 -i x/1.ppm -i y/1.ppm invert -o 'twice/{dir}/{stem}.ppm' 2>errors
is 'one file by two names at the same time' "$? $(grep -c 'would replace' errors) $(ls -A twice/x)" '1 1 1.ppm'
cp x/1.ppm a.ppm
cp y/1.ppm a2.ppm
cp a2.ppm kept.ppm
gf -j 1 -i a.ppm -i a2.ppm invert -o '{stem}2.ppm' 2>errors
is 'an input that is not its own' "$? $(head -n 1 errors)" \
    '1 gpufilter: a.ppm: a2.ppm: would replace a2.ppm, which this run reads; choose another name or folder'
same kept.ppm a2.ppm 'an input that another input would replace is not replaced'
works 'each input may replace itself' gf -q -j 1 -i a.ppm -i a2.ppm invert -o '{stem}.ppm'
ln a.ppm hard.ppm
works 'an input may replace itself by two names' gf -q -j 1 -i a.ppm -i hard.ppm invert -o '{stem}.ppm'
refuses 1 'would replace in.ppm, which this run reads' 'the input by a tee' gf -i in.ppm tee:in.ppm invert -o out.ppm

# Other files that the run reads or writes count, too.
echo '1 2 1' >k.txt
echo in.ppm >list
keeps() { cp "$2" before; name=$1 file=$2; shift 2; refuses 1 "$file: would replace .*, which this run reads" "$name" \
    "$@"; same before "$file" "$name: it is kept"; }
keeps 'a mask that would be replaced' k.txt gf -i in.ppm conv1d:k.txt,scale=auto -t ppm -o k.txt
keeps 'a second image' a.ppm gf -i in.ppm blend:a.ppm,normal -o a.ppm
keeps 'a list of inputs' list gf --files-from list stats --to tsv -o list
keeps 'an input, by a table of all' a2.ppm gf -i a.ppm -i a2.ppm stats --to tsv -o a2.ppm
cp in.ppm in.json
keeps 'an input, by a trace' in.json gf -i in.json invert -o out.ppm --trace in.json
refuses 1 'x.json: would replace x.json, another output of this run' 'an output by a trace' gf -i in.ppm stats \
    --to json -o x.json --trace x.json
gf -i a.ppm -i a2.ppm invert -o '{dir}/{stem}.{ext}' 2>errors
is 'a name that is filled in and is the input' "$? $(cat errors)" \
    '0 gpufilter: warning: a.ppm and 1 other file: the output replaces the input; use -o with another folder to keep it'
cp in.ppm 'q{n}.ppm'
works 'braces in the name of an input are letters' gf -i 'q{n}.ppm' invert -o '{stem}-x.ppm'
is 'braces in the name of an input are letters in the output, too' "$(ls q*-x.ppm)" 'q{n}-x.ppm'
works 'braces in the name of an input, with a number' gf -i 'q{n}.ppm' invert -o '{stem}-{n}-{n:3}.ppm'
is 'each {n} of the name of an output is filled in' "$(ls q*-1-*)" 'q{n}-1-001.ppm'
sound loud.wav 4000 1 3
echo kept >out.wav
refuses 1 'loud-tee.wav: .*clipped' 'a warning of a tee' gf --strict -i loud.wav gain:30 tee:loud-tee.wav gain:-30 \
    -o out.wav
is 'a warning of a tee comes before any output is replaced' "$(cat out.wav) $(ls loud-tee.wav 2>/dev/null)" 'kept '

# ---- folders ----
gf -i in.ppm invert -o made/one/two.ppm 2>errors
is 'a folder that is made is named' "$? $(cat errors)" '0 gpufilter: note: created folder made'
gf -i x/1.ppm -i y/1.ppm invert -o 'm-{dir}/{stem}.ppm' 2>errors
is 'several folders that are made: the note has the first and their number' "$? $(cat errors)" \
    '0 gpufilter: note: created folder m-x, and 1 more'
sound long.wav 9000 1 1
for box in --sandbox --no-sandbox; do
    gf "$box" -i long.wav split:every=5000f -o '{n}/part.wav' 2>errors
    is "folders that have the number of a part are named with $box" \
        "$? $(cat errors) $(ls -d ./{n}* 2>/dev/null) $(ls 1 2 | tr '\n' ' ')" \
        '0 gpufilter: note: created folder 1  1: part.wav  2: part.wav '
    rm -r 1 2
done
image two.ppm 8 8 3 255 1
cat two.ppm two.ppm >both.ppm
refuses 1 'png stores only one image' 'a run that fails' gf -q -i both.ppm invert -o gone/deep/two.png
is 'a run that fails keeps the folder, which another run may use' \
    "$(ls -d gone/deep/* 2>/dev/null; ls -d gone/deep)" gone/deep
refuses 1 'png stores only one image' 'a run into a folder that fails' gf -q -i both.ppm invert -t png -o gone/deep/
is 'a run into a folder that fails keeps it, too' "$(ls -d gone/deep/* 2>/dev/null; ls -d gone/deep)" gone/deep
mkdir shards
for n in 1 2; do cp in.ppm shards/$n.ppm; done
gf -i shards --shard 3/3 resize:2000x2000 -o parts/ &
gf -i shards --shard 1/3 resize:2000x2000 -o parts/ 2>errors
is 'a run without work keeps the folder of another one' "$? $(ls parts)" '0 1.ppm'
wait
gf -q -i both.ppm -i two.ppm invert -t png -o some/deep/ 2>errors
is 'a run that fails keeps a folder that has an output' "$? $(find some -type f)" '1 some/deep/two.png'

# ---- descriptors ----
gf -i in.ppm invert -o wanted.ppm
for folder in /dev/fd /proc/self/fd; do
    exec 5<>deleted 6>kept
    rm deleted
    works "a deleted file as $folder/N" gf -i in.ppm invert -o $folder/5
    works "a file as $folder/N" gf -i in.ppm invert -o $folder/6
    cat /dev/fd/5 >found.ppm
    same found.ppm wanted.ppm "a deleted file as $folder/N has the image"
    same kept wanted.ppm "a file as $folder/N is not replaced"
    exec 5>&- 6>&-
done
printf before >kept
exec 6>>kept
works 'a descriptor that appends' gf -i in.ppm invert -o /dev/fd/6
exec 6>&-
is 'a descriptor that appends keeps what is there' "$(head -c 8 kept)" beforeP6
refuses 1 '^gpufilter: /dev/fd/7: Bad file descriptor$' 'a descriptor that is not open' gf -i in.ppm -o /dev/fd/7
refuses 1 '^gpufilter: /dev/fd/3: Bad file descriptor$' 'one of our own' \
    sh -c '"$0" -i in.ppm -o /dev/fd/3 3>&-' "$GPUFILTER"
exec 6<kept
refuses 1 '^gpufilter: /dev/fd/6: is open only for reading$' 'one for reading' gf -i in.ppm -o /dev/fd/6
exec 6<>in.ppm
refuses 1 '^gpufilter: /dev/fd/6: is a file that this run reads; name' 'a descriptor of the input' \
    gf -i in.ppm -o /dev/fd/6
exec 6>&-

# ---- names and folders that fail late ----
long=$(yes d/ | head -n 2500 | tr -d '\n')x.ppm
for options in '' --no-sandbox; do
    refuses 1 '^gpufilter: d/d/.*[.][.][.]: File name too long$' "a name of 5000 bytes $options" \
        gf $options -i in.ppm -o "$long"
done
is 'creates no folder' "$(ls -d d 2>/dev/null)" ''

# late FOLDER: runs gpufilter while FOLDER is replaced by another one.
late()
{
    { head -c 3000000 large.ppm; sleep 0.5; mv "$1" "$1-old"; mkdir "$1"; tail -c +3000001 large.ppm; } |
        gf --segment 100K -o "$1/out.ppm" >errors 2>&1
}
image tile.ppm 200 100 3 255 1
gf -i tile.ppm resize:2000x1000,filter=nearest -o large.ppm
mkdir early
late early
if grep -q 'Permission denied' errors; then         # nothing is denied if the kernel has no sandbox
    fail 'a folder that is replaced during the run'
    note <errors
else
    pass 'a folder that is replaced during the run'
fi
mkdir append
cp in.ppm append/out.ppm
if chattr +a append 2>errors; then
    gf -i in.ppm -o append/out.ppm 2>errors
    is 'a temporary file that stays is named' "$? $(sed 's/-[a-z2-7]* cannot/-X cannot/
        s|file /.*/app|file app|' errors)" '1 gpufilter: append/out.ppm: Operation not permitted; its temporary file '\
'append/.gpufilter-X cannot be deleted either'
    chattr -a append
else
    skip 'chattr +a does not work here'
fi
finish
