# Metadata that states sizes, counts, scales or positions stays true for the result, or is dropped with a warning.
# Wanted values are worked out by hand.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libtiff' || skip_all 'built without libtiff'

# stack FILE PAGES CHANNELS XRES YRES UNIT: writes a TIFF of 12x8 pixels with bytes; its first page has the text in the
# file `text` as description. XRES and YRES are in tenths.
stack()
{
    size=$(($(wc -c <text) + 1))
    {
        printf 'MM\0*'
        octal 4 $((8 + size + size % 2 + 16 + 96 * $3))
        cat text
        head -c $((1 + size % 2)) /dev/zero
        octal 4 "$4"; octal 4 10; octal 4 "$5"; octal 4 10
        head -c $((96 * $3)) /dev/zero | tr '\0' 'K'
        page=1
        while [ $page -le "$2" ]; do
            directory $page "$2" "$3" "$6" $((8 + size + size % 2))
            page=$((page + 1))
        done
    } >"$1"
}
# octal BYTES VALUE: writes a big-endian number.
octal()
{
    case $1 in
    2) printf "$(printf '\\%03o\\%03o' $(($2 / 256 % 256)) $(($2 % 256)))" ;;
    4) octal 2 $(($2 / 65536)); octal 2 $(($2 % 65536)) ;;
    esac
}
entry() { octal 2 "$1"; octal 2 "$2"; octal 4 "$3"; if [ "$2,$3" = 3,1 ]; then octal 2 "$4"; octal 2 0
    else octal 4 "$4"; fi; }
# directory PAGE PAGES CHANNELS UNIT RESOLUTION: writes the directory of a page; all share their samples.
directory()
{
    entries=$((12 + ($1 == 1)))
    octal 2 $entries
    entry 256 3 1 12; entry 257 3 1 8; entry 258 3 1 8; entry 262 3 1 $(($3 == 3 ? 2 : 1))
    [ "$1" != 1 ] || entry 270 2 "$size" 8
    entry 273 4 1 $(($5 + 16)); entry 277 3 1 "$3"; entry 278 3 1 8; entry 279 4 1 $((96 * $3))
    entry 282 5 1 "$5"; entry 283 5 1 $(($5 + 8)); entry 284 3 1 1; entry 296 3 1 "$4"
    if [ "$1" = "$2" ]; then octal 4 0
    else octal 4 $(($5 + 16 + 96 * $3 + 6 * $1 + 12 * (12 * $1 + 1))); fi
}
# said FILE: prints the ImageJ description of a TIFF on one line.
said() { tr '\n\0' ' \n' <"$1" | grep -ao 'ImageJ=.*' | sed 's/ $//'; }
ome() { tr '\0' '\n' <"$1" | grep -ao '<OME.*</OME>'; }
# scale FILE: prints the resolution of the first page of a little-endian TIFF, its unit, and the number of pages.
scale()
{
    od -An -v -tu1 -w1 "$1" | ${AWK:-awk} '{ b[NR - 1] = $1 }
    function number(at, n,    v) { for (v = 0; n-- > 0;) v = v * 256 + b[at + n]; return v }
    END {
        for (at = number(4, 4); at > 0; at = number(at + 2 + 12 * n, 4)) {
            n = number(at, 2)
            for (i = 0; i < n && pages == 0; i++) {
                e = at + 2 + 12 * i
                to = number(e + 8, 4)
                v[number(e, 2)] = number(e + 2, 2) == 5 ? number(to, 4) / number(to + 4, 4) : number(e + 8, 2)
            }
            pages++
        }
        printf "%.6g %.6g %d, %d\n", v[282], v[283], v[296], pages
    }'
}
# warns NAME LINES COMMAND...: expects success and exactly LINES on standard error.
warns()
{
    name=$1 lines=${2:+gpufilter: warning: $2}
    shift 2
    "$@" 2>errors
    is "$name" "$? $(cat errors)" "0 $lines"
}

# ---- ImageJ: counts

