# Words of other programs: they are accepted if they mean exactly one thing, or one line says what to write.
. "$(dirname "$0")/../lib.sh"
image in.ppm 20 15 3 255 1
cp "$GPUFILTER_SAMPLES/sound.wav" .

# ---- names of channels ----
for pair in r:red g:green b:blue a:alpha; do
    gf -i in.ppm channel:${pair%:*} -o o.pgm && gf -i in.ppm channel:${pair#*:} -o p.pgm
    same o.pgm p.pgm "channel:${pair#*:} is ${pair%:*}"
done
for pair in 1:left 2:right; do
    gf -i sound.wav channel:${pair%:*} -o o.wav && gf -i sound.wav channel:${pair#*:} -o p.wav
    same o.wav p.wav "channel:${pair#*:} is ${pair%:*}"
done
refuses 2 "must be r, g, b, a, red, green, blue or alpha$" 'a channel that no picture has' gf -i in.ppm channel:4 \
    -o o.pgm
refuses 2 "must be left or right, or 1 to 64$" 'a channel that no audio has' gf -i sound.wav channel:red5 -o o.wav
refuses 2 "or alpha; for audio it must be left" 'a channel that does not exist, for an unknown kind of input' \
    gf channel:x -o o.wav
refuses 2 'channels are 1, 2, 3' 'half a channel' gf -i sound.wav channel:1.5 -o o.wav
refuses 1 'no channel 2' 'the right one of one' gf -i sound.wav mono channel:right -o o.wav

# ---- units ----
same_words()    # INPUT OUTPUT ARGUMENT ARGUMENT: both arguments have the same result
{
    gf -i "$1" $3 -o one-$2 && gf -i "$1" $4 -o other-$2
    same one-$2 other-$2 "$3 is $4"
}
same_words in.ppm o.ppm rotate:90deg rotate:90
same_words in.ppm o.ppm rotate:30degrees rotate:30
same_words in.ppm o.ppm resize:8px resize:8
same_words in.ppm o.ppm resize:8x5px resize:8x5
same_words in.ppm o.ppm pad:2px pad:2
same_words in.ppm o.ppm temperature:5000K temperature:5000
same_words in.ppm o.ppm exposure:+1EV exposure:1
same_words sound.wav o.wav compress:-20,4:1 compress:-20,4
same_words sound.wav o.wav trim:0,0.01m trim:0,0.6
same_words sound.wav o.wav trim:0.1s,0.005min trim:0.1,0.3
same_words sound.wav o.wav trim:0,0.0001h trim:0,0.36
refuses 2 'must be seconds' 'two units of time' gf -i sound.wav trim:0,1:30m -o o.wav
refuses 2 'dBFS is a level; the stage normalize sets levels' 'a level instead of a difference' gf -i sound.wav \
    gain:-3dBFS -o o.wav

# ---- did you mean ----
told()          # PATTERN ARGUMENT: tests the message for an argument with in.ppm
{
    refuses 2 "$1" "the message for $2" gf -i in.ppm "$2" -o o.ppm
}
told "did you mean 'at=southeast'?$" over:in.ppm,gravity=southeast
told "did you mean 'at=bottom-right'?$" over:in.ppm,bottom-right
told "did you mean 'filter=linear'?$" resize:5,filtr=linear
told "did you mean '60%'?$" over:in.ppm,opacity=60
told "did you mean 'bg=white'?$" pad:10,white
told "did you mean 'bg=#fff'?$" 'pad:10,#fff'
told "must be 0 to 1000000 pixels$" pad:10,blakc
told "did you mean 'outside'?$" resize:20x20,fit=cover
told "did you mean 'linear'?$" resize:20,filter=bilinear
told "did you mean 'southeast'?$" over:in.ppm,at=se
told "did you mean 'min-psnr='?$" compare:in.ppm,psnr=30
told "did you mean 'radius=3'?$" blur:radius:3
told 'write resize:20x20$' resize:20,20
told 'write temperature:6500,to=5000$' temperature:6500,5000
told 'use temperature:6500,to=5000 for a warmer image, and to=8000 for a cooler one$' temperature:warm
told 'use temperature:6500,to=5000 for a warmer image, and to=8000 for a cooler one$' temperature:+10
told "use 'curves:\[0 0; 0.5 0.6; 1 1\]'$" curves:0/0,0.5/0.6,1/1
told "use 'curves:\[0 0; 0.25 0.2; 0.75 0.8; 1 1\]'$" 'curves:0,0 0.25,0.2 0.75,0.8 1,1'
told "there is no preset strong_contrast; use 'curves:\[0 0; 0.25 0.2; 0.75 0.8; 1 1\]'" curves:preset=strong_contrast
told 'write crop:16:9$' crop:16/9
told 'write crop:1.778:1$' crop:1.778
told "did you mean 'inner'?$" rotate:5,fit=crop
told 'use rotate:5,fit=inner, which leaves no background$' rotate:5,crop
told 'use lens:-0.1,zoom=1.1 or another number' lens:-0.1,zoom=auto
told "use 'warp:from=\[60 40; 430 20; 460 340; 30 320\]'$" warp:60,40,430,20,460,340,30,320
told "did you mean '-20%'?$" highlights:-20
told 'write temperature:5000$' white-balance:5000
told 'write match:in.ppm$' histmatch:in.ppm
told 'write match:in.ppm$' match-colors:in.ppm
told 'write lens:-0.05$' lens-correction:-0.05
told 'write exposure:1$' brighter:1
told 'write exposure:-1.5$' darker:1.5
told 'write brightness:20%$' brighter:20
told 'write rotate:-2.5,fit=inner$' straighten:-2.5
told "did you mean 'deskew'?$" straighten
told 'use rotate:-5 to turn by a known angle, because deskew finds the angle$' deskew:-5
told 'use deskew alone, which finds the angle$' deskew:0
told 'write temperature:area=9x9+96+46$' wb:100,50
told "use 'curves:\[0 0; 0.25 0.2; 0.75 0.8; 1 1\]' for an S-shaped curve" s-curve
told 'use shadows:0.5 for dark parts' lift
told "did you mean 'highlights'?$" recover
told 'use levels:0,0.9 to make the brightest tenth white' whites
told 'use levels:0.1,1 to make the darkest tenth black' blacks:10
told 'write crop:16:9$' aspect:16:9
told 'there is no other dither than noise' palette:16,dither=floyd-steinberg
for stops in 1stop +1EV 1stops; do
    gf -q -i in.ppm exposure:1 -o wanted.ppm
    gf -q -i in.ppm exposure:$stops -o found.ppm
    same wanted.ppm found.ppm "exposure takes the unit of $stops"
done
told 'write levels:0.1,0.9$' gimp-levels:0.1,0.9
told "did you mean 'lens'?$" distortion
told 'use sharpen:0.4,20 or clahe' clarity
told 'number is a radius; write tmedian:11$' tmedian=5
told 'missing value for sigma (0 to 21 pixels); for example bilateral:2,0.1$' bilateral
refuses 2 "write mix:b.wav$" 'an overlay of audio' gf -i sound.wav overlay:b.wav -o o.wav
refuses 2 'use --mix -i A.wav -i B.wav' 'an overlay of audio without a file' gf -i sound.wav overlay -o o.wav
refuses 2 'use silence:shorten to cut them' 'pauses of audio' gf -i sound.wav pauses: -o o.wav
refuses 2 "must be two numbers LO,HI; did you mean '0,0.8'?" 'a dash between two numbers' \
    gf -i sound.wav denoise:noise=0-0.8 -o o.wav
refuses 2 'use noise=0,0.8 for a part of the input' 'a sample of noise' gf -i sound.wav denoise:sample=0,0.8 -o o.wav
refuses 2 "unknown 'dpi'; did you mean 'resolution'?" 'dots to strip' gf -i in.ppm --strip=dpi -o o.ppm
told "for example 'curves:\[0 0; 0.25 0.2; 0.75 0.8; 1 1\]'$" curves
refuses 2 'a level comes first; write compress:-20,3$' 'a ratio without a level' gf -i sound.wav compress:3:1 -o o.wav
refuses 0 'did you mean -4, or ratio=4?$' 'a ratio instead of a level' gf -i sound.wav compress:4 -o o.wav
refuses 0 'db=0.1 is above full scale .*did you mean -20?$' 'a linear level' gf -i sound.wav compress:0.1,4 -o o.wav
refuses 2 'use the option --strip=gps' 'what to strip, as an argument of its own' gf -i in.ppm --strip gps -o o.ppm
refuses 2 'unknown option --strip-gps; use --strip=gps' 'what to strip, as a part of the option' \
    gf -i in.ppm --strip-gps -o o.ppm
refuses 2 "did you mean 'gps'?$" 'a place to strip' gf -i in.ppm --strip=location -o o.ppm
refuses 0 'crop:16:9 keeps the largest rectangle of that shape$' 'a few pixels instead of a shape' \
    gf -i "$GPUFILTER_SAMPLES/photo.ppm" crop:16x9 -o o.ppm
refuses 0 'the point 460,3400 of from= is far outside of the image' 'a wrong digit of a corner' \
    gf -i "$GPUFILTER_SAMPLES/photo.ppm" 'warp:from=[60 40; 430 20; 460 3400; 30 320]' -o o.ppm
told 'write diff:FILE$' diff
told "did you mean 'histogram'?$" hist
told "'rotate:90'" rot90
told "'blend:FILE,multiply'" multiply
told 'use -o NAME.jpg or --to jpg to choose the format$' jpg
for word in text deinterlace; do
    told "no stage is called '$word'; there is no " $word
done
for word in jion txet grdi; do
    told 'gpufilter --list shows all$' $word
done
refuses 2 "use trim:FROM,TO, which" 'a cut of audio' gf -i sound.wav cut:1,2 -o o.wav
refuses 2 "write trim:1.5,+0.5$" 'a length instead of an end' gf -i sound.wav trim:1.5,0.5 -o o.wav
refuses 2 "did you mean '0:00.5,0:01'?$" 'a dash between two times' gf -i sound.wav trim:0:00.5-0:01 -o o.wav
refuses 2 "did you mean 'lufs=-16'?$" 'a colon behind a key' gf -i sound.wav normalize:lufs:-16 -o o.wav
refuses 2 "is audio; did you mean 'mono'?$" 'a stage for images on audio: its counterpart' gf -i sound.wav gray -o o.wav
told 'is an image; use autocrop to cut off a border, crop to keep a part$' trim:1
told 'trim works on audio; use autocrop' trim
told 'trim works on audio; use autocrop' trim:10%
told "is an image$" bass:3
printf '\032\105\337\243 and so on' >film
printf '    ftypisom0000and so on' >film.dat
printf 'whatever' >phone.heic
refuses 1 'is Matroska or WebM, .*f yuv4mpegpipe' 'a film on a pipe' sh -c "'$GPUFILTER' invert <film"
refuses 1 'film.dat: is MP4, .*f yuv4mpegpipe' 'one with a wrong name' gf -i film.dat invert -o o.ppm
refuses 1 'does not read .heic; use ImageMagick (convert FILE png:-' 'an image of a telephone' gf -i phone.heic \
    invert -o o.ppm
rm film film.dat phone.heic
told 'values follow a colon, see gpufilter --help crop$' crop=3
told 'use the option --quality 80$' quality:80
told 'use the option --strip$' strip
told 'info FILE' info
told 'info FILE' identify
told 'over or blend' mix:two.ppm
told 'use --join for all images in one output' concat
refuses 2 "did you mean '44.1k'?$" 'a rate in kilohertz' gf -i sound.wav resample:44.1 -o o.wav
refuses 2 'write highpass:80$' 'a stage as if it were an option' gf -i sound.wav highpass=80 -o o.wav
refuses 2 'normalize:-1 to set it' 'a peak as a stage' gf -i sound.wav peak -o o.wav
refuses 2 "'lowpass'" 'hiss in --help' gf --help hiss
refuses 2 "q, which is --quiet.*mean --quality 80?$" 'a value behind -q' gf -i in.ppm resize:10 -q 80 -o o.jpg
refuses 2 '-resize; write: gpufilter -i in.ppm resize:50% -o o.ppm$' 'a stage after a dash' gf -i in.ppm -resize 50% \
    -o o.ppm
refuses 2 'write: gpufilter -i in.ppm resize:50% -o o.ppm$' 'a stage after two dashes' \
    gf -i in.ppm --resize 50% -o o.ppm
refuses 2 'write: gpufilter -i in.ppm resize:50% -o o.ppm$' 'a stage after two dashes, with =' \
    gf -i in.ppm --resize=50% -o o.ppm
refuses 2 'write: gpufilter -i in.ppm gray -o o.ppm$' 'one of another name after two' gf -i in.ppm --grayscale -o o.ppm
refuses 2 'mean --quality?$' 'an option that is nearly right' gf -i in.ppm --qualty 50 -o o.ppm
refuses 2 'write: gpufilter -i in.ppm flip -o o.ppm$' 'one that begins as an option does' gf -i in.ppm -flip -o o.ppm
refuses 2 'write: gpufilter -i in.ppm invert -o o.ppm$' 'one of another name' gf -i in.ppm -negate -o o.ppm
refuses 2 'write: gpufilter -i in.ppm --quality 80 -o o.jpg$' 'an option after one dash' gf -i in.ppm -quality 80 \
    -o o.jpg
cp in.ppm nvert
refuses 2 'is a folder, not a stage' 'a folder without -i' gf ./ gain:-3 -o many/
works 'a letter and its value in one argument' gf -invert -o o.ppm

# ---- unknown extensions ----
# told_as LINE ARGUMENTS: tests that LINE is all that is printed for in.ppm.
cp in.ppm two.ppm
mkdir -p many
told_as() { is "$2: ${1:-no message}" "$(gf -i in.ppm $2 2>&1 >out)" "$1"; }
unknown='--to selects a format for any extension, and --list shows all formats'
mkdir -p a.b
for file in o.fits o.npy o.zip o.0001 o.txt a.b/o.foo; do
    refuses 2 "^gpufilter: $file: unknown extension .${file##*.}; $unknown$" "-o $file: an unknown extension" \
        gf -i in.ppm -o $file
    is "-o $file: no output" "$(ls $file 2>/dev/null)" ''
    works "-o $file -t ppm" gf -i in.ppm -o $file -t ppm
done
refuses 2 "^gpufilter: o.foo: unknown extension .foo; $unknown$" 'an unknown extension for a table' \
    gf -i in.ppm stats -o o.foo
refuses 2 "^gpufilter: o.foo: unknown extension .foo; $unknown$" 'an unknown extension for audio' \
    gf -i sound.wav -o o.foo
refuses 2 "^gpufilter: t.foo: unknown extension .foo; $unknown$" 'an unknown extension for a tee' \
    gf -i in.ppm tee:t.foo -o o.ppm
refuses 2 "^gpufilter: o.foo: unknown extension .foo; $unknown$" 'an unknown extension with --explain' \
    gf --explain -i in.ppm -o o.foo
refuses 2 "^gpufilter: many/in.foo: unknown extension .foo; $unknown$" \
    'an unknown extension for several outputs: one line' gf -i in.ppm -i two.ppm -o 'many/{stem}.foo'
for name in o o. .o /dev/null; do
    told_as '' "-o $name"
    [ $name = /dev/null ] || is "-o $name is a PPM" "$(head -n 1 $name)" P6
done
told_as '' 'stats -o o.txt'
mkfifo pipe.foo
head -n 1 <pipe.foo >first &
told_as '' '-o pipe.foo'
wait
is 'a pipe has no extension' "$(cat first)" P6
if [ -e /proc/self/fd/1 ]; then
    gf invert <in.ppm 2>errors >o.png
    is "an image redirected to a file of another format" "$(cat errors)" \
        'gpufilter: warning: o.png: standard output is redirected to this file and written as PGM, PPM or PAM; use -o '\
'o.png or --to png for the format of its extension'
    gf -i sound.wav stats 2>errors >o.json
    is 'a table redirected to a file of another format' \
        "$(cat errors)" 'gpufilter: warning: o.json: standard output is redirected to this file and '\
'written as TSV; use -o o.json or --to json for the format of its extension'
    for name in o.ppm o.PAM o.foo o; do
        gf invert <in.ppm 2>errors >$name
        is "no message for $name" "$(cat errors)" ''
    done
    gf invert <in.ppm -t png 2>errors >o.jpg
    gf -q invert <in.ppm 2>>errors >o.jpg
    gf invert <in.ppm 2>>errors | cat >o.jpg
    is 'no message if the format is named, with -q, and after a pipe' "$(cat errors)" ''
    rm -f o.png o.json o.ppm o.PAM o.foo o o.jpg
else
    skip 'the system does not give the name of standard output'
fi
for name in o.xlsx o.docx o.wma o.pdf; do
    refuses 2 "does not write .${name#o.}; try" "a table as $name" gf -i in.ppm stats -o $name
done
refuses 2 'does not write .wma; try .wav' 'audio in a format that is not written' gf -i sound.wav -o o.wma

# ---- implausible values ----
refuses 2 "0 LUFS; did you mean '-16'?$" 'a loudness above full scale' gf -i sound.wav normalize:lufs=16 -o o.wav
for word in limit:1 normalize:1 normalize:rms=1; do
    gf -i sound.wav $word --depth f32 -o o.wav 2>errors
    is "the message for $word" "$? $(grep -c '=1 is above full scale.*mean -1?$' errors) $(wc -l <errors)" '0 1 1'
done
works 'no message for a loudness of 0' gf -i sound.wav normalize:0 limit:0 -o o.wav
works 'no message for normalize of an image' gf -i in.ppm normalize:0.2 -o o.ppm
gf -i sound.wav fade:0,100 -o o.wav 2>errors
is 'a fade that is too long' "$? $(cat errors)" \
    "0 gpufilter: warning: sound.wav: the fade of 100 s is longer than the audio, $(gf -i sound.wav --explain |
    awk '/^input/ { print $(NF - 2) / $2 }') s; no part keeps its full level"
works 'one of half of it' gf -i sound.wav fade:0.5 -o o.wav

# ---- suggestions ----
told "did you mean 'resize:10%,filter=area resize:1000%,filter=nearest'?$" pixelate
works 'the chain that is suggested for pixelate works' \
    gf -i in.ppm resize:10%,filter=area resize:1000%,filter=nearest -o o.ppm
told 'use histogram to count values, stats for the number of samples$' count
told 'there is no logarithm' log
told 'use gray:average to average the channels' average
works 'the chain that is suggested for average works' gf -i in.ppm gray:average box:2 resize:1x1,filter=area -o o.ppm
told 'use montage:4 for images in rows of 4, append:x' collage
told 'use stack:mean, stack:median' evaluate-sequence
told 'strength=150%: must be -1 to 1$' vignette:150%
told "mean '60%'?$" vignette:60
told "=xyz: must be 0 to 1000000 pixels$" pad:xyz

# ---- names of colors ----
is 'all names of CSS are listed' "$(gf --help colors | grep -o '#[0-9a-f]*' | wc -l | tr -d ' ')" 148
gf --help colors | grep -o '[a-z]* *#[0-9a-f]*' | while read -r name value; do
    gf -i in.ppm pad:1,bg=$name -o o.ppm && gf -i in.ppm pad:1,bg=$value -o p.ppm && cmp o.ppm p.ppm || echo $name
done >wrong 2>&1
is 'each name of a color is its value' "$(cat wrong)" ''
is 'three of them' "$(gf --help colors | grep -oE '(rebeccapurple|tomato|lightgoldenrodyellow) *#[0-9a-f]*' |
    tr -s ' \n' '  ')" \
    'lightgoldenrodyellow #fafad2 rebeccapurple #663399 tomato #ff6347 '
