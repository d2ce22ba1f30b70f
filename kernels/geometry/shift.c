/* Shifts a recording on a CPU: a copy, or frame by frame from the end. */
#include "kernels/geometry/shift.h"

#include "base/clones.h"
#include "kernels/base/block.h"

#include <string.h>

/* `bytes` is a constant in each call that matters. */
GF_INLINE void turn_items(const char *last, char *to, int64_t n, size_t bytes)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(to + (size_t)i * bytes, last - (size_t)i * bytes, bytes);
}

static void turn(const char *last, char *to, int64_t n, size_t bytes)
{
    switch (bytes) {
    case 2: turn_items(last, to, n, 2); break;
    case 4: turn_items(last, to, n, 4); break;
    case 8: turn_items(last, to, n, 8); break;
    default: turn_items(last, to, n, bytes); break;
    }
}

/* Copies one plane of items; `from` is the item for unit `filled.start` of the result. */
static void place(const char *from, char *to, const struct gf_shift *p, struct gf_span all,
                  struct gf_span filled, size_t bytes)
{
    const size_t before = (size_t)(filled.start - all.start) * bytes, inside = (size_t)gf_span_units(filled) * bytes;

    memset(to, 0, before);
    if (p->backwards)
        turn(from, to + before, gf_span_units(filled), bytes);
    else if (inside > 0)
        memcpy(to + before, from, inside);
    memset(to + before + inside, 0, (size_t)(all.end - filled.end) * bytes);
}

int gf_shift_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_shift *p = params;
    const struct gf_span filled = gf_shift_filled(p, io);
    const size_t sample = gf_type_bytes(io->src.type), bytes = sample * (size_t)(io->src.planar ? 1 : io->src.channels);
    const int64_t from = (p->backwards ? p->first - filled.start : filled.start - p->first) - io->src.span.start;

    (void)work;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar
        || !gf_block_is_run(&io->src) || !gf_block_is_run(&io->dst) || io->dst.width != 1)
        return gf_fail(err, GF_FAILED, "internal error: shift cannot change samples");
    for (int c = 0; c < (io->src.planar ? io->src.channels : 1); c++)
        place((const char *)io->src.data + (size_t)(c * io->src.plane_samples) * sample
              + (filled.end > filled.start ? from : 0) * (int64_t)bytes,
              (char *)io->dst.data + (size_t)(c * io->dst.plane_samples) * sample, p, io->dst.span, filled, bytes);
    return 0;
}

static void shift_map(const void *params, struct gf_affine *to_source)
{
    const struct gf_shift *p = params;

    *to_source = (struct gf_affine) { .xx = 1, .yy = p->backwards ? -1 : 1,
                                      .cy = (double)(p->backwards ? p->first + 1 : -p->first) };
}

const struct gf_operation gf_op_shift = {
    .word = "place", .text = "Moves audio to another position in time, forwards or backwards.",
    .params_bytes = sizeof(struct gf_shift),
    .moves = true, .keeps_layout = true,
    .cpu = { .body = gf_shift_cpu, .reads = GF_READS_PACKED },
    .cuda = { .body = GF_CUDA_BODY(gf_shift_cuda), .reads = GF_READS_PACKED },
    .map = shift_map,
};