printf 'ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=3\nhyperstack=true\nmode=grayscale\nunit=um\n'\
'spacing=0.5\nloop=false\n' >text
stack stack.tif 24 1 25 25 1
is 'an ImageJ stack of 24 images' "$(gf -i stack.tif -t pnm | grep -ac P5)" 24
warns 'an ImageJ stack without a stage' '' gf -i stack.tif -o a.tif
is 'an ImageJ stack without a stage is unchanged' "$(said a.tif), $(scale a.tif)" \
    "$(tr '\n' ' ' <text | sed 's/ $//'), 2.5 2.5 1, 24"
both='mode=grayscale unit=um spacing=0.5 loop=false'
for cut in '1 -' '2 images=2 channels=2' '4 images=4 channels=2 slices=2' '8 images=8 channels=2 slices=4' \
    '16 images=16 channels=2 slices=4 frames=2'; do
    warns "${cut%% *} images" '' gf -i stack.tif --images "${cut%% *}" -o a.tif
    order="${cut#* } hyperstack=true"
    [ "${cut#* }" = - ] && order=
    is "${cut%% *} images of a stack are the ones described" "$(said a.tif), $(scale a.tif)" \
        "$(echo ImageJ=1.53t $order $both), 2.5 2.5 1, ${cut%% *}"
done
dropped='its ImageJ description is dropped, because it does not match the images of the output'
for count in 3 10; do
    warns "$count images, no block of the stack" "stack.tif: $dropped" gf -i stack.tif --images $count -o a.tif
    is "$count images, no block of the stack, have no description" "$(said a.tif), $(scale a.tif)" ", 2.5 2.5 1, $count"
done
warns 'an ImageJ stack to a file for each image' '' gf -i stack.tif -o 'n-{n}.tif'
is 'the first has the description of one' "$(said n-1.tif), $(scale n-1.tif)" "ImageJ=1.53t $both, 2.5 2.5 1, 1"
warns 'one image of a stack as PNG' '' gf -i stack.tif --images 1 -o a.png
is 'one image of a stack as PNG has the description of one' "$(grep -ac images= a.png) $(grep -ac spacing= a.png)" '0 1'
warns 'the start of a batch' '' gf -i stack.tif --images 40 -o a.tif
is 'a batch that is longer than its first stack is described as that stack' \
    "$(said a.tif | grep -o 'images=[0-9]*'), $(scale a.tif)" 'images=24, 2.5 2.5 1, 24'
printf '{"shape": [3, 8, 12]}' >text
stack shape.tif 3 1 25 25 1
gf -i shape.tif -o all.tif
gf -i shape.tif resize:50% -o half.tif
gf -i shape.tif --images 2 -o two.tif
is 'the shape that tifffile states' "$(grep -ac shape all.tif) $(grep -ac shape half.tif) $(grep -ac shape two.tif)" \
    '1 0 0'
printf 'ImageJ=1.53t\nimages=3\nslices=3\nunit=um\n' >text
stack one.tif 3 1 25 25 1
cat one.tif one.tif >joined.tif
gf -i joined.tif -o all.tif 2>errors
is 'two joined stacks have no description' "$(said all.tif)$(grep -c 'ImageJ description is dropped' errors)" 1
printf 'ImageJ=1.53t\nimages=5\nunit=pixel\n' >text
stack plain.tif 5 1 720 720 2
warns 'a plain stack' '' gf -i plain.tif resize:50% --images 3 -o a.tif
is 'a plain stack with a density to print with' \
    "$(said a.tif), $(scale a.tif)" 'ImageJ=1.53t images=3 unit=pixel, 72 72 2, 3'
warns 'a plain stack at a tee' '' gf -i plain.tif --images 1 tee:t.tif invert -o a.tif
is 'a plain stack of one image at a tee is described as one' "$(said t.tif)" 'ImageJ=1.53t unit=pixel'
printf 'ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=2\n' >text
stack odd.tif 24 1 25 25 1
warns 'an ImageJ description with wrong numbers is dropped' "odd.tif: $dropped" gf -i odd.tif -o a.tif

