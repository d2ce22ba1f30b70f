/* histogram: count values, or amplitudes, as a table or a drawing. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "filters/channel_names.h"
#include "kernels/statistics/histogram.h"
#include "table/table.h"

#include <string.h>

struct histogram {
    int64_t bins;
    struct gf_extent range;
};

static const struct gf_option options[] = {
    { .name = "bins", .type = GF_OPTION_INT, .offset = offsetof(struct histogram, bins), .by_default = 256,
      .least = 1, .most = GF_HISTOGRAM_MAX_BINS,
      .text = "number of equal parts of the range from 0 to 1" },
    GF_BIN_RANGE_OPTION(struct histogram, range),
    { .name = NULL }
};

static const struct gf_option audio_options[] = {
    { .name = "bins", .type = GF_OPTION_INT, .offset = offsetof(struct histogram, bins), .by_default = 65536,
      .least = 1, .most = GF_HISTOGRAM_MAX_BINS,
      .text = "number of equal parts of the range from -1 to 1" },
    { .name = NULL }
};

static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct gf_extent *range = &((const struct histogram *)config)->range;
    const double low = m->format->kind == GF_AUDIO ? -1 : 0;
    const size_t bytes = (size_t)m->channels * (size_t)m->bins * sizeof *m->counts;
    uint64_t *counts = gf_build_alloc(build, bytes);
    const char *const *names = gf_channel_names(m->format, build);

    if (counts == NULL || names == NULL)
        return gf_fail_memory(err, "histogram");
    memcpy(counts, m->counts, bytes);
    *table = (struct gf_table) { .numbers = GF_TABLE_COUNTS, .channels = m->channels,
                                 .channel_names = names, .bins = m->bins,
                                 .low = range->given ? range->low : low, .high = range->given ? range->high : 1,
                                 .samples = m->samples, .counts = counts };
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct histogram *h = config;
    const struct gf_histogram op = { .bins = (int)h->bins, .binning = GF_BIN_FLOOR, .channels = in->channels };
    const struct gf_point_step scale = gf_bin_range_to_unit(&h->range, in->channels);
    struct gf_point view;

    if (!h->range.given) {
        gf_build_mark_binned(build);
        return gf_build_measure(build, &gf_op_histogram, &op, NULL, NULL, report, config, err);
    }
    gf_point_init(&view, in->channels);
    if (gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "histogram: the chain is too long; split it into two commands");
    return gf_build_measure(build, &gf_op_histogram, &op, &view, NULL, report, config, err);
}

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct histogram *h = config;
    const struct gf_histogram op = { .bins = (int)h->bins, .binning = GF_BIN_FLOOR, .channels = in->channels };
    const struct gf_point_step step = { .kind = GF_POINT_AFFINE, .channels = in->channels, .a = 0.5f, .b = 0.5f };
    struct gf_point view;

    gf_point_init(&view, in->channels);
    if (gf_point_add(&view, &step) != 0)
        return gf_fail(err, GF_FAILED, "histogram: the chain is too long; split it into two commands");
    gf_build_mark_binned(build);
    return gf_build_measure(build, &gf_op_histogram, &op, &view, NULL, report, config, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm histogram -o counts.tsv",
    "gpufilter -i photo.ppm gray histogram:16 --to csv",
    "gpufilter -i photo.ppm histogram:64 -o counts.json",
    "gpufilter -i photo.ppm histogram -o counts.svg",
    "gpufilter -i photo.ppm histogram -o term:",
    "gpufilter -i photo.ppm pad:40,40,40,40 histogram:128 -o counts.png",
    NULL
};

const struct gf_stage gf_stage_histogram = {
    .name = "histogram",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_TABLE,
    .summary = "count values, as a table or a drawing",
    .text = "histogram ends the chain. A value v is counted in bin ⌊v·BINS⌋. Values beyond the ends are "
            "counted in the outermost bins, and NaN in bin 0. With range=LO,HI the bins cover LO to HI, "
            "for floats outside 0 to 1. The table has a column for each channel. The extension of the "
            "output or --to chooses TSV, CSV or JSON.\n\n"
            "As SVG or PNG the histogram is drawn. Each channel has a translucent color. Solid bars next "
            "to the plot show the first and the last bin. The scale ignores bins that are far higher than "
            "all others; their bars are cut off and marked with a tip (see FORMATS in gpufilter(1)).",
    .examples = examples,
    .picture = "scene.ppm histogram",
    .options = options,
    .config_bytes = sizeof(struct histogram),
    .bind = bind,
};

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav histogram:256 -o amplitudes.svg",
    "gpufilter -i sound.wav mono histogram:16 --to csv",
    "gpufilter -i sound.wav histogram -o amplitudes.json",
    NULL
};

const struct gf_stage gf_stage_histogram_audio = {
    .name = "histogram",
    .kind = GF_AUDIO,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_TABLE,
    .summary = "count amplitudes, as a table or a drawing",
    .text = "histogram ends the chain. A sample v is counted in bin ⌊(v + 1)/2·BINS⌋. Samples beyond the "
            "ends are counted in the outermost bins, and NaN in bin 0. With 65536 bins, each level of 16 "
            "bits has its own bin; silence is bin 32768. The table has a column for each channel. The "
            "extension of the output or --to chooses TSV, CSV, JSON, or a drawing as SVG or PNG.",
    .examples = audio_examples,
    .picture = "sound.wav histogram:256",
    .options = audio_options,
    .config_bytes = sizeof(struct histogram),
    .bind = bind_audio,
};
