# Tiles: crop is the answer for each one, in every format; names, limits, and what failures leave.
. "$(dirname "$0")/../lib.sh"
choose_device
gfd() { gf --device "$device" "$@"; }

# expected WIDTH HEIGHT W H OVERLAP: prints the column, row and rectangle of each tile, worked out by hand.
expected()
{
    ${AWK:-awk} -v width="$1" -v height="$2" -v w="$3" -v h="$4" -v n="$5" '
    function low(v) { return v > 0 ? v : 0 }
    function high(v, most) { return v < most ? v : most }
    BEGIN {
        for (y = 0; y * h < height; y++)
            for (x = 0; x * w < width; x++) {
                left = low(x * w - n)
                top = low(y * h - n)
                printf "%d %d %dx%d+%d+%d\n", x, y, high((x + 1) * w + n, width) - left,
                       high((y + 1) * h + n, height) - top, left, top
            }
    }'
}

# like_crop NAME INPUT WIDTH HEIGHT W H OVERLAP EXTENSION OPTION...: tests that each tile is the file that crop writes,
# and that there are no others.
like_crop()
{
    name=$1 input=$2 width=$3 height=$4 w=$5 h=$6 n=$7 extension=$8
    shift 8
    rm -rf tiles crops
    mkdir tiles crops
    gfd -q -i "$input" "$@" "tile:${w}x$h,overlap=$n" -o "tiles/{x}-{y}.$extension" 2>&1 | note
    expected "$width" "$height" "$w" "$h" "$n" | while read -r x y area; do
        gfd -q -i "$input" "$@" "crop:$area" -o "crops/$x-$y.$extension"
    done
    if [ "$(ls -A tiles)" = "$(ls -A crops)" ] && [ -n "$(ls -A tiles)" ] && diff -r tiles crops >differs 2>&1; then
        pass "$name"
    else
        fail "$name"
        { ls -A tiles; echo; ls -A crops; cat differs; } | note
    fi
}

# ---- by hand

