/*
 * Loudness on a GPU: a thread for each run and sixteen runs for each block of audio; the first
 * thread joins them.
 */
#include "kernels/statistics/loudness.h"

#include "kernels/base/program_buffers.cuh"

#define RUNS GF_LOUDNESS_RUNS
#define STATES GF_LOUDNESS_STATES
#define THREADS 128

struct loudness_task {
    struct gf_loudness l;
    const float *planes;
    const double *ring;
    int64_t plane, units, jobs;          /* jobs: blocks times channels */
    struct gf_loudness_record *to;
};

/* The result of a run, for the thread that joins them. */
struct heard {
    double energy, cross[STATES], state[STATES];
};

/* Reads the response of each state as one double, once for all runs. */
__global__ void __launch_bounds__(THREADS) whole_ring(const float *pairs, double *ring, int64_t count)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < count)
        ring[i] = __dadd_rn((double)pairs[2 * i], (double)pairs[2 * i + 1]);
}

static __device__ __forceinline__ struct heard weigh(const struct loudness_task &t, const float *from, int64_t units)
{
    double s[STATES] = { 0, 0, 0, 0 };
    struct heard h = { 0, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } };

#pragma unroll 4
    for (int64_t n = 0; n < units; n++) {
        const float v = from[n];
        const double x = fabsf(v) <= 3.40282347e38f ? (double)v : 0.0;
        const double z = gf_loudness_step(t.l.shelf, t.l.pass, x, &s[0], &s[1], &s[2], &s[3]);

        h.energy = fma(z, z, h.energy);
#pragma unroll
        for (int i = 0; i < STATES; i++)
            h.cross[i] = fma(z, t.ring[n * STATES + i], h.cross[i]);
    }
#pragma unroll
    for (int i = 0; i < STATES; i++)
        h.state[i] = s[i];
    return h;
}

__global__ void __launch_bounds__(THREADS) loudness(const __grid_constant__ struct loudness_task t)
{
    __shared__ struct heard heard[THREADS];
    const int k = threadIdx.x % RUNS;
    const int64_t job = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / RUNS, block = job / t.l.channels;
    const bool works = job < t.jobs, whole = (block + 1) * t.l.block_units <= t.units;
    const bool weighs = whole && job % t.l.channels < t.l.heard;

    if (works && weighs)
        heard[threadIdx.x] = weigh(t,
                                   t.planes + (job % t.l.channels) * t.plane + block * t.l.block_units
                                       + k * t.l.run_units,
                                   k < RUNS - 1 ? t.l.run_units : t.l.last_units);
    __syncthreads();
    if (works && k == 0) {
        struct gf_loudness_joined all;

        gf_loudness_none(&all);
        for (int r = 0; weighs && r < RUNS; r++) {
            const struct heard &h = heard[threadIdx.x + r];

            gf_loudness_join_run(&all, r < RUNS - 1 ? &t.l.run : &t.l.last, h.energy, h.cross, h.state);
        }
        t.to[job].energy = whole ? all.energy : -1.0;
        for (int i = 0; i < STATES; i++) {
            t.to[job].cross[i] = all.cross[i];
            t.to[job].state[i] = all.state[i];
        }
    }
}

static int levels(const struct gf_work *work, const struct gf_io *io, const struct gf_loudness *l, struct gf_error *err)
{
    struct gf_reduce r = {};

    r.block_units = l->block_units;
    r.channels = l->channels;
    r.record_bytes = sizeof(struct gf_loudness_record);
    r.full = l->full;
    return gf_reduce_cuda(work, io, &r, err);
}

static int weigh_planes(const struct gf_work *work, const struct gf_io *io, const struct gf_loudness *l, double *ring,
                        struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const int64_t count = l->run_units * STATES;
    struct loudness_task t;

    t.l = *l;
    t.planes = (const float *)io->src.data + (io->dst.span.start - io->src.span.start);
    t.ring = ring;
    t.plane = io->src.plane_samples;
    t.units = gf_span_units(io->dst.span);
    t.jobs = gf_ceil_div(t.units, l->block_units) * l->channels;
    t.to = (struct gf_loudness_record *)io->dst.data;
    whole_ring<<<(unsigned)gf_ceil_div(count, THREADS), THREADS, 0, stream>>>(work->tables + l->ring, ring, count);
    if (gf_cuda_launched("loudness", err) != 0)
        return -1;
    loudness<<<(unsigned)gf_ceil_div(t.jobs * RUNS, THREADS), THREADS, 0, stream>>>(t);
    return gf_cuda_launched("loudness", err);
}

static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_loudness *l, size_t bytes,
               struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    double *ring;
    int result;

    if (gf_cuda_check(gf_cuda_borrow((void **)&ring, (size_t)(l->run_units * STATES) * sizeof *ring, stream),
                      "memory for loudness", err) != 0)
        return -1;
    result = gf_cuda_check(cudaMemsetAsync(io->dst.data, 0, bytes, stream), "loudness", err) != 0
          || (l->levels && levels(work, io, l, err) != 0) || weigh_planes(work, io, l, ring, err) != 0 ? -1 : 0;
    return gf_cuda_check(cudaFreeAsync(ring, stream), "memory for loudness", err) != 0 ? -1 : result;
}

extern "C" int gf_loudness_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                                struct gf_error *err)
{
    const struct gf_loudness *l = (const struct gf_loudness *)params;
    const int64_t records = gf_ceil_div(gf_span_units(io->dst.span), l->block_units) * l->channels;

    if (records <= 0)
        return 0;
    return gf_program_buffers_through(work, io, io->dst.span, gf_program_buffers_needed(&io->src, io->load), false, err,
                                      [&](const struct gf_io &plain) {
        return run(work, &plain, l, (size_t)records * sizeof(struct gf_loudness_record), err);
    });
}
