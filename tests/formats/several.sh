# Several files in one input: each format that is read and written, one file after another. All images
# are read, or a message says which are not.
. "$(dirname "$0")/../lib.sh"
image a.ppm 9 7 3 255 1
image b.ppm 12 5 3 255 2

# The first name of each image format that is read and written: of both files, in single runs.
gf --manual listing | awk -F '\t' '$1 == "format" && $4 != "-" && $5 != "-" { sub(/[,:].*/, "", $3); print $3 }' >names
formats=
while read -r format; do
    gf -q -i a.ppm -t "$format" -o "a.$format" 2>/dev/null && gf -q -i b.ppm -t "$format" -o "b.$format" 2>/dev/null \
        && gf -q -i "a.$format" -t pam -o "a.$format.pam" 2>/dev/null || continue
    gf -q -i "b.$format" -t pam -o "b.$format.pam"
    formats="$formats $format"
done <names
is 'at least 12 formats store several images' "$(echo $formats | wc -w | awk '{ print ($1 >= 12) }')" 1

# several NAME: reads x from a file and from a pipe; `status` is that of both, `errors` has all messages.
several()
{
    gf -i x -t pam >found 2>errors
    status=$?
    cat x | gf -t pam >piped 2>>errors
    is "$1: a pipe is like a file" $? $status
    same piped found "$1: both are the same"
}

for format in $formats; do
    cat "a.$format" "b.$format" >x
    cat "a.$format.pam" "b.$format.pam" >wanted
    several "two of $format"
    same found wanted "two of $format: both are read"
    is "two of $format: no message" "$(cat errors)" ''
    cat "b.$format" "a.$format" "b.$format" >x
    is "three of $format: --images 2" "$(gf -i x --images 2 -t pam 2>&1 | cksum)" \
        "$(cat "b.$format.pam" "a.$format.pam" | cksum)"
    cp "b.$format.pam" wanted
    gf -i x --max-pixels 60 -t pam >found 2>errors
    is "three of $format: --max-pixels counts in the second" "$? $(grep -c '9x7 is more than 60 pixels' errors)" '1 1'
    gf -i x -o x.png >out 2>errors
    status=$?
    case $format in
    gif | y4m) message='all frames of an animation must have the same size, but after 12x5 follows one of 9x7' ;;
    *) message='png stores only one image' ;;
    esac
    is "three of $format: too many for a PNG" "$status $(grep -c "$message" errors)" '1 1'

    { cat "a.$format"; head -c 40 /dev/zero; } >x
    case $format in
    pbm | pgm | ppm | pam | pnm | pfm | y4m) ;;              # zeros are an error: they are no other image
    *) works "zeros after $format are padding" gf -i x -t pam ;;
    esac
    { cat "a.$format"; echo 'other data, which is no image'; } >x
    several "other data after $format"
    case $format in
    png | jpeg | tif | tiff | gif) is "other data after $format: is common" "$status $(cat errors)" '0 ' ;;
    pbm | pgm | ppm | pam | pnm | pfm | y4m)
        is "other data after $format: is an error" \
            "$status $(grep -c 'the data after .* 1 is not another' errors)" '1 2' ;;
    *)  is "other data after $format: is a warning" \
            "$status $(grep -c 'warning: .* after image 1 is ignored, because it is not another' errors)" '0 2'
        refuses 1 'because of --strict' "other data after $format: with --strict" gf --strict -i x -o y.pam ;;
    esac
done

# An image of another format is read, or a warning or an error names it.
for format in $formats; do
    for other in $formats; do
        [ "$format" != "$other" ] || continue
        cat "a.$format" "b.$other" >x
        cat "a.$format.pam" "b.$other.pam" >wanted
        gf -i x -t pam >found 2>errors
        status=$?
        if [ $status != 0 ] || cmp -s found wanted || grep -q 'the data after image 1 is ignored' errors; then
            pass "$other after $format: not in silence"
        else
            fail "$other after $format: not in silence"
        fi
    done
done

# ---- where an image ends

