# WebP: round trips, and comparison with dwebp and cwebp if installed.
. "$(dirname "$0")/../lib.sh"

gf --version | grep -q '^images:.*libwebp' || skip_all 'built without libwebp'

image c8.ppm 83 61 3 255 1
image a8.pam 84 61 4 255 3
image g8.pgm 83 61 1 255 2
image ga.pam 83 61 2 255 6
image c16.ppm 83 61 3 65535 4

for options in '--quality 100' '--compression 0' '--compression 9' '--quality 100 --segment 1K --lanes 3'; do
    for file in c8.ppm a8.pam; do
        works "$file as WebP $options" gf -i $file $options -o there.webp
        works "$file as WebP $options is read" gf -i there.webp -t pnm -o back.pnm
        same back.pnm $file "$file as WebP $options has the same pixels"
    done
done
works 'a gray image as WebP' gf -i g8.pgm --quality 100 -o there.webp
gf -i there.webp channel:g -o back.pgm
same back.pgm g8.pgm 'a gray image as WebP becomes red, green and blue'
works 'gray and alpha' gf -i ga.pam --quality 100 -o there.webp
gf -i there.webp -o back.pam
gf -i ga.pam channel:a -o wanted.pgm
gf -i back.pam channel:a -o found.pgm
same found.pgm wanted.pgm 'gray and alpha as WebP keeps alpha'
gf -i c16.ppm --depth 8 -o wanted.ppm
gf -i c16.ppm --quality 100 -o there.webp
works '16 bits as WebP' gf -i there.webp -o found.ppm
same found.ppm wanted.ppm '16 bits as WebP become 8'
refuses 2 '8 bits per sample' '--depth 16 for WebP' gf -i c16.ppm --depth 16 -o x.webp
works 'a WebP through pipes' sh -c '"$0" -t webp --quality 100 <c8.ppm | cat | "$0" >back.ppm' "$GPUFILTER"
same back.ppm c8.ppm 'a WebP through pipes has the same pixels'
gf -i c8.ppm --quality 100 -o one.webp
gf -i a8.pam --quality 100 -o two.webp
cat one.webp two.webp one.webp >row.webp
works 'several WebPs after each other' gf -i row.webp -t pnm -o row.pnm
cat c8.ppm a8.pam c8.ppm >wanted.pnm
same row.pnm wanted.pnm 'several WebPs after each other come out in order'
gf -i c8.ppm -o better.webp
gf -i c8.ppm --quality 20 -o worse.webp
is 'quality is seen in the size' "$([ "$(wc -c <worse.webp)" -lt "$(wc -c <better.webp)" ] \
    && [ "$(wc -c <better.webp)" -lt "$(wc -c <one.webp)" ] && echo yes)" yes

# EXIF with orientation 6, read from a JPEG. The output is turned clockwise and has no orientation.
exif() { printf 'MM\0\052\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0'; }
le() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256 % 256)))\\$(printf %03o $(($1 / 65536)))"; }
body=$(($(wc -c <one.webp) - 12))
{ printf RIFF; le $((4 + 18 + body + 8 + 26)); printf '\0WEBPVP8X\012\0\0\0\010\0\0\0'; le 82; le 60
    tail -c +13 one.webp
  printf 'EXIF\032\0\0\0'; exif; } >lying.webp
works 'one that lies on its side' gf -i lying.webp -o found.ppm
is 'a WebP on its side becomes upright, 61 wide' "$(sed -n 2p found.ppm)" '61 83'
works 'a WebP on its side becomes an upright WebP' gf -i lying.webp --quality 100 -o upright.webp
works 'an upright WebP is read' gf -i upright.webp -o again.ppm
same again.ppm found.ppm 'an upright WebP has the same pixels'
is 'EXIF of a WebP is in the output' "$(grep -ac EXIF upright.webp)" 1
works 'EXIF of a WebP with --strip' gf -i lying.webp --strip -o stripped.webp
is 'EXIF of a WebP is dropped with --strip' "$(grep -ac EXIF stripped.webp)" 0

for part in 10 30 200 4000; do
    head -c $part one.webp >cut.webp
    refuses 1 'cut.webp' "a cut after $part bytes" gf -f webp -i cut.webp -o x.ppm
done
# ---- animations: frames of one color, generated here, and their composed pixels

