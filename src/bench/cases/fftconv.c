/* Cases of long filters by Fourier transforms. Random calls are in tests/operations/fftconv.c. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/neighbourhood/fftconv.h"

#include <string.h>

/* Adds up all taps, with zeros outside the signal. The pool has the last tap first. */
static void slow_fftconv(const struct gf_check *check, const struct gf_io *io, const void *params, int64_t x, int64_t y,
                         double *out)
{
    const struct gf_fftconv *f = params;
    const int channels = gf_slow_channels(io);
    double v[GF_SLOW_CHANNELS];

    (void)x;
    memset(out, 0, sizeof v);
    for (int64_t k = 0; k < f->taps; k++) {
        const int64_t at = y + f->late - k;

        if (at < 0 || at >= io->src_units)
            continue;
        gf_slow_load(check, io, 0, at, v);
        for (int c = 0; c < channels; c++)
            out[c] += v[c] * (double)check->masks[f->taps_at + (f->mask_channels > 1 ? c
                                                                : 0) * f->taps + f->taps - 1 - k];
    }
}

static void set_fftconv(struct gf_bench_call *m)
{
    struct gf_fftconv *f = m->params;
    const int64_t taps = 1 << 14;
    float *h, *spectra;

    gf_fftconv_shape(f, taps, 0);
    f->mask_channels = 1;
    h = gf_bench_call_masks(m, taps);
    for (int64_t i = 0; h != NULL && i < taps; i++)
        h[i] = (float)(i % 8 + 1) / (float)(4 * taps);
    f->spectra_at = m->mask_count;
    spectra = gf_bench_call_masks(m, gf_fftconv_spectra_samples(f));
    m->failed = m->failed || spectra == NULL || gf_fftconv_fill(f, m->masks, spectra) != 0;
}

static const struct gf_bench_case cases[] = {
    { .name = "fftconv", .what = "16384-tap filter, floats", .forms = "f32, f32 stereo", .set = set_fftconv,
      .peers = { { "overlap-add with cuFFT", "f32", gf_oaconvolve } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_fftconv = { .name = "fftconv", .op = &gf_op_fftconv, .cases = cases,
                                                       .sound = true, .slow = slow_fftconv,
                                                       .rounding = 1e-5 };