# reads NAME COUNT: x has COUNT images, and no message.
reads() { is "$1" "$(gf -i x -t pam 2>&1 | grep -ac ENDHDR)" "$2"; }

octets() { for octal in "$@"; do printf "\\$octal"; done; }
# footer EXTENSION DEVELOPER: prints the footer of a TGA, with the low bytes of two offsets.
footer() { octets "$1" 0 0 0 "$2" 0 0 0; printf 'TRUEVISION-XFILE.\0'; }
tga() { octets 0 0 3 0 0 0 0 0 0 0 0 0 2 0 2 0 10 40 1 2 3 4; }
{ tga; footer 0 0; } >new.tga
cat new.tga new.tga >x
reads 'TGA with footers' 2
{ tga; cat new.tga; } >x
reads 'TGA without a footer, then with one' 2
{ tga; echo 'a developer area, which any program may write'; footer 0 26; } >area.tga
cat area.tga area.tga new.tga >x
reads 'TGA with developer areas' 3
# Alpha is in the pixels, and the extension of each file says whether it counts: kind 0 is no alpha, 3 is alpha.
alpha()
{
    octets 0 0 2 0 0 0 0 0 0 0 0 0 1 0 1 0 40 40 1 2 3 4 357 1; head -c 492 /dev/zero; octets "$1"; footer 26 0
}
{ alpha 0; alpha 3; alpha 0; } >x
is 'TGA: each has its extension' "$(gf -q -i x -t pam | grep -a ^DEPTH | tr '\n' ' ')" 'DEPTH 3 DEPTH 4 DEPTH 3 '
{ tga; tga | head -c 20; } >x
refuses 1 '^gpufilter: x: is cut short$' 'TGA: the second is cut short' gf -i x -o y.pam
is 'TGA: the second is cut short, with --salvage' "$(gf --salvage -i x -t pam 2>errors | grep -ac ENDHDR)" 1
is 'TGA: the second is cut short, with --salvage: a warning' \
    "$(grep -c 'warning: x: ends within image 2, which is dropped' errors)" 1

# Two PSD of one pixel; the second channel is not read if it comes after the alpha.
psd() { printf '8BPS'; octets 0 1 0 0 0 0 0 0 0 3 0 0 0 1 0 0 0 1 0 10 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 "$1"; }
{ psd 0; octets 7 10 11; } >raw.psd
{ psd 1; octets 0 2 0 2 0 2 0 7 0 10 0 11; } >packed.psd
cat raw.psd packed.psd raw.psd >x
is 'PSD with further channels' "$(gf -q -i x -t pam | grep -ac ENDHDR)" 3
is 'PSD with further channels: from a pipe' "$(cat x | gf -q -t pam | grep -ac ENDHDR)" 3
cat raw.psd raw.psd a.ppm >x
is 'PPM after PSD' "$(gf -i x -t pam 2>&1 >out | grep -c 'after image 2 is ignored; it begins like PGM, PPM')" 1

# An RLE8 BMP of one pixel with codes for the end of the row and of the image; the size in the header is 0.
bmp()
{
    printf BM; octets 0 0 0 0 0 0 0 0 76 0 0 0 50 0 0 0 1 0 0 0 1 0 0 0 1 0 10 0 1 0 0 0
    head -c 12 /dev/zero; octets 2 0 0 0 0 0 0 0; octets 1 2 3 0 4 5 6 0; octets 1 1 0 0 0 1
}
{ bmp; bmp; } >x
reads 'BMP with runs' 2

# PIC with one pixel, as raw bytes.
pic()
{
    octets 123 200 366 64; head -c 84 /dev/zero; printf PICT; octets 0 1 0 1 77 200 0 0 0 3 0 0
    octets 0 10 0 340 1 2 3
}
{ pic; pic; } >x
reads PIC 2

# Radiance HDR without runs, because rows are short.
hdr() { printf '#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n'; octets 100 100 100 200 40 40 40 200; }
{ hdr; hdr; hdr; } >x
reads 'HDR without runs' 3