told "did you mean 'black'?$" pad:10,bg=blakc
told "did you mean 'rebeccapurple'?$" tint:rebecapurple

# ---- commands as users of other programs type them first ----
# advises COMMAND...: one line on standard error that ends in "write STAGES" or "write: COMMAND"; that command works.
# For stages, they replace the wrong argument.
advises()
{
    name="$*"
    rm -f new.*
    "$GPUFILTER" "$@" >out 2>errors </dev/null
    status=$?
    advice=$(sed -n 's/.*; write:\{0,1\} //p' errors)
    if [ $status != 2 ] || [ "$(grep -cv '^gpufilter: note: ' errors)" != 1 ] || [ -z "$advice" ]; then
        fail "$name"
        { echo "status $status, wanted 2 and advice"; cat errors; } | note
        return
    fi
    case $advice in
    gpufilter*) ;;
    *)
        wrong=$(sed "s/^gpufilter: '\([^']*\)' is not.*/\1/
            s/^gpufilter: \([a-z0-9]*\): [a-z]*=\([^:]*\): must be.*/\1:\2/" errors)
        line=gpufilter
        for word; do
            [ "$word" = "$wrong" ] && line="$line $advice" || line="$line $word"
        done
        advice=$line
        ;;
    esac
    eval "gf ${advice#gpufilter}" >out 2>errors && [ ! -s errors ] && pass "$name" || {
        fail "$name"
        { echo "advice: $advice"; cat errors; } | note
    }
    echo "$advice" >advice
}
# wanted WORDS: the advice for the last command has these whole words.
wanted() { is "the advice for $name has $1" "$(sed 's/$/ /' advice | grep -oF -- " $1 ")" " $1 "; }