# ---- ImageJ: scales

printf 'ImageJ=1.53t\nunit=um\nspacing=0.5\nxorigin=4\nyorigin=2\nmin=3.0\nmax=99.0\n' >text
stack scaled.tif 3 1 25 50 1
# scales STAGES WANTED: WANTED is the scale and the origin.
scales()
{
    warns "scales after $1" '' gf -i scaled.tif $1 -o a.tif
    is "scales after $1 are right" "$(scale a.tif), $(said a.tif | grep -o 'xorigin.*')" "$2 min=3.0 max=99.0"
}
scales resize:50% '1.25 2.5 1, 3, xorigin=2 yorigin=1'
scales resize:200% '5 10 1, 3, xorigin=8 yorigin=4'
scales resize:24x4 '5 2.5 1, 3, xorigin=8 yorigin=1'
scales crop:6x4+2+1 '2.5 5 1, 3, xorigin=2 yorigin=1'
scales pad:3,2 '2.5 5 1, 3, xorigin=7 yorigin=4'
scales 'resize:50% crop:4x2+1+0' '1.25 2.5 1, 3, xorigin=1 yorigin=1'
scales blur:1 '2.5 5 1, 3, xorigin=4 yorigin=2'
moved='scaled.tif: its origin (ImageJ) is dropped, because the image was rotated or mirrored'
for stages in rotate:90 transpose 'rotate:90 resize:100%'; do
    warns "turned by $stages" "$moved" gf -i scaled.tif $stages -o a.tif
    is "the scale is turned by $stages" "$(scale a.tif)" '5 2.5 1, 3'
done
warns 'turned and halved' "$moved" gf -i scaled.tif rotate:270 resize:50% -o a.tif
is 'a scale after a turn and a resize has both' "$(scale a.tif)" '2.5 1.25 1, 3'
warns 'a scale after mirroring' "$moved" gf -i scaled.tif flop -o a.tif
is 'mirroring keeps the scale' "$(scale a.tif)" '2.5 5 1, 3'
gf -i scaled.tif rotate:30 -o a.tif 2>errors
is 'oblong pixels at an angle have no scale' "$(grep -c 'the size of its pixels is dropped' errors) $(scale a.tif)" \
    '1 0 0 0, 3'
printf 'ImageJ=1.53t\nunit=um\n' >text
stack square.tif 1 1 10 10 1
warns 'square pixels at an angle' '' gf -i square.tif rotate:30 -o a.tif
is 'square pixels at an angle have the same scale' "$(scale a.tif)" '1 1 1, 1'
warns '1 pixel per unit' '' gf -i square.tif resize:50% -o a.tif
is '1 pixel per unit is a scale' "$(scale a.tif)" '0.5 0.5 1, 1'
stack cm.tif 1 1 1000 1000 3
printf 'ImageJ=1.53t\nunit=cm\n' >text
stack cm.tif 1 1 1000 1000 3
warns 'a scale per centimeter' '' gf -i cm.tif -o a.tif
is 'a scale per centimeter is that of the text' "$(scale a.tif)" '100 100 3, 1'
gf -i cm.tif resize:50% -o a.tif
is 'a scale per centimeter after a stage' "$(scale a.tif)" '50 50 3, 1'
gf -i square.tif resize:24x16 tee:t.tif crop:4x4+0+0 resize:200% -o a.tif
is 'each output has its own scale' "$(scale t.tif) $(scale a.tif)" '2 2 1, 1 4 4 1, 1'
printf 'Made by a camera' >text
stack print.tif 1 1 3000 3000 2
for stages in resize:50% resize:24x4 crop:2x2+1+1 rotate:90 rotate:30 pad:1; do
    warns "a density to print with, after $stages" '' gf -i print.tif $stages -o a.tif
    is "a density to print with, after $stages, is kept" "$(scale a.tif)" '300 300 2, 1'
