/* Cases of long filters through transforms. Random calls are in tests/operations/fftconv.c. */
#include "bench/bench_call.h"
#include "bench/check/check_compare.h"
#include "bench/check/check_slow.h"
#include "bench/peers/cuda_peers.h"
#include "kernels/neighbourhood/fftconv.h"

static void set_fftconv(struct gf_bench_call *m)
{
    struct gf_fftconv *f = m->params;
    const int64_t taps = 2 * GF_FFTCONV_DIRECT_TAPS;
    float *h, *spectra;

    gf_fftconv_shape(f, taps, 0);
    f->mask_channels = 1;
    h = gf_bench_call_masks(m, taps);
    for (int64_t i = 0; h != NULL && i < taps; i++)
        h[i] = 1.0f / (float)taps;
    f->spectra_at = m->mask_count;
    spectra = gf_bench_call_masks(m, gf_fftconv_spectra_samples(f));
    m->failed = m->failed || spectra == NULL || gf_fftconv_fill(f, m->masks, spectra) != 0;
}

static const struct gf_bench_case cases[] = {
    { .name = "fftconv", .what = "a filter of 16384 taps, floats", .forms = "f32, f32 stereo", .set = set_fftconv,
      .peers = { { "overlap-add with cuFFT", "f32", gf_oaconvolve } } },
    { .name = NULL },
};

const struct gf_bench_group gf_bench_group_fftconv = { .name = "fftconv", .op = &gf_op_fftconv, .cases = cases, .sound = true, .slack = -1,
                                                       .rounding = 1e-5 };
