/* Sums of powers on a GPU: spectra of all windows, then a thread for each value of a block. */
#include "kernels/sound/powers.h"

#include "kernels/base/borrow.cuh"
#include "kernels/base/cuda_check.cuh"
#include "kernels/base/program_buffers.cuh"

#define THREADS 128

struct powers_task {
    const float *spectra;
    int64_t plane;
    struct gf_span units;                /* those of the spectra */
    struct gf_powers p;
    double *to;
};

__global__ void __launch_bounds__(THREADS) sum_powers(const __grid_constant__ struct powers_task t)
{
    const int step = t.p.windows.size / GF_WINDOWS_OVERLAP, i = (int)(blockIdx.y * THREADS + threadIdx.x);
    const int64_t from = t.units.start + (int64_t)blockIdx.x * GF_POWERS_STEPS * step;
    const struct gf_span windows = gf_powers_windows(&t.p, from, min(from + GF_POWERS_STEPS * step, t.units.end));
    double sum = 0.0;

    if (i >= 2 * step)
        return;
    for (int64_t at = windows.start; at < windows.end; at += step)
        for (int c = 0; c < t.p.channels; c++) {
            /* the window has its spectrum in its last step */
            const float *re = t.spectra + (c * GF_WINDOWS_OVERLAP + i / step) * t.plane
                + (at + (GF_WINDOWS_OVERLAP - 1) * step - t.units.start) + i % step;
            const float x = re[0], y = re[2 * t.plane];

            sum += (double)(x * x + y * y);
        }
    t.to[(int64_t)blockIdx.x * 2 * step + i] = sum;
}

static int sum_planes(const struct gf_work *work, const struct gf_io *io, const struct gf_powers *p,
                      struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t units = gf_span_units(io->dst.span), block = gf_powers_block(p);
    struct gf_io spectra = *io;
    struct powers_task t;
    float *planes;
    int result;

    if (gf_cuda_check(gf_cuda_borrow((void **)&planes, (size_t)(GF_WINDOWS_OVERLAP * p->channels * units)
                                     * sizeof *planes, stream), "memory for powers", err) != 0)
        return -1;
    spectra.dst = io->src;
    spectra.dst.span = io->dst.span;
    spectra.dst.channels = GF_WINDOWS_OVERLAP * p->channels;
    spectra.dst.data = planes;
    spectra.dst.plane_samples = units;
    spectra.store = NULL;
    result = gf_analyze_cuda(work, &spectra, &p->windows, err);
    if (result == 0) {
        t.spectra = planes;
        t.plane = units;
        t.units = io->dst.span;
        t.p = *p;
        t.to = (double *)io->dst.data;
        sum_powers<<<dim3((unsigned)gf_ceil_div(units, block), (unsigned)gf_ceil_div(p->windows.size / 2, THREADS)),
            THREADS, 0, stream>>>(t);
        result = gf_cuda_launched("sums of powers", err);
    }
    return gf_cuda_check(cudaFreeAsync(planes, stream), "memory for powers", err) != 0 ? -1 : result;
}

extern "C" int gf_powers_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_powers *p = (const struct gf_powers *)params;

    if (io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->dst.span, gf_program_buffers_needed(&io->src, io->load), false, err,
                                      [&](const struct gf_io &plain) { return sum_planes(work, &plain, p, err); });
}
