/* Convolution on a GPU: chooses the kernel and the size of its tile, or goes plane by plane if no tile fits. */
#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/conv_near.cuh"
#include "kernels/neighbourhood/conv_tiles.cuh"
#include "kernels/neighbourhood/conv_whole.cuh"

static int round4(int n)
{
    return (n + 3) / 4 * 4;
}

static bool in_constant(const struct gf_work *work, const struct gf_conv *c)
{
    int64_t ways = c->mask_channels > 1 ? c->mask_channels : 1, end = 0;

    if (c->full)
        end = c->full_at + ways * c->nx * c->ny;
    else if (c->nx > 0)
        end = c->x_at + ways * c->nx;
    if (!c->full && c->ny > 0 && c->y_at + ways * c->ny > end)
        end = c->y_at + ways * c->ny;
    if (c->combine == GF_CONV_HYPOT && c->also_at + (int64_t)c->nx * c->ny > end)
        end = c->also_at + (int64_t)c->nx * c->ny;
    return work->constant.version != 0 && end <= work->constant.count;
}

/* Makes the masks of a convolution those at `at` of constant memory. */
static void move_masks(struct gf_conv *c, int64_t at)
{
    c->x_at += at;
    c->y_at += at;
    c->full_at += at;
    c->also_at += at;
}

static struct conv_task task_of(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv)
{
    struct conv_task t;

    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    if (t.src.layout == GF_F32 && t.src.channels == 1)       /* rows of floats are like planes */
        t.src.layout = GF_PLANES;
    t.conv = *conv;
    t.width = io->dst.width;
    t.src_units = io->src_units;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.masks = work->masks;
    t.tables = work->tables;
    t.constant = in_constant(work, conv);
    if (t.constant)
        move_masks(&t.conv, work->constant.at);
    t.tile_x = t.tile_y = t.pitch = t.rows = 0;
    return t;
}

#define LEAST_TILE_ROWS 8

/* Makes the tiles of a small image lower, as long as half of the multiprocessors have none. */
static void share_out(struct conv_task *t, int device)
{
    int processors = 0;

    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    while (t->tile_y > LEAST_TILE_ROWS
           && 2 * gf_ceil_div(t->width, t->tile_x) * gf_ceil_div(t->end - t->first, t->tile_y) <= processors) {
        t->tile_y /= 2;
        t->rows = t->tile_y + round4(t->conv.ny);
    }
}

/*
 * Chooses the largest tile that leaves room for others on the multiprocessor, otherwise the largest
 * that fits.
 */
static bool choose_tile(struct conv_task *t, int channels)
{
    const struct gf_conv *c = &t->conv;
    int most = 0, device = 0, last = c->ny == 0 ? 1 : c->full ? 4 : 8;
    const int first = channels > 1 ? 32 : 64;
    size_t roomy = 76 * 1024;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    t->tile_x = c->ny == 0 && c->nx > 256 ? 1024 : 64;
    t->pitch = t->tile_x + (c->nx > 0 ? round4(c->nx) : 0);
    for (int pass = 0; pass < 2; pass++, roomy = (size_t)most)
        for (int y = first; y >= (pass == 0 && c->ny > 0 ? first / 2 : last); y /= 2) {
            t->tile_y = y;
            t->rows = y + round4(c->ny);
            if (conv_tile_bytes(t, channels) <= roomy && conv_tile_bytes(t, channels) <= (size_t)most) {
                share_out(t, device);
                return true;
            }
        }
    return false;
}

/* Returns true if one kernel can keep a pixel with all its channels in registers. */
static bool fits_registers(const struct gf_io *io)
{
    const int c = gf_channels_at_work(io);

    return (c == 1 || c == 3 || c == 4) && io->src.channels <= 4 && io->dst.channels <= 4
        && gf_program_widest(io->load, io->src.channels) <= 4 && gf_program_widest(io->store, c) <= 4;
}

/* ---- plane by plane ---- */

/* Returns one plane of a planar block. */
static struct gf_block plane_of(const struct gf_block *b, int c)
{
    struct gf_block one = *b;

    one.data = (float *)b->data + c * b->plane_samples;
    one.channels = 1;
    return one;
}

