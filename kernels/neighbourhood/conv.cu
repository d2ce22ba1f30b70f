/* Convolution on a GPU: which kernel, which tile, and the long way round through planes where neither fits. */
#include "kernels/base/program_buffers.cuh"
#include "kernels/neighbourhood/conv_grid_long.cuh"
#include "kernels/neighbourhood/conv_near.cuh"
#include "kernels/neighbourhood/conv_whole.cuh"

extern "C" int gf_conv_cuda_set_masks(const float *host, int64_t count, struct gf_error *err)
{
    size_t n = (size_t)(count < GF_CONSTANT_MASKS ? count : GF_CONSTANT_MASKS);

    return gf_cuda_check(cudaMemcpyToSymbol(constant_masks, host, n * sizeof(float)), "constant memory", err);
}

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
    return work->masks_constant && end <= GF_CONSTANT_MASKS;
}

static struct conv_task task_of(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv)
{
    struct conv_task t;

    t.src = gf_block_view_of(&io->src);
    t.dst = gf_block_view_of(&io->dst);
    if (t.src.layout == GF_F32 && t.src.channels == 1)       /* rows of floats, as planes have them */
        t.src.layout = GF_PLANES;
    t.conv = *conv;
    t.width = io->dst.width;
    t.src_units = io->src_units;
    t.first = io->dst.span.start;
    t.end = io->dst.span.end;
    t.masks = work->masks;
    t.tables = work->tables;
    t.constant = in_constant(work, conv);
    t.tile_x = t.tile_y = t.pitch = t.rows = 0;
    return t;
}

static size_t tile_bytes(const struct conv_task *t, int channels)
{
    return (size_t)t->pitch * t->rows * channels * sizeof(float);
}

/* The largest tile that leaves room for others on the multiprocessor, else the largest that fits at all. */
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
            if (tile_bytes(t, channels) <= roomy && tile_bytes(t, channels) <= (size_t)most)
                return true;
        }
    return false;
}

typedef void kernel(const struct conv_task, const struct gf_point, const struct gf_point);

/* Masks of 3, 5 and 7 on one channel have kernels of their own. */
static kernel *small_kernel(int side)
{
    return side == 3 ? full<1, 4, 3> : side == 5 ? full<1, 4, 5> : full<1, 4, 7>;
}

template <int C>
static kernel *kernel_of(const struct gf_conv *conv, bool constant)
{
    const int side = conv->nx == conv->ny ? conv->nx : 0;

    if (C == 1 && conv->full && constant && conv->combine != GF_CONV_HYPOT && (side == 3 || side == 5 || side == 7))
        return small_kernel(side);
    if (conv->full)
        return full<C, C == 1 ? 4 : 1, 0>;
    return conv->combine == GF_CONV_SHARPEN ? separable<C, true> : separable<C, false>;
}

static int launch_tile(const struct gf_work *work, const struct gf_io *io, const struct conv_task *t, int channels,
                       struct gf_error *err)
{
    kernel *k = channels == 1 ? kernel_of<1>(&t->conv, t->constant)
              : channels == 3 ? kernel_of<3>(&t->conv, t->constant) : kernel_of<4>(&t->conv, t->constant);
    const size_t bytes = tile_bytes(t, channels);
    const int threads = t->tile_x * t->tile_y / (t->conv.ny > 0 && (!t->conv.full || channels == 1) ? 16 : 4);

    if (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)k, err) != 0)
        return -1;
    gf_cuda_launch_rows(*t, t->tile_y, [&](const struct conv_task &part, unsigned height) {
        k<<<dim3((unsigned)gf_ceil_div(t->width, t->tile_x), height),
            threads < 128 ? 128 : threads > 256 ? 256 : threads, bytes, (cudaStream_t)work->stream>>>(
            part, gf_program(io->load, io->src.channels), gf_program(io->store, io->dst.channels));
    });
    return gf_cuda_launched("convolution", err);
}

/* Channels at work, between the programs. */
static int channels_at_work(const struct gf_io *io)
{
    return io->load ? io->load->out : io->src.channels;
}

/* Whether one kernel may hold a pixel with all its channels in registers. */
static bool fits_registers(const struct gf_io *io)
{
    const int c = channels_at_work(io);

    return (c == 1 || c == 3 || c == 4) && io->src.channels <= 4 && io->dst.channels <= 4
        && gf_program_widest(io->load, io->src.channels) <= 4 && gf_program_widest(io->store, c) <= 4;
}

/* ---- audio ---- */

