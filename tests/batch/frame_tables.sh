# One table of all images of an input: numbers and times, formats, streams, several inputs, and errors.
. "$(dirname "$0")/../lib.sh"

# Images of two pixels, so that the table can be worked out by hand: means are .1, .4 and .9.
printf 'P2 2 1 255 0 51\nP2 2 1 255 51 153\nP2 2 1 255 204 255\n' >in.pgm

# movie NAME RATE: the same as a Y4M.
movie() { printf "YUV4MPEG2 W2 H1 F$2 Cmono XCOLORRANGE=FULL\nFRAME\n\0\063FRAME\n\063\231FRAME\n\314\377" >"$1"; }
movie in.y4m 25:1

# round FILE: makes numbers shorter, because luma of video is not stored exactly.
round()
{
    ${AWK:-awk} -F '\t' -v OFS='\t' '{
        for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+$/) $i = sprintf("%.6g", $i)
        print }' "$1" >rounded
}

# ---- columns ----
cat >wanted.tsv <<'TSV'
frame	channel	min	max	mean	sd	median	nonfinite
1	y	0	0.2	0.1	0.1	0.1	0
2	y	0.2	0.6	0.4	0.2	0.4	0
3	y	0.8	1	0.9	0.1	0.9	0
TSV
works 'a stream of images' gf -i in.pgm stats -o out.tsv
same wanted.tsv out.tsv 'images without durations have numbers'
sed '1s/frame/frame	time/; 2s/1/1	0/; 3s/2/2	0.04/; 4s/3/3	0.08/' wanted.tsv >timed.tsv
works 'a table of a video' gf -i in.y4m stats -o video.tsv
round video.tsv
same timed.tsv rounded 'frames of a video have times'
works 'a table of a pipe' sh -c '"$0" stats <in.y4m >out.tsv' "$GPUFILTER"
same video.tsv out.tsv 'a pipe gives the same table'
tr '\t' , <video.tsv >wanted.csv
works 'frames as CSV' gf -i in.y4m stats -o out.csv
same wanted.csv out.csv 'CSV has the same cells'
works 'a histogram of frames' gf -i in.y4m histogram:2 -t csv
is 'a histogram has the rows of each frame' "$(tr '\n' ' ' <out)" \
    'frame,time,bin,y 1,0,0,2 1,0,1,0 2,0.04,0,1 2,0.04,1,1 3,0.08,0,0 3,0.08,1,2 '
works 'a comparison of frames' gf -i in.y4m compare:in.y4m
is 'a comparison has the rows of each frame' "$(cut -f 1-4 out | tr '\t\n' ' ,')" \
    'frame time channel mse,1 0 y 0,1 0 all 0,2 0.04 y 0,2 0.04 all 0,3 0.08 y 0,3 0.08 all 0,'
works 'stages before the table' gf -i in.pgm invert stats
round out
is 'stages before the table change all frames' "$(cut -f 5 rounded | tr '\n' ' ')" 'mean 0.9 0.6 0.1 '
head -n 1 in.pgm >one.pgm
head -c 53 in.y4m >one.y4m
for name in one.pgm one.y4m; do
    gf -i $name stats >out
    is "$name has one image, and no number" "$(head -n 1 out | cut -f 1)" channel
done
gf --images 1 -i in.y4m stats >out
is '--images 1 gives the table of one image' "$(cut -f 1 out | tr '\n' ' ')" 'channel y '
gf --images 2 -i in.y4m stats >out
is '--images 2 gives two' "$(cut -f 1 out | tr '\n' ' ')" 'frame 1 2 '
works 'a table of each' gf -i in.y4m stats -o 'each-{n}.tsv'
is 'a table of each image has no number' "$(cat each-*.tsv | cut -f 1 | tr '\n' ' ')" 'channel y channel y channel y '
works 'a tee beside the table' gf -i in.y4m tee:copy.y4m stats -o out.tsv
same video.tsv out.tsv 'a tee does not change the table'
gf -i copy.y4m stats >out
same video.tsv out 'a tee has all frames'

