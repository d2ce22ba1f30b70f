/* canny: edges as lines of one pixel, found by their slope and followed while they last. */
#include "chain/stage.h"
#include "filters/gauss.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/nonmax.h"

#include <math.h>

struct canny {
    double sigma, low, high;
};

/* What settling needs to know. */
struct settle_context {
    int64_t table, width;
};

static const struct gf_option options[] = {
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, sigma), .by_default = 1.4, .least = 0, .most = 32,
      .unit = "pixels", .text = "standard deviation of the Gaussian ahead of it all; 0: none" },
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, low), .by_default = 0.1, .least = 0, .most = 6, .levels = 6,
      .text = "steeper edges are followed where they hang together with one above high; as sobel counts: a sharp edge from "
              "black to white has 4" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, high), .by_default = 0.2, .least = 0, .most = 6, .levels = 6,
      .text = "steeper edges stand by themselves" },
    { .name = NULL }
};

/* One channel, without alpha. */
static int add_gray(const struct gf_format *in, struct gf_format *out, struct gf_build *build, struct gf_error *err)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = in->channels, .outs = 1,
                                  .m = { { gf_colours(in) == 3 ? .299f : 1, .587f, .114f } } };

    *out = *in;
    if (in->channels == 1)
        return 0;
    if (gf_colours(in) == 1)
        step.m[0][1] = step.m[0][2] = 0;
    out->channels = 1;
    out->alpha = false;
    return gf_build_point(build, &step, out, err);
}

static int add_blur(double sigma, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int radius = (int)ceil(3 * sigma);
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius, .mask_channels = 1,
                            .border = GF_CLAMP };
    float *weights;

    if (radius == 0)
        return 0;
    conv.x_at = conv.y_at = gf_build_alloc_mask(build, conv.nx, &weights);
    if (weights != NULL)
        gf_gauss_weights(weights, radius, sigma);
    return gf_build_op(build, &gf_op_conv, &conv, (struct gf_need) { .before = radius, .after = radius }, in, err);
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;

    (void)err;
    gf_hysteresis_settle(m->records, m->blocks, b->width, tables + b->table);
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct canny *c = config;
    const struct gf_need around = { .before = GF_NONMAX_HALO, .after = GF_NONMAX_HALO }, bands = { .grain = GF_HYSTERESIS_ROWS };
    const struct gf_nonmax nonmax = { .low = 65535.0 * 65535 * c->low * c->low,
                                      .high = 65535.0 * 65535 * c->high * c->high };
    struct gf_hysteresis hysteresis = { .width = in->width };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_format out;
    float *table;

    if (b == NULL)
        return gf_fail(err, GF_FAILED, "canny: not enough memory");
    if (c->low > c->high)
        return gf_fail(err, GF_MISUSED, "canny: low is %g, above high, %g", c->low, c->high);
    if (in->units == GF_UNKNOWN)
        return gf_fail(err, GF_FAILED, "canny: has to know the height of the picture");
    if (in->width > INT32_MAX / 2 / GF_HYSTERESIS_ROWS || gf_hysteresis_bands(in->units) > INT32_MAX / 2 / in->width)
        return gf_fail(err, GF_FAILED, "canny: the picture is too large");
    b->width = in->width;
    b->table = hysteresis.table
        = gf_build_alloc_table(build, gf_hysteresis_bands(in->units) * gf_hysteresis_entries(in->width), &table);
    if (add_gray(in, &out, build, err) != 0 || add_blur(c->sigma, &out, build, err) != 0
        || gf_build_op(build, &gf_op_nonmax, &nonmax, around, &out, err) != 0
        || gf_build_measure(build, &gf_op_seams, &hysteresis, NULL, settle, NULL, b, err) != 0)
        return -1;
    return gf_build_op(build, &gf_op_hysteresis, &hysteresis, bands, &out, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm canny -o lines.png",
    "gpufilter -i page.ppm canny:1,0.3,0.8 invert -o drawing.png",
    "gpufilter -i photo.ppm bilateral:3,0.1 canny:0,high=0.6,low=0.3 -o lines.pgm",
    NULL
};

const struct gf_stage gf_stage_canny = {
    .name = "canny",
    .kind = GF_IMAGE,
    .range = GF_RANGE_SET,
    .summary = "edges as lines of one pixel",
    .text = "One channel comes out, 1 on lines and 0 elsewhere. Colours become gray first, as with the stage gray, and alpha is "
            "left out; then comes a Gaussian as of blur, in 16 bits from there on. Slopes are those of sobel. A pixel is on a line "
            "where the slope is greater than in the two neighbours across it, to the left and right, above and below or at two "
            "corners, whichever is nearest to its direction; of two alike beside each other the one more to the left, or higher up, "
            "is taken, at corners neither. It stays if its slope is above high, or above low and a chain of such "
            "pixels, by sides and corners, leads to one above high, however far away.\n\n"
            "All of the picture is read before the first row is written; what does not fit in memory waits on disk.",
    .examples = examples,
    .picture = "scene.ppm canny",
    .options = options,
    .config_bytes = sizeof(struct canny),
    .bind = bind,
};
