/* Gaussians: the weights of a short one, and a wide one that is computed on a coarser grid. */
#include "filters/gauss.h"

#include "base/elementary.h"
#include "kernels/geometry/resize.h"
#include "kernels/neighbourhood/conv.h"

#include <math.h>
#include <stdlib.h>

#define WIDE 10                          /* smallest sigma that uses the coarse grid: a mask would have 61 taps */
#define STEPS 4                          /* steps of the grid in one sigma, at least; fewer are visible */
#define REACH 4                          /* sigmas at which the Gaussian on the grid ends */
#define MARGIN 3                         /* steps of the grid beyond a border; steps further out change nothing */
/*
 * The samples of the largest grid that is kept whole, so that no segment computes another's rows. It takes 128 MB, less
 * than these rows in all lanes of a large image.
 */
#define KEPT_SAMPLES (INT64_C(1) << 25)
#define LEAST_WEIGHT 1e-16               /* the product of two is far from the least float */

/* Weights below LEAST_WEIGHT are 0, because subnormal products take ten times as long on many processors. */
void gf_gauss_weights(float *weights, int radius, double sigma)
{
    double sum = 0;

    for (int i = -radius; i <= radius; i++)
        sum += gf_exp(-0.5 * (i / sigma) * (i / sigma));
    for (int i = -radius; i <= radius; i++) {
        const double weight = gf_exp(-0.5 * (i / sigma) * (i / sigma)) / sum;

        weights[i + radius] = weight < LEAST_WEIGHT ? 0 : (float)weight;
    }
}

bool gf_gauss_is_wide(double sigma, enum gf_border border, const struct gf_format *in)
{
    return sigma >= WIDE && border != GF_WRAP && in->units != GF_UNKNOWN
        && in->width <= GF_RESIZE_MAX_SIDE && in->units <= GF_RESIZE_MAX_SIDE;
}

