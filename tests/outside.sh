# Samples that the output can't store: floats outside 0 to 1, NaN, transparent pixels. Named once, before anything is replaced.
. "$(dirname "$0")/lib.sh"

# warns NAME LINES COMMAND...: it succeeds, and standard error holds exactly LINES.
warns()
{
    name=$1 lines=$2
    shift 2
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "0 $lines"
}
# mentions NAME PATTERN COMMAND...: it succeeds with one line, which PATTERN (grep) finds.
mentions()
{
    name=$1 pattern=$2
    shift 2
    "$@" >out 2>errors </dev/null
    if [ $? = 0 ] && [ "$(wc -l <errors)" = 1 ] && grep -q -- "$pattern" errors; then
        pass "$name"
    else
        fail "$name"
        { echo "wanted one line with '$pattern'"; cat errors; } | note
    fi
}
# Floats of a gray PFM, little-endian: 0, 1/2, 1, 2, -1, NaN; and a hair's breadth outside, 1.0000001 and -1e-6.
zero='\000\000\000\000' half='\000\000\000\077' one='\000\000\200\077' two='\000\000\000\100' minus='\000\000\200\277' nan='\000\000\300\177'
above='\001\000\200\077' below='\275\067\206\265'
floats() { file=$1 width=$2; shift 2; { printf 'Pf\n%d 1\n-1.0\n' "$width"; for v; do printf "$v"; done; } >"$file"; }
floats hot.pfm 4 $zero $half $two $minus
floats in.pfm 4 $zero $half $one $one
floats noise.pfm 4 $above $below $half $one
floats nan.pfm 4 $nan $half $one $nan

clipped='gpufilter: warning: hot.pfm: 50% of the samples lie outside 0 to 1 (-1 to 2) and are clipped; normalize or levels:-1,2 as the first stage maps them to 0 to 1, clamp clips them without a warning'
warns 'stored in integers' "$clipped" gf -i hot.pfm -o o.pgm
warns 'after a stage that keeps the range' "$clipped" gf -i hot.pfm flip -o o.png
warns 'in segments of one row' "$clipped" gf --segment 1 --lanes 2 -i hot.pfm blur:1 -o o.png
warns 'in a tee' "$clipped" gf -i hot.pfm tee:t.png levels:-1,2 -o o.png
warns 'from a pipe' "$(echo "$clipped" | sed 's/hot.pfm/standard input/')" sh -c "\"$GPUFILTER\" -t pgm <hot.pfm"
for stages in levels:-1,2 normalize autolevel clamp brightness:0.5 contrast:0.5 sobel 'threshold:1'; do
    works "$stages sets the range" gf -i hot.pfm $stages -o o.pgm
done
works 'floats stay floats' gf -i hot.pfm blur:1 -o o.pfm
works 'nor does a table clip' gf -i hot.pfm stats -o o.tsv
works 'values within' gf -i in.pfm -o o.pgm
works 'rounding noise' gf -i noise.pfm -o o.pgm
works 'integers that a stage takes outside' gf -i in.pfm sharpen:5 -o o.pgm
warns 'NaN' 'gpufilter: warning: nan.pfm: 2 samples are not finite; NaN is stored as 0, infinity as the end of the range' \
    gf -i nan.pfm normalize -o o.pgm
rm -f strict.pgm
refuses 1 'hot.pfm: 50% of the samples.*(an error' 'an error with --strict' gf --strict -i hot.pfm -o strict.pgm
is 'which leaves no output' "$(ls strict.pgm 2>/dev/null)" ''
refuses 1 'hot.pfm: 50% of' 'also of a tee' gf --strict -i hot.pfm tee:strict.pgm levels:-1,2 -o o.pgm
is 'which leaves none either' "$(ls strict.pgm 2>/dev/null)" ''
cat hot.pfm in.pfm hot.pfm >many.pfm
if gf -i many.pfm -t pam >/dev/null 2>&1; then
    mentions 'several images in one file: once' '% of the samples' gf -i many.pfm -t pnm -o o.pnm
fi
mkdir in made
cp hot.pfm in/a.pfm
cp hot.pfm in/b.pfm
cp in.pfm in/c.pfm
mentions 'a batch: once, with a count' 'in/a.pfm and 1 other file: 50%' gf -i in -t png -o made/

# ---- stages that count in bins

binned="gpufilter: warning: hot.pfm: 50% of the samples lie outside 0 to 1 (-1 to 2), and"
for stage in histogram:4 threshold:otsu equalize autolevel:10% clahe:1; do
    mentions "$stage names the bins" "^$binned $stage counts them in its outermost bins; its range=-1,2, or" gf -i hot.pfm $stage -o o.tsv --to $([ $stage = histogram:4 ] && echo tsv || echo pfm)
done
for stage in histogram:4,range=-1,2 threshold:otsu,range=-1,2 equalize:range=-1,2 autolevel:10%,range=-1,2 clahe:1,range=-1,2; do
    works "$stage counts them" gf -i hot.pfm $stage -o o.tsv --to $([ $stage = histogram:4,range=-1,2 ] && echo tsv || echo pfm)
done

# ---- alpha

clear='\377\000\000\200\000\377\000\377' solid='\377\000\000\377\000\377\000\377'
head='P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n'
printf "$head$clear" >clear.pam
printf "$head$solid" >solid.pam
black='transparent pixels are stored over black; alpha:off,bg=white as the last stage stores them over white'
for format in ppm bmp y4m hdr jpg; do
    if [ $format = bmp ]; then
        works 'bmp has alpha' gf -i clear.pam -o o.bmp
        continue
    fi
    warns "a transparent pixel in $format" "gpufilter: warning: clear.pam: $(echo $format | sed 's/jpg/jpeg/') has no alpha: $black" gf -i clear.pam -o o.$format
    works "an opaque image in $format" gf -i solid.pam -o o.$format
done
works 'png has alpha' gf -i clear.pam -o o.png
works 'alpha:off is on purpose' gf -i clear.pam alpha:off,bg=white -o o.ppm
warns 'a tee without alpha' "gpufilter: warning: clear.pam: ppm has no alpha: $black" gf -i clear.pam tee:t.ppm alpha:off -o o.ppm
warns 'corners of a turned image' "gpufilter: warning: solid.pam: rotate:30 makes transparent pixels, and ppm has no alpha: $black" \
    gf -i solid.pam rotate:30 -o o.ppm
works 'unless they have a colour' gf -i solid.pam rotate:30,bg=white -o o.ppm
works 'a quarter turn has none' gf -i solid.pam rotate:90 -o o.ppm
warns 'a border' "gpufilter: warning: solid.pam: pad:2 makes transparent pixels, and ppm has no alpha: $black" gf -i solid.pam pad:2 -o o.ppm
works 'a border of a colour' gf -i solid.pam pad:2,bg=white -o o.ppm
works 'a border, then a background' gf -i solid.pam pad:2 alpha:off,bg=white -o o.ppm
rm -f strict.ppm
refuses 1 'clear.pam: ppm has no alpha.*(an error' 'an error with --strict' gf --strict -i clear.pam -o strict.ppm
is 'which leaves no output' "$(ls strict.ppm 2>/dev/null)" ''
finish
