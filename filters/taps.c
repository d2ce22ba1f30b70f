/* Builds long audio filters: tap by tap, or by Fourier transforms if there are many taps. */
#include "filters/taps.h"

#include "base/elementary.h"
#include "base/words.h"
#include "kernels/base/fft.h"
#include "kernels/neighbourhood/conv.h"
#include "kernels/neighbourhood/fftconv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The number of taps above which blocks are faster on a CPU. With --latency, where blocks are
 * small, it is higher.
 */
#define LONG_TAPS 64
#define LONG_LIVE_TAPS 1024

static int add_op(struct gf_build *build, const struct gf_operation *op, const void *params, struct gf_need need,
                  struct gf_error *err)
{
    struct gf_format out = *gf_build_format(build);

    out.units += out.units == GF_UNKNOWN ? 0 : need.longer;
    return gf_build_op(build, op, params, need, &out, err);
}

static int one_by_one(struct gf_build *build, int64_t at, int masks, int64_t n, struct gf_need need,
                      struct gf_error *err)
{
    const struct gf_conv conv = {
        .ny = (int)n, .cy = (int)(n - 1 - need.after), .y_at = at, .mask_channels = masks, .border = GF_ZERO
    };

    need.before = conv.cy;
    return add_op(build, &gf_op_conv, &conv, need, err);
}

static int by_blocks(struct gf_build *build, struct gf_fftconv *f, struct gf_need need, struct gf_error *err)
{
    const float *taps;
    float *spectra;

    f->spectra_at = gf_build_alloc_mask(build, gf_fftconv_spectra_samples(f) + 1, &spectra);
    if (spectra == NULL)
        return 0;                                        /* the chain reports that memory ran out */
    taps = spectra - f->spectra_at + f->taps_at;         /* the pool may have moved */
    spectra += f->spectra_at % 2;
    f->spectra_at += f->spectra_at % 2;
    if (gf_fftconv_fill(f, taps, spectra) != 0)
        return gf_fail_memory(err, NULL);
    need.before = gf_fftconv_before(f);
    need.grain = f->step;
    return add_op(build, &gf_op_fftconv, f, need, err);
}

/*
 * Refuses taps whose spectra do not fit into --memory. The length of blocks depends on the number of taps and on
 * --latency alone: with other blocks, samples would get other bytes.
 */
static int check_memory(const struct gf_build *build, const struct gf_fftconv *f, struct gf_error *err)
{
    const int64_t memory = gf_build_memory(build), making = (int64_t)sizeof(double) * 2 * f->size;
    const int64_t kept = (int64_t)sizeof(float) * (f->mask_channels * f->taps + gf_fftconv_spectra_samples(f));
    char needed[40], given[40];

    if (memory == 0 || kept + making <= memory)
        return 0;
    gf_bytes_text(kept + making, needed);
    gf_bytes_text(memory, given);
    gf_fail(err, GF_FAILED, "%lld taps and their spectra take %s, but --memory leaves %s for them;; raise --memory",
            (long long)f->taps, needed, given);
    err->cause = GF_CAUSE_MEMORY_LIMIT;
    return -1;
}

int gf_taps_build(struct gf_build *build, const double *h, int masks, int64_t n, int64_t late, int64_t longer,
                  struct gf_error *err)
{
    const struct gf_need need = { .after = late, .longer = longer };
    const int latency = gf_build_latency(build);
    struct gf_fftconv f = { .mask_channels = masks, .late = late };
    float *to;
    const bool long_ones = n > (latency > 0 ? LONG_LIVE_TAPS : LONG_TAPS);

    if (n > GF_FFTCONV_MAX_TAPS)
        return gf_fail(err, GF_MISUSED, "there are %lld taps; must be 1 to %d", (long long)n, GF_FFTCONV_MAX_TAPS);
    if (gf_build_make_finite(build, err) != 0) /* otherwise one sample would silence whole blocks */
        return -1;
    if (long_ones) {
        gf_fftconv_shape(&f, n, latency > 0 ? (int64_t)gf_build_format(build)->rate * latency / 1000 + 1 : 0);
        if (check_memory(build, &f, err) != 0)
            return -1;
    }
    f.taps_at = gf_build_alloc_mask(build, masks * n, &to);
    for (int64_t i = 0; to != NULL && i < masks * n; i++)       /* the last tap comes first */
        to[i / n * n + n - 1 - i % n] = (float)h[i];
    if (to == NULL || !long_ones)
        return one_by_one(build, f.taps_at, masks, n, need, err);
    return by_blocks(build, &f, need, err);
}

static double blackman(int64_t k, int64_t n)
{
    const double x = 2 * (double)(k + 1) / (double)(n + 1);

    return .42 - .5 * gf_cos_pi(x) + .08 * gf_cos_pi(2 * x);
}

void gf_taps_add_lowpass(double *h, int64_t n, double edge, double sign)
{
    const int64_t middle = n / 2;
    double sum = 0;

    for (int turn = 0; turn < 2; turn++)                     /* the first turn computes the sum */
        for (int64_t k = 0; k < n; k++) {
            const double x = 2 * edge * (double)(k - middle),
                         v = (k == middle ? 1 : gf_sin_pi(x) / (M_PI * x)) * blackman(k, n);

            if (turn == 0)
                sum += v;
            else
                h[k] += sign * v / sum;
        }
}

