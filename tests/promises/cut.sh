# Images: segments, lanes and threads never change the output bytes.
. "$(dirname "$0")/lib_cut.sh"

image 1x1.ppm 1 1 3 255 1
image 1x37.pgm 1 37 1 255 2
image 41x1.ppm 41 1 3 65535 3
image 67x43.ppm 67 43 3 255 4
image 31x29.pam 31 29 4 65535 5
image 13x101.pgm 13 101 1 65535 6
image 29x23.pam 29 23 2 255 7
images='1x1.ppm 1x37.pgm 41x1.ppm 67x43.ppm 31x29.pam 13x101.pgm 29x23.pam'
cat $images >row.pam                # one run for all forms; generated.c makes others
for stage in '' gray gray:lightness blur:2 blur:1.2,edge=wrap blur:7,edge=mirror blur:3,edge=zero \
    blur:2,light=linear linear srgb \
    levels:0.1,0.8,1.3 brightness:0.1 contrast:2 clamp:0.2,0.7 saturate:1.7 hue:50 normalize:1% sepia:0.7 \
    tint:#c86 posterize:5 threshold:0.3 threshold:otsu alpha:on autolevel autolevel:2%,rgb \
    'conv:[0 -1 0; -1 5 -1; 0 -1 0]' 'conv:[1 2 3 4 5 6; -1 0 0 0 0 7; 1 1 1 1 1 1],edge=reflect,scale=auto' \
    blur:33 blur:60,edge=mirror blur:40,edge=zero blur:500,edge=reflect box:2 box:9 box:20,edge=mirror \
    box:30,edge=wrap sobel sobel:y,edge=wrap laplacian emboss:edge=zero sharpen sharpen:0.7,3,0.01,edge=reflect \
    sharpen:1,2,edge=wrap unsharp:0x1.2+1.5+0 unsharp:3,2,0.7,0.02,edge=mirror dog:1,2 \
    dog:3,1,offset=0.5,edge=reflect dog:0,2,edge=wrap \
    canny canny:0,0.2,0.9 canny:4,0.02,0.1 \
    bilateral:1,0.2 bilateral:4,0.1,edge=mirror bilateral:2,0.3,radius=3,edge=wrap noise:0.1 \
    nlmeans nlmeans:0.3,patch=1,search=3,separate,edge=wrap nlmeans:0.05,patch=5,search=2,edge=reflect \
    noise:0.2,uniform,mono,seed=5 \
    vignette vignette:0.9,0.1,roundness=0.5,x=30%,light=linear \
    'conv1d:[1 2 3 2 1],axis=y,scale=auto' 'conv1d:[1 -2 1],axis=x' \
    rotate:30 rotate:30,fit=keep rotate:90 rotate:180 rotate:-45,filter=cubic rotate:200,filter=nearest \
    resize:50% resize:7x5 resize:300%,filter=cubic resize:90x11,filter=linear resize:11x90,filter=area \
    resize:60%,filter=nearest \
    resize:30,light=linear \
    rotate:12,edge=wrap flop transpose pad:3,50,0,7,red pad:5,2,9,60,edge=clamp pad:1,9,2,4,edge=mirror \
    pad:2,40,1,3,edge=reflect pad:1,1,1,1,edge=wrap pad:size=130%,at=bottom crop:1x1,at=bottom \
    resize:40x40,fit=inside \
    median:1 median:5,edge=reflect erode:2,edge=wrap dilate:9,edge=zero open:1 close:3,edge=mirror \
    rotate:20,bg=red,light=linear flip crop:1x1+0+0 invert gamma:2.2 equalize equalize:rgb equalize:range=0.1,0.7 \
    clahe clahe:3,clip=4 clahe:4,range=0.1,0.9; do
    cut_ways row.pam pam ${stage:+"$stage"}
done
# Second images: a single one for all images of the input, or one for each.
image top.pam 23 19 4 255 8
image top.ppm 17 61 3 65535 9
gf -i row.pam invert -o below.pam
cp row.pam beside.pam
for stage in over:top.pam over:top.pam,5,7 over:top.pam,-9,-3,opacity=40% over:top.ppm,-2,11 \
    over:top.pam,3,-2,at=bottom-right over:top.ppm,at=center blend:below.pam,normal blend:below.pam,softlight,0.3 \
    blend:beside.pam,dodge mask:below.pam diff:beside.pam diff:below.pam,scale=3; do
    cut_ways row.pam pam "$stage"
    cut_ways row.pam pam blur:2 "$stage" rotate:20 resize:70%