# ImageMagick
advises in.ppm -resize 50% new.png && wanted '-i in.ppm resize:50% -o new.png'
advises in.ppm -thumbnail 8x8 -strip -quality 80 new.jpg && wanted 'resize:8x8,fit=inside --strip --quality 80'
advises -i in.ppm resize:8x8^ -o new.png && wanted 'resize:8x8,fit=outside'
advises -i in.ppm blur:0x8 -o new.png && wanted 'blur:8'
advises in.ppm -gravity center -crop 8x8+0+0 +repage new.png && wanted 'crop:8x8+0+0,at=center'
advises convert in.ppm -colorspace Gray -sharpen 0x1 new.png && wanted 'gray:rec709 sharpen:0.8627,1'
advises in.ppm -extent 30x20 new.png && wanted 'pad:size=30x20,bg=white'
advises in.ppm -border 2 new.png && wanted 'pad:2,bg=#dfdfdf'
advises in.ppm -modulate 100,150 -level 10%,90% new.png && wanted 'saturate:1.5 levels:10%,90%'
works 'crop in percent' gf -i in.ppm crop:50%x50% -o new.png
# vips
advises resize in.ppm new.png 0.5 && wanted 'resize:50%'
refuses 2 "'vips' is not a stage, but another program; write: gpufilter -i in.ppm resize:50% -o 'o;x.png'" \
    'advice on a name with a semicolon' gf vips resize in.ppm 'o;x.png' 0.5
