/* lowpass, highpass, bandpass and bandstop: windowed sinc filters, without delay. */
#include "filters/taps.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_WIDTH 50.0                 /* Hz */
#define WINDOW 5.5                       /* transition width of Blackman's window, in frames times width */
#define MOST_TAPS 4194303

struct cutoff {
    double low, high;                    /* a filter with one edge uses only high */
    double width;                        /* 0: not given */
    int64_t taps;
};

#define TAPS_AND_WIDTH                                                                             \
    { .name = "width", .type = GF_OPTION_NUMBER, .offset = offsetof(struct cutoff, width),         \
      .least = 0.01, .most = 1e7, .unit = "Hz", .key_only = true,                                  \
      .text = "transition width; by default 10 % of HZ or LOW, but at least 50 Hz, and for a "       \
              "band at most its width" },                                                          \
    { .name = "taps", .type = GF_OPTION_INT, .offset = offsetof(struct cutoff, taps), .least = 1,  \
      .most = MOST_TAPS, .key_only = true, .text = "number of taps, odd, instead of a width" }

static const struct gf_option edge_options[] = {
    { .name = "hz", .type = GF_OPTION_NUMBER, .offset = offsetof(struct cutoff, high), .least = 0.001,
      .most = 1e7, .unit = "Hz", .required = true,
      .text = "cutoff frequency, at -6 dB: 80, 3k" },
    TAPS_AND_WIDTH,
    { .name = NULL }
};

static const struct gf_option band_options[] = {
    { .name = "low", .type = GF_OPTION_NUMBER, .offset = offsetof(struct cutoff, low), .least = 0.001,
      .most = 1e7, .unit = "Hz", .required = true,
      .text = "lower edge, at -6 dB" },
    { .name = "high", .type = GF_OPTION_NUMBER, .offset = offsetof(struct cutoff, high), .least = 0.001,
      .most = 1e7, .unit = "Hz", .required = true,
      .text = "upper edge, at -6 dB" },
    TAPS_AND_WIDTH,
    { .name = NULL }
};

/* Returns the number of taps, as given or as the width needs. */
static int64_t taps_of(const char *what, const struct cutoff *c, double lower, const struct gf_format *in,
                       struct gf_error *err)
{
    const double usual = fmax(lower / 10, LEAST_WIDTH),
                 band = c->low > 0 && c->high > c->low ? c->high - c->low : usual;
    const double width = c->width > 0 ? c->width : fmin(usual, band), n = ceil(WINDOW * in->rate / width);

    if (c->taps > 0 && c->width > 0)
        return gf_fail(err, GF_MISUSED, "%s: taps= and width= exclude each other; give one of them", what);
    if (c->taps > 0 && c->taps % 2 == 0)
        return gf_fail(err, GF_MISUSED, "%s: taps=%lld: must be odd; %lld for example", what, (long long)c->taps,
                       (long long)c->taps + 1);
    if (c->taps == 0 && n > MOST_TAPS)
        return gf_fail(err, GF_FAILED, "%s: width=%g Hz needs more than %d taps at %d Hz; give a larger width",
                       what, width, MOST_TAPS, in->rate);
    return c->taps > 0 ? c->taps : (int64_t)n | 1;
}

/*
 * `around`: added to the middle tap; 1 if the lowpass is subtracted from the signal. A filter
 * with one edge has low = 0.
 */
static int build_cut(const char *what, const struct cutoff *c, double around, double sign,
                     const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int64_t n = taps_of(what, c, c->low > 0 ? c->low : c->high, in, err);
    double *h;
    int result;

    if (n < 0)
        return -1;
    if (c->low >= c->high)
        return gf_fail(err, GF_MISUSED, "%s: %g to %g Hz is not a band; give the lower edge first", what, c->low,
                       c->high);
    if (gf_stage_check_hz(what, c->high, in, err) != 0)
        return -1;
    h = calloc((size_t)n, sizeof *h); /* may be large, so it is freed here, not with the chain */
    if (h == NULL)
        return gf_fail_memory(err, what);
    gf_taps_add_lowpass(h, n, c->high / in->rate, sign);
    if (c->low > 0)
        gf_taps_add_lowpass(h, n, c->low / in->rate, -sign);
    h[n / 2] += around;
    result = gf_taps_build(build, h, 1, n, n / 2, 0, err);
    free(h);
    return result;
}

static int lowpass_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return build_cut("lowpass", config, 0, 1, in, build, err);
}

static int highpass_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return build_cut("highpass", config, 1, -1, in, build, err);
}

static int bandpass_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return build_cut("bandpass", config, 0, 1, in, build, err);
}

static int bandstop_bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    return build_cut("bandstop", config, 1, -1, in, build, err);
}

#define SINC_TEXT \
    "The filter is a sinc in a Blackman window. It has 5.5·RATE/WIDTH taps. The ripple is below 0.002 dB, " \
    "and the stopband is at least 74 dB down. The filter is centered, so there is no delay. Samples that " \
    "are not finite count as silence."

static const char *const lowpass_examples[] = { "gpufilter -i sound.wav lowpass:3k -o dull.wav", NULL };
static const char *const highpass_examples[] = { "gpufilter -i sound.wav highpass:80,width=40 -o clear.wav", NULL };
static const char *const bandpass_examples[] = { "gpufilter -i sound.wav bandpass:300,3400 -o phone.wav", NULL };
static const char *const bandstop_examples[] = { "gpufilter -i sound.wav bandstop:45,55 -o nohum.wav", NULL };

const struct gf_stage gf_stage_lowpass = {
    .name = "lowpass",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "keep frequencies below a cutoff",
    .text = SINC_TEXT
            "\n\nA DC offset stays.",
    .examples = lowpass_examples,
    .picture = "voice.wav lowpass:1k | resample:8k spectrogram:600,512",
    .options = edge_options,
    .config_bytes = sizeof(struct cutoff),
    .bind = lowpass_bind,
};

const struct gf_stage gf_stage_highpass = {
    .name = "highpass",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "keep frequencies above a cutoff",
    .text = SINC_TEXT
            "\n\nA DC offset is removed. The result is the input minus lowpass with the same arguments.",
    .examples = highpass_examples,
    .picture = "voice.wav highpass:1k | resample:8k spectrogram:600,512",
    .options = edge_options,
    .config_bytes = sizeof(struct cutoff),
    .bind = highpass_bind,
};

const struct gf_stage gf_stage_bandpass = {
    .name = "bandpass",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "keep frequencies between two edges",
    .text = SINC_TEXT
            "\n\nA DC offset is removed. The result is lowpass of the upper edge minus lowpass of the lower "
            "edge.",
    .examples = bandpass_examples,
    .picture = "voice.wav bandpass:1k,2k | resample:8k spectrogram:600,512",
    .options = band_options,
    .config_bytes = sizeof(struct cutoff),
    .bind = bandpass_bind,
};

const struct gf_stage gf_stage_bandstop = {
    .name = "bandstop",
    .kind = GF_AUDIO,
    .group = GF_GROUP_FILTER,
    .keeps_times = true,
    .summary = "remove frequencies between two edges",
    .text = SINC_TEXT
            "\n\nA DC offset stays. The result is the input minus bandpass with the same arguments. "
            "A narrow band removes hum.",
    .examples = bandstop_examples,
    .picture = "voice.wav bandstop:1k,2k | resample:8k spectrogram:600,512",
    .options = band_options,
    .config_bytes = sizeof(struct cutoff),
    .bind = bandstop_bind,
};
