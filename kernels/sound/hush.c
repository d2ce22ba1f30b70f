/* Gains of spectra that reduce noise, on a CPU: all values of a block together. */
#include "kernels/sound/hush.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"

#include <string.h>

/* The state of a channel. */
struct hush_state {
    float *noise, *before, *presence, *gain;
};

GF_INLINE void step_all(const struct gf_hush *h, const float *restrict re, const float *restrict im,
                        const float *restrict profile, int n, const enum gf_hush_way way, float share,
                        struct hush_state s, float *restrict gain)
{
    float *restrict noise = s.noise, *restrict before = s.before, *restrict presence = s.presence;
    const struct gf_hush own = *h;

    GF_NO_OVERLAP
    for (int i = 0; i < n; i++) {
        struct gf_hush_value v = { noise[i], before[i], presence[i], 0 };

        gain[i] = gf_hush_step(&v, &own, re[i], im[i], way, share, way == GF_HUSH_GIVEN ? profile[i] : 0.0f);
        noise[i] = v.noise;
        before[i] = v.before;
        presence[i] = v.presence;
    }
}

/* A loop for each way, so that the compiler vectorizes it. */
GF_CLONES
static void step_values(const struct gf_hush *h, const float *re, const float *im, const float *profile, int n,
                        int64_t block, struct hush_state s, float *gain)
{
    const float share = gf_hush_share(block);

    switch (gf_hush_way_of(h, block)) {
    case GF_HUSH_GIVEN: step_all(h, re, im, profile, n, GF_HUSH_GIVEN, 0, s, gain); break;
    case GF_HUSH_POWER: step_all(h, re, im, NULL, n, GF_HUSH_POWER, 0, s, gain); break;
    case GF_HUSH_MEAN: step_all(h, re, im, NULL, n, GF_HUSH_MEAN, share, s, gain); break;
    default: step_all(h, re, im, NULL, n, GF_HUSH_FOLLOWED, 0, s, gain); break;
    }
}

/* Finds where the neighbors of the frequency at each place are stored; the outermost ones are their own. */
static void find_neighbors(const float *order, int n, int32_t *below, int32_t *above)
{
    for (int k = 0; k < n; k++) {
        const int place = gf_hush_entry(order, k, n);

        below[place] = gf_hush_entry(order, k > 0 ? k - 1 : k, n);
        above[place] = gf_hush_entry(order, k + 1 < n ? k + 1 : k, n);
    }
}

/* Mixes gains with those of neighboring frequencies. */
GF_CLONES
static void mix_gains(const float *restrict gain, const int32_t *restrict below, const int32_t *restrict above, int n,
                      float *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = gf_hush_mean(gain[below[i]], gain[i], gain[above[i]]);
}

GF_CLONES
static void apply_gains(const float *restrict x, const float *restrict gain, int64_t n, float *restrict y)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * gain[i];
}

static size_t hush_scratch(const struct gf_io *shape, const void *params)
{
    const struct gf_hush *h = params;

    (void)shape;
    return (size_t)(h->windows.size / 2) * (sizeof(float) + 2 * sizeof(int32_t));
}

/* Moves half of the values of a block on, which are in a quarter of the channels for each part. */
static void step_half(const struct gf_hush *h, const struct gf_io *io, int c, int half, int64_t block,
                      const float *profile, struct hush_state s, float *gain)
{
    const int n = gf_windows_step(&h->windows), first = half * n;
    const struct hush_state own = { s.noise + first, s.before + first, s.presence + first, NULL };
    const float *re = gf_plane_at(&io->src, GF_WINDOWS_OVERLAP * c + half, block * n);

    step_values(h, re, re + 2 * io->src.plane_samples, profile != NULL ? profile + first : NULL, n, block, own,
                gain + first);
}

int gf_hush_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_hush *h = params;
    const int n = h->windows.size / 2, step = gf_windows_step(&h->windows);
    const float *profile = h->profile >= 0 ? work->tables + h->profile : NULL;
    const struct gf_span out = io->dst.span;
    float *gain = work->scratch;
    int32_t *below = (int32_t *)(gain + n), *above = below + n;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: hush needs planes and no programs");
    memset(below, 0, 2 * (size_t)n * sizeof *below);
    find_neighbors(work->tables + h->order, n, below, above);
    for (int c = 0; c < h->channels; c++) {
        float *state = (float *)work->carry + (int64_t)c * 4 * n;
        const struct hush_state s = { state, state + n, state + 2 * n, state + 3 * n };

        for (int64_t block = out.start / step; block * step < out.end; block++) {
            const int64_t at = block * step, start = at > out.start ? at : out.start;
            const int64_t end = at + step < out.end ? at + step : out.end;

            if (at >= out.start && at + step <= io->src_units) {
                for (int half = 0; half < 2; half++)
                    step_half(h, io, c, half, block, profile, s, gain);
                mix_gains(gain, below, above, n, s.gain);
            }
            for (int q = 0; q < GF_WINDOWS_OVERLAP; q++)
                apply_gains(gf_plane_at(&io->src, GF_WINDOWS_OVERLAP * c + q, start),
                            s.gain + q % 2 * step + (start - at), end - start,
                            gf_plane_at(&io->dst, GF_WINDOWS_OVERLAP * c + q, start));
        }
    }
    return 0;
}

static size_t hush_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_hush *h = params;
    const int64_t blocks = gf_span_units(io->dst.span) / gf_windows_step(&h->windows) + 2;

    return (size_t)(2 * blocks * h->windows.size / 2 * h->channels) * sizeof(float) + GF_GPU_SCRATCH_SMALL;
}

static int64_t tables_end(const void *params, const struct gf_format *out)
{
    const struct gf_hush *h = params;
    const int64_t ends[] = { gf_windows_tables_end(&h->windows), gf_op_rows_end(h->order, 1, h->windows.size / 2),
                             gf_op_rows_end(h->rank, 1, h->windows.size / 2),
                             h->profile == -1 ? 0 : gf_op_rows_end(h->profile, 1, h->windows.size / 2) };
    int64_t end = 0;

    (void)out;
    for (int i = 0; i < 4; i++) {
        if (ends[i] < 0)
            return -1;
        end = ends[i] > end ? ends[i] : end;
    }
    return end;
}

const struct gf_operation gf_op_hush = {
    .word = "hush", .text = "Gains of spectra that reduce noise, which is followed or given.",
    .params_bytes = sizeof(struct gf_hush), .tables_end = tables_end,
    .cpu = { .body = gf_hush_cpu, .scratch_bytes = hush_scratch, .light = 7 },
    .cuda = { .body = GF_CUDA_BODY(gf_hush_cuda), .scratch_bytes = hush_gpu_scratch, .light = 7 },
};
