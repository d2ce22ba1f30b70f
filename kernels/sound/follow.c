/* A gain that follows the level, on a CPU: levels of many frames at a time, then one maximum after another. */
#include "kernels/sound/follow.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"
#include "kernels/base/pack.h"

#include <math.h>
#include <string.h>

#define HIGHEST 3.40282347e38f

/* Scratch for the frames of a call and the window before them. */
struct follow_scratch {
    int64_t *sum;                        /* squares of all channels */
    float *loud, *row;                   /* magnitudes; a channel of the second source */
    int32_t *level[2];
};

static int64_t room_frames(const struct gf_follow *f, int64_t units)
{
    return gf_round_up(units + f->window + 1, 16);
}

static size_t room_bytes(int64_t n)
{
    return (size_t)n * (sizeof(int64_t) + 2 * sizeof(float) + 2 * sizeof(int32_t));
}

static size_t follow_scratch(const struct gf_io *shape, const void *params)
{
    return room_bytes(room_frames(params, gf_span_units(shape->dst.span)))
         + (size_t)(shape->beside.channels + 1) * sizeof(float)
         * (size_t)room_frames(params, gf_span_units(shape->dst.span));
}

static struct follow_scratch room_at(void *scratch, int64_t n)
{
    struct follow_scratch r = { .sum = scratch };

    r.loud = (float *)(r.sum + n);
    r.level[0] = (int32_t *)(r.loud + n);
    r.level[1] = r.level[0] + n;
    r.row = (float *)(r.level[1] + n);
    return r;
}

/* ---- levels ---- */

GF_CLONES
static void raise_magnitudes(const float *restrict x, float *restrict loud, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float v = fabsf(x[i]), w = v <= HIGHEST ? v : 0.0f;

        loud[i] = w > loud[i] ? w : loud[i];
    }
}

GF_CLONES
static void follow_levels(const float *restrict loud, int32_t *restrict level, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        level[i] = gf_octaves_of(loud[i]);
}

GF_CLONES
static void add_energy(const float *restrict x, int64_t *restrict sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] += gf_follow_square(x[i]);
}

/* Replaces each sum from frame `window` on by that of its window; the ones before are lost. */
static void sum_windows(int64_t *sum, int window, int64_t n, float *loud, double scale)
{
    int64_t all = 0;

    for (int64_t i = 0; i < window - 1; i++)
        all += sum[i];
    for (int64_t i = 0; i < n; i++) {
        all += sum[i + window - 1];
        loud[i] = (float)((double)all * scale);
        all -= sum[i];
    }
}

GF_CLONES
static void halve_levels(int32_t *restrict level, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        level[i] = (level[i] + GF_OCTAVES_OF_ONE) >> 1;
}

/* Finds frames [first, end) of a channel that exist, of the source or the second source, as one row. */
static const float *bring_channel(const struct gf_follow *f, const struct gf_io *io, bool beside, int c,
                                  struct gf_span *frames, struct follow_scratch *r, int64_t room)
{
    const struct gf_span there = beside
        ? (struct gf_span) { io->beside.span.start + io->beside_shift, io->beside.span.end + io->beside_shift }
        : io->src.span;
    float *row[GF_MAX_CHANNELS];

    (void)f;
    frames->start = frames->start > there.start ? frames->start : there.start;
    frames->end = frames->end < there.end ? frames->end : there.end;
    if (frames->end <= frames->start)
        return NULL;
    if (!beside)
        return gf_plane_at(&io->src, c, frames->start);
    for (int k = 0; k < io->beside.channels; k++)
        row[k] = r->row + (k + 1) * room;
    if (c == 0)
        gf_load_pixels(&io->beside, frames->start - io->beside_shift, 0, gf_span_units(*frames), row);
    return row[c];
}

/* Finds the levels of some channels in the frames of the result. */
static void level_of(const struct gf_follow *f, const struct gf_io *io, bool beside, struct gf_follow_channels which,
                     struct follow_scratch *r, int64_t room, int32_t *level)
{
    const struct gf_span out = io->dst.span;
    const int64_t n = gf_span_units(out), first = out.start - (f->window > 0 ? f->window - 1 : 0);

    memset(r->loud, 0, (size_t)room * sizeof *r->loud);
    memset(r->sum, 0, (size_t)room * sizeof *r->sum);
    for (int c = 0; c < which.count; c++) {
        struct gf_span frames = { first, out.end };
        const float *x = bring_channel(f, io, beside, which.first + c, &frames, r, room);

        if (x != NULL && f->window > 0)
            add_energy(x, r->sum + (frames.start - first), gf_span_units(frames));
        else if (x != NULL)
            raise_magnitudes(x, r->loud + (frames.start - first), gf_span_units(frames));
    }
    if (f->window > 0)
        sum_windows(r->sum, f->window, n, r->loud, gf_follow_scale(f, which.count));
    follow_levels(r->loud, level, n);
    if (f->window > 0)
        halve_levels(level, n);
}

/* ---- gains ---- */

/* Lets the level fall no faster than it may. */
static void hold_levels(int32_t *level, int64_t n, int64_t fall, int64_t *state)
{
    int64_t e = *state;

    for (int64_t i = 0; i < n; i++) {
        const int64_t now = (int64_t)level[i] * 65536;

        e = now > e - fall ? now : e - fall;
        level[i] = (int32_t)(e >> 16);
    }
    *state = e;
}

GF_CLONES
static void find_curve_gains(struct gf_follow_curve curve, const int32_t *restrict level, float *restrict gain,
                             int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        gain[i] = gf_follow_gain(&curve, level[i]);
}

GF_CLONES
static void subtract_levels(int32_t *restrict level, const int32_t *restrict other, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        level[i] -= other[i];
}

int gf_follow_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_follow *f = params;
    const struct gf_span out = io->dst.span;
    const int64_t n = gf_span_units(out), room = room_frames(f, n);
    struct follow_scratch r = room_at(work->scratch, room);
    int64_t *state = work->carry;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: follow needs planes and no programs");
    if (n <= 0)
        return 0;
    for (int c = 0; c < f->kept; c++)
        memcpy(gf_plane_at(&io->dst, c, out.start), gf_plane_at(&io->src, c, out.start), (size_t)n * sizeof(float));
    level_of(f, io, f->beside, f->heard, &r, room, r.level[0]);
    hold_levels(r.level[0], n, f->fall, &state[0]);
    if (f->against.count > 0) {
        level_of(f, io, false, f->against, &r, room, r.level[1]);
        hold_levels(r.level[1], n, f->fall, &state[1]);
        subtract_levels(r.level[0], r.level[1], n);
    }
    find_curve_gains(f->curve, r.level[0], gf_plane_at(&io->dst, f->kept, out.start), n);
    return 0;
}

/* Measured on one core next to recursive filters, for mono: a mean takes as long as all the rest. */
static struct gf_cost follow_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    (void)in, (void)out;
    return (struct gf_cost) { .light = ((const struct gf_follow *)params)->window > 0 ? 5.0 : 2.5 };
}

static size_t follow_gpu_scratch(const struct gf_io *io, const void *params)
{
    return gf_follow_gpu_bytes(params, gf_span_units(io->dst.span)) + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_follow = {
    .word = "follow", .text = "A gain that follows the level of some channels along a curve.",
    .params_bytes = sizeof(struct gf_follow), .starts_anew = 2,
    .cpu = { .body = gf_follow_cpu, .scratch_bytes = follow_scratch, .cost = follow_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_follow_cuda), .scratch_bytes = follow_gpu_scratch,
              .cost = follow_cost },
};
