/* Mends clicks on a CPU: bends of all frames, a running sum, then runs of bad frames. */
#include "kernels/sound/mend.h"

#include "base/clones.h"
#include "kernels/base/block.h"
#include "kernels/base/gpu_scratch.h"

#include <string.h>

static int64_t room_frames(const struct gf_mend *m, int64_t units)
{
    return gf_round_up(units + 2 * gf_mend_halo(m), 16);
}

static size_t mend_scratch(const struct gf_io *shape, const void *params)
{
    return (size_t)room_frames(params, gf_span_units(shape->dst.span)) * (sizeof(int64_t) + 2);
}

GF_CLONES
static void find_bends(const float *restrict x, int64_t *restrict bend, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        bend[i] = gf_mend_bend(x[i - 1], x[i], x[i + 1]);
}

/* Sets sharp[i] for frame `first` + i, from bends of frames first - around on. Returns true if there is one. */
static bool find_sharp(const struct gf_mend *m, const int64_t *bend, int64_t n, unsigned char *sharp)
{
    int64_t sum = 0;
    bool any = false;

    for (int i = 0; i < 2 * m->around; i++)
        sum += bend[i];
    for (int64_t i = 0; i < n; i++) {
        sum += bend[i + 2 * m->around];
        sharp[i] = gf_mend_is_sharp(m, bend[i + m->around], sum);
        any = any || sharp[i];
        sum -= bend[i];
    }
    return any;
}

/* Sets bad[i] if a frame within `grow` of i + grow is sharp. */
static void grow_sharp(const struct gf_mend *m, const unsigned char *sharp, int64_t n, unsigned char *bad)
{
    int64_t count = 0;

    for (int i = 0; i < 2 * m->grow; i++)
        count += sharp[i];
    for (int64_t i = 0; i < n; i++) {
        count += sharp[i + 2 * m->grow];
        bad[i] = count > 0;
        count -= sharp[i];
    }
}

/* Replaces the part of a run [start, end) that is in `out`; x[0] is frame 0 of the signal. */
static void mend_run(const struct gf_mend *m, const float *x, int64_t start, int64_t end, int64_t units,
                     struct gf_span out, float *to)
{
    if (end - start > m->longest || start - 1 - GF_MEND_SLOPE < 0 || end + GF_MEND_SLOPE >= units)
        return;
    for (int64_t n = start > out.start ? start : out.start; n < end && n < out.end; n++)
        to[n - out.start] = gf_mend_curve(x + start, (int)(end - start), (int)(n - start));
}

/* Finds runs from bad[0], which is frame `first`. One that leaves the frames known is too long in any case. */
static void mend_runs(const struct gf_mend *m, const float *x, const unsigned char *bad, int64_t first, int64_t n,
                      int64_t units, struct gf_span out, float *to)
{
    for (int64_t i = 0, end; i < n; i = end + 1) {
        for (end = i; end < n && bad[end]; )
            end++;
        if (end > i)
            mend_run(m, x, first + i, first + end, units, out, to);
    }
}

int gf_mend_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_mend *m = params;
    const struct gf_span out = io->dst.span;
    const int64_t n = gf_span_units(out), known = n + 2 * (m->longest + 1), first = out.start - m->longest - 1;
    const int64_t room = room_frames(m, n), start = first - m->grow - m->around;
    const int64_t all = known + 2 * (m->grow + m->around);
    int64_t *bend = work->scratch;
    unsigned char *sharp = (unsigned char *)(bend + room), *bad = sharp + room;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || !io->src.planar || !io->dst.planar
        || io->src.pitch_samples != 1 || io->dst.pitch_samples != 1)
        return gf_fail(err, GF_FAILED, "internal error: mend needs planes and no programs");
    for (int c = 0; c < io->src.channels && n > 0; c++) {
        const float *x = (const float *)io->src.data + c * io->src.plane_samples - io->src.span.start;
        const int64_t from = start > 1 ? start : 1;
        const int64_t end = start + all < io->src_units - 1 ? start + all : io->src_units - 1;
        float *to = gf_plane_at(&io->dst, c, out.start);

        memcpy(to, x + out.start, (size_t)n * sizeof *to);
        memset(bend, 0, (size_t)all * sizeof *bend);
        if (end > from)
            find_bends(x + from, bend + (from - start), end - from);
        if (!find_sharp(m, bend, known + 2 * m->grow, sharp))
            continue;
        grow_sharp(m, sharp, known, bad);
        mend_runs(m, x, bad, first, known, io->src_units, out, to);
    }
    return 0;
}

static size_t mend_gpu_scratch(const struct gf_io *io, const void *params)
{
    const int64_t frames = room_frames(params, gf_span_units(io->dst.span));

    return (size_t)(frames * 2 * io->src.channels) + GF_GPU_SCRATCH_SMALL;
}

const struct gf_operation gf_op_mend = {
    .word = "mend", .text = "Runs of frames that bend sharply become smooth curves.",
    .params_bytes = sizeof(struct gf_mend), .starts_anew = 2,
    .cpu = { .body = gf_mend_cpu, .scratch_bytes = mend_scratch, .light = 5 },
    .cuda = { .body = GF_CUDA_BODY(gf_mend_cuda), .scratch_bytes = mend_gpu_scratch, .light = 5 },
    .reach = gf_reach_own_column,
};
