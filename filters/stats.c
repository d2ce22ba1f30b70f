/* stats: what a picture or a recording amounts to, as a table. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "filters/channel_names.h"
#include "filters/peaks.h"
#include "kernels/statistics/histogram.h"
#include "kernels/statistics/loudness.h"
#include "kernels/statistics/reduce.h"
#include "table/table.h"

#include <math.h>

/* ---- recordings ---- */

enum { MIN, MAX, MEAN, SD, RMS, PEAK_DB, RMS_DB, CREST, LUFS, CLIPPED, CLIPPED_AT, NONFINITE, TRUE_PEAK_DB, FIELDS };

/* The last one only where it is asked for. */
static const char *const fields[FIELDS] = { "min", "max", "mean", "sd", "rms", "peak_db", "rms_db", "crest", "lufs", "clipped", "clipped_at",
                                            "nonfinite", "true_peak_db" };

struct stats {
    bool true_peaks;
};

static const struct gf_option options[] = {
    { .name = "true", .type = GF_OPTION_FLAG, .offset = offsetof(struct stats, true_peaks), .key_only = true,
      .text = "true peaks too, those between samples: a column more, and a second look at the sound" },
    { .name = NULL }
};

/* What was found of the samples, of each channel and, last, of all of them. */
struct sound_stats {
    bool between;                        /* it is kept for a second look, between samples */
    int64_t samples;
    struct gf_reduced levels[GF_MAX_CHANNELS + 1];
    double lufs[GF_MAX_CHANNELS + 1];
    double clipped_at[GF_MAX_CHANNELS + 1];      /* seconds; NAN: nothing is clipped */
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
    v[CREST] = v[RMS] > 0 ? peak / v[RMS] : NAN;     /* 0 / 0 would print as -nan */
    v[LUFS] = h->lufs[channel];
    v[CLIPPED] = r->clipped;
    v[CLIPPED_AT] = h->clipped_at[channel];
    v[NONFINITE] = r->nonfinite;
    if (h->between)
        v[TRUE_PEAK_DB] = 20 * log10(true_peak);
}

/* A table with room for `count` values a channel, and `more` rows of them; NULL where memory ran out. */
static double *open_table(const struct gf_measured *m, const char *const *names, int count, int more,
                          struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    double *values = gf_build_alloc(build, (size_t)((m->channels + more) * count) * sizeof *values);
    const char *const *channels = gf_channel_names(m->format, build);

    if (values == NULL || channels == NULL) {
        gf_fail(err, GF_FAILED, "stats: not enough memory");
        return NULL;
    }
    *table = (struct gf_table) { .channels = m->channels, .channel_names = channels, .samples = m->samples,
                                 .fields = count, .field_names = names, .values = values };
    return values;
}

static int listen(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    struct sound_stats *h = *(struct sound_stats *const *)config;
    const bool weighed = gf_loudness_is_told(m->format->rate);
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

/* The greatest magnitude of a channel between samples, or of all; none where no sample counts. */
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

/* A row a channel, and one of all of them together. */
static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    const struct sound_stats *h = *(struct sound_stats *const *)config;
    const char **names = gf_build_alloc(build, (size_t)(m->channels + 1) * sizeof *names);
    const int count = h->between ? FIELDS : FIELDS - 1;
    double *values;

    if (!h->between && listen(config, m, NULL, err) != 0)
        return -1;
    if (names == NULL)
        return gf_fail(err, GF_FAILED, "stats: not enough memory");
    if (open_table(m, fields, count, 1, build, table, err) == NULL)
        return -1;
    values = (double *)table->values;
    for (int c = 0; c <= m->channels; c++, values += count) {
        fill_fields(h, c, h->between ? true_peak(h, m, c) : NAN, values);
        names[c] = c < m->channels ? table->channel_names[c] : "all";
    }
    table->channel_names = names;
    table->channels = m->channels + 1;
    table->samples = h->samples;
    table->total = true;
    return 0;
}

