/* Loudness on a CPU: the runs of a block in parallel, in double. */
#include "kernels/statistics/loudness.h"

#include "base/clones.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/planar.h"

#include <string.h>

#define RUNS GF_LOUDNESS_RUNS
#define STATES GF_LOUDNESS_STATES

/* The state of each run. */
struct loudness_runs {
    double state[STATES][RUNS], energy[RUNS], cross[STATES][RUNS];
};

static size_t loudness_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_loudness *l = params;

    return (size_t)l->run_units * (STATES * sizeof(double) + RUNS * sizeof(float))
         + gf_planar_source_samples(shape, l->block_units) * sizeof(float);
}

/* Interleaves the runs: sample n of each run is adjacent; the last run is shorter than the others. */
GF_CLONES
static void turn_runs(const struct gf_loudness *l, const float *restrict from, float *restrict to)
{
    for (int64_t n = 0; n < l->run_units; n++)
        for (int k = 0; k < RUNS; k++) {
            const int64_t at = k * l->run_units + n;
            const float v = at < l->block_units ? from[at] : 0.0f;

            to[n * RUNS + k] = fabsf(v) <= 3.40282347e38f ? v : 0.0f;
        }
}

/* Samples [first, end) of the first `runs` runs. */
GF_INLINE void weigh_some(const struct gf_loudness *l, const double *restrict ring, const float *restrict x,
                          int64_t first, int64_t end,
                          int runs, struct loudness_runs *restrict r)
{
    for (int64_t n = first; n < end; n++)
        for (int k = 0; k < runs; k++) {
            const double z = gf_loudness_step(l->shelf, l->pass, (double)x[n * RUNS + k], &r->state[0][k],
                                              &r->state[1][k], &r->state[2][k],
                                              &r->state[3][k]);

            r->energy[k] = fma(z, z, r->energy[k]);
            for (int i = 0; i < STATES; i++)
                r->cross[i][k] = fma(z, ring[n * STATES + i], r->cross[i][k]);
        }
}

/* Processes a whole block of one channel, interleaved. */
GF_CLONES
static void weigh_block(const struct gf_loudness *l, const double *restrict ring, const float *restrict x,
                        struct gf_loudness_record *to)
{
    struct gf_loudness_joined all;
    struct loudness_runs r;

    memset(&r, 0, sizeof r);
    weigh_some(l, ring, x, 0, l->last_units, RUNS, &r);
    weigh_some(l, ring, x, l->last_units, l->run_units, RUNS - 1, &r);
    gf_loudness_none(&all);
    for (int k = 0; k < RUNS; k++) {
        double cross[STATES], state[STATES];

        for (int i = 0; i < STATES; i++) {
            cross[i] = r.cross[i][k];
            state[i] = r.state[i][k];
        }
        gf_loudness_join_run(&all, k < RUNS - 1 ? &l->run : &l->last, r.energy[k], cross, state);
    }
    to->energy = all.energy;
    memcpy(to->cross, all.cross, sizeof to->cross);
    memcpy(to->state, all.state, sizeof to->state);
}

static int levels(const struct gf_work *work, const struct gf_io *io, const struct gf_loudness *l,
                  const struct gf_block *block,
                  struct gf_loudness_record *to, struct gf_error *err)
{
    const struct gf_reduce r = { .block_units = l->block_units, .channels = l->channels, .full = l->full,
                                 .record_bytes = sizeof *to };
    struct gf_io part = { .src = *block, .dst = *block, .src_units = io->src_units };

    part.dst.data = &to->levels;
    return gf_reduce_cpu(work, &part, &r, err);
}

int gf_loudness_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_loudness *l = params;
    double *ring = work->scratch;
    float *turned = (float *)(ring + l->run_units * STATES), *planes = turned + l->run_units * RUNS;
    struct gf_loudness_record *to = io->dst.data;

    for (int64_t i = 0; i < l->run_units * STATES; i++)
        ring[i] = (double)work->tables[l->ring + 2 * i] + (double)work->tables[l->ring + 2 * i + 1];
    for (int64_t u = io->dst.span.start; u < io->dst.span.end; u += l->block_units, to += l->channels) {
        const int64_t end = u + l->block_units < io->dst.span.end ? u + l->block_units : io->dst.span.end;
        const struct gf_block block = gf_planar_source(work, io, (struct gf_span) { u, end }, planes);

        memset(to, 0, (size_t)l->channels * sizeof *to);
        if (l->levels && levels(work, io, l, &block, to, err) != 0)
            return -1;
        for (int c = 0; c < l->channels; c++) {
            to[c].energy = end - u < l->block_units ? -1 : 0;
            if (to[c].energy < 0 || c >= l->heard)
                continue;
            turn_runs(l, gf_plane_at(&block, c, u), turned);
            weigh_block(l, ring, turned, &to[c]);
        }
    }
    return 0;
}

static struct gf_records loudness_records(const void *params)
{
    const struct gf_loudness *l = params;

    return (struct gf_records) { .block_units = l->block_units, .channels = l->channels,
                                 .bytes = sizeof(struct gf_loudness_record), .energies = true };
}

static size_t loudness_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_loudness *l = params;

    return (size_t)(gf_gpu_loaded_bytes(io, true, gf_span_units(io->src.span))
                    + l->run_units * GF_LOUDNESS_STATES * (int64_t)sizeof(double) + GF_GPU_SCRATCH_SMALL);
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_loudness *l = params;

    (void)out;
    return gf_op_rows_end(l->ring, l->run_units, 2 * STATES);
}

const struct gf_operation gf_op_loudness = {
    .word = "loudness",
    .text = "The energy of blocks of a tenth of a second, weighted as in ITU-R BS.1770.",
    .params_bytes = sizeof(struct gf_loudness),
    .cpu = { .body = gf_loudness_cpu, .scratch_bytes = loudness_scratch, .light = 5 },
    .cuda = { .body = GF_CUDA_BODY(gf_loudness_cuda), GF_OP_STORES, .scratch_bytes = loudness_gpu_scratch, .light = 5 },
    .records = loudness_records,
    .tables_end = tables_end,
};