done
stack print2.tif 1 1 3000 3010 2
gf -i print2.tif transpose -o a.tif
is 'a density to print with turns with the image' "$(scale a.tif)" '301 300 2, 1'

# ---- ImageJ: values

printf 'ImageJ=1.53t\nunit=um\ncf=0\nc0=-10\nc1=0.5\nvunit=OD\nmin=3.0\nmax=99.0\n' >text
stack dense.tif 1 1 25 25 1
all=$(tr '\n' ' ' <text | sed 's/ $//')
for stages in crop:2x2+1+1 blur:1 resize:50% median:3 'rotate:90 flip' dilate:3; do
    warns "a calibration after $stages" '' gf -i dense.tif $stages -o a.tif
    is "a calibration after $stages is kept" "$(said a.tif)" "$all"
done
values='dense.tif: its calibration of sample values (ImageJ) is dropped, because the result has other values'
for stages in invert gamma:2 sobel '--depth 16'; do
    warns "a calibration of other values, after $stages" "$values" gf -i dense.tif $stages -o a.tif
    is "a calibration of other values, after $stages, is dropped" "$(said a.tif)" 'ImageJ=1.53t unit=um'
done

# ---- OME-XML

# ome_text SIZES ATTRIBUTES CONTENT END: writes an OME-XML of one image.
ome_text()
{
    printf '<?xml version="1.0" encoding="UTF-8"?><!-- <Image> --><OME xmlns="x"%s><Image ID="Image:0"><Pixels '\
'DimensionOrder="XYCZT" Type="uint8" SizeX="12" SizeY="8" %s PhysicalSizeX="0.4" PhysicalSizeXUnit="mm" '\
'PhysicalSizeY="0.2">%s</Pixels></Image>%s</OME>' "$2" "$1" "$3" "$4" >text
}
two='<Channel ID="C:0" Name="a&gt;b"><LightPath/></Channel><Channel ID="C:1"/>'
ome_text 'SizeC="2" SizeZ="2" SizeT="3"' ' UUID="urn:uuid:1"' "$two<TiffData IFD=\"0\" PlaneCount=\"12\"/>"
stack ome.tif 12 1 25 50 3
tail -c +55 text >whole
warns 'OME-XML without a stage' '' gf -i ome.tif -o a.tif
is 'OME-XML without a stage is kept' "$(ome a.tif)" "$(cat whole)"
# pixels FILE: prints the sizes of OME-XML.
pixels() { ome "$1" | grep -o 'Type=[^>]*'; }
gf -i ome.tif resize:50% -o a.tif
is 'OME-XML of halved images' "$(pixels a.tif), $(scale a.tif)" \
    'Type="uint8" SizeX="6" SizeY="4" SizeC="2" SizeZ="2" SizeT="3" '\
'PhysicalSizeX="0.8" PhysicalSizeXUnit="mm" PhysicalSizeY="0.4", 1.25 2.5 3, 12'
is 'OME-XML after a stage has no UUID' "$(ome a.tif | grep -c UUID)" 0
gf -i ome.tif rotate:90 -o a.tif
is 'OME-XML of turned images' "$(pixels a.tif), $(scale a.tif)" \
    'Type="uint8" SizeX="8" SizeY="12" SizeC="2" SizeZ="2" SizeT="3" '\
'PhysicalSizeX="0.2" PhysicalSizeY="0.4" PhysicalSizeYUnit="mm", 5 2.5 3, 12'
gf -i ome.tif crop:5x3+1+1 -o a.tif
is 'OME-XML of cropped images' "$(pixels a.tif)" \
    'Type="uint8" SizeX="5" SizeY="3" SizeC="2" SizeZ="2" SizeT="3" PhysicalSizeX="0.4" '\
