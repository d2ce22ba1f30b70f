# Arguments as users of other programs type them: accepted if they cannot be mistaken, otherwise one
# line gives the equivalent.
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
refuses 2 "takes r, g, b, a, red, green, blue or alpha$" 'a channel that no picture has' gf -i in.ppm channel:4 -o o.pgm
refuses 2 "takes left or right, or 1 to 64$" 'or no sound' gf -i sound.wav channel:red5 -o o.wav
refuses 2 "or alpha; of sound it takes left" 'where nobody knows what comes in' gf channel:x -o o.wav
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
same_words sound.wav o.wav trim:0,0.01m trim:0,0.6
same_words sound.wav o.wav trim:0.1s,0.005min trim:0.1,0.3
same_words sound.wav o.wav trim:0,0.0001h trim:0,0.36
refuses 2 'takes seconds' 'two units of time' gf -i sound.wav trim:0,1:30m -o o.wav
refuses 2 'dBFS is a level, which normalize sets' 'a level where a difference is meant' gf -i sound.wav gain:-3dBFS \
    -o o.wav

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
told "takes 0 to 1000000 pixels$" pad:10,blakc
told "did you mean 'outside'?$" resize:20x20,fit=cover
told "did you mean 'linear'?$" resize:20,filter=bilinear
told "did you mean 'southeast'?$" over:in.ppm,at=se
told "did you mean 'min-psnr='?$" compare:in.ppm,psnr=30
told "did you mean 'radius=3'?$" blur:radius:3
told 'one value, WIDTHxHEIGHT$' resize:20,20
told 'as in diff:FILE$' diff
told "did you mean 'histogram'?$" hist
told "'rotate:90'" rot90
told "'blend:FILE,multiply'" multiply
told 'o NAME.jpg, or --to jpg$' jpg
for word in montage text lut deskew deflicker; do
    told "no stage is called '$word', and none " $word
done
for word in jion txet grdi; do
    told 'gpufilter --list names them all$' $word
done
refuses 2 "'trim:FROM,TO" 'a cut of sound' gf -i sound.wav cut:1,2 -o o.wav
refuses 2 "write trim:1.5,+0.5$" 'a length instead of an end' gf -i sound.wav trim:1.5,0.5 -o o.wav
refuses 2 "did you mean '0:00.5,0:01'?$" 'a dash between two times' gf -i sound.wav trim:0:00.5-0:01 -o o.wav
refuses 2 "did you mean 'lufs=-16'?$" 'a colon behind a key' gf -i sound.wav normalize:lufs:-16 -o o.wav
refuses 2 "is a recording; did you mean 'mono'?$" 'what pictures have' gf -i sound.wav gray -o o.wav
told "is a picture; did you mean 'crop'?$" trim:1
told "is a picture$" bass:3
printf '\032\105\337\243 and so on' >film
printf '    ftypisom0000and so on' >film.dat
printf 'whatever' >phone.heic
refuses 1 'is Matroska or WebM, .*f yuv4mpegpipe' 'a film on a pipe' sh -c "'$GPUFILTER' invert <film"
refuses 1 'film.dat: is MP4, .*f yuv4mpegpipe' 'one with a wrong name' gf -i film.dat invert -o o.ppm
refuses 1 'does not read .heic; use ImageMagick (convert FILE png:-' 'a picture of a telephone' gf -i phone.heic \
    invert -o o.ppm
