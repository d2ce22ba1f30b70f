/* The inputs of a resized position and their weights, from exact distances. */
#include "kernels/geometry/resize.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

/* sinc(x)·sinc(x/3), with sin(3a) = sin(a)·(3 - 4·sin²(a)). */
static double lanczos(double x)
{
    const double s = gf_sin_pi(x / 3);

    return x == 0 ? 1 : x >= 3 || x == floor(x) ? 0 : s * s * (3 - 4 * s * s) * 3 / (M_PI * x * (M_PI * x));
}

/* Returns the reach of a filter, and its value at a distance of n/d. */
static int64_t support(enum gf_resize_filter filter)
{
    return filter == GF_RESIZE_LANCZOS ? 3 : filter == GF_RESIZE_CUBIC ? 2 : 1;
}

static double value(enum gf_resize_filter filter, int64_t n, int64_t d)
{
    const double x = fabs((double)n / (double)d);

    switch (filter) {
    case GF_RESIZE_LANCZOS: return lanczos(x);
    case GF_RESIZE_CUBIC: return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
    default: return x < 1 ? 1 - x : 0;
    }
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -gf_ceil_div(-a, b);
}

/* The inputs [first, end) of one position. They are exact integers, so segments and rounding cannot change them. */
struct reach {
    int64_t first, end;
};

/* Position i covers [i·in, (i+1)·in) / out of the inputs, and input j covers [j + begin/out, j + 1 + begin/out). */
struct ratio {
    int64_t in, out, begin;
};

static struct ratio ratio_of(const struct gf_resize_axis *axis)
{
    if (axis->shrunk == 0)
        return (struct ratio) { axis->in, axis->out, 0 };
    return (struct ratio) { axis->full, axis->out * axis->shrunk, axis->start * axis->out };
}

/*
 * Input j is at j + 1/2 + begin/out, position i at (i + 1/2)·in/out: their distance is n/(2·out), where n is
 * (2j+1)·out + 2·begin - (2i+1)·in. The filter is `wide` = max(in, out) times as wide as 1/out.
 */
static struct reach reach_of(const struct gf_resize_axis *axis, enum gf_resize_filter filter, int64_t i)
{
    const struct ratio q = ratio_of(axis);
    const int64_t in = q.in, out = q.out, wide = in > out ? in : out, centre = (2 * i + 1) * in - 2 * q.begin;
    struct reach r;

    if (filter == GF_RESIZE_NEAREST) {
        r.first = centre / (2 * out);
        r.end = r.first + 1;
    } else if (filter == GF_RESIZE_AREA) {
        r.first = floor_divide(i * in - q.begin, out);
        r.end = gf_ceil_div((i + 1) * in - q.begin, out);
    } else {                                             /* |n| < support · wide · 2 */
        r.first = floor_divide(centre - 2 * wide * support(filter) - out, 2 * out) + 1;
        r.end = -floor_divide(-(centre + 2 * wide * support(filter) - out), 2 * out);
    }
    r.first = r.first < 0 ? 0 : r.first;
    r.end = r.end > axis->in ? axis->in : r.end;
    return r;
}

/* Returns the weight of input j in position i, before normalization. */
static double weight(const struct gf_resize_axis *axis, enum gf_resize_filter filter, int64_t i, int64_t j)
{
    const struct ratio q = ratio_of(axis);
    const int64_t in = q.in, out = q.out, wide = in > out ? in : out, at = j * out + q.begin;

    if (filter == GF_RESIZE_NEAREST)
        return 1;
    /* the overlap of [i·in, (i+1)·in) and [at, at + out) */
    if (filter == GF_RESIZE_AREA) {
        const int64_t start = i * in > at ? i * in : at;
        const int64_t end = (i + 1) * in < at + out ? (i + 1) * in : at + out;

        return (double)(end - start);
    }
    return value(filter, 2 * at + out - (2 * i + 1) * in, 2 * wide);
}

int gf_resize_taps(enum gf_resize_filter filter, int64_t in, int64_t out)
{
    const int64_t most = filter == GF_RESIZE_NEAREST ? 1 : filter == GF_RESIZE_AREA ? gf_ceil_div(in, out) + 1
                       : 2 * support(filter) * (in > out ? gf_ceil_div(in, out) : 1) + 1;

    return (int)(most < in ? most : in);
}

void gf_resize_fill(const struct gf_resize_axis *axis, enum gf_resize_filter filter, float *entries)
{
    const struct ratio q = ratio_of(axis);
    const int64_t divisor = gf_common_divisor(q.in, q.out), period = q.out / divisor, step = q.in / divisor;
    const int64_t stride = gf_resize_stride(axis);

    for (int64_t i = 0; i < axis->out; i++) {
        const struct reach r = reach_of(axis, filter, i), like = i < period ? r : reach_of(axis, filter, i - period);
        float *entry = entries + i * stride;
        double sum = 0;

        /* same distances as one period before */
        if (i >= period && r.first - like.first == step && r.end - like.end == step) {
            memcpy(entry, entry - period * stride, (size_t)stride * sizeof *entry);
            entry[0] = (float)r.first;
            continue;
        }
        for (int64_t j = r.first; j < r.end; j++)
            sum += weight(axis, filter, i, j);
        entry[0] = (float)r.first;
        entry[1] = (float)(r.end - r.first);
        for (int64_t j = r.first; j < r.end; j++)
            entry[GF_RESIZE_ENTRY + j - r.first] = (float)(weight(axis, filter, i, j) / sum);
    }
}

/* Positions beyond the border have only the nearest input, so they do not count. */
void gf_resize_find_reach(const struct gf_resize_axis *axis, const float *entries, struct gf_resize_reach *reach)
{
    reach->before = reach->after = 0;
    for (int64_t i = 0; i < axis->out; i++) {
        const float *entry = entries + i * gf_resize_stride(axis);
        const int64_t first = (int64_t)entry[0], end = first + (int64_t)entry[1];
        const int64_t low = i * reach->times / reach->per + reach->shift - first;
        const int64_t high = end - gf_ceil_div((i + 1) * reach->times, reach->per) - reach->shift;

        if (first < axis->in - 1 && low > reach->before)
            reach->before = low;
        if (end > 1 && high > reach->after)
            reach->after = high;
    }
}
