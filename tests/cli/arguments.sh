# Arguments as users type them: options in any place; a wrong one causes one line that helps.
. "$(dirname "$0")/../lib.sh"
image in.ppm 9 7 3 255 1

refuses 2 'did you mean .blur' 'a misspelt stage' gf -i in.ppm blurr -o o.ppm
refuses 2 'did you mean .rotate' 'a stage with a swap of letters' gf -i in.ppm roatte:30 -o o.ppm
refuses 2 'did you mean .jpg' 'a misspelled extension' gf -i in.ppm -o o.jgp
refuses 2 'given twice' 'two outputs of one image' gf -i in.ppm -o o.ppm -o p.ppm
refuses 2 'far above white' 'a threshold on another scale' gf -i in.ppm threshold:50 -o o.ppm
refuses 2 'there is no output with chapters' 'an option for chapters' gf --chapters -i in.ppm -o o.ppm
refuses 2 "did you mean 'psf=[[]1 1 1[]]'" 'a mask where sigma belongs' gf -i in.ppm 'deconvolve:[1 1 1]' -o o.ppm
refuses 2 "did you mean 'psf=m.txt'" 'a file of a mask where sigma belongs' gf -i in.ppm deconvolve:m.txt -o o.ppm
refuses 2 "did you mean 'psf='" 'a mask of deconvolve by another name' gf -i in.ppm deconvolve:kernel=m.txt -o o.ppm
refuses 2 "did you mean 'loop=on'" 'yes for a flag' gf -i "$GPUFILTER_SAMPLES/sound.wav" mix:a.wav,loop=yes -o o.wav
refuses 2 "did you mean '0'" 'start for a time' gf -i "$GPUFILTER_SAMPLES/sound.wav" insert:a.wav,start -o o.wav
refuses 2 "did you mean 'fade=200ms'" 'a duration without its name' \
    gf -i "$GPUFILTER_SAMPLES/sound.wav" insert:a.wav,30,200ms -o o.wav
refuses 2 'rotate:90 turns a page on its side' 'more than 45 degrees for deskew' gf -i in.ppm deskew:60 -o o.ppm
refuses 2 'did you mean --device' 'a misspelt option' gf -i in.ppm --devcie cpu -o o.ppm
refuses 2 'rate is given twice' 'two rates of raw samples' gf -f raw:rate=8000,s16,rate=9000 -i in.ppm -o o.wav
refuses 2 'channels is given twice' 'channels of raw samples by place and by name' \
    gf -f raw:8000,2,channels=1 -i in.ppm -o o.wav
refuses 2 'list' 'an unknown stage without a similar name' gf -i in.ppm xylophone -o o.ppm
refuses 2 'input: the name of the FILE is empty' 'an input without a name' gf -i '' -o o.ppm
refuses 2 'unknown option -x' 'an unknown short option' gf -i in.ppm -x -o o.ppm
refuses 2 'needs a value' 'an option without its value' gf -i in.ppm -o
refuses 2 'ambiguous' 'an option cut too short' gf -i in.ppm --de cpu -o o.ppm
refuses 2 'takes no value' 'a flag with a value' gf --quiet=yes -i in.ppm -o o.ppm
refuses 2 'auto, cpu' 'an unknown device' gf --device gpu -i in.ppm -o o.ppm
# without a GPU, and with one: no machine has a GPU 900
for device in cuda:900 cuda:900,901; do
    refuses 1 "^gpufilter: --device $device: " "--device $device is named in its error" gf --device $device \
        -i in.ppm -o o.ppm
done
refuses 2 'takes no value' '--strict with a value' gf --strict=yes -i in.ppm -o o.ppm
refuses 2 '1 to 64' 'lanes out of range' gf --lanes 65 -i in.ppm -o o.ppm
refuses 2 'whole number' 'half a thread' gf -j 1.5 -i in.ppm -o o.ppm
refuses 2 'size of 1 or more, as in 64K, 256M or 2G' 'a segment of nothing' gf --segment 0 -i in.ppm -o o.ppm
refuses 2 'size of 1M or more, as in 256M or 2G' '--memory below the least that is possible' \
    gf --memory 64K -i in.ppm -o o.ppm