# ---- JSON ----
printf '%s\n' '[{"frame":1,"time":0,"bins":2,"range":[0,1],"samples":2,"channels":[{"name":"y","counts":[2,0]}]},' \
    '{"frame":2,"time":0.04,"bins":2,"range":[0,1],"samples":2,"channels":[{"name":"y","counts":[1,1]}]},' \
    '{"frame":3,"time":0.08,"bins":2,"range":[0,1],"samples":2,"channels":[{"name":"y","counts":[0,2]}]}]' >wanted.json
works 'frames as JSON' gf -i in.y4m histogram:2 -o out.json
same wanted.json out.json 'JSON is a list with an object for each frame'

# ---- formats, and times that others find ----
gf -q -i in.y4m -r 10 -o ten.gif
printf 'P2 2 1 255 0 51' | gf -q -t tiff >a.tif
printf 'P2 2 1 255 51 153' | gf -q -t tiff >b.tif
gf -q --join -i a.tif -i b.tif -o both.tif
works 'pages of a TIFF' gf -i both.tif stats
is 'pages of a TIFF have no times' "$(cut -f 1,2,5 out | tr '\t\n' ' ,')" 'frame channel mean,1 y 0.1,2 y 0.4,'
webp=$(gf --manual listing | ${AWK:-awk} -F '\t' '$1 == "format" && $3 ~ /^webp/ && $5 != "-" { print "webp" }')
for format in gif apng $webp; do
    gf -q -i in.y4m -r 12.5 $([ $format != webp ] || echo --quality 100) -o a.$format
    works "frames of $format" gf -i a.$format alpha:off gray stats
    is "$format has times" "$(round out && cut -f 1,2,6 rounded | tr '\t\n' ' ,')" \
        'frame time mean,1 0 0.1,2 0.08 0.4,3 0.16 0.9,'
done
if command -v ffprobe >/dev/null; then
    for rate in 30000:1001 24000:1001 60:1 2:5; do
        movie rate.y4m $rate
        for k in 1 2 3 4; do
            tail -c +$(($(head -n 1 rate.y4m | wc -c) + 1)) rate.y4m >more
            cat more more >>rate.y4m
        done
        gf -i rate.y4m stats | cut -f 1,2 | sed 1d >found
        ffprobe -v error -show_entries frame=pts_time -of csv=p=0 rate.y4m |
            ${AWK:-awk} '{ sub(/,$/, ""); printf "%d\t%.15g\n", NR, $1 }' >wanted
        same wanted found "$rate frames per second: the frames and times of ffprobe"
    done
    # durations in hundredths of a second; 0 and 1 are shown for 10
    gf -q -i in.pgm -r 20 -o uneven.gif
    cat in.pgm in.pgm | gf -q -r 30 -o thirty.gif
    for name in uneven thirty; do
        gf -i $name.gif alpha:off gray stats | cut -f 1,2 | sed 1d >found
        ffprobe -v error -show_entries frame=pts_time -of csv=p=0 $name.gif |
            ${AWK:-awk} '{ sub(/,$/, ""); printf "%d\t%.15g\n", NR, $1 }' >wanted
        same wanted found "$name: the frames and times of ffprobe for a GIF"
    done
else
    skip 'the times of ffprobe: it is not here'
fi

# ---- streams ----
{ head -c 65 in.y4m                              # two frames, and a part of the third
  for k in 1 2 3 4 5 6 7 8 9; do
      ! grep -q '^2' live && sleep 0.3 || break
  done
  cp live early; tail -c +66 in.y4m; } | "$GPUFILTER" stats >live 2>errors
is 'rows are written before the pipe goes on' "$(cut -f 1 early | tr '\n' ' ')" 'frame 1 2 '
same video.tsv live 'a slow pipe gives the same table'
{ cat in.y4m; while tail -c +$(($(head -n 1 in.y4m | wc -c) + 1)) in.y4m; do :; done; } 2>/dev/null |
    "$GPUFILTER" stats 2>errors | head -n 4 >out
is 'gpufilter ends quietly if the reader of rows stops' "$(cat errors)$(cmp out video.tsv)" ''

# ---- many frames: threads and memory change nothing ----
image noise.ppm 61 47 3 255 7
image other.ppm 61 47 3 255 8
for k in 1 2 3 4 5 6 7 8; do cat noise.ppm other.ppm; done >many.ppm
gf -j 1 -i many.ppm blur:2 stats >one.tsv
for jobs in 2 5; do
    works "$jobs threads" gf -j $jobs -i many.ppm blur:2 stats -o out.tsv
    same one.tsv out.tsv "$jobs threads give the table of one"