/* The cubic B-spline. */
static double spline(double t)
{
    t = fabs(t);
    return t < 1 ? (4 - 6 * t * t + 3 * t * t * t) / 6 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

/*
 * One side of the image and its grid: place k is at pixel start + k·step, so that both have the
 * same border.
 */
struct grid {
    int64_t pixels, places;
    double start, step;
    int64_t margin;                      /* places beyond a border */
};

static struct grid make_grid(int64_t pixels, double sigma, enum gf_border border)
{
    const int64_t most = (int64_t)(sigma / STEPS);
    struct grid g = { .pixels = pixels, .step = (double)most };

    if (border == GF_REFLECT) {                              /* half a pixel, or half a step, before the first */
        g.places = gf_ceil_div(pixels, most);
        g.step = (double)pixels / (double)g.places;
        g.start = g.step / 2 - 0.5;
    } else if (border == GF_MIRROR && pixels > 1) {          /* at the first pixel */
        g.places = gf_ceil_div(pixels - 1, most) + 1;
        g.step = (double)(pixels - 1) / (double)(g.places - 1);
    } else {
        g.margin = MARGIN;
        g.places = (pixels - 1) / most + 1 + 2 * MARGIN;
        g.start = -MARGIN * g.step;
    }
    return g;
}

/*
 * The inputs [first, end) of one place. Their weights are in `line`, which has a place for each
 * input and is zero elsewhere.
 */
struct source_range {
    int64_t first, end;
};

static void add_to(struct source_range *m, double *line, enum gf_border border, int64_t i, int64_t n, double weight)
{
    const int64_t at = gf_border_index(border, i, n);

    if (at < 0)
        return;
    line[at] += weight;
    m->first = at < m->first ? at : m->first;
    m->end = at >= m->end ? at + 1 : m->end;
}

/*
 * Computes the weights of place k of the grid from pixels; or, with `back`, of pixel k from
 * places. Weights beyond the border go to the input that the border repeats.
 */
static struct source_range make_place(const struct grid *g, enum gf_border border, bool back, int64_t k, double *line)
{
    const int64_t n = back ? g->places : g->pixels;
    const double scale = back ? 1 : g->step,
                 centre = back ? ((double)k - g->start) / g->step : g->start + (double)k * g->step;
    const int64_t from = (int64_t)ceil(centre - 2 * scale), to = (int64_t)floor(centre + 2 * scale);
    struct source_range m = { n, 0 };
    double sum = 0;

    for (int64_t i = from; i <= to; i++)
        sum += spline(((double)i - centre) / scale);
    for (int64_t i = from; i <= to; i++)
        add_to(&m, line, border, i, n, spline(((double)i - centre) / scale) / sum);
    if (m.first >= m.end)                                    /* all of it is beyond a border that is zero */
        m = from < 0 ? (struct source_range) { 0, 1 } : (struct source_range) { n - 1, n };
    return m;
}

/*
 * Makes the first and last inputs of places increase monotonically; returns the largest number
 * of inputs of a place.
 */
static int settle_spans(struct source_range *made, int64_t count)
{
    int64_t most = 1;

    for (int64_t k = count - 2; k >= 0; k--)
        made[k].first = made[k].first > made[k + 1].first ? made[k + 1].first : made[k].first;
    for (int64_t k = 1; k < count; k++)
        made[k].end = made[k].end < made[k - 1].end ? made[k - 1].end : made[k].end;
    for (int64_t k = 0; k < count; k++)
        most = made[k].end - made[k].first > most ? made[k].end - made[k].first : most;
    return (int)most;
}

/* Returns axis->extra of `count` positions: what they have beyond gf_resize_room() while extra is 0. */
static int extra_inputs(const struct source_range *made, int64_t count, const struct gf_resize_axis *axis)
{
    int64_t extra = 0;

    for (int64_t together = 4; together <= GF_RESIZE_TOGETHER; together += 4) {
        const int64_t room = gf_resize_room(axis, together);

        for (int64_t k = 0; k < count; k++) {
            const int64_t last = k + together < count ? k + together - 1 : count - 1;
            const int64_t inputs = made[last].end - made[k].first;

            extra = inputs - room > extra ? inputs - room : extra;
        }
    }
    return (int)extra;
}

/* Returns the inputs that the places of a grid need, or with `back` its pixels. */
static struct gf_need find_need(const struct grid *g, bool back, const struct gf_resize_axis *axis,
                                const float *entries)
{
    const int64_t step = (int64_t)g->step;               /* it is whole if there is a margin */
    struct gf_resize_reach r = { .times = axis->in, .per = axis->out };

    if (g->margin > 0)
        r = (struct gf_resize_reach) { .times = back ? 1 : step, .per = back ? step : 1,
                                       .shift = back ? g->margin : -g->margin * step };
    gf_resize_find_reach(axis, entries, &r);
    return (struct gf_need) { .times = r.times, .per = r.per, .shift = r.shift,
                              .before = r.before, .after = r.after };
}

/* Puts the weights from pixels to places, or back, into the pool. */
static int make_axis(const struct grid *g, enum gf_border border, bool back, struct gf_build *build,
                     struct gf_resize_axis *axis, struct gf_need *need, struct gf_error *err)
{
    const int64_t in = back ? g->places : g->pixels, out = back ? g->pixels : g->places;
    struct source_range *made = malloc((size_t)out * sizeof *made);
    double *line = calloc((size_t)in, sizeof *line);
    float *entries = NULL;

    *axis = (struct gf_resize_axis) { .in = in, .out = out };
    for (int64_t k = 0; made != NULL && line != NULL && k < out; k++) {
        made[k] = make_place(g, border, back, k, line);
        for (int64_t i = made[k].first; i < made[k].end; i++)
            line[i] = 0;
    }
    if (made != NULL && line != NULL) {
        axis->taps = settle_spans(made, out);
        axis->extra = extra_inputs(made, out, axis);
        axis->at = gf_build_alloc_table(build, out * gf_resize_stride(axis), &entries);
    }
    for (int64_t k = 0; entries != NULL && k < out; k++) {
        float *entry = entries + k * gf_resize_stride(axis);

        make_place(g, border, back, k, line);
        entry[0] = (float)made[k].first;
        entry[1] = (float)(made[k].end - made[k].first);
        for (int64_t i = made[k].first; i < made[k].end; i++) {
            entry[GF_RESIZE_ENTRY + i - made[k].first] = (float)line[i];
            line[i] = 0;
        }
    }
    if (entries != NULL && need != NULL)
        *need = find_need(g, back, axis, entries);
    free(made);
    free(line);
    return entries != NULL ? 0 : gf_fail_memory(err, NULL);
}

/* Blurs on the grid, by the part of sigma that the splines leave, in steps of each side. */
static int blur_grid(double sigma, enum gf_border border, const struct grid *x, const struct grid *y,
                     const struct gf_format *format, struct gf_build *build, struct gf_error *err)
{
    const struct grid *const side[2] = { x, y };
    struct gf_conv conv = { .mask_channels = 1, .border = border };
    double left[2];
    int radius[2];
    const bool whole = format->width * format->units * format->channels <= KEPT_SAMPLES;
    struct gf_need need = { .whole = whole };
    float *weights;

    for (int i = 0; i < 2; i++) {
        left[i] = sqrt(sigma * sigma / (side[i]->step * side[i]->step) - 2.0 / 3.0);
        radius[i] = (int)ceil(REACH * left[i]);
    }
    conv.nx = 2 * radius[0] + 1, conv.cx = radius[0];
    conv.ny = 2 * radius[1] + 1, conv.cy = radius[1];
    conv.x_at = gf_build_alloc_mask(build, conv.nx, &weights);
    if (weights != NULL)
        gf_gauss_weights(weights, radius[0], left[0]);
    conv.y_at = gf_build_alloc_mask(build, conv.ny, &weights);
    if (weights != NULL)
        gf_gauss_weights(weights, radius[1], left[1]);
    if (!whole)
        need.before = need.after = radius[1];
    return gf_build_op(build, &gf_op_conv, &conv, need, format, err);
}

int gf_gauss_wide(double sigma, enum gf_border border, const struct gf_format *in, struct gf_build *build,
                  struct gf_error *err)
{
    const struct grid x = make_grid(in->width, sigma, border), y = make_grid(in->units, sigma, border);
    struct gf_resize there = { .x = { 0 } }, back_x = there, back_y = there;
    struct gf_need need_there, need_back;
    struct gf_format coarse = *in, between;

    coarse.width = x.places;
    coarse.units = y.places;
    between = coarse;
    between.width = in->width;
    if (make_axis(&x, border, false, build, &there.x, NULL, err) != 0
        || make_axis(&y, border, false, build, &there.y, &need_there, err) != 0
        || gf_build_op(build, &gf_op_resize, &there, need_there, &coarse, err) != 0
        || blur_grid(sigma, border, &x, &y, &coarse, build, err) != 0
        || make_axis(&x, border, true, build, &back_x.x, NULL, err) != 0
        || gf_build_op(build, &gf_op_resize, &back_x, (struct gf_need) { .whole = false }, &between, err) != 0
        || make_axis(&y, border, true, build, &back_y.y, &need_back, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_resize, &back_y, need_back, in, err);
}