'PhysicalSizeXUnit="mm" PhysicalSizeY="0.2"'
gf -i ome.tif --depth 16 -o a.tif
is 'OME-XML of another sample type' "$(pixels a.tif | grep -o 'Type="uint[0-9]*"')" 'Type="uint16"'
warns 'OME-XML of the first image' '' gf -i ome.tif --images 1 -o a.tif
is 'OME-XML of the first image describes one' \
    "$(ome a.tif | sed 's/.*\(SizeC.*\) PhysicalSizeX=[^>]*/\1/')" 'SizeC="1" SizeZ="1" SizeT="1"><Channel '\
'ID="C:0" Name="a&gt;b"><LightPath/></Channel><TiffData IFD="0" PlaneCount="1"/></Pixels></Image></OME>'
warns 'OME-XML of four images' '' gf -i ome.tif --images 4 -o a.tif
is 'OME-XML of four images describes a block' \
    "$(pixels a.tif | grep -o 'SizeC.*T="[0-9]*"') $(ome a.tif | grep -o 'Plane[^ ]*"')" \
    'SizeC="2" SizeZ="2" SizeT="1" PlaneCount="4"'
gone='its OME-XML is dropped, because it describes images that are not in the result, or in another order'
warns 'OME-XML of three images, no block' "ome.tif: $gone" gf -i ome.tif --images 3 -o a.tif
is 'OME-XML of three images, no block, is dropped' "$(ome a.tif)" ''

# units X Y: writes an OME-XML in single quotes, with units of pixel sizes in quotes of their own.
units()
{
    printf "<?xml version='1.0'?><OME xmlns='x' UUID='urn:uuid:1'><Image ID='a>b'><Pixels DimensionOrder='XYCZT' "\
"Type = 'uint8' SizeX='12' SizeY = '8' SizeC='2' SizeZ='1' SizeT='1' BigEndian='true' PhysicalSizeX='0.4' "\
"PhysicalSizeXUnit=%s PhysicalSizeY='0.2'%s><TiffData IFD='0'/></Pixels></Image></OME>" "$1" "$2" >text
    stack units.tif 2 1 25 50 3
}
units "'mm'" ''
warns 'OME-XML with single quotes' '' gf -i units.tif resize:50% -o a.tif
is 'OME-XML with single quotes is read' "$(ome a.tif | sed 's/.*<Image/<Image/')" "<Image ID='a>b'><Pixels "\
"DimensionOrder='XYCZT' Type=\"uint8\" SizeX=\"6\" SizeY=\"4\" SizeC=\"2\" SizeZ=\"1\" SizeT=\"1\" "\
"BigEndian=\"false\" PhysicalSizeX=\"0.8\" PhysicalSizeXUnit='mm' PhysicalSizeY=\"0.4\">"\
"<TiffData IFD=\"0\" PlaneCount=\"2\"/></Pixels>"\
'</Image></OME>'
long='nanometers_at_a_temperature_of_twenty_degrees&lt;exactly'
for unit in "'a\"b'" "\"a'b\"" "'&quot;'" "'$long'"; do
    units "$unit" ''
    warns "the unit $unit" '' gf -i units.tif rotate:90 -o a.tif
    is "the unit $unit of one axis goes to the other axis" "$(ome a.tif | grep -o 'PhysicalSizeX=[^>]*')" \
        "PhysicalSizeX=\"0.2\" PhysicalSizeY=\"0.4\" PhysicalSizeYUnit=$unit"
    units "$unit" ' PhysicalSizeYUnit="km"'
    gf -i units.tif rotate:90 -o a.tif
    is "the unit $unit and another one are exchanged" "$(ome a.tif | grep -o 'PhysicalSizeX=[^>]*')" \
        "PhysicalSizeX=\"0.2\" PhysicalSizeXUnit=\"km\" PhysicalSizeY=\"0.4\" PhysicalSizeYUnit=$unit"
done

