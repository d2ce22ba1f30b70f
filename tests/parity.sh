# CPU and GPU agree, stage by stage: to the bit where samples are counted, looked up or
# moved; within 1 step of 8 bits or 1e-5 of the largest value elsewhere.
. "$(dirname "$0")/lib.sh"
need_cuda
cp "$GPUFILTER_SAMPLES"/taps.txt .

# The largest difference of two PFM or PGM/PPM files of one shape, in units of the last place or of the largest value.
difference()
{
    od -An -v -t $3 -w64 "$1" >a.txt
    od -An -v -t $3 -w64 "$2" >b.txt
    paste -d ' ' a.txt b.txt | ${AWK:-awk} '{
        n = NF / 2
        for (i = 1; i <= n; i++) {
            d = $i - $(i + n); d = d < 0 ? -d : d
            m = $i < 0 ? -$i : $i
            if (d > most) most = d
            if (m > top) top = m
            if ($i != $(i + n) && d == 0) other = 1     # nan, inf
        }
    } END { printf "%.9g %.9g\n", most, top > 0 ? most / top : most }'
}

# agree exact|near FILE STAGE...
agree()
{
    how=$1 file=$2
    shift 2
    for depth in 8 f32; do
        case $file:$depth in
        *.wav:8) depth=16 ending=wav header=44 type=d2 ;;
        *.wav:*) ending=wav header=80 type=f4 ;;
        *:8) ending=pam header= type=u1 ;;
        *) ending=pfm header= type=f4 ;;
        esac
        case $ending:$file in
        pfm:*.pam) continue ;;
        esac
        for device in cpu cuda; do
            if ! gf --device $device --depth $depth -i $file "$@" -o $device.$ending 2>errors; then
                fail "$file $* --depth $depth runs on $device"
                note <errors
                continue 2
            fi
        done
        if [ $how = exact ] || cmp -s cpu.$ending cuda.$ending; then
            same cpu.$ending cuda.$ending "$file $* --depth $depth: the same bytes"
            continue
        fi
        if [ "$(wc -c <cpu.$ending)" != "$(wc -c <cuda.$ending)" ]; then
            fail "$file $* --depth $depth: other sizes"
            continue
        fi
        if [ -z "$header" ]; then
            header=$(head -n $([ $ending = pfm ] && echo 3 || echo 7) cpu.$ending | wc -c)
        fi
        tail -c +$((header + 1)) cpu.$ending >cpu.raw
        tail -c +$((header + 1)) cuda.$ending >cuda.raw
        set -- "$@" "$(difference cpu.raw cuda.raw $type)"
        eval "found=\${$#}"
        near=$(echo "$found" | ${AWK:-awk} -v type=$type '{ print type == "f4" ? $2 <= 1e-5 : $1 <= 1 }')
        is "$file near at --depth $depth (difference $found): $*" "$near" 1
        last=$#
        i=0
        for word in "$@"; do
            i=$((i + 1))
            shift
            [ $i = $last ] || set -- "$@" "$word"
        done
    done
}

image rgb8.ppm 331 217 3 255 1
image rgb16.ppm 97 83 3 65535 2
image gray8.pgm 257 129 1 255 3
image rgba8.pam 61 67 4 255 4
image one.ppm 1 1 3 255 5
image row.pgm 301 1 1 255 6
image column.pgm 1 301 1 255 7
for file in rgb8.ppm rgb16.ppm gray8.pgm rgba8.pam one.ppm row.pgm column.pgm; do
    for stage in flip rotate:90 rotate:180 rotate:270 crop:1x1+0+0; do
        agree exact $file $stage
    done
    agree exact $file equalize
    agree exact $file equalize:rgb
    for stage in gray gray:rec709 gray:max gray:lightness gray,light=linear invert gamma:2.2 blur:0.7 blur:4 blur:2,edge=zero \
        blur:2,edge=reflect blur:2,edge=mirror blur:2,edge=wrap 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' \
        'conv:[1 2 3; 4 5 6; 7 8 10],scale=auto,edge=mirror' 'conv1d:[1 2 1],axis=x,scale=auto' \
        'conv1d:[1 2 1],axis=y,scale=auto' rotate:30 rotate:30,fit=keep rotate:-7,filter=cubic \
        rotate:111,filter=nearest rotate:45,edge=reflect; do
        [ "$stage" = gray,light=linear ] && stage=gray:light=linear
        agree near $file "$stage"
    done
    agree near $file gray blur rotate:30
    agree near $file blur:1 'conv:[0 -1 0; -1 5 -1; 0 -1 0]' blur:3
    for table in 'histogram' 'histogram:7' 'equalize histogram'; do
        gf --device cpu -i $file $table -o cpu.tsv 2>errors
        gf --device cuda -i $file $table -o cuda.tsv 2>>errors
        same cpu.tsv cuda.tsv "$file $table"
    done
done

sound mono.wav 5003 1 1
sound stereo.wav 100003 2 2
sound five.wav 997 5 3
sound one.wav 1 2 4
for file in mono.wav stereo.wav five.wav one.wav; do
    for stage in gain:-3 invert mono 'fir:[0.5 0.25 0.125]' fir:taps.txt; do
        agree near $file "$stage"
    done
    agree near $file gain:-3 fir:taps.txt mono
    gf --device cpu -i $file stats -o cpu.tsv 2>errors
    gf --device cuda -i $file stats -o cuda.tsv 2>>errors
    same cpu.tsv cuda.tsv "$file stats"
done

# Two masks in one chain, over many lanes.
gf --device cuda --lanes 8 --segment 64K -i rgb8.ppm blur:1 'conv:[1 2; 3 4],scale=auto' blur:3 -o many.ppm
gf --device cuda --lanes 1 -i rgb8.ppm blur:1 'conv:[1 2; 3 4],scale=auto' blur:3 -o one-lane.ppm
same one-lane.ppm many.ppm 'masks of three stages over 8 lanes'
finish
