/* stats for audio: statistics of levels, as a table. */
#include "chain/stage.h"
#include "filters/channel_names.h"
#include "filters/peaks.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/reduce.h"
#include "table/table.h"

#include <math.h>

#define OUTPUTS \
    "The extension of the output or --to chooses TSV, CSV, JSON, or a drawing as SVG or PNG. With " \
    "several inputs, one table has the rows of each input; its first column, file, is the name."

enum { MIN, MAX, MEAN, SD, RMS, PEAK_DB, RMS_DB, CREST, LUFS, CLIPPED, CLIPPED_AT, NONFINITE, TRUE_PEAK_DB, FIELDS };

/* The last field is there only with stats:true. */
static const char *const fields[FIELDS] = {
    "min", "max", "mean", "sd", "rms", "peak_db", "rms_db", "crest", "lufs", "clipped", "clipped_at",
    "nonfinite", "true_peak_db"
};

struct stats {
    bool true_peaks;
};

static const struct gf_option options[] = {
    { .name = "true", .type = GF_OPTION_FLAG, .offset = offsetof(struct stats, true_peaks), .key_only = true,
      .text = "add true peaks, those between samples: one more column; the audio is read twice" },
    { .name = NULL }
};

/* The results of each channel and, last, of all channels. */
struct sound_stats {
    bool keep_for_peaks;                        /* the audio is kept, to measure true peaks later */
    int64_t samples;
    struct gf_reduced levels[GF_MAX_CHANNELS + 1];
    double lufs[GF_MAX_CHANNELS + 1];
    double clipped_at[GF_MAX_CHANNELS + 1];      /* seconds; NAN: no sample is clipped */
};

static double peak_of(const struct gf_reduced *r)
{
    return r->finite > 0 ? fmax(fabs(r->min), fabs(r->max)) : NAN;
}

static void fill_fields(const struct sound_stats *h, int channel, double true_peak, double *v)
{
    const struct gf_reduced *r = &h->levels[channel];
    const double n = r->finite > 0 ? r->finite : NAN;
    const double mean = r->sum / n, square = r->squares / n, peak = peak_of(r);

    v[MIN] = r->finite > 0 ? r->min : NAN;
    v[MAX] = r->finite > 0 ? r->max : NAN;
    v[MEAN] = mean;
    v[SD] = r->finite > 0 ? sqrt(fmax(square - mean * mean, 0)) : NAN;
    v[RMS] = sqrt(square);
    v[PEAK_DB] = 20 * log10(peak);
    v[RMS_DB] = 10 * log10(square);
    v[CREST] = v[RMS] > 0 ? peak / v[RMS] : NAN;     /* 0 / 0 prints as -nan */
    v[LUFS] = h->lufs[channel];
    v[CLIPPED] = r->clipped;
    v[CLIPPED_AT] = h->clipped_at[channel];
    v[NONFINITE] = r->nonfinite;
    if (h->keep_for_peaks)
        v[TRUE_PEAK_DB] = 20 * log10(true_peak);
}

/* Makes a table with a row of `count` values for each channel, and one for all; NULL: out of memory. */
static double *open_table(const struct gf_measured *m, int count, struct gf_build *build, struct gf_table *table,
                          struct gf_error *err)
{
    double *values = gf_build_alloc(build, (size_t)((m->channels + 1) * count) * sizeof *values);
    const char *const *channels = gf_channel_names(m->format, build);

    if (values == NULL || channels == NULL) {
        gf_fail_memory(err, "stats");
        return NULL;
    }
    *table = (struct gf_table) { .channels = m->channels, .channel_names = channels, .samples = m->samples,
                                 .fields = count, .field_names = fields, .values = values };
    return values;
}

static int keep_levels(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    struct sound_stats *h = *(struct sound_stats *const *)config;
    const bool weighed = gf_loudness_takes_rate(m->format->rate);
    const int all = m->channels;

    (void)tables, (void)err;
    h->samples = m->samples;
    h->clipped_at[all] = NAN;
    for (int c = 0; c < all; c++) {
        h->levels[c] = m->reduced[c];
        h->lufs[c] = weighed ? gf_loudness_of_channel(m->energies, m->blocks, m->channels, c) : NAN;
        h->clipped_at[c] = m->clipped_from[c] < 0 ? NAN : (double)m->clipped_from[c] / m->format->rate;
        h->clipped_at[all] = fmin(h->clipped_at[all], h->clipped_at[c]);
        if (c == 0)
            h->levels[all] = h->levels[0];
        else
            gf_reduced_join(&h->levels[all], &h->levels[c]);
    }
    h->lufs[all] = weighed ? gf_loudness_of(m->energies, m->blocks, m->channels) : NAN;
    return 0;
}

/* Returns the true peak of a channel, or of all channels; NAN if no sample counts. */
static double true_peak(const struct sound_stats *h, const struct gf_measured *m, int channel)
{
    double peak = 0;

    if (h->levels[channel].finite <= 0)
        return NAN;
    for (int c = 0; c < m->channels; c++)
        if (channel == c || channel == m->channels)
            peak = fmax(peak, peak_of(&m->reduced[c]));
    return peak;
}

