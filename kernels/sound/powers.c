/* Sums of powers on a CPU. */
#include "kernels/sound/powers.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

GF_CLONES
static void sum_window(const float *restrict power, int n, double *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] += (double)power[i];
}

int64_t gf_powers_count(const struct gf_powers *p)
{
    const int64_t block = gf_powers_block(p);
    int64_t count = 0;

    for (int64_t u = p->start / block * block; u < p->end; u += block) {
        const struct gf_span windows = gf_powers_windows(p, u, u + block);

        count += windows.end > windows.start ? gf_span_units(windows) / gf_windows_step(&p->windows) : 0;
    }
    return count;
}

static size_t powers_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_powers *p = params;

    return ((size_t)p->windows.size * 2 + gf_planar_source_samples(shape, gf_powers_block(p))) * sizeof(float);
}

int gf_powers_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_powers *p = params;
    const int values = p->windows.size / 2, step = gf_windows_step(&p->windows);
    const float *table = work->tables + p->windows.table;
    float *room = work->scratch, *power = room + p->windows.size, *planes = power + p->windows.size;
    double *to = io->dst.data;

    (void)err;
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += gf_powers_block(p), to += values) {
        const int64_t end = u + gf_powers_block(p) < io->dst.span.end ? u + gf_powers_block(p) : io->dst.span.end;
        const struct gf_span windows = gf_powers_windows(p, u, end);
        struct gf_block block;

        memset(to, 0, (size_t)values * sizeof *to);
        if (windows.start >= windows.end)
            continue;
        block = gf_planar_source(work, io, (struct gf_span) { u, end }, planes);
        for (int64_t at = windows.start; at < windows.end; at += step)
            for (int c = 0; c < p->channels; c++) {
                gf_windows_powers(&p->windows, table, gf_plane_at(&block, c, at), room, power);
                sum_window(power, values, to);
            }
    }
    return 0;
}

static size_t powers_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_powers *p = params;
    const int64_t units = gf_span_units(io->src.span);

    return (size_t)(gf_gpu_loaded_bytes(io, true, units)
                    + GF_WINDOWS_OVERLAP * p->channels * units * (int64_t)sizeof(float) + GF_GPU_SCRATCH_SMALL);
}

static struct gf_records powers_records(const void *params)
{
    const struct gf_powers *p = params;

    return (struct gf_records) { .block_units = gf_powers_block(p), .channels = 1,
                                 .bytes = (size_t)(p->windows.size / 2) * sizeof(double), .keep = true,
                                 .joined = INT32_MAX, .units = p->end };
}

static void join(const void *params, void *all, const void *more)
{
    const struct gf_powers *p = params;

    for (int i = 0; i < p->windows.size / 2; i++)
        ((double *)all)[i] += ((const double *)more)[i];
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_powers *p = params;

    (void)out;
    return gf_windows_tables_end(&p->windows);
}

const struct gf_operation gf_op_powers = {
    .word = "powers", .text = "Sums of the powers of each frequency in a part of the signal.",
    .params_bytes = sizeof(struct gf_powers),
    .cpu = { .body = gf_powers_cpu, .scratch_bytes = powers_scratch, .light = 3 },
    .cuda = { .body = GF_CUDA_BODY(gf_powers_cuda), GF_OP_STORES, .scratch_bytes = powers_gpu_scratch, .light = 3 },
    .records = powers_records,
    .join = join,
    .tables_end = tables_end,
};