file='<UUID FileName="old.tif">urn:uuid:1</UUID>'
planes="<TiffData IFD=\"1\" FirstC=\"1\">$file</TiffData><TiffData IFD=\"0\">$file</TiffData>"
ome_text 'SizeC="2" SizeZ="1" SizeT="1" BigEndian="true"' ' UUID="urn:uuid:1"' "$two$planes"
stack named.tif 2 1 10 10 1
warns 'OME-XML with the name of its file' '' gf -i named.tif -o a.tif
is 'OME-XML with the name of its file loses it, as the planes are in order' \
    "$(ome a.tif | grep -o 'BigEndian="[a-z]*"') $(ome a.tif | grep -o '<Tiff.*Data[^<]*')" \
    'BigEndian="false" <TiffData IFD="0" PlaneCount="2"/>'
# other NAME SIZES CONTENT END: an OME-XML that cannot be true after a change.
other()
{
    ome_text "$2" '' "$3" "$4"
    stack other.tif 2 1 10 10 1
    warns "OME-XML with $1" "other.tif: $gone" gf -i other.tif invert -o a.tif
    is "OME-XML with $1 is dropped" "$(ome a.tif)" ''
}
sizes='SizeC="2" SizeZ="1" SizeT="1"'
other 'planes in another order' "$sizes" '<TiffData IFD="0" FirstC="1"/><TiffData IFD="1"/>'
other 'two files' "$sizes" '<TiffData IFD="0"><UUID FileName="a">1</UUID></TiffData><TiffData IFD="1"><UUID '\
'FileName="b">2</UUID></TiffData>'
other 'more planes than pages' 'SizeC="2" SizeZ="9" SizeT="1"' '<TiffData/>'
other 'two images' "$sizes" '<TiffData/>' '<Image><Pixels/></Image>'
other 'samples in the XML' "$sizes" '<TiffData/><BinData/>'
other 'sizes out of range' 'SizeC="4000000000" SizeZ="-3" SizeT="x"' '<TiffData/>'
other 'no list of planes' "$sizes" ''

ome_text 'SizeC="3" SizeZ="1" SizeT="1" SignificantBits="7" Interleaved="false"' '' \
    '<Channel SamplesPerPixel="3"/><TiffData/><Plane TheC="0" TheT="0" TheZ="0" PositionX="7" DeltaT="1"/>' \
    '<ROI ID="R"><Union><ROI/></Union></ROI><ROI/>'
stack colour.tif 1 3 10 10 1
why='are dropped, because the image was'
roi="colour.tif: its regions of interest (OME-XML) $why resized, cropped, padded, rotated or mirrored"
stage="colour.tif: its microscope stage positions (OME-XML) $why cropped, padded, rotated or mirrored"
warns 'OME-XML of colors that become gray' '' gf -i colour.tif gray -o a.tif
is 'OME-XML of colors that become gray has one channel' \
    "$(ome a.tif | grep -o 'SizeC="[0-9]*"') $(ome a.tif | grep -o 'Sig[^ ]*') $(ome a.tif |
    grep -o 'SamplesPer[^>]*')" 'SizeC="1" SignificantBits="8" SamplesPerPixel="1"/'
warns 'regions after a resize' "$roi" gf -i colour.tif resize:50% -o a.tif
warns 'regions and positions after a crop' "$roi
gpufilter: warning: $stage" gf -i colour.tif crop:4x4+1+1 -o a.tif
is 'regions and positions after a crop are dropped' \
    "$(ome a.tif | grep -o '<Channel.*')" '<Channel SamplesPerPixel="3"/><TiffData IFD="0" '\
'PlaneCount="1"/><Plane TheC="0" TheT="0" TheZ="0" DeltaT="1"/></Pixels></Image></OME>'
warns 'regions and positions after a crop with --strip' '' gf -i colour.tif crop:4x4+1+1 --strip -o a.tif

# ---- a JPEG that is decoded at a reduced size or in part, and XMP

if ! gf --version | grep -q '^images:.*libjpeg'; then
    finish