refuses 2 "^gpufilter: over: missing the name of an image file" 'a second image without a name' gf -i in.ppm over:,5 \
    -o o.ppm
refuses 2 "^gpufilter: mask: missing the name of an image file" 'nothing behind the colon' gf -i in.ppm mask: -o o.ppm
refuses 2 "^gpufilter: diff: missing the name of an image file" 'a second image on standard input' \
    gf -i in.ppm diff:- -o o.ppm
refuses 2 '1, 2, 4, 8, 16, 24, 32 or f32' 'an invalid depth' gf --depth 12 -i in.ppm -o o.ppm
refuses 2 'bash, zsh or fish' 'an unknown shell' gf --completion csh
refuses 2 'did you mean .crop' 'help on a misspelt stage' gf --help corp
refuses 2 '' 'a stage with too many values' gf -i in.ppm flip:1,2,3,4 -o o.ppm
refuses 2 "amount=:" 'a joined value that is missing' gf -i in.ppm unsharp:0x1+ -o o.ppm
refuses 2 "threshold=0.1+2:" 'one too many' gf -i in.ppm unsharp:0x1+1+0.1+2 -o o.ppm
refuses 2 "radius=-1:" 'one out of range' gf -i in.ppm unsharp:-1x2 -o o.ppm
for pair in 'noise:0.1,mono noise:0.1,mono=on' 'noise:0.1,mono,seed=3 noise:0.1,gaussian,seed=3,mono=on' \
    'noise:0.1 noise:0.1,mono=off'; do
    gf -i in.ppm ${pair% *} -o o.ppm && gf -i in.ppm ${pair#* } -o p.ppm
    same o.ppm p.ppm "${pair% *} is ${pair#* }"
done
refuses 2 'mono is given twice' 'a flag that is given twice' gf -i in.ppm noise:0.1,mono,mono=off -o o.ppm
refuses 2 "kind=monno:" 'a flag that is none' gf -i in.ppm noise:0.1,monno -o o.ppm
for pair in '0x1.5+1+0.02 0,1.5,1,0.02' '2x1 2,1' '+1x1+-0.5+0 1,1,-0.5,0' '0x1e+0+2,threshold=0 0,1,2,0' \
    '1,0.5x2+0 1,0.5,2,0' '0x1,2,edge=zero 0,1,2,edge=zero'; do
    gf -i in.ppm "unsharp:${pair% *}" -o o.ppm && gf -i in.ppm "unsharp:${pair#* }" -o p.ppm
    same o.ppm p.ppm "unsharp:${pair% *} is unsharp:${pair#* }"
done
for file in 'a]b.ppm' 'a[b.ppm' 'a[b,c].ppm' '][.ppm'; do
    works "tee to a file called $file" gf -i in.ppm "tee:$file" invert -o o.ppm
    works "over with a file called $file and an option" gf -i in.ppm "over:$file,at=right" -o p.ppm
    same in.ppm "$file" "a file called $file holds the image of the tee"
    rm -f "$file"
done
refuses 2 "the brackets of '\[1' do not match" 'a matrix without an end' gf -i in.ppm 'conv:[1' -o o.ppm
rm -f o.ppm p.ppm
refuses 2 'sigma' 'a value out of range names its option' gf -i in.ppm blur:-2 -o o.ppm
refuses 2 'edge' 'an unknown key: the message lists the keys' gf -i in.ppm blur:2,egde=zero -o o.ppm
refuses 2 'clamp' 'an unknown choice: the message lists the choices' gf -i in.ppm blur:2,edge=round -o o.ppm
refuses 2 'share' 'a size of 0' gf -i in.ppm resize:0 -o o.ppm
refuses 2 'share' 'a size with no side' gf -i in.ppm resize:x -o o.ppm
refuses 2 'share' 'a share of one side' gf -i in.ppm resize:50%x20 -o o.ppm
refuses 1 '16777216' 'a size that is too large' gf -i in.ppm resize:9x99999999 -o o.ppm
for pair in edge:sobel Grey-Scale:gray scale:resize usm:sharpen unsharp-mask:sharpen gaussian_blur:blur \
    blackwhite:threshold flatten:alpha:off,bg=white prewitt:conv:prewitt-x Blur:blur histeq:equalize \
    vol:gain rate:resample sinc:lowpass norm:normalize rev:reverse equalizer:eq bandreject:bandstop notch:bandstop \
    swap:remix:2,1 channels:remix pan:remix loudnorm:normalize lufs:normalize; do
    refuses 2 "\(did you mean\|; use\) .*${pair#*:}" "another program's name for a stage: ${pair%%:*}" \
        gf -i in.ppm ${pair%%:*} -o o.ppm
done
refuses 2 "did you mean .sobel" "another program's name for a stage in --help" gf --help edge
for word in draft thumbnail fast; do
    refuses 2 "no stage is called '$word'; use resize:.*draft" "a word for resize:draft in --help: $word" \
        gf --help $word
done
for word in icc colorspace colour-space ICCTransform; do
    refuses 2 'use the option --icc convert to convert colors to sRGB$' "a word for --icc convert as a stage: $word" \
        gf -i in.ppm $word -o o.ppm
done
refuses 2 "=100: must be .*; 100 of 255 is 0.39" 'levels of other programs' gf -i in.ppm canny:1,100,200 \
    -o o.ppm
gf -i in.ppm bilateral:1,30,radius=1 -o o.ppm 2>errors
is 'a warning if the value is in range' "$(cat errors)" 'gpufilter: warning: in.ppm: bilateral: range=30 is far out '\
'of range; samples are 0 to 1; 30 of 255 is 0.12; 30% is 0.3'
gf -i in.ppm bilateral:1,1.5,radius=1 -o o.ppm 2>errors
gf -q -i in.ppm bilateral:1,30,radius=1 -o o.ppm 2>>errors
is 'no warning for a value in range, and none with -q' "$(cat errors)" ''
refuses 2 'ffmpeg -i - o.mp4' 'a film as the output' gf -i in.ppm invert -o o.mp4
printf 'a film, perhaps, but no picture' >film.webm
refuses 1 'f yuv4mpegpipe - . gpufilter' 'frames of a film' gf -i film.webm invert -o o.ppm
rm -f film.webm o.ppm
refuses 2 'there is no change of tempo' 'tempo, for which there is no stage' gf -i in.ppm tempo:1.2 -o o.ppm
refuses 2 "no stage is called 'speed'; there is no " 'speed, for which there is no stage' gf -i in.ppm speed:1 -o o.ppm
refuses 2 "'tempo'; there is no change" 'tempo in --help, for which there is no stage' gf --help tempo
cp "$GPUFILTER_SAMPLES/sound.wav" .
# A stranger may choose the name of an upload, so --untrusted takes it literally.
mkdir uploads
cp in.ppm uploads/secret1.ppm
works 'an input whose name is a pattern' gf -i 'uploads/secret[1].ppm' -o o.ppm
refuses 1 '^gpufilter: uploads: is a folder, and --untrusted does not search for files; name each file$' \
    '--untrusted: a folder' gf --untrusted -i uploads -o results/
if gf --version | grep -q '^sandbox: files (Landlock [0-9]*) and system calls$'; then
    refuses 1 '^gpufilter: uploads/secret\[1\].ppm: No such file' '--untrusted: a pattern is a name' \
        gf --untrusted -i 'uploads/secret[1].ppm' -o o.ppm
    cp in.ppm 'uploads/*.ppm'
    gf --untrusted -i 'uploads/*.ppm' -o p.ppm
    same o.ppm p.ppm '--untrusted: a file with such a name'
    echo 'uploads/secret[1].ppm' >list
    gf --files-from list -o results/ 2>errors
    is 'a pattern in a list is the name of a file' \
        "$? $(grep -c '^gpufilter: uploads/secret\[1\].ppm: No such file' errors)" '1 1'
else
    skip '--untrusted: this kernel has no whole sandbox'
fi
rm -rf uploads o.ppm p.ppm list results
cp in.ppm in-fact.wav
cp sound.wav in-fact.ppm
for file in in.ppm in-fact.wav; do
    refuses 2 "^gpufilter: normalize: lufs is an option for audio, but $file is an image$" "audio's option, $file" \
        gf -i $file normalize:lufs=-16 -o o.ppm
    refuses 2 "^gpufilter: normalize: .*; $file is an image, and such values are for audio$" "audio's value, $file" \
        gf -i $file normalize:-1 -o o.ppm
done
refuses 2 '^gpufilter: normalize: clip is an option for images, but in-fact.ppm is audio$' "an image's option" \
    gf -i in-fact.ppm normalize:clip=1% -o o.wav
refuses 2 '^gpufilter: stats: true is an option for audio, but in.ppm is an image$' 'a flag for audio on an image' \
    gf -i in.ppm stats:true
rm in-fact.wav in-fact.ppm
refuses 2 "mean 'sobel'" 'a similar stage for images' gf -i in.ppm sobell -o o.ppm
refuses 2 'gpufilter --list' 'a similar stage for images is not suggested for audio' gf -i sound.wav sobell -o o.wav
refuses 2 "mean 'sobel'" 'a similar stage for images is suggested if the kind of the input is unknown' \
    gf sobell -o o.wav
gf -i sound.wav resample:22050 -o other.wav
refuses 1 'gpufilter -i RESPONSE resample:44100 -o NEW' 'a response of another rate' gf -i sound.wav fir:other.wav \
    -o o.wav
rm other.wav
refuses 2 "'80' is not a stage; .*write: gpufilter -i sound.wav highpass:80 -o o.wav$" 'a value parted from its stage' \
    gf -i sound.wav highpass 80 -o o.wav
refuses 2 'unknown option -3; write: gpufilter -i sound.wav gain:-3 -o o.wav$' 'one below 0' gf -i sound.wav gain -3 \
    -o o.wav
refuses 2 'unknown option -16; write: gpufilter -i sound.wav normalize:-16 -o o.wav$' \
    'a level below 0 without its key' gf -i sound.wav normalize -16 -o o.wav
refuses 2 'write eq:1000,2,-3$' 'one of several' gf -i sound.wav eq:1000,2 -3 -o o.wav
refuses 2 'write highpass:80,width=40$' 'a key after a blank' gf -i sound.wav highpass:80 width=40 -o o.wav
refuses 2 'write remix:1,2$' 'a blank after a comma' gf -i sound.wav remix:1, 2 -o o.wav
works 'a blank after a comma in quotes' gf -i sound.wav 'remix:2, 1' -o o.wav
gf -i sound.wav remix:2,1 -o p.wav
same o.wav p.wav 'a mask without quotes means the same as one with quotes'
rm o.wav p.wav
refuses 2 'in quotes' 'a mask without quotes' gf -i in.ppm 'conv:[0' -1 '0]' -o o.ppm
for pair in -ar:resample -b:--depth.16 -c:mono --bitrate:--quality -y:no-clobber; do
    refuses 2 "unknown option ${pair%%:*};.*${pair#*:}" "another program's name for an option: ${pair%%:*}" \
        gf -i sound.wav ${pair%%:*} 1 -o o.wav
done
refuses 2 'sound.wav: --channels is for images; for audio use the stages mono' '--channels for audio' gf -i sound.wav \
    --channels 1 -o o.wav
refuses 2 'given twice.*tee:FILE writes to a second' 'two audio outputs' gf -i sound.wav -o o.wav -o p.wav
for pair in 'normalize:-1dBFS normalize:-1' 'normalize:-6DBFS normalize:-6dB' \
    'normalize:rms=-20dBFS normalize:rms=-20' 'normalize:lufs=-23LUFS normalize:lufs=-23' \
    'normalize:lufs=-14lufs normalize:lufs=-14' 'limit:-3dBFS limit:-3'; do
    gf -i sound.wav ${pair% *} -o o.wav && gf -i sound.wav ${pair#* } -o p.wav
    same o.wav p.wav "${pair% *} is ${pair#* }"
done
rm o.wav p.wav
refuses 2 "db=-1dBFS: must be .* dB; dBFS is a level" 'a level where a difference is meant' gf -i sound.wav \
    gain:-1dBFS -o o.wav
refuses 2 "db=-23LUFS:" 'normalize takes no loudness where a peak is meant' gf -i sound.wav normalize:-23LUFS -o o.wav
refuses 2 "lufs=-23dB:" 'decibels where a loudness is meant' gf -i sound.wav normalize:lufs=-23dB -o o.wav
refuses 2 "did you mean 'lufs=-16'" 'normalize suggests lufs= for a loudness where a peak is meant' \
    gf -i sound.wav normalize:-16LUFS -o o.wav
refuses 2 "did you mean 'size=320x240'" 'pad suggests size= for a size' gf -i in.ppm pad:320x240 -o o.ppm
refuses 2 "'2/f.png' is neither a stage nor a file" 'half of a name without quotes' gf -i in.ppm blur 2/f.png -o o.ppm
refuses 2 "lufs=LUFS:" 'a unit alone' gf -i sound.wav normalize:lufs=LUFS -o o.wav
refuses 2 'write 1000ms' 'milliseconds without their unit' gf -i sound.wav echo:1000,0.5 -o o.wav
refuses 2 'no such file: .none.wav' 'a response that is not there' gf -i sound.wav fir:none.wav -o o.wav
refuses 2 '100 to 10000000 Hz' 'a rate of 0' gf -i sound.wav resample:Hz -o o.wav
refuses 2 'at most 0.1 s' 'a time beyond the most there is' gf -i sound.wav limit:-1,ahead=1 -o o.wav
refuses 2 'no such file: .none.*an audio file' 'a missing response: the message asks for a recording' gf -i sound.wav \
    reverb:none.wav -o o.wav
refuses 2 'must be an audio file' 'an unreadable response: the message asks for a recording' gf -i sound.wav \
    fir:./none.wav -o o.wav
# If another recording could take the arguments, the input is at fault and the status is 1.
for word in lowpass:22050 eq:22050,1,3 treble:3,22050 bandstop:50,100k remix:3 'fir:[1 2; 3 4; 5 6]' 'remix:[1 2 3]'; do
    refuses 1 '' "arguments that this recording cannot have: $word" gf -i sound.wav "$word" -o o.wav
done
for word in lowpass:0 eq:0,1,3 bandpass:50,20 'remix:1e300' 'fir:[1 2; 3]'; do
    refuses 2 '' "arguments that no recording can have: $word" gf -i sound.wav "$word" -o o.wav
done
gf --device cpu --latency 10 -i sound.wav lowpass:1k,taps=2001 fade:0,30 --explain >plan
is '--explain adds up how far steps look ahead' \
    "$(grep -c '^latency: .* at most: .* s a segment, .* s that steps look ahead' plan)" 1
cat sound.wav | gf -f raw:rate=1000,channels=1,type=s16 --device cpu --latency 10 fade:0,30 --explain >plan 2>errors
is '--explain: the delay of a fade' "$(grep '^latency' plan)" \
    'latency: 30.01 s at most: 0.01 s a segment, 30 s that steps look ahead'
refuses 2 'must be -300' 'an amplitude below 0' gf -i sound.wav gain:-50% -o o.wav
is 'help prints no default if there is none' "$(gf --help dither | grep -c 'default 0')" 0
refuses 2 'missing number of pixels' 'padding of nothing' gf -i in.ppm pad -o o.ppm
refuses 2 'give one of them' 'padding by pixels and to a size' gf -i in.ppm pad:3,size=90x90 -o o.ppm
refuses 2 'at= needs size=WxH' 'a place in no size' gf -i in.ppm pad:3,at=center -o o.ppm
refuses 1 'larger than 2x90; put resize:2x90,fit=inside before pad' 'padding to less' gf -i in.ppm pad:size=2x90 \
    -o o.ppm
refuses 1 'is not inside the image' 'a centered rectangle that is too large' gf -i in.ppm crop:90x1,at=center \
    -o o.ppm
refuses 2 'alpha:off,bg=' 'a background for transparent pixels' gf -i in.ppm alpha:on,bg=red -o o.ppm
refuses 2 'rotate' 'a required value that is missing' gf -i in.ppm rotate -o o.ppm
refuses 2 '' 'an argument that is not a number' gf -i in.ppm gamma:bright -o o.ppm
refuses 2 '' 'an audio stage on an image' gf -i in.ppm gain:-3 -o o.ppm
refuses 2 '' 'an empty argument' gf -i in.ppm '' -o o.ppm
refuses 2 '' 'a ragged matrix' gf -i in.ppm 'conv:[1 2; 3]' -o o.ppm
refuses 2 "did you mean 'sobel-x'?" 'a mask whose name is nearly right' gf -i in.ppm conv:sobelx -o o.ppm
for numbers in 1,2,1,2,4,2,1,2,1 '1 2 1 2 4 2 1 2 1' 3x3:1,2,1,2,4,2,1,2,1; do
    refuses 2 "'.*\[1 2 1; 2 4 2; 1 2 1\]'" "a mask without brackets, $numbers" gf -i in.ppm "conv:$numbers" -o o.ppm
done
refuses 2 "use 'conv:sobel-x,scale=16'" 'a divisor of a mask' gf -i in.ppm conv:sobel-x,div=16 -o o.ppm
refuses 2 "use 'conv:.*,scale=auto'" 'a mask that is to be normalized' \
    gf -i in.ppm 'conv:[1 2 1; 2 4 2; 1 2 1],normalize' -o o.ppm
refuses 2 'no mask or file' 'a mask that nobody knows' gf -i in.ppm conv:quux -o o.ppm
refuses 1 'missing.txt' 'a mask that is not there' gf -i in.ppm conv:missing.txt -o o.ppm
is 'none of the refused commands wrote a file' "$(ls o.* 2>/dev/null)" ''

works 'options after the stages' gf invert -o a.ppm -i in.ppm
works 'options before the stages' gf -o b.ppm -i in.ppm invert
works 'long options with =' gf --output=c.ppm --input=in.ppm -- invert
works 'short options joined' gf -qno d.ppm -iin.ppm invert
for file in b c d; do
    same a.ppm $file.ppm "$file.ppm is the same"
done
works 'the start of a long option' gf --qui --lan 2 -i in.ppm -o e.ppm
gf <in.ppm invert >f.ppm 2>errors
same a.ppm f.ppm 'standard input and output by default'
gf -i - -o - invert <in.ppm >g.ppm 2>errors
same a.ppm g.ppm 'standard input and output by name'

works '--help succeeds silently' gf --help
works '--list succeeds silently' gf --list
is '--list has insert and mix of audio under a heading that fits' "$(gf --list | grep -c '^ *Combine:$')" 2
works '--devices succeeds silently' gf --devices
works '--version succeeds silently' gf --version
case $(ldd "$GPUFILTER" 2>/dev/null) in
*libisal*) is '--version names ISA-L' "$(gf --version | grep -c '^images:.*, ISA-L [0-9]')" 1 ;;
*) skip 'not linked with ISA-L' ;;
esac
for stage in gray blur conv conv1d resize rotate flip crop invert gamma histogram equalize gain mono fir stats; do
    works "--help $stage succeeds silently" gf --help $stage
    is "--help $stage names it first" "$(sed -n '1s/ .*//p' out)" "$stage"
