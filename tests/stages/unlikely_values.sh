# Numbers on the scales of other programs: 128 or 50 for a half, 20 or +20% for a fifth more. Each
# is right, or a message says what to write.
. "$(dirname "$0")/lib_answers.sh"
image in.ppm 9 7 3 255 1
sound in.wav 400 1 1

# Every image option that takes a number without a unit has a line that begins with `unlikely`, here or
# in another script of this folder. This list has options without a scale: counts, rates, seeds,
# exponents, weights and conditions.
others='clahe:tiles clahe:clip compare:min-ssim conv:scale conv1d:scale diff:scale deflicker:frames divide:level '\
'fps:rate gamma:gamma levels:gamma histogram:bins nlmeans:frames
    tmean:frames tmedian:frames
    noise:seed posterize:levels'

unlikely brightness:shift silent brightness:20%
refuses 0 'note: any.ppm: brightness:1 makes all of an image white; exposure:1' 'a stop of light as a brightness' \
    gf -i any.ppm brightness:1 -o o.ppm
refuses 0 'note: any.ppm: contrast:0 makes all of an image gray; 1' 'a change of 0 as a contrast' \
    gf -i any.ppm contrast:0 -o o.ppm
unlikely brightness:shift silent brightness:-0.5
unlikely brightness:shift silent brightness:+20%
unlikely brightness:shift '20 of 255 is 0.078; 20% is 0.2' brightness:20
unlikely brightness:shift '20 of 255 is 0.078; 20% is 0.2' brightness:+20
unlikely brightness:shift '-20% is -0.2' brightness:-20
unlikely brightness:shift '20% more is 0.2' brightness:120%
unlikely brightness:shift '20% more is 0.2' brightness:1.2
unlikely brightness:shift ':128 of 255 is 0.5' brightness:128
unlikely levels:low silent levels:10%,90%
unlikely levels:low silent levels:-0.5,1.5
unlikely levels:low '10 of 255 is 0.039; 10% is 0.1' levels:10,90
unlikely levels:high 'high=100 .*100% is 1' levels:0,100
unlikely levels:high 'high=255 .*255 of 255 is 1' levels:0,255
unlikely levels:high silent integral levels:0,100
unlikely montage:columns silent montage:99
unlikely montage:rows silent montage:9,rows=99
unlikely untile:columns silent untile:1
unlikely stack:kappa silent stack:clip,99
unlikely noise:amount silent noise:5%
unlikely noise:amount '5 of 255 is 0.02; 5% is 0.05' noise:5
unlikely noise:amount ":20 of 255 is 0.078, and as a percentage write '20%'" noise:20
unlikely contrast:factor silent contrast:120%
unlikely contrast:factor silent contrast:1.2
unlikely contrast:factor silent contrast:50%
unlikely contrast:factor 'for 20% more write 1.2, and to avoid this warning write 0.2' contrast:20%
unlikely contrast:factor silent contrast:0.2
unlikely contrast:factor 'multiplies by 20; 20% more is 1.2' contrast:20
unlikely contrast:factor 'multiplies by 20; 20% more is 1.2' contrast:+20
unlikely contrast:factor '20% less is 0.8' contrast:-20
unlikely contrast:factor ': must be a factor, not a change; write 1.2 for 20% more' contrast:+20%
unlikely contrast:factor ":did you mean '120%'" contrast:120
unlikely saturate:factor silent saturate:150%
unlikely saturate:factor 'multiplies by 20; 20% more is 1.2' saturate:20
unlikely saturate:factor ':write 1.2 for 20% more' saturate:+20%
unlikely saturate:factor ':write 0.8 for 20% less' saturate:-20%
unlikely saturate:factor 'for 20% more write 1.2' saturate:20%
unlikely threshold:threshold silent threshold:50%
unlikely threshold:threshold '5 of 255 is 0.02; 5% is 0.05' threshold:5
unlikely threshold:threshold ':50 of 255 is 0.2' threshold:50
unlikely threshold:threshold ':128 of 255 is 0.5' threshold:128
unlikely sharpen:amount silent sharpen:150%
unlikely sharpen:amount '50% is 0.5' sharpen:50
unlikely sharpen:amount ":did you mean '150%'" sharpen:150
unlikely sharpen:threshold ":10 of 255 is 0.039, and as a percentage write '10%'" sharpen:1,1,10
unlikely unsharp:amount '80% is 0.8' unsharp:0x1+80
unlikely unsharp:threshold ":10 of 255 is 0.039, and as a percentage write '10%'" unsharp:0,1,1,10
unlikely bilateral:range silent bilateral:1,12%,radius=1
unlikely bilateral:range '30 of 255 is 0.12; 30% is 0.3' bilateral:1,30,radius=1
unlikely nlmeans:strength silent nlmeans:4%
unlikely nlmeans:strength ':write nlmeans:0.039216,patch=3,search=7' nlmeans:10
unlikely canny:low ':100 of 255 is 0.39' canny:1,100,200
unlikely canny:high ':200 of 255 is 0.78' canny:1,0.4,200
unlikely clamp:low '16 of 255 is 0.063; 16% is 0.16' clamp:16,235
unlikely clamp:high '235 of 255 is 0.92' clamp:0,235
unlikely compare:max ':2 of 255 is 0.0078' compare:in.ppm,max=2
unlikely conv:mask 'the weights sum to 255, .*add scale=auto' 'conv:[10 10 10; 50 95 50; 10 10 10]'
unlikely conv:mask silent 'conv:[10 10 10; 50 95 50; 10 10 10],scale=auto'
unlikely conv:mask silent 'conv:[1 1 1; 1 1 1; 1 1 1],scale=1'
unlikely conv:mask silent 'conv:[1 1]'
unlikely conv1d:mask 'sum to -3, .*scale=1 if that is meant' 'conv1d:[-1 -1 -1]'
unlikely conv:offset '128 of 255 is 0.5' conv:prewitt-x,offset=128
unlikely conv1d:offset '128 of 255 is 0.5' 'conv1d:[1 0 -1],offset=128'
unlikely dog:offset ':128 of 255 is 0.5' dog:1,offset=128
unlikely gray:method '30% is 0.3' gray:30,59,11
unlikely gray:green '59% is 0.59' gray:0.3,59,0.11
unlikely gray:blue '11% is 0.11' gray:0.3,0.59,11
unlikely autolevel:clip ":did you mean '1%'" autolevel:1
unlikely normalize:clip ":did you mean '2%'" normalize:2
unlikely blend:opacity ":did you mean '60%'" blend:in.ppm,screen,60
unlikely over:opacity ":did you mean '60%'" over:in.ppm,opacity=60
unlikely tint:amount ":did you mean '50%'" tint:red,50
unlikely sepia:amount ":did you mean '80%'" sepia:80
unlikely vignette:strength ":did you mean '50%'" vignette:50
unlikely vignette:radius ":did you mean '40%'" vignette:radius=40
unlikely vignette:roundness ":did you mean '50%'" vignette:roundness=50
unlikely vignette:x ":did you mean '50%'" vignette:x=50
unlikely vignette:y ":did you mean '50%'" vignette:y=50