fi
image c.ppm 400 200 3 255 1
gf -i c.ppm -o plain.jpg
# xmp ATTRIBUTES CONTENT: writes a JPEG with that packet to in.jpg.
xmp()
{
    { printf 'http://ns.adobe.com/xap/1.0/\0'
      printf '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description %s>%s</rdf:Description></x:xmpmeta>' "$1" "$2"
    } >body
    { head -c 2 plain.jpg; printf '\377\341'; octal 2 $(($(wc -c <body) + 2)); cat body; tail -c +3 plain.jpg; } >in.jpg
}
found() { grep -ao '<rdf:Description.*</rdf:Description>' "$1" | sed 's/<rdf:Description //; s/<.rdf:Description>//'; }
pano()
{
    printf 'GPano:FullPanoWidthPixels="%d" GPano:FullPanoHeightPixels="%d" GPano:CroppedAreaImageWidthPixels="%d" '\
'GPano:CroppedAreaImageHeightPixels="%d" GPano:CroppedAreaLeftPixels="%d" GPano:CroppedAreaTopPixels="%d"' "$@"
}
xmp "$(pano 800 400 400 200 100 50)" ''
warns 'a panorama after a resize' '' gf -i in.jpg resize:100,draft -o a.jpg
is 'a panorama after a resize has the new size' "$(found a.jpg)" "$(pano 200 100 100 50 25 12)>"
warns 'a part of a panorama' '' gf -i in.jpg crop:200x100+40+20 -o a.jpg
is 'a part of a panorama has another place' "$(found a.jpg)" "$(pano 800 400 200 100 140 70)>"
warns 'a panorama on its side' 'in.jpg: its panorama data is dropped, because the result is not an upright part of '\
'the panorama' \
    gf -i in.jpg rotate:90 -o a.jpg
is 'a panorama on its side is dropped' "$(found a.jpg | tr -d ' ')" '>'

faces="in.jpg: face regions in its XMP $why cropped, padded, rotated or mirrored"
# regions WIDTH HEIGHT X Y W H: a region in an image of that size.
regions()
{
    printf '<mwg-rs:Regions><mwg-rs:AppliedToDimensions stDim:w="%s" stDim:h="%s"/><mwg-rs:Area stArea:x="%s" '\
'stArea:y="%s" stArea:w="%s" stArea:h="%s"/></mwg-rs:Regions>' "$@"
}
xmp 'a="b"' "$(regions 400 200 0.25 0.5 0.1 0.2)"
warns 'a face after a resize' '' gf -i in.jpg resize:100x20 -o a.jpg
is 'a face after a resize is in the same place' "$(found a.jpg)" "a=\"b\">$(regions 100 20 0.25 0.5 0.1 0.2)"
warns 'a face in a crop' '' gf -i in.jpg crop:200x100+50+50 -o a.jpg
is 'a face in a crop has another place' "$(found a.jpg)" \
    "a=\"b\">$(regions 200 100 0.250000 0.500000 0.200000 0.400000)"
warns 'a face in a turned image' '' gf -i in.jpg rotate:90 -o a.jpg
is 'a face in a turned image is turned' "$(found a.jpg)" \
    "a=\"b\">$(regions 200 400 0.500000 0.250000 0.200000 0.100000)"
warns 'a face outside of a crop' "$faces" gf -i in.jpg crop:50x50+300+0 -o a.jpg
is 'a face outside of a crop is dropped' "$(found a.jpg)" 'a="b">'
warns 'a face in an image at an angle' "$faces" gf -i in.jpg rotate:10 -o a.jpg
# face NAME X Y W H: a region in the list of regions, with a list of its own. listed SIZES FACE...: the list.
face()
{
    printf '<rdf:li rdf:parseType="Resource"><mwg-rs:Name>%s</mwg-rs:Name><x:y><rdf:Bag><rdf:li>a '\
'rdf:li /rdf:li b</rdf:li><rdf:li/></rdf:Bag></x:y><mwg-rs:Area stArea:x="%s" stArea:y="%s" '\
'stArea:w="%s" stArea:h="%s"/></rdf:li>' "$@"
}
listed()
{
    printf '<mwg-rs:Regions><mwg-rs:AppliedToDimensions %s/><mwg-rs:RegionList><rdf:Bag>%s</rdf:Bag>'\
'</mwg-rs:RegionList></mwg-rs:Regions>' "$1" "$2$3$4"
}
xmp '' "$(listed 'stDim:w="400" stDim:h="200"' "$(face left 0.25 0.5 0.1 0.2)" "$(face right 0.75 0.5 0.1 0.2)" \
    "$(face top 0.3125 0.25 0.1 0.2)")<dc:subject><rdf:Bag><rdf:li>left</rdf:li></rdf:Bag></dc:subject>"