/* ---- responses ---- */

const char *const gf_taps_aligns[] = { "start", "center", NULL };
const char *const gf_taps_tails[] = { "cut", "keep", NULL };
const char *const gf_taps_norms[] = { "none", "sum", "peak", "energy", NULL };

/*
 * Returns the largest magnitude of the frequency response of n taps, at eight points or more per
 * tap; -1: out of memory.
 */
static double peak_of(const double *h, int64_t n)
{
    int64_t size = GF_FFT_LEAST_POINTS;
    double *tree, *re, *im, most = 0;

    while (size < 8 * n && size < 2 * GF_FFT_MOST_POINTS)
        size *= 2;
    tree = calloc((size_t)(4 * size), sizeof *tree); /* may be very large, so it is freed here, not with the chain */
    if (tree == NULL)
        return -1;
    re = tree + 2 * size;
    im = re + size;
    memcpy(re, h, (size_t)n * sizeof *h);
    gf_fft_fill_tree(size, GF_FFT_CIRCLE, tree);
    gf_fft_in_double(size, tree, re, im);
    for (int64_t k = 0; k < size; k++)
        most = fmax(most, re[k] * re[k] + im[k] * im[k]);
    free(tree);
    return sqrt(most);
}

/* Returns the divisor of one list of taps. */
static double measure_of(const double *h, int64_t n, int norm)
{
    double sum = 0, squares = 0;

    if (norm == GF_TAPS_PEAK)
        return peak_of(h, n);
    for (int64_t i = 0; i < n; i++) {
        sum += h[i];
        squares += h[i] * h[i];
    }
    return norm == GF_TAPS_SUM ? sum : sqrt(squares);
}

/* Finds the divisor of all lists: the largest of theirs, so that channels keep their balance. */
static int divisor(const char *what, const double *h, int masks, int64_t n, int norm, double *by,
                   struct gf_error *err)
{
    double all = 0;

    *by = 1;
    if (norm == GF_TAPS_AS_THEY_ARE)
        return 0;
    *by = 0;
    for (int m = 0; m < masks; m++) {
        const double one = measure_of(h + m * n, n, norm);

        if (norm == GF_TAPS_PEAK && one < 0)
            return gf_fail_memory(err, what);
        *by = fabs(one) > fabs(*by) || isnan(one) ? one : *by;
        for (int64_t i = 0; i < n; i++)
            all += fabs(h[m * n + i]);
    }
    if (!isfinite(all) || !isfinite(*by))
        return gf_fail(err, GF_MISUSED, "%s: norm=%s: the taps are too large to add up; scale them down", what,
                       gf_taps_norms[norm]);
    if (!(fabs(*by) > 1e-12 * all))
        return gf_fail(err, GF_MISUSED, "%s: norm=%s: the divisor of the taps is 0; use norm=none", what,
                       gf_taps_norms[norm]);
    return 0;
}

int gf_taps_build_response(struct gf_build *build, const char *what, const struct gf_taps *r,
                           const struct gf_format *in, struct gf_error *err)
{
    const bool line = r->taps.rows == 1 || (r->taps.columns == 1 && r->taps.rate == 0);
    const int masks = line ? 1 : r->taps.rows;
    const int64_t n = (int64_t)r->taps.rows * r->taps.columns / masks,
                  late = r->align == GF_TAPS_CENTER ? (n - 1) / 2 : 0;
    const double dry = isnan(r->dry) ? 1 - r->wet : r->dry;
    double by, *h;
    int result;

    if (r->taps.rate != 0 && r->taps.rate != in->rate)
        return gf_fail(err, GF_FAILED,
                       "%s: the response has %d Hz, but the audio has %d Hz;; put resample:%d before it, or convert "
                       "the response: gpufilter -i RESPONSE resample:%d -o NEW",
                       what, r->taps.rate, in->rate, r->taps.rate, in->rate);
    if (masks > 1 && masks != in->channels)
        return gf_fail(err, GF_FAILED,
                       "%s: there are %d %s of taps, but %d channel%s; give one, or one for each channel", what,
                       masks, r->taps.rate != 0 ? "channels" : "rows", in->channels, in->channels == 1 ? "" : "s");
    if (divisor(what, r->taps.weights, masks, n, r->norm, &by, err) != 0)
        return -1;
    h = malloc((size_t)(masks * n) * sizeof *h);
    if (h == NULL)
        return gf_fail_memory(err, what);
    for (int64_t i = 0; i < masks * n; i++)
        h[i] = r->wet * (r->taps.weights[i] / by) + (i % n == late ? dry : 0);
    for (int64_t i = 0; i < masks * n; i++)
        if (!isfinite((float)h[i])) {
            free(h);
            return gf_fail(err, GF_MISUSED, "%s: tap %lld is too large: %g; must fit a 32-bit float", what,
                           (long long)(i % n) + 1, r->taps.weights[i]);
        }
    result = gf_taps_build(build, h, masks, n, late, r->tail == GF_TAPS_KEEP ? n - 1 - late : 0, err);
    free(h);
    return result;
}
