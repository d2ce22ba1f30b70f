/* threshold: make black or white, at a given value or one that Otsu's method finds. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "kernels/statistics/histogram.h"

enum method { OTSU };

struct threshold {
    struct gf_either least;
    struct gf_extent range;
};

/* State for settle(), which runs after the values are counted. */
struct settle_context {
    int64_t table;
    struct gf_extent range;
};

static const char *const methods[] = { "otsu", NULL };

static const struct gf_option options[] = {
    { .name = "threshold", .type = GF_OPTION_EITHER, .offset = offsetof(struct threshold, least), .least = -1e6,
      .most = 1e6, .levels = 1, .choices = methods, .required = true,
      .text = "lowest value that becomes white; otsu finds one" },
    GF_BIN_RANGE_OPTION(struct threshold, range),
    { .name = NULL }
};

/*
 * Returns the last bin of the darker part, for which w0·w1·(m0 - m1)² is greatest: the means of
 * both parts are farthest apart. The lowest such bin wins. If all values are equal, it is the
 * last bin. The sums are whole numbers below 2^53, so they are exact.
 */
static int find_otsu_bin(const uint64_t *counts, int bins)
{
    double all = 0, whole = 0, below = 0, sum = 0, best = 0;
    int at = bins - 1;

    for (int i = 0; i < bins; i++) {
        all += (double)counts[i];
        whole += (double)counts[i] * i;
    }
    for (int i = 0; i < bins - 1; i++) {
        below += (double)counts[i];
        sum += (double)counts[i] * i;
        if (below > 0 && below < all) {
            const double apart = sum / below - (whole - sum) / (all - below),
                         between = below * (all - below) * apart * apart;

            if (between > best) {
                best = between;
                at = i;
            }
        }
    }
    return at;
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;

    (void)err;
    for (int c = 0; c < m->channels; c++)
        tables[b->table + c] = (float)gf_bin_range_value(
            &b->range, (find_otsu_bin(m->counts + (int64_t)c * m->bins, m->bins) + 0.5) / (m->bins - 1));
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct threshold *t = config;
    const struct gf_histogram op = { .bins = in->type == GF_U8 ? 256 : 65536, .binning = GF_BIN_ROUND,
                                     .channels = gf_colours(in) };
    struct gf_point_step step = { .kind = GF_POINT_THRESHOLD, .channels = gf_colours(in) };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    const double most = t->least.number > 255 ? 65535 : 255;
    const struct gf_point_step scale = gf_bin_range_to_unit(&t->range, gf_colours(in));
    struct gf_point view;
    float *entries;

    if (b == NULL)
        return gf_fail_memory(err, "threshold");
    if (t->least.choice != OTSU && t->least.number > 10 && in->type != GF_F32 && in->type != GF_F64)
        return gf_fail(err, GF_MISUSED,
                       "threshold:%g is far above white, which is 1; write 0.5 or 50%% for half of white; %g of "
                       "%.0f is %.2g",
                       t->least.number, t->least.number, most, t->least.number / most);
    b->table = step.table = gf_build_alloc_table(build, step.channels, &entries);
    for (int c = 0; entries != NULL && c < step.channels; c++)
        entries[c] = (float)t->least.number;
    if (t->range.given && t->least.choice != OTSU)
        return gf_fail(err, GF_MISUSED, "threshold: range= needs threshold:otsu, which counts values in bins");
    b->range = t->range;
    gf_point_init(&view, in->channels);
    if (t->range.given && gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "threshold: the chain is too long; split it into two commands");
    if (t->least.choice == OTSU && step.channels > 1)
        gf_build_note(build, "threshold:otsu treats each of %d channels separately; for black and white, put gray "
                             "before it", step.channels);
    if (t->least.choice == OTSU && !t->range.given)
        gf_build_mark_binned(build);
    if (t->least.choice == OTSU && gf_build_measure(build, &gf_op_histogram, &op, &view, settle, NULL, b, err) != 0)
        return -1;
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm gray threshold:50% -o ink.png",
    "gpufilter -i chart.pgm threshold:otsu -o ink.pgm",
    "gpufilter -i photo.ppm gray blur:1 threshold:otsu -o shapes.png",
    NULL
};

const struct gf_stage gf_stage_threshold = {
    .name = "threshold",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "make black or white: 1 if v >= T, otherwise 0",
    .text = "Each channel is treated separately, so a color image gives up to eight colors. Put gray "
            "before threshold for black and white. Alpha is copied, and NaN becomes 0.\n\n"
            "threshold:otsu uses Otsu's method: it finds the value that best separates a channel into a "
            "dark and a bright part. The values are counted, in 256 bins for images of 8 bits or fewer, "
            "otherwise in 65536 from 0 to 1. With the weights w and means m of the two parts, it maximizes\n\n"
            "    w0·w1·(m0 - m1)²\n\n"
            "If several bins give the same maximum, the lowest is used. The values up to that bin become "
            "black. A channel with a single value becomes black. With range=LO,HI the bins cover LO to HI, for "
            "floats outside 0 to 1. The whole image is read before the first row is written.",
    .examples = examples,
    .picture = "page.ppm gray threshold:otsu",
    .options = options,
    .config_bytes = sizeof(struct threshold),
    .bind = bind,
};
