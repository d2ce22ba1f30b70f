/* canny: edges as lines that are one pixel wide. */
#include "chain/stage.h"
#include "filters/gauss.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/hysteresis.h"
#include "kernels/neighbourhood/nonmax.h"

#include <math.h>

struct canny {
    double sigma, low, high;
};

/* State for settle(), which runs after the seams between bands are recorded. */
struct settle_context {
    int64_t table, width;
};

static const struct gf_option options[] = {
    { .name = "sigma", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, sigma), .by_default = 1.4,
      .least = 0, .most = 32, .unit = "pixels",
      .text = "standard deviation of the Gaussian that smooths the image first; 0: do not smooth" },
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, low), .by_default = 0.1,
      .least = 0, .most = 6, .levels = 6,
      .text = "slope above which an edge is kept if it connects to one above high; a sharp edge from "
              "black to white has a slope of 4, as in sobel" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct canny, high), .by_default = 0.2,
      .least = 0, .most = 6, .levels = 6,
      .text = "slope above which an edge is always kept" },
    { .name = NULL }
};

/* Adds the conversion to one channel without alpha. */
static int add_gray(const struct gf_format *in, struct gf_format *out, struct gf_build *build, struct gf_error *err)
{
    struct gf_point_step step = { .kind = GF_POINT_MATRIX, .channels = in->channels, .outs = 1, .m = { { 1 } } };

    *out = *in;
    if (in->channels == 1)
        return 0;
    if (gf_colours(in) == 3)
        memcpy(step.m, gf_point_luma.m, sizeof step.m);
    out->channels = 1;
    out->alpha = false;
    return gf_build_point(build, &step, out, err);
}

static int add_blur(double sigma, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int radius = (int)ceil(3 * sigma);
    struct gf_conv conv = { .nx = 2 * radius + 1, .ny = 2 * radius + 1, .cx = radius, .cy = radius,
                            .mask_channels = 1, .border = GF_CLAMP };
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
    const struct gf_need around = { .before = GF_NONMAX_HALO, .after = GF_NONMAX_HALO },
                         bands = { .grain = GF_HYSTERESIS_ROWS };
    const struct gf_nonmax nonmax = { .low = 65535.0 * 65535 * c->low * c->low,
                                      .high = 65535.0 * 65535 * c->high * c->high };
    struct gf_hysteresis hysteresis = { .width = in->width };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_format out;
    float *table;

    if (b == NULL)
        return gf_fail_memory(err, "canny");
    if (c->low > c->high)
        return gf_fail(err, GF_MISUSED, "canny: low=%g is above high=%g; low must not exceed high", c->low, c->high);
    if (in->units == GF_UNKNOWN)
        return gf_fail(err, GF_FAILED,
                       "canny: the height of the image is not known; write the input to a file first");
    if (in->width > INT32_MAX / 2 / GF_HYSTERESIS_ROWS || gf_hysteresis_bands(in->units) > INT32_MAX / 2 / in->width)
        return gf_fail(err, GF_FAILED, "canny: the image is too large; put resize before canny");
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
    .group = GF_GROUP_EDGES,
    .range = GF_RANGE_SET,
    .summary = "find edges as lines one pixel wide",
    .text = "The result has one channel: 1 on lines, 0 elsewhere. The steps are:\n\n"
            "    1  convert to gray, as the stage gray does; drop alpha\n"
            "    2  smooth with a Gaussian, as the stage blur does\n"
            "    3  compute slopes, as the stage sobel does\n"
            "    4  thin: keep a pixel if its slope exceeds both neighbors across\n"
            "    5  keep slopes above high, and those above low connected to them\n\n"
            "Step 2 rounds values to 16 bits. The two neighbors in step 4 are left and right, above and "
            "below, or diagonal, whichever is nearest to the direction of the slope. If a pixel and its "
            "neighbor have equal slopes, the left or upper one is kept; of diagonal neighbors, neither. "
            "In step 5, pixels that touch at a side or a corner are connected, in chains of any length.\n\n"
            "The whole image is read before the first row is written. Data that does not fit in memory is "
            "stored on disk.",
    .examples = examples,
    .picture = "scene.ppm canny",
    .options = options,
    .config_bytes = sizeof(struct canny),
    .bind = bind,
};
