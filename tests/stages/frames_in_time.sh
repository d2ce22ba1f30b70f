# Stages that work on frames in time: windows at the ends, chains around them, and what they refuse.
. "$(dirname "$0")/lib_answers.sh"

# pixels NAME VALUE...: appends gray images of one pixel to a file.
pixels() { to=$1; shift; for v; do printf 'P5\n1 1\n255\n%b' "\\0$(printf %o "$v")"; done >"$to"; }
# sequence WANTED ARGUMENT...: tests the samples of the result for in.pgm, one image after another.
sequence()
{
    wanted=$1
    shift
    gf -i in.pgm "$@" -t raw >out.raw 2>errors
    is "$*: $wanted" "$(numbers u1 <out.raw)$(cat errors)" "$wanted"
}

pixels in.pgm 10 20 60 30 50
sequence '10 20 60 30 50' tmean:1
sequence '15 30 37 47 40' tmean:3                # 36.7, 46.7: rounded; the ends have two frames
sequence '30 30 34 40 47' tmean:5
sequence '15 20 30 50 40' tmedian                # of two frames, the mean
sequence '20 25 30 40 50' tmedian:5
sequence '34 34 34 34 34' tmean:9                # all frames, always
sequence '228 223 221 217 214' tmean:3 invert tmean:5 tmean:1      # of 240 225 218.3 208.3 215, not rounded between
sequence '240 225 218 208 215' invert tmean:3
sequence '15' --images 2 tmean:3 stack:max

# nlmeans: of other frames, nine pixels each. 10 apart they count fully, 20 apart by .0498, 30 apart not at all.
sequence '15 15 60 31 49' nlmeans:0.04,patch=0,search=1,frames=1
sequence '10 20 60 30 50' nlmeans:0.04,patch=0,search=1

pixels one.pgm 77
is 'a single image does not change' "$(gf -i one.pgm tmedian:5 tmean:3 -t raw | numbers u1)" 77
pixels a.pgm 0 100
pixels b.pgm 200 100
gf -i a.pgm -i b.pgm tmean:3 -o 'each-{stem}.pgm' 2>errors
is 'a window ends with its input' "$(gf -i each-a.pgm -t raw | numbers u1) $(gf -i each-b.pgm -t raw | numbers u1)" \
    '50 50 150 150'
is '--join makes one sequence' "$(gf -i a.pgm -i b.pgm --join tmean:3 -t raw 2>&1 | numbers u1)" '50 100 133 150'
is 'frames come from a pipe' "$(gf tmean:3 -t raw <in.pgm | numbers u1)" '15 30 37 47 40'
is 'a table has the frames' "$(gf -i in.pgm tmedian:3 stats -t tsv 2>&1 | awk 'NR > 1 { printf "%g ", 255 * $6 }')" \
    "$(gf -i in.pgm tmedian:3 -t pgm | gf stats -t tsv 2>&1 | awk 'NR > 1 { printf "%g ", 255 * $6 }')"
is 'images that are joined have been filtered' "$(gf -i in.pgm tmedian:3 stack:max -t raw 2>&1 | numbers u1)" 50

gf -i in.pgm tmean:4 -o out.pgm 2>errors
is 'an even number is an error' "$?$(grep -c 'tmean: frames=4: must be odd' errors)" 21
gf -i in.pgm tee:t.pgm tmean -o out.pgm 2>errors
is 'a tee before is an error' "$?$(grep -c 'tee: cannot be before tmean' errors)" 21
{ cat one.pgm; gray 2 1  1 2; cat in.pgm; } >sizes.pgm
gf -i sizes.pgm tmean -o out.pgm 2>errors
is 'frames of two sizes are an error' "$?$(grep -c 'needs frames of one size, but after 1x1 follows 2x1' errors)" 11
gf -i in.pgm stats tmean -o out.tsv 2>errors
is 'no frames come after a table' "$?$(grep -c "'stats' makes a table, so 'tmean' cannot follow it" errors)" 21
is '--explain names the window' "$(gf -i in.pgm invert tmean:5 --explain | grep -c 'window of 5 frames')" 1
unlikely tmean:frames silent tmean:31
unlikely tmedian:frames silent tmedian:31
finish