advises vips thumbnail in.ppm new.jpg 8 && wanted 'resize:8x8,fit=inside'
advises gaussblur in.ppm new.png 3 && wanted 'blur:3'
advises rot in.ppm new.png d90 && wanted 'rotate:90'
# FFmpeg
advises -i in.ppm scale=8:-2 -o new.png && wanted 'resize:8'
advises -i in.ppm -vf scale=iw/2:-1,hflip,gblur=sigma=3 new.png && wanted 'resize:50% flop blur:3'
advises -i in.ppm gray,blur:2 -o new.png && wanted 'gray blur:2'
advises -y -i in.ppm -vf crop=8:8:2:3,transpose=1,eq=contrast=1.2 new.png &&
    wanted 'crop:8x8+2+3 rotate:90 contrast:1.2 saturate:0.83333'
advises -i sound.wav -af volume=0.5,highpass=f=200 new.wav && wanted 'gain:-6.02 highpass:200'
advises -i sound.wav loudnorm=I=-16 -o new.wav && wanted 'normalize:lufs=-16 limit:-2,true'
advises -ss 0.5 -i sound.wav -t 0.2 -ac 1 new.wav && wanted 'trim:0.5,+0.2 mono'
advises -i sound.wav -ss 0.5 -to 0.7 new.wav && wanted 'trim:0.5,0.7'
advises -ss 0.5 -to 0.7 -i sound.wav new.wav && wanted 'trim:0.5,0.7'
advises -ss 0.5 -i sound.wav -to 0.2 new.wav && wanted 'trim:0.5,+0.2'
advises -i sound.wav -ar 22050 new.wav && wanted 'resample:22050'
advises -ss 00:00:00.5 -i sound.wav -t 00:00:01 new.wav && wanted 'trim:00:00:00.5,+00:00:01'
advises -i sound.wav -af afade=t=in:ss=0:d=0.5,afade=t=out:st=1.5:d=0.5 new.wav && wanted 'fade:0.5 trim:0,2 fade:0,0.5'
advises -i in.ppm -vf unsharp=5:5:1:5:5:0 new.png && wanted 'sharpen:1,1'
# SoX
advises sound.wav new.wav equalizer 1k 2 -6 && wanted 'eq:1k,2,-6'         # without a unit the width is a Q
rm -f new.*
refuses 2 'several inputs for one output; .*--join' 'SoX joins its inputs' \
    gf sox sound.wav sound.wav new.wav