printf 'P5\n5 3\n255\nabcdefghijklmno' >small.pgm
works 'tiles of 2x2 of 5x3 pixels' gfd -i small.pgm tile:2 -o 'by-{y}{x:2}.pgm'
is 'their names and samples' "$(for f in by-*; do printf '%s ' "${f#by-}"; tr '\n' ' ' <"$f"; printf ', '; done)" \
    "$(printf '000.pgm P5 2 2 255 abfg, 001.pgm P5 2 2 255 cdhi, 002.pgm P5 1 2 255 ej, %s' \
        '100.pgm P5 2 1 255 kl, 101.pgm P5 2 1 255 mn, 102.pgm P5 1 1 255 o, ')"
works 'numbers of tiles' gfd -i small.pgm tile:2x3 -o 'by-number{n:2}.pgm'
is 'numbers go row by row from 1' \
    "$(tail -c 6 by-number01.pgm) $(tail -c 6 by-number02.pgm) $(tail -c 3 by-number03.pgm)" 'abfgkl cdhimn ejo'
works 'an overlap of half a tile' gfd -i small.pgm tile:2x2,overlap=1 -o 'over-{x}-{y}.pgm'
is 'the tile in the middle has the overlap on three sides' "$(tail -c 12 over-1-0.pgm)" 'bcdeghijlmno'
is 'a tile after it ends with the image' "$(tail -c 6 over-2-0.pgm)" 'deijno'
works 'a tile larger than the image' gfd -i small.pgm tile:100x9,overlap=4 -o 'one-{x}-{y}.pgm'
same one-0-0.pgm small.pgm 'one tile is the image'
works 'tiles after other stages' gfd -i small.pgm transpose tile:3x2 -o 'turned-{x}-{y}.pgm'
is 'the tile is of the result' "$(tail -c 3 turned-0-2.pgm)" 'ejo'

# ---- formats, types and overlaps

image rgb.ppm 211 97 3 255 1
image rgba.pam 83 61 4 65535 2
image gray.pgm 130 75 1 255 3
image bits.pgm 70 40 1 1 4
gf -q -i rgb.ppm --depth f32 -o float.tif
for extension in png tif jpg qoi webp bmp tga ppm gif; do
    like_crop "tiles as $extension" rgb.ppm 211 97 50 40 7 $extension
done
like_crop 'tiles with 16 bits and alpha' rgba.pam 83 61 20 30 10 png
like_crop 'tiles with 16 bits and alpha as TIFF' rgba.pam 83 61 20 30 0 tif
like_crop 'tiles of floats' float.tif 211 97 64 64 1 tif
like_crop 'tiles of 1 bit' bits.pgm 70 40 9 11 4 png
like_crop 'tiles of one column' gray.pgm 130 75 130 8 4 png
like_crop 'tiles of one row' gray.pgm 130 75 16 75 8 pgm
like_crop 'tiles of one pixel' small.pgm 5 3 1 1 0 pgm
like_crop 'tiles after a blur' rgb.ppm 211 97 60 30 15 png blur:3
like_crop 'tiles after a gray resize' rgb.ppm 300 200 77 55 20 jpg gray resize:300x200

# ---- however cut

mkdir whole
gfd -q -i rgb.ppm blur:2 tile:32x20,overlap=10 -o 'whole/{n}.png'
for way in '1 1 1' '700 5 2' '4K 2 3' '64K 1 1'; do
    # shellcheck disable=SC2086
    set -- $way
    rm -rf cut
    mkdir cut
    gfd -q -i rgb.ppm --segment "$1" --lanes "$2" -j "$3" blur:2 tile:32x20,overlap=10 -o 'cut/{n}.png'
    nothing "the same tiles with segments of $1" diff -r whole cut
done
rm -rf cut
mkdir cut
gfd -q --memory 2M blur:2 tile:32x20,overlap=10 -o 'cut/{n}.png' <rgb.ppm
nothing 'the same tiles of a pipe with little memory' diff -r whole cut

# A filter that looks 4 pixels far works on tiles; the middle of each is that of the whole.
gfd -q -i gray.pgm tile:32x32,overlap=4 -o 'f-{x}-{y}.pgm'
gfd -q -i f-1-1.pgm median:4 crop:32x32+4+4 -o middle.pgm
gfd -q -i gray.pgm median:4 crop:32x32+32+32 -o answer.pgm
same middle.pgm answer.pgm 'the overlap is enough for a filter'

# ---- several images and inputs

cat small.pgm small.pgm >two.pnm
gfd -q -i two.pnm tile:3x3 -o 'through-{n}.pgm'
is '{n} counts through the images' "$(echo through-*)" \
    'through-1.pgm through-2.pgm through-3.pgm through-4.pgm'
gfd -q -i two.pnm tile:3x3 -o 'image{n}-{y}-{x}.pgm'
is '{n} beside {x} and {y} is the image' "$(echo image*)" \
    'image1-0-0.pgm image1-0-1.pgm image2-0-0.pgm image2-0-1.pgm'
refuses 1 'two.pnm: contains several images.*put {n} into the name' 'two images need different names' \
    gfd -i two.pnm tile:3x3 -o 'late-{y}-{x}.pgm'
gfd -q -i two.pnm -i small.pgm tile:3x3 -o '{stem}-late{n}-{y}-{x}.pgm' 2>errors
is 'two images of several inputs need {n} alone' \
    "$(grep -c 'two.pnm: contains several images.*use {n} without {x} and {y}' errors) $(echo *-late*)" \
    '1 small-late2-0-0.pgm small-late2-0-1.pgm two-late1-0-0.pgm two-late1-0-1.pgm'
gfd -q -i two.pnm -i small.pgm tile:3x3 -o '{stem}+{n}.pgm'
is '{n} counts the tiles of each input' "$(echo *+*)" \
    'small+1.pgm small+2.pgm two+1.pgm two+2.pgm two+3.pgm two+4.pgm'
gfd -q -i gray.pgm -i small.pgm tile:100x100 -o 'in{n}/{x}/{y}.pgm'
is '{n} beside {x} and {y} is the input' "$(find in1 in2 -name '*.pgm' | sort | tr '\n' ' ')" \
    'in1/0/0.pgm in1/1/0.pgm in2/0/0.pgm '
gfd -q --join -i small.pgm -i small.pgm tile:3x3 -o 'joined-{n}.pgm'
is 'tiles of joined images' "$(echo joined-*)" 'joined-1.pgm joined-2.pgm joined-3.pgm joined-4.pgm'
gfd -q -i small.pgm -i gray.pgm -i rgb.ppm --shard 2/3 tile:100 -o 'shard/{stem}-{y}-{x}.pgm'
is 'a shard makes tiles of its inputs' "$(ls shard)" "$(printf 'gray-0-0.pgm\ngray-0-1.pgm')"
cp small.pgm 'odd{x}.pgm'
gfd -q -i 'odd{x}.pgm' tile:3x3 -o '{stem}={y}={x}.pgm'
is 'a field in the name of the input is no field' "$(echo odd*=*)" 'odd{x}=0=0.pgm odd{x}=0=1.pgm'
works 'tiles and a tee' gfd -i small.pgm tee:tee.pgm tile:3 -o 'tee-{y}-{x}.pgm'
same tee.pgm small.pgm 'the tee has the image'
works '--to gives the extension' gfd -i small.pgm tile:3 -t png -o 'to-{y}-{x}'
is 'a name without an extension' "$(echo to-*)" 'to-0-0.png to-0-1.png'

# ---- names and stages that are wrong

refuses 2 "x.png: several tiles would have the same name.*such as '{stem}-{y}-{x}.png'" 'a single name' \
    gfd -i small.pgm tile:2 -o x.png
refuses 2 'several tiles would have the same name' 'a column alone' gfd -i small.pgm tile:2 -o 'x{x}.png'
refuses 2 "name them with -o '{stem}-{y}-{x}.png'" 'tiles on standard output' gfd -i small.pgm tile:2
refuses 2 "use -o './{stem}-{y}-{x}.png'" 'tiles in a folder' gfd -i small.pgm tile:2 -o ./
refuses 2 'put a character between' 'numbers that run together' gfd -i small.pgm tile:2 -o '{y}{x}.png'
refuses 2 'put a character between' 'numbers with digits between them' gfd -i small.pgm tile:2 -o '{n}0{y}{x:3}.png'
refuses 2 '{x}: is the place of a tile; end the stages with tile' 'a place without tiles' \
    gfd -i small.pgm invert -o '{stem}-{x}.png'
refuses 2 '{x:3}: is the place of a tile' 'a place in the name of a tee' \
    gfd -i small.pgm 'tee:a{x:3}.pgm' tile:2 -o '{y}-{x}.pgm'
refuses 2 "'tile:2' writes files, so 'invert' cannot follow it" 'a stage after tiles' \
    gfd -i small.pgm tile:2 invert -o '{n}.png'
refuses 2 "put {stem} into the name" 'several inputs need more than the place' \
    gfd -i small.pgm -i gray.pgm tile:2 -o '{y}-{x}.png'
refuses 2 "would both be written.*'{stem}-{n}.png'" 'several inputs need more than a number' \
    gfd -i small.pgm -i gray.pgm tile:2 -o '{n}.png'
refuses 2 'overlap=2: must be 0 to 1 for tiles of 7x3' 'more than half a tile' \
    gfd -i small.pgm tile:7x3,overlap=2 -o '{n}.png'
refuses 2 'must be 1' 'a tile without a column' gfd -i small.pgm tile:0x3 -o '{n}.png'
refuses 2 'tiles are images, and y4m stores video' 'tiles as Y4M' gfd -i small.pgm tile:2 -o '{n}.y4m'
refuses 2 'tile' 'tiles of audio' gfd -i "$GPUFILTER_SAMPLES/sound.wav" tile:2 -o '{n}.wav'
is 'wrong names write nothing' "$(echo *.png | tr ' ' '\n' | grep -v '^to-')" ''

# ---- what stays and what is replaced

cp small.pgm keep-0-1.pgm
refuses 1 'keep-1-2.pgm: already exists' '--no-clobber looks at all tiles first' \
    sh -c 'cp small.pgm keep-1-2.pgm; rm keep-0-1.pgm; exec "$GPUFILTER" -n -i small.pgm tile:2 -o "keep-{y}-{x}.pgm"'
is '--no-clobber writes no tile before' "$(echo keep-*)" 'keep-1-2.pgm'
cp small.pgm self-0-1.pgm
refuses 1 'would replace self-0-1.pgm, which this run reads' 'a tile onto the input' \
    gfd -i self-0-1.pgm tile:2 -o 'self-{y}-{x}.pgm'
same self-0-1.pgm small.pgm 'the input stays'
is 'no tile is written before' "$(echo self-*)" 'self-0-1.pgm'

touch -d '2001-01-01' small.pgm
works 'a first --update' gfd --update -i small.pgm tile:2 -o 'up/{y}-{x}.pgm'
gfd -v --update -i small.pgm tile:2 -o 'up/{y}-{x}.pgm' >out 2>errors
is '--update skips when all tiles are there' "$(grep -c 'outputs up to date: 1' errors)" 1
printf torn >up/1-1.pgm
touch -d '2000-01-01' up/1-1.pgm
gfd -v --update -i small.pgm tile:2 -o 'up/{y}-{x}.pgm' >out 2>errors
is '--update makes an old tile again' "$(tail -c 2 up/1-1.pgm) $(grep -c 'up to date' errors)" 'mn 0'
gfd -q -i two.pnm tile:2 -o 'pages/{n}-{y}-{x}.pgm'
rm pages/2-1-1.pgm
printf old >pages/1-0-0.pgm
gfd -v --update -i two.pnm tile:2 -o 'pages/{n}-{y}-{x}.pgm' >out 2>errors
is '--update makes the image whose tile is missing' "$(tail -c 2 pages/2-1-1.pgm) $(cat pages/1-0-0.pgm)" 'mn old'

mkdir closed
image wide.pgm 400 9 1 255 5
if [ "$device" = cpu ]; then                 # calls on a GPU are made by a process that is there already
    refuses 1 '100 tiles have to be open at once, but ulimit -n leaves.*wider' 'more tiles than files' \
        sh -c 'ulimit -n 60; exec "$GPUFILTER" -j 1 -i wide.pgm tile:4x4 -o "closed/{y}-{x}.pgm"'
    is 'more tiles than files write nothing' "$(ls -A closed)" ''
    sh -c 'ulimit -n 150; exec "$GPUFILTER" -q -j 1 -i wide.pgm tile:4x4 -o "closed/{y}-{x}.pgm"'
    is 'as many tiles as files' "$(ls -A closed | wc -l | tr -d ' ')" 300
    refuses 1 '200 tiles have to be open at once, two rows' 'an overlap needs two rows of files' \
        sh -c 'ulimit -n 150; exec "$GPUFILTER" -j 1 -i wide.pgm tile:4x4,overlap=1 -o "closed/{y}-{x}.pgm"'
fi

# A file that ends too soon: the tiles of complete rows stay, and no others.
mkdir torn
head -c 3000 gray.pgm >short.pgm
refuses 1 'short.pgm' 'a truncated input' gfd -i short.pgm tile:50x10 -o 'torn/{y}-{x}.png'
nothing 'its tiles are complete' sh -c 'for f in torn/*; do
    [ "$f" = "torn/*" ] || "$GPUFILTER" -q -i "$f" -o /dev/null -t pgm; done'
is 'nothing hidden is left' "$(ls -A torn | grep '^\.')" ''
is 'a row that is not complete has no tile' "$(ls torn | grep -c '^[2-9]')" 0
mkdir strict
refuses 1 '.' 'a warning with --strict' gfd --strict -i rgba.pam tile:50x100 -o 'strict/{y}-{x}.jpg'
is '--strict keeps the last row of tiles back' "$(ls -A strict)" ''

# stop SIGNAL FOLDER: ends a run after the first row of tiles, while it waits for the rest of a pipe.
stop()
{
    rm -f feed
    mkfifo feed
    mkdir "$2"
    "$GPUFILTER" --device cpu --segment 130 -q tile:50x10 -o "$2/{y}-{x}.pgm" <feed 2>/dev/null &
    pid=$!
    exec 3>feed
    head -c 3000 gray.pgm >&3
    tries=0
    while [ ! -e "$2/1-2.pgm" ] && [ $tries -lt 200 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    kill -"$1" $pid
    exec 3>&-
    wait $pid 2>/dev/null
}
mkdir complete
gf -q -i gray.pgm tile:50x10 -o 'complete/{y}-{x}.pgm'
if [ "$device" = cpu ]; then
    for signal in TERM KILL; do
        stop $signal "by-$signal" 2>/dev/null
        is "$signal leaves the tiles of complete rows" "$(ls -A "by-$signal" | sed -n '1p;6p;$p' | tr '\n' ' ')" \
            '0-0.pgm 1-2.pgm 1-2.pgm '
        nothing "$signal leaves no torn tile" sh -c 'for f in '"by-$signal"'/*; do
            cmp "$f" complete/"${f#*/}"; done'
    done
fi
if [ "$device" = cpu ]; then
    mkdir limited
    refuses 1 'limited/0-0.pgm' 'tiles that are larger than a limit' \
        sh -c 'ulimit -f 1; exec "$GPUFILTER" -q -i gray.pgm tile:65x70 -o "limited/{y}-{x}.pgm"'
    is 'a failed write leaves no tile' "$(ls -A limited)" ''
fi

# ---- metadata: that of a crop

if [ "$device" = cpu ] && gf --version | grep -q '^images:.*libjpeg'; then
    image c.ppm 400 200 3 255 1
    gf -i c.ppm -o plain.jpg
    # face NAME X Y: a region of XMP.
    face()
    {
        printf '<rdf:li rdf:parseType="Resource"><mwg-rs:Name>%s</mwg-rs:Name><mwg-rs:Area stArea:x="%s" '\
'stArea:y="%s" stArea:w="0.05" stArea:h="0.1"/></rdf:li>' "$@"
    }
    { printf 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description><mwg-rs:Regions>'
      printf '<mwg-rs:AppliedToDimensions stDim:w="400" stDim:h="200"/><mwg-rs:RegionList><rdf:Bag>%s%s</rdf:Bag>' \
          "$(face left 0.2 0.1)" "$(face right 0.8 0.9)"
      printf '</mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></x:xmpmeta>'
    } >body
    length=$(($(wc -c <body) + 2))
    # shellcheck disable=SC2059
    { head -c 2 plain.jpg; printf '\377\341'; printf "$(printf '\\%03o\\%03o' $((length / 256)) $((length % 256)))"
      cat body; tail -c +3 plain.jpg; } >faces.jpg
    like_crop 'tiles with face regions' faces.jpg 400 200 100 50 10 jpg
    is 'each face is in the tile that shows it' "$(grep -al '>left<' tiles/*; grep -al '>right<' tiles/*)" \
        "$(printf 'tiles/0-0.jpg\ntiles/3-3.jpg')"
    gfd -i faces.jpg tile:200 -o '{n}.jpg' 2>errors
    is 'one warning for faces that are not in the first tile' \
        "$(wc -l <errors | tr -d ' ') $(grep -c 'warning: faces.jpg: face regions' errors)" '1 1'
    works '--strip drops metadata of tiles' gfd -i faces.jpg --strip tile:200 -o '{n}.jpg'
    is 'tiles after --strip have no XMP' "$(cat 1.jpg 2.jpg | grep -ac mwg-rs)" 0
fi

finish