done
is '--help of a name with two meanings shows both' \
    "$(gf --help invert | grep -c '^invert (')" 2
refuses 1 '' 'help into a full disk' sh -c "'$GPUFILTER' --help >/dev/full"

works '--explain succeeds silently' gf -i in.ppm blur:2 rotate:30 --explain
is '--explain names both stages' "$(grep -c 'blur:2\|rotate:30' out | ${AWK:-awk} '{ print ($1 >= 2) }')" 1
gf -i in.ppm blur:2 --explain -o none.ppm >out 2>errors
is '--explain runs nothing' "$(ls none.ppm 2>/dev/null)$(cat errors)" ''
gf -i in.ppm blur:2 -o h.ppm --stats 2>errors
is '--stats names the stage on standard error' "$(grep -c 'blur:2' errors | ${AWK:-awk} '{ print ($1 >= 1) }')" 1
gf -i in.ppm blur:2 -o h.ppm --stats=json 2>errors
is '--stats=json is an object' "$(head -c 1 errors; tail -c 2 errors | head -c 1)" '{}'

for shell in bash zsh fish; do
    gf --completion $shell >completion.$shell
    if command -v $shell >/dev/null; then
        works "the completion for $shell is $shell" $shell -n completion.$shell
    else
        skip "no $shell here"
    fi
