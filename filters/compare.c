/* compare: measure the difference to an image from a file, as a table. */
#include "base/elementary.h"
#include "filters/channel_names.h"
#include "filters/side_input.h"
#include "kernels/neighbourhood/ssim.h"
#include "kernels/statistics/reduce.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compare {
    char *file;
    double ssim, psnr, max;              /* limits; NAN: none */
};

static const struct gf_option options[] = {
    GF_SIDE_INPUT_OPTION(struct compare, "image to compare with, of the same size"),
    { .name = "min-ssim", .type = GF_OPTION_NUMBER, .offset = offsetof(struct compare, ssim), .by_default = NAN,
      .least = -1, .most = 1, .key_only = true,
      .text = "exit with status 1 if ssim in the row all is lower; the table is still written" },
    { .name = "min-psnr", .type = GF_OPTION_NUMBER, .offset = offsetof(struct compare, psnr), .by_default = NAN,
      .least = -1000, .most = 1000, .unit = "dB", .key_only = true,
      .text = "exit with status 1 if psnr in the row all is lower; the table is still written" },
    { .name = "max", .type = GF_OPTION_NUMBER, .offset = offsetof(struct compare, max), .by_default = NAN,
      .least = 0, .most = 1, .levels = 1, .key_only = true,
      .text = "exit with status 1 if max in the row all is higher; the table is still written; 1% is "
              "about 2.5 levels of 255" },
    { .name = NULL }
};

enum { MSE, PSNR, SSIM, MAX, NONFINITE, FIELDS };

static const char *const fields[FIELDS] = { "mse", "psnr", "ssim", "max", "nonfinite" };

/* State for report(): the compared channels, the factor of the differences, and the limits. */
struct report_context {
    const struct compare *asked;
    struct gf_format format;
    double scale;
    int side;                            /* number of the image from FILE */
};

/*
 * Measures of one channel or of all channels: differences, and the sum of similarities with its
 * number of windows.
 */
struct likeness {
    struct gf_reduced differences;
    double similar, windows;
};

/*
 * Windows with values that are not finite do not count. In the border there are no windows, and
 * the sum is 0.
 */
static struct likeness likeness_of(const struct gf_measured *m, int c)
{
    const int64_t across = m->format->width - 2 * GF_SSIM_REACH, down = m->format->units - 2 * GF_SSIM_REACH;
    const struct gf_reduced *similar = &m->reduced[m->channels / 2 + c];

    return (struct likeness) { m->reduced[c], similar->sum,
                              across > 0 && down > 0 ? (double)(across * down) - similar->nonfinite : 0 };
}

static void fill_fields(const struct likeness *s, double scale, double *v)
{
    const struct gf_reduced *d = &s->differences;

    v[MSE] = d->finite > 0 ? d->squares / d->finite / (scale * scale) : NAN;
    v[PSNR] = 10 * gf_log10(1 / v[MSE]);
    v[SSIM] = s->windows > 0 ? s->similar / s->windows : NAN;
    v[MAX] = d->finite > 0 ? fmax(fabs(d->min), fabs(d->max)) / scale : NAN;
    v[NONFINITE] = d->nonfinite;
}

#define LINE 300

/* Appends a message to `line` if the value misses its limit. */
static void check_field(const char *name, double value, bool most, double asked, char *line)
{
    const size_t used = strlen(line);
    char text[60];
    int digits = 4;

    if (isnan(asked) || (most ? value <= asked : value >= asked))
        return;
    do
        snprintf(text, sizeof text, "%.*g", digits, value); /* enough digits to show the difference to the limit */
    while (!isnan(value) && (most ? atof(text) <= asked : atof(text) >= asked) && digits++ < 17);
    if (isnan(value))
        snprintf(text, sizeof text, "unknown, but must be at %s", most ? "most" : "least");
    else
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %s than", most ? "more" : "less");
    snprintf(line + used, LINE - used, "%s%s is %s %.15g", used > 0 ? "; " : "compare: ", name, text, asked);
}