/* Levels and loudness of the samples: the whole of it, or what is kept for a second look. */
static int measure_samples(const struct gf_format *in, struct gf_build *build, struct sound_stats **config, struct gf_error *err)
{
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels, .full = gf_peaks_full_scale(in, build) };
    const bool between = (*config)->between;
    struct gf_loudness l;
    float *ring;

    if (!gf_loudness_is_told(in->rate))
        return gf_build_measure(build, &gf_op_reduce, &op, NULL, between ? listen : NULL, between ? NULL : report, config, err);
    gf_loudness_make(&l, in->rate, in->channels);
    l.levels = true;
    l.full = op.full;
    l.ring = gf_build_alloc_table(build, GF_LOUDNESS_RING(&l), &ring);
    if (ring == NULL)
        return gf_fail(err, GF_FAILED, "stats: not enough memory");
    gf_loudness_ring(&l, ring);
    return gf_build_measure(build, &gf_op_loudness, &l, NULL, between ? listen : NULL, between ? NULL : report, config, err);
}

static int bind_audio(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct stats *s = config;
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels };
    struct sound_stats *h = gf_build_alloc(build, sizeof *h), **keep = gf_build_alloc(build, sizeof *keep);

    if (h == NULL || keep == NULL)
        return gf_fail(err, GF_FAILED, "stats: not enough memory");
    *keep = h;
    h->between = s->true_peaks;
    if (measure_samples(in, build, keep, err) != 0)
        return -1;
    if (!h->between)
        return 0;
    if (gf_peaks_oversample(build, err) != 0)
        return -1;
    return gf_build_measure(build, &gf_op_reduce, &op, NULL, NULL, report, keep, err);
}

/* ---- pictures ---- */

enum { I_MIN, I_MAX, I_MEAN, I_SD, I_MEDIAN, I_NONFINITE, I_FIELDS };

static const char *const image_fields[I_FIELDS] = { "min", "max", "mean", "sd", "median", "nonfinite" };

#define BINS 65536
#define INNER (BINS - 3.0)                   /* steps between the bins of the least and of the greatest value */

/* What the first look at values that are not counted level by level leaves for the second. */
struct first_look {
    int64_t shift, scale;                    /* tables */
    struct gf_reduced found[4];
};

/* The n-th of the values counted in bins [first, end), from 0. */
static int bin_of_rank(const uint64_t *counts, int first, int end, uint64_t n)
{
    uint64_t below = 0;

    for (int i = first; i < end; i++) {
        below += counts[i];
        if (below > n)
            return i;
    }
    return first;
}

/* The middle bin, or the middle between two. */
static double middle(const uint64_t *counts, int first, int end)
{
    uint64_t all = 0;

    for (int i = first; i < end; i++)
        all += counts[i];
    if (all == 0)
        return NAN;
    return (bin_of_rank(counts, first, end, (all - 1) / 2) + bin_of_rank(counts, first, end, all / 2)) / 2.0;
}

/* Stored levels, each in a bin of its own: everything is exact. */
static void fill_levels(const uint64_t *counts, int bins, double *v)
{
    const double one = bins - 1;
    double all = 0, sum = 0, squares = 0;
    int first = bins, last = 0;

    for (int i = 0; i < bins; i++) {
        all += (double)counts[i];
        sum += (double)counts[i] * i;
        first = counts[i] > 0 && first == bins ? i : first;
        last = counts[i] > 0 ? i : last;
    }
    for (int i = 0; i < bins; i++)
        squares += (double)counts[i] * (i - sum / all) * (i - sum / all);
    v[I_MIN] = first / one;
    v[I_MAX] = last / one;
    v[I_MEAN] = sum / all / one;
    v[I_SD] = sqrt(squares / all) / one;
    v[I_MEDIAN] = middle(counts, 0, bins) / one;
    v[I_NONFINITE] = 0;
}

