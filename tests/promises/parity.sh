# CPU and GPU give the same bytes for each stage.
. "$(dirname "$0")/../lib.sh"
need_cuda
serve_calls
cp "$GPUFILTER_SAMPLES"/taps.txt .

# agree FILE EXTENSION ARGUMENT...: CPU and GPU make the same output.
agree()
{
    file=$1 ending=$2
    shift 2
    name="$file $*: the same bytes"
    is_chosen "$name" || return 0
    for device in cpu cuda; do
        if ! gf --device $device -i $file "$@" -o $device.$ending 2>errors; then
            fail "$name"
            { echo "on $device:"; cat errors; } | note
            return
        fi
    done
    same cpu.$ending cuda.$ending "$name"
}

# Images of many sizes and types in one run.
image a.pam 331 217 3 255 1
image b.pam 97 83 3 255 2
image c.pam 257 129 1 255 3
image d.pam 61 67 4 255 4
image e.pam 1 1 3 255 5
image f.pam 301 1 1 255 6
image g.pam 1 301 1 255 7
image h.pam 53 31 2 255 8
cat [a-h].pam >shapes.pnm
image float.ppm 331 217 3 65535 9

for stage in flip rotate:90 rotate:180 rotate:270 crop:1x1+0+0 flop transpose pad:3,50,0,7,red pad:5,2,9,60,edge=clamp \
    median:1 median:2,edge=mirror median:3,edge=zero median:9,edge=wrap erode:1 erode:20,edge=reflect dilate:7 open:2 \
    close:4,edge=wrap \
    pad:1,9,2,4,edge=mirror pad:2,40,1,3,edge=reflect pad:1,1,1,1,edge=wrap equalize equalize:rgb \
    equalize:range=0.1,0.7 clahe clahe:5,clip=0 clahe:4,range=0.1,0.9 autolevel:1%,range=0.1,0.7 \
    threshold:otsu,range=0.1,0.6 posterize:7 clamp:0.2,0.7 threshold:0.5 threshold:otsu \
    resize:200%,filter=nearest channel:b channel:a alpha:on alpha:off \
    canny canny:0,0.2,0.9 canny:4,0.02,0.1 \
    autolevel autolevel:3%,rgb normalize:2% integral cumsum cumsum:axis=y; do
    agree shapes.pnm pam "$stage"
    agree float.ppm pfm --depth f32 "$stage"
done
for stage in gray gray:rec709 gray:max gray:lightness invert gamma:2.2 blur:0.7 blur:4 \
    blur:2,edge=zero blur:2,edge=reflect blur:2,edge=mirror blur:2,edge=wrap 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' \
    blur:33 blur:60,edge=mirror blur:40,edge=zero blur:500,edge=reflect box:2 box:9 box:20,edge=mirror \
    box:30,edge=wrap sobel sobel:y,edge=wrap laplacian emboss:edge=zero sharpen sharpen:0.7,3,0.01,edge=reflect \
    sharpen:1,2,edge=wrap unsharp:0x1.2+1.5+0 unsharp:3,2,0.7,0.02,edge=mirror dog:1,2 dog:3,1,offset=0.5,edge=reflect \
    dog:0,2,edge=wrap \
    bilateral:1,0.2 bilateral:4,0.1,edge=mirror bilateral:20,0.5,edge=reflect bilateral:2,0.3,edge=wrap \
    bilateral:2,0.3,edge=zero \
    nlmeans nlmeans:0.3,patch=1,search=3,separate,edge=wrap nlmeans:0.02,patch=5,search=2,edge=zero \
    noise:0.1 noise:0.2,uniform,mono,seed=5 vignette vignette:0.9,0.1,roundness=0.5,x=30%,light=linear \
    'conv:[1 2 3; 4 5 6; 7 8 10],scale=auto,edge=mirror' 'conv1d:[1 2 1],axis=x,scale=auto' \
    'conv1d:[1 2 1],axis=y,scale=auto' rotate:30 rotate:30,fit=keep rotate:-7,filter=cubic \
    resize:50% resize:7x5 resize:230%,filter=cubic resize:400x20,filter=linear resize:20x400 resize:11x90,filter=area \
    alpha:off,bg=orange resize:60%,light=linear rotate:111,filter=nearest rotate:45,edge=reflect linear srgb \
    levels:0.1,0.8,1.3 brightness:0.1 contrast:2 \
    saturate:1.7 hue:50 sepia:0.7 tint:#c86 blur:2,light=linear \
    rotate:30,bg=red,light=linear; do
    agree shapes.pnm pam "$stage"
    agree float.ppm pfm --depth f32 "$stage"
done
# Large masks run by transforms of tiles; those of the last one are too long for the shared memory of a GPU.
for side in 17 21 61 127; do
    ${AWK:-awk} -v n=$side 'BEGIN { for (k = 0; k < n * n; k++) printf "%d%s", (k * k + int(k / n)) % 7 + 1,
                            k % n < n - 1 ? " " : "\n" }' >square$side.txt
done
for stage in conv:square17.txt,scale=auto,edge=wrap conv:square61.txt,scale=auto conv:square127.txt,edge=zero \
    deconvolve:psf=square21.txt,iterations=3 deconvolve:psf=square127.txt,iterations=2,edge=mirror,damp=0.1; do
    agree shapes.pnm pam "$stage"
    agree float.ppm pfm --depth f32 "$stage"
