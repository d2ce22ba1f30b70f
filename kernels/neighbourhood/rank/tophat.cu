/* Top hat on a GPU: rank twice, between borrowed blocks, and the difference. */
#include "kernels/neighbourhood/rank/tophat.h"

#include "kernels/base/block_view.cuh"
#include "kernels/base/program_buffers.cuh"

#define THREADS 256

/* The samples of a row of packed samples, or of a plane, count alike. */
struct tophat_task {
    struct gf_block_view src, second, dst;
    int64_t length, first, end;          /* samples of a row; units */
    int step, channels;                  /* samples of a pixel, and those of them that are subtracted */
    bool dark;
};

/* Subtracts integers, and stays at 0 if the difference is less. */
template <class T>
__device__ __forceinline__ T difference(T greater, T less)
{
    return greater > less ? (T)(greater - less) : (T)0;
}

__device__ __forceinline__ float difference(float greater, float less)
{
    return __fsub_rn(greater, less);
}

template <class T>
__global__ void __launch_bounds__(THREADS) tophat_subtract(const __grid_constant__ struct tophat_task t)
{
    const int64_t x = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const bool copies = (int)(x % t.step) >= t.channels;

    if (x >= t.length)
        return;
    for (int64_t y = t.first + blockIdx.y; y < t.end; y += gridDim.y) {
        const T v = ((const T *)gf_block_view_row(t.src, y))[x];
        T *to = (T *)gf_block_view_row(t.dst, y) + x;

        if (copies) {
            *to = v;
        } else {
            const T o = ((const T *)gf_block_view_row(t.second, y))[x];

            *to = t.dark ? difference(o, v) : difference(v, o);
        }
    }
}

template <class T>
static void launch(const struct tophat_task &t, cudaStream_t stream)
{
    tophat_subtract<T><<<dim3((unsigned)gf_ceil_div(t.length, THREADS), gf_cuda_grid_rows(t.end - t.first)), THREADS, 0,
                         stream>>>(t);
}

/* Subtracts packed samples, or plane by plane; planes after the channels are copied. */
static int subtract(const struct gf_io *io, const struct gf_tophat *h, const struct gf_block *second,
                    cudaStream_t stream, struct gf_error *err)
{
    const struct tophat_task all = { gf_block_view_of(&io->src), gf_block_view_of(second), gf_block_view_of(&io->dst),
                                     io->dst.width * (io->src.planar ? 1 : io->src.channels), io->dst.span.start,
                                     io->dst.span.end, io->src.planar ? 1 : io->src.channels, h->channels, h->dark };

    for (int c = 0; c < (io->src.planar ? io->src.channels : 1); c++) {
        struct tophat_task t = all;

        if (!io->src.planar) {
            if (io->src.type == GF_U8)
                launch<uint8_t>(t, stream);
            else
                launch<uint16_t>(t, stream);
            break;
        }
        t.src.data += c * t.src.plane * (int64_t)sizeof(float);
        t.dst.data += c * t.dst.plane * (int64_t)sizeof(float);
        t.second.data += (c < h->channels ? c : 0) * t.second.plane * (int64_t)sizeof(float);
        t.channels = c < h->channels;
        launch<float>(t, stream);
    }
    return gf_cuda_launched("top hat", err);
}

/* Borrows a block like those of the call: planes for the channels that are ranked, or packed samples. */
static int borrow(struct gf_block *b, const struct gf_block *like, int channels, struct gf_span span,
                  cudaStream_t stream, struct gf_error *err)
{
    if (like->planar)
        return gf_borrowed_planes_take(b, like, channels, span, stream, err);
    *b = *like;
    b->data = NULL;
    b->span = span;
    b->pitch_samples = gf_round_up(like->width * like->channels, 128);
    return gf_cuda_check(gf_cuda_borrow(&b->data, (size_t)(b->pitch_samples * gf_span_units(span))
                                        * gf_type_bytes(b->type), stream), "memory for samples", err);
}

/* Returns the units of the first result that the second one needs. */
static struct gf_span units_between(const struct gf_io *io, const struct gf_tophat *h)
{
    const int64_t start = io->dst.span.start - h->radius, end = io->dst.span.end + h->radius;

    if (h->border == GF_WRAP)
        return { 0, io->src_units };
    return { start > 0 ? start : 0, end < io->src_units ? end : io->src_units };
}

/* From packed samples to such, or from planes to planes. */
static int run(const struct gf_work *work, const struct gf_io *io, const struct gf_tophat *h, struct gf_error *err)
{
    const cudaStream_t stream = (cudaStream_t)work->stream;
    const struct gf_rank rank[2] = { gf_tophat_rank(h, false), gf_tophat_rank(h, true) };
    struct gf_io one = *io, two;
    int result;

    one.load = one.store = NULL;                         /* identities, of all channels */
    two = one;
    one.dst.data = two.dst.data = NULL;
    result = borrow(&one.dst, &io->src, h->channels, units_between(io, h), stream, err);
    if (result == 0)
        result = borrow(&two.dst, &io->src, h->channels, io->dst.span, stream, err);
    if (io->src.planar)
        one.src.channels = h->channels;
    two.src = one.dst;
    if (result == 0)
        result = gf_rank_cuda(work, &one, &rank[0], err);
    if (result == 0)
        result = gf_rank_cuda(work, &two, &rank[1], err);
    if (result == 0)
        result = subtract(io, h, &two.dst, stream, err);
    gf_borrowed_planes_return(&one.dst, stream);
    gf_borrowed_planes_return(&two.dst, stream);
    return result;
}

extern "C" int gf_tophat_cuda(const struct gf_work *work, const struct gf_io *io, const void *params,
                              struct gf_error *err)
{
    const struct gf_tophat *h = (const struct gf_tophat *)params;
    const bool direct = gf_tophat_is_direct(io);

    if (io->dst.width <= 0 || io->dst.span.start >= io->dst.span.end)
        return 0;
    return gf_program_buffers_through(work, io, io->src.span,
                                      !direct && gf_program_buffers_needed(&io->src, io->load),
                                      !direct && gf_program_buffers_needed(&io->dst, io->store), err,
                                      [&](const struct gf_io &plain) { return run(work, &plain, h, err); });
}