rm film film.dat phone.heic
told 'write crop:3$' crop=3
told 'option: --quality 80$' quality:80
told 'option: --strip$' strip
told 'i FILE --explain' info
told 'i FILE --explain' identify
told 'over or blend' mix
told 'cat A B' concat
refuses 2 "did you mean '44.1k'?$" 'a rate in kilohertz' gf -i sound.wav resample:44.1 -o o.wav
refuses 2 'write highpass:80$' 'a stage as if it were an option' gf -i sound.wav highpass=80 -o o.wav
refuses 2 'normalize to set it' 'a peak' gf -i sound.wav peak -o o.wav
refuses 2 "'lowpass'" 'hiss' gf --help hiss
refuses 2 "q, which is --quiet.*mean --quality 80?$" 'a value behind -q' gf -i in.ppm resize:10 -q 80 -o o.jpg
refuses 2 'resize:50%$' 'a stage behind a dash' gf -i in.ppm -resize 50% -o o.ppm
refuses 2 'dash: resize:50%$' 'behind two' gf -i in.ppm --resize 50% -o o.ppm
refuses 2 'dash: resize:50%$' 'with =' gf -i in.ppm --resize=50% -o o.ppm
refuses 2 'called gray$' 'one of another name behind two' gf -i in.ppm --grayscale -o o.ppm
refuses 2 'mean --quality?$' 'an option that is nearly right' gf -i in.ppm --qualty 50 -o o.ppm
refuses 2 'dash: flip$' 'one that begins as an option does' gf -i in.ppm -flip -o o.ppm
refuses 2 'called invert$' 'one of another name' gf -i in.ppm -negate -o o.ppm
refuses 2 'mean --quality?$' 'an option behind one dash' gf -i in.ppm -quality 80 -o o.jpg
cp in.ppm nvert
refuses 2 "'sound.wav' is a file.*-i '\*.wav', or ls \*.wav . gpufilter --files-from -" 'files without -i' gf \
    sound.wav sound.wav gain:-3 -o many/
works 'a letter and its value in one argument' gf -invert -o o.ppm

# ---- unknown extensions ----
# told_as LINE ARGUMENTS: tests that LINE is all that is printed for in.ppm.
cp in.ppm two.ppm
mkdir -p many
told_as() { [ "$(gf -i in.ppm $2 2>&1 >out)" = "$1" ] && pass "$2" || { fail "$2"; echo "wanted: $1" | note; }; }
told_as 'gpufilter: warning: o.foo: unknown extension .foo, writing PGM, PPM or PAM; --to selects another format' \
    '-o o.foo'
told_as 'gpufilter: warning: o.foo: unknown extension .foo, writing TSV; --to selects another format' 'stats -o o.foo'
told_as 'gpufilter: warning: t.foo: unknown extension .foo, writing PGM, PPM or PAM; --to selects another format' \
    'tee:t.foo -o o.ppm'
told_as '' '-o o.foo -t ppm'
told_as '' '-q -o o.foo'
told_as '' '-o o'
told_as '' '-o /dev/null'
told_as '' 'stats -o o.txt'
told_as 'gpufilter: warning: many/in.foo and 1 other file: unknown extension .foo, writing PGM, PPM or PAM; --to '\
'selects another format' '-i two.ppm -j 1 -o many/{stem}.foo'
if [ -e /proc/self/fd/1 ]; then
    gf invert <in.ppm 2>errors >o.png
    is 'another format than the redirected name says' "$(cat errors)" \
        'gpufilter: warning: o.png: standard output is redirected to this file and written as PGM, PPM or PAM; use -o '\
'o.png or --to png for the format of its extension'
    gf -i sound.wav stats 2>errors >o.json
    is 'of a table' "$(cat errors)" 'gpufilter: warning: o.json: standard output is redirected to this file and '\
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
    refuses 2 "does not write .${name#o.}; try" "no table in $name" gf -i in.ppm stats -o $name
done
refuses 2 'does not write .wma; try .wav' 'no audio, either' gf -i sound.wav -o o.wma

# ---- implausible values ----
refuses 2 "0 LUFS; did you mean '-16'?$" 'a loudness above full scale' gf -i sound.wav normalize:lufs=16 -o o.wav
for word in limit:1 normalize:1 normalize:rms=1; do
    gf -i sound.wav $word --depth f32 -o o.wav 2>errors
    is "the message for $word" "$? $(grep -c '=1 is above full scale.*mean -1?$' errors) $(wc -l <errors)" '0 1 1'
done
works 'no message for 0' gf -i sound.wav normalize:0 limit:0 -o o.wav
works 'and none for an image' gf -i in.ppm normalize:0.2 -o o.ppm
gf -i sound.wav fade:0,100 -o o.wav 2>errors
is 'a fade that is too long' "$? $(cat errors)" \
    "0 gpufilter: warning: sound.wav: the fade of 100 s is longer than the audio, $(gf -i sound.wav --explain |
    awk '/^input/ { print $(NF - 1) / $2 }') s; no part keeps its full level"
works 'one of half of it' gf -i sound.wav fade:0.5 -o o.wav
finish