done
works 'frames that need all of the memory' gf --memory 16M -j 4 -i many.ppm blur:2 stats -o out.tsv
same one.tsv out.tsv 'frames that need all of the memory give the same table'
for k in 1 2 3 4; do gf -i $([ $((k % 2)) = 1 ] && echo noise.ppm || echo other.ppm) blur:2 stats | sed "1d; s/^/$k	/"
done >wanted.tsv
sed '1d; 13q' one.tsv >found.tsv
same wanted.tsv found.tsv 'rows are those of each image alone'

# ---- several inputs ----
cat >wanted.tsv <<'TSV'
file	frame	time	channel	min	max	mean	sd	median	nonfinite
in.y4m	1	0	y	0	0.2	0.1	0.1	0.1	0
in.y4m	2	0.04	y	0.2	0.6	0.4	0.2	0.4	0
in.y4m	3	0.08	y	0.8	1	0.9	0.1	0.9	0
one.pgm	1		y	0	0.2	0.1	0.1	0.1	0
in.pgm	1		y	0	0.2	0.1	0.1	0.1	0
in.pgm	2		y	0.2	0.6	0.4	0.2	0.4	0
in.pgm	3		y	0.8	1	0.9	0.1	0.9	0
TSV
for jobs in 1 4; do
    works "several inputs, -j $jobs" gf -j $jobs -i in.y4m -i one.pgm -i in.pgm stats -o all.tsv
    round all.tsv
    same wanted.tsv rounded "several inputs have the columns file, frame and time, -j $jobs"
done
sed 's/^in.y4m/in.pgm/; /^one/d' wanted.tsv | cut -f 1,2,4- | sed 4q >short.tsv
works 'inputs without durations' gf -i in.pgm -i one.pgm stats -o all.tsv
is 'inputs without durations have no column of times' "$(head -n 4 all.tsv | cmp - short.tsv)" ''
works 'inputs of one image' gf -i one.pgm -i one.y4m stats -o all.tsv
is 'inputs of one image have no numbers' "$(head -n 1 all.tsv | cut -f 1,2)" 'file	channel'
sound s.wav 900 1 3
works 'images and audio' gf -i in.pgm -i s.wav stats -o all.tsv
is 'audio has no number of an image' "$(cut -f 1,2 all.tsv | uniq | tr '\t\n' ' ,')" \
    'file frame,in.pgm 1,in.pgm 2,in.pgm 3,s.wav ,'
gf -i in.y4m -i one.pgm -i s.wav histogram:2 -o all.json
printf '%s ' '[{"file":"in.y4m","frame":1,"time":0,' '{"file":"in.y4m","frame":2,"time":0.04,' \
    '{"file":"in.y4m","frame":3,"time":0.08,' '{"file":"one.pgm","frame":1,' '{"file":"s.wav",' >wanted
is 'JSON of several inputs has the same shape' "$(sed 's/"bins".*//' all.json | tr '\n' ' ')" "$(cat wanted)"
if command -v python3 >/dev/null; then
    works 'JSON is valid' python3 -c 'import json
for name in "out.json", "all.json":
    assert len(json.load(open(name))) == (3 if name == "out.json" else 5)'
else
    skip 'no python3 here'
fi
gf -j 2 -i many.ppm -i noise.ppm histogram:65536 -o free.tsv
works 'more numbers than fit into memory' gf -j 2 --memory 24M -i many.ppm -i noise.ppm histogram:65536 -o all.tsv
same free.tsv all.tsv 'numbers on the disk are the same'
TMPDIR=/nowhere gf -j 2 --memory 24M -i many.ppm -i noise.ppm histogram:65536 -o never.tsv 2>errors
is 'the numbers of frames did not fit into memory' \
    "$? $(grep -c /nowhere errors | ${AWK:-awk} '{ print ($1 > 0) }')" '1 1'

# ---- joined inputs ----
works 'a table of joined videos' gf --join -i in.y4m -i in.y4m stats
is 'numbers and times of joined videos go on' "$(cut -f 1,2 out | tr '\t\n' ' ,')" \
    'frame time,1 0,2 0.04,3 0.08,4 0.12,5 0.16,6 0.2,'
