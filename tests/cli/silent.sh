# Commands of every day print nothing but their results, and end with status 0.
. "$(dirname "$0")/../lib.sh"

for file in photo.ppm scene.ppm chart.pgm cutout.pam sound.wav voice.wav room.wav; do
    cp "$GPUFILTER_SAMPLES/$file" .
done
mkdir in out results
gf -q -i photo.ppm -o photo.jpg && gf -q -i photo.ppm -o photo.png && gf -q -i scene.ppm -o in/IMG_2.png &&
    gf -q -i photo.ppm -o in/IMG_10.jpg && gf -q -i cutout.pam -o logo.png &&
    gf -q -i photo.ppm --depth 16 -o deep.png &&
    cat photo.ppm photo.ppm | gf -q --rate 25 -o film.y4m && gf -q -i voice.wav -o in.flac || exit 99
PATH=$scratch/bin:$PATH
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter

# Each line is a command. "tiff", "webp", "ogg" or "mp3" before it names a format that may be missing.
commands()
{
    cat <<'END'
gpufilter -i photo.png -o out.jpg
gpufilter -i photo.jpg -o out.png
gpufilter -i photo.jpg resize:50% -o small.jpg
gpufilter -i photo.png resize:320x240,fit=inside -o small.png
gpufilter -i photo.jpg resize:100x100,fit=outside crop:100x100,at=center -o square.jpg
gpufilter -i photo.png blur:2 -o soft.png
gpufilter -i photo.jpg gray -o gray.jpg
gpufilter -i photo.jpg rotate:90 -o turned.jpg
gpufilter -i photo.png crop:200x100+10+20 -o part.png
gpufilter -i photo.jpg autolevel unsharp:1 saturate:1.2 -o better.jpg --quality 90
gpufilter -i photo.png brightness:0.1 contrast:1.1 gamma:0.9 -o toned.png
gpufilter -i photo.png median:2 equalize gray threshold:otsu -o ink.png
gpufilter -i photo.jpg over:logo.png,10,10,at=bottom-right -o signed.jpg
gpufilter -i photo.ppm blend:photo.png,multiply -o dark.png
gpufilter -i photo.png invert -o photo-2.png
gpufilter -i deep.png blur:1 -o deeper.png
gpufilter -i deep.png resize:50% --depth 8 -o flat.png
gpufilter -i photo.png gamma:2.2 -o linear.pfm
tiff gpufilter -i photo.png -o photo.tif
tiff gpufilter -i photo.png blur:1 --depth f32 -o photo.tiff
tiff cat photo.ppm scene.ppm | gpufilter blur:1 -o stack.tif
tiff gpufilter -i stack.tif -o 'page-{n}.png'
webp gpufilter -i photo.jpg -o photo.webp
webp gpufilter -i photo.webp resize:x100 -o thumb.png
gpufilter -i in resize:x100 -o out
gpufilter -i in blur:1 -t png -o out/
gpufilter -i 'in/*.png' gray -o 'out/{stem}-gray.jpg'
gpufilter -i in/IMG_2.png -i in/IMG_10.jpg invert -o 'out/{n:3}.png'
find in -name '*.png' -print0 | gpufilter --files-from - -0 flip -o out/
gpufilter -i in --shard 1/2 flop -o out/
gpufilter -i in resize:x100 --update -o out/
gpufilter -i in -i photo.jpg stats -o table.tsv
gpufilter -i photo.jpg stats
gpufilter -i photo.jpg histogram -o histogram.csv
gpufilter -i photo.jpg histogram -o histogram.png
gpufilter -i photo.png compare:photo.ppm
gpufilter -i sound.wav stats --to json
cat photo.ppm | gpufilter blur:1 | gpufilter gray >out.ppm
gpufilter blur:1 <photo.jpg >out.ppm
gpufilter -i photo.jpg -t png | gpufilter gray -o out.png
gpufilter -i film.y4m blur:2 -o out.y4m
cat film.y4m | gpufilter resize:50% crop:100x80+0+0 >out.y4m
gpufilter -i film.y4m -o 'frame-{n:3}.png'
cat frame-001.png frame-002.png | gpufilter --rate 12.5 -o back.y4m
gpufilter -i voice.wav gain:-3 -o out.wav
gpufilter -i sound.wav fade:0.1,0.2 -o out.wav
gpufilter -i voice.wav resample:16000 -o out.wav
gpufilter -i sound.wav trim:0.1,+0.5 -o out.wav
gpufilter -i voice.wav highpass:80 normalize:lufs=-16 limit:-1 -o clean.flac
gpufilter -i in.flac mono -o out.wav
gpufilter -i in.flac gain:-6 --depth f32 -o out.wav
gpufilter -i sound.wav --depth 24 -o out.flac
cat sound.wav | gpufilter bass:-3 >out.wav
gpufilter -i sound.wav reverb:room.wav limit:-1 -o out.wav
gpufilter -i voice.wav spectrogram -o out.png
gpufilter -i voice.wav waveform -o out.png
ogg gpufilter -i voice.wav -o out.ogg
mp3 gpufilter -i voice.wav -o out.mp3
gpufilter -i photo.jpg blur:2 -o photo.jpg
gpufilter -i photo.jpg gray blur:2 --explain
gpufilter --list
gpufilter --help blur
END
}
gf --list >list
commands >lines
while read -r line; do
    case $line in
    tiff\ * | webp\ * | ogg\ * | mp3\ *)
        format=${line%% *} line=${line#* }
        if ! grep -qw "$format" list; then
            skip "$format is not here: $line"
            continue
        fi ;;
    esac
    sh -c "$line" >printed 2>errors </dev/null
    is "$line" "$? $(cat errors)" '0 '
done <lines

finish