# A GIF of one pixel.
gif() { printf GIF89a; octets 1 0 1 0 200 0 0 0 0 0 377 377 377 54 0 0 0 0 1 0 1 0 0 2 2 104 1 0 73; }
{ gif; gif; } >x
reads GIF 2

# Many programs leave bytes at the end of a TIFF to which no directory refers: room for values.
gf -i a.tiff -o unused.tiff
printf '\0\1\2\3\4\5\6\7unused' >>unused.tiff
cat unused.tiff >x
reads 'TIFF with unused bytes' 1
cat unused.tiff unused.tiff a.tiff >x
reads 'TIFF after unused bytes' 3
{ cat unused.tiff; head -c 5000 /dev/zero | tr '\0' x; } >x
gf -i x -t pam >found 2>errors
is 'TIFF with many unused bytes' "$(grep -c 'after image 1 is ignored' errors)" 1

# ---- TIFF: offsets are from the beginning of each file

for order in little big; do
    if command -v tiffcp >/dev/null; then
        [ $order = little ] && options=-L || options=-B
        for options in "$options" "$options -8" "$options -t -w 16 -l 16" "$options -p separate" "$options -c none"; do
            tiffcp $options a.tiff c.tiff && tiffcp $options b.tiff c2.tiff || continue
            cat c.tiff c2.tiff a.tiff >x
            cat a.tiff.pam b.tiff.pam a.tiff.pam >wanted
            several "TIFF, tiffcp $options"
            same found wanted "TIFF, tiffcp $options: all are read"
        done
        tiffcp a.tiff b.tiff c.tiff && cat c.tiff b.tiff c.tiff >x
        reads "TIFF: pages of several files, $order" 5
    else
        skip 'no tiffcp here'
    fi
done
# le NUMBER: prints four bytes.
le() { octets "$(printf %o $(($1 % 256)))" "$(printf %o $(($1 / 256)))" 0 0; }
# entry TAG TYPE VALUE: prints an entry of a directory with one value. Tags are in octal: low byte, high byte.
entry() { octets $1 "$2" 0 1 0 0 0; le "$3"; }
# tiny WIDTH: prints a TIFF with one row of zeros after the directory, at an even or an odd end.
tiny()
{
    printf 'II*\0\010\0\0\0'; octets 7 0
    entry '0 1' 3 "$1"; entry '1 1' 3 1; entry '2 1' 3 8; entry '6 1' 3 1; entry '21 1' 4 98; entry '26 1' 3 1
    entry '27 1' 4 "$1"
    octets 0 0 0 0
    head -c "$1" /dev/zero
}
{ tiny 4; tiny 3; tiny 5; } >x
reads 'TIFF with odd sizes' 3
{ tiny 3; octets 0; tiny 4; } >x
reads 'TIFF padded to an even size' 2
{ tiny 4; printf 'II*\0'; } >x
is 'TIFF: the second is cut short' "$(gf -i x -t pam >out 2>errors; echo $?; wc -l <errors)" "$(printf '1\n1')"

# ---- Y4M

y4m() { printf 'YUV4MPEG2 W2 H2 F%s:1 Cmono\nFRAME\n%sFRAME\n%s' "$1" "$2" "$3"; }
{ y4m 25 abcd efgh; y4m 25 ijkl mnop; } >x
is 'Y4M: frames of both' "$(gf -i x -t y4m | tr -d '\n')" \
    "$(gf -i x --images 1 -t y4m | head -n 1)FRAMEabcdFRAMEefghFRAMEijklFRAMEmnop"
{ y4m 25 abcd efgh; y4m 30 ijkl mnop; } >x
gf -i x -o y.y4m 2>errors
is 'Y4M: another rate' "$? $(cat errors)" "0 gpufilter: warning: y.y4m: frames after 2 have another frame rate, 30 per \
second, but Y4M has one, that of the first, 25; --rate sets another"
works 'Y4M: another rate, with --rate' gf -i x --rate 25 -o y.y4m
finish