/* Any values: the median is that of bins between the least and the greatest. */
static void fill_values(const struct gf_reduced *r, const uint64_t *counts, double *v)
{
    const double n = r->finite > 0 ? r->finite : NAN, mean = r->sum / n;

    v[I_MIN] = r->finite > 0 ? r->min : NAN;
    v[I_MAX] = r->finite > 0 ? r->max : NAN;
    v[I_MEAN] = mean;
    v[I_SD] = r->min == r->max ? 0 : sqrt(fmax(r->squares / n - mean * mean, 0));
    v[I_MEDIAN] = v[I_MIN] + (middle(counts, 1, BINS - 1) - 1) / INNER * (v[I_MAX] - v[I_MIN]);
    v[I_MEDIAN] = gf_bin_range_round(v[I_MEDIAN], (v[I_MAX] - v[I_MIN]) / INNER, v[I_MIN], v[I_MAX]);
    v[I_NONFINITE] = r->nonfinite;
    if (r->finite == 0)
        v[I_SD] = NAN;
}

static int report_levels(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    double *values = open_table(m, image_fields, I_FIELDS, 0, build, table, err);

    (void)config;
    for (int c = 0; values != NULL && c < m->channels; c++)
        fill_levels(m->counts + (int64_t)c * m->bins, m->bins, values + c * I_FIELDS);
    return values ? 0 : -1;
}

static int report_values(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    const struct first_look *b = *(struct first_look *const *)config;
    double *values = open_table(m, image_fields, I_FIELDS, 0, build, table, err);

    for (int c = 0; values != NULL && c < m->channels; c++)
        fill_values(&b->found[c], m->counts + (int64_t)c * m->bins, values + c * I_FIELDS);
    return values ? 0 : -1;
}

/*
 * The least value is to fall on bin 1 and the greatest on the last but one; what is not finite
 * falls beyond. Two steps, for the first is nearly exact and leaves the second small numbers.
 */
static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    struct first_look *b = *(struct first_look *const *)config;

    (void)err;
    for (int c = 0; c < m->channels; c++) {
        const struct gf_reduced *r = &m->reduced[c];
        const double range = r->finite > 0 ? r->max - r->min : 0;

        b->found[c] = *r;
        tables[b->shift + 2 * c] = 1;
        tables[b->shift + 2 * c + 1] = r->finite > 0 ? (float)-r->min : 0;
        tables[b->scale + 2 * c] = range > 0 ? (float)(INNER / (BINS - 1) / range) : 0;
        tables[b->scale + 2 * c + 1] = (float)(1.0 / (BINS - 1));
    }
    return 0;
}

/* The second look, through what the first one settled. */
static int measure_values(const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_reduce reduce = { .block_units = 1, .channels = in->channels };
    const struct gf_histogram count = { .bins = BINS, .binning = GF_BIN_ROUND, .channels = in->channels };
    struct gf_point_step shift = { .kind = GF_POINT_SCALE, .channels = in->channels }, scale = shift;
    struct first_look *b = gf_build_alloc(build, sizeof *b), **config = gf_build_alloc(build, sizeof *config);
    struct gf_point view;
    float *entries;

    if (b == NULL || config == NULL)
        return gf_fail(err, GF_FAILED, "stats: not enough memory");
    *config = b;
    b->shift = shift.table = gf_build_alloc_table(build, 2 * in->channels, &entries);
    b->scale = scale.table = gf_build_alloc_table(build, 2 * in->channels, &entries);
    gf_point_init(&view, in->channels);
    if (gf_point_add(&view, &shift) != 0 || gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "stats: the chain is too long");
    if (gf_build_measure(build, &gf_op_reduce, &reduce, NULL, settle, NULL, config, err) != 0)
        return -1;
    return gf_build_measure(build, &gf_op_histogram, &count, &view, NULL, report_values, config, err);
}

static int bind_image(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_histogram levels = { .bins = (int)in->maxval + 1, .binning = GF_BIN_ROUND, .channels = in->channels };

    if (!gf_build_is_stored(build) || gf_type_is_float(in->type))
        return measure_values(in, build, err);
    return gf_build_measure(build, &gf_op_histogram, &levels, NULL, NULL, report_levels, config, err);
}