done
for file in 1x1.ppm 67x43.ppm 31x29.pam; do
    cut_ways $file ${file##*.} over:top.pam,-3,4 blur:1 over:top.ppm
    cut_ways $file ${file##*.} blend:$file,screen equalize diff:$file integral over:top.pam levels:0,9
    cut_ways $file tsv diff:$file stats
    cut_ways $file tsv median:1 compare:$file
    cut_ways $file json rotate:3,fit=keep compare:$file
done
cut_ways 67x43.ppm ppm rotate:30,fit=keep blend:67x43.ppm,multiply rotate:-30 crop:30x20+5+9 over:top.pam,9,-4
gf -i "$GPUFILTER_SAMPLES/scene.ppm" -o scene.ppm
for stage in canny:2,0.02,0.3 canny:1,0.01,2 canny:0,0,3; do            # weak lines that cross many bands
    cut_ways scene.ppm pgm $stage
    cut_ways scene.ppm pgm rotate:90 $stage flip canny:1,0.3,1 blur:1
done
for file in 1x1.ppm 1x37.pgm 67x43.ppm; do
    cut_ways $file tsv histogram:64
    cut_ways $file json blur:2 histogram
    cut_ways $file tsv stats
    cut_ways $file json blur:2 stats
done
cut_ways 67x43.ppm pgm gray blur rotate:30
cut_ways 67x43.ppm pgm channel:g
cut_ways 31x29.pam pgm channel:a
cut_ways 31x29.pam ppm alpha:off
cut_ways 31x29.pam ppm alpha:off,bg=orange
cut_ways 67x43.ppm ppm 'matrix:[.393 .769 .189; .349 .686 .168; .272 .534 .131]'
cut_ways 67x43.ppm pgm blur:2 'matrix:[.5 .3 .1 .05]' threshold:otsu
cut_ways 67x43.ppm ppm equalize blur:2 equalize
cut_ways 67x43.ppm ppm 'conv:[1 2; 3 4],scale=auto' blur:2 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' blur:1
cut_ways 67x43.ppm ppm crop:50x30+7+5 flip rotate:90 gamma:1.8 invert
cut_ways 67x43.ppm png blur:2
cut_ways 67x43.ppm ppm resize:250% blur:2 resize:40% gray resize:x100 blur:1
cut_ways 67x43.ppm tsv resize:41x29 histogram:16
for stage in integral cumsum cumsum:axis=y; do
    cut_ways 67x43.ppm pfm $stage
    cut_ways row.pam pam $stage levels:0,100 levels:0,3
    cut_ways 13x101.pgm pfm blur:2 $stage
    cut_ways 67x43.ppm pfm equalize $stage invert flop cumsum:axis=y
    cut_ways 67x43.ppm pfm $stage blur:2
    cut_ways row.pam pam $stage blur:3 levels:0,100 median:1 cumsum:axis=y levels:0,100 box:4
    cut_ways 67x43.ppm pfm $stage resize:270% integral resize:23% blur:1
    cut_ways 67x43.ppm pfm blur:1 $stage pad:3,5,2,9 cumsum:axis=y blur:20
    cut_ways 67x43.ppm pfm rotate:20 $stage crop:30x20+7+5
    cut_ways 67x43.ppm pfm $stage crop:30x30+7+9 blur:2 $stage crop:20x12+2+11
    cut_ways 67x43.ppm pfm $stage crop:30x30+7+9 rotate:180
    cut_ways row.pam pam blur:3 $stage crop:1x1+0+0 levels:0,100
    cut_ways 67x43.ppm ppm $stage levels:0,100 levels:0,3 equalize
    cut_ways 67x43.ppm tsv $stage stats
    cut_ways 67x43.ppm pfm blur:1 $stage gray resize:60% integral
done
cut_ways 67x43.ppm ppm resize:71% equalize rotate:20 resize:x50
if cut_ways 67x43.ppm ppm blur:2 tee:mid.ppm rotate:30; then
    gf --device $device -i 67x43.ppm blur:2 -o plain.ppm
    same plain.ppm mid.ppm 'a tee, however cut'
fi

# Repeated runs give the same bytes, and stated limits are kept.
for run in 1 2 3 4 5; do
    gf --device $device --lanes 4 --segment 2K -i 67x43.ppm equalize blur:2 rotate:30 -o run$run.ppm 2>>errors
done
for run in 2 3 4 5; do
    same run1.ppm run$run.ppm "run $run as run 1"
done
# Long images of 16 bits have tables of all 65536 levels, which a lane keeps until its next image.
image small.pgm 13 11 1 65535 4
gf -i small.pgm resize:1100x1000 -o one.pgm
gf -i one.pgm gamma:2 -o two.pgm
gf -i one.pgm crop:1100x200+0+500 -o part.pgm
cat one.pgm two.pgm >both.pgm
for stage in equalize normalize gamma:1.3 'curves:[0 0; 0.4 0.6; 1 0.9]'; do
    gf --device $device --lanes 1 -i both.pgm "$stage" -o both-made.pgm
    gf --device $device -i one.pgm "$stage" -t pnm -o - >each.pgm
    gf --device $device -i two.pgm "$stage" -t pnm -o - >>each.pgm
    same each.pgm both-made.pgm "$stage of two long images of 16 bits in one input"
done
gf --device $device -i one.pgm gamma:1.3 -o whole.pgm
gf -i whole.pgm crop:1100x200+0+500 -o wanted.pgm
gf --device $device -i part.pgm gamma:1.3 -o got.pgm
same wanted.pgm got.pgm 'a long image of 16 bits has the bytes of a short one'

image long.pgm 300 2000 1 255 9
gf --device $device -i long.pgm blur:3 -o whole.pgm
works 'a long image in 4 MB of memory' gf --device $device --memory 4M -i long.pgm blur:3 -o small.pgm
same whole.pgm small.pgm 'a long image in 4 MB of memory has the same bytes'
finish
