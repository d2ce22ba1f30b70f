/* Describes the convolution: its cost, its halves, and the memory that its CUDA body borrows. */
#include "kernels/neighbourhood/conv.h"

#include "kernels/base/gpu_scratch.h"
#include "kernels/base/program_steps.h"
#include "kernels/neighbourhood/conv_bytes.h"
#include "kernels/neighbourhood/conv_sums.h"

#include <stdio.h>

#define COLLIDING_SAMPLES (1 << 13)      /* rows of a multiple of 32 KB take each other's places in the cache */
/* Rows of a result on a CPU, at least: with tiles, for which all rows under them are copied, and without. */
#define ROWS_WITH_TILES 32
#define ROWS_WITHOUT_TILES (2 * GF_CONV_SUMS_ROWS)
#define TILE_WEIGHTS 64                  /* most weights in a direction that a tile in shared memory has room for */

static double weights_of(const struct gf_conv *conv)
{
    return conv->full ? conv->nx * conv->ny : conv->nx + conv->ny;
}

/* Each segment sums along the rows before and after it again, and yet is faster than two steps. */
static bool at_once(const void *params, const struct gf_format *f)
{
    const struct gf_conv *conv = params;
    struct gf_io io = { .src = gf_block_packed(NULL, f, (struct gf_span) { 0, 0 }) };

    io.dst = io.src;
    return gf_conv_bytes_fits(&io, conv);
}

/* Bytes, and planes under long masks, are filtered in tiles that stay in a cache. Rows of other planes may leave it. */
static struct gf_cost conv_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_conv *conv = params;
    const bool collides = out->width % COLLIDING_SAMPLES == 0 && !gf_conv_uses_tiles(conv, out->width);

    if (in->type == GF_U8 && out->type == GF_U8 && at_once(conv, in))
        return (struct gf_cost) { 1.5, 0.8 * weights_of(conv) };
    return (struct gf_cost) { 1, weights_of(conv) + 3.0 * collides * conv->ny };
}

static int least_rows(const void *params, const struct gf_format *out)
{
    const struct gf_conv *conv = params;

    return gf_conv_uses_tiles(conv, out->width) ? ROWS_WITH_TILES : conv->ny > 1 ? ROWS_WITHOUT_TILES : 1;
}

/* Masks that do not fit in a tile of shared memory take a slower way, plane by plane. */
static struct gf_cost conv_gpu_cost(const void *params, const struct gf_format *in, const struct gf_format *out)
{
    const struct gf_conv *conv = params;
    const bool tiled = conv->nx <= TILE_WEIGHTS && conv->ny <= TILE_WEIGHTS / (out->channels > 1 ? 2 : 1);

    (void)in;
    return (struct gf_cost) { 1, (tiled ? 1 : 4) * weights_of(conv) };
}

static void describe_conv(const void *params, bool cuda, char *text, size_t room)
{
    const struct gf_conv *conv = params;

    (void)cuda;
    snprintf(text, room, ", %d by %d weights%s", conv->nx ? conv->nx : 1, conv->ny ? conv->ny : 1,
             conv->full || conv->nx == 0 || conv->ny == 0 ? "" : " in two directions");
}

_Static_assert(sizeof(struct gf_conv) <= GF_OP_CHANGED_BYTES, "halves change them");

/* Splits a separable mask. If the second half needs the original samples, the first half passes them on. */
static int halves(const void *params, bool fuses, union gf_op_changed *first, union gf_op_changed *second)
{
    const struct gf_conv *conv = params;
    const bool sharpens = conv->combine == GF_CONV_SHARPEN;
    struct gf_conv *x = (void *)first, *y = (void *)second;

    if (fuses || conv->full || conv->nx == 0 || conv->ny == 0)
        return 0;
    *x = *y = *conv;
    x->ny = y->nx = 0;
    if (sharpens)
        x->combine = GF_CONV_KEEP, y->combine = GF_CONV_SHARPEN_KEPT;
    return sharpens ? 2 : 1;
}

/*
 * Filters along audio, and masks that fit in a tile of one, three or four channels, borrow nothing;
 * others work in planes, with one more in between.
 */
static size_t conv_gpu_scratch(const struct gf_io *io, const void *params)
{
    const struct gf_conv *conv = params;
    const bool in_registers = gf_channels_at_work(io) != 2 && io->dst.channels <= 4 && gf_point_widest_of(io) <= 4;

    if (gf_conv_is_line(io, conv)
        || (io->dst.width > 1 && in_registers && conv->nx <= TILE_WEIGHTS && conv->ny <= TILE_WEIGHTS))
        return 0;
    return gf_gpu_scratch_planes(io, params)
         + (size_t)(!conv->full && conv->nx > 0
                    && conv->ny > 0 ? gf_gpu_plane_bytes(&io->src, 1, gf_span_units(io->src.span)) : 0);
}

const struct gf_operation gf_op_conv = {
    .word = "conv",
    .text = "Weighted sums of neighbors: along rows and then along columns, or over a whole "
            "mask. In audio, a filter with few taps.",
    .params_bytes = sizeof(struct gf_conv),
    .cpu = { .body = gf_conv_cpu, .scratch_bytes = gf_conv_scratch_bytes, .cost = conv_cost },
    .cuda = { .body = GF_CUDA_BODY(gf_conv_cuda), GF_OP_LOADS_AND_STORES, .scratch_bytes = conv_gpu_scratch,
              .cost = conv_gpu_cost },
    .describe = describe_conv,
    .least_units = least_rows,
    .halves = halves,
    .at_once = at_once,
};
