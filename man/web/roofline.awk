# Draws the roofline of an H200 with the operations of roofline.tsv, as they were measured in RESULTS.md:
#   awk -f roofline.awk roofline.tsv RESULTS.md              an SVG drawing, for a page
#   awk -v form=table -f roofline.awk roofline.tsv RESULTS.md    the rows of the manual's table
# All of these operations were measured with 64 M samples.
BEGIN {
    FS = "\t"
    samples = 64 * 1048576
    # 132 multiprocessors, which each do 128 multiplications and additions in a clock, at 1.98 GHz
    arithmetic = 132 * 128 * 2 * 1.98
    left = 76; top = 16; wide = 620; tall = 360
    x_low = -1; x_high = 3; y_low = 2; y_high = 5
}
FNR == NR && /^#/ { next }
FNR == NR { name[++count] = $1; row[$2 " | " $3] = row[$2 " | " $3] " " count; flop[count] = $5; next }
/^## On / { here = /^## On NVIDIA H200/ }
here && /^NPP/ && match($0, /device to device: [0-9]+/) { memory = substr($0, RSTART + 18, RLENGTH - 18) }
# | case | samples | size | microseconds | MB at least |
here && /^\| / {
    split($0, part, / \| /)
    n = split(row[substr(part[1], 3) " | " part[2]], numbers, " ")
    for (i = 1; i <= n; i++) {
        k = numbers[i]
        intensity[k] = flop[k] * samples / (part[5] * 1e6)
        rate[k] = flop[k] * samples / part[4] / 1000
    }
}
function log10(v) { return log(v) / log(10) }
function least(a, b) { return a < b ? a : b }
function x_of(v) { return left + wide * (log10(v) - x_low) / (x_high - x_low) }
function y_of(v) { return top + tall * (1 - (log10(v) - y_low) / (y_high - y_low)) }
function line(x1, y1, x2, y2, look) {
    printf "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"currentColor\" fill=\"none\" %s/>\n", x1, y1, x2, y2, look
}
function write(x, y, anchor, text) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, text
}
function draw_axes(   decade, k) {
    for (decade = x_low; decade <= x_high; decade++) {
        write(x_of(10 ^ decade), top + tall + 20, "middle", 10 ^ decade)
        for (k = 1; k < (decade < x_high ? 10 : 2); k++)
            line(x_of(k * 10 ^ decade), top, x_of(k * 10 ^ decade), top + tall, "opacity=\"" (k > 1 ? .1 : .3) "\"")
    }
    for (decade = y_low; decade <= y_high; decade++) {
        write(left - 8, y_of(10 ^ decade) + 4, "end", sprintf("%d", 10 ^ decade))
        for (k = 1; k < (decade < y_high ? 10 : 2); k++)
            line(left, y_of(k * 10 ^ decade), left + wide, y_of(k * 10 ^ decade), "opacity=\"" (k > 1 ? .1 : .3) "\"")
    }
    write(left + wide / 2, top + tall + 42, "middle", "FLOP/byte")
    printf "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">GFLOP/s</text>\n", top + tall / 2
}
function draw_roof(   ridge) {
    ridge = arithmetic / memory
    line(x_of(10 ^ x_low), y_of(10 ^ x_low * memory), x_of(ridge), y_of(arithmetic), "stroke-width=\"3\"")
    line(x_of(ridge), y_of(arithmetic), left + wide, y_of(arithmetic), "stroke-width=\"3\"")
    line(x_of(ridge), y_of(arithmetic), x_of(ridge), top + tall, "stroke-dasharray=\"4 4\"")
    write(left + wide, y_of(arithmetic) - 8, "end", sprintf("arithmetic: %.1f TFLOP/s", arithmetic / 1000))
    write(x_of(1.2) - 12, y_of(1.2 * memory) - 8, "end", sprintf("memory: %d GB/s", memory))
    write(x_of(ridge) + 5, top + tall - 8, "start", sprintf("%.1f", ridge))
}
# Returns true if the dot of an operation is close to the next one, whose number is to the right.
function is_crowded(k) {
    return k < count && x_of(intensity[k + 1]) - x_of(intensity[k]) < 24 \
        && (y_of(rate[k + 1]) - y_of(rate[k])) ^ 2 < 14 ^ 2
}
# Each operation is a dot with its number in the table.
function draw(   k) {
    printf "<figure class=\"roofline\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-size=\"13\" " \
        "fill=\"currentColor\" role=\"img\" aria-label=\"Roofline of an H200\">\n", left + wide + 24, top + tall + 52
    draw_axes()
    draw_roof()
    for (k = 1; k <= count; k++) {
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s: %.3g FLOP/byte, %.0f GFLOP/s</title></circle>\n",
            x_of(intensity[k]), y_of(rate[k]), name[k], intensity[k], rate[k]
        write(x_of(intensity[k]) + (is_crowded(k) ? -9 : 9), y_of(rate[k]) + 5, is_crowded(k) ? "end" : "start", k)
    }
    print "</svg>\n<figcaption>Operations of gpufilter on an H200, by their numbers in the table; both axes are " \
        "logarithmic.</figcaption>\n</figure>"
}
END {
    for (k = 1; k <= count; k++)
        if (!(rate[k] > 0)) {
            print "roofline.awk: RESULTS.md has no row for " name[k] >"/dev/stderr"
            exit 1
        }
    if (!(memory > 0)) {
        print "roofline.awk: RESULTS.md has no copy of an H200" >"/dev/stderr"
        exit 1
    }
    for (k = 1; k <= count && form == "table"; k++)
        printf "%2d  %-17s  %11.4g  %9.3g  %7.0f  %5.0f %%\n", k, name[k], flop[k], intensity[k], rate[k],
            100 * rate[k] / least(arithmetic, intensity[k] * memory)
    if (form != "table")
        draw()
}