/* Fills one row for each channel, and one for all channels together. */
static int report(const void *config, const struct gf_measured *m, struct gf_build *build, struct gf_table *table,
                  struct gf_error *err)
{
    const struct report_context *compared = config;
    const int channels = compared->format.channels;
    const char **names = gf_build_alloc(build, (size_t)(channels + 1) * sizeof *names);
    char *unmet = gf_build_alloc(build, LINE);
    const char *const *own = gf_channel_names(&compared->format, build);
    double *values = gf_build_alloc(build, (size_t)(channels + 1) * FIELDS * sizeof *values);
    struct likeness all = likeness_of(m, 0);

    if (names == NULL || own == NULL || values == NULL || unmet == NULL)
        return gf_fail_memory(err, "compare");
    for (int c = 0; c < channels; c++) {
        const struct likeness one = likeness_of(m, c);

        names[c] = own[c];
        fill_fields(&one, compared->scale, values + c * FIELDS);
        if (c > 0) {
            gf_reduced_join(&all.differences, &one.differences);
            all.similar += one.similar;
            all.windows += one.windows;
        }
    }
    names[channels] = "all";
    fill_fields(&all, compared->scale, values + channels * FIELDS);
    check_field("ssim", values[channels * FIELDS + SSIM], false, compared->asked->ssim, unmet);
    check_field("psnr", values[channels * FIELDS + PSNR], false, compared->asked->psnr, unmet);
    check_field("max", values[channels * FIELDS + MAX], true, compared->asked->max, unmet);
    *table = (struct gf_table) { .beside = gf_build_side_name(build, compared->side),
                                 .unmet = unmet[0] != '\0' ? unmet : NULL, .channels = channels + 1,
                                 .channel_names = names, .total = true, .samples = m->samples, .fields = FIELDS,
                                 .field_names = fields, .values = values };
    return 0;
}

/* Returns the channel of an image that is compared as channel c of `all`; -1: the image is opaque. */
static signed char channel_of(const struct gf_format *f, const struct gf_format *all, int c)
{
    if (all->alpha && c == all->channels - 1)
        return (signed char)(f->alpha ? f->channels - 1 : -1);
    return (signed char)(gf_colours(f) == 1 ? 0 : c);
}

/*
 * Returns the smallest common multiple of both numbers of levels: differences times it are whole
 * numbers. Returns 1 if it is too large for a float.
 */
