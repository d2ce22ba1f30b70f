# WebP: there and back, and against dwebp and cwebp where they are.
. "$(dirname "$0")/lib.sh"

gf --version | grep -q '^images:.*libwebp' || skip_all 'built without libwebp'

image c8.ppm 83 61 3 255 1
image a8.pam 84 61 4 255 3
image g8.pgm 83 61 1 255 2
image ga.pam 83 61 2 255 6
image c16.ppm 83 61 3 65535 4

for options in '--quality 100' '--compression 0' '--compression 9' '--quality 100 --segment 1K --lanes 3'; do
    for file in c8.ppm a8.pam; do
        works "$file as WebP $options" gf -i $file $options -o there.webp
        works 'and back' gf -i there.webp -t pnm -o back.pnm
        same back.pnm $file 'is the same'
    done
done
works 'gray' gf -i g8.pgm --quality 100 -o there.webp
gf -i there.webp channel:g -o back.pgm
same back.pgm g8.pgm 'becomes red, green and blue'
works 'gray and alpha' gf -i ga.pam --quality 100 -o there.webp
gf -i there.webp -o back.pam
gf -i ga.pam channel:a -o wanted.pgm
gf -i back.pam channel:a -o found.pgm
same found.pgm wanted.pgm 'keeps alpha'
gf -i c16.ppm --depth 8 -o wanted.ppm
gf -i c16.ppm --quality 100 -o there.webp
works '16 bits' gf -i there.webp -o found.ppm
same found.ppm wanted.ppm 'become 8'
refuses 2 '8 bits a sample' '16 bits that were asked for' gf -i c16.ppm --depth 16 -o x.webp
works 'through pipes' sh -c '"$0" -t webp --quality 100 <c8.ppm | cat | "$0" >back.ppm' "$GPUFILTER"
same back.ppm c8.ppm 'is the same'
gf -i c8.ppm --quality 100 -o one.webp
gf -i a8.pam --quality 100 -o two.webp
cat one.webp two.webp one.webp >row.webp
works 'several in a row' gf -i row.webp -t pnm -o row.pnm
cat c8.ppm a8.pam c8.ppm >wanted.pnm
same row.pnm wanted.pnm 'come out in a row'
gf -i c8.ppm -o better.webp
gf -i c8.ppm --quality 20 -o worse.webp
is 'quality is seen in the size' "$([ "$(wc -c <worse.webp)" -lt "$(wc -c <better.webp)" ] && [ "$(wc -c <better.webp)" -lt "$(wc -c <one.webp)" ] && echo yes)" yes

# EXIF that lies on its side, through JPEG: 6 is one turn to the right, and gone afterwards.
exif() { printf 'MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0'; }
le() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256 % 256)))\\$(printf %03o $(($1 / 65536)))"; }
body=$(($(wc -c <one.webp) - 12))
{ printf RIFF; le $((4 + 18 + body + 8 + 26)); printf '\0WEBPVP8X\012\0\0\0\010\0\0\0'; le 82; le 60; tail -c +13 one.webp
  printf 'EXIF\032\0\0\0'; exif; } >lying.webp
works 'one that lies on its side' gf -i lying.webp -o found.ppm
is 'is 61 wide' "$(sed -n 2p found.ppm)" '61 83'
works 'and stays upright as WebP' gf -i lying.webp --quality 100 -o upright.webp
works 'and back' gf -i upright.webp -o again.ppm
same again.ppm found.ppm 'is the same'
is 'EXIF is there' "$(grep -ac EXIF upright.webp)" 1
works 'but not with --strip' gf -i lying.webp --strip -o stripped.webp
is 'where it is not' "$(grep -ac EXIF stripped.webp)" 0

for part in 10 30 200 4000; do
    head -c $part one.webp >cut.webp
    refuses 1 'cut.webp' "a cut after $part bytes" gf -f webp -i cut.webp -o x.ppm
done
refuses 1 'raise --max-pixels' 'more pixels than allowed' gf --max-pixels 5k -i one.webp -o x.ppm
refuses 1 'raise --max-memory' 'more memory than allowed' gf --max-memory 20K -i one.webp -o x.ppm
image wide.pgm 16384 1 1 255 1
refuses 1 '16384x1 is too large for webp' 'more columns than WebP can have' gf -i wide.pgm -o x.webp
refuses 1 '' 'a full disk' gf -i c8.ppm -t webp -o /dev/full
is 'nothing came of these' "$(ls x.* 2>/dev/null)" ''

if command -v dwebp >/dev/null && command -v cwebp >/dev/null; then
    for options in '-q 60' '-lossless' '-q 90 -m 6 -segments 1' '-near_lossless 40'; do
        cwebp -quiet $options c8.ppm -o in.webp
        dwebp -quiet -ppm in.webp -o wanted.ppm
        works "what cwebp $options wrote" gf -i in.webp -o found.ppm
        same found.ppm wanted.ppm 'as dwebp reads it'
    done
    for quality in 20 75 99; do
        cwebp -quiet -q $quality c8.ppm -o wanted.webp
        works "written with quality $quality" gf -i c8.ppm --quality $quality -o found.webp
        same found.webp wanted.webp 'as by cwebp'
    done
    gf -i a8.pam -o a8.png
    gf -i a8.png --quality 50 -o in.webp
    dwebp -quiet -pam in.webp -o wanted.pam
    works 'alpha with loss' gf -i in.webp -o found.pam
    is 'as dwebp reads it' "$(tail -c 20496 found.pam | cksum)" "$(tail -c 20496 wanted.pam | cksum)"
else
    skip 'no dwebp and cwebp here'
fi
finish