refuses 2 'use --join for all images in one output, append:x' 'two images and one output' \
    gf convert in.ppm two.ppm new.png
advises convert in.ppm -fuzz 5% -trim +repage new.png && wanted 'autocrop:5%'
cp "$GPUFILTER_SAMPLES/tilted.ppm" .
advises convert tilted.ppm -deskew 40% new.png && wanted 'deskew'
advises convert tilted.ppm -background black -deskew 40% new.png && wanted 'deskew:bg=black'
advises convert in.ppm -trim new.png && wanted 'autocrop'
told 'use autocrop:10%,color=black' cropdetect
refuses 2 'use --mix -i A.wav -i B.wav' 'a command of sox for mixing' gf sox -m sound.wav sound.wav new.wav
advises sound.wav new.wav gain -3 && wanted 'gain:-3'
advises sox sound.wav -n stat && wanted '-i sound.wav stats'
advises convert in.ppm two.ppm && wanted '-i in.ppm -o two.ppm'
advises sox sound.wav new.wav trim 0.1 0.5 fade 0.1 && wanted 'trim:0.1,+0.5 fade:0.1,shape=log'
advises sound.wav -r 22050 -b 16 new.wav && wanted 'resample:22050 --depth 16'
advises sound.wav new.wav vol 0.5 norm -1 && wanted 'gain:-6.02 normalize:-1'
advises sound.wav new.wav highpass 80 bass +6 equalizer 1000 1q 3 &&
    wanted 'highpass:80 bass:6,100,slope=0.5 eq:1000,1,3'
advises sound.wav new.wav channels 1 rate -v 22050 reverse && wanted 'mono resample:22050 reverse'
refuses 2 'write gpufilter --help blur$' 'help as a command' gf help blur
# two images
gf -i in.ppm resize:5 -o mark.png
gf -i in.ppm -o like.png
advises convert in.ppm mark.png -gravity SouthEast -geometry +1+2 -composite new.png &&
    wanted 'over:mark.png,1,2,at=southeast'
advises in.ppm mark.png -composite new.png && wanted '-i in.ppm over:mark.png -o'
advises -i in.ppm -i mark.png -filter_complex overlay=W-w-1:H-h-2 new.png && wanted 'over:mark.png,x=1,y=2,at=southeast'
advises -i in.ppm -i mark.png -filter_complex '[0:v][1:v]overlay=x=(W-w)/2:y=3' new.png &&
    wanted 'over:mark.png,y=3,at=north'
advises -i in.ppm -i mark.png -filter_complex overlay=1:2 new.png && wanted 'over:mark.png,x=1,y=2,at=northwest'
advises -i in.ppm -i like.png -lavfi psnr -f null - && wanted 'compare:like.png'
advises -i in.ppm -i like.png -filter_complex '[0:v][1:v]ssim' -f null - && wanted 'compare:like.png'
advises -i in.ppm -i like.png -lavfi '[0:v][1:v]psnr' -f null - &&
    is 'a psnr of ffmpeg compares with the second image' "$(grep -c '^all.0.inf' out)" 1
advises -i in.ppm -i like.png -filter_complex blend=all_mode=multiply new.png && wanted 'blend:like.png,multiply'
advises convert in.ppm like.png -compose Multiply -composite new.png && wanted 'blend:like.png,multiply'
# values and options that have no effect here
advises -i sound.wav -c:a flac new.flac && wanted '-i sound.wav -o new.flac'
advises -i sound.wav -af ebur128 -f null - && wanted 'stats -o -'
advises -i in.ppm -frames:v 1 -vf scale=8:-1 new.png && wanted 'resize:8 --images 1 -o'
advises vips median in.ppm new.png 5 && wanted 'median:2'
advises vips copy in.ppm new.png && wanted '-i in.ppm -o new.png'
advises vips thumbnail in.ppm new.png 8 --height 6 --crop centre && wanted 'resize:8x6,fit=outside crop:8x6,at=center'
advises vips thumbnail in.ppm new.png 8 --height 6 && wanted 'resize:8x6,fit=inside'
advises vips rot90 in.ppm new.png && wanted 'rotate:90'
advises vips bandmean in.ppm new.png && wanted 'gray:average'
advises vips extract_band in.ppm new.png 1 && wanted 'channel:g'
advises vips zoom in.ppm new.png 2 2 && wanted 'resize:200%,filter=nearest'
advises vips shrink in.ppm new.png 5 5 && wanted 'resize:20%,filter=area'
advises -i sound.wav -map_metadata -1 new.flac && wanted '--strip -o new.flac'
# filters without a counterpart
rm -f new.*
refuses 2 "called 'tremolo'; there is no modulation" \
    'one of a graph' gf -i sound.wav -af aresample=22050,tremolo o.wav
