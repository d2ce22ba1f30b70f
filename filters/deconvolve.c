/* deconvolve: undo a known blur. */
#include "chain/stage.h"
#include "filters/convolve.h"
#include "filters/gauss.h"
#include "kernels/neighbourhood/lucy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 20000                  /* of the halo; segments should be longer than it */

struct deconvolve {
    double sigma;
    int64_t iterations;
    struct gf_mask psf;
    double tv, damp;
    int edge;
};

static const char *const edges[] = { "clamp", "reflect", "mirror", "zero", NULL };
static const enum gf_border borders[] = { GF_CLAMP, GF_REFLECT, GF_MIRROR, GF_ZERO };

static const struct gf_option options[] = {
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deconvolve, sigma), .by_default = NAN,
      .least = 0.1, .most = 20, .unit = "pixels",
      .text = "standard deviation of the Gaussian that blurred the image; not with psf=" },
    { .name = "iterations", .type = GF_OPTION_INT, .offset = offsetof(struct deconvolve, iterations),
      .by_default = 20, .least = 1, .most = GF_LUCY_MAX_ITERATIONS, .unit = "steps",
      .text = "number of steps; more are sharper, and amplify noise" },
    { .name = "psf", .type = GF_OPTION_MASK, .offset = offsetof(struct deconvolve, psf), .key_only = true,
      .image = true,
      .text = "the image of a point instead of a Gaussian: a gray image, or numbers in rows separated by ';' or "
              "line ends" },
    { .name = "tv", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deconvolve, tv), .by_default = 0,
      .least = 0, .most = 0.2, .key_only = true, .levels = 1,
      .text = "weight of total variation, which keeps noise down; 0.002 to 0.02 is usual, 0: none" },
    { .name = "damp", .type = GF_OPTION_NUMBER, .offset = offsetof(struct deconvolve, damp), .by_default = 0,
      .least = 0, .most = 1, .key_only = true, .levels = 1,
      .text = "differences up to this value count as noise, and are hardly corrected; 0: none" },
    { .name = "edge", .type = GF_OPTION_CHOICE, .offset = offsetof(struct deconvolve, edge), .by_default = 0,
      .choices = edges, .key_only = true,
      .text = "pixels beyond the border: clamp repeats the last pixel, reflect (cba|abc) and mirror (cb|abc) "
              "mirror the image, zero is black" },
    { .name = NULL }
};

/* Sets the lines of a Gaussian, cut off as that of blur. */
static void set_gauss(const struct deconvolve *d, struct gf_build *build, struct gf_lucy *p)
{
    float *weights;

    p->rx = p->ry = (int)ceil(3 * d->sigma);
    p->separable = true;
    p->taps = 2 * (2 * p->rx + 1);
    p->at = gf_build_alloc_mask(build, p->taps, &weights);
    if (weights == NULL)
        return;
    gf_gauss_weights(weights, p->rx, d->sigma);
    gf_gauss_weights(weights + 2 * p->rx + 1, p->rx, d->sigma);
}

/* Adds up the weights of a matrix, which must be possible as an image of a point. */
static int sum_weights(const struct gf_mask *m, double *sum, struct gf_error *err)
{
    *sum = 0;
    if (m->columns / 2 > GF_LUCY_MAX_RADIUS || m->rows / 2 > GF_LUCY_MAX_RADIUS)
        return gf_fail(err, GF_MISUSED, "deconvolve: psf has %d columns and %d rows; must be at most %d by %d",
                       m->columns, m->rows, 2 * GF_LUCY_MAX_RADIUS + 1, 2 * GF_LUCY_MAX_RADIUS + 1);
    for (int i = 0; i < m->rows * m->columns; i++) {
        if (m->weights[i] < 0)
            return gf_fail(err, GF_MISUSED, "deconvolve: psf has the weight %g; must not be negative", m->weights[i]);
        *sum += m->weights[i];
    }
    return *sum > 0 ? 0 : gf_fail(err, GF_MISUSED, "deconvolve: psf has only zeros; must have a weight above 0");
}

/* Adds spectra of the weights, for both convolutions. */
static int add_tiles(struct gf_build *build, struct gf_lucy *p, const float *weights, struct gf_error *err)
{
    p->tiles = (struct gf_fftmask) { .nx = 2 * p->rx + 1, .ny = 2 * p->ry + 1, .cx = p->rx, .cy = p->ry,
                                     .border = p->border, .colours = p->colours };
    gf_fftmask_choose(&p->tiles, p->ry);
    return gf_convolve_add_spectra(&p->tiles, weights, false, build, &p->tiles.f.spectra_at, err) != 0 ? -1
         : gf_convolve_add_spectra(&p->tiles, weights, true, build, &p->turned_at, err);
}

