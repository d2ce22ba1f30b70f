/* stats: what a recording amounts to, as a table. */
#include <math.h>

#include "names.h"
#include "reduce.h"
#include "stage.h"

enum { MIN, MAX, MEAN, SD, RMS, PEAK_DB, RMS_DB, NONFINITE, FIELDS };

static const char *const fields[FIELDS] = { "min", "max", "mean", "sd", "rms", "peak_db", "rms_db", "nonfinite" };

static void fill_fields(const struct gf_reduced *r, double *v)
{
    const double n = r->finite > 0 ? r->finite : NAN;
    const double mean = r->sum / n, square = r->squares / n;

    v[MIN] = r->finite > 0 ? r->min : NAN;
    v[MAX] = r->finite > 0 ? r->max : NAN;
    v[MEAN] = mean;
    v[SD] = sqrt(fmax(square - mean * mean, 0));
    v[RMS] = sqrt(square);
    v[PEAK_DB] = 20 * log10(fmax(fabs(v[MIN]), fabs(v[MAX])));
    v[RMS_DB] = 10 * log10(square);
    v[NONFINITE] = r->nonfinite;
    if (r->finite == 0)
        v[SD] = v[PEAK_DB] = NAN;
}

static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table, struct gf_error *err)
{
    double *values = gf_build_alloc(build, (size_t)m->channels * FIELDS * sizeof *values);
    const char *const *names = gf_channel_names(m->format, build);

    (void)config;
    if (values == NULL || names == NULL)
        return gf_fail(err, GF_FAILED, "stats: not enough memory");
    for (int c = 0; c < m->channels; c++)
        fill_fields(&m->reduced[c], values + c * FIELDS);
    *table = (struct gf_table) { .channels = m->channels, .channel_names = names, .samples = m->samples,
                                 .fields = FIELDS, .field_names = fields, .values = values };
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_reduce op = { .block_units = GF_REDUCE_FRAMES, .channels = in->channels };

    return gf_build_measure(build, GF_OP_REDUCE, &op, sizeof op, NULL, NULL, report, config, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav stats",
    "gpufilter -i sound.wav gain:-3 stats -o levels.json",
    NULL
};

const struct gf_stage gf_stage_stats_audio = {
    .name = "stats",
    .kind = GF_AUDIO,
    .summary = "a table of levels: peak, RMS, mean",
    .text = "Ends the chain. A row for each channel: the least and the greatest sample, mean, standard deviation, RMS, peak "
            "and RMS in dB of full scale, and how many samples are not finite (these count for nothing else). "
            "TSV, CSV or JSON, told by the output's name or --to.",
    .examples = examples,
    .bind = bind,
};