refuses 2 "called 'speed'; there is no change of tempo" 'one of SoX' gf sound.wav new.wav pad 0 1 speed 2
refuses 2 'unknown option -q:a; use --quality 1 to 100' 'the size of a lossy file' gf -i sound.wav -q:a 2 new.ogg
advises convert in.ppm two.ppm +append new.png && wanted '-i in.ppm -i two.ppm append:x -o new.png'
advises convert in.ppm two.ppm -append -resize 50% new.png && wanted 'append:y resize:50%'
advises convert in.ppm two.ppm -evaluate-sequence median new.png && wanted 'stack:median'
told "called 'vips'; use gpufilter -i INPUT STAGE... -o OUTPUT" vips
refuses 2 'unknown option -path; write: gpufilter -i in.ppm resize:50% -o many/$' 'the folder of mogrify' \
    gf mogrify -path many -resize 50% in.ppm
for word in autorotate auto-orient autorot exif; do
    told 'turned upright by their EXIF' $word
done
told 'use crop:1:1, which makes a square' square

# ---- calls, thumbnails and filters that are not quite the same ----
writes()         # ADVICE INPUT ARGUMENT
{
    refuses 2 "write $1$" "$3 is $1" gf -i $2 "$3" -o o.${2#*.}
}
writes 'blur:2' in.ppm 'GaussianBlur(2)'
writes 'blur:2' in.ppm 'ImageFilter.GaussianBlur(radius=2)'
writes 'autolevel:2%,rgb' in.ppm 'ImageOps.autocontrast(cutoff=2)'
writes 'resize:200x100,fit=inside,only=shrink' in.ppm 'Image.thumbnail((200, 100))'
writes 'median:1' in.ppm 'Median()'
writes 'resize:200x100' in.ppm 'resize((200, 100))'
refuses 2 "^gpufilter: 'resize(big)' is not a stage; values follow a colon, see gpufilter --help resize$" \
    'a call of a stage with a wrong value' gf -i in.ppm 'resize(big)' -o o.ppm
refuses 2 "no stage is called '()'" 'a call without a name' gf -i in.ppm '()' -o o.ppm
refuses 2 "no stage is called 'a.()'" 'a call with a module alone' gf -i in.ppm 'a.()' -o o.ppm
writes 'gain:6.02' sound.wav 'amplify(2)'
refuses 2 'write: gpufilter -i in.ppm rotate:90 flip -o o.png$' 'a method of an image as an argument' \
    gf -i in.ppm 'im.transpose(Image.Transpose.TRANSVERSE)' -o o.png
refuses 2 "called 'drawbox'; there is no drawing" 'a call without a counterpart' \
    gf -i in.ppm 'image.drawbox(2)' -o o.ppm
writes 'tv:0.1,iterations=200' in.ppm 'restoration.denoise_tv_chambolle(weight=0.1)'
# Pillow turns counterclockwise
for pair in FLIP_LEFT_RIGHT/flop FLIP_TOP_BOTTOM/flip ROTATE_90/rotate:270 ROTATE_180/rotate:180 ROTATE_270/rotate:90 \
    TRANSPOSE/transpose 'TRANSVERSE/rotate:90 flip'; do
    writes "${pair#*/}" in.ppm transpose:${pair%/*}
done
for word in unsharp unsharp-mask usm; do
    writes 'sharpen:1.5,1,threshold=0.015686' in.ppm $word:amount=150%,radius=1,threshold=4
done
writes 'blur:2 sharpen:1,threshold=0.1' in.ppm gblur=2,sharpen:1,threshold=0.1
refuses 2 "did you mean 'dog:0,10,offset=0.5'?$" 'the high-pass filter of images' gf -i in.ppm highpass:10 -o o.ppm
writes 'gray:rec709' in.ppm desaturate:luminosity
writes 'gray:lightness' in.ppm desaturate:lightness
writes 'gray:average' in.ppm desaturate:average
writes 'levels:3.9216%,96.078%,1.2' in.ppm levels:10,1.2,245
writes 'saturate:1.3' in.ppm hue-saturation:0,30,0
writes 'hue:20 saturate:0.7' in.ppm hue-saturation:20,-30,0
refuses 2 'called .hue-saturation.; use hue:20 for degrees' 'lightness of HSL as a stage' \
    gf -i in.ppm hue-saturation:0,30,10 -o o.ppm
refuses 2 'a stage; the scale is that of ImageMagick; write contrast:1.6319 brightness:0.26319$' \
    'whose scale the values are on' gf -i in.ppm brightness-contrast:20,30 -o o.ppm
writes 'canny:0,0.39216,0.78431' in.ppm 'cv2.Canny(100, 200, L2gradient=True)'
refuses 2 'some edges differ, .*; write canny:0,0.2773,0.55459$' 'a Canny of OpenCV without L2gradient' \
    gf -i in.ppm Canny:100,200 -o o.ppm
writes 'gray dog:0,2,offset=0.5 threshold:0.49412' in.ppm \
    adaptiveThreshold:255,ADAPTIVE_THRESH_GAUSSIAN_C,THRESH_BINARY,11,2
refuses 2 'on colors the result differs, .*; write clahe:8,7.68$' 'CLAHE of scikit-image' \
    gf -i in.ppm equalize_adapthist:clip_limit=0.03 -o o.ppm
steep='steeper here, and their phase is linear; write:\{0,1\}'
refuses 2 "$steep gpufilter -i sound.wav highpass:100 -o new.wav$" 'a biquad of SoX' gf sound.wav new.wav highpass 100
refuses 2 "$steep gpufilter -i sound.wav lowpass:3000 -o new.wav$" 'a biquad of FFmpeg' \
    gf -i sound.wav -af lowpass=f=3000 new.wav
refuses 2 "$steep lowpass:3000$" 'a filter of pydub' gf -i sound.wav low_pass_filter:3000 -o o.wav
refuses 2 'the audio ends with the fade; write trim:0,1.25 fade:0,0.25$' 'the end of a fade of FFmpeg' \
    gf -i sound.wav afade=t=out:st=1:d=0.25 -o o.wav
writes 'brightness:0.11644' in.ppm eq=brightness=0.1
joins='or --join for one output with all of them; the second'
refuses 2 "$joins" 'several recordings for one output' gf -i sound.wav -i sound.wav -o o.wav
cp sound.wav last.wav
is 'several recordings without -i, the last of which exists' \
    "$(gf sound.wav sound.wav last.wav 2>&1 | grep -c -- "$joins")" 1
refuses 2 'write: gpufilter -i in.ppm -i two.ppm resize:50% --to jpg -o out/$' 'mogrify with a format' \
    gf mogrify -format jpg -resize 50% in.ppm two.ppm
gf -i in.ppm -i two.ppm resize:50% --to jpg -o many-jpg/ 2>errors
is 'the advice for mogrify names the outputs' "$(ls many-jpg | tr '\n' ' ')" 'in.jpg two.jpg '
advises vipsthumbnail in.ppm -s 8 -o new.%s.jpg && wanted 'resize:8x8,fit=inside -o new.{stem}.jpg'
is 'the name of vipsthumbnail' "$(ls new.*)" new.in.jpg
advises vipsthumbnail in.ppm -o new.%s.jpg && wanted 'resize:128x128,fit=inside'

# ---- what was typed stands in the commands of other programs ----
for pair in modulate/110,130,100 contrast-stretch/2%x1% sigmoidal-contrast/5x50%; do
    refuses 2 "; convert IN.png -${pair%/*} ${pair#*/} pnm:- | gpufilter" "ImageMagick's ${pair%/*} as it was typed" \
        gf convert in.ppm -${pair%/*} ${pair#*/} new.png
done
refuses 2 'convert IN.png -sepia-tone 70% pnm:- | gpufilter' 'ImageMagick has another sepia, with the level typed' \
    gf in.ppm -sepia-tone 70% new.png
refuses 2 'convert IN.png -annotate +1+2 '"'Hello you'"' pnm:-' 'a text for ImageMagick as it was typed' \
    gf convert in.ppm -annotate +1+2 'Hello you' new.png
refuses 2 "write curves:vintage" 'curves of FFmpeg as if they were a stage' gf -i in.ppm curves=vintage -o new.png
refuses 2 'vf hflip,drawtext=text=Hi:x=10 -f image2pipe' 'all filters of a graph of FFmpeg' \
    gf ffmpeg -i in.ppm -vf hflip,drawtext=text=Hi:x=10 new.png
refuses 2 'write: gpufilter -i sound.wav compress:-10.46,9,' 'a compressor of FFmpeg as it was typed' \
    gf -i sound.wav -af acompressor=threshold=0.3:ratio=9 new.wav
refuses 2 'af asetrate=48000 -f wav - | gpufilter' 'another rate of FFmpeg for the same samples' \
    gf -i sound.wav -af asetrate=48000 new.wav
refuses 2 'sox IN.wav -t wav - pitch 300 | gpufilter' 'a pitch of SoX as it was typed' gf sound.wav new.wav pitch 300
refuses 2 'sox IN.wav -t wav - pitch 350 | gpufilter' 'a pitch of SoX as if it were a stage' \
    gf -i sound.wav pitch:350 -o new.wav
refuses 2 'sox IN.wav -t wav - tempo -s 1.3 | gpufilter' 'a tempo of SoX with a flag' \
    gf sox sound.wav new.wav tempo -s 1.3
refuses 2 'sox IN.wav -t wav - pitch -250 | gpufilter' 'a shift of pitch in semitones' \
    gf -i sound.wav pitch_shift:n_steps=-2.5 -o new.wav
refuses 2 "write fade:0.2 reverse fade:0,0.3$" 'all words that need a translation in one message' \
    gf -i sound.wav fade_in:200 reverse fade_out:300 -o new.wav
advises convert in.ppm -shave 3x2 new.png &&
    is 'shave cuts off both sides' "$(gf -q -i new.png --explain | head -n 1)" 'input:  14x11 rgb u8, PNG'
for percent in '' %; do
    advises convert in.ppm -brightness-contrast 10x20$percent new.png && wanted 'contrast:1.3764 brightness:0.11882'
done
advises identify like.png &&
    is 'the advice for identify shows the format' "$(head -n 1 out)" 'like.png: PNG, 20x15 rgb u8'
advises soxi sound.wav && is 'the advice for soxi shows the format' "$(head -n 1 out | grep -c ': WAV, ')" 1

# ---- values on the scale of other programs ----
writes 'exposure:1' in.ppm ev:+1
writes 'exposure:-1' in.ppm ev:-1
writes 'brightness:-20%' in.ppm darken:20
writes 'brightness:20%' in.ppm lighten:20%
writes 'resize:200%' in.ppm zoom:2
writes 'resize:50%' in.ppm shrink:2
writes 'bass:3,100' sound.wav lowshelf:100,3
writes 'gain:6.02' sound.wav amplify:2
writes 'gain:6' sound.wav amplify:6dB
writes 'mono remix:1,0' sound.wav pan:left
writes 'clamp:0,1' in.ppm clip:0,1
refuses 2 'fps' 'a stage for another frame rate' gf -i in.ppm framerate:10 -o o.ppm
refuses 2 'use --join' 'append for audio' gf -i sound.wav append:x -o o.wav
refuses 2 'use split:every=60' 'segments of audio' gf -i sound.wav segment -o o.wav
refuses 2 'tile:512x512 -o .{y}-{x}.png. cuts into tiles' 'split for images' gf -i in.ppm split -o o.ppm
refuses 2 "no such file: 'film.cube'; table must be a .cube file" 'a table of colors' \
    gf -i in.ppm lut:film.cube -o o.ppm
refuses 2 'use --join=fade=1' 'a crossfade as a stage' gf -i sound.wav crossfade:1 -o o.wav
refuses 2 'use limit:-1 to keep peaks below a level' 'clip for audio' gf -i sound.wav clip:0,1 -o o.wav
refuses 2 '8000 of 65535 is 0.12$' 'a threshold of 16 bits' gf -i in.ppm --depth 16 threshold:8000 -o o.ppm
refuses 2 'o.avif: gpufilter does not write .avif; use ImageMagick: gpufilter ... -t png | convert png:- o.avif' \
    'an AVIF as the output' gf -i in.ppm -o o.avif
refuses 2 'o.mp4: gpufilter does not write .mp4; .*gpufilter --join ... -t y4m' 'a film of several files' \
    gf -i in.ppm -i two.ppm -o o.mp4
refuses 2 'not --depth f32; try .pgm$' 'floats in PBM' gf -i in.ppm gray --depth f32 -o o.pbm
if gf -q -i "$GPUFILTER_SAMPLES/photo.ppm" -o whole.jpg; then
    head -c 20000 whole.jpg >cut.jpg
    refuses 1 'cut short; --salvage keeps complete images.*convert FILE png:- | gpufilter' '--salvage of one image' \
        gf --salvage -i cut.jpg -o o.ppm
fi

# ---- a loudness instead of a peak, and help for the kind of input ----
gf -i sound.wav normalize:-16 -o o.wav 2>errors
is 'normalize:-16 is a peak' "$(cat errors)" \
    'gpufilter: note: sound.wav: normalize:-16 sets the peak; for a loudness of -16 LUFS use normalize:lufs=-16'
works 'a usual peak has no note' gf -i sound.wav normalize:-1 -o o.wav
works 'a usual loudness has no note' gf -i sound.wav normalize:lufs=-16 -o o.wav
is '--help after an audio input begins with audio' "$(gf -i sound.wav --help normalize | head -n 1)" \
    'normalize (audio): reach a level: by peak, RMS or loudness'
is '--help after an image input begins with images' \
    "$(gf -i in.ppm --help normalize | head -n 1 | cut -c 1-18)" 'normalize (images)'

# ---- names that mean the same ----
for pair in negate:invert hflip:flop vflip:flip grayscale:gray gblur,2:blur,2; do
    foreign=$(echo "${pair%:*}" | tr , :) own=$(echo "${pair#*:}" | tr , :)
    gf -i in.ppm "$own" -o o.ppm && gf -i in.ppm "$foreign" -o p.ppm 2>errors
    same o.ppm p.ppm "$foreign is $own"
    is "$foreign is noted as $own" "$(cat errors)" "gpufilter: note: ${foreign%:*} is called ${own%:*} here"
done

is 'help for such a name' "$(gf --help negate | head -n 1)" "$(gf --help invert | head -n 1)"

# ---- files without -i ----
gf in.ppm invert -o o.ppm 2>errors
is 'a file without -i is an input' "$(cat errors)" \
    'gpufilter: note: in.ppm: read as input, as with -i; only -o names an output'
gf -i in.ppm invert -o p.ppm
same o.ppm p.ppm 'a file without -i is read'
mkdir -p bare && cp in.ppm bare/a.ppm && cp in.ppm bare/b.ppm && cp in.ppm bare/last.ppm
gf bare/*.ppm invert -o bare-out/ 2>errors
is 'several of them' "$? $(ls bare-out | tr '\n' ' ')" '0 a.ppm b.ppm last.ppm '
gf bare/*.ppm invert 2>errors >out
is 'the last of them is not an output' "$? $(grep -c 'several inputs need different outputs' errors)" '2 1'
same in.ppm bare/last.ppm 'the last of several files without -i is not replaced'
cp in.ppm invert
works 'a file with the name of a stage is no input' gf -i in.ppm invert -o o.ppm
refuses 2 "write: gpufilter -i in.ppm invert -o new.png$" 'an output without -o' gf -i in.ppm invert new.png
cp in.ppm "a b.ppm"
refuses 2 "write: gpufilter -i 'a b.ppm' resize:50% -o new.png$" 'a name with a blank' gf 'a b.ppm' -resize 50% new.png
refuses 2 "write: gpufilter -i in.ppm -i two.ppm resize:50% -o out/$" \
    'two files before a stage are inputs' gf in.ppm two.ppm -resize 50%
refuses 2 "write: gpufilter -i in.ppm resize:50% -o two.ppm$" \
    'the last file is the output, as in the other program, although it exists' gf in.ppm -resize 50% two.ppm
gf -q -i in.ppm -t y4m -o clip.y4m
refuses 2 'unknown option -ss; use the stage trim:FROM,TO for audio; cut video before' \
    'a stage for audio is no advice on a video' gf -i clip.y4m -ss 1 -t 1 new.y4m
refuses 2 'unknown option -ss (left out: -c); write: gpufilter -i sound.wav trim:0.1 -o new.wav$' \
    'what has no translation is left out and named' gf -ss 0.1 -i sound.wav -c copy new.wav
rm -rf bare bare-out invert 'a b.ppm'
refuses 2 'unknown option -gamma; a stage has no dash; gpufilter --help gamma shows its values' \
    'a value that the stage would refuse is not advised' gf -i in.ppm -gamma 0x2 -o none.png
finish