works 'a table of joined images' gf --join -i one.pgm -i in.pgm stats
is 'joined images have numbers' "$(cut -f 1,5 out | tr '\t\n' ' ,')" 'frame mean,1 0.1,2 0.1,3 0.4,4 0.9,'
movie slow.y4m 2:1
works 'videos of two rates' gf --join -i in.y4m -i slow.y4m -i in.y4m stats
is 'videos of two rates each have their own' "$(cut -f 2 out | tr '\n' ' ')" \
    'time 0 0.04 0.08 0.12 0.62 1.12 1.62 1.66 1.7 '
works 'an image after a video' gf --join -i in.y4m -i in.pgm stats
is 'after an image without a duration, the time is unknown' "$(cut -f 2 out | tr '\n' ' ')" 'time 0 0.04 0.08 0.12   '

# ---- columns that come later ----
printf 'P3 2 1 255 0 0 0 255 255 255\n' >c.ppm
cat one.pgm c.ppm >mixed.pnm
cat c.ppm one.pgm >mixed2.pnm
works 'statistics of gray and color' gf -i mixed.pnm stats
is 'statistics of gray and color have the same columns' "$(cut -f 1,2 out | tr '\t\n' ' ,')" \
    'frame channel,1 y,2 r,2 g,2 b,'
refuses 1 'mixed.pnm: image 2 has the column r, which the first image lacks; use -t json' 'a column that comes later' \
    gf -i mixed.pnm histogram:2 -o no.tsv
is 'a column that comes later leaves no file' "$(ls no.tsv 2>/dev/null)" ''
works 'the advice for such columns' gf -i mixed.pnm histogram:2 -t json
is 'that advice helps' "$(sed 's/.*"channels"//' out | tr -d '\n')" ':[{"name":"y","counts":[2,0]}]},:[{"name":"r",'\
'"counts":[1,1]},{"name":"g","counts":[1,1]},{"name":"b","counts":[1,1]}]}]'
refuses 1 'image 2 has the column y' 'gray after color' gf -i mixed2.pnm histogram:2 -o no.tsv
works 'columns of several inputs' gf -i mixed.pnm -i one.pgm histogram:2
is 'several inputs may have columns that come later' "$(head -n 1 out | tr '\t' ' ')" 'file frame bin y r g b'

# ---- failures ----
refuses 1 'in.y4m: contains several images, but the output is one drawing; .*{n}.svg.* or -t tsv' \
    'one drawing of frames' gf -i in.y4m stats -o no.svg
refuses 1 'one.pgm: is another image, but the output is one drawing' 'one drawing of joined images' \
    gf --join -i one.pgm -i one.pgm stats -o no.svg
works 'drawings of each' gf -i in.y4m stats -o 'no-{n}.svg'
works 'a table in place of drawings' gf -i in.y4m stats -t tsv
{ sed -n 1p in.pgm; echo 'P2 2 1 255 51 102'; sed -n 3p in.pgm; } >limit.pgm
refuses 1 'in.pgm, image 2: compare: psnr is 16.99, less than 20' 'a limit of compare names the image' \
    gf -i in.pgm compare:limit.pgm,min-psnr=20 -o limits.tsv
is 'a limit of compare leaves the table' "$(cut -f 1 limits.tsv | tr '\n' ' ')" 'frame 1 1 2 2 3 3 '
head -c 60 in.y4m >cut.y4m
for jobs in 1 3; do
    refuses 1 'cut.y4m: ends within frame 2' "a damaged frame, -j $jobs" gf -j $jobs -i cut.y4m stats -o no.tsv
    is "a damaged frame leaves no file, -j $jobs" "$(ls no.tsv 2>/dev/null)" ''
done
gf -i cut.y4m -i one.pgm stats -o all.tsv 2>errors
is 'an input with a damaged frame has no rows' "$? $(cut -f 1 all.tsv | tr '\n' ' ')" '1 file one.pgm '
refuses 2 'only video and animations have a frame rate' 'a rate of a table of frames' gf -i in.y4m --rate 5 stats
if [ -w /dev/full ]; then
    refuses 1 'No space' 'frames on a full disk' gf -i in.y4m stats -o /dev/full
fi
finish
