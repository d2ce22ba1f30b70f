/* stats for images: statistics of values, as a table. */
#include "chain/stage.h"
#include "filters/bin_range.h"
#include "filters/channel_names.h"
#include "kernels/statistics/histogram.h"
#include "kernels/statistics/reduce.h"
#include "table/table.h"

#include <math.h>

#define OUTPUTS \
    "The extension of the output or --to chooses TSV, CSV, JSON, or a drawing as SVG or PNG. With "           \
    "several inputs, one table has the rows of each input; its first column, file, is the name. With "       \
    "several images in an input, such as the frames of a video, it has the rows of each image: frame is its " \
    "number, from 1, and time its start in seconds."

enum { MIN, MAX, MEAN, SD, MEDIAN, NONFINITE, FIELDS };

static const char *const fields[FIELDS] = { "min", "max", "mean", "sd", "median", "nonfinite" };

#define BINS 65536
#define INNER (BINS - 3.0)                   /* steps between the bins of the lowest and the highest value */

/* Results of the first pass over values that are not counted level by level, for the second pass. */
struct first_pass {
    int64_t shift, scale;                    /* indexes of tables */
    struct gf_reduced found[4];
};

/* Returns the bin of the n-th value, from 0, among bins [first, end). */
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

/* Returns the bin of the median, or the middle between two bins. */
static double middle(const uint64_t *counts, int first, int end)
{
    uint64_t all = 0;

    for (int i = first; i < end; i++)
        all += counts[i];
    if (all == 0)
        return NAN;
    return (bin_of_rank(counts, first, end, (all - 1) / 2) + bin_of_rank(counts, first, end, all / 2)) / 2.0;
}

/* Fills the fields from counts of stored levels: exactly, because each level has its own bin. */
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
    v[MIN] = first / one;
    v[MAX] = last / one;
    v[MEAN] = sum / all / one;
    v[SD] = sqrt(squares / all) / one;
    v[MEDIAN] = middle(counts, 0, bins) / one;
    v[NONFINITE] = 0;
}

/* Fills the fields of other values. The median comes from bins between lowest and highest. */
static void fill_values(const struct gf_reduced *r, const uint64_t *counts, double *v)
{
    const double n = r->finite > 0 ? r->finite : NAN, mean = r->sum / n;

    v[MIN] = r->finite > 0 ? r->min : NAN;
    v[MAX] = r->finite > 0 ? r->max : NAN;
    v[MEAN] = mean;
    v[SD] = r->min == r->max ? 0 : sqrt(fmax(r->squares / n - mean * mean, 0));
    v[MEDIAN] = v[MIN] + (middle(counts, 1, BINS - 1) - 1) / INNER * (v[MAX] - v[MIN]);
    v[MEDIAN] = gf_bin_range_round(v[MEDIAN], (v[MAX] - v[MIN]) / INNER, v[MIN], v[MAX]);
    v[NONFINITE] = r->nonfinite;
    if (r->finite == 0)
        v[SD] = NAN;
}

/* Makes a table with a row of FIELDS values for each channel; NULL: out of memory. */
static double *open_table(const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                          struct gf_error *err)
{
    double *values = gf_build_alloc(build, (size_t)(m->channels * FIELDS) * sizeof *values);
    const char *const *channels = gf_channel_names(m->format, build);

    if (values == NULL || channels == NULL) {
        gf_fail_memory(err, "stats");
        return NULL;
    }
    *table = (struct gf_table) { .channels = m->channels, .channel_names = channels, .samples = m->samples,
                                 .fields = FIELDS, .field_names = fields, .values = values };
    return values;
}

static int report_levels(const void *config, const struct gf_measured *m, struct gf_build *build,
                         struct gf_table *table, struct gf_error *err)
{
    double *values = open_table(m, build, table, err);

    (void)config;
    for (int c = 0; values != NULL && c < m->channels; c++)
        fill_levels(m->counts + (int64_t)c * m->bins, m->bins, values + c * FIELDS);
    return values ? 0 : -1;
}

static int report_values(const void *config, const struct gf_measured *m, struct gf_build *build,
                         struct gf_table *table, struct gf_error *err)
{
    const struct first_pass *b = *(struct first_pass *const *)config;
    double *values = open_table(m, build, table, err);

    for (int c = 0; values != NULL && c < m->channels; c++)
        fill_values(&b->found[c], m->counts + (int64_t)c * m->bins, values + c * FIELDS);
    return values ? 0 : -1;
}

/*
 * Maps the lowest value to bin 1 and the highest to the last bin but one; values that are not
 * finite fall outside. There are two steps, because the first one is nearly exact and leaves
 * small numbers for the second.
 */
static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    struct first_pass *b = *(struct first_pass *const *)config;

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

/* Adds both passes; the second one uses the scale that the first one settles. */
static int measure_values(const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_reduce reduce = { .block_units = 1, .channels = in->channels };
    const struct gf_histogram count = { .bins = BINS, .binning = GF_BIN_ROUND, .channels = in->channels };
    struct gf_point_step shift = { .kind = GF_POINT_SCALE, .channels = in->channels }, scale = shift;
    struct first_pass *b = gf_build_alloc(build, sizeof *b), **config = gf_build_alloc(build, sizeof *config);
    struct gf_point view;
    float *entries;

    if (b == NULL || config == NULL)
        return gf_fail_memory(err, "stats");
    *config = b;
    b->shift = shift.table = gf_build_alloc_table(build, 2 * in->channels, &entries);
    b->scale = scale.table = gf_build_alloc_table(build, 2 * in->channels, &entries);
    gf_point_init(&view, in->channels);
    if (gf_point_add(&view, &shift) != 0 || gf_point_add(&view, &scale) != 0)
        return gf_fail(err, GF_FAILED, "stats: the chain is too long; split it into two commands");
    if (gf_build_measure(build, &gf_op_reduce, &reduce, NULL, settle, NULL, config, err) != 0)
        return -1;
    return gf_build_measure(build, &gf_op_histogram, &count, &view, NULL, report_values, config, err);
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct gf_histogram levels = { .bins = (int)in->maxval + 1, .binning = GF_BIN_ROUND,
                                         .channels = in->channels };

    if (!gf_build_is_stored(build) || gf_type_is_float(in->type))
        return measure_values(in, build, err);
    return gf_build_measure(build, &gf_op_histogram, &levels, NULL, NULL, report_levels, config, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm stats",
    "gpufilter -i photo.ppm gray blur:3 stats -o levels.json",
    "gpufilter -i '*.ppm' stats -o all.tsv",
    NULL
};

const struct gf_stage gf_stage_stats = {
    .name = "stats",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_TABLE,
    .summary = "measure minimum, maximum, mean and median, as a table",
    .text = "stats ends the chain. The table has a row for each channel, alpha included:\n\n"
            "    min, max   lowest and highest value\n"
            "    mean, sd   mean and standard deviation\n"
            "    median     for an even number of values, the mean of the middle two\n"
            "    nonfinite  values that are not finite; all other results ignore them\n\n"
            "Values are on the scale from 0 to 1. Values below 0 and above 1 are not clipped first. To "
            "measure what a file would store, write that file and measure it.\n\n"
            "Stored integers are counted level by level, so all results are exact. For floats, and for "
            "values that other stages have computed, the median is accurate to 1/65534 of the range "
            "between the lowest and the highest value, and rounded accordingly. The image is then read "
            "twice.\n\n"
            OUTPUTS,
    .examples = examples,
    .picture = "scene.ppm stats",
    .bind = bind,
};
