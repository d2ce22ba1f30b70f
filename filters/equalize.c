/* equalize: map values through the cumulative histogram, for images and audio. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "filters/lab.h"
#include "kernels/statistics/histogram.h"

#include <math.h>

enum mode { LUMA, RGB };

struct equalize {
    int mode;
    struct gf_extent range;
    int space;
};

/* State for settle(), which runs after the values are counted. */
struct settle_context {
    int64_t table;
    int bins, channels;
    bool change;                 /* the table holds differences, not values */
};

static const char *const modes[] = { "luma", "rgb", NULL };
static const char *const spaces[] = GF_SPACE_CHOICES;

static const struct gf_option options[] = {
    { .name = "mode", .type = GF_OPTION_CHOICE, .offset = offsetof(struct equalize, mode), .by_default = LUMA,
      .choices = modes,
      .text = "luma: equalize the brightness, which keeps hues; rgb: equalize each channel separately" },
    GF_BIN_RANGE_OPTION(struct equalize, range),
    GF_SPACE_OPTION(struct equalize, spaces),
    { .name = NULL }
};

/* Fills the lookup table of one channel. A channel with a single value stays as it is. */
static void fill_table(float *table, const uint64_t *counts, const uint64_t *sums, int bins, bool change)
{
    int first = 0;
    double below, all;

    while (first < bins - 1 && counts[first] == 0)
        first++;
    below = (double)sums[first];
    all = (double)sums[bins - 1];
    for (int i = 0; i < bins; i++) {
        double to = i;

        if (all > below)
            to = i < first ? 0 : nearbyint(((double)sums[i] - below) * (bins - 1) / (all - below));
        table[i] = (float)((change ? to - i : to) / (bins - 1));
    }
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;

    (void)err;
    for (int c = 0; c < b->channels; c++)
        fill_table(tables + b->table + (int64_t)c * b->bins, m->counts + (int64_t)c * b->bins,
                   m->sums + (int64_t)c * b->bins, b->bins, b->change);
    return 0;
}

