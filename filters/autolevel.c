/* autolevel, and normalize for images: stretch the values of an image to the full range. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "kernels/statistics/histogram.h"
#include "kernels/statistics/reduce.h"

#include <math.h>

enum mode { TOGETHER, RGB };

struct autolevel {
    double clip;
    int mode;
    struct gf_extent range;
};

/* State for the settle functions, which run after the image is measured. */
struct settle_context {
    struct autolevel options;
    int64_t table;
};

static const char *const modes[] = { "together", "rgb", NULL };

static const struct gf_option options[] = {
    { .name = "clip", .type = GF_OPTION_NUMBER, .offset = offsetof(struct autolevel, clip), .by_default = 0,
      .least = 0, .most = 0.49,
      .text = "share of the values to cut off at each end, for example 1%" },
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct autolevel, mode),
      .by_default = TOGETHER, .choices = modes,
      .text = "together: stretch all channels alike, which keeps hues; rgb: stretch each channel "
              "separately" },
    GF_BIN_RANGE_OPTION(struct autolevel, range),
    { .name = NULL }
};

/* Writes the scale that maps low to 0 and high to 1. An image with a single value stays as it is. */
static void write_scale(float *pair, double low, double high)
{
    pair[0] = high > low ? (float)(1 / (high - low)) : 1;
    pair[1] = high > low ? (float)(-low / (high - low)) : 0;
}

/* Without clip: the lowest and the highest value become the ends. */
static int settle_extremes(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;

    (void)err;
    for (int c = 0; c < m->channels; c++) {
        double low = m->reduced[c].min, high = m->reduced[c].max;

        for (int k = 0; k < m->channels && b->options.mode == TOGETHER; k++) {
            low = fmin(low, m->reduced[k].min);
            high = fmax(high, m->reduced[k].max);
        }
        write_scale(tables + b->table + 2 * c, low, high);
    }
    return 0;
}

/* Returns how many values of channels [first, end) are in bin i. */
static double count_at(const struct gf_measured *m, int first, int end, int i)
{
    double n = 0;

    for (int c = first; c < end; c++)
        n += (double)m->counts[(int64_t)c * m->bins + i];
    return n;
}

/*
 * Finds the lowest bin at which the count from the low end exceeds the share to clip, and the
 * same from the high end.
 */
static void find_ends(const struct gf_measured *m, int first, int end, double clip, int *low, int *high)
{
    const double most = clip * (double)m->samples * (end - first) * (1 + 1e-12);
    double n = 0;

    *low = 0;
    *high = m->bins - 1;
    for (n = count_at(m, first, end, *low); n <= most && *low < m->bins - 1; n += count_at(m, first, end, *low))
        ++*low;
    for (n = count_at(m, first, end, *high); n <= most && *high > 0; n += count_at(m, first, end, *high))
        --*high;
}

static int settle_shares(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;
    const bool together = b->options.mode == TOGETHER;
    int low = 0, high = 0;

    (void)err;
    for (int c = 0; c < m->channels; c++) {
        if (c == 0 || !together)
            find_ends(m, together ? 0 : c, together ? m->channels : c + 1, b->options.clip, &low, &high);
        write_scale(tables + b->table + 2 * c, gf_bin_range_value(&b->options.range, (double)low / (m->bins - 1)),
                    gf_bin_range_value(&b->options.range, (double)high / (m->bins - 1)));
    }
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int colours = gf_colours(in);
    const struct gf_histogram count = { .bins = in->type == GF_U8 ? 256 : 65536, .binning = GF_BIN_ROUND,
                                        .channels = colours };
    const struct gf_reduce reduce = { .block_units = 1, .channels = colours };
    struct gf_point_step step = { .kind = GF_POINT_SCALE, .channels = colours };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    const struct autolevel *a = config;
    const struct gf_point_step scale = gf_bin_range_to_unit(&a->range, colours);
    struct gf_point view;
    float *entries;
    int result;

    if (b == NULL)
        return gf_fail_memory(err, NULL);
    if (a->range.given && a->clip == 0)
        return gf_fail(err, GF_MISUSED,
                       "autolevel: range= needs a clip, which is counted in bins; write autolevel:1%%,range=0,10");
    b->options = *a;
    gf_point_init(&view, in->channels);
    if (a->range.given && gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "autolevel: the chain is too long; split it into two commands");
    if (a->clip > 0 && !a->range.given)
        gf_build_mark_binned(build);
    b->table = step.table = gf_build_alloc_table(build, 2 * colours, &entries);
    if (b->options.clip > 0)
        result = gf_build_measure(build, &gf_op_histogram, &count, &view, settle_shares, NULL, b, err);
    else
        result = gf_build_measure(build, &gf_op_reduce, &reduce, NULL, settle_extremes, NULL, b, err);
    return result == 0 ? gf_build_point(build, &step, NULL, err) : -1;
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm autolevel -o full.png",
    "gpufilter -i photo.ppm autolevel:1% -o full.png",
    "gpufilter -i photo.ppm autolevel:0.5%,rgb -o white.png",
    NULL
};

const struct gf_stage gf_stage_autolevel = {
    .name = "autolevel",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "stretch values to the full range",
    .text = "The lowest value becomes 0 and the highest becomes 1. Values in between are mapped linearly. "
            "An image with a single value does not change. Alpha is copied.\n\n"
            "Mode together finds the lowest and highest value among all color channels, so hues stay the "
            "same. Mode rgb does it for each channel separately, which also removes a color cast.\n\n"
            "With a clip of 1%, the lowest 1% of the values may fall below 0, and the highest 1% may rise "
            "above 1. The values are counted in bins: 256 for images of 8 bits or fewer, otherwise 65536 "
            "from 0 to 1. Counting starts at each end. The first bin at which the count exceeds CLIP "
            "becomes 0 (at the low end) or 1 (at the high end). With range=LO,HI the bins cover LO to HI, "
            "for floats outside 0 to 1.\n\n"
            "The whole image is read before the first row is written.",
    .examples = examples,
    .picture = "page.ppm autolevel:1%,rgb",
    .options = options,
    .config_bytes = sizeof(struct autolevel),
    .bind = bind,
};

static const char *const normalize_examples[] = {
    "gpufilter -i photo.ppm normalize -o full.png",
    "gpufilter -i chart.pgm normalize:1% -o full.png",
    NULL
};

const struct gf_stage gf_stage_normalize = {
    .name = "normalize",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "stretch values to the full range (same as autolevel)",
    .text = "normalize is another name for autolevel. The lowest value becomes 0 and the highest becomes "
            "1, as with NORM_MINMAX in OpenCV. ImageMagick's -normalize also cuts off a little at both "
            "ends of each channel; give a clip for that.",
    .examples = normalize_examples,
    .picture = "page.ppm normalize:2%",
    .options = options,
    .config_bytes = sizeof(struct autolevel),
    .bind = bind,
};
