# PNG from end to end: any number of threads, other programs' eyes, orientations, what goes along.
. "$(dirname "$0")/lib.sh"

# ---- bands: the same file from any number of threads, and the same samples back

image strip.ppm 1000 9 3 255 3
# tall HEIGHT FILE: so many rows of 3000 bytes, all different.
tall()
{
    { printf 'P6\n1000 %d\n255\n' $1; i=0; while [ $i -lt $(($1 / 9 + 1)) ]; do tail -c 27000 strip.ppm; i=$((i + 1)); done; } |
        head -c $((16 + 3000 * $1)) >"$2"
}
for rows in 173 174 175 348 349 700; do          # 174 rows make a band
    tall $rows tall.ppm
    works "$rows rows" gf -j 1 -i tall.ppm -o one.png
    for threads in 2 3 7; do
        gf -j $threads -i tall.ppm -o many.png
        cmp -s one.png many.png || break
    done
    same one.png many.png 'the same bytes, however many threads'
    works 'read' gf -i one.png -o back.ppm
    same tall.ppm back.ppm 'the same samples'
done
for level in 0 1 5; do
    works "--compression $level" gf --compression $level -i tall.ppm -o level$level.png
    gf -i level$level.png -o back.ppm
    same tall.ppm back.ppm 'the same samples'
done
is 'stored is larger' "$(($(wc -c <level0.png) > 700 * 3000 && $(wc -c <level5.png) < $(wc -c <level0.png)))" 1
is 'one row of the widest' "$(gf -i strip.ppm crop:1000x1 -t png | gf -t ppm | wc -c | tr -d ' ')" 3014

# ---- what others see

# seen NAME COMMAND...: the command's samples are those of tall.ppm.
seen()
{
    name=$1
    shift
    if command -v "$1" >/dev/null; then
        "$@" >seen.ppm 2>errors
        tail -c $((700 * 3000)) seen.ppm >seen.raw
        same tall.raw seen.raw "$name"
    else
        skip "no $1 here"
    fi
}
tail -c $((700 * 3000)) tall.ppm >tall.raw
seen 'pngtopnm' pngtopnm one.png
seen 'ImageMagick' convert one.png -depth 8 ppm:-
if command -v vips >/dev/null; then
    seen 'vips' sh -c 'vips copy one.png vips.ppm && cat vips.ppm'
else
    skip 'no vips here'
fi
if command -v pnmtopng >/dev/null; then
    pnmtopng -interlace <tall.ppm >interlaced.png 2>errors
    gf -i interlaced.png -o back.ppm
    same tall.ppm back.ppm 'an interlaced one by pnmtopng'
else
    skip 'no pnmtopng here'
fi

# ---- orientations: abc over def, lying in eight ways

# lying ORIENTATION CRC FILE
lying()
{
    printf '\211\120\116\107\015\012\032\012\000\000\000\015\111\110\104\122\000\000\000\003\000\000\000\002\010\000\000\000\000\270\037\071\306' >"$3"
    printf '\000\000\000\032\145\130\111\146\115\115\000\052\000\000\000\010\000\001\001\022\000\003\000\000\000\001\000'"$(printf '\\%03o' "$1")"'\000\000\000\000\000\000'"$2" >>"$3"
    printf '\000\000\000\023\111\104\101\124\170\001\001\010\000\367\377\000\141\142\143\000\144\145\146\011\106\002\126\170\045\122\106' >>"$3"
    printf '\000\000\000\000\111\105\116\104\256\102\140\202' >>"$3"
}
# stands ORIENTATION CRC SIZE PIXELS
stands()
{
    lying $1 "$2" o$1.png
    { printf 'P5\n%s\n255\n' "$3"; printf %s "$4"; } >want.pgm
    gf -i o$1.png -o got.pgm
    same want.pgm got.pgm "orientation $1"
    gf -i o$1.png -o again.png
    gf -i again.png -o got.pgm
    same want.pgm got.pgm 'is told once'
    gf -i o$1.png --strip -o got.pgm
    same want.pgm got.pgm 'also where nothing else is kept'
}
orientations()
{
    stands 1 '\023\300\165\347' '3 2' abcdef
    stands 2 '\042\050\157\172' '3 2' cbafed
    stands 3 '\204\137\144\316' '3 2' fedcba
    stands 4 '\101\370\132\100' '3 2' defabc
    stands 5 '\347\217\121\364' '2 3' adbecf
    stands 6 '\326\147\113\151' '2 3' daebfc
    stands 7 '\160\020\100\335' '2 3' fcebda
    stands 8 '\206\130\060\064' '2 3' cfbead
    is 'EXIF is kept' "$(grep -c eXIf again.png)" 1
    gf -i o6.png --strip -o again.png
    is 'or not' "$(grep -c eXIf again.png)" 0
    gf -i o6.png crop:2x1 -o got.pgm
    printf 'P5\n2 1\n255\nda' >want.pgm
    same want.pgm got.pgm 'stages see it upright'
    gf -i o6.png -i o8.png -i o2.png -j 2 -o '{stem}.pgm'
    printf 'P5\n2 3\n255\ncfbead' >want.pgm
    same want.pgm o8.pgm 'each of a batch lies in its own way'
    cat o6.png o8.png o2.png o1.png | gf -t pnm -j 3 >row.pnm
    printf 'P5\n2 3\n255\ndaebfcP5\n2 3\n255\ncfbeadP5\n3 2\n255\ncbafedP5\n3 2\n255\nabcdef' >want.pnm
    same want.pnm row.pnm 'and each of a row'
}
lying 6 '\000\000\000\000' wrong.png             # which only a reader that knows what stands beside a picture refuses
if gf -i wrong.png -t pgm >/dev/null 2>&1; then
    skip 'PNG is read by stb_image: nothing goes along'
else
    orientations
fi

# ---- cut, and nothing is left behind

rm -f o.png
size=$(wc -c <level5.png)
failed=
at=1
while [ $at -lt $size ]; do
    head -c $at level5.png >cut.png
    gf -i cut.png -o o.png 2>errors </dev/null
    [ $? = 1 ] && [ "$(wc -l <errors)" = 1 ] && [ ! -e o.png ] || failed="$failed $at"
    at=$((at + size / 23 + 1))
done
is 'cut at 23 places' "$failed" ''
finish