/* Fills one row for each channel, and one for all channels together. */
static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct sound_stats *h = *(struct sound_stats *const *)config;
    const char **names = gf_build_alloc(build, (size_t)(m->channels + 1) * sizeof *names);
    const int count = h->keep_for_peaks ? FIELDS : FIELDS - 1;
    double *values;

    if (!h->keep_for_peaks && keep_levels(config, m, NULL, err) != 0)
        return -1;
    if (names == NULL)
        return gf_fail_memory(err, "stats");
    if (open_table(m, count, build, table, err) == NULL)
        return -1;
    values = (double *)table->values;
    for (int c = 0; c <= m->channels; c++, values += count) {
        fill_fields(h, c, h->keep_for_peaks ? true_peak(h, m, c) : NAN, values);
        names[c] = c < m->channels ? table->channel_names[c] : "all";
    }
    table->channel_names = names;
    table->channels = m->channels + 1;
    table->samples = h->samples;
    table->total = true;
    return 0;
}

/* Measures levels and loudness: the only pass, or with true peaks the first of two. */
static int measure_samples(const struct gf_format *in, struct gf_build *build, struct sound_stats **config,
                           struct gf_error *err)
{
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels,
                                  .full = gf_peaks_full_scale(in, build) };
    const bool keep_for_peaks = (*config)->keep_for_peaks;
    struct gf_loudness l;
    float *ring;

    if (!gf_loudness_takes_rate(in->rate))
        return gf_build_measure(build, &gf_op_reduce, &op, NULL, keep_for_peaks ? keep_levels : NULL,
                                keep_for_peaks ? NULL : report, config, err);
    gf_loudness_make(&l, in->rate, in->channels);
    l.levels = true;
    l.full = op.full;
    l.ring = gf_build_alloc_table(build, GF_LOUDNESS_RING(&l), &ring);
    if (ring == NULL)
        return gf_fail_memory(err, "stats");
    gf_loudness_ring(&l, ring);
    return gf_build_measure(build, &gf_op_loudness, &l, NULL, keep_for_peaks ? keep_levels : NULL,
                            keep_for_peaks ? NULL : report, config, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct stats *s = config;
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels };
    struct sound_stats *h = gf_build_alloc(build, sizeof *h), **keep = gf_build_alloc(build, sizeof *keep);

    if (h == NULL || keep == NULL)
        return gf_fail_memory(err, "stats");
    *keep = h;
    h->keep_for_peaks = s->true_peaks;
    if (measure_samples(in, build, keep, err) != 0)
        return -1;
    if (!h->keep_for_peaks)
        return 0;
    if (gf_peaks_oversample(build, err) != 0)
        return -1;
    return gf_build_measure(build, &gf_op_reduce, &op, NULL, NULL, report, keep, err);
}

/* True peaks need a second pass. */
static bool waits(const void *config)
{
    return ((const struct stats *)config)->true_peaks;
}

static const char *const examples[] = {
    "gpufilter -i sound.wav stats",
    "gpufilter -i sound.wav stats:true",
    "gpufilter -i sound.wav gain:-3 stats -o levels.json",
    "gpufilter -i '*.wav' stats -o all.csv",
    NULL
};

const struct gf_stage gf_stage_stats_audio = {
    .name = "stats",
    .kind = GF_AUDIO,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_TABLE,
    .summary = "measure peak, RMS, loudness and clipping, as a table",
    .text =
        "stats ends the chain. The table has a row for each channel and a last row, all, for all channels "
        "together:\n\n"
        "    min, max     lowest and highest sample\n"
        "    mean, sd     mean (DC offset) and standard deviation\n"
        "    rms          root of the mean square\n"
        "    peak_db      peak, in dB of full scale\n"
        "    rms_db       RMS, in dB of full scale\n"
        "    crest        peak divided by RMS; nan for silence\n"
        "    lufs         integrated loudness (ITU-R BS.1770, EBU R 128)\n"
        "    clipped      number of clipped samples\n"
        "    clipped_at   time of the first clipped sample in seconds, or nan\n"
        "    nonfinite    samples that are not finite; all other results ignore them\n\n"
        "In the row all, lufs weights surround channels by 1.41 and omits the low-frequency channel (channel "
            "4 of 6, 7 or 8). lufs is -inf for silence and for less than 0.4 s. It is nan below 4000 Hz and above "
            "10 MHz.\n\n"
            "A sample is clipped if it is at the end of its range: for stored integers the highest or the lowest "
        "level, otherwise 1 or more, or -1 or less. clipped_at is rounded down to a tenth of a second. At "
        "sample rates at which lufs is nan, it is rounded down to a block of 4096 frames.\n\n"
        "stats:true adds true_peak_db: the highest level between samples too, as defined in ITU-R BS.1770. "
        "Converters and codecs may clip there. It is the maximum of the samples and of three interpolated "
        "values after each. The interpolation filter has 64 weights for each value and is flat up to 0.46 "
        "of the rate. Samples that are not finite count as silence. This takes several times as long, and "
        "the audio is read twice. Audio from a pipe is kept in memory or on disk, as by normalize.\n\n" OUTPUTS,
    .examples = examples,
    .picture = "sound.wav stats",
    .options = options,
    .wants_length = true,
    .waits = waits,
    .config_bytes = sizeof(struct stats),
    .bind = bind,
};