# block NAME WIDTH HEIGHT R G B A: writes the chunk of a lossless image of one color.
block()
{
    { printf 'P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n' "$2" "$3"
      for i in $(seq $(($2 * $3))); do le $(($4 + 256 * $5)) | head -c 2; le $(($6 + 256 * $7)) \
          | head -c 2; done; } >block.pam
    gf -i block.pam $([ "$7" = 255 ] && echo alpha:off) --quality 100 -o block.webp
    tail -c +13 block.webp >"$1"
}
block red 4 2 255 0 0 255
block green 2 2 0 255 0 255
block blue 2 2 0 0 255 255
block clear 2 2 0 0 0 0
# frame X Y WIDTH HEIGHT MS FLAGS CHUNK: writes a frame. Flag 1 clears its area afterwards, flag 2
# turns blending off.
frame()
{
    size=$(wc -c <"$7")
    printf ANMF; le $((size + 16)); printf '\0'; le $(($1 / 2)); le $(($2 / 2)); le $(($3 - 1)); le $(($4 - 1)); le "$5"
    printf "\\00$6"; cat "$7"
}
# animation FLAGS WIDTH HEIGHT: writes an animation of the frames on standard input.
animation()
{
    cat >frames
    printf RIFF; le $(($(wc -c <frames) + 4 + 18 + 14)); printf '\0WEBPVP8X\012\0\0\0'; printf "\\$1\\0\\0\\0"
    le $(($2 - 1)); le $(($3 - 1)); printf 'ANIM\006\0\0\0\0\0\0\0\0\0'; cat frames
}
# shown NAME FILE CHANNELS WANTED: compares the pixels of all frames: R, G, B, and . for
# transparent.
shown()
{
    works "$1" gf -i "$2" -t raw -o found.raw
    is "$1: pixels" "$(od -An -v -tu1 -w"$3" found.raw \
        | awk '{ printf "%s", NF == 4 && $4 == 0 ? "." : $1 == 255 ? "R" : $2 == 255 ? "G" : "B" }')" "$4"
}
if gf --version | grep -q '^images:.*libwebpdemux'; then
    { frame 0 0 4 2 40 0 red; frame 2 0 2 2 40 0 green; frame 0 0 2 2 40 0 blue; } | animation 002 4 2 >anim.webp
    shown 'an animated WebP' anim.webp 3 RRRRRRRRRRGGRRGGBBGGBBGG
    works 'an animated WebP on a pipe' sh -c 'cat anim.webp | "$0" -t raw >found.pipe' "$GPUFILTER"
    same found.pipe found.raw 'an animated WebP on a pipe has the same pixels'
    works 'an animated WebP as Y4M' gf -i anim.webp -o anim.y4m
    is 'an animated WebP as Y4M has its rate' "$(head -n 1 anim.y4m | tr ' ' '\n' | grep '^F')" F25:1
    works 'a file of each' gf -i anim.webp -o 'f{n}.ppm'
    is 'three of them' "$(echo f?.ppm)" 'f1.ppm f2.ppm f3.ppm'
    refuses 1 'jpeg stores only one image' 'one JPEG for all' gf -i anim.webp -o x.jpg
    { frame 0 0 4 2 10 0 red; frame 2 0 2 2 20 1 green; frame 0 0 2 2 70 2 clear; } | animation 022 4 2 >clear.webp
    shown 'frames that are cleared' clear.webp 4 RRRRRRRRRRGGRRGG........
    gf -i clear.webp -o clear.y4m
    is '100, 20 and 70 ms' "$(head -n 1 clear.y4m | tr ' ' '\n' | grep '^F')" F300:19
    # half of red over blue: alpha 128 and 255 * 128 / 256 = 127 of 255, as libwebpdemux rounds. After a frame that
    # is cleared, half of red replaces what is there.
    block half 2 2 255 0 0 128
    block all 4 2 0 0 255 255
    { frame 0 0 4 2 40 0 all; frame 0 0 2 2 40 1 half; frame 0 0 2 2 40 0 half; } | animation 022 4 2 >blend.webp
    gf -i blend.webp -t raw -o found.raw
    is 'a blended frame' "$(tail -c +33 found.raw | head -c 8 | od -An -tu1)" ' 127   0 126 255 127   0 126 255'
    is 'a blended frame is the base of the next one' \
        "$(tail -c +65 found.raw | head -c 8 | od -An -tu1)" ' 255   0   0 128 255   0   0 128'
    cat anim.webp one.webp clear.webp >row.webp
    gf -i row.webp -t pam -o row.pam
    is 'several in one file' "$(grep -ac ENDHDR row.pam)" 7
    head -c $(($(wc -c <anim.webp) - 10)) anim.webp >cut.webp
    refuses 1 'is cut short' 'a cut animation' gf -i cut.webp -o 'x{n}.ppm'
    # salvaged NAME FRAMES WARNING: salvages cut.webp from a file and a pipe. wanted.raw has the
    # pixels of all frames, 24 bytes each.
    salvaged()
    {
        head -c $(($2 * 24)) wanted.raw >whole.raw
        gf --salvage -i cut.webp -t raw -o found.raw 2>errors
        is "$1: --salvage" "$? $(cat errors)" "0 gpufilter: warning: cut.webp: $3"
        same found.raw whole.raw "$1: --salvage has the complete frames"
        cat cut.webp | gf --salvage -t raw >found.raw 2>errors
        is "$1: on a pipe" "$? $(cat errors)" "0 gpufilter: warning: standard input: $3"
        same found.raw whole.raw "$1: --salvage on a pipe has the complete frames"
        refuses 1 'an error because of --strict' "$1: --strict" gf --strict --salvage -i cut.webp -o 'x{n}.ppm'
    }
    gf -i anim.webp -t raw -o wanted.raw
    salvaged 'a cut third frame' 2 'ends within image 3, which is dropped; 2 complete images are kept'
    third=$(($(wc -c <blue) + 24))
    head -c $(($(wc -c <anim.webp) - third - 1)) anim.webp >cut.webp
    salvaged 'a cut second frame' 1 'ends within image 2, which is dropped; 1 complete image is kept'
    head -c $(($(wc -c <anim.webp) - third)) anim.webp >cut.webp
    salvaged 'a cut between frames' 2 'ends too early; 2 complete images are kept, and others may be missing'
    cat one.webp cut.webp >row.webp
    works 'a cut animation after an image' gf -q --salvage -i row.webp -t pam -o row.pam
    is 'a cut animation after an image: all three images are read' "$(grep -ac ENDHDR row.pam)" 3
    head -c 60 anim.webp >cut.webp
    refuses 1 'is cut short' 'an animation without a complete frame' gf --salvage -i cut.webp -o 'x{n}.ppm'
    { frame 0 0 4 2 40 0 red; frame 2 0 2 2 40 0 green | tr '\057' '\000'; } | animation 002 4 2 >bad.webp
    refuses 1 'bad.webp: .*damaged' 'damage stays an error' gf --salvage -i bad.webp -o 'x{n}.ppm'
    refuses 1 'raise --max-pixels' 'an animation of more pixels than allowed' \
        gf --max-pixels 7 -i anim.webp -o 'x{n}.ppm'
    frame 0 0 4 2 40 0 red | animation 002 4000 4000 >large.webp
    refuses 1 'raise --max-memory' 'an animation of more memory than allowed' \
        gf --max-memory 100M -i large.webp -o 'x{n}.ppm'