done
agree shapes.pnm pam gray blur rotate:30
agree shapes.pnm pam rotate:30 dog:1
agree shapes.pnm pam resize:250% blur:2 resize:40% rotate:20
for matrix in '[.393 .769 .189; .349 .686 .168; .272 .534 .131]' '[.5 .3 .2 .1]' '[1 0 0; 0 1 0; 0 0 1; .3 .3 .3]'; do
    agree a.pam pam "matrix:$matrix"
    agree float.ppm pfm --depth f32 blur:1 "matrix:$matrix"
done
agree float.ppm pfm --depth f32 blur:1 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' blur:3
image wide.ppm 1100 40 3 65535 11
for stage in blur:10 blur:20 blur:60; do
    agree float.ppm pfm --depth f32 $stage
    agree wide.ppm pfm --depth f32 $stage
done
agree a.pam pam blur:2 tee:mid.pam rotate:30
for table in histogram histogram:7 histogram:7,range=0.1,0.8; do
    agree float.ppm tsv $table
    agree c.pam tsv equalize $table
done
agree shapes.pnm pam integral levels:0,100 levels:0,90
agree float.ppm pfm integral --segment 1K --lanes 5 --depth f32
agree float.ppm pfm blur:2 integral blur:1 --depth f32
agree d.pam tsv stats
agree float.ppm tsv autolevel stats

# Second images.
image top.pam 83 59 4 255 10
gf -i shapes.pnm invert -o below.pnm
for stage in over:top.pam over:top.pam,31,17 over:top.pam,-20,-9,opacity=40% over:top.pam,5,-3,at=bottom-right \
    blend:below.pnm,normal blend:below.pnm,multiply blend:below.pnm,softlight,0.3 \
    blend:below.pnm,dodge blend:below.pnm,burn \
    blend:below.pnm,subtract,70% blend:below.pnm,divide mask:below.pnm diff:below.pnm,scale=3; do
    agree shapes.pnm pam "$stage"
    agree shapes.pnm pam blur:2 "$stage" rotate:20
done
for stage in over:top.pam,31,17 blend:float.ppm,overlay diff:float.ppm; do
    agree float.ppm pfm --depth f32 "$stage"
    agree float.ppm pfm --depth f32 blur:1 "$stage" --segment 1K --lanes 5
done

gf -i float.ppm median:1 -o soft.ppm
gf -i d.pam median:1 invert -o other.pam
for way in '' '--segment 1K --lanes 5'; do
    agree a.pam tsv compare:float.ppm $way
    agree float.ppm tsv compare:soft.ppm $way
    agree float.ppm tsv resize:61x67 compare:d.pam $way
    agree d.pam json compare:other.pam $way
    agree c.pam tsv median:1 compare:c.pam $way
done

awk 'BEGIN { for (i = 0; i < 20000; i++) print (i * 7919 % 1000 - 500) / 200000 }' >long.txt
sound mono.wav 5003 1 1
sound stereo.wav 100003 2 2
sound five.wav 997 5 3
sound one.wav 1 2 4
for stage in lowpass:3k highpass:3k bandpass:300,3k bandstop:300,3k,taps=101 'fir:[0.5 0.25 0.125]' fir:taps.txt \
    fir:long.txt reverb:long.txt "fir:[$(seq -s ' ' -40 40)],align=center"; do
    agree stereo.wav wav "$stage"
    agree five.wav wav --depth f32 "$stage"
done
for stage in gain:-3 invert mono resample:44100 \
    resample:44100,quality=good resample:32k,quality=fast resample:11111 reverse dcshift:0.1 \
    clamp:-0.2,0.3 remix:1-2 remix:.5*1,0,1,2,1,1 echo:900f,0.5,1f,-0.3 \
    fade:200f,700f,shape=half fade:0,100f,shape=log fade:300f,shape=quarter limit:-12 limit:-20,ahead=33f \
    limit:-20,true,ahead=33f biquad:1,-1,0,-0.995,0 eq:20,30,12 bass:6 treble:3; do
    agree stereo.wav wav "$stage"
    agree five.wav wav --depth f32 "$stage"
done
agree stereo.wav wav 'remix:[.5 .5; .5 -.5]'
for stage in channel:2 remix:2,0,1 trim:100f,-99f pad:77f,1003f delay:500f dither dither:8,seed=7; do
    agree stereo.wav wav "$stage"
    agree five.wav wav gain:-1 "$stage" --depth 24
done
agree stereo.wav wav bass:6 tee:mid.wav resample:32k
agree stereo.wav wav --depth f32 bass:3 fir:taps.txt eq:1k,1,3 fir:taps.txt,align=center treble:2
for file in mono.wav one.wav; do
    agree $file wav gain:-3 fir:taps.txt mono
done
for file in stereo.wav five.wav; do
    agree $file tsv stats
    agree $file tsv stats:true
    agree $file tsv histogram
    agree $file tsv histogram:5
    agree $file tsv waveform:7
    agree $file tsv spectrogram:20,256
    agree $file tsv spectrogram:20,64
    agree $file tsv spectrogram:7,8192
    for stage in normalize:-1 normalize:rms=-20 normalize:lufs=-23 equalize; do
        agree $file wav "$stage"
        agree $file wav --depth f32 "$stage"
    done
done

# Three stages with masks in one chain, on many lanes.
for lanes in 1 8; do
    gf --device cuda --lanes $lanes --segment 64K -i a.pam blur:1 'conv:[1 2; 3 4],scale=auto' blur:3 -o lanes$lanes.pam
done
same lanes1.pam lanes8.pam 'masks of three stages on 8 lanes'
finish
