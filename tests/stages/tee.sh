# Known answers for the output of a tee, and for the chain after it.
. "$(dirname "$0")/lib_answers.sh"

# A tee writes the signal at its place; the chain continues without rounding.
held() { tail -c "$2" "$1" | numbers u1; }
gray 3 1  0 100 200
picture '204 104 4' invert tee:mid.pgm brightness:-0.2
is 'tee: its output' "$(held mid.pgm 3)" '255 155 55'
picture '0 100 200' gamma:0.1 tee:dark.pgm gamma:10
is 'tee rounds only its own copy' "$(held dark.pgm 3)" '0 0 22'    # (200/255)^10 is .0881
picture '255 155 55' tee:first.pgm tee:second.png invert
is 'tee of the input' "$(held first.pgm 3)" '0 100 200'
gf -i second.png -o second.pgm
same first.pgm second.pgm 'a tee as PNG has the samples of one as PGM'
gf -i in.pgm invert tee:mid.pgm stats -o out.tsv
is 'tee before a table' "$(held mid.pgm 3) $(wc -l <out.tsv)" '255 155 55 2'
gf -i in.pgm tee:mid.pgm invert -o out1.pgm && gf -i out1.pgm -i in.pgm 'tee:{stem}-{n}.pgm' invert -o '{stem}-back.pgm'
is 'tees of a batch' "$(held out1-1.pgm 3) $(held in-2.pgm 3) $(held out1-back.pgm 3)" '255 155 55 0 100 200 0 100 200'
cat mid.pgm out1.pgm mid.pgm >three.pnm
gf -i three.pnm 'tee:frame{n}.pgm' tee:all.pnm invert -o out.pnm
is 'tees of several images' "$(held frame1.pgm 3) $(held frame2.pgm 3) $(held frame3.pgm 3)" \
    '0 100 200 255 155 55 0 100 200'
cat out1.pgm mid.pgm out1.pgm >inverse.pnm
same all.pnm three.pnm 'a tee of several images into one file'
same out.pnm inverse.pnm 'the chain continues after a tee'
refuses 2 'in.pgm and out1.pgm would both be written to one.pgm' 'a tee of a batch needs a pattern' gf -i in.pgm \
    -i out1.pgm tee:one.pgm -o '{stem}-x.pgm'
refuses 2 'is also the output' 'a tee is not the output' gf -i in.pgm tee:same.pgm -o same.pgm
refuses 2 'is also the output' 'a tee is not the output by another name' gf -i in.pgm tee:./same.pgm -o same.pgm
refuses 2 'is also the output' 'a tee is not the output after its number is filled in' \
    gf -i three.pnm 'tee:same{n}.pgm' -o './same{n}.pgm'
refuses 2 'is also the output' 'a tee is not the output of a later image' gf -i three.pnm tee:same2.pgm -o 'same{n}.pgm'
echo old >there.pgm
ln -s there.pgm link.pgm
ln -s new.pgm lost.pgm
refuses 2 'is also the output' 'a tee is not the output after a link' gf -i in.pgm tee:link.pgm -o there.pgm
refuses 2 'is also the output' 'a tee is not the output after a link to a missing file' \
    gf -i in.pgm tee:lost.pgm -o "$PWD/new.pgm"
refuses 2 'is also the output' 'a tee is not standard output' sh -c '"$0" -i in.pgm tee:there.pgm >there.pgm' \
    "$GPUFILTER"
works 'a tee and an output may be one device' gf -i in.pgm tee:/dev/null -t pgm -o /dev/./null
refuses 2 'another tee' 'two tees with different names of one file' gf -i in.pgm tee:a.pgm invert tee:./a.pgm -o b.pgm
refuses 2 'another tee' 'two tees with the same name' gf -i in.pgm tee:a.pgm invert tee:a.pgm -o b.pgm
# A tee must not replace what the run reads. The error comes before any work.
cp in.pgm own.pgm
ln own.pgm hard.pgm
ln -s own.pgm soft.pgm
for tee in own.pgm ./own.pgm hard.pgm soft.pgm; do
    refuses 1 "$tee: would replace own.pgm, which this run reads" "a tee onto its own input, $tee" gf -i own.pgm \
        tee:$tee invert -o late.pgm
    refuses 1 "$tee: would replace standard input, which this run reads" "a tee onto standard input, $tee" sh \
        -c '"$GPUFILTER" "tee:$0" invert -o late.pgm <own.pgm' $tee
    is "a tee onto its own input writes nothing, $tee" "$(ls late.pgm 2>/dev/null)" ''
    same in.pgm own.pgm "a tee onto its own input leaves it unchanged, $tee"