# Tests that every such option has a line.
seen=" $(sed -n 's/^unlikely \([a-z0-9]*:[a-z0-9-]*\) .*/\1/p' "$here"/*.sh | tr '\n' ' ')"
missing=
for stage in $(gf --list | ${AWK:-awk} \
    '/^Stages for images/ { on = 1; next } /^[^ ]/ { on = 0 } on && /^  [a-z]/ { print $1 }'); do
    for option in $(gf --help $stage | ${AWK:-awk} '
        /\(images/ { on = 1 }
        /\(sound|\(audio/ { on = 0 }
        /^  [a-z0-9-]+(=| \(value)/ { name = $1; sub("=", "", name) }
        on && /^      takes / && /(takes|or) -?[0-9.e+]+ (to -?[0-9.e+]+|or more)(;|$)/ { print name }'); do
        case "$seen $(echo $others) " in
        *" $stage:$option "*) ;;
        *) missing="$missing $stage:$option" ;;
        esac
    done
done
is 'each option with a bare number has a line that begins with: unlikely STAGE:OPTION' "$missing" ''

gf -i in.ppm levels:10,200 clamp:16,235 -o o.ppm 2>errors
is 'an unlikely value of two stages has two warnings' "$(cat errors)" \
'gpufilter: warning: in.ppm: levels: low=10 is far out of range; samples are 0 to 1; 10 of 255 is 0.039; 10% is 0.1
gpufilter: warning: in.ppm: levels: high=200 is far out of range; samples are 0 to 1; 200 of 255 is 0.78
gpufilter: warning: in.ppm: clamp: low=16 is far out of range; samples are 0 to 1; 16 of 255 is 0.063; 16% is 0.16
gpufilter: warning: in.ppm: clamp: high=235 is far out of range; samples are 0 to 1; 235 of 255 is 0.92'
gf -i in.ppm levels:10,200 levels:20,200 -o o.ppm 2>errors
is 'an unlikely value of another stage of the same name has a warning, too' "$(wc -l <errors | tr -d ' ')" 4

printf 'Pf\n2 1\n-1.0\n\000\000\310\102\000\000\110\103' >hundreds.pfm       # 100 and 200
works 'floats have any scale' gf -i hundreds.pfm levels:0,255 --depth 8 -o o.pgm
is 'floats of any scale are kept' "$(tail -c 2 o.pgm | od -An -tu1 | tr -s ' ')" ' 100 200'
works 'a threshold for floats of any scale' gf -i hundreds.pfm threshold:128 --depth 8 -o o.pgm
is 'a threshold for floats of any scale is between them' "$(tail -c 2 o.pgm | od -An -tu1 | tr -s ' ')" ' 0 255'
refuses 1 'levels: high=255.*(an error' 'an error with --strict' gf --strict -i in.ppm levels:0,255 -o strict.ppm
refuses 0 'clamp: high=20000 .*20000 of 32768 is 0.61' 'levels of audio' gf -i in.wav clamp:-1,20000 -o o.wav
refuses 2 "did you mean '5%'" 'a share of audio' gf -i in.wav dcshift:5 -o o.wav
gf -i in.ppm -i any.ppm levels:0,255 -o 'o{n}.ppm' 2>errors
is 'an unlikely value for several inputs has one warning' "$(cat errors)" \
    'gpufilter: warning: in.ppm and 1 other file: levels: high=255 is far out of range; samples are 0 to 1; 255 of '\
'255 is 1'
finish