/* Counts the lightness of another space, and changes it there. */
static int bind_lightness(enum gf_space space, struct gf_build *build, struct gf_error *err)
{
    const struct gf_histogram op = { .binning = GF_BIN_ROUND, .bins = 65536, .channels = 1 };
    struct gf_point_step step = { .kind = GF_POINT_TABLE, .channels = 1, .bins = op.bins };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_point_step to[GF_LAB_STEPS], back[GF_LAB_STEPS];
    struct gf_point view;
    float *entries;

    if (b == NULL || gf_lab_view(space, gf_build_format(build)->channels, &view) != 0)
        return gf_fail_memory(err, "equalize");
    b->bins = op.bins;
    b->channels = 1;
    b->table = step.table = gf_build_alloc_table(build, op.bins, &entries);
    if (gf_build_measure(build, &gf_op_histogram, &op, &view, settle, NULL, b, err) != 0)
        return -1;
    gf_build_mark_binned(build);
    gf_lab_steps(space, to, back);
    if (gf_lab_add(to, build, err) != 0 || gf_build_point(build, &step, NULL, err) != 0)
        return -1;
    return gf_lab_add(back, build, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct equalize *e = config;
    const bool by_luma = e->mode == LUMA && gf_colours(in) == 3;
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_histogram op = { .binning = GF_BIN_ROUND };
    struct gf_point_step step = { .kind = by_luma ? GF_POINT_LUMA_TABLE : GF_POINT_TABLE,
                                  .channels = gf_colours(in) };
    const struct gf_point_step scale = gf_bin_range_to_unit(&e->range, gf_colours(in));
    const struct gf_point_step back = gf_bin_range_from_unit(&e->range, gf_colours(in));
    struct gf_point view;
    float *entries;

    if (b == NULL)
        return gf_fail_memory(err, "equalize");
    if (e->space != GF_SPACE_STORED && (e->mode == RGB || e->range.given))
        return gf_fail(err, GF_MISUSED, "equalize: in=%s changes only the lightness, from 0 to 1; omit %s",
                       spaces[e->space], e->mode == RGB ? "rgb" : "range=");
    if (e->space != GF_SPACE_STORED && gf_colours(in) == 3)
        return bind_lightness((enum gf_space)e->space, build, err);
    gf_point_init(&view, in->channels);
    if ((e->range.given && gf_point_add(&view, &scale) != 0) || (by_luma && gf_point_add(&view, &gf_point_luma) != 0))
        return gf_fail(err, GF_FAILED, "equalize: the chain is too long; split it into two commands");
    b->bins = op.bins = step.bins = in->type == GF_U8 ? 256 : 65536;
    b->channels = op.channels = by_luma ? 1 : gf_colours(in);
    b->change = by_luma;
    b->table = step.table = gf_build_alloc_table(build, (int64_t)b->channels * b->bins, &entries);
    if (gf_build_measure(build, &gf_op_histogram, &op, &view, settle, NULL, b, err) != 0)
        return -1;
    if (e->range.given)
        gf_build_mark_range_kept(build);
    if (!e->range.given) {
        gf_build_mark_binned(build);
        return gf_build_point(build, &step, NULL, err);
    }
    return gf_build_point(build, &scale, NULL, err) != 0 || gf_build_point(build, &step, NULL, err) != 0 ? -1
         : gf_build_point(build, &back, NULL, err);
}

#define AUDIO_BINS 65536

/*
 * Audio is counted by the levels of 16 bits. These steps map levels to bins and back. Both are
 * exact: the bin of a sample is its level + 32768.
 */
static const struct gf_point_step to_bins = { .kind = GF_POINT_AFFINE, .a = 32768.0f / 65535, .b = 32768.0f / 65535 };
static const struct gf_point_step from_bins = { .kind = GF_POINT_AFFINE, .a = 65535.0f / 32768, .b = -1 };

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_histogram op = { .binning = GF_BIN_ROUND, .bins = AUDIO_BINS, .channels = in->channels };
    const struct gf_point_step finite = { .kind = GF_POINT_FINITE, .channels = in->channels };
    struct gf_point_step there = to_bins,
                         table = { .kind = GF_POINT_TABLE, .channels = in->channels, .bins = AUDIO_BINS },
                         back = from_bins;
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    struct gf_point view;
    float *entries;

    (void)config;
    gf_build_mark_binned(build);
    there.channels = back.channels = in->channels;
    gf_point_init(&view, in->channels);
    if (b == NULL || (!gf_build_is_finite(build) && gf_point_add(&view, &finite) != 0)
        || gf_point_add(&view, &there) != 0)
        return gf_fail_memory(err, "equalize");
    b->bins = AUDIO_BINS;
    b->channels = in->channels;
    b->table = table.table = gf_build_alloc_table(build, (int64_t)in->channels * AUDIO_BINS, &entries);
    if (gf_build_measure(build, &gf_op_histogram, &op, &view, settle, NULL, b, err) != 0
        || gf_build_make_finite(build, err) != 0 || gf_build_point(build, &there, NULL, err) != 0
        || gf_build_point(build, &table, NULL, err) != 0)
        return -1;
    return gf_build_point(build, &back, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm equalize -o even.png",
    "gpufilter -i photo.ppm equalize:rgb -o even.png",
    "gpufilter -i photo.ppm equalize:in=lab -o even.png",
    "gpufilter -i photo.ppm gray equalize -o even.pgm",
    NULL
};

const struct gf_stage gf_stage_equalize = {
    .name = "equalize",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "spread values evenly over the full range",
    .text = "The values are counted, in 256 bins for images of 8 bits or fewer, otherwise in 65536. Each "
            "value becomes its share of the cumulative count: the lowest becomes 0, the highest 1. An "
            "image with a single value does not change. Alpha is copied.\n\n"
            "Mode luma equalizes the brightness .299 r + .587 g + .114 b, and adds the change to each "
            "channel. Mode rgb equalizes each channel separately. With in=lab, the lightness L* of CIE L*a*b* is "
            "equalized in 65536 bins, and a* and b* stay; with in=oklab, the lightness of Oklab. A gray image is "
            "equalized as it is.\n\n"
            "With range=LO,HI the bins cover LO to HI. Floats within the range are spread evenly over it. "
            "Those outside become LO or HI.\n\n"
            "The whole image is read before the first row is written.",
    .examples = examples,
    .picture = "scene.ppm equalize",
    .options = options,
    .config_bytes = sizeof(struct equalize),
    .bind = bind,
};

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav equalize -o dense.wav",
    "gpufilter -i sound.wav equalize histogram:64 -o flat.svg",
    NULL
};

const struct gf_stage gf_stage_equalize_audio = {
    .name = "equalize",
    .kind = GF_AUDIO,
    .group = GF_GROUP_LEVEL,
    .range = GF_RANGE_SET,
    .summary = "spread amplitudes evenly over the full range",
    .text = "The samples of each channel are counted at the 65536 levels of 16 bits. Each level becomes "
            "its share of the cumulative count: the lowest becomes -1, the highest the greatest level. "
            "All levels then occur equally often, so a drawing shows even the lowest bits. The "
            "audio is distorted.\n\n"
            "A channel with a single level does not change. Samples that are not finite count as silence. "
            "All of the audio is read before the first sample is written.",
    .examples = audio_examples,
    .picture = "voice.wav equalize | waveform:600",
    .wants_length = true,
    .bind = bind_audio,
};
