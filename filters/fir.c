/* fir: a filter of one's own taps. */
#include "conv.h"
#include "stage.h"

enum align { START, CENTER };

struct fir {
    struct gf_mask taps;
    int align;
};

static const char *const aligns[] = { "start", "center", NULL };

static const struct gf_option options[] = {
    { .name = "taps", .type = GF_OPTION_MASK, .offset = offsetof(struct fir, taps), .required = true,
      .text = "h[0], h[1], …: one line for all channels, or a row for each" },
    { .name = "align", .type = GF_OPTION_CHOICE, .offset = offsetof(struct fir, align), .by_default = START, .choices = aligns,
      .key_only = true, .text = "center takes out the ⌊(n-1)/2⌋ samples of delay of a symmetric filter" },
    { .name = NULL }
};

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const struct fir *f = config;
    const bool line = f->taps.rows == 1 || f->taps.columns == 1;
    const int n = line ? f->taps.rows * f->taps.columns : f->taps.columns, masks = line ? 1 : f->taps.rows;
    struct gf_conv conv = { .ny = n, .mask_channels = masks, .border = GF_ZERO };
    float *to;

    if (n > GF_CONV_MAX_TAPS)
        return gf_fail(err, GF_MISUSED, "fir: there are %d taps, but at most %d are possible", n, GF_CONV_MAX_TAPS);
    if (masks > 1 && masks != in->channels)
        return gf_fail(err, GF_MISUSED, "fir: there are %d rows of taps for %d channel%s; give one row, or one for each",
                       masks, in->channels, in->channels == 1 ? "" : "s");
    conv.cy = n - 1 - (f->align == CENTER ? (n - 1) / 2 : 0);
    conv.y_at = gf_build_mask(build, (int64_t)masks * n, &to);
    for (int i = 0; to != NULL && i < masks * n; i++)        /* y[t] = Σ h[k]·x[t - k]: the last tap comes first */
        to[i / n * n + n - 1 - i % n] = (float)f->taps.weights[i];
    return gf_build_op(build, GF_OP_CONV, &conv, sizeof conv, (struct gf_need) { .before = conv.cy, .after = n - 1 - conv.cy }, in, err);
}

static const char *const examples[] = {
    "gpufilter -i sound.wav fir:taps.txt -o filtered.wav",
    "gpufilter -i sound.wav 'fir:[0.25 0.5 0.25],align=center' -o smooth.wav",
    NULL
};

const struct gf_stage gf_stage_fir = {
    .name = "fir",
    .kind = GF_AUDIO,
    .summary = "finite impulse response filter",
    .text = "y[n] = Σ h[k]·x[n-k], with silence before the start; the output is as long as the input. Taps are a matrix of "
            "one row, or a text file with the numbers of one row or column; several rows are one for each channel. "
            "They are taken as they are, never normalised. Up to 16384.",
    .examples = examples,
    .options = options,
    .config_bytes = sizeof(struct fir),
    .bind = bind,
};