static const char *const image_examples[] = {
    "gpufilter -i photo.ppm stats",
    "gpufilter -i photo.ppm gray blur:3 stats -o levels.json",
    "gpufilter -i '*.ppm' stats -o all.tsv",
    NULL
};

const struct gf_stage gf_stage_stats = {
    .name = "stats",
    .kind = GF_IMAGE,
    .ends = GF_ENDS_TABLE,
    .summary = "a table of values: least, greatest, mean, median",
    .text = "Ends the chain. A row for each channel, alpha too: the least and the greatest value, mean, standard deviation, median, on "
            "the scale from 0 to 1, and how many values are not finite (these count for nothing else). Of an even number of "
            "values the median is the mean of the middle two. Integers as they are stored are counted level by level, so all "
            "is exact; of floats, and of what stages before have computed, the median is that of 65534 equal steps between the least and the "
            "greatest value, rounded to the decimals that such a step leaves it, and the signal is looked at twice. Values beyond 0 and 1 count as they are between "
            "stages; to measure what a file would hold, write it first. TSV, CSV or JSON, or drawn as SVG or PNG, told by the output's name or --to. "
            "Of several inputs, one table has a row for each channel of each, with its name in the first column, file.",
    .examples = image_examples,
    .picture = "scene.ppm stats",
    .bind = bind_image,
};

/* A second look. */
static bool waits(const void *config)
{
    return ((const struct stats *)config)->true_peaks;
}

static const char *const audio_examples[] = {
    "gpufilter -i sound.wav stats",
    "gpufilter -i sound.wav stats:true",
    "gpufilter -i sound.wav gain:-3 stats -o levels.json",
    "gpufilter -i '*.wav' stats -o all.csv",
    NULL
};

const struct gf_stage gf_stage_stats_audio = {
    .name = "stats",
    .kind = GF_AUDIO,
    .ends = GF_ENDS_TABLE,
    .summary = "a table of levels: peak, RMS, loudness, clipping",
    .text = "Ends the chain. A row for each channel, and one, all, of all of them together: the least and the greatest sample, mean (the DC "
            "offset), standard deviation, RMS, peak and RMS in dB of full scale, crest (peak by RMS; nan for silence), lufs, how many samples are "
            "clipped and when that begins, and how many are not finite (these count for nothing else). lufs is the integrated loudness by "
            "ITU-R BS.1770 and EBU R 128: of a channel alone, and in the last row of all of them, those at the sides weighed 1.41 times and "
            "low effects left out (channel 4 of 6, 7 or 8). It is -inf for silence and for less than 0.4 s, nan under 4000 Hz and above 10 MHz. "
            "As clipped count samples at the ends of their range: of integers as they are stored the greatest and the least one, else 1 and "
            "more, or -1 and less. clipped_at is the time in seconds at which the tenth of a second begins (where lufs is not told, the 4096 frames) "
            "that has the first of them; nan where nothing is clipped.\n\n"
            "stats:true adds true_peak_db: how far the sound goes between samples, too, as ITU-R BS.1770 asks for, where a converter or a codec "
            "may yet find it too loud. It is the largest of four values a sample, of which one is the sample itself and three lie on the "
            "curve of a filter with 64 weights for each, flat up to 0.46 of the rate. Samples that are not finite are silence to it. This takes "
            "several times as long, and the sound is read twice: what comes from a pipe is kept, as normalize does.\n\n"
            "TSV, CSV or JSON, or drawn as SVG or PNG, told by the output's name or --to. "
            "Of several inputs, one table has the rows of each, with its name in the first column, file.",
    .examples = audio_examples,
    .picture = "sound.wav stats",
    .options = options,
    .wants_length = true,
    .waits = waits,
    .config_bytes = sizeof(struct stats),
    .bind = bind_audio,
};
