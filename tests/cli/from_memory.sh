# Commands as people type them from memory of FFmpeg, SoX, ImageMagick and vips: one line leads to what to write here.
. "$(dirname "$0")/../lib.sh"
image in.ppm 20 15 3 255 1
image two.ppm 20 15 3 255 2
cp "$GPUFILTER_SAMPLES/sound.wav" in.wav
gf -q -i in.ppm -i two.ppm --join --rate 25 -o in.y4m
: >in.mp4

# answers PATTERN ARGUMENT...: one line that ends with the pattern (grep).
answers()
{
    pattern=$1
    shift
    refuses 2 "$pattern\$" "$*" gf "$@"
}
branches='there is no graph with branches; .* each frame of a GIF gets its best colors anyway'
through="ffmpeg -i in.mp4 -f yuv4mpegpipe - | gpufilter"
back="-t y4m | ffmpeg -i - -i in.mp4 -map 0:v -map '1:a?' new.mp4"

# ---- video ----
answers "write: $through resize:1280x720 $back" -i in.mp4 -vf scale=1280:720 new.mp4
answers "there is no -c:v -crf here; write: $through resize:64 sharpen:1,1 $back" \
    -i in.mp4 -vf scale=64:-1,unsharp -c:v libx264 -crf 20 new.mp4
answers "write: ffmpeg -ss 3 -t 2 -i in.mp4 .* gpufilter flip -t y4m | ffmpeg -i - -ss 3 -t 2 -i in.mp4 .* new.mp4" \
    -i in.mp4 -ss 3 -t 2 -vf vflip new.mp4
answers 'write: ffmpeg -i in.mp4 -f wav - | gpufilter gain:6.02 -o new.wav' -i in.mp4 -af volume=2 new.wav
answers 'write: gpufilter -i in.y4m invert -t y4m | ffmpeg -i - new.mkv' -i in.y4m -vf negate new.mkv
answers "'hqdn3d'; use nlmeans, bilateral or median" -i in.y4m -vf scale=10:-1,hqdn3d new.y4m
answers 'use montage:4 --images 12 for the first 12 frames in rows of 4' -i in.y4m -vf tile=4x3 -frames:v 1 new.png
answers "there is no preset; use 'curves:.*' for an S-shaped curve" -i in.y4m -vf curves=vintage new.y4m
answers 'there is no fade of video; ffmpeg -i VIDEO -vf fade=in:0:30 .* OUT.mp4' -i in.y4m -vf fade=in:0:30 new.y4m
answers "but --rate 50 shows .* -vf 'setpts=0.5\*PTS' .* OUT.mp4" -i in.y4m -filter:v 'setpts=0.5*PTS' new.y4m
answers "$branches" -i in.y4m -filter_complex '[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse' new.gif
answers 'write: gpufilter -i in.ppm -i two.ppm --rate 10 --join -o new.gif' -framerate 10 -i in.ppm -i two.ppm new.gif

refuses 1 'No such file or directory; numbered files are a pattern in quotes, with . in the place of %d$' \
    'numbers of images as in FFmpeg' gf -i img%03d.png --rate 10 -o new.gif

# ---- audio ----
answers "'afftdn=nf=-25'; did you mean 'denoise'?" -i in.wav -af highpass=f=80,afftdn=nf=-25 new.wav
answers "'dynaudnorm'; did you mean 'level'?" -i in.wav -af dynaudnorm new.wav
answers 'use silence:trim for the ends, and silence:shorten for pauses' -i in.wav -af silenceremove=1:0:-50dB new.wav
answers "'silence'; gpufilter --help silence shows the values of the stage" \
    sox in.wav new.wav silence 1 0.1 1% 1 2.0 1%
answers "'compand'; did you mean 'compress'?" sox in.wav new.wav compand 0.3,1 6:-70,-60,-20 -5 -90 0.2
answers "use split:every=30 or split:silence with -o 'part-{n}.wav'" sox in.wav new.wav trim 0 10 : newfile : restart
answers "'reverb'; gpufilter --help reverb shows the values of the stage" sox in.wav new.wav reverb 50
answers "use silence:shorten to cut them, silence:table to list them" -i in.wav shorten -o new.wav

# ---- photos ----
answers 'write: gpufilter -i in.ppm -i two.ppm --rate 10 --join -o new.gif' \
    convert -delay 10 -loop 0 in.ppm two.ppm new.gif
answers 'write it to a file first, and use over:FILE or blend:FILE,MODE' \
    convert in.ppm '(' +clone -blur 0x8 ')' -compose overlay -composite new.jpg
answers 'there is no conversion to other color spaces; saturate, .*' convert in.ppm -colorspace HSL -channel B new.jpg
answers 'write: gpufilter -i in.ppm tile:8x8 -o tile_{n}.jpg' convert in.ppm -crop 8x8 tile_%d.jpg
answers 'write: gpufilter -i in.ppm resize:50% -o small{n:3}.jpg' convert in.ppm -resize 50% small%03d.jpg
answers 'write: gpufilter -i in.ppm --info' identify -verbose in.ppm
answers 'write: gpufilter -i in.ppm --info' identify -format %wx%h in.ppm

# ---- scans ----
answers "'-monochrome'; use gray, or threshold for black and white only" convert in.ppm -negate -monochrome new.tif
answers 'write: gpufilter -i in.ppm gray dog:0,4.1,offset=0.5 threshold:0.45 -o new.png' \
    convert in.ppm -lat 25x25-5% new.png
answers 'there is no replacement of a color; convert IN.png .* | gpufilter ...' \
    convert in.ppm -fuzz 10% -fill white -opaque '#eee' new.png
answers 'use levels:0.1,1 to make the darkest tenth black, .*' convert in.ppm -black-threshold 20% new.png
answers 'use deskew autocrop:10% background:20, or the chain of A SCANNED PAGE in .*' -i in.ppm unpaper -o new.png

# ---- science ----
refuses 2 'tiff cannot store --depth 32; use 8, 16 or f32$' 'a depth that has a letter here' \
    gf -i in.ppm --depth 32 -o new.tif
answers 'write: gpufilter -i in.ppm median:2 -o new.tif' vips rank in.ppm new.tif 5 5 12
answers 'write: gpufilter -i in.ppm canny:1.4 -o new.tif' vips canny in.ppm new.tif --sigma 1.4
answers 'write: gpufilter -i in.ppm blend:two.ppm,subtract -o new.tif' vips subtract in.ppm two.ppm new.tif
answers 'use --depth 8, 16 or f32, which keeps the scale' vips cast in.ppm new.tif uchar
answers "use tile:256x256 -o '{y}-{x}.png', which cuts one level of a pyramid" vips dzsave in.ppm pyramid
answers 'there is no search for objects, but threshold:otsu makes a mask .*' vips labelregions in.ppm new.tif
answers "no stage is called 'bandrank'; gpufilter --list shows all" vips bandrank in.ppm new.tif
answers 'write blur:2' -i in.ppm gaussian_filter:sigma=2 -o new.tif
answers 'use stack:max for the pages of a TIFF or for many files' -i in.ppm zproject:max -o new.tif
finish
