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

# nlmeans: of other frames, nine pixels each. 10 apart they count fully, 20 apart by .0548, 30 apart not at all.
sequence '15 15 60 31 49' nlmeans:0.04,patch=0,search=1,frames=1
sequence '10 20 60 30 50' nlmeans:0.04,patch=0,search=1

pixels one.pgm 77
is 'a single image does not change' "$(gf -q -i one.pgm tmedian:5 tmean:3 -t raw | numbers u1)" 77
refuses 0 'note: one.pgm: is one image, so tmean has none before or after it; --join makes' 'a note on a single image' \
    gf -i one.pgm tmean -o o.pgm
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
is '--explain names the window' "$(gf -i in.pgm invert tmean:5 --explain | grep -c ', window of 5 frames')" 1
is '--explain counts the bytes of windows, and numbers the passes of all parts' \
    "$(gf -i sizes.pgm crop:1x1 invert tmean:5 equalize tmedian:3 --explain |
        sed -n 's/^pass \([0-9]\):.*/\1/p; s/^memory.*host, //p' | tr '\n' ' ')" \
    '1 2 3 20 bytes for a window of 5 frames 4 12 bytes for a window of 3 frames '
# ---- deflicker ----
pixels in.pgm 100 50 100 0 100
sequence '75 83 50 0 50' deflicker:3             # means of windows; a black frame stays black
sequence '100 50 100 0 100' deflicker:1
pixels in.pgm 40 80
sequence '60 60' deflicker
{ rgb 1 1  200 100 50; cat in.ppm; rgb 1 1  100 50 25; cat in.ppm; } >two.ppm
rm in.ppm
is 'colors keep their proportions' "$(gf -i two.ppm deflicker:3 -t raw | numbers u1)" '150 75 38 150 75 38'

# ---- fps ----
# video RATE VALUE...: writes in.y4m, gray frames of one pixel. rates WANTED ARGUMENT...: tests its frames.
video()
{
    printf 'YUV4MPEG2 W1 H1 F%s Ip A1:1 Cmono XCOLORRANGE=FULL XLENGTH=5\n' "$1" >in.y4m
    shift
    for v; do printf 'FRAME\n%b' "\\0$(printf %o "$v")"; done >>in.y4m
}
rates()
{
    wanted=$1
    shift
    gf -i in.y4m "$@" -o out.y4m 2>errors
    is "$*: $wanted" \
        "$(sed -n '1s/.* F\([0-9:]*\) .*/\1/p' out.y4m) $(gf -i out.y4m -t raw | numbers u1)$(cat errors)" "$wanted"
}
video 25:1 10 20 30 40 50
rates '50:1 10 10 20 20 30 30 40 40 50 50' fps:50
rates '25:1 10 20 30 40 50' fps:25
rates '10:1 20 40' fps:10                        # they begin at 0, 0.4, 0.8, 1.2 and 1.6 frames of the result
rates '30000:1001 10 20 30 30 40 50' fps:29.97   # at 0, 1.2, 2.4, 3.6 and 4.8
rates '50:1 10 15 20 25 30 35 40 45 50 50' fps:50,blend
video 25:1 6 18 48 66 90
rates '50:1 15 18 24 34 44 56 68 73 78 78' tmean:3 fps:50,blend tmean:1 tmedian:3
is 'the number of frames in the header is gone' "$(head -1 out.y4m | grep -c XLENGTH)" 0
is 'frames come from a pipe without end' \
    "$({ cat in.y4m; for i in 1 2 3 4; do printf 'FRAME\nx'; done; } | gf fps:50 -t raw --images 3 2>&1 | wc -c)" 6
gf -i in.y4m -o in.gif 2>errors
gf -i in.gif fps:50 -o out.gif 2>>errors
is 'an animation has another rate' "$(gf --info out.gif 2>&1 | grep -o '[0-9]* images.*')" \
    '10 images, 50 per second, 0.2 s'
pixels in.pgm 1 2
gf -i in.pgm fps:5 -o out.pgm 2>errors
is 'images without times are an error' "$?$(grep -c 'fps needs to know when images are shown' errors)" 11
video 25:1 1 2 3
is '--latency counts the frames after' "$(gf -i in.y4m tmean:5 --latency 10 --explain | sed -n 's/^latency: //p')" \
    'a frame waits for 2 after it, 0.08 s'
finish
