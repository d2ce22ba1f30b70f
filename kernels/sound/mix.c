/* Mixing on a CPU: runs of frames, one channel at a time. */
#include "kernels/sound/mix.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"
#include "kernels/base/planar.h"

#include <string.h>

#define RUN 1024

static size_t mix_scratch(const struct gf_io *shape, const void *params)
{
    (void)params;
    return gf_planar_scratch_bytes(shape, shape->dst.span) + (size_t)shape->beside.channels * RUN * sizeof(float);
}

GF_CLONES
static void add_scaled(const float *restrict x, const float *restrict s, float gain, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = fmaf(gain, s[i], x[i]);
}

/* Mixes frames [start, end) with those of the second source from `at` on, or copies them. */
static void mix_run(const struct gf_io *io, const struct gf_block *src, const struct gf_block *dst, struct gf_span run,
                    int64_t at, bool there, float gain, float *room)
{
    const int64_t n = gf_span_units(run);
    float *row[GF_MAX_CHANNELS];

    for (int c = 0; c < src->channels; c++)
        row[c] = room + c * RUN;
    if (there)
        gf_load_pixels(&io->beside, at, 0, n, row);
    for (int c = 0; c < src->channels; c++)
        if (there)
            add_scaled(gf_plane_at(src, c, run.start), row[c], gain, gf_plane_at(dst, c, run.start), n);
        else
            memcpy(gf_plane_at(dst, c, run.start), gf_plane_at(src, c, run.start), (size_t)n * sizeof(float));
}

/* Returns the row of the second source for frame n, and sets *stop to the frame after which others follow it. */
static int64_t find_row(const struct gf_io *io, int64_t n, bool loops, int64_t *stop)
{
    const struct gf_span rows = io->beside.span;
    int64_t at = n - io->beside_shift;

    if (!loops) {
        *stop = rows.end + io->beside_shift;
        return at;
    }
    at = gf_looped_row(at, io->beside_units, rows.start);
    *stop = n + rows.start + io->beside_units - at;
    return at;
}

static bool mix_loops(const void *params)
{
    return ((const struct gf_mix *)params)->loops;
}

int gf_mix_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_mix *mix = params;
    const struct gf_span d = io->dst.span, there = gf_mix_frames(io, mix);
    float *scratch = work->scratch, *room = scratch + gf_planar_scratch_bytes(io, d) / sizeof(float);
    const struct gf_block src = gf_planar_source(work, io, d, scratch);
    const struct gf_block dst = gf_planar_result(io, src.channels,
                                                 scratch + gf_planar_source_samples(io, gf_span_units(d)));
    struct gf_span run = d;

    (void)err;
    for (; run.start < d.end; run.start = run.end) {
        const bool mixed = run.start >= there.start && run.start < there.end;
        int64_t stop = run.start < there.start ? there.start : d.end, at = 0;

        if (mixed)
            at = find_row(io, run.start, mix->loops, &stop);
        run.end = run.start + RUN < d.end ? run.start + RUN : d.end;
        run.end = stop < run.end ? stop : run.end;
        mix_run(io, &src, &dst, run, at, mixed, mix->gain, room);
    }
    gf_planar_finish(work, io, &dst);
    return 0;
}

const struct gf_operation gf_op_mix = {
    .word = "mix", .text = "Adds another recording, with a gain.",
    .params_bytes = sizeof(struct gf_mix),
    .beside_loops = mix_loops,
    .cpu = { .body = gf_mix_cpu, .scratch_bytes = mix_scratch },
    .cuda = { .body = GF_CUDA_BODY(gf_mix_cuda), GF_OP_STORES, .scratch_bytes = gf_gpu_scratch_programs },
};
