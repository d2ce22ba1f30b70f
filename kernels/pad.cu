/* Padding on a GPU: an item a thread, fetched from its place or made. */
#include "pad.h"

#include "check.cuh"

struct pad_task {
    const unsigned char *src;
    unsigned char *dst;
    int64_t src_pitch, dst_pitch, src_plane, dst_plane;      /* bytes */
    int64_t start, width, units;                             /* of the source */
    int64_t first, columns, rows, left, top;                 /* of the result */
    enum gf_border border;
    int bytes;
    unsigned char item[4][GF_PAD_ITEM];                      /* the background of each plane */
};

/* B bytes that lie at multiples of A. */
template <int A> struct unit;
template <> struct unit<1> { typedef unsigned char type; };
template <> struct unit<2> { typedef unsigned short type; };
template <> struct unit<4> { typedef unsigned type; };
template <int B, int A> struct pad_item { typename unit<A>::type p[B / A]; };

template <int B, int A>
__global__ void __launch_bounds__(256) pad(const __grid_constant__ struct pad_task t)
{
    typedef pad_item<B, A> item;
    const int64_t x = (int64_t)blockIdx.x * 256 + threadIdx.x;
    const int plane = blockIdx.z;
    item made;

    if (x >= t.columns)
        return;
#pragma unroll
    for (int i = 0; i < B / A; i++) {
        unsigned v = 0;
#pragma unroll
        for (int k = 0; k < A; k++)
            v |= (unsigned)t.item[plane][i * A + k] << 8 * k;
        made.p[i] = (typename unit<A>::type)v;
    }
    for (int64_t r = blockIdx.y; r < t.rows; r += gridDim.y) {
        const int64_t column = gf_border_index(t.border, x - t.left, t.width);
        const int64_t row = gf_border_index(t.border, t.first + r - t.top, t.units);
        item *to = (item *)(t.dst + plane * t.dst_plane + r * t.dst_pitch) + x;

        *to = row < 0 || column < 0 ? made : ((const item *)(t.src + plane * t.src_plane + (row - t.start) * t.src_pitch))[column];
    }
}

extern "C" int gf_pad_cuda(const struct gf_work *work, const struct gf_io *io, const void *params, struct gf_error *err)
{
    static const struct { int bytes, align; void (*kernel)(const struct pad_task); } of[] = {
        { 1, 1, pad<1, 1> }, { 2, 2, pad<2, 2> }, { 2, 1, pad<2, 1> }, { 3, 1, pad<3, 1> }, { 4, 4, pad<4, 4> }, { 4, 2, pad<4, 2> },
        { 4, 1, pad<4, 1> }, { 6, 2, pad<6, 2> }, { 8, 4, pad<8, 4> }, { 8, 2, pad<8, 2> }, { 12, 4, pad<12, 4> }, { 16, 4, pad<16, 4> },
    };
    const struct gf_pad *p = (const struct gf_pad *)params;
    const int sample = (int)gf_type_bytes(io->src.type), planes = io->src.planar ? io->src.channels : 1;
    struct pad_task t;
    uintptr_t all;

    if (!gf_point_is_identity(io->load) || !gf_point_is_identity(io->store) || io->src.planar != io->dst.planar || planes > 4)
        return gf_fail(err, GF_FAILED, "moving samples changes none of them");
    t.src = (const unsigned char *)io->src.data, t.dst = (unsigned char *)io->dst.data;
    t.src_pitch = io->src.pitch_samples * sample, t.dst_pitch = io->dst.pitch_samples * sample;
    t.src_plane = io->src.plane_samples * sample, t.dst_plane = io->dst.plane_samples * sample;
    t.start = io->src.span.start, t.width = io->src.width, t.units = io->src_units;
    t.first = io->dst.span.start, t.columns = io->dst.width, t.rows = gf_span_units(io->dst.span);
    t.left = p->left, t.top = p->top;
    t.border = p->use_background ? GF_ZERO : p->border;
    t.bytes = gf_pad_item_bytes(&io->src);
    for (int c = 0; c < planes; c++)
        gf_pad_item(&io->dst, p, c, t.item[c]);
    if (t.columns <= 0 || t.rows <= 0)
        return 0;
    all = (uintptr_t)t.src | (uintptr_t)t.dst | (uintptr_t)t.src_pitch | (uintptr_t)t.dst_pitch | (uintptr_t)t.src_plane
        | (uintptr_t)t.dst_plane;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].bytes == t.bytes && all % of[i].align == 0) {
            of[i].kernel<<<dim3((unsigned)gf_ceil_div(t.columns, 256), gf_at_most(t.rows, 65535), (unsigned)planes), 256, 0,
                           (cudaStream_t)work->stream>>>(t);
            return gf_cuda_launched("pad", err);
        }
    return gf_fail(err, GF_FAILED, "no padding for pixels of %d bytes", t.bytes);
}