static int launch_line(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, struct gf_error *err)
{
    const struct conv_task t = task_of(work, io, conv);
    kernel *k = t.constant ? line<true> : line<false>;
    const size_t bytes = ((size_t)line_at(LINE * LINE_THREADS + (conv->ny + LINE) / LINE * LINE) + 64) * sizeof(float);
    const int64_t blocks = gf_ceil_div(t.end - t.first, LINE * LINE_THREADS);

    if (bytes > 48 * 1024 && gf_cuda_allow_shared_memory((const void *)k, err) != 0)
        return -1;
    k<<<dim3((unsigned)blocks, (unsigned)io->src.channels), LINE_THREADS, bytes, (cudaStream_t)work->stream>>>(
        t, gf_program_flat(io->load), gf_program_flat(io->store));
    return gf_cuda_launched("convolution", err);
}

/* ---- the long way round ---- */

/* One plane of a planar block. */
static struct gf_block plane_of(const struct gf_block *b, int c)
{
    struct gf_block one = *b;

    one.data = (float *)b->data + c * b->plane_samples;
    one.channels = 1;
    return one;
}

/* One plane to another, in one kernel: a tile, a line or a tall column. */
static int plane_pass(const struct gf_work *work, const struct gf_io *io, const struct gf_conv *conv, struct gf_error *err)
{
    struct conv_task t = task_of(work, io, conv);

    if (gf_conv_is_line(io, conv))
        return launch_line(work, io, conv, err);
    if (choose_tile(&t, 1))
        return launch_tile(work, io, &t, 1, err);
    if (conv->full || conv->nx > 0)
        return gf_fail(err, GF_FAILED, "a mask of %d by %d does not fit this GPU", conv->nx, conv->ny);
    gf_cuda_launch_rows(t, TALL, [&](const struct conv_task &part, unsigned height) {
        (t.constant ? tall<true> : tall<false>)<<<dim3((unsigned)gf_ceil_div(t.width, 128), height), 128, 0,
                                                  (cudaStream_t)work->stream>>>(part);
    });
    return gf_cuda_launched("convolution", err);
}

/* dst, the sums, becomes the sharpened src; both are one plane. */
__global__ void sharpen_plane(const __grid_constant__ struct conv_task t)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (int64_t y = t.first + blockIdx.y; x < t.width && y < t.end; y += gridDim.y) {
        float *to = (float *)gf_block_view_row(t.dst, y) + x;

        *to = sharpened(t.conv, ((const float *)gf_block_view_row(t.src, y))[x], *to);
    }
}

static int copy_plane(const struct gf_io *io, cudaStream_t stream, struct gf_error *err)
{
    const struct gf_block from = gf_block_part(&io->src, io->dst.span);

    return gf_cuda_check(cudaMemcpy2DAsync(io->dst.data, (size_t)io->dst.pitch_samples * sizeof(float), from.data,
                                           (size_t)from.pitch_samples * sizeof(float), (size_t)from.width * sizeof(float),
                                           (size_t)gf_span_units(from.span), cudaMemcpyDeviceToDevice, stream),
                         "copying a plane", err);
}

/* Channel c: both directions one after the other where no tile holds them. */
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
    sharpen_plane<<<dim3((unsigned)gf_ceil_div(t.width, 128), gf_cuda_grid_rows(t.end - t.first)), 128, 0, (cudaStream_t)work->stream>>>(t);
    return gf_cuda_launched("sharpening", err);
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

extern "C" int gf_conv_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    const struct gf_conv *conv = (const struct gf_conv *)params;
    struct conv_task t = task_of(work, io, conv);
    const int channels = channels_at_work(io);
    struct gf_whole_mask mask;

    if (t.width <= 0 || t.first >= t.end)
        return 0;
    if (conv->combine == GF_CONV_KEEP || conv->combine == GF_CONV_SHARPEN_KEPT)
        return gf_fail(err, GF_FAILED, "a GPU takes both halves of a convolution at once");
    if (gf_conv_is_line(io, conv))
        return launch_line(work, io, conv, err);
    if (gf_conv_is_whole(work, io, conv, &mask))
        return gf_conv_whole(work, io, conv, &mask, err);
    if (gf_conv_is_near(io, conv))
        return gf_conv_near(work, io, conv, err);
    if (fits_registers(io) && (conv->full || conv->nx > 0 || conv->ny <= 256) && choose_tile(&t, channels))
        return launch_tile(work, io, &t, channels, err);
    return gf_program_buffers_through(work, io, io->src.span, gf_program_buffers_needed(&io->src, io->load),
                                      gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) { return each_plane(work, &plain, conv, err); });
}