/* Convolves one plane in one kernel: a tile, a line, or a tall column. */
static int plane_pass(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                      struct gf_error *err)
{
    struct conv_task t = task_of(work, io, conv);

    if (gf_conv_is_line(io, conv))
        return gf_conv_long_line(work, io, &t, err);
    if (choose_tile(&t, 1))
        return gf_conv_tiles_1(work, io, &t, err);
    if (conv->full || conv->nx > 0)
        return gf_fail(err, GF_FAILED, "the GPU has too little shared memory for a mask of %d by %d;; use --device cpu",
                       conv->nx, conv->ny);
    return gf_conv_long_tall(work, &t, err);
}

static int copy_plane(const struct gf_io *io, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block from = gf_block_part(&io->src, io->dst.span);

    return gf_cuda_check(cudaMemcpy2DAsync(io->dst.data, (size_t)io->dst.pitch_samples * sizeof(float), from.data,
                                           (size_t)from.pitch_samples * sizeof(float),
                                               (size_t)from.width * sizeof(float),
                                           (size_t)gf_span_units(from.span), cudaMemcpyDeviceToDevice, stream),
                         "copying a plane", err);
}

/* Convolves channel c, with one direction after the other if no tile holds both. */
static int plane_passes(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, int c,
                        const struct gf_block *between, struct gf_error *err)
{
    struct gf_conv one = *conv, x, y;
    struct gf_io first = *io, second = *io;
    struct conv_task t;

    if (conv->combine != GF_CONV_PLAIN && c >= conv->combined)
        return copy_plane(io, (cudaStream_t)work->stream, err);
    one.mask_channels = one.combined = 1;
    if (conv->mask_channels > 1) {
        one.x_at += (int64_t)c * conv->nx;
        one.y_at += (int64_t)c * conv->ny;
        one.full_at += (int64_t)c * conv->nx * conv->ny;
    }
    t = task_of(work, io, &one);
    if (conv->full || conv->nx == 0 || conv->ny == 0 || choose_tile(&t, 1))
        return plane_pass(work, io, &one, err);
    x = y = one;
    x.ny = y.nx = 0;
    x.combine = y.combine = GF_CONV_PLAIN;
    first.dst = second.src = *between;
    if (plane_pass(work, &first, &x, err) != 0 || plane_pass(work, &second, &y, err) != 0)
        return -1;
    if (conv->combine == GF_CONV_PLAIN)
        return 0;
    return gf_conv_long_sharpen(work, &t, err);
}

/* Convolves planes, one channel after another. */
static int each_plane(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv,
                      struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    struct gf_block between = {};
    int result = 0;

    if (!conv->full && conv->nx > 0 && conv->ny > 0)
        result = gf_borrowed_planes_take(&between, &io->src, 1, io->src.span, stream, err);
    for (int c = 0; result == 0 && c < io->src.channels; c++) {
        struct gf_io one = *io;

        one.src = plane_of(&io->src, c);
        one.dst = plane_of(&io->dst, c);
        one.load = one.store = NULL;
        result = plane_passes(work, &one, conv, c, &between, err);
    }
    gf_borrowed_planes_return(&between, stream);
    return result;
}

extern "C" int gf_conv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                            struct gf_error *err)
{
    const struct gf_conv *conv = (const struct gf_conv *)params;
    struct conv_task t = task_of(work, io, conv);
    const int channels = gf_channels_at_work(io);
    struct gf_whole_mask mask;

    if (t.width <= 0 || t.first >= t.end)
        return 0;
    if (conv->combine == GF_CONV_KEEP || conv->combine == GF_CONV_SHARPEN_KEPT)
        return gf_fail(err, GF_FAILED, "internal error: the GPU needs both halves of a convolution in one call");
    if (gf_conv_is_line(io, conv))
        return gf_conv_long_line(work, io, &t, err);
    if (gf_conv_is_whole(work, io, conv, &mask))
        return gf_conv_whole(work, io, conv, &mask, err);
    if (gf_conv_is_near(io, conv))
        return gf_conv_near(work, io, conv, err);
    if (fits_registers(io) && (conv->full || conv->nx > 0 || conv->ny <= 256) && choose_tile(&t, channels))
        return (channels == 1 ? gf_conv_tiles_1 : channels == 3 ? gf_conv_tiles_3 : gf_conv_tiles_4)(work, io, &t, err);
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) { return each_plane(work, &plain, conv, err); });
}
