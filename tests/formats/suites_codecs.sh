# Compares test images of other projects with their own tools. SUITES is a folder with unpacked
# sources, as from apt-get source libjpeg-turbo tiff vips. djpeg, dwebp and vips are needed. Run by
# make check-suites SUITES=FOLDER.
. "$(dirname "$0")/../lib.sh"

[ -d "$SUITES" ] || skip_all 'SUITES names no folder'
for tool in djpeg dwebp vips; do
    command -v $tool >/dev/null || skip_all "no $tool here"
done

# An image that is not supported causes one line that says why.
told() { grep -qE 'bits per sample; |is cut short|is an animation|unknown image or audio format' errors &&
    [ "$(wc -l <errors)" = 1 ]; }

# check FILE NAME: compares found.png with wanted.png.
check()
{
    if vips subtract found.png wanted.png d.v 2>/dev/null && vips abs d.v e.v && [ "$(vips max e.v)" = 0.000000 ] &&
       [ "$(vipsheader -f bands found.png)" = "$(vipsheader -f bands wanted.png)" ]; then
        pass "$1"
    else
        fail "$1"
        echo 'another picture' | note
    fi
}

# read_both FILE COMMAND...: reads FILE to found.png; COMMAND writes wanted.png.
read_both()
{
    name=${1#"$SUITES"/}
    gf -q --device cpu -i "$1" -t png -o '{n}.png' 2>errors
    status=$?
    mv -f 1.png found.png 2>/dev/null
    rm -f [0-9]*.png
    shift
    if [ $status != 0 ]; then
        if told; then
            pass "$name"
            note <errors
        else
            fail "$name"
            note <errors
        fi
    elif "$@" >wanted.out 2>&1; then
        check "$name"
    else
        skip "$name: the other tool does not read it"
    fi
}
by_djpeg() { djpeg "$1" >wanted.pnm && vips copy wanted.pnm wanted.png && cp wanted.png by.png && turn "$1"; }
# Applies the EXIF orientation to the output of djpeg.
turn()
{
    case $(vipsheader -f orientation "$1" 2>/dev/null) in
    2) vips flip by.png wanted.png horizontal ;;
    3) vips rot by.png wanted.png d180 ;;
    4) vips flip by.png wanted.png vertical ;;
    5) vips rot by.png t.png d90 && vips flip t.png wanted.png horizontal ;;
    6) vips rot by.png wanted.png d90 ;;
    7) vips rot by.png t.png d270 && vips flip t.png wanted.png horizontal ;;
    8) vips rot by.png wanted.png d270 ;;
    esac
}
by_dwebp() { dwebp -quiet "$1" -o wanted.png; }
# vips does not divide colors by alpha, and reads a palette of grays as one channel.
by_vips()
{
    case $1 in
    *-alpha.tiff | */palette-1c-1b.tiff) return 1 ;;
    *) vips autorot "$1" wanted.png ;;
    esac
}

find "$SUITES" -type f \( -name '*.jpg' -o -name '*.tif' -o -name '*.tiff' -o -name '*.webp' \) | sort >files
while read -r file; do
    case $file in
    *.jpg) read_both "$file" by_djpeg "$file" ;;
    *.webp) read_both "$file" by_dwebp "$file" ;;
    *) read_both "$file" by_vips "$file" ;;
    esac
done <files
echo "1..$tests"
[ $failures = 0 ]                     # what make wants to know
