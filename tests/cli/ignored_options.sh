# Options that the output does not use cause a warning, unless a tee or another output uses them.
. "$(dirname "$0")/../lib.sh"
image in.ppm 9 7 3 255 1
image in2.ppm 9 7 3 255 2
sound in.wav 4000 1 3

# warns NAME LINES COMMAND...: the command succeeds and prints exactly LINES on standard error.
warns()
{
    name=$1 lines=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $lines"
}
# reports EXTENSION INPUT OPTION: writes EXTENSION and returns whether a warning says that the
# option has no effect.
reports()
{
    gf -i "$2" $3 -o "o.$1" >out 2>errors </dev/null
    grep -c "has no effect" errors
}

# Prints the formats that use an option and that this build can write.
names()
{
    for word; do
        gf --list | sed -n '/^Writes:/,$p' | grep -qiw "$word" && echo "$word"
    done | awk '{ text[NR] = $1 } END { for (i = 1; i <= NR; i++) printf "%s%s", i == 1 ? "" : i == NR ? " and " : ", '\
'", text[i] }'
}
quality=$(names JPEG MP3 Ogg Opus WebP) compression=$(names FLAC PNG TIFF WebP)
says="gpufilter: warning: o.png: --quality has no effect on png; it is for $quality"
warns 'a quality for PNG' "$says" gf -i in.ppm --quality 80 -o o.png
warns 'a quality for PNG gives no warning with -q' '' gf -q -i in.ppm --quality 80 -o o.png
refuses 1 'strict.png: --quality has no effect' 'an error with --strict' gf --strict -i in.ppm --quality 80 \
    -o strict.png
is 'a quality for PNG with --strict writes no output' "$(ls strict.png 2>/dev/null)" ''
warns 'two at once' "gpufilter: warning: o.ppm: --compression has no effect on ppm; it is for $compression
gpufilter: warning: o.ppm: --progressive has no effect on ppm; it is for JPEG" gf -i in.ppm --compression 9 \
    --progressive -o o.ppm
warns 'a depth for a table' "gpufilter: warning: o.tsv: --depth has no effect on a table; it is for images and audio
gpufilter: warning: o.tsv: --quality has no effect on a table; it is for $quality" \
    gf -i in.ppm stats --quality 80 --depth 16 -o o.tsv
warns 'one table of several inputs' \
    "gpufilter: warning: in.ppm and 1 other file: --quality has no effect on a table; it is for $quality" \
    gf -i in.ppm -i in2.ppm stats --quality 80 -o all.tsv
mkdir in small
cp in.ppm in/a.ppm
gf -i in.ppm -o in/b.png
gf -i in.ppm -o in/c.png
warns 'an ignored option for the files of a batch gives one warning' \
    'gpufilter: warning: small/a.ppm and 2 other files: --progressive has no effect on ppm; it is for JPEG' \
    gf -i in --progressive -o small/
warns 'a warning even for an explicit default value' \
    "gpufilter: warning: o.png: --subsampling has no effect on png; it is for JPEG" \
    gf -i in.ppm --subsampling 420 -o o.png
for line in 'png in.ppm --compression=9' 'png in.ppm --depth=16' 'ppm in.ppm --depth=16' 'pam in.ppm --depth=8' \
    'y4m in.ppm --depth=8' \
    'bmp in.ppm --depth=8' 'tga in.ppm --depth=8' 'qoi in.ppm --depth=8' 'raw in.ppm --depth=16' \
    'wav in.wav --depth=24' 'au in.wav --depth=8' \
    'aiff in.wav --depth=24' 'flac in.wav --depth=16' 'flac in.wav --compression=3' 'ogg in.wav --quality=60' \
    'raw in.wav --depth=32'; do
    set -- $line
    is "$3 for $1 is silent" "$(reports $1 $2 $3)" 0
done
for line in 'jpg in.ppm --compression=3' 'pam in.ppm --quality=3' 'hdr in.ppm --progressive' 'bmp in.ppm --quality=50' \
    'tga in.ppm --compression=5' \
    'qoi in.ppm --compression=5' 'y4m in.ppm --quality=50' 'raw in.ppm --quality=50' 'wav in.wav --quality=50' \
    'flac in.wav --quality=50' \
    'ogg in.wav --compression=5' 'au in.wav --progressive' 'caf in.wav --subsampling=420'; do
    set -- $line
    is "$3 for $1 is named" "$(reports $1 $2 $3)" 1
done
if gf --version | grep -q turbo; then
    for option in --quality=80 --subsampling=420 --progressive --depth=8; do
        is "$option for jpg is silent" "$(reports jpg in.ppm $option)" 0
    done
    works 'a tee may use it' gf -i in.ppm tee:small.jpg invert --quality 80 -o o.png
else
    skip 'libjpeg-turbo is not built in'
fi
if gf --list | grep -qi webp; then
    for option in --quality=80 --compression=6; do
        is "$option for webp is silent" "$(reports webp in.ppm $option)" 0
    done
    warns '--compression and --quality for WebP: the result is lossless' \
        'gpufilter: warning: o.webp: --compression makes WebP lossless, so '\
'--quality 80 has no effect; leave out one of them' \
        gf -i in.ppm --quality 80 --compression 6 -o o.webp
    is 'subsampling for webp is named' "$(reports webp in.ppm --subsampling=420)" 1
else
    skip 'libwebp is not built in'
fi
finish
