/* autolevel, or normalize: what there is of values, stretched to the full range. */
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

/* What settling needs to know. */
struct settle_context {
    struct autolevel options;
    int64_t table;
};

static const char *const modes[] = { "together", "rgb", NULL };

static const struct gf_option options[] = {
    { .name = "clip", .type = GF_OPTION_NUMBER, .offset = offsetof(struct autolevel, clip), .by_default = 0, .least = 0, .most = 0.49,
      .text = "the share of the values to cut off at each end, like 1%" },
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct autolevel, mode), .by_default = TOGETHER, .choices = modes,
      .text = "stretch all channels alike and keep hues, or treat each channel alone" },
    GF_BIN_RANGE_OPTION(struct autolevel, range),
    { .name = NULL }
};

/* The scale that takes low to 0 and high to 1; one value alone stays what it is. */
static void write_scale(float *pair, double low, double high)
{
    pair[0] = high > low ? (float)(1 / (high - low)) : 1;
    pair[1] = high > low ? (float)(-low / (high - low)) : 0;
}

/* From the least and the greatest value. */
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

/* How often bin i was met in channels [first, end). */
static double count_at(const struct gf_measured *m, int first, int end, int i)
{
    double n = 0;

    for (int c = first; c < end; c++)
        n += (double)m->counts[(int64_t)c * m->bins + i];
    return n;
}

/* The outermost bins with more than the share to cut off from the end to and with them. */
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
    const struct gf_histogram count = { .bins = in->type == GF_U8 ? 256 : 65536, .binning = GF_BIN_ROUND, .channels = colours };
    const struct gf_reduce reduce = { .block_units = 1, .channels = colours };
    struct gf_point_step step = { .kind = GF_POINT_SCALE, .channels = colours };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    const struct autolevel *a = config;
    const struct gf_point_step scale = gf_bin_range_to_unit(&a->range, colours);
    struct gf_point view;
    float *entries;
    int result;

    if (b == NULL)
        return gf_fail(err, GF_FAILED, "not enough memory");
    if (a->range.given && a->clip == 0)
        return gf_fail(err, GF_MISUSED, "autolevel: range is for a clip, whose shares are counted in bins; give one, as in autolevel:1%%,range=0,10");
    b->options = *a;
    gf_point_init(&view, in->channels);
    if (a->range.given && gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "autolevel: the chain is too long");
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
    .range = GF_RANGE_SET,
    .summary = "stretches values to the full range",
    .text = "The least value becomes 0 and the greatest 1, in a straight line between. together finds them among all colour "
            "channels, so hues stay what they are; rgb does it for each channel alone, which also takes away a cast. With a clip, as "
            "much of all values as it says may become less than 0, and as much more than 1: values are counted (in 256 bins for "
            "pictures of 8 bits or fewer, else in 65536 from 0 to 1), and the line runs from the lowest bin to the highest with "
            "more than that up to them. With range=LO,HI the bins span LO to HI, for floats outside 0 to 1. A flat picture is left alone, and so is alpha. All of the picture is read before the "
            "first row is written.",
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
    .range = GF_RANGE_SET,
    .summary = "the same as autolevel",
    .text = "Another name of autolevel, which see: the least value becomes 0 and the greatest 1, as with NORM_MINMAX in OpenCV. "
            "-normalize of ImageMagick cuts off a little at both ends of each channel.",
    .examples = normalize_examples,
    .picture = "page.ppm normalize:2%",
    .options = options,
    .config_bytes = sizeof(struct autolevel),
    .bind = bind,
};