static float scale_of(uint32_t a, uint32_t b)
{
    uint64_t multiple = a;

    while (multiple % b != 0 && multiple <= 1 << 24)
        multiple += a;
    return multiple <= 1 << 24 ? (float)multiple : 1.0f;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct compare *k = config;
    const bool whole = gf_build_is_stored(build) && !gf_type_is_float(in->type);
    struct gf_ssim s = { .levels = whole ? (float)in->maxval : 0, .scale = 1 };
    struct gf_reduce reduce = { .block_units = 1 };
    struct report_context *all = gf_build_alloc(build, sizeof *all);
    struct gf_format out = *in;
    struct gf_blend b = { 0 };
    const struct gf_format *other;
    int side = gf_side_input_open("compare", k->file, true, false, &b, build, err);

    if (side < 0 || all == NULL)
        return side < 0 ? -1 : gf_fail_memory(err, "compare");
    side = gf_build_side(build, k->file, &other, err);
    if (side < 0)
        return -1;
    all->asked = k;
    all->side = side;
    all->format = *in;
    all->format.alpha = b.alpha || b.beside_alpha;
    all->format.channels = (b.colours > b.beside_colours ? b.colours : b.beside_colours) + all->format.alpha;
    s.channels = all->format.channels;
    for (int c = 0; c < s.channels; c++) {
        s.of[0][c] = channel_of(in, &all->format, c);
        s.of[1][c] = channel_of(other, &all->format, c);
    }
    if (whole && !gf_type_is_float(other->type))
        s.scale = scale_of(in->maxval, other->maxval);
    all->scale = (double)s.scale;
    out.type = GF_F32;
    out.channels = reduce.channels = 2 * s.channels;
    out.alpha = false;
    if (gf_build_op(build, &gf_op_ssim, &s, (struct gf_need) { .before = GF_SSIM_REACH, .after = GF_SSIM_REACH },
                    &out, err) != 0)
        return -1;
    gf_build_use_side(build, side, 0);
    return gf_build_measure(build, &gf_op_reduce, &reduce, NULL, NULL, report, all, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm --quality 60 -o photo.jpg && gpufilter -i photo.jpg compare:photo.ppm",
    "gpufilter -i photo.ppm median:1 compare:photo.ppm -o likeness.json",
    "gpufilter -i photo.ppm --quality 90 -o photo.jpg && gpufilter -i photo.jpg compare:photo.ppm,min-psnr=25 -o "
    "likeness.tsv",
    "gpufilter -i photo.ppm -o copy.png && gpufilter -i copy.png compare:photo.ppm,max=0 -o likeness.tsv", NULL
};

const struct gf_stage gf_stage_compare = {
    .name = "compare",
    .kind = GF_IMAGE,
    .group = GF_GROUP_MEASURE,
    .ends = GF_ENDS_TABLE,
    .summary = "measure MSE, PSNR and SSIM against an image from a file",
    .text = "compare ends the chain. The table has a row for each channel and a last row, all, for all "
            "channels together:\n\n"
            "    mse        mean of (x - y)², with y from FILE\n"
            "    psnr       -10 log10(mse) in dB; inf for equal images (JSON: null)\n"
            "    ssim       mean structural similarity; 1 for equal images\n"
            "    max        largest |x - y|\n"
            "    nonfinite  number of differences that are not finite\n\n"
            "Values are the stored ones, on the scale from 0 to 1. Values below 0 and above 1 are not "
            "clipped first. To measure what a file would store, write that file and measure it.\n\n"
            "ssim is the structural similarity of Wang, Bovik, Sheikh and Simoncelli (2004). At each "
            "pixel it is\n\n"
            "    (2 mx my + C1)(2 cxy + C2) / ((mx² + my² + C1)(vx + vy + C2))\n"
            "    C1 = 0.01², C2 = 0.03²\n\n"
            "where m are means, v variances and c the covariance of the 11 by 11 pixels around it, "
            "weighted by a Gaussian of sigma 1.5. The 5 pixels at each border are left out, because their "
            "windows are incomplete. An image of fewer than 11 columns or rows has no ssim: nan (JSON: "
            "null). Differences that are not finite, and the windows that contain them, are left out of "
            "all other values.\n\n"
            "The results match peak_signal_noise_ratio and structural_similarity of scikit-image with "
            "data_range=1, gaussian_weights=True, sigma=1.5 and use_sample_covariance=False.\n\n"
            "Colors are compared as stored, not multiplied by alpha. Alpha is a channel like the others, "
            "and 1 if an image has none. A gray image is compared with each color of the other. Integers "
            "are compared exactly, even if the two images have different depths.\n\n"
            "With min-ssim=, min-psnr= or max=, compare is a test. If the value in the row all misses the "
            "limit or is unknown, an error says so, and the exit status is 1. The table is still written. "
            "Equal images pass every min-psnr. max=0 demands equal images.\n\n"
            "FILE must be as large as the image at this place in the chain. Its name can contain {stem}, as in "
            "compare:original/{stem}.png; for other fields and for frames, see over. AUDIO in gpufilter(1) shows "
            "how to compare recordings. If the input has several images, -o 'likeness-{n}.tsv' writes a table for "
            "each. The extension of the output or --to chooses TSV, CSV, JSON, or a drawing as SVG or PNG.",
    .examples = examples,
    .picture = "scene.ppm blur:1 compare:scene.ppm",
    .options = options,
    .config_bytes = sizeof(struct compare),
    .bind = bind,
};
