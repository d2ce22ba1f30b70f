/* Applies a smoothed gain on a CPU: a running sum, then a product. */
#include "kernels/sound/ride.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"

#include <string.h>

static int64_t room_frames(const struct gf_ride *r, int64_t units)
{
    return gf_round_up(units + r->window + 1, 16);
}

static size_t ride_scratch(const struct gf_io *shape, const void *params)
{
    const int64_t units = gf_span_units(shape->dst.span);

    return (size_t)room_frames(params, units) * (sizeof(int64_t) + sizeof(float));
}

GF_CLONES
static void take_levels(const float *restrict gain, int64_t *restrict level, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        level[i] = gf_ride_level(gain[i]);
}

/* Fills in the levels of `count` frames from `first` on, some of which may be outside the signal. */
static void find_levels(const struct gf_io *io, int channel, int64_t first, int64_t count, int64_t *level)
{
    const int64_t last = io->src_units - 1;
    const int64_t start = first < 0 ? 0 : first, end = first + count < last + 1 ? first + count : last + 1;

    take_levels(gf_plane_at(&io->src, channel, start), level + (start - first), end - start);
    for (int64_t i = first; i < start; i++)
        level[i - first] = level[start - first];
    for (int64_t i = end; i < first + count; i++)
        level[i - first] = level[end - 1 - first];
}

static void find_means(const int64_t *level, int window, int64_t n, double scale, float *mean)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < window - 1; i++)
        sum += level[i];
    for (int64_t i = 0; i < n; i++) {
        sum += level[i + window - 1];
        mean[i] = (float)((double)sum * scale);
        sum -= level[i];
    }
}

GF_CLONES
static void apply_gain(const float *restrict x, const float *restrict gain, float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * gain[i];
}

GF_CLONES
static void apply_to_band(const float *restrict x, const float *restrict band, const float *restrict gain,
                          float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] - (1.0f - gain[i]) * band[i];
}

int gf_ride_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_ride *r = params;
    const struct gf_span out = io->dst.span;
    const int64_t n = gf_span_units(out), room = room_frames(r, n);
    int64_t *level = work->scratch;
    float *mean = (float *)(level + room);

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: ride needs planes and no programs");
    if (n <= 0)
        return 0;
    find_levels(io, gf_ride_gain_channel(r), out.start + r->ahead - r->window + 1, n + r->window - 1, level);
    find_means(level, r->window, n, gf_ride_scale(r), mean);
    for (int c = 0; c < r->channels; c++) {
        const float *x = gf_plane_at(&io->src, c, out.start);

        if (r->band)
            apply_to_band(x, gf_plane_at(&io->src, r->channels + c, out.start), mean,
                          gf_plane_at(&io->dst, c, out.start), n);
        else
            apply_gain(x, mean, gf_plane_at(&io->dst, c, out.start), n);
    }
    return 0;
}

static size_t ride_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int64_t units = gf_span_units(io->dst.span), window = ((const struct gf_ride *)params)->window;

    return gf_ride_gpu_bytes(units + window, units) + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_ride = {
    .word = "ride", .text = "A gain, given by a channel of the signal, smoothed and applied to the others.",
    .params_bytes = sizeof(struct gf_ride), .starts_anew = 2,
    .cpu = { .body = gf_ride_cpu, .scratch_bytes = ride_scratch, .light = 2 },
    .cuda = { .body = GF_CUDA_BODY(gf_ride_cuda), .scratch_bytes = ride_gpu_scratch, .light = 2 },
};