else
    skip 'built without libwebpdemux'
fi
refuses 1 'raise --max-pixels' 'a WebP of more pixels than allowed' gf --max-pixels 5k -i one.webp -o x.ppm
refuses 1 'one.webp: [0-9x]* needs [0-9.]* KB, but the limit is 20.0 KB; raise --max-memory to read it' \
    'a WebP of more memory than allowed' gf --max-memory 20K -i one.webp -o x.ppm
image wide.pgm 16384 1 1 255 1
refuses 1 '16384x1 is too large for WebP' 'an image of more columns than a WebP can have' gf -i wide.pgm -o x.webp
refuses 1 '' 'a full disk' gf -i c8.ppm -t webp -o /dev/full
is 'nothing came of these' "$(ls x.* 2>/dev/null)" ''

if command -v dwebp >/dev/null && command -v cwebp >/dev/null; then
    for options in '-q 60' '-lossless' '-q 90 -m 6 -segments 1' '-near_lossless 40'; do
        cwebp -quiet $options c8.ppm -o in.webp
        dwebp -quiet -ppm in.webp -o wanted.ppm
        works "a WebP that cwebp $options wrote" gf -i in.webp -o found.ppm
        same found.ppm wanted.ppm "a WebP that cwebp $options wrote has the pixels that dwebp reads"
    done
    for quality in 20 75 99; do
        cwebp -quiet -q $quality c8.ppm -o wanted.webp
        works "a WebP with quality $quality" gf -i c8.ppm --quality $quality -o found.webp
        same found.webp wanted.webp "a WebP with quality $quality has the bytes that cwebp writes"
    done
    gf -i a8.pam -o a8.png
    gf -i a8.png --quality 50 -o in.webp
    dwebp -quiet -pam in.webp -o wanted.pam
    works 'a WebP with alpha and loss' gf -i in.webp -o found.pam
    is 'a WebP with alpha and loss has the pixels that dwebp reads' "$(tail -c 20496 found.pam | cksum)" \
        "$(tail -c 20496 wanted.pam | cksum)"
else
    skip 'no dwebp and cwebp here'
fi
finish
