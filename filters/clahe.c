/* clahe: equalize the histogram tile by tile, with a limit on the contrast. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "filters/lab.h"
#include "kernels/pixel/table_grid.h"
#include "kernels/statistics/histogram.h"

#include <math.h>

struct clahe {
    int64_t tiles;
    double clip;
    struct gf_extent range;
    int space;
};

static const char *const spaces[] = GF_SPACE_CHOICES;

/* State for settle(), which runs after the image is counted. */
struct settle_context {
    int64_t table;
    struct gf_histogram counted;
    double clip;
};

static const struct gf_option options[] = {
    { .name = "tiles", .type = GF_OPTION_INT, .offset = offsetof(struct clahe, tiles), .by_default = 8,
      .least = 1, .most = 64,
      .text = "number of tiles across and down" },
    { .name = "clip", .type = GF_OPTION_NUMBER, .offset = offsetof(struct clahe, clip), .by_default = 2,
      .least = 0, .most = 65536,
      .text = "limit on the slope of a tile's curve; 1 keeps the contrast, 0 means no limit" },
    GF_BIN_RANGE_OPTION(struct clahe, range),
    GF_SPACE_OPTION(struct clahe, spaces),
    { .name = NULL }
};

/*
 * Cuts the counts above the limit and redistributes them: the same number to each bin, and the
 * remainder to bins at equal distances.
 */
static void limit_counts(double *counts, int bins, double samples, double clip)
{
    const double limit = fmax(1, floor(clip * samples / bins));
    double over = 0, each, left;

    for (int i = 0; i < bins; i++)
        if (counts[i] > limit) {
            over += counts[i] - limit;
            counts[i] = limit;
        }
    each = floor(over / bins);
    left = over - each * bins;
    for (int i = 0; i < bins; i++)
        counts[i] += each;
    if (left > 0) {
        const int step = (int)fmax(1, floor(bins / left));

        for (int i = 0; i < bins && left > 0; i += step, left--)
            counts[i]++;
    }
}

#define COARSE 256                       /* limited bins: finer ones hold too few pixels to estimate a slope */

/*
 * Limits the counts of a multiple of COARSE bins. The fine bins of a coarse bin lose its excess
 * in proportion.
 */
static void limit_fine_counts(double *counts, int bins, double samples, double clip)
{
    const double limit = fmax(1, floor(clip * samples / COARSE));
    const int group = bins / COARSE;
    double over = 0;

    for (int i = 0; i < bins; i += group) {
        double sum = 0;

        for (int k = 0; k < group; k++)
            sum += counts[i + k];
        for (int k = 0; k < group && sum > limit; k++)
            counts[i + k] *= limit / sum;
        over += fmax(sum - limit, 0);
    }
    for (int i = 0; i < bins; i++)
        counts[i] += over / bins;
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;
    const int bins = b->counted.bins;
    double counts[4096];

    (void)err;
    for (int tile = 0; tile < b->counted.across * b->counted.down; tile++) {
        float *table = tables + b->table + (int64_t)tile * bins;
        double samples = 0, sum = 0;

        for (int i = 0; i < bins; i++) {
            counts[i] = (double)m->counts[(int64_t)tile * bins + i];
            samples += counts[i];
        }
        if (b->clip > 0)
            (bins > COARSE ? limit_fine_counts : limit_counts)(counts, bins, samples, b->clip);
        for (int i = 0; i < bins; i++) {
            sum += counts[i];
            table[i] = (float)((fmin(nearbyint(sum * (bins - 1) / samples), bins - 1) - i) / (bins - 1));
        }
    }
    return 0;
}

/* Changes the first channel, lightness, of another space. */
static int add_in_space(enum gf_space space, const struct gf_table_grid *op, struct gf_build *build,
                        struct gf_error *err)
{
    struct gf_point_step to[GF_LAB_STEPS], back[GF_LAB_STEPS];

