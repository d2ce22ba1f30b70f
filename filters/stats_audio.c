/* stats for audio: statistics of levels, as a table. */
#include "base/elementary.h"
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
      .text = "add true peaks, those between samples: one more column" },
    { .name = NULL }
};

static double peak_of(const struct gf_reduced *r)
{
    return r->finite > 0 ? fmax(fabs(r->min), fabs(r->max)) : NAN;
}

/* The results of a channel, or of all channels. */
struct sound_stats {
    struct gf_reduced levels;
    double lufs;
    double clipped_at;                           /* seconds; NAN: no sample is clipped */
    double true_peak;
};

static void fill_fields(const struct sound_stats *h, int count, double *v)
{
    const struct gf_reduced *r = &h->levels;
    const double n = r->finite > 0 ? r->finite : NAN;
    const double mean = r->sum / n, square = r->squares / n, peak = peak_of(r);

    v[MIN] = r->finite > 0 ? r->min : NAN;
    v[MAX] = r->finite > 0 ? r->max : NAN;
    v[MEAN] = mean;
    v[SD] = r->finite > 0 ? sqrt(fmax(square - mean * mean, 0)) : NAN;
    v[RMS] = sqrt(square);
    v[PEAK_DB] = 20 * gf_log10(peak);
    v[RMS_DB] = 10 * gf_log10(square);
    v[CREST] = v[RMS] > 0 ? peak / v[RMS] : NAN;     /* 0 / 0 prints as -nan */
    v[LUFS] = h->lufs;
    v[CLIPPED] = r->clipped;
    v[CLIPPED_AT] = h->clipped_at;
    v[NONFINITE] = r->nonfinite;
    if (count > TRUE_PEAK_DB)
        v[TRUE_PEAK_DB] = 20 * gf_log10(h->true_peak);
}

/* Returns the results of channel c. Its true peak is the largest sample of another channel. */
static struct sound_stats results_of(const struct gf_measured *m, int c, int channels)
{
    const struct gf_reduced *r = &m->reduced[c];
    struct sound_stats h = { .levels = *r, .lufs = NAN, .clipped_at = NAN, .true_peak = NAN };

    if (gf_loudness_takes_rate(m->format->rate))
        h.lufs = gf_loudness_of_channel(m->energies, m->blocks, m->channels, c);
    if (m->clipped_from[c] >= 0)
        h.clipped_at = (double)m->clipped_from[c] / m->format->rate;
    if (channels < m->channels && r->finite > 0)
        h.true_peak = m->reduced[channels + c].max;
    return h;
}

static void join(struct sound_stats *all, const struct sound_stats *more)
{
    gf_reduced_join(&all->levels, &more->levels);
    all->clipped_at = fmin(all->clipped_at, more->clipped_at);
    all->true_peak = fmax(all->true_peak, more->true_peak);
}

/* Makes a table with a row of `count` values for each channel, and one for all; NULL: out of memory. */
static double *open_table(const struct gf_measured *m, int channels, int count, struct gf_build *build,
                          struct gf_table *table)
{
    double *values = gf_build_alloc(build, (size_t)((channels + 1) * count) * sizeof *values);
    const char **rows = gf_build_alloc(build, (size_t)(channels + 1) * sizeof *rows);
    const char *const *names = gf_channel_names(m->format, build);

    if (values == NULL || rows == NULL || names == NULL)
        return NULL;
    for (int c = 0; c < channels; c++)
        rows[c] = names[c];
    rows[channels] = "all";
    *table = (struct gf_table) { .channels = channels + 1, .channel_names = rows, .samples = m->samples, .total = true,
                                 .fields = count, .field_names = fields, .values = values };
    return values;
}

/* Fills one row for each channel, and one for all channels together. */
static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct stats *s = config;
    const int count = s->true_peaks ? FIELDS : TRUE_PEAK_DB, channels = s->true_peaks ? m->channels / 2 : m->channels;
    double *values = open_table(m, channels, count, build, table);
    struct sound_stats all = results_of(m, 0, channels);

    if (values == NULL)
        return gf_fail_memory(err, "stats");
    for (int c = 0; c < channels; c++, values += count) {
        const struct sound_stats one = results_of(m, c, channels);

        fill_fields(&one, count, values);
        if (c > 0)
            join(&all, &one);
    }
    if (gf_loudness_takes_rate(m->format->rate))
        all.lufs = gf_loudness_of(m->energies, m->blocks, m->channels, channels);
    fill_fields(&all, count, values);
    return 0;
}

/* Measures levels, and the loudness of the first `heard` channels. */
static int measure(const struct stats *s, const struct gf_reduce *op, int64_t rate, int heard, struct gf_build *build,
                   struct gf_error *err)
{
    struct gf_loudness l;
    float *ring;

    if (!gf_loudness_takes_rate(rate))
        return gf_build_measure(build, &gf_op_reduce, op, NULL, NULL, report, s, err);
    gf_loudness_make(&l, rate, op->channels);
    l.heard = heard;
    l.levels = true;
    l.full = op->full;
    l.ring = gf_build_alloc_table(build, GF_LOUDNESS_RING(&l), &ring);
    if (ring == NULL)
        return gf_fail_memory(err, "stats");
    gf_loudness_ring(&l, ring);
    return gf_build_measure(build, &gf_op_loudness, &l, NULL, NULL, report, s, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct stats *s = config;
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .full = gf_peaks_full_scale(in, build),
                                  .channels = s->true_peaks ? 2 * in->channels : in->channels };
    const int heard = in->channels;
    const int64_t rate = in->rate;

    if (s->true_peaks && gf_peaks_beside(build, err) != 0)
        return -1;
    return measure(s, &op, rate, heard, build, err);
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
        "of the rate. Samples that are not finite count as silence. "
        "The audio may have up to 32 channels.\n\n" OUTPUTS,
    .examples = examples,
    .picture = "sound.wav stats",
    .options = options,
    .config_bytes = sizeof(struct stats),
    .bind = bind,
};