done
if command -v bash >/dev/null; then
    complete_bash()
    {
        bash -c '. ./completion.bash; COMP_WORDBREAKS=$1 COMP_LINE=$2 COMP_POINT=${#2}; _gpufilter 2>/dev/null
                 echo "${COMPREPLY[*]}"' - " :=" "$1"
    }
    is 'completing a stage' "$(complete_bash 'gpufilter -i a.ppm gra')" gray
    is 'completing a key' "$(complete_bash 'gpufilter blur:2,ed')" '2,edge='
    is 'completing a choice' "$(complete_bash 'gpufilter blur:2,edge=ref')" 'reflect'
    is 'completing an option' "$(complete_bash 'gpufilter --dep')" '--depth'
    is 'completing the value of an option' "$(complete_bash 'gpufilter --device au')" 'auto'
    is 'completing the value of an option lists all values' "$(complete_bash 'gpufilter --device ')" 'auto cpu cuda all'
    mkdir -p 'some folder' && cp in.ppm 'some folder/my image.ppm'
    is 'completing a file' "$(complete_bash 'gpufilter -i some\ folder/m')" 'some\ folder/my\ image.ppm'
    is 'completing a file in quotes' "$(complete_bash "gpufilter -i 'some folder/m")" 'some folder/my image.ppm'
    is 'completing a folder' "$(complete_bash 'gpufilter som')" 'some\ folder/'
    is 'a file of a stage' "$(complete_bash 'gpufilter over:some\ folder/m')" 'some\ folder/my\ image.ppm'
    is 'one that a stage writes' "$(complete_bash 'gpufilter -i in.ppm tee:some\ fo')" 'some\ folder/'
    is 'completing a file of a stage after its key' \
        "$(complete_bash 'gpufilter over:file=some\ folder/m')" 'some\ folder/my\ image.ppm'
    is 'a mask by name' "$(complete_bash 'gpufilter conv:scharr')" 'scharr-x scharr-y'
    is 'completing a color' "$(complete_bash 'gpufilter pad:2,bg=rebecca')" 'rebeccapurple'
else
    skip 'no bash here'
fi
if command -v groff >/dev/null && [ -z "$GPUFILTER_PORTABLE" ]; then
    for page in "${GPUFILTER%/*}"/man/gpufilter.1 "${GPUFILTER%/*}"/man/gpufilter-internals.7 \
        "${GPUFILTER%/*}"/man/gpufilter-stages.7; do
        works "${page##*/} is clean man(7)" groff -man -ww -z "$page"
    done
else
    skip 'no groff here'
fi
finish