    gf_lab_steps(space, to, back);
    return gf_lab_add(to, build, err) != 0
        || gf_build_op(build, &gf_op_table_grid, op, (struct gf_need) { 0 }, NULL, err) != 0 ? -1
         : gf_lab_add(back, build, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct clahe *e = config;
    const int colours = gf_colours(in);
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    const bool lightness = e->space != GF_SPACE_STORED && colours == 3;
    struct gf_table_grid op = { .colours = lightness ? 1 : colours };
    const struct gf_point_step scale = gf_bin_range_to_unit(&e->range, colours);
    const struct gf_point_step back = gf_bin_range_from_unit(&e->range, colours);
    struct gf_point view;
    float *entries;

    if (b == NULL)
        return gf_fail_memory(err, "clahe");
    if (colours != 1 && colours != 3)
        return gf_fail(err, GF_FAILED, "clahe: the image has %d color channels; must be gray or RGB", colours);
    if (in->units == GF_UNKNOWN)
        return gf_fail(err, GF_FAILED,
                       "clahe: the height of the image is not known; write the input to a file first");
    if (e->space != GF_SPACE_STORED && e->range.given)
        return gf_fail(err, GF_MISUSED, "clahe: in=%s changes only the lightness, from 0 to 1; omit range=",
                       spaces[e->space]);
    gf_point_init(&view, in->channels);
    if ((e->range.given && gf_point_add(&view, &scale) != 0)
        || (lightness ? gf_lab_view((enum gf_space)e->space, in->channels, &view)
            : colours == 3 ? gf_point_add(&view, &gf_point_luma) : 0) != 0)
        return gf_fail(err, GF_FAILED, "clahe: the chain is too long; split it into two commands");
    op.bins = in->type == GF_U8 && !lightness ? 256 : 4096;
    op.across = (int)(e->tiles < in->width ? e->tiles : in->width);
    op.down = (int)(e->tiles < in->units ? e->tiles : in->units);
    op.per_column = (float)((double)op.across / (double)in->width);
    op.per_row = (float)((double)op.down / (double)in->units);
    b->counted = (struct gf_histogram) { .bins = op.bins, .binning = GF_BIN_ROUND, .channels = 1,
                                         .across = op.across, .down = op.down, .rows = in->units };
    b->clip = e->clip;
    b->table = op.table = gf_build_alloc_table(build, (int64_t)op.across * op.down * op.bins, &entries);
    if (gf_build_measure(build, &gf_op_histogram, &b->counted, &view, settle, NULL, b, err) != 0)
        return -1;
    if (e->range.given)
        gf_build_mark_range_kept(build);
    if (!e->range.given) {
        gf_build_mark_binned(build);
        return lightness ? add_in_space((enum gf_space)e->space, &op, build, err)
            : gf_build_op(build, &gf_op_table_grid, &op, (struct gf_need) { 0 }, in, err);
    }
    if (gf_build_point(build, &scale, NULL, err) != 0
        || gf_build_op(build, &gf_op_table_grid, &op, (struct gf_need) { 0 }, in, err) != 0)
        return -1;
    return gf_build_point(build, &back, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm clahe -o clear.png",
    "gpufilter -i photo.ppm gray clahe:4,clip=3 -o clear.pgm",
    "gpufilter -i photo.ppm clahe:in=lab -o clear.png",
    NULL
};

const struct gf_stage gf_stage_clahe = {
    .name = "clahe",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "raise local contrast (contrast-limited adaptive histogram equalization)",
    .text = "clahe equalizes each tile of the image separately. For every pixel it interpolates between "
            "the curves of the four nearest tiles, so both dark corners and bright skies show their "
            "detail.\n\n"
            "If a bin counts more than clip times the mean, it is cut to that limit. The excess is "
            "distributed over all bins. This keeps noise in even areas low.\n\n"
            "In color images the brightness .299 r + .587 g + .114 b is equalized, and its change is "
            "added to each channel. With in=lab or in=oklab, the lightness of that space is equalized instead, in 4096 "
            "bins, and the axes of hue stay. Alpha is copied. With range=LO,HI the bins cover LO to HI, for floats "
            "outside 0 to 1.\n\n"
            "For 8-bit images there are 256 bins. For all others there are 4096, and groups of 16 bins "
            "are limited together, so an image gets the same contrast in 16 bits as in 8. (OpenCV counts "
            "16 bits in 65536 bins. Each bin then has so few pixels that its clip limit has no effect on "
            "most images.) The limit is at least one pixel for each bin or group, so it has little effect "
            "on tiles of fewer than 256 pixels.\n\n"
            "The curve of a tile applies at its center. Distances to it are measured from the centers of "
            "pixels. OpenCV measures them from the corners of pixels, so results differ by up to two "
            "steps of 8 bits. The whole image is read before the first row is written.",
    .examples = examples,
    .picture = "scene.ppm clahe:4,3",
    .options = options,
    .config_bytes = sizeof(struct clahe),
    .bind = bind,
};
