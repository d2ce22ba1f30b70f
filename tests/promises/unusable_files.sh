# Damaged inputs, and outputs that cannot be written.
. "$(dirname "$0")/../lib.sh"
image in.ppm 33 21 3 255 1
sound in.wav 3000 2 1

# ---- inputs

refuses 1 'missing.ppm' 'an input that is not there' gf -i missing.ppm invert -o o.ppm
: >empty.ppm
refuses 1 'empty.ppm' 'an empty input' gf -i empty.ppm invert -o o.ppm
echo 'hello, this is no picture' >text.txt
refuses 1 'text.txt' 'a text as input' gf -i text.txt invert -o o.ppm
refuses 1 'standard input' 'an empty pipe' gf invert -o o.ppm
head -c 500 in.ppm >cut.ppm
refuses 1 'cut.ppm' 'a truncated image' gf -i cut.ppm invert -o o.ppm
head -c 11 in.ppm >header.ppm
refuses 1 'header.ppm' 'an image without pixels' gf -i header.ppm invert -o o.ppm
head -c 20 in.wav >header.wav
refuses 1 'header.wav' 'a recording cut in its header' gf -i header.wav invert -o o.wav

# Headers with false sizes: each is an error, reported quickly and without allocating the memory
# that it states.
hostile()
{
    name=$1
    refuses 1 'hostile.bin' "$name" gf -i hostile.bin invert -o o.ppm
}
printf 'P6\n99999999999 99999999999\n255\nabc' >hostile.bin
hostile 'sides beyond counting'
printf 'P5\n4000000000 4000000000\n255\nabc' >hostile.bin
hostile 'an area beyond counting'
printf 'P5\n-4 4\n255\nabcdefgh' >hostile.bin
hostile 'a negative side'
printf 'P5\n0 4\n255\n' >hostile.bin
hostile 'no columns'
printf 'P5\n4 4\n0\nabcdefghabcdefgh' >hostile.bin
hostile 'maxval 0'
printf 'P5\n4 4\n65536\nabcdefghabcdefgh' >hostile.bin
hostile 'maxval too large'
printf 'P5\n4' >hostile.bin
hostile 'a header that ends'
printf 'P7\nWIDTH 4\nHEIGHT 4\nMAXVAL 255\nENDHDR\nabcd' >hostile.bin
hostile 'a PAM without depth'
printf 'P7\nWIDTH 4\nHEIGHT 4\nDEPTH 5000\nMAXVAL 255\nENDHDR\nabcd' >hostile.bin
hostile 'a PAM of too many channels'
printf 'P7\nWIDTH 4\n%020000d' 0 >hostile.bin
hostile 'a PAM header without end'
printf 'Pf\n4 4\n0\nabcd' >hostile.bin
hostile 'a PFM without byte order'
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\377\377\377\377\377\377\377\377\010\002\0\0\0' >hostile.bin
hostile 'a PNG of all the world'
printf '\377\330\377\340\0\020JFIF' >hostile.bin
hostile 'a JPEG that ends'
printf 'BM\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\377\377\377\177\377\377\377\177\001\0\030\0' >hostile.bin
hostile 'a BMP of all the world'
printf 'GIF89a\377\377\377\377\0\0\0' >hostile.bin
hostile 'a GIF that ends'
printf 'RIFF\377\377\377\377WAVEfmt \020\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\020\0data\0\0\0\0' >hostile.bin
hostile 'a WAV without channels'
printf 'RIFF\044\0\0\0WAVEfmt \001\0\0\0\001' >hostile.bin
hostile 'a WAV with a short format'
printf 'RIFF\044\0\0\0WAVEdata\004\0\0\0abcd' >hostile.bin
hostile 'a WAV without a format'
image large.pgm 300 300 1 255 1
refuses 1 'max-pixels' 'more pixels than allowed' gf --max-pixels 80k -i large.pgm invert -o o.pgm
works 'as many pixels as allowed' gf --max-pixels 90k -i large.pgm invert -o o.pgm
rm -f o.pgm
is 'no output appeared for any of these' "$(ls o.* 2>/dev/null)" ''

# A recording whose first samples look like a JPEG or a PNG is not a second image.
{ head -c 44 in.wav; printf '\377\330\377\340\0\020JF'; tail -c +53 in.wav; } >like-jpeg.wav
{ head -c 44 in.wav; printf '\211PNG\r\n\032\n'; tail -c +53 in.wav; } >like-png.wav
for samples in like-jpeg like-png; do
    works "samples $samples" gf -i $samples.wav -o $samples-back.wav
    same $samples.wav $samples-back.wav 'come back'
done
{ head -c 24 in.wav; printf '\104\254\0\0'; tail -c +29 in.wav; } >like-cd.wav
refuses 1 '44100 Hz; add the stage resample:48k' 'a rate that Opus has not' gf -i like-cd.wav -t opus -o like-cd.opus
rm -f like-*

# ---- outputs

refuses 1 'in.ppm/o.ppm' 'a folder that is a file' gf -i in.ppm invert -o in.ppm/o.ppm
for target in o.ppm o.png o.jpg o.bmp o.tga o.pam; do
    refuses 1 '' "a full disk, as ${target#o.}" gf -i in.ppm invert -t "${target#o.}" -o /dev/full
done
refuses 1 '' 'a full disk, audio' gf -i in.wav invert -t wav -o /dev/full
refuses 1 '' 'a full disk, a table' gf -i in.ppm histogram -t tsv -o /dev/full
for target in o.ppm o.png o.jpg; do
    refuses 1 "limit-$target: File too large" "a limit on the size of files, as ${target#o.}" \
        sh -c 'ulimit -f 1 && "$0" -i "$1/photo.ppm" invert -o "limit-$2"' "$GPUFILTER" "$GPUFILTER_SAMPLES" $target