# crops CROP SIZES FACE...: expects these faces.
crops()
{
    crop=$1
    warns "faces, some outside of $crop" "$faces" gf -i in.jpg "$crop" -o a.jpg
    shift
    is "faces, some outside of $crop: the others move" "$(found a.jpg)" \
        ">$(listed "$@")<dc:subject><rdf:Bag><rdf:li>left</rdf:li></rdf:Bag>"\
'</dc:subject>'
}
crops crop:200x100+50+50 'stDim:w="200" stDim:h="100"' "$(face left 0.250000 0.500000 0.200000 0.400000)" \
    "$(face top 0.375000 0.000000 0.200000 0.400000)"
crops crop:200x100+200+50 'stDim:w="200" stDim:h="100"' "$(face right 0.500000 0.500000 0.200000 0.400000)"
crops crop:100x50+100+25 'stDim:w="100" stDim:h="50"' "$(face top 0.250000 0.500000 0.400000 0.800000)"
warns 'faces that are all outside of a crop' "$faces" gf -i in.jpg crop:50x50+0+0 -o a.jpg
is 'faces that are all outside of a crop are dropped' \
    "$(found a.jpg)" '><dc:subject><rdf:Bag><rdf:li>left</rdf:li></rdf:Bag></dc:subject>'
area() { printf '<a stArea:x="%s" stArea:y="0.5" stArea:w="0.1" stArea:h="0.2"/>' "$1"; }
number=0
for list in "<rdf:li>$(area 0.25)$(area 0.75)</rdf:li>" "<rdf:li>$(area 0.25)</rdf:li>$(area 0.75)" \
    "<rdf:li>$(area 0.25)</rdf:li><rdf:li>$(area 0.75)" "</rdf:li><rdf:li>$(area 0.75)</rdf:li>$(area 0.25)"; do
    number=$((number + 1))
    xmp 'a="b"' "<mwg-rs:Regions>$list</mwg-rs:Regions>"
    warns "damaged list of faces $number" "$faces" gf -i in.jpg crop:200x100+50+50 -o a.jpg
    is "damaged list of faces $number is dropped" "$(found a.jpg)" 'a="b">'
done
xmp 'tiff:Orientation="6"' "$(regions 400 200 0.25 0.5 0.1 0.2)"
warns 'a face in an image on its side' '' gf -i in.jpg resize:50%,draft -o a.jpg
is 'a face in an image on its side becomes upright' "$(found a.jpg)" \
    "tiff:Orientation=\"1\">$(regions 100 200 0.500000 0.250000 0.200000 0.100000)"
xmp 'exif:FocalPlaneXResolution="3000/2" exif:FocalPlaneYResolution="1500" tiff:XResolution="300" '\
'tiff:YResolution="150/1"' ''
gf -i in.jpg transpose resize:25% -o a.jpg
is 'pixels of a sensor follow the size, dots per inch only the turn' "$(found a.jpg)" \
    'exif:FocalPlaneXResolution="3750000/10000" exif:FocalPlaneYResolution="3750000/10000" '\
'tiff:XResolution="1500000/10000" tiff:YResolution="3000000/10000">'
xmp 'tiff:SamplesPerPixel="3"' '<exif:SubjectArea><rdf:Seq/></exif:SubjectArea>'
gf -i in.jpg gray crop:9x9+0+0 -o a.jpg
is 'XMP that repeats facts of the file is dropped' "$(found a.jpg | tr -d ' ')" '>'
finish
