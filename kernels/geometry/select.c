/* Selects channels on a CPU: planes are copied whole, packed samples one by one. */
#include "kernels/geometry/select.h"

#include "base/clones.h"

#include <string.h>

#define RUN 4096                         /* pixels at a time */

/* `bytes` is a constant in each call, so that a copy is one load and one store. */
GF_INLINE void pick_samples(const char *restrict src, char *restrict dst, int64_t n, int in, int out, size_t bytes)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(dst + (size_t)(i * out) * bytes, src + (size_t)(i * in) * bytes, bytes);
}

static void copy_channel(const char *src, char *dst, int64_t n, int in, int out, size_t bytes)
{
    switch (bytes) {
    case 1: pick_samples(src, dst, n, in, out, 1); break;
    case 2: pick_samples(src, dst, n, in, out, 2); break;
    case 4: pick_samples(src, dst, n, in, out, 4); break;
    default: pick_samples(src, dst, n, in, out, 8); break;
    }
}

static void clear_channel(char *dst, int64_t n, int out, size_t bytes)
{
    for (int64_t i = 0; i < n; i++)
        memset(dst + (size_t)(i * out) * bytes, 0, bytes);
}

static void select_row(const struct gf_io *io, const struct gf_select *s, int64_t unit, int64_t n)
{
    const struct gf_block *a = &io->src, *b = &io->dst;
    const size_t bytes = gf_type_bytes(a->type);
    const int in = a->planar ? 1 : a->channels, out = b->planar ? 1 : b->channels;

    for (int o = 0; o < b->channels; o++) {
        const int64_t plane = b->planar ? o * b->plane_samples : o,
                              from = a->planar ? s->from[o] * a->plane_samples : s->from[o];
        char *to = (char *)b->data + (size_t)((unit - b->span.start) * b->pitch_samples + plane) * bytes;

        if (s->from[o] < 0)
            clear_channel(to, n, out, bytes);
        else
            copy_channel((const char *)a->data + (size_t)((unit - a->span.start) * a->pitch_samples + from) * bytes, to,
                         n, in, out, bytes);
    }
}

int gf_select_cpu(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const int64_t width = io->dst.width, step = RUN / width + 1, end = io->dst.span.end;
    const bool runs = io->src.pitch_samples == width * (io->src.planar ? 1 : io->src.channels)
                   && io->dst.pitch_samples == width * (io->dst.planar ? 1 : io->dst.channels);

    (void)work;
    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar)
        return gf_fail(err, GF_FAILED, "internal error: select cannot change samples");
    for (int64_t u = io->dst.span.start, n; u < end; u += n) {      /* all channels of a run while it is in the cache */
        n = !runs ? 1 : end - u < step ? end - u : step;
        select_row(io, params, u, n * width);
    }
    return 0;
}

const struct gf_operation gf_op_select = {
    .word = "select", .text = "Selects channels and changes their order.",
    .params_bytes = sizeof(struct gf_select),
    .moves = true, .keeps_layout = true,
    .cpu = { .body = gf_select_cpu, .reads = GF_READS_PACKED },
    .cuda = { .body = GF_CUDA_BODY(gf_select_cuda), .reads = GF_READS_PACKED },
    .reach = gf_reach_own_column,
};