done
is 'and no file is left' "$(ls -A | grep -c limit)" 0
refuses 1 'File too large.*TMPDIR' 'and on a spool that does not fit into memory' \
    sh -c 'ulimit -f 1 && "$0" --device cpu --memory 4M -i "$1/photo.ppm" resize:1600x1200 rotate:30 -o limit.ppm' \
    "$GPUFILTER" "$GPUFILTER_SAMPLES"
for ask in --help '--help blur' --list --version --devices '--completion bash' '--manual options' \
    '--explain -i in.ppm invert -o o.ppm'; do
    refuses 1 '^gpufilter: standard output: ' "a full disk, $ask" sh -c 'exec "$0" $1 >/dev/full' "$GPUFILTER" "$ask"
done
is '/dev/full is still a device' "$(test -c /dev/full && echo yes)" yes
works '/dev/null takes everything' gf -i in.ppm invert -o /dev/null
is '/dev/null is still a device' "$(test -c /dev/null && echo yes)" yes

# If standard error is closed, messages must not go into a file that gets its descriptor.
photo=$GPUFILTER_SAMPLES/photo.ppm
gf --device cpu -i "$photo" invert -o said.ppm
{ head -c 100000 "$photo"; sleep 0.5; tail -c +100001 "$photo"; } |
    gf --device cpu --progress always invert -o unsaid.ppm 2>&-
same said.ppm unsaid.ppm 'standard error is closed'
rm said.ppm unsaid.ppm
refuses 1 'standard output: Bad file descriptor' 'standard output is closed' sh -c '"$0" -i in.ppm invert >&-' \
    "$GPUFILTER"
refuses 1 'standard input: Bad file descriptor' 'standard input is closed' sh -c '"$0" invert -t ppm <&-' "$GPUFILTER"

echo precious >old.ppm
refuses 1 'cut.ppm' 'a failure with an output that exists' gf -i cut.ppm invert -o old.ppm
is 'leaves it unchanged' "$(cat old.ppm)" precious
refuses 1 'old.ppm' '--no-clobber' gf -n -i in.ppm invert -o old.ppm
is 'also leaves it unchanged' "$(cat old.ppm)" precious
is 'and leaves no other files' "$(ls -A | grep -c '^\.\|tmp')" 0
works 'an output that exists is replaced' gf -i in.ppm invert -o old.ppm
gf -i in.ppm invert -o twice.ppm
same twice.ppm old.ppm 'with a complete file'

cp in.ppm self.ppm
works 'input and output the same file' gf -i self.ppm invert -o self.ppm
same twice.ppm self.ppm 'gives the right result'
ln -s real.ppm link.ppm
echo precious >real.ppm
works 'an output that is a link' gf -i in.ppm invert -o link.ppm
is 'is followed' "$(test -L link.ppm && cmp -s real.ppm twice.ppm && echo yes)" yes
cp in.ppm moded.ppm
chmod 640 moded.ppm
gf -i moded.ppm invert -o moded.ppm
is 'an output keeps its permissions' "$(ls -l moded.ppm | cut -c1-10)" '-rw-r-----'
mkdir moded
for i in 1 2 3 4 5 6 7 8; do
    cp in.ppm moded/$i.ppm
    [ $((i % 2)) = 0 ] || { cp in.ppm moded/out-$i.ppm && chmod 666 moded/out-$i.ppm; }
done
(umask 027; gf -q -j 4 -i moded/[1-8].ppm invert -o moded/out-{stem}.ppm)
is 'also more than the umask allows, beside new ones' "$(stat -c %a moded/out-* | tr '\n' ' ')" \
    '666 640 666 640 666 640 666 640 '
mkfifo pipe
cat pipe >from-pipe.ppm &
gf -i in.ppm invert -o pipe
wait
same twice.ppm from-pipe.ppm 'a FIFO is written to'
is 'and stays one' "$(test -p pipe && echo yes)" yes
mkdir locked
chmod 555 locked
if [ "$(id -u)" = 0 ]; then
    skip 'root may write anywhere'
else
    refuses 1 'locked' 'a folder that may not be written' gf -i in.ppm invert -o locked/o.ppm
fi

# ---- readers that stop early

image wide.ppm 1000 700 3 255 1
{ gf -i wide.ppm invert; echo $? >status; } 2>errors | head -c 1 >first
is 'gpufilter ends quietly if the reader stops' "$(cat errors status)" 0
sound long.wav 200000 2 3
{ gf -i long.wav invert; echo $? >status; } 2>errors | head -c 1 >first
is 'also with audio' "$(cat errors status)" 0

mkdir alone
cp wide.ppm alone
{ gf -i alone/ -t ppm; echo $? >status; } 2>errors | head -c 1 >first
is 'also for a folder' "$(cat errors status)" 0

# ---- names from standard input

works 'a pattern for standard input' sh -c '"$0" invert -o "{stem}-{dir}x.{ext}ppm" <in.ppm' "$GPUFILTER"
same twice.ppm stdin-.x.ppm 'calls it stdin'

# ---- interrupted

mkfifo slow
sleep 30 >slow &
sleeper=$!
"$GPUFILTER" -i slow invert -o interrupted.ppm &
runner=$!
sleep 1
kill -TERM $runner
wait $runner 2>/dev/null
is 'an interruption is one' $? 143
kill $sleeper 2>/dev/null
is 'and leaves nothing' "$(ls -A | grep interrupted)" ''
finish