done
refuses 2 'is also the output' 'a tee and an in-place output' gf -i own.pgm invert tee:hard.pgm -o own.pgm
works 'an output may replace standard input' sh -c '"$GPUFILTER" invert -o soft.pgm <own.pgm' x
is 'an output replaces standard input' "$(held own.pgm 3)" '255 155 55'
rm -f own.pgm hard.pgm soft.pgm
refuses 2 'missing value for file' 'a tee without a name' gf -i in.pgm tee -o b.pgm
head -c 13 mid.pgm >cut.pgm
rm -f late.pgm
refuses 1 'cut.pgm' 'a tee fails with its input' gf -i cut.pgm tee:late.pgm invert -o b.pgm
is 'a tee that fails with its input leaves nothing' "$(ls late.pgm* .*late* 2>/dev/null)" ''

sounds() { tail -c +45 "$1" | numbers d2; }
frames 2  1 -2  30000 4  5 -32768
heard '5 -32768 30000 4 1 -2' tee:mid.wav reverse
same in.wav mid.wav 'tee of audio: its output'
heard '1 -2 30000 4 5 -32768' gain:-80 tee:dark.wav gain:80
is 'tee of audio rounds only its own copy' "$(sounds dark.wav)" '0 0 3 0 0 -3'
heard '-2 4 -32768' tee:first.wav channel:2 tee:second.wav
is 'two tees of audio' "$(sounds first.wav) $(sounds second.wav)" '1 -2 30000 4 5 -32768 -2 4 -32768'
gf -i in.wav reverse tee:mid.wav stats -o out.tsv
is 'tee of audio before a table' "$(sounds mid.wav) $(wc -l <out.tsv)" '5 -32768 30000 4 1 -2 4'
sound known.wav 5000 2 7
{ head -c 40 known.wav; printf '\377\377\377\377'; tail -c +45 known.wav; } >open.wav
gf -i known.wav reverse -o back.wav
cat open.wav | gf reverse tee:mid.wav channel:2 -o second.wav
same back.wav mid.wav 'tee of a pipe of unknown length'
gf -i back.wav channel:2 -o out.wav
same out.wav second.wav 'the chain after a tee of a pipe continues'
refuses 2 'is also the output' 'a tee of sound is not the output' gf -i in.wav tee:same.wav -o same.wav
refuses 2 'would both be written to one.wav' 'a tee of an audio batch needs a pattern' gf -i in.wav -i known.wav \
    tee:one.wav -o '{stem}-x.wav'
refuses 2 'needs the length of the input' 'tee of a live pipe' sh \
    -c 'cat open.wav | "$GPUFILTER" --latency 10 tee:live.wav -o /dev/null'
refuses 2 'needs the whole input first' 'a tee of a live pipe of known length' sh \
    -c 'cat in.wav | "$GPUFILTER" --latency 10 tee:live.wav -o /dev/null'
works 'a tee of a file with --latency' gf --latency 10 -i in.wav tee:live.wav gain:-6 -o out.wav
same in.wav live.wav 'a tee of a file with --latency has the same samples'
frames 1

# A pass that starts from the result before the tee finds all rows in memory, not only those that a
# strip needs.
image wide.ppm 320 240 3 255 5
for stage in sobel emboss median:2 blur:3 canny bilateral:2,0.1 resize:50% rotate:7; do
    gf -i wide.ppm invert $stage -o plain.ppm
    works "$stage after a tee" gf -i wide.ppm invert tee:between.ppm $stage -o teed.ppm
    same plain.ppm teed.ppm "$stage after a tee: the same result"
done

# Frames that are processed at the same time reach each file in their order.
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
    image f$i.ppm 40 30 3 255 $i
done
cat f1.ppm f2.ppm f3.ppm f4.ppm f5.ppm f6.ppm f7.ppm f8.ppm f9.ppm f10.ppm f11.ppm f12.ppm >frames.ppm
gf -i frames.ppm -j 1 invert -o inverted.ppm
gf -i frames.ppm -j 1 invert blur:2 -o blurred.ppm
works 'two tees of frames in parallel' gf -i frames.ppm -j 4 tee:first.ppm invert tee:second.ppm blur:2 -o third.ppm
same frames.ppm first.ppm 'the first tee has the frames in order'
same inverted.ppm second.ppm 'the second tee has the inverted frames in order'
same blurred.ppm third.ppm 'the result has the blurred frames in order'
head -c 40000 frames.ppm >cut.ppm
refuses 1 '' 'a cut frame fails a chain with tees' gf -i cut.ppm -j 4 tee:left.ppm invert -o right.ppm
is 'a cut frame leaves neither file' "$(ls left.ppm right.ppm 2>/dev/null)" ''
# Floats do not have all bits of these samples, which a GPU keeps for the chain after the tee.
tail -c 8000 frames.ppm >noise
devices=cpu
! have_cuda || devices='cpu cuda'
for device in $devices; do
    for type in s32 f64; do
        gf --device $device -f raw:rate=8000,type=$type -i noise tee:copy.wav histogram -o table.tsv
        gf -i copy.wav -t raw -o back
        same noise back "a tee of the input on $device keeps every bit of $type"
    done
done
finish