/* Sets the weights of a matrix, scaled to the sum 1. An even side gets a column or a row of zeros at its end. */
static int set_matrix(const struct deconvolve *d, struct gf_build *build, struct gf_lucy *p, struct gf_error *err)
{
    const struct gf_mask *m = &d->psf;
    double sum, squares = 0;
    float *weights, *to;
    int nx, count, result = 0;

    if (sum_weights(m, &sum, err) != 0)
        return -1;
    p->rx = m->columns / 2;
    p->ry = m->rows / 2;
    nx = 2 * p->rx + 1;
    count = nx * (2 * p->ry + 1);
    weights = calloc((size_t)count, sizeof *weights);
    if (weights == NULL)
        return gf_fail_memory(err, NULL);
    for (int i = 0; i < m->rows * m->columns; i++) {
        weights[i / m->columns * nx + i % m->columns] = (float)(m->weights[i] / sum);
        p->taps += m->weights[i] > 0;
        squares += m->weights[i] / sum * (m->weights[i] / sum);
    }
    p->least = (float)(squares / 4);
    if (p->taps >= GF_LUCY_TILE_TAPS && p->even <= 0) {
        result = add_tiles(build, p, weights, err);
    } else {
        p->at = gf_build_alloc_mask(build, count, &to);
        if (to != NULL)
            memcpy(to, weights, (size_t)count * sizeof *to);
    }
    free(weights);
    return result;
}

/* Noise below black would make sums near 0, by which an iteration divides: there is no light below 0. */
static int make_light(struct gf_build *build, const struct gf_format *in, struct gf_error *err)
{
    const struct gf_point_step step = { .kind = GF_POINT_CLAMP, .channels = gf_colours(in), .a = 0, .b = FLT_MAX };

    return gf_build_is_finite(build) ? 0 : gf_build_point(build, &step, NULL, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct deconvolve *d = config;
    struct gf_lucy p = { .iterations = (int)d->iterations, .colours = gf_colours(in), .border = borders[d->edge],
                         .damping = d->damp > 0 ? (float)(1 / d->damp) : 0, .even = (float)d->tv };
    struct gf_need need = { .whole = false };

    if (isnan(d->sigma) && d->psf.weights == NULL)
        return gf_fail(err, GF_MISUSED, "deconvolve: missing value for sigma or psf, the blur; for example "
                                        "deconvolve:1.5");
    if (!isnan(d->sigma) && d->psf.weights != NULL)
        return gf_fail(err, GF_MISUSED, "deconvolve: write the blur either as SIGMA or as psf=");
    if (d->psf.weights == NULL)
        set_gauss(d, build, &p);
    else if (set_matrix(d, build, &p, err) != 0)
        return -1;
    need.before = need.after = gf_lucy_reach(&p);
    need.grain = gf_lucy_has_tiles(&p) ? p.tiles.step_y : 0;
    if (need.before > MOST_ROWS)
        return gf_fail(err, GF_MISUSED,
                       "deconvolve: %d iterations of a blur with %d rows need %lld rows before and after each one; "
                       "must be at most %d", p.iterations, 2 * p.ry + 1, (long long)need.before, MOST_ROWS);
    if (gf_build_make_finite(build, err) != 0 || make_light(build, in, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_lucy, &p, need, in, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm blur:1.5 deconvolve:1.5 -o sharp.png",
    "gpufilter -i photo.ppm gray deconvolve:1.2,30,tv=0.005 -o sharp.png",
    "gpufilter -i chart.pgm 'deconvolve:psf=[1 1 1 1 1 1 1],iterations=40' -o still.png",
    NULL
};

const struct gf_stage gf_stage_deconvolve = {
    .name = "deconvolve",
    .kind = GF_IMAGE,
    .group = GF_GROUP_BLUR,
    .keeps_values = true,
    .summary = "undo a known blur, as of a microscope (Richardson-Lucy)",
    .text = "The blur is a Gaussian, or psf=, the image of a point, whose weights are scaled to the sum 1. To undo "
            "conv:M, psf is M turned by 180 degrees, because conv does not turn its mask (correlation). An estimate "
            "u of the image v begins as 0.5. Each step blurs it, and corrects it by the ratio that is missing:\n\n"
            "    u = u·mirrored psf * (v / (psf * u))\n\n"
            "With tv=, u is also divided by 1 - TV·(divergence of slopes of length 1), after Dey and others. With "
            "damp=T, where d = v - psf * u is less than T, the ratio moves towards 1: v / (psf * u) - 1 is multiplied "
            "by s^9·(10 - 9·s) with s = (d/T)².\n\n"
            "A result needs 2·RADIUS rows more on both sides for each step, and the RADIUS of a Gaussian is 3 sigmas. "
            "Images are processed in segments that are longer than that, however long an image is. With edge=zero, "
            "clip=False, and a psf with odd sides and the sum 1, scikit-image's richardson_lucy has the same result. "
            "Its borders are black beyond the image, which makes bright lines there.\n\n"
            "psf can have up to 255 by 255 weights. From 400 weights above 0 on, each step runs as Fourier transforms "
            "of tiles, and its time hardly grows with psf. Errors are then about 1e-6 of the brightest places. With "
            "tv=, which would make them larger in flat places, each weight takes its time.\n\n"
            "Light adds up before it is encoded: for photos, use 16 bits and linear light. Channels are treated "
            "separately, as stored. Alpha is copied. Values below 0 and those that are not finite become 0 first.",
    .examples = examples,
    .picture = "scene.ppm blur:2 deconvolve:2,40",
    .options = options,
    .config_bytes = sizeof(struct deconvolve),
    .bind = bind,
};
